/** What a document says at a cursor. Twin: `Frame` in jgrad/views/scene.py. */

import type { Cells, Step, TraceDocument, TraceStorage, TraceTensor, Value } from "./document";
import type { Log } from "./log";
import { grouped, plural, shapeText, short } from "./text";

export class Frame {
  readonly log: Log;
  readonly document: TraceDocument;
  readonly cursor: number;
  readonly step: Step | null;
  /** Each tensor as it is now. */
  readonly state: TraceTensor[];
  /** The contents of each storage. */
  readonly cells: Cells[];
  /** The number on each version counter. */
  readonly versions = new Map<number, number>();
  /** The step that made a tensor. */
  readonly maker = new Map<number, Step>();
  /** The `.grad` of a tensor, as far as steps have told. */
  readonly grads = new Map<number, Value | null>();

  constructor(log: Log, cursor: number) {
    const { document } = log;
    this.log = log;
    this.document = document;
    this.cursor = cursor;
    this.step = document.steps[cursor - 1] ?? null;
    this.state = document.tensors.slice();
    this.cells = document.storages.map((storage) => storage.cells);
    for (const tensor of document.tensors) {
      if (tensor.born < cursor && !this.versions.has(tensor.counter)) {
        this.versions.set(tensor.counter, tensor.version);
      }
    }
    for (let i = 0; i < cursor; i++) {
      this.#apply(document.steps[i]);
    }
  }

  #apply(step: Step): void {
    for (const tensor of step.makes ?? []) {
      this.maker.set(tensor, step);
    }
    for (const write of step.writes ?? []) {
      this.cells[write.storage] = write.cells;
      this.versions.set(write.counter, write.versions[1]);
    }
    for (const { tensor, ...news } of step.changes ?? []) {
      this.state[tensor] = { ...this.state[tensor], ...news };
    }
    if (step.grad) {
      this.grads.set(step.grad.tensor, step.grad.after);
    }
  }

  caption(): string {
    const { steps } = this.document;
    if (this.step === null) {
      return steps.length ? `before the first of ${plural(steps.length, "step")}` : "as things are now";
    }
    return `step ${grouped(this.cursor)} of ${grouped(steps.length)} · ${this.step.text}`;
  }

  /** Whether a tensor is there after the step at the cursor. */
  visible(tensor: TraceTensor): boolean {
    return tensor.born < this.cursor && !(tensor.died !== null && tensor.died < this.cursor);
  }

  /** Whether a storage (or what a node saved) is there after the step at the cursor. */
  held(thing: { born: number; freed: number | null }): boolean {
    return thing.born < this.cursor && !(thing.freed !== null && thing.freed < this.cursor);
  }

  tensors(): TraceTensor[] {
    return this.state.filter((tensor) => this.visible(tensor));
  }

  storages(): TraceStorage[] {
    return this.document.storages.filter((storage) => this.held(storage));
  }

  /** The variable that means a tensor, or nothing. */
  named(tensor: number): string {
    let name = "";
    for (const [since, given] of this.document.tensors[tensor].names) {
      if (since < this.cursor) {
        name = given;
      }
    }
    return name;
  }

  /** What to call a tensor: its name, the expression that made it, or its number. */
  label(tensor: number): string {
    const name = this.named(tensor);
    if (name) {
      return name;
    }
    const made = this.maker.get(tensor);
    const told = made && ["create", "op", "view"].includes(made.kind) && made.makes?.length === 1;
    return (told && this.expression(made)) || `tensor ${tensor + 1}`;
  }

  /** The source text of a step, if it is short. */
  expression(step: Step): string {
    const { span } = step;
    if (!span || span[0] !== span[2] || span[3] - span[1] > 40) {
      return "";
    }
    return [...this.document.source[span[0] - 1]].slice(span[1], span[3]).join("");
  }

  /** All that a tooltip says of a tensor. */
  history(tensor: number): string {
    const t = this.state[tensor];
    const parts = [
      `${this.label(tensor)} ${shapeText(t.shape)} ${t.dtype}`,
      `storage ${t.storage + 1}`,
      status(t),
    ];
    if (t.node !== null) {
      parts.push(`grad_fn ${short(this.document.nodes[t.node].name)}`);
    }
    return parts.join(", ");
  }

  /** Tensors that the step at the cursor made or wrote to. */
  touched(): Set<number> {
    return new Set([...(this.step?.makes ?? []), ...(this.step?.writes ?? []).map((write) => write.tensor)]);
  }
}

/** A tensor's part in autograd. */
export function status(tensor: TraceTensor): string {
  if (tensor.is_leaf) {
    return tensor.requires_grad ? "leaf, collects .grad" : "leaf, no gradient";
  }
  return tensor.retains_grad ? "non-leaf, keeps .grad" : "non-leaf, .grad not kept";
}

/** The meaning of a tensor's colour. */
export function tensorClass(tensor: TraceTensor, name: string): string {
  if (name.endsWith(".grad")) {
    return "gradient";
  }
  if (!tensor.requires_grad) {
    return "plain";
  }
  return tensor.is_leaf ? "leaf" : "intermediate";
}

/** Which `size` of n things in a row to show, so that `focus` is among them and not at the edge. */
export function window(n: number, focus: number, size: number): [number, number] {
  if (n <= size) {
    return [0, n];
  }
  const start = Math.min(Math.max(focus - Math.floor((size * 2) / 3), 0), n - size);
  return [start, start + size];
}

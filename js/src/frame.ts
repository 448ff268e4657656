/** What a document says at a cursor. Twin: `Frame` in jgrad/views/scene.py. */

import type { Cells, Step, TraceDocument, TraceStorage, TraceTensor, Value } from "./document";
import { type Log, sameSpan } from "./log";
import { grouped, plural, shapeText, short } from "./text";

export class Frame {
  readonly log: Log;
  readonly document: TraceDocument;
  readonly cursor: number;
  readonly step: Step | null;
  readonly #state = new Map<number, TraceTensor>();
  #tensors: TraceTensor[] | null = null;

  constructor(log: Log, cursor: number) {
    this.log = log;
    this.document = log.document;
    this.cursor = cursor;
    this.step = log.document.steps[cursor - 1] ?? null;
  }

  /** A tensor as it is now. */
  state(tensor: number): TraceTensor {
    const { log, cursor } = this;
    if (!log.changes.has(tensor)) {
      return this.document.tensors[tensor];
    }
    let now = this.#state.get(tensor);
    if (!now) {
      now = Object.assign({}, this.document.tensors[tensor], ...log.changes.before(tensor, cursor));
      this.#state.set(tensor, now!);
    }
    return now!;
  }

  /** The contents of a storage. */
  cells(storage: number): Cells {
    return this.log.cells.latest(storage, this.cursor) ?? this.document.storages[storage].cells;
  }

  /** The number on a version counter. */
  version(counter: number): number | undefined {
    return this.log.versions.latest(counter, this.cursor);
  }

  /** The `.grad` of a tensor, as far as steps have told. */
  grad(tensor: number): Value | null {
    const at = this.log.grads.latest(tensor, this.cursor);
    return at === undefined ? null : (this.document.steps[at].grad?.after ?? null);
  }

  /** The step that made a tensor. */
  maker(tensor: number): Step | undefined {
    return this.log.makers.latest(tensor, this.cursor);
  }

  caption(): string {
    const { steps } = this.document;
    if (this.step === null) {
      return steps.length ? `before the first of ${plural(steps.length, "step")}` : "as things are now";
    }
    return `step ${grouped(this.cursor)} of ${grouped(steps.length)} · ${this.step.text}`;
  }

  /** Whether a tensor, a storage, or what a node saved is there after the step at the cursor. */
  visible(thing: { born: number; died?: number | null; freed?: number | null }): boolean {
    const { born, died, freed } = thing;
    return born < this.cursor && (died ?? freed ?? this.cursor) >= this.cursor;
  }

  /** The tensors that are there. */
  tensors(): TraceTensor[] {
    this.#tensors ??= this.document.tensors.filter((t) => this.visible(t)).map((t) => this.state(t.id));
    return this.#tensors;
  }

  storages(): TraceStorage[] {
    return this.document.storages.filter((storage) => this.visible(storage));
  }

  /** The variable that means a tensor, or nothing. */
  named(tensor: number): string {
    return this.#names(tensor).at(-1) ?? "";
  }

  /** All names it has had. */
  #names(tensor: number): string[] {
    const { names } = this.document.tensors[tensor];
    return names.filter(([since]) => since < this.cursor).map(([, given]) => given);
  }

  /** What to call a tensor: its name, the expression that made it, what it was called, or its number. */
  label(tensor: number): string {
    const name = this.named(tensor);
    if (name) {
      return name;
    }
    const made = this.maker(tensor);
    const told = made && ["create", "op", "view"].includes(made.kind) && made.makes?.length === 1;
    const earlier = this.#names(tensor).findLast((given) => given);
    const source = told && this.expression(made);
    if (source && this.log.inner.latest(tensor, this.cursor)) {
      return `${made.op} in ${source}`;
    }
    return source || (earlier ? `was ${earlier}` : `tensor ${tensor + 1}`);
  }

  /** The source text of a step, if it is short. */
  expression(step: Step): string {
    const { span } = step;
    const { steps, source } = this.document;
    // What the derivative of something made has the span of the call.
    const call = steps[this.log.calls.get(step.backward ?? -1) ?? -1];
    if (!span || span[0] !== span[2] || span[3] - span[1] > 40 || (call && sameSpan(call.span, span))) {
      return "";
    }
    return [...source[span[0] - 1]].slice(span[1], span[3]).join("");
  }

  /** All that a tooltip says of a tensor. */
  history(tensor: number): string {
    const t = this.state(tensor);
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

  /** The place of the last step so far of which something holds, or -1. */
  last(holds: (step: Step) => unknown): number {
    let at = this.cursor - 1;
    while (at >= 0 && !holds(this.document.steps[at])) {
      at -= 1;
    }
    return at;
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

/** Of more than n things those with the lowest ranks, the newest among equals, in their own order. */
export function foremost<T extends { id: number }>(things: T[], n: number, rank: (thing: T) => number): T[] {
  if (things.length <= n) {
    return things;
  }
  const ranked = things.map((thing) => [rank(thing), -thing.id, thing] as const);
  ranked.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const best = new Set(ranked.slice(0, n).map(([, , thing]) => thing));
  return things.filter((thing) => best.has(thing));
}

/** Which `size` of n things in a row to show, so that `focus` is among them and not at the edge. */
export function window(n: number, focus: number, size: number): [number, number] {
  if (n <= size) {
    return [0, n];
  }
  const start = Math.min(Math.max(focus - Math.floor((size * 2) / 3), 0), n - size);
  return [start, start + size];
}

/** A document with an index: what held at a cursor is looked up, not folded from the start for each step of the slider. */

import type { Cells, Change, Step, TraceDocument } from "./document";
import { Frame } from "./frame";
import { type Loop, loopsOf } from "./loops";

const HIDDEN = 20; // steps that a fold hides at least

/** Appends to the list of a key. */
export function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const known = lists.get(key);
  if (known) {
    known.push(value);
  } else {
    lists.set(key, [value]);
  }
}

/** Whether two steps come from the same piece of the source. */
export function sameSpan(a: Step["span"], b: Step["span"]): boolean {
  return a && b ? a.every((n, i) => n === b[i]) : a === b;
}

/** What steps said of each of some things, in the order of steps. */
export class History<V> {
  readonly #of = new Map<number, { at: number; value: V }[]>();

  add(key: number, at: number, value: V): void {
    push(this.#of, key, { at, value });
  }

  /** All that was said of a thing before a step. */
  before(key: number, step: number): V[] {
    const all = this.#of.get(key) ?? [];
    return all.slice(0, this.#count(all, step)).map(({ value }) => value);
  }

  /** What was said last of a thing before a step. */
  latest(key: number, step: number): V | undefined {
    const all = this.#of.get(key) ?? [];
    return all[this.#count(all, step) - 1]?.value;
  }

  has(key: number): boolean {
    return this.#of.has(key);
  }

  keys(): number[] {
    return [...this.#of.keys()];
  }

  #count(all: { at: number }[], step: number): number {
    let [low, high] = [0, all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (all[middle].at < step) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

/** Something's step, rank among what came with that step, and id. */
type Place = [born: number, rank: number, id: number];

export class Log {
  readonly document: TraceDocument;
  /** How many steps each source line has. */
  readonly stepsPerLine = new Map<number, number>();
  /** Tensors that the very expression which made them used up, such as those within model(x). */
  readonly inner = new History<true>();
  /** The step at which each backward call begins. */
  readonly calls = new Map<number, number>();
  /** The step that made a tensor. */
  readonly makers = new History<Step>();
  /** What changed of a tensor. */
  readonly changes = new History<Change>();
  /** The contents of a storage. */
  readonly cells = new History<Cells>();
  /** The number on a version counter. */
  readonly versions = new History<number>();
  /** The steps that touched a tensor's `.grad`, by their positions. */
  readonly grads = new History<number>();
  /** The first tensor that a node computed, and the first that it became the grad_fn of. */
  readonly owners = new History<number>();
  readonly adopters = new History<number>();
  /** The AccumulateGrad nodes of a leaf. */
  readonly accumulators = new Map<number, number[]>();
  /** What can stand in a row of the graph, in the order of rows: nodes (rank 1), tensors as leaves (0), tensors as cuts (2). */
  readonly order: Place[];
  /** Of each node, where in that order it stands. */
  readonly placeOf: number[] = [];
  #latest: Frame | null = null;
  #loops: Loop[] | null = null;

  constructor(document: TraceDocument) {
    this.document = document;
    for (const tensor of document.tensors) {
      const { id, born, counter, version, node } = tensor;
      if (!this.versions.has(counter)) {
        this.versions.add(counter, born, version);
      }
      if (node !== null && !this.owners.has(node)) {
        this.owners.add(node, born, id);
      }
    }
    document.steps.forEach((step, at) => {
      const { line } = step;
      if (line != null) {
        this.stepsPerLine.set(line, (this.stepsPerLine.get(line) ?? 0) + 1);
      }
      if (step.kind === "backward") {
        this.calls.set(step.backward!, at);
      }
      // What is only written to isn't used up.
      for (const tensor of (step.makes?.length ? step.reads : null) ?? []) {
        const made = this.makers.latest(tensor, at);
        if (made && step.kind !== "backward" && sameSpan(made.span, step.span)) {
          this.inner.add(tensor, at, true);
        }
      }
      for (const tensor of step.makes ?? []) {
        this.makers.add(tensor, at, step);
      }
      for (const write of step.writes ?? []) {
        this.cells.add(write.storage, at, write.cells);
        this.versions.add(write.counter, at, write.versions[1]);
      }
      for (const change of step.changes ?? []) {
        this.changes.add(change.tensor, at, change);
        if (change.node != null && !this.adopters.has(change.node)) {
          this.adopters.add(change.node, at, change.tensor);
        }
      }
      if (step.grad) {
        this.grads.add(step.grad.tensor, at, at);
      }
    });
    const found: Place[] = [];
    for (const { id, born, variable } of document.nodes) {
      if (variable === null) {
        found.push([born, 1, id]);
      } else {
        push(this.accumulators, variable, id);
      }
    }
    for (const { id, born, is_leaf, requires_grad, how } of document.tensors) {
      if ((is_leaf && requires_grad) || this.changes.has(id)) {
        found.push([born, 0, id]);
      }
      if (["detach", "data", "op"].includes(how)) {
        found.push([born, 2, id]);
      }
    }
    this.order = this.#placed(found.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]));
  }

  /** With what nodes use always above them: a node found later than its user (it was there before the cell) comes with that. */
  #placed(found: Place[]): Place[] {
    const { nodes } = this.document;
    const order: Place[] = [];
    for (const place of found) {
      const [born, rank, id] = place;
      if (rank !== 1) {
        order.push(place);
      }
      const stack = rank === 1 ? [id] : [];
      while (stack.length) {
        const n = stack.at(-1)!;
        const height = stack.length;
        if (this.placeOf[n] === undefined && height <= nodes.length) {
          for (const [m] of nodes[n].next) {
            if (m !== null && nodes[m].variable === null && this.placeOf[m] === undefined) {
              stack.push(m);
            }
          }
        }
        if (stack.length === height) {
          stack.pop();
          if (this.placeOf[n] === undefined) {
            this.placeOf[n] = order.push([born, 1, n]) - 1;
          }
        }
      }
    }
    return order;
  }

  /** The loops whose iterations fold. */
  get loops(): Loop[] {
    this.#loops ??= loopsOf(
      this.document.steps.map(({ line, kind, op }) => `${line} ${kind} ${op}`),
      HIDDEN,
    );
    return this.#loops;
  }

  /** The frame after `cursor` steps; all views of a moment share one. */
  frame(cursor: number): Frame {
    if (this.#latest?.cursor !== cursor) {
      this.#latest = new Frame(this, cursor);
    }
    return this.#latest!;
  }
}

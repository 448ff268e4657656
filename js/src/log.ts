/**
 * The index of a trace document. The state at a cursor is looked up, and not computed from the start for each step of the slider.
 * Its counterpart is jgrad/trace/document/index.py.
 */

import type { Change, GradUpdate, Step, TraceDocument, Write } from "./document";
import { createFrame, type Frame } from "./frame";
import { type Loop, loopsOf } from "./loops";
import { max } from "./math";

const NEVER = 1e9; // a step after all others
const HIDDEN = 20; // a fold hides at least so many steps

/** Appends to the list of a key. */
export function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const known = lists.get(key);
  if (known) {
    known.push(value);
  } else {
    lists.set(key, [value]);
  }
}

/** Whether two steps come from the same expression of the source. */
export function sameSpan(a: Step["span"], b: Step["span"]): boolean {
  return String(a) === String(b);
}

/** By number of a tensor, storage or node: what steps did to it, as [step, what], in the order of steps. */
export class History<V> extends Map<number, [step: number, what: V][]> {
  add(key: number, step: number, what: V): void {
    push(this, key, [step, what]);
  }

  /** What was done to it before a step: everything, or only the last entries. */
  before(key: number, step: number, most = NEVER): V[] {
    const n = this.count(key, step);
    return (this.get(key) ?? []).slice(max(0, n - most), n).map(([, what]) => what);
  }

  /** What was done to it last before a step. */
  latest(key: number, step: number): V | undefined {
    return this.get(key)?.[this.count(key, step) - 1]?.[1];
  }

  /** How often something was done to it before a step. */
  count(key: number, step: number): number {
    const all = this.get(key) ?? [];
    let [low, high] = [0, all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (all[middle][0] < step) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

/** Something that exists from one step to another. */
export interface Lived {
  created_step: number;
  freed_step: number | null;
}

/** Finds which items exist after the step at a cursor. To search two lists of numbers takes less time than to draw a box. */
function livesOf(things: Lived[]): (cursor: number) => number[] {
  const born = things.map((thing) => thing.created_step);
  const ends = things.map((thing) => thing.freed_step ?? NEVER);
  return (cursor) => {
    const found: number[] = [];
    for (let i = 0; i < born.length; i++) {
      if (born[i] < cursor && ends[i] >= cursor) {
        found.push(i);
      }
    }
    return found;
  };
}

/** The step at which an item was made, its rank among the items of that step, and its id. */
type Place = [born: number, rank: number, id: number];

export class Log {
  readonly document: TraceDocument;
  /** How many steps each source line has. */
  readonly counts = new Map<number, number>();
  /** Tensors that the expression which made them also used up, such as those inside of model(x). */
  readonly inner = new History<true>();
  /** The step at which each backward call begins. */
  readonly calls = new Map<number, number>();
  /** The position of the step that made a tensor. */
  readonly makers = new History<number>();
  /** By tensor: the changes of its fields. */
  readonly changes = new History<Change>();
  /** By storage: the writes to it. */
  readonly writes = new History<Write>();
  /** By tensor: its names. Filled only for tensors that were asked for. */
  readonly names = new History<string>();
  /** The number on a version counter. */
  readonly versions = new History<number>();
  /** The steps that touched a tensor's `.grad`, by their positions. */
  readonly grads = new History<number>();
  /** The first tensor that a node computed, and the first of which it became the grad_fn. */
  readonly owners = new History<number>();
  readonly adopters = new History<number>();
  /** The AccumulateGrad nodes of a leaf. */
  readonly sinks = new Map<number, number[]>();
  /** What can be a row of the graph, in the order of rows: nodes (rank 1), tensors as leaves (0), tensors as cuts (2). */
  readonly order: Place[] = [];
  /** By node: its position in that order. */
  readonly placeOf: number[] = [];
  /** The loops whose iterations fold. */
  readonly loops: Loop[];
  readonly tensorsAt: (cursor: number) => number[];
  readonly storagesAt: (cursor: number) => number[];
  #latest: Frame | null = null;
  #holders: Map<number, number[]> | null = null;

  constructor(document: TraceDocument) {
    const { tensors, nodes, steps, storages } = document;
    const { versions, owners, adopters, makers, order, placeOf } = this;
    const signs: string[] = [];
    this.document = document;
    this.tensorsAt = livesOf(tensors);
    this.storagesAt = livesOf(storages);
    for (const { id, created_step: born, version_counter: counter, version, grad_fn: node } of tensors) {
      if (!versions.has(counter)) {
        versions.add(counter, born, version);
      }
      if (node !== null && !owners.has(node)) {
        owners.add(node, born, id);
      }
    }
    steps.forEach((step, at) => {
      const { line, kind, op, backward_call: call, makes, reads } = step;
      signs.push(`${line} ${kind} ${op}`);
      if (line != null) {
        this.counts.set(line, (this.counts.get(line) ?? 0) + 1);
      }
      if (kind === "backward") {
        this.calls.set(call!, at);
      } else if (makes?.length && reads) {
        // A tensor that is only written to is not used up.
        const { span } = step;
        for (const tensor of reads) {
          const made = makers.latest(tensor, at);
          if (made !== undefined && sameSpan(steps[made].span, span)) {
            this.inner.add(tensor, at, true);
          }
        }
      }
      for (const tensor of makes ?? []) {
        makers.add(tensor, at, at);
      }
      for (const write of step.writes ?? []) {
        this.writes.add(write.storage, at, write);
        versions.add(write.version_counter, at, write.versions[1]);
      }
      for (const change of step.changes ?? []) {
        this.changes.add(change.tensor, at, change);
        if (change.grad_fn != null && !adopters.has(change.grad_fn)) {
          adopters.add(change.grad_fn, at, change.tensor);
        }
      }
      for (const { tensor } of step.updates ?? [step.grad ?? []].flat()) {
        this.grads.add(tensor, at, at);
      }
    });
    this.loops = loopsOf(signs, HIDDEN);
    const found: Place[] = [];
    for (const { id, created_step: born, variable } of nodes) {
      if (variable === null) {
        found.push([born, 1, id]);
      } else {
        push(this.sinks, variable, id);
      }
    }
    for (const { id, created_step: born, is_leaf, requires_grad, origin } of tensors) {
      const changes = this.changes.has(id);
      if ((is_leaf && requires_grad) || changes) {
        found.push([born, 0, id]);
      }
      if ((!requires_grad || changes) && ["detach", "data", "op"].includes(origin)) {
        found.push([born, 2, id]);
      }
    }
    // Inputs always come before the nodes that use them. A node that was found later than its user (it was made before the cell) comes with it.
    for (const place of found.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])) {
      const [born, rank, id] = place;
      if (rank !== 1) {
        order.push(place);
      }
      const stack = rank === 1 ? [id] : [];
      while (stack.length) {
        const n = stack.at(-1)!;
        const height = stack.length;
        if (placeOf[n] === undefined && height <= nodes.length) {
          for (const [m] of nodes[n].next_functions) {
            if (m !== null && placeOf[m] === undefined && nodes[m].variable === null) {
              stack.push(m);
            }
          }
        }
        if (stack.length === height) {
          stack.pop();
          placeOf[n] ??= order.push([born, 1, n]) - 1;
        }
      }
    }
  }

  /** By node: the tensors of which it ever was the grad_fn. */
  get holders(): Map<number, number[]> {
    if (!this.#holders) {
      this.#holders = new Map();
      for (const { id, grad_fn: node } of this.document.tensors) {
        const changed = this.changes.before(id, NEVER).map((change) => change.grad_fn);
        for (const n of new Set([node, ...changed])) {
          push(this.#holders, n!, id);
        }
      }
    }
    return this.#holders;
  }

  /** The frame after `cursor` steps. All views share it. */
  frame(cursor: number): Frame {
    if (this.#latest?.cursor !== cursor) {
      this.#latest = createFrame(this, cursor);
    }
    return this.#latest!;
  }
}

/** What a step did to the `.grad` of a tensor, one of those that it touched. */
export function gradIn({ grad, updates }: Step, tensor: number): GradUpdate {
  return grad ?? updates!.find((one) => one.tensor === tensor)!;
}

/** A document, and what is asked of it often. */

import type { Change, TraceDocument } from "./document";
import { Frame } from "./frame";

/** Appends to the list of a key. */
export function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const known = lists.get(key);
  if (known) {
    known.push(value);
  } else {
    lists.set(key, [value]);
  }
}

export class Log {
  readonly document: TraceDocument;
  /** How many steps each source line has. */
  readonly stepsPerLine = new Map<number, number>();
  readonly #changes = new Map<number, [step: number, change: Change][]>();
  readonly #accumulators = new Map<number, number[]>();
  #latest: Frame | null = null;

  constructor(document: TraceDocument) {
    this.document = document;
    document.steps.forEach(({ line, changes }, at) => {
      if (line != null) {
        this.stepsPerLine.set(line, (this.stepsPerLine.get(line) ?? 0) + 1);
      }
      for (const change of changes ?? []) {
        push(this.#changes, change.tensor, [at, change]);
      }
    });
    for (const { id, variable } of document.nodes) {
      if (variable !== null) {
        push(this.#accumulators, variable, id);
      }
    }
  }

  /** The AccumulateGrad nodes of a leaf. */
  accumulators(tensor: number): number[] {
    return this.#accumulators.get(tensor) ?? [];
  }

  /** What steps changed of a tensor. */
  changes(tensor: number): [step: number, change: Change][] {
    return this.#changes.get(tensor) ?? [];
  }

  /** The frame after `cursor` steps; all views of a moment share one. */
  frame(cursor: number): Frame {
    if (this.#latest?.cursor !== cursor) {
      this.#latest = new Frame(this, cursor);
    }
    return this.#latest!;
  }
}

/** A document, and what is asked of it often. */

import type { TraceDocument } from "./document";
import { Frame } from "./frame";

export class Log {
  readonly document: TraceDocument;
  /** How many steps each source line has. */
  readonly stepsPerLine = new Map<number, number>();
  #latest: Frame | null = null;

  constructor(document: TraceDocument) {
    this.document = document;
    for (const { line } of document.steps) {
      if (line != null) {
        this.stepsPerLine.set(line, (this.stepsPerLine.get(line) ?? 0) + 1);
      }
    }
  }

  /** The frame after `cursor` steps; all views of a moment share one. */
  frame(cursor: number): Frame {
    if (this.#latest?.cursor !== cursor) {
      this.#latest = new Frame(this, cursor);
    }
    return this.#latest!;
  }
}

/** A document that is open in a widget. */

import { TraceIndex } from "../made/index";
import type { Loop } from "../made/loops";
import { Frame } from "../made/scene";
import type { TraceDocument } from "./document";

export class Log {
  readonly document: TraceDocument;
  readonly #index: TraceIndex;
  #latest: Frame | null = null;

  constructor(document: TraceDocument) {
    this.document = document;
    this.#index = new TraceIndex(document);
  }

  /** The loops whose iterations fold. */
  get loops(): Loop[] {
    return this.#index.loops;
  }

  /** The state after `cursor` steps. All views share it. */
  frame(cursor: number): Frame {
    if (this.#latest?.cursor !== cursor) {
      this.#latest = new Frame(this.#index, cursor);
    }
    return this.#latest;
  }
}

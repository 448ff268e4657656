/** A document that is open in a widget. */

import { TraceIndex } from "../made/index";
import type { Loop } from "../made/loops";
import { Frame, WIDTH } from "../made/scene";
import type { TraceDocument } from "./document";

export class Log {
  readonly document: TraceDocument;
  readonly #index: TraceIndex;
  #latest: Frame[] = [];
  /** The keys of the rows that the reader opened or closed. */
  #toggled: string[] = [];

  constructor(document: TraceDocument) {
    this.document = document;
    this.#index = new TraceIndex(document);
  }

  /** The loops whose iterations fold. */
  get loops(): Loop[] {
    return this.#index.loops;
  }

  /** Opens or closes a row. */
  toggle(key: string): void {
    const rest = this.#toggled.filter((other) => other !== key);
    this.#toggled = rest.length < this.#toggled.length ? rest : [...rest, key];
    this.#latest = [];
  }

  /** The state after `cursor` steps, for scenes of this width. All views that are as wide share it. */
  frame(cursor: number, width = WIDTH): Frame {
    let found = this.#latest.find((frame) => frame.cursor === cursor && frame.width === width);
    if (!found) {
      found = new Frame(this.#index, cursor, width, this.#toggled);
      this.#latest = [found, ...this.#latest.filter((frame) => frame.cursor === cursor)].slice(0, 3);
    }
    return found;
  }
}

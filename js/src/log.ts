/** A document that is open in a widget. */

import { TraceIndex } from "../made/index";
import type { Loop } from "../made/loops";
import { Frame, WIDTH } from "../made/scene";
import type { TraceDocument } from "./document";
import { min } from "./math";

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
    return this.#index.loops$;
  }

  /** The round, counted from 0, of a cursor, and the cursor of a round; none if there are no rounds. */
  roundOf(cursor: number): number | undefined {
    return this.#index.training$?.round_of$(cursor);
  }

  cursorOf(round: number): number {
    const training = this.#index.training$;
    return training!.cursor_of$(min(round, training!.total$ - 1));
  }

  /** Opens or closes a row. */
  toggle(key: string): void {
    const rest = this.#toggled.filter((other) => other !== key);
    this.#toggled = rest.length < this.#toggled.length ? rest : [...rest, key];
    this.#latest = [];
  }

  /** The state after `cursor` steps, for scenes of this width. All views that are as wide share it. */
  frame(cursor: number, width = WIDTH): Frame {
    let found = this.#latest.find((frame) => frame.cursor$ === cursor && frame.width$ === width);
    if (!found) {
      found = new Frame(this.#index, cursor, width, this.#toggled);
      this.#latest = [found, ...this.#latest.filter((frame) => frame.cursor$ === cursor)].slice(0, 3);
    }
    return found;
  }
}

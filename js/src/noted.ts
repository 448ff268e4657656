/** What the JupyterLab extension asks of a trace: the words beside the lines of its cell, and the steps of a line. */

import { notes } from "../made/notes";
import { BROKEN, type Note, sentenceOf } from "./document";
import { createReader } from "./widget";

/** What stands at the end of a line: the number of the line, parts with their meanings, and the mark of what caused an error. */
export type LineNote = [number: number, parts: [text: string, meaning: string][], mark: string];

export interface Noted {
  /** Why there are no notes: a sentence; empty if there are. */
  refusal: string;
  /** The cell that was traced. */
  source: string[];
  /** What was found in the trace. */
  found: Note[];
  /** The notes after so many steps (-1: all), and the line of the last of these steps; 0 for none. */
  noteAt(cursor: number): [notes: LineNote[], current: number];
  /** How many steps there are when the last one of this line is done; none if the line has no step. */
  lastOf(line: number): number | undefined;
}

/** Reads a document. A comparison of two traces has no cell, so it has no notes. */
export async function noted(wire: string): Promise<Noted | undefined> {
  const log = await createReader()(wire);
  if (log instanceof Error) {
    return {
      refusal: sentenceOf(log),
      source: [],
      found: [],
      noteAt: () => [[], 0],
      lastOf: () => undefined,
    };
  }
  const { document } = log;
  const { steps, source, notes: found } = document;
  if (document.compared) {
    return undefined;
  }
  return {
    refusal: "",
    source,
    found,
    noteAt(cursor) {
      try {
        const frame = log.frame(cursor < 0 ? steps.length : Math.min(cursor, steps.length));
        const said = notes(frame).map(({ line, parts, mark }): LineNote => [line, parts, mark]);
        return [said, frame.step$?.line ?? 0];
      } catch {
        return [[[1, [[BROKEN, "error"]], ""]], 0]; // a field is missing
      }
    },
    lastOf(line) {
      const last = steps.findLastIndex((step) => step.line === line);
      return last < 0 ? undefined : last + 1;
    },
  };
}

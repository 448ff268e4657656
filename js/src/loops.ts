/** Where the arrow keys go. */

import type { Loop } from "../made/loops";
import { floor } from "./math";

/** The cursor after one arrow key. Between two iterations it passes over all that follow but the last, or back over all but the first. Otherwise
 * it is one step. */
export function passed(loops: Loop[], cursor: number, by: 1 | -1, begin = 0): number {
  const at = by > 0 ? cursor : cursor - 1; // the step that is passed
  for (const loop of loops) {
    const { period, times, inner } = loop;
    const start = begin + loop.begin;
    const k = floor((at - start) / period);
    if (k >= 0 && k < times) {
      return k > 0 && k < times - 1 && (cursor - start) % period === 0
        ? start + (by > 0 ? times - 1 : 1) * period
        : passed(inner, cursor, by, start + k * period);
    }
  }
  return cursor + by;
}

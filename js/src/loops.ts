/** How the iterations of loops are found in a list of items, also of loops within loops, and how they fold. Counterpart: jgrad/views/loops.py. */

import { push } from "./log";
import { floor } from "./math";

const CANDIDATES = 64; // at most so many periods are tried at one position

/** A repetition. The `begin` of an inner loop counts from the start of the iteration around it. */
export interface Loop {
  begin: number;
  period: number;
  times: number;
  inner: Loop[];
}

/** Items that are drawn as one: the first, the end (exclusive), and the loop whose iterations they are (null for a single item). */
export type Unit = [from: number, to: number, loop: Loop | null];

/** The repetitions in a list of signs (equal items have equal signs). A fold keeps the first and one more iteration. Only repetitions of
 * which it would then hide at least `least` signs are found. */
export function loopsOf(signs: string[], least: number): Loop[] {
  const places = new Map<string, number[]>();
  signs.forEach((sign, i) => {
    push(places, sign, i);
  });
  const seen = new Map<string, number>(); // by sign: how many of it come before
  const found: Loop[] = [];
  let behind = 0; // the end of the last loop
  signs.forEach((sign, i) => {
    const nth = (seen.get(sign) ?? 0) + 1;
    seen.set(sign, nth);
    if (i < behind) {
      return;
    }
    const [period, times] = longest(signs, i, places.get(sign)!.slice(nth, nth + CANDIDATES));
    if ((times - 2) * period >= least) {
      found.push({ begin: i, period, times, inner: loopsOf(signs.slice(i, i + period), least) });
      behind = i + times * period;
    }
  });
  return found;
}

/** The period and the number of iterations of the longest repetition that starts at i and has at least three iterations. */
function longest(signs: string[], i: number, places: number[]): [period: number, times: number] {
  let [period, times] = [1, 1];
  for (const place of places) {
    const p = place - i;
    if (i + 3 * p > signs.length) {
      break;
    }
    let same = place;
    while (same < signs.length && signs[same] === signs[same - p]) {
      same += 1;
    }
    const n = floor((same - i) / p);
    if (n >= 3 && n * p > times * period) {
      [period, times] = [p, n];
    }
    if (same === signs.length) {
      break;
    }
  }
  return [period, times];
}

/** Items `begin` to `end` as units. Of a loop, the first iteration and the one with `focus` stay, and with `ends` the last one too. The
 * iterations between those are one unit. */
export function folded(loops: Loop[], begin: number, end: number, focus: number, ends = false): Unit[] {
  const units: Unit[] = [];
  let at = begin;
  const single = (to: number): void => {
    for (; at < to; at++) {
      units.push([at, at + 1, null]);
    }
  };
  for (const loop of loops) {
    const { period, times, inner } = loop;
    const start = begin + loop.begin;
    single(start);
    at = start + period * times;
    const here = start <= focus && focus < at ? floor((focus - start) / period) : 0;
    let done = 0;
    for (const k of new Set([0, here, ends ? times - 1 : here])) {
      const from = start + k * period;
      if (k > done) {
        units.push([start + done * period, from, loop]);
      }
      units.push(...folded(inner, from, from + period, focus, ends));
      done = k + 1;
    }
    if (done < times) {
      units.push([start + done * period, at, loop]);
    }
  }
  single(end);
  return units;
}

/** The cursor after one arrow key. Between two iterations it passes over all that follow, or back over all but the first. Otherwise it is one step. */
export function passed(loops: Loop[], cursor: number, by: 1 | -1, begin = 0): number {
  const at = by > 0 ? cursor : cursor - 1; // the step that is passed
  for (const loop of loops) {
    const { period, times, inner } = loop;
    const start = begin + loop.begin;
    const k = floor((at - start) / period);
    if (k >= 0 && k < times) {
      return k > 0 && (cursor - start) % period === 0
        ? start + (by > 0 ? times : 1) * period
        : passed(inner, cursor, by, start + k * period);
    }
  }
  return cursor + by;
}

/** What repeats in a row of things: the iterations of loops, of loops within them, and how they fold. Twin: jgrad/views/loops.py. */

import { push } from "./log";
import { floor } from "./math";

const CANDIDATES = 64; // periods tried at one place at most

/** A repetition; `begin` counts from that of the iteration around it. */
export interface Loop {
  begin: number;
  period: number;
  times: number;
  inner: Loop[];
}

/** Things in a row that are drawn as one: first, behind the last, the loop whose iterations they are (null: a thing by itself). */
export type Unit = [from: number, to: number, loop: Loop | null];

/** The repetitions in a row of signs that would hide `least` of them, though the first and one more iteration stay. */
export function loopsOf(signs: string[], least: number): Loop[] {
  const places = new Map<string, number[]>();
  signs.forEach((sign, i) => {
    push(places, sign, i);
  });
  const seen = new Map<string, number>(); // how many of each sign lie before
  const found: Loop[] = [];
  let behind = 0; // of the last loop
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

/** The period and the number of iterations, three at least, of the repetition from i on that covers most. */
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

/** Things as units: of a loop stay the first iteration, that in which `focus` is, and with `ends` the last; the rest between is one. */
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

/** From between two iterations over all that follow, or back over those from the second on; else one step. */
export function passed(loops: Loop[], cursor: number, by: 1 | -1, begin = 0): number {
  const at = by > 0 ? cursor : cursor - 1; // the thing that is passed
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

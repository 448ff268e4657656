/** Scenes: what a view draws, as plain data. docs/trace-document.md describes them. Counterpart: jgrad/views/scene.py. */

import type { Frame } from "./frame";
import { trunc } from "./math";
import { columnsOf } from "./text";

interface Common {
  k?: string[];
  label?: string;
}

export interface Rect extends Common {
  t: "rect";
  x: number;
  y: number;
  w: number;
  h: number;
  c: string;
}

export interface Text extends Common {
  t: "text";
  x: number;
  y: number;
  s: string;
  c: string;
  a?: string;
}

export interface Path extends Common {
  t: "path";
  d: string;
  c: string;
}

export interface Group extends Common {
  t: "group";
  items: Item[];
  role?: string;
}

export type Item = Rect | Text | Path | Group;

export interface Scene {
  view: string;
  title: string;
  width: number;
  height: number;
  /** The y at which the scene begins, if not 0. */
  top?: number;
  caption: string;
  items: Item[];
  table: { columns: string[]; readonly rows: string[][] };
  /** What the reader can choose between, if there is a choice. */
  choices?: string[];
}

export type View = (frame: Frame, choice?: number) => Scene;

/** What an item may have besides its position. */
export interface More {
  k?: string[];
  label?: string;
  a?: string;
  role?: string;
}

/** By severity of a note, the class of its colour. */
export const SEVERITIES = { info: "muted", warning: "write", error: "error" } as const;

export const CHAR = 7.2;
export const WIDTH = 960;

/** A coordinate, rounded to 0.1, halves upwards. */
export function r1(x: number): number {
  return (trunc(x * 10 + 0.5 + 100_000) - 100_000) / 10;
}

function item<T extends Item>(made: T, { k, label, a, role }: More = {}): T {
  return Object.assign(made, k?.length && { k }, label && { label }, a && { a }, role && { role });
}

export function rect(x: number, y: number, w: number, h: number, c: string, more?: More): Rect {
  return item({ t: "rect", x: r1(x), y: r1(y), w: r1(w), h: r1(h), c }, more);
}

export function text(x: number, y: number, s: string, c: string, more?: More): Text {
  return item({ t: "text", x: r1(x), y: r1(y), s, c }, more);
}

/** A text about the drawing. */
export function muted(x: number, y: number, s: string, more?: More): Text {
  return text(x, y, s, "muted", more);
}

export function path(d: string, c: string, more?: More): Path {
  return item({ t: "path", d, c }, more);
}

export function group(items: Item[], more: More): Group {
  return item({ t: "group", items }, more);
}

/** The `d` of a path, from letters and coordinates. */
export function points(...parts: (string | number)[]): string {
  return parts.map((part) => (typeof part === "string" ? part : String(r1(part)))).join(" ");
}

/** A name in a rounded box, 18 px high around the line of text at `y`. */
export function chip(x: number, y: number, s: string, c: string, more: More = {}): Item[] {
  return [rect(x, y - 13, chipWidth(s), 18, `chip ${c}`, more), text(x + 6, y, s, c, { k: more.k })];
}

export function width(s: string): number {
  return columnsOf(s) * CHAR;
}

export function chipWidth(s: string): number {
  return width(s) + 12;
}

export function dot(x: number, y: number): string {
  return points("M", x - 6, y, "A", 6, 6, "0 1 0", x + 6, y, "A", 6, 6, "0 1 0", x - 6, y, "Z");
}

export function cross(x: number, y: number): string {
  return points("M", x - 6, y - 5, "L", x + 6, y + 5, "M", x - 6, y + 5, "L", x + 6, y - 5);
}

/** An entry of a legend: how the class or text of a mark begins, its meaning, then maybe whether it occurs, and the letter on it. */
export type Meanings = [sign: string, words: string, occurs?: boolean, letter?: string][];

/** Draws the meanings of the marks that occur, in the width of a small picture, and returns the y below them. */
export function legend(entries: Meanings, top: number, items: Item[], wide = 560): number {
  const drawn = JSON.stringify(items);
  let [x, y] = [10, top];
  for (const [sign, words, occurs = drawn.includes(`":"${sign}`), letter] of entries) {
    if (!occurs) {
      continue;
    }
    if (x + width(words) > wide) {
      [x, y] = [10, y + 20];
    }
    const [kind, ...c] = sign.split(" ");
    if (kind === "dot" || kind === "mark") {
      items.push(path((kind === "dot" ? dot : cross)(x + 8, y + 10), sign));
    } else if (c[0]) {
      items.push(rect(x, y + 3.5, 16, 13, sign));
    } else {
      x -= 21;
    }
    if (letter) {
      items.push(text(x + 8, y + 14, letter, c.at(-1)!, { a: "middle" }));
    }
    items.push(muted(x + 21, y + 14, words));
    x += width(words) + 40;
  }
  return y + 28;
}

export function finished(
  view: string,
  frame: Frame,
  height: number,
  items: Item[],
  columns: string[],
  rows: () => string[][],
): Scene {
  const { name } = frame.document;
  const called = view[0].toUpperCase() + view.slice(1) + (view[0] === "s" ? " map" : "");
  const title = called + (name && !/^cell \d+$/.test(name) ? ` of ${name}` : "");
  return {
    view,
    title,
    width: WIDTH,
    height: r1(height),
    caption: frame.caption(),
    items,
    table: {
      columns,
      // Made when it is needed: most scenes are drawn, and never read as a table.
      get rows() {
        return rows();
      },
    },
  };
}

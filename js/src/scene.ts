/** A scene: what a view draws, before anything is drawn. docs/trace-document.md has the words, jgrad/views/scene.py the twin. */

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
  /** Where it begins, if not at 0. */
  top?: number;
  caption: string;
  items: Item[];
  table: { columns: string[]; readonly rows: string[][] };
  /** What the reader can choose between, if there is anything. */
  choices?: string[];
}

export type View = (frame: Frame, choice?: number) => Scene;

/** What an item may have beside its place. */
export interface More {
  k?: string[];
  label?: string;
  a?: string;
  role?: string;
}

/** The meaning of a note's colour. */
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

/** What is said beside the things themselves. */
export function muted(x: number, y: number, s: string, more?: More): Text {
  return text(x, y, s, "muted", more);
}

export function path(d: string, c: string, more?: More): Path {
  return item({ t: "path", d, c }, more);
}

export function group(items: Item[], more: More): Group {
  return item({ t: "group", items }, more);
}

/** The `d` of a path: letters and coordinates. */
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

/** How the classes or words of items begin, what they mean, whether they occur, if that does not tell, and the letter on them. */
export type Meanings = [sign: string, words: string, occurs?: boolean, letter?: string][];

/** What marks mean, those that occur, as `wide` as a small picture is. Gives where the next begins. */
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
      // Made when asked for: most scenes are drawn and never read as a table.
      get rows() {
        return rows();
      },
    },
  };
}

/** Scenes: what a view draws, as plain data. docs/trace-document.md describes them. */

import type { Frame } from "../made/scene";

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
  /** The key of what a click or Enter opens or closes here. */
  o?: string;
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
  table: { columns: string[]; rows: string[][] };
  /** What the reader can choose between, if there is a choice. */
  choices?: string[];
  /** What it is called if nothing was chosen, if not "all slices". */
  unchosen?: string;
  /** Sentences about the whole trace, which the drawing has too. */
  notes?: string[];
  axis?: Axis;
}

/** Where the rounds of a loop are, between which the reader can choose too: `total` of them on the rectangle. */
export interface Axis {
  x: number;
  y: number;
  w: number;
  h: number;
  total: number;
  /** The round that is shown, counted from 0, and after how many steps it is over. */
  at: number;
  cursor: number;
}

export type View = (frame: Frame, choice?: number) => Scene;

/** By severity of a note, the class of its colour. */
export const SEVERITIES = { info: "muted", warning: "write", error: "error" } as const;

/** The scatter map: which cell of the source goes to which cell of the target, and by which index. Twin: jgrad/views/scatter.py. */

import type { Grid, IndexMap, TraceTensor } from "../document";
import type { Frame } from "../frame";
import { push } from "../log";
import { CHAR, finished, group, type Item, path, points, rect, type Scene, text, WIDTH } from "../scene";
import { clip, columnsOf, grouped, plural, shapeText } from "../text";

const CELLS = 12; // rows and columns drawn of a grid at most
const SLICES = 4; // two-dimensional slices drawn of a larger grid at most
const HEIGHT = 26; // of a cell
const ARROWS = 144; // drawn at most
const RULES = 400; // rows of the table at most
const SAID = 6; // rules that a cell says at most
const COLUMNS = ["index cell", "rule", "result"];

/** Cell `index` of the index (flat) takes `source` (flat, -1: one value for all) to `target` (flat). */
export type Move = [index: number, source: number, target: number];
type Links = Map<number, string[]>;
type Look = (e: number) => [classes: string, remark: string];

export function scatter(f: Frame): Scene {
  for (let at = f.cursor - 1; at >= 0; at--) {
    const map = f.document.steps[at].index;
    if (map) {
      return drawMap(f, at, map);
    }
  }
  return finished(
    "scatter",
    f,
    48,
    [text(10, 24, "no scatter-like operation yet", "muted")],
    COLUMNS,
    () => [],
  );
}

function drawMap(f: Frame, at: number, m: IndexMap): Scene {
  const step = f.document.steps[at];
  const found = moves(m);
  const gathers = gathersFrom(m.op);
  const now = at === f.cursor - 1 ? " now" : "";
  const source = gathers ? m.self : m.src;
  const items: Item[] = [
    text(10, 20, generalRule(m), "title mono", { k: [`p${at + 1}`] }),
    text(10, 38, `${m.op}${m.dim !== null ? ` along dim ${m.dim}` : ""}; ${reduction(m)}`, "muted"),
  ];
  const hits = new Map<number, number[]>(); // target cell -> moves
  const byIndex = new Map<number, number[]>(); // index cell -> moves
  const bySource = new Map<number, number[]>(); // source cell -> moves
  const indexKeys: Links = new Map();
  const sourceKeys: Links = new Map();
  const targetKeys: Links = new Map();
  found.forEach(([i, from, to], move) => {
    const key = `p${at + 1}:${move}`;
    push(hits, to, move);
    push(byIndex, i, move);
    push(bySource, from, move);
    push(indexKeys, i, key);
    push(sourceKeys, from, key);
    push(targetKeys, to, key);
  });
  // Index above source at the left, target before above after at the right; for gather without the target before.
  const half = WIDTH / 2 - 80;
  const index = new Cells(f, m.index, "index", 10, 100, half, indexKeys);
  const sourceTitle = gathers ? "self" : source?.name;
  const src = source && new Cells(f, source, sourceTitle!, 10, index.bottom + 52, half, sourceKeys);
  const right = Math.max(index.right, src?.right ?? 0, 250) + 130;
  const before = gathers ? null : new Cells(f, m.self, "self before", right, 100, WIDTH - 10, targetKeys);
  const top = before ? before.bottom + 52 : 100;
  const out = new Cells(f, m.out, gathers ? "out" : "self after", right, top, WIDTH - 10, targetKeys);
  const words: Item[] = [];
  const rules = (which: number[] = []): string => {
    const said = which.slice(0, SAID).map((i) => rule(m, found[i]));
    return said.join("; ") + (which.length > SAID ? `; … ${grouped(which.length - SAID)} more` : "");
  };
  index.draw(items, words, (e) => [byIndex.has(e) ? "alias" : "muted", rules(byIndex.get(e))]);
  src?.draw(items, words, (e) =>
    bySource.has(e) ? ["plain", rules(bySource.get(e))] : ["unused muted", "not used"],
  );
  before?.draw(items, words, (e) => ["plain", hits.has(e) ? "" : "untouched"]);
  out.draw(items, words, (e) => {
    const writers = hits.get(e) ?? [];
    if (writers.length === 0) {
      return ["muted", "untouched: keeps what it had"];
    }
    if (writers.length > 1) {
      const c = m.reduce === null && !gathers ? "error" : "write";
      return [c + now, `${writers.length} ${gathers ? "reads" : "writes"}: ${rules(writers)}`];
    }
    return [(gathers ? "gradient" : "write") + now, rules(writers)];
  });
  const arrows: Item[] = [];
  found.slice(0, ARROWS).forEach((move, i) => {
    const start = src ? src.center(move[1]) : index.center(move[0]);
    const end = out.center(move[2]);
    if (!start || !end) {
      return;
    }
    // From the lower right of the cell to the upper left of the other, so that the numbers stay free.
    const [x0, y0] = [start[0] + start[2] / 2 - 4, start[1] + HEIGHT / 2 - 5];
    const [x1, y1] = [end[0] - end[2] / 2 + 4, end[1] - HEIGHT / 2 + 5];
    const curve = ["M", x0, y0, "C", x0 + 70, y0, x1 - 80, y1 - 6, x1, y1];
    const tip = ["M", x1 - 6, y1 - 4, "L", x1, y1, "L", x1 - 6, y1 + 3];
    const collides = hits.get(move[2])!.length > 1 && m.reduce === null;
    const c = gathers ? "gradient" : collides ? "error" : "write";
    const k = [`p${at + 1}:${i}`];
    const drawn = [
      path(points(...curve, ...tip), `edge arrow ${c}`, { k }),
      rect(x0 - 2, y0 - 2, 4, 4, `end ${c}`, { k }),
    ];
    arrows.push(group(drawn, { k, label: rule(m, move) }));
  });
  items.push(group(arrows, { label: "where each cell goes" }), ...words);
  let y = Math.max(out.bottom, (src ?? index).bottom) + 26;
  const untouched = sizeOf(m.out.shape) - hits.size;
  const collisions = [...hits.keys()].filter((t) => hits.get(t)!.length > 1);
  if (found.length) {
    const last = collisions.at(-1);
    const example = last !== undefined && !gathers ? found[hits.get(last)!.at(-1)!] : found.at(-1)!;
    items.push(text(10, y, clip(rule(m, example), 128), "mono"));
    y += 18;
  }
  const facts = [plural(found.length, "cell") + (gathers ? " read" : " written")];
  if (!gathers) {
    if (collisions.length) {
      const kept = m.reduce === null ? "PyTorch doesn't say which value stays" : `combined by ${m.reduce}`;
      facts.push(`${plural(collisions.length, "collision")}: ${kept}`);
    }
    facts.push(`${plural(untouched, "cell")} untouched`);
    if (source && bySource.size < sizeOf(source.shape)) {
      facts.push(`${plural(sizeOf(source.shape) - bySource.size, "cell")} of ${source.name} not used`);
    }
  }
  items.push(text(10, y, clip(facts.join(", "), 130), "muted"));
  const rows = (): string[][] => [
    ...found
      .slice(0, RULES)
      .map((move) => [atText(move[0], m.index.shape), rule(m, move), after(m, move, hits)]),
    ["", facts.join(", "), ""],
  ];
  const scene = finished("scatter", f, y + 16, items, COLUMNS, rows);
  if (at !== f.cursor - 1) {
    scene.caption += ` · shown: ${step.text}`;
  }
  return scene;
}

/** A tensor as a grid of cells; more than two dimensions as slices side by side. */
class Cells {
  readonly right: number;
  readonly bottom: number;
  readonly #grid: Grid;
  readonly #title: string;
  readonly #x: number;
  readonly #y: number;
  readonly #links: Links;
  readonly #rows: number;
  readonly #columns: number;
  readonly #slices: number;
  readonly #cell: number;
  readonly #across: number;
  readonly #down: number;
  readonly #drawn: number;
  readonly #gap: number;
  readonly #tensor: TraceTensor | null;

  constructor(f: Frame, grid: Grid, title: string, x: number, y: number, right: number, links: Links) {
    const { shape } = grid;
    this.#grid = grid;
    this.#title = title;
    this.#x = x;
    this.#y = y;
    this.#links = links;
    this.#rows = shape.at(-2) ?? 1;
    this.#columns = shape.at(-1) ?? 1;
    this.#slices = sizeOf(shape.slice(0, -2));
    const longest = Math.max(2, ...grid.text.map(columnsOf));
    this.#cell = Math.min(Math.max(longest * CHAR + 10, 34), 76);
    this.#across = Math.min(this.#columns, CELLS, Math.trunc((right - x - 24) / this.#cell));
    this.#down = Math.min(this.#rows, CELLS);
    this.#gap = this.#across * this.#cell + 20;
    let drawn = Math.min(this.#slices, SLICES);
    while (drawn > 1 && drawn * (this.#across * this.#cell + 20) > right - x - 24) {
      drawn -= 1;
    }
    this.#drawn = drawn;
    this.right = x + 20 + drawn * this.#gap - 20;
    this.bottom = y + this.#down * HEIGHT + (Number(this.#down < this.#rows) + Number(this.#slices > 1)) * 18;
    this.#tensor = grid.tensor !== null ? f.state(grid.tensor) : null;
  }

  /** All cells, their numbers apart in `words`; `look` gives the class and a remark for each. */
  draw(items: Item[], words: Item[], look: Look): void {
    const { name, shape, text: values } = this.#grid;
    const [x0, y0, cell] = [this.#x + 20, this.#y, this.#cell];
    const k = this.#tensor ? [`t${this.#tensor.id}`] : [];
    const head = name === this.#title.split(" ")[0] ? this.#title : `${this.#title} = ${name}`;
    items.push(text(x0, y0 - 18, `${clip(head, 30)} ${shapeText(shape)}`, "title", { k }));
    const cells: Item[] = [];
    for (let s = 0; s < this.#drawn; s++) {
      const x = x0 + s * this.#gap;
      for (let j = 0; j < this.#across; j++) {
        cells.push(text(x + (j + 0.5) * cell, y0 - 4, String(j), "muted", { a: "middle" }));
      }
      if (this.#slices > 1) {
        const slice = atText(s, shape.slice(0, -2));
        cells.push(
          text(x + (this.#across * cell) / 2, y0 + this.#down * HEIGHT + 14, slice, "muted", { a: "middle" }),
        );
      }
      for (let i = 0; i < this.#down; i++) {
        if (s === 0 && shape.length > 1) {
          cells.push(text(this.#x + 14, y0 + i * HEIGHT + 17, String(i), "muted", { a: "end" }));
        }
        for (let j = 0; j < this.#across; j++) {
          const e = (s * this.#rows + i) * this.#columns + j;
          const [c, remark] = look(e);
          const value = values[e];
          const label = `${name}${atText(e, shape)} is ${value}${remark ? `, ${remark}` : ""}`;
          const keys = [...this.#element(e), ...(this.#links.get(e) ?? [])];
          const [left, top] = [x + j * cell, y0 + i * HEIGHT];
          cells.push(rect(left, top, cell, HEIGHT, `box ${c}`, { k: keys, label }));
          const fits = clip(value, Math.trunc((cell - 4) / CHAR));
          words.push(text(left + cell / 2, top + 17, fits, `mono ${c}`, { k: keys, a: "middle" }));
        }
      }
    }
    const hidden = this.#slices * this.#rows * this.#columns - this.#drawn * this.#down * this.#across;
    if (this.#down < this.#rows) {
      cells.push(text(x0, this.bottom - 2, `… ${plural(hidden, "more cell")}`, "muted"));
    } else if (hidden) {
      const x = x0 + this.#drawn * this.#gap - 16;
      cells.push(text(x, y0 + 16, "…", "muted", { label: plural(hidden, "more cell") }));
    }
    items.push(group(cells, { k, label: `${head} ${shapeText(shape)}` }));
  }

  /** The link to the element of the storage that a cell shows. */
  #element(e: number): string[] {
    const t = this.#tensor;
    if (!t || t.shape.join() !== this.#grid.shape.join()) {
      return [];
    }
    const at = unravel(e, t.shape).reduce((sum, i, d) => sum + i * t.stride[d], t.offset);
    return [`s${t.storage}:${at}`];
  }

  /** The middle of a cell and its width, null if it is not drawn. */
  center(cell: number): [number, number, number] | null {
    const e = Math.max(cell, 0);
    const s = Math.floor(e / (this.#rows * this.#columns));
    const i = Math.floor(e / this.#columns) % this.#rows;
    const j = e % this.#columns;
    if (s >= this.#drawn || i >= this.#down || j >= this.#across) {
      return null;
    }
    return [this.#x + 20 + s * this.#gap + (j + 0.5) * this.#cell, this.#y + (i + 0.5) * HEIGHT, this.#cell];
  }
}

const GATHERS = ["gather", "take_along_dim", "index_select", "take", "masked_select"];

function bare(op: string): string {
  return op.replace(/_+$/, "");
}

function gathersFrom(op: string): boolean {
  return GATHERS.includes(bare(op));
}

/** `put` and `take` count the cells of self in reading order. */
function flattens(name: string, dim: number | null): boolean {
  return name === "take" || name === "put" || (dim === null && name === "take_along_dim");
}

function wrapped(index: number, size: number): number {
  return index < 0 ? index + size : index;
}

function replaced(position: number[], d: number, value: number): number[] {
  return position.map((i, at) => (at === d ? value : i));
}

/** Every cell of an index map that moves something, in reading order. */
export function moves(m: IndexMap): Move[] {
  const name = bare(m.op);
  const data = m.index.data ?? [];
  const { shape } = m.index;
  const target = m.self.shape;
  const scalar = m.src === null || (m.src.text.length === 1 && data.length !== 1);
  if (flattens(name, m.dim)) {
    const size = sizeOf(target);
    return data.map((n, i) => {
      const flat = wrapped(n, size);
      return name === "put" ? [i, scalar ? -1 : i, flat] : [i, flat, i];
    });
  }
  if (["masked_select", "masked_fill", "masked_scatter"].includes(name)) {
    const set = shape.join() === target.join() ? data.flatMap((n, i) => (n ? [i] : [])) : [];
    return set.map((i, taken) =>
      name === "masked_select" ? [i, i, taken] : [i, name === "masked_scatter" ? taken : -1, i],
    );
  }
  if (m.dim === null) {
    return [];
  }
  if (name.startsWith("index_")) {
    const dim = wrapped(m.dim, Math.max(target.length, 1));
    const selects = name === "index_select";
    const across = selects ? m.out.shape : scalar ? target : m.src!.shape;
    const moved = replaced(across, dim, data.length);
    const count = sizeOf(across.slice(0, dim)) * data.length * sizeOf(across.slice(dim + 1));
    return Array.from({ length: count }, (_, e) => {
      const position = unravel(e, moved);
      const i = position[dim] ?? 0;
      const other = ravel(replaced(position, dim, wrapped(data[i], target[dim])), target);
      return selects ? [i, other, e] : [i, scalar ? -1 : e, other];
    });
  }
  const dim = wrapped(m.dim, Math.max(shape.length, 1));
  const gathers = gathersFrom(name);
  return data.map((n, i) => {
    const position = unravel(i, shape);
    const other = ravel(replaced(position, dim, wrapped(n, target[dim])), target);
    return gathers ? [i, other, i] : [i, scalar ? -1 : ravel(position, m.src!.shape), other];
  });
}

const LETTERS = ["i", "j", "k", "l", "m", "n"];

/** The rule with letters: "self[index[i][j]][j] = src[i][j]". */
function generalRule(m: IndexMap): string {
  const name = bare(m.op);
  const n = m.self.shape.length;
  const letters = n <= LETTERS.length ? LETTERS.slice(0, n) : m.self.shape.map((_, d) => `i${d}`);
  const here = letters.map((x) => `[${x}]`).join("");
  const source = m.src?.name ?? "value";
  if (name === "put") {
    return `self.flatten()[index[i]] ${sign(m)} ${source}[i]`;
  }
  if (flattens(name, m.dim)) {
    return "out[i] = self.flatten()[index[i]]";
  }
  if (name === "masked_select") {
    return `out = the cells of self where mask${here} is True, in reading order`;
  }
  if (name === "masked_fill" || name === "masked_scatter") {
    return `self${here} = ${name === "masked_fill" ? "value" : `the next cell of ${source}`} where mask${here} is True`;
  }
  if (n === 0) {
    return `self ${sign(m)} ${source}`;
  }
  const dim = wrapped(m.dim!, n);
  const named = name.startsWith("index_") ? `[index[${letters[dim]}]]` : `[index${here}]`;
  const there = letters.map((x, d) => (d === dim ? named : `[${x}]`)).join("");
  if (gathersFrom(name)) {
    return `out${here} = self${there}`;
  }
  return `self${there} ${sign(m)} ${source}${m.src?.shape.length ? here : ""}`;
}

const SIGNS: Record<string, string> = {
  sum: "+=",
  add: "+=",
  prod: "*=",
  multiply: "*=",
  amax: "max=",
  amin: "min=",
  mean: "mean=",
};

function sign(m: IndexMap): string {
  return SIGNS[m.reduce ?? ""] ?? "=";
}

/** The rule with one cell's numbers: "self[index[0][3]][3] = src[0][3] = 4, at self[0][3]". */
function rule(m: IndexMap, [i, source, target]: Move): string {
  const name = bare(m.op);
  const index = (name.startsWith("masked_") ? "mask" : "index") + atText(i, m.index.shape);
  const { shape } = m.self;
  if (gathersFrom(name)) {
    const left = `out${atText(target, m.out.shape)} = self${withIndex(m, source, index)}`;
    return `${left} = self${atText(source, shape)} = ${m.self.text[source]}`;
  }
  const what = m.src?.name ?? "value";
  let value = what;
  if (source >= 0) {
    value = `${what}${atText(source, m.src!.shape)} = ${m.src!.text[source]}`;
  } else if (m.src) {
    value = `${what} = ${m.src.text[0]}`;
  }
  return `self${withIndex(m, target, index)} ${sign(m)} ${value}, at self${atText(target, shape)}`;
}

/** The place of a cell of self, with the index where its number came from: "[index[0][3]][3]". */
function withIndex(m: IndexMap, e: number, index: string): string {
  const name = bare(m.op);
  const { shape } = m.self;
  if (flattens(name, m.dim)) {
    return `.flatten()[${index}]`;
  }
  if (name.startsWith("masked_") || m.dim === null || shape.length === 0) {
    return atText(e, shape);
  }
  const dim = wrapped(m.dim, shape.length);
  return unravel(e, shape)
    .map((i, d) => (d === dim ? `[${index}]` : `[${i}]`))
    .join("");
}

/** What the target cell holds afterwards, and whether others wrote there too. */
function after(m: IndexMap, [, , target]: Move, hits: Map<number, number[]>): string {
  const others = hits.get(target)!.length - 1;
  const value = m.out.text[target];
  return others > 0 && !gathersFrom(m.op)
    ? `${value} (${plural(others, "other write")} to this cell)`
    : value;
}

/** What becomes of cells that meet. */
function reduction(m: IndexMap): string {
  if (gathersFrom(m.op)) {
    return "each cell of out reads the cell of self that its index names";
  }
  if (m.reduce === null) {
    return "no reduction: what comes replaces what was there";
  }
  const start = m.include_self ? "starting from what was there" : "without what was there";
  return `reduction ${m.reduce}: values that meet in a cell are combined, ${start}`;
}

/** A flat position as an index: "[0][3]". */
function atText(e: number, shape: number[]): string {
  return unravel(e, shape)
    .map((i) => `[${i}]`)
    .join("");
}

function unravel(e: number, shape: number[]): number[] {
  const position = shape.map(() => 0);
  let rest = e;
  for (let d = shape.length - 1; d >= 0; d--) {
    const n = Math.max(shape[d], 1);
    position[d] = rest % n;
    rest = Math.floor(rest / n);
  }
  return position;
}

function ravel(position: number[], shape: number[]): number {
  return shape.reduce((flat, n, d) => flat * n + position[d], 0);
}

function sizeOf(shape: number[]): number {
  return shape.reduce((n, extent) => n * extent, 1);
}

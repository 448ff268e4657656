/**
 * The scatter map: which cell an index operator reads, and to which cell it writes it. Below it is the same for its backward.
 * Counterpart: jgrad/views/scatter.py.
 */

import type { Grid, IndexMap } from "../document";
import type { Frame } from "../frame";
import { push } from "../log";
import { floor, max, min, trunc } from "../math";
import {
  CHAR,
  finished,
  group,
  type Item,
  legend,
  type Meanings,
  muted,
  path,
  points,
  rect,
  type Scene,
  text,
  WIDTH,
} from "../scene";
import { clip, columnsOf, grouped, plural, shapeText } from "../text";

const CELLS = 12; // at most so many rows and columns of a grid are drawn
const HALVED = 8; // at most so many rows of a grid if there is a second map below
const SLICES = 4; // at most so many two-dimensional slices of a larger grid are drawn
const HEIGHT = 26; // height of a cell
const ARROWS = 144; // at most so many are drawn
const RULES = 400; // the table has at most so many rows
const LEGEND: Meanings = [
  ["box alias", "index"],
  ["box gradient", "read from the source"],
  ["box write", "written to"],
  ["box error", "several values meet here"],
  ["box unused", "not used"],
  ["box muted", "untouched"],
];
const SAID = 6; // a tooltip has at most so many rules

type Moves = Map<number, number[]>;
type Look = (n: number, e: number) => [classes: string, remark: string];
const LOST: [string, string] = ["unused muted", "overwritten: no gradient passes"];

export function scatter(f: Frame, choice?: number): Scene {
  const { steps } = f.document;
  const at = f.last((step) => step.index_map);
  const items: Item[] = [];
  const rows: string[][] = [];
  const make = (height: number) =>
    finished("scatter", f, height, items, ["index cell", "rule", "result"], () => rows);
  if (at < 0) {
    items.push(muted(10, 24, "no scatter or gather operation yet"));
    return make(48);
  }
  const latest = steps[at].index_map!;
  const shown =
    latest.forward_step !== undefined && steps[latest.forward_step].index_map
      ? [latest.forward_step, at]
      : [at];
  const slices = slicesOf(steps[shown[0]].index_map!);
  const picked = choice === undefined ? undefined : slices[choice];
  let y = 0;
  shown.forEach((n, i) => {
    if (i > 0) {
      items.push(path(points("M", 10, y + 2, "H", WIDTH - 10), "edge rule muted"));
      y += 14;
      rows.push(["", `backward: ${steps[n].index_map!.rule}`, ""]);
    }
    y = drawMap(f, n, y, shown.length === 1 ? CELLS : HALVED, picked, n === at, items, rows);
  });
  const scene = make(legend(LEGEND, y - 4, items));
  if (at !== f.cursor - 1) {
    scene.caption += ` · shown: ${steps[at].text}`;
  }
  if (slices.length > 1) {
    scene.choices = slices.map(brackets);
  }
  return scene;
}

/** The leading coordinates between which the reader can choose: those of the grid whose elements move. */
function slicesOf(m: IndexMap): number[][] {
  const grids = [m.gathers ? m.target : m.source, ...m.indices, m.target];
  const grid = grids.find((one) => one && one.shape.length > 2);
  return grid ? product(keptOf(grid).slice(0, -2)) : [];
}

/** Draw one map below `y`, and return the y at its end. */
function drawMap(
  f: Frame,
  at: number,
  top: number,
  most: number,
  picked: number[] | undefined,
  last: boolean,
  items: Item[],
  rows: string[][],
): number {
  const m = f.document.steps[at].index_map!;
  const { moves, gathers, drops_overwritten: drops, source_counts: used, target_counts: written } = m;
  const now = at === f.cursor - 1 ? " now" : "";
  items.push(
    text(10, top + 20, clip(m.rule, 128), "title mono", { k: [`p${at + 1}`] }),
    muted(10, top + 38, clip(m.description, 130)),
  );
  // The moves of each cell of the index, the source and the target.
  const of: Moves[] = [new Map(), new Map(), new Map()];
  moves.forEach((move, i) => {
    move.forEach((e, side) => {
      push(of[side], e, i);
    });
  });
  // A grid that is indexed along a leading dimension shows all its slices, whichever slice of the others was chosen.
  const indexed = gathers ? m.source! : m.target;
  const across = (m.indexed_dims ?? []).some((d) => d < indexed.shape.length - 2);
  const place = (grid: Grid, x: number, y: number, right: number, whole: boolean, own: Moves) =>
    cellsOf(f, at, grid, x, y, right, most, whole ? undefined : picked, own);
  // At the left the index above the source, at the right the target before and, below it, after.
  let bottom = top + 48;
  const left = (grid: Grid, own: Moves) => {
    const cells = place(grid, 10, bottom + 52, WIDTH / 2 - 80, across && grid === indexed, own);
    bottom = cells.bottom;
    return cells;
  };
  const indexes = m.indices.map((grid) => left(grid, of[0]));
  const source = m.source && left(m.source, of[1]);
  const right = max(source?.right ?? 0, 250, ...indexes.map((grid) => grid.right)) + 110;
  const before =
    m.before && place(m.before, right, top + 100, WIDTH - 10, across, gathers ? new Map() : of[2]);
  const below = before ? before.bottom + 52 : top + 100;
  const out = place(m.target, right, below, WIDTH - 10, across && !gathers, of[2]);
  const ruled = (i: number) => rule(m, moves[i], source?.values);
  const rules = (which: number[] = []) =>
    which.slice(0, SAID).map(ruled).join("; ") +
    (which.length > SAID ? `; … ${plural(which.length - SAID, "move")} more` : "");
  const words: Item[] = [];
  for (const grid of indexes) {
    grid.draw(items, words, (_, e) => [of[0].has(e) ? "alias" : "muted", rules(of[0].get(e))]);
  }
  source?.draw(items, words, (n, e) => {
    if (drops && !moves.length && used[n]) {
      return LOST;
    }
    return drops || used[n] ? ["plain", rules(of[1].get(e))] : ["unused muted", "not used"];
  });
  before?.draw(items, words, (n) =>
    gathers && drops && used[n] ? LOST : ["plain", gathers || written[n] ? "" : "untouched"],
  );
  out.draw(items, words, (n, e) => {
    const count = written[n];
    if (count <= 0) {
      return ["muted", gathers || count ? "" : "untouched: keeps its value"]; // -1: not counted
    }
    const c = m.undefined_order && count > 1 ? "error" : gathers ? "gradient" : "write";
    const many = count > 1 ? `${grouped(count)} ${gathers ? "reads" : "writes"}` : "";
    return [c + now, [many, rules(of[2].get(e))].filter(Boolean).join(": ")];
  });
  const arrows = moves.slice(0, ARROWS).flatMap((move, i) => {
    const from = source ?? indexes[0];
    const start = from.places.get(move[source ? 1 : 0]);
    const end = out.places.get(move[2]);
    if (!start || !end) {
      return [];
    }
    // From the lower right of the cell to the upper left of the other, so that the numbers stay free.
    const [x0, y0] = [start[0] + from.width - 4, start[1] + HEIGHT - 5];
    const [x1, y1] = [end[0] + 4, end[1] + 5];
    const curve = ["M", x0, y0, "C", x0 + 70, y0, x1 - 80, y1 - 6, x1, y1];
    const tip = ["M", x1 - 6, y1 - 4, "L", x1, y1, "L", x1 - 6, y1 + 3];
    const meets = m.undefined_order && of[2].get(move[2])!.length > 1;
    const c = gathers ? "gradient" : meets ? "error" : "write";
    const k = [`p${at + 1}:${i}`];
    const drawn = [
      path(points(...curve, ...tip), `edge arrow ${c}`, { k }),
      rect(x0 - 2, y0 - 2, 4, 4, `end ${c}`, { k }),
    ];
    return [group(drawn, { k, label: ruled(i) })];
  });
  items.push(group(arrows, { label: "where each cell goes" }), ...words);
  let y = max(out.bottom, bottom) + 26;
  const lines: string[] = [];
  if (moves.length) {
    const meeting = gathers ? undefined : [...of[2].values()].findLast((own) => own.length > 1);
    items.push(text(10, y, clip(ruled(meeting?.at(-1) ?? moves.length - 1), 128), "mono"));
    y += 18;
    const part =
      moves.length < m.total_moves
        ? `; ${plural(moves.length, "move")} of ${grouped(m.total_moves)} drawn`
        : "";
    lines.push(m.summary + part);
    moves.slice(0, RULES).forEach((move, i) => {
      rows.push([atText(move[0], m.indices[0].shape), ruled(i), m.results[i]]);
    });
  }
  if (last && m.backward_rule) {
    lines.push(`backward: ${m.backward_rule}`);
  }
  for (const line of lines) {
    items.push(muted(10, y, clip(line, 130)));
    rows.push(["", line, ""]);
    y += 18;
  }
  return y;
}

/** A tensor as a grid of cells at x, y, as far as `limit` and `most` rows; of more than two dimensions slices side by side.
 * `moves` are those of each cell. */
function cellsOf(
  f: Frame,
  at: number,
  grid: Grid,
  x: number,
  y: number,
  limit: number,
  most: number,
  picked: number[] | undefined,
  moves: Moves,
) {
  const { name, shape, tensor, elements: texts, title = name } = grid;
  const coordinates = keptOf(grid);
  const leads = product(coordinates.slice(0, -2));
  const rows = coordinates.at(-2) ?? [0];
  const columns = coordinates.at(-1) ?? [0];
  const cell = min(max(max(2, ...texts.map(columnsOf)) * CHAR + 10, 34), 84);
  const room = limit - x - 24;
  const across = min(columns.length, CELLS, trunc(room / cell));
  const down = min(rows.length, most);
  const gap = across * cell + 20;
  const left = x + 20;
  const wanted = leads.filter((lead) => !picked || brackets(lead) === brackets(picked));
  const fit = min(max(trunc((room + 20) / gap), 1), SLICES);
  const drawn = (wanted.length ? wanted : leads).slice(0, fit);
  /** The texts of the cells that the document keeps. */
  const values = new Map<number, string>();
  /** By cell that is drawn: x, y, position in the document. */
  const places = new Map<number, [number, number, number]>();
  let n = 0;
  for (const lead of leads) {
    const slice = drawn.indexOf(lead);
    rows.forEach((row, i) => {
      columns.forEach((column, j) => {
        const place = [...lead, ...[row, column].slice(-shape.length)];
        const e = place.reduce((sum, p, d) => sum * (shape[d] ?? 1) + p, 0);
        values.set(e, texts[n]);
        if (slice >= 0 && i < down && j < across) {
          places.set(e, [left + slice * gap + j * cell, y + i * HEIGHT, n]);
        }
        n += 1;
      });
    });
  }
  const under = y + down * HEIGHT;
  const hidden = shape.reduce((size, extent) => size * extent, 1) - places.size;
  const bottom = under + (shape.length > 2 ? 18 : 0) + (hidden ? 18 : 0);

  /** Draw all cells, with their texts in `words`. `look` gives the class of each cell, and a remark. */
  function draw(items: Item[], words: Item[], look: Look): void {
    const t = tensor === null ? null : f.state(tensor);
    const k = t ? [`t${t.id}`] : [];
    const variable = t ? f.named(t.id) : "";
    const head = title + (variable && variable !== name ? ` = ${variable}` : "");
    items.push(text(left, y - 18, `${clip(head, 30)} ${shapeText(shape)}`, "title", { k }));
    const cells: Item[] = [];
    const middle = { a: "middle" };
    drawn.forEach((lead, slice) => {
      const begin = left + slice * gap;
      for (let j = 0; j < across; j++) {
        const at = begin + j * cell;
        cells.push(muted(at + cell / 2, y - 4, String(columns[j]), middle));
        if (j > 0 && columns[j] > columns[j - 1] + 1) {
          cells.push(path(points("M", at, y - 12, "V", under), "edge cut muted"));
        }
      }
      if (shape.length > 2) {
        cells.push(muted(begin + gap / 2 - 10, under + 14, brackets(lead), middle));
      }
    });
    for (let i = 0; shape.length > 1 && i < down; i++) {
      cells.push(muted(left - 6, y + i * HEIGHT + 17, String(rows[i]), { a: "end" }));
    }
    for (const [e, [cx, cy, n]] of places) {
      const [c, remark] = look(n, e);
      const value = values.get(e)!;
      const label = `${name}${atText(e, shape)} is ${value}${remark && `, ${remark}`}`;
      const keys = (moves.get(e) ?? []).map((i) => `p${at + 1}:${i}`);
      if (t?.shape.join() === shape.join()) {
        // The storage element that the cell shows.
        keys.unshift(
          `s${t.storage}:${unravel(e, shape).reduce((sum, i, d) => sum + i * t.stride[d], t.storage_offset)}`,
        );
      }
      cells.push(rect(cx, cy, cell, HEIGHT, `box ${c}`, { k: keys, label }));
      const fits = clip(value, trunc((cell - 4) / CHAR));
      words.push(text(cx + cell / 2, cy + 17, fits, `mono ${c}`, { k: keys, ...middle }));
    }
    if (hidden) {
      cells.push(muted(left, bottom - 2, `… ${plural(hidden, "more cell")}`));
    }
    items.push(group(cells, { k, label: `${head} ${shapeText(shape)}` }));
  }

  return { right: left + drawn.length * gap - 20, bottom, width: cell, values, places, draw };
}

/** The coordinates of a grid's cells along each dimension. */
function keptOf({ kept, shape }: Grid): number[][] {
  return kept ?? shape.map((n) => [...Array(n).keys()]);
}

/** The rule with the numbers of one move: "self[index[0][3]][3] = src[0][3] = 4, at self[0][3]". `values` are those of the source. */
function rule(m: IndexMap, [cell, from, to]: number[], values?: Map<number, string>): string {
  const { target: out, source, gathers, factor } = m;
  const known = values?.get(from);
  const value = known === undefined ? "" : ` = ${known}`;
  const [grid, e] = gathers ? [source!, from] : [out, to];
  const place = atText(e, grid.shape);
  const there = withIndex(m, cell, e, grid.shape);
  const again = there === place ? "" : grid.name + place;
  if (gathers) {
    return `${out.name}${atText(to, out.shape)} ${m.assignment} ${factor}${grid.name}${there}${again && ` = ${again}`}${value}`;
  }
  const what = source ? `${source.name}${atText(from, source.shape)}${value}` : `value = ${m.value}`;
  return `${out.name}${there} ${m.assignment} ${factor}${what}${again && `, at ${again}`}`;
}

/** The position of a cell, with the index cells that gave its numbers: "[index[0][3]][3]". */
function withIndex(m: IndexMap, cell: number, e: number, shape: number[]): string {
  const names = m.indices.map((grid) => grid.name + atText(cell, grid.shape));
  if (m.indexed_dims === null) {
    return `.flatten()[${names[0]}]`;
  }
  const place: (string | number)[] = unravel(e, shape);
  m.indexed_dims.forEach((d, n) => {
    place[d] = names[n];
  });
  return brackets(place);
}

/** A flat position as an index: "[0][3]". */
function atText(e: number, shape: number[]): string {
  return brackets(unravel(e, shape));
}

function brackets(place: (string | number)[]): string {
  return place.map((i) => `[${i}]`).join("");
}

/** All positions with these coordinates, in row-major order. */
function product(coordinates: number[][]): number[][] {
  return coordinates.reduce<number[][]>(
    (found, choices) => found.flatMap((place) => choices.map((i) => [...place, i])),
    [[]],
  );
}

function unravel(e: number, shape: number[]): number[] {
  let rest = e;
  return shape
    .toReversed()
    .map((extent) => {
      const i = rest % max(extent, 1);
      rest = floor(rest / max(extent, 1));
      return i;
    })
    .reverse();
}

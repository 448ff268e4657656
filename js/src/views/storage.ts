/** The storage map: each storage is a strip of its elements, and each tensor is a lens on it. Counterpart: jgrad/views/storage.py. */

import type { Contents, TraceNode, TraceStorage, TraceTensor } from "../document";
import { type Frame, foremost, tensorClass } from "../frame";
import { push } from "../log";
import { floor, max, min, trunc } from "../math";
import {
  CHAR,
  chip,
  chipWidth,
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
import { clip, clipName, columnsOf, grouped, plural, shapeText, short, tupleText } from "../text";
import { aliveNodes } from "./rows";

const STORAGES = 10; // at most so many are drawn
const LENSES = 10; // at most so many lenses of a storage are drawn
const NAME = 50; // where the name of a lens begins, unless its version is long
const [SHAPE, STRIDE, OFFSET] = [192, 282, 372]; // where the columns of a lens begin
const LEFT = 424; // where the strips begin
const LENS = 44; // height of a lens
const LOW = 28; // height of a lens without a text about its memory
const OWN = "own memory";
const LEGEND: Meanings = [
  ["chip leaf", "leaf, collects .grad"],
  ["chip intermediate", "non-leaf, has a grad_fn"],
  ["chip plain", "no gradient"],
  ["chip gradient", "a .grad"],
  ["chip saved", "saved for backward"],
  ["chip error", "changed since saved"],
  ["box write now", "written by this step"],
  ["v", "v0: version, counts writes"],
];

export function storage(f: Frame): Scene {
  const items: Item[] = [];
  const rows: string[][] = [];
  const lenses = new Map<number, TraceTensor[]>();
  for (const t of f.tensors()) {
    push(lenses, t.storage, t);
  }
  const { saved, keepers } = savedBy(f);
  const storages = f.storages().filter(({ id }) => lenses.has(id) || keepers.has(id));
  const touched = f.touched();
  const rank = (t: TraceTensor): number => (touched.has(t.id) ? 0 : f.named(t.id) ? 1 : 2);
  const shown = foremost(storages, STORAGES, (s) => min(2, ...(lenses.get(s.id) ?? []).map(rank)));
  let y = 8;
  for (const s of shown) {
    y = drawStorage(f, s, lenses.get(s.id) ?? [], rank, saved, keepers.get(s.id), y, items, rows);
  }
  const rest = storages.length - shown.length;
  if (rest || !storages.length) {
    items.push(muted(10, y + 14, rest ? `… ${plural(rest, "more storage")}` : "no tensor yet"));
    y += 24;
  }
  y = legend(LEGEND, y, items);
  const columns = ["storage", "tensor", "shape", "stride", "offset", "version", "relation", "elements"];
  return finished("storage", f, y, items, columns, () => rows);
}

/** Draws one storage with its lenses, and returns the y below them. */
function drawStorage(
  f: Frame,
  s: TraceStorage,
  lenses: TraceTensor[],
  rank: (t: TraceTensor) => number,
  saved: Map<number, number>,
  keeper: TraceNode | undefined,
  top: number,
  items: Item[],
  rows: string[][],
): number {
  const key = `s${s.id}`;
  const name = `storage ${s.id + 1}`;
  const cells = f.contents(s.id);
  const writes = (f.step?.writes ?? []).filter((w) => w.storage === s.id);
  const groups = byCounter(lenses);
  const drawn = foremost(groups.flat(), LENSES, (t) => rank(t) - (t.base === null ? 0.5 : 0));
  const [places, cell] = placesOf(cells, drawn);
  /** Whether the step wrote to an element. If the elements were not compared, it counts as a write to all elements of the tensor. */
  const written = (e: number): boolean =>
    writes.some(({ changed_elements: changed, tensor }) => {
      const t = f.state(tensor);
      return changed ? changed.includes(e) : indexesOf(t, e, scaleOf(f, t)).length;
    });
  let what = `${plural(s.numel, "element")}, ${s.dtype}, ${plural(s.nbytes, "byte")}`;
  let y = top;
  const at = 10 + (name.length + 1) * CHAR;
  items.push(text(10, y + 29, name, `title${writes.length ? " now" : ""}`, { k: [key] }));
  items.push(
    muted(at, y + 29, clip(what, trunc((LEFT - 4 - at) / CHAR)), {
      k: [key],
      label: `${name}: ${what}, on ${s.device}`,
    }),
  );
  if (y === 8) {
    for (const [at, head] of [
      [SHAPE, "shape"],
      [STRIDE, "stride"],
      [OFFSET, "offset"],
    ] as const) {
      items.push(muted(at, y + 10, head));
    }
  }
  let x = LEFT;
  for (const e of places) {
    if (e === null) {
      const hidden = cells.numel - places.length + 1;
      const now = writes.some(
        (w) => w.changed_elements === null || w.changed_elements.some((p) => !places.includes(p)),
      );
      const label = plural(hidden, "more element");
      items.push(text(x + 27, y + 29, "…", now ? "write now" : "muted", { a: "middle", label }));
      x += 54;
      continue;
    }
    const value = valueAt(cells, e);
    const k = [key, `${key}:${e}`];
    const hit = written(e);
    items.push(muted(x + cell / 2, y + 10, String(e), { k, a: "middle" }));
    items.push(
      rect(x, y + 14, cell, 22, hit ? "box write now" : "box", {
        k,
        label: `${name}, element ${e}: ${value}`,
      }),
    );
    const fits = clip(value, trunc((cell - 4) / CHAR));
    items.push(text(x + cell / 2, y + 29, fits, hit ? "mono now" : "mono", { k, a: "middle" }));
    x += cell;
  }
  const strip = places.map((e) => (e === null ? "…" : valueAt(cells, e) + (written(e) ? "*" : "")));
  const column = max(0, ...strip.map(columnsOf), ...drawn.map((t) => lastIndex(t).length));
  if (!lenses.length) {
    const kept = `kept for backward by ${short(keeper!.name)}`;
    items.push(text(56, y + 50, kept, "saved", { k: [key, `n${keeper!.id}`] }));
    y += 20;
    what += `, ${kept}`;
  }
  rows.push([name, "", "", "", "", "", what, padded(strip, column)]);
  y += 44;
  for (const g of groups) {
    const inside = g.filter((t) => drawn.includes(t));
    if (inside.length === 0) {
      continue;
    }
    const counter = g[0].version_counter;
    const version = `v${f.version(counter)}`;
    const now = writes.some((w) => w.version_counter === counter && w.versions[0] !== w.versions[1]);
    const label = `version counter of ${g.map((t) => f.label(t.id)).join(", ")}: ${version.slice(1)}`;
    const k = g.map((t) => `t${t.id}`);
    items.push(...chip(10, y + 17, version, now ? "write now" : "box", { k, label }));
    const first = y;
    const left = max(NAME, 16 + chipWidth(version));
    inside.forEach((t, i) => {
      if (i > 0) {
        // One bracket for all tensors that share the version counter.
        const d = points("M", 22, i === 1 ? first + 22 : y - LENS + 13, "V", y + 13, "H", left - 4);
        items.push(path(d, "edge muted", { k, label }));
      }
      items.push(drawLens(f, t, left, y, places, cell, written, version, saved.get(t.id), column, rows));
      const low = i === inside.length - 1 && !saved.has(t.id) && relationOf(f, t) === OWN;
      y += low ? LOW : LENS;
    });
  }
  if (drawn.length < lenses.length) {
    items.push(muted(50, y + 12, `… ${plural(lenses.length - drawn.length, "more tensor")} on ${name}`));
    y += 20;
  }
  return y + 12;
}

/** Tensors grouped by their version counters, in the order in which they were made. */
function byCounter(lenses: TraceTensor[]): TraceTensor[][] {
  const groups = new Map<number, TraceTensor[]>();
  for (const t of lenses) {
    push(groups, t.version_counter, t);
  }
  return [...groups.values()];
}

/** The text of element e of a storage, of which only the head and the tail are known. */
function valueAt(cells: Contents, e: number): string {
  return cells.elements[e < cells.head ? e : e - cells.numel + cells.head + cells.tail];
}

/** The elements that are drawn (null for a gap), and the width of each. */
function placesOf(cells: Contents, lenses: TraceTensor[]): [(number | null)[], number] {
  const n = cells.numel;
  const longest = max(
    String(n - 1).length,
    ...cells.elements.map((t) => min(columnsOf(t), t.endsWith("j") ? 24 : 11)),
    ...lenses.map((t) => min(lastIndex(t).length, 11)),
  );
  const cell = max(30, longest * CHAR + 8);
  let fit = trunc((WIDTH - LEFT - 10) / cell);
  if (n <= fit && n <= cells.head) {
    return [range(0, n), cell];
  }
  fit = trunc((WIDTH - LEFT - 10 - 54) / cell);
  const tail = min(max(floor(fit / 3), 1), cells.tail ? max(cells.tail, 0) : n);
  const head = min(fit - tail, cells.head);
  return [[...range(0, head), null, ...range(n - tail, n)], cell];
}

function range(from: number, to: number): number[] {
  return Array.from({ length: max(to - from, 0) }, (_, i) => from + i);
}

/** Parts in columns, so that also in a table the lenses are below their elements. */
function padded(parts: string[], column: number): string {
  return parts
    .map((part) => part + " ".repeat(column + 1 - columnsOf(part)))
    .join("")
    .trimEnd();
}

function lastIndex(t: TraceTensor): string {
  if (t.shape.length > 3) {
    return `#${max(t.shape.reduce((size, n) => size * n, 1) - 1, 0)}`;
  }
  return t.shape.map((n, d) => (t.stride[d] === 0 && n > 1 ? "*" : String(n - 1))).join(",");
}

/** The index of an element: "1,2", or "1,*" if a stride of 0 repeats it; empty if the tensor does not read it. */
function indexText(t: TraceTensor, places: number[][]): string {
  if (places.length === 0) {
    return "";
  }
  if (t.shape.length === 0) {
    return "·";
  }
  if (places.length > 1) {
    return `×${places.length}`;
  }
  if (t.shape.length > 3) {
    return `#${places[0].reduce((flat, i, d) => flat * t.shape[d] + max(i, 0), 0)}`;
  }
  return places[0].map((i) => (i < 0 ? "*" : String(i))).join(",");
}

/** How many elements of a tensor have the size of how many elements of its storage: [2, 1] for the real view of complex numbers. */
function scaleOf(f: Frame, t: TraceTensor): [number, number] {
  const cell = f.document.storages[t.storage].itemsize;
  const own = trunc(Number(t.dtype.replace(/\D/g, "") || 8) / 8);
  return [max(trunc(cell / own), 1), max(trunc(own / cell), 1)];
}

/** The indexes at which a tensor reads element e of its storage, at most nine; -1 means every index of a dimension with stride 0. */
export function indexesOf(
  t: TraceTensor,
  e: number,
  [elements, cells]: [number, number] = [1, 1],
): number[][] {
  const found: number[][] = [];
  const dims = t.shape.map((_, d) => d).filter((d) => t.stride[d] > 0);
  dims.sort((a, b) => t.stride[b] - t.stride[a]);
  const index: number[] = t.shape.map((n) => (n > 1 ? -1 : 0));
  // From the largest stride to the smallest. What the later dimensions can reach limits the index in this one.
  const search = (at: number, rest: number): void => {
    if (found.length === 9) {
      return;
    }
    if (at === dims.length) {
      if (rest === 0) {
        found.push([...index]);
      }
      return;
    }
    const d = dims[at];
    const stride = t.stride[d];
    const reach = dims.slice(at + 1).reduce((sum, later) => sum + (t.shape[later] - 1) * t.stride[later], 0);
    const low = max(floor((rest - reach + stride - 1) / stride), 0);
    const high = min(floor(rest / stride), t.shape[d] - 1);
    for (let i = low; i <= high; i++) {
      index[d] = i;
      search(at + 1, rest - i * stride);
    }
  };
  if (!t.shape.includes(0)) {
    for (let part = 0; part < elements; part++) {
      search(0, floor(e / cells) * elements + part - t.storage_offset);
    }
  }
  return found;
}

function drawLens(
  f: Frame,
  t: TraceTensor,
  x: number,
  y: number,
  places: (number | null)[],
  cell: number,
  written: (e: number) => boolean,
  version: string,
  saved: number | undefined,
  column: number,
  rows: string[][],
): Item {
  const name = f.label(t.id);
  const c = tensorClass(f, t);
  const k = [`t${t.id}`];
  const shown = clipName(name, trunc((SHAPE - 17 - x) / CHAR));
  const relation = relationOf(f, t);
  const shape = shapeText(t.shape);
  const stride = tupleText(t.stride);
  const offset = t.storage_offset;
  const geometry = `stride ${stride} offset ${offset}`;
  const history = f.history(t.id);
  const items = chip(x, y + 17, shown, c + (f.touched().has(t.id) ? " now" : ""), { k, label: history });
  items.push(text(SHAPE, y + 17, tight(shape), "mono", { k, label: shape }));
  items.push(text(STRIDE, y + 17, tight(stride), "mono", { k, label: stride }));
  items.push(text(OFFSET, y + 17, clip(grouped(offset), 7), "mono"));
  let room = 44;
  if (saved !== undefined) {
    const stale = `v${saved}` !== version;
    const what = `saved for backward at version ${saved}`;
    const label = stale ? `${what}, but now at version ${version.slice(1)}: backward() will fail` : what;
    const at = `saved at v${saved}`;
    const left = LEFT - 14 - chipWidth(at);
    room = trunc((left - 56) / CHAR);
    items.push(...chip(left, y + 36, at, stale ? "error" : "saved", { k, label }));
  }
  if (relation !== OWN) {
    const told = clip(relation, room);
    const from = ["view", "detach", "data"].includes(t.origin) ? "alias" : "muted";
    items.push(text(56, y + 36, told, from, { k, label: relation }));
  }
  let px = LEFT;
  const marks: string[] = [];
  const scale = scaleOf(f, t);
  for (const e of places) {
    if (e === null) {
      // The part of the gap that the tensor covers is known from its ends.
      const [first, last] = endsOf(t, scale);
      const gap = places.indexOf(null);
      const end = f.contents(t.storage).numel - places.length + 1 + gap;
      const [low, high] = [max(first, gap), min(last, end - 1)];
      marks.push(low <= high ? "…" : ".");
      if (low <= high) {
        const part = 46 / (end - gap);
        const label = `${name} is between elements ${grouped(first)} and ${grouped(last)} of storage ${t.storage + 1}`;
        const wide = max((high - low + 1) * part, 2);
        items.push(rect(px + 4 + (low - gap) * part, y + 11, wide, 5, `box lens ${c}`, { k, label }));
      }
      px += 54;
      continue;
    }
    const indexes = indexesOf(t, e, scale);
    const mark = indexText(t, indexes);
    marks.push(mark || ".");
    if (mark) {
      const element = [...k, `s${t.storage}:${e}`];
      const fill = c + (written(e) ? " now write" : "");
      items.push(
        rect(px + 1.5, y + 4, cell - 3, 19, `box lens ${fill}`, {
          k: element,
          label: reading(f, t, e, indexes[0], scale),
        }),
      );
      items.push(
        text(px + cell / 2, y + 17, clip(mark, trunc((cell - 2) / CHAR)), `mono ${c}`, {
          k: element,
          a: "middle",
        }),
      );
    }
    px += cell;
  }
  rows.push([
    `storage ${t.storage + 1}`,
    name,
    shape,
    stride,
    String(t.storage_offset),
    version + (saved === undefined ? "" : ` (saved v${saved})`),
    relation,
    padded(marks, column),
  ]);
  const label = `${history}, ${relation}, ${geometry}, version ${version.slice(1)}`;
  return group(items, { k, label });
}

/** The text of a shape or stride in its column, without spaces if it is long. */
function tight(s: string): string {
  return s.length > 11 ? clip(s.replaceAll(" ", ""), 11) : s;
}

/** The first and the last element of its storage that a tensor reads. If the tensor has no elements, the last is before the first. */
function endsOf(t: TraceTensor, [elements, cells]: [number, number]): [number, number] {
  const { shape, stride, storage_offset: offset } = t;
  const last = shape.reduce((sum, n, d) => sum + (n - 1) * stride[d], offset);
  const first = floor((offset * cells) / elements);
  return [first, shape.includes(0) ? first - 1 : floor((last * cells + cells - 1) / elements)];
}

/** The sum that computes an element's position from an index. */
function reading(f: Frame, t: TraceTensor, e: number, index: number[], scale: [number, number]): string {
  const at = index.map((i) => (i < 0 ? ":" : String(i))).join(", ");
  if (scale[0] > 1 || scale[1] > 1) {
    return `${clipName(f.label(t.id), 24)}[${at}] is element ${e} of storage ${t.storage + 1}`;
  }
  const terms = [String(t.storage_offset), ...index.map((i, d) => `${max(i, 0)}*${t.stride[d]}`)];
  return `${clipName(f.label(t.id), 24)}[${at}]: offset ${terms.join(" + ")} = element ${e} of storage ${t.storage + 1}`;
}

/** How a tensor got its memory. */
export function relationOf(f: Frame, t: TraceTensor): string {
  const made = f.maker(t.id);
  const reads = made?.reads ?? [];
  let source = reads.length ? clipName(f.label(reads[0]), 20) : "another";
  if (t.origin === "detach") {
    return `detach of ${source}`;
  }
  if (t.origin === "data") {
    return `.data of ${source}`;
  }
  if (made?.op === "clone") {
    return `clone of ${source}`;
  }
  if (t.origin === "view" && made) {
    let op = made.op !== "__getitem__" ? made.op : "view";
    for (let at = reads[0] ?? -1; f.log.inner.latest(at, f.cursor) && !f.named(at); ) {
      const before = f.maker(at);
      if (before?.kind !== "view" || !before.reads?.length) {
        break;
      }
      at = before.reads[0]; // several views made by one expression: z.real, x[0, 1:]
      op = "view";
      source = clipName(f.label(at), 20);
    }
    return `${op} of ${source}`;
  }
  if (t.base !== null) {
    return `view of ${clipName(f.label(t.base), 20)}`;
  }
  return OWN;
}

/** By tensor that nodes hold for backward, the version at which the first of them saved it; by storage, the first of the nodes. */
function savedBy(f: Frame) {
  const saved = new Map<number, number>();
  const keepers = new Map<number, TraceNode>();
  for (const n of aliveNodes(f, [])) {
    const node = f.document.nodes[n];
    for (const { tensor, version } of f.visible(node) ? node.saved : []) {
      if (tensor !== null) {
        const { storage } = f.state(tensor);
        saved.set(tensor, saved.get(tensor) ?? version);
        keepers.set(storage, keepers.get(storage) ?? node);
      }
    }
  }
  return { saved, keepers };
}

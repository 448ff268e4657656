/** The timeline: source lines at the left, the steps at the right, each in the row of its line, with long loops folded. Counterpart: jgrad/views/timeline.py. */

import type { Note, Step } from "../document";
import { type Frame, window } from "../frame";
import { folded, type Unit } from "../loops";
import { max, min, trunc } from "../math";
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
  r1,
  rect,
  type Scene,
  SEVERITIES,
  text,
  WIDTH,
} from "../scene";
import { clip, columnsOf, grouped, plural, wrap } from "../text";

const LINES = 24; // at most so many source lines are drawn
const ROW = 20;
const CELL = 16; // width of a step
const SOURCE = 57; // at most so many characters of a source line are drawn
const SHORTER = 44; // the same if there are more steps than FEW, which is how many fit next to SOURCE characters
const FEW = 26;
const FOLD = 4; // width of folded iterations, in steps

/** By kind of step: its letter, the class of its colour, its words. */
const KINDS: Record<string, [letter: string, classes: string, words: string]> = {
  create: ["+", "leaf", "new tensor"],
  op: ["=", "intermediate", "operation"],
  view: ["v", "alias", "view"],
  write: ["w", "write", "in-place write"],
  backward: ["B", "gradient", "backward begins"],
  node: ["n", "gradient", "backward node"],
  accumulate: ["Σ", "gradient", "added to .grad"],
  grad: ["g", "gradient", ".grad assigned"],
  error: ["!", "error", "error"],
  gap: ["…", "muted", "not kept"],
};

export function timeline(f: Frame): Scene {
  const { document, cursor } = f;
  const { steps, source, notes, truncated } = document;
  const items: Item[] = [];
  const counts = f.log.counts;
  const here = f.step?.line ?? null;
  const [first, last] = window(source.length, (here ?? 1) - 1, LINES);
  const longest = source.reduce((most, line) => max(most, columnsOf(line)), 24);
  const columns = min(longest, steps.length <= FEW ? SOURCE : SHORTER);
  const right = r1(44 + columns * CHAR + 70); // where the steps begin
  const units = drawnUnits(f, trunc((WIDTH - right - 10) / CELL));
  const begin = units[0]?.[0] ?? 0;
  const end = units.at(-1)?.[1] ?? 0;
  const drawn = units.flatMap((unit) => stepsOf(steps, unit));
  const outside = drawn.some((s) => s.line == null);
  const shown = last - first + (outside ? 1 : 0);

  items.push(muted(right - 14, 18, "steps", { a: "end" }));
  if (begin > 0) {
    items.push(muted(right, 18, `… ${grouped(begin)} earlier`));
  }
  if (end < steps.length) {
    items.push(muted(WIDTH - 10, 18, `${grouped(steps.length - end)} later …`, { a: "end" }));
  } else if (begin === 0 && steps.length) {
    items.push(muted(right, 18, `1 to ${grouped(steps.length)}`));
  }
  const top = 28;
  if (first > 0) {
    items.push(muted(40, 18, `… ${plural(first, "line")} above`));
  }
  const told = notes.filter((note) => note.step < cursor);
  for (let n = first + 1; n <= last; n++) {
    const y = top + (n - 1 - first) * ROW;
    const k = [`l${n}`];
    const line = source[n - 1];
    const count = counts.get(n);
    const noted = told.filter(({ severity, lines }) => severity !== "info" && lines.includes(n));
    const failed = noted.some(({ severity }) => severity === "error");
    const label = `line ${n}: ${line.trim()}${count ? `, ${plural(count, "step")}` : ", no step"}`;
    const row: Item[] = [];
    if (n === here) {
      row.push(rect(0, y, WIDTH, ROW, "band now"));
    }
    row.push(text(26, y + 14, String(n), failed ? "error" : "muted", { a: "end" }));
    if (noted.length) {
      row.push(text(34, y + 14, "!", failed ? "error" : "write", { a: "middle" }));
    }
    if (line.trim()) {
      row.push(text(44, y + 14, clip(line, columns), n === here ? "mono now" : "mono"));
    }
    if (count) {
      row.push(muted(right - 14, y + 14, grouped(count), { a: "end" }));
    }
    items.push(group(row, { k, label }));
  }
  let y = top + (last - first) * ROW;
  if (outside) {
    items.push(muted(44, y + 14, "elsewhere (in functions of other files)"));
    y += ROW;
  }
  if (last < source.length) {
    items.push(muted(40, y + 14, `… ${plural(source.length - last, "line")} below`));
  }
  const bottom = top + shown * ROW;
  items.push(path(points("M", right - 6, top, "V", bottom), "edge muted"));
  const table: string[][] = [];
  let x = right;
  for (const unit of units) {
    const [from, to, loop] = unit;
    const one = stepsOf(steps, unit);
    const [step] = one;
    const lines = [...new Set(one.map((s) => s.line ?? null))];
    const known = lines.filter((n) => n !== null).sort((a, b) => a - b);
    const k = [`p${from + 1}`, ...known.map((n) => `l${n}`)];
    let [letter, c, words] = KINDS[step.kind];
    let numbers = grouped(from + 1);
    let said = sentence(step);
    let label = `step ${numbers}, ${words}: ${step.text}`;
    if (loop) {
      const many = grouped((to - from) / loop.period);
      [letter, c, words] = [`× ${many}`, "muted", "loop"];
      numbers += ` to ${grouped(to)}`;
      said = `${many} more of ${grouped(loop.times)} iterations, ${plural(loop.period, "step")} each`;
      label = `${said}: steps ${numbers}`;
    } else {
      k.push(...keysOf(step));
    }
    const room = (loop ? FOLD : 1) * CELL;
    const state = to === cursor ? " now" : to > cursor ? " later" : "";
    const rows = lines.map((n) => (n ?? last + 1) - 1 - first).filter((row) => 0 <= row && row < shown);
    if (rows.length) {
      const rowY = top + min(...rows) * ROW;
      const high = top + max(...rows) * ROW - rowY;
      const mark = [
        rect(x + 0.5, rowY + 2.5, room - 1, high + ROW - 5, `box step ${c}${state}`),
        text(x + room / 2, rowY + high / 2 + 14, letter, c + state, { a: "middle" }),
      ];
      items.push(group(mark, { k, label }));
    }
    x += room;
    const line = known.length > 1 ? `${known[0]} to ${known.at(-1)}` : String(known[0] ?? "");
    table.push([to === cursor ? ">" : "", numbers, line, words, said]);
    if (to === cursor) {
      items.push(path(points("M", x, top - 4, "V", bottom + 4), "edge now", { k: [`p${cursor}`] }));
    }
  }
  y = bottom + (last < source.length ? 24 : 10);
  const kinds = Object.entries(KINDS).map(([kind, [letter, c, words]]): Meanings[0] => [
    `box step ${c}`,
    words,
    drawn.some((s) => s.kind === kind),
    letter,
  ]);
  y = legend([...kinds, ["×", "× 9: so many iterations more"]], y, items, 760);
  for (const note of told) {
    if (y < 1200) {
      y = drawNote(note, y, items);
    }
  }
  if (truncated) {
    const kept = `only ${grouped(truncated.kept_steps)} of at least ${grouped(truncated.seen_steps)} steps were kept`;
    items.push(muted(10, y + 14, kept));
    y += ROW;
  }
  for (const note of told) {
    table.push(["!", "", note.lines.join(", "), note.severity, note.text]);
  }
  return finished("timeline", f, y + 6, items, ["", "step", "line", "kind", "what happened"], () => table);
}

/** The steps that are drawn, if there is space for this many cells. */
function drawnUnits(f: Frame, cells: number): Unit[] {
  const units = folded(f.log.loops, 0, f.document.steps.length, f.cursor - 1);
  const places = [0]; // of the cells of each unit
  for (const [, , loop] of units) {
    places.push(places.at(-1)! + (loop ? FOLD : 1));
  }
  const focus = max(
    units.findIndex(([, to]) => to >= f.cursor),
    0,
  );
  const [begin, end] = window(places.at(-1)!, places[focus], cells);
  return units.filter((_, i) => begin <= places[i] && places[i + 1] <= end);
}

/** The step that a unit is, or an iteration of what it folds. */
function stepsOf(steps: Step[], [from, to, loop]: Unit): Step[] {
  return steps.slice(from, loop ? from + loop.period : to);
}

/** The sentence of a step without its line, which is in a column of its own. */
function sentence(step: Step): string {
  const prefix = `line ${step.line}: `;
  return step.text.startsWith(prefix) ? step.text.slice(prefix.length) : step.text;
}

/** The link keys of what a step made or wrote to. */
function keysOf(step: Step): string[] {
  const keys = (step.makes ?? []).map((t) => `t${t}`);
  keys.push(...(step.writes ?? []).map((w) => `t${w.tensor}`));
  if (step.node != null) {
    keys.push(`n${step.node}`);
  }
  return keys.slice(0, 8);
}

/** Draws a note of `explain` in full. */
function drawNote(note: Note, y: number, items: Item[]): number {
  const k = [...note.lines.map((n) => `l${n}`), ...note.tensors.map((t) => `t${t}`)];
  const lines = wrap(note.text, 96);
  const parts: Item[] = [rect(10, y, 4, lines.length * 17 + 4, `bar ${SEVERITIES[note.severity]}`)];
  lines.forEach((line, i) => {
    parts.push(text(24, y + 14 + i * 17, line, "mono"));
  });
  items.push(group(parts, { k, label: `${note.severity}: ${note.text}`, role: "note" }));
  return y + lines.length * 17 + 10;
}

/** The accumulation view: for each leaf, what every `backward()` added to its `.grad`, and the total. Counterpart: jgrad/views/accumulation.py. */

import type { Contribution, GradUpdate, Step, Value } from "../document";
import { type Frame, foremost, status, tensorClass } from "../frame";
import { gradIn } from "../log";
import { max, min, trunc } from "../math";
import {
  CHAR,
  chip,
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
  width,
} from "../scene";
import { brief, clip, clipName, grouped, opName, plural, shapeText, short } from "../text";

const LEAVES = 8; // at most so many are drawn
const LEFT = 150; // where the events begin
const COLUMN = 158; // the least width of an event that adds; one that sets to None has no numbers to show
const LEAST: Record<string, number> = { add: COLUMN, set: 140 };
const WIDEST = 264;
const BAR = 64; // height of the tallest bar
const PARTS = 5; // at most so many contributions of an event are drawn; if there are more, the last one is their count
const LEGEND: Meanings = [
  ["bar muted", "norm of .grad: before"],
  ["bar gradient", "norm of .grad: grown"],
  ["bar lost", "norm of .grad: shrunk"],
];
const ROWS = 50; // at most so many rows of the table are about one leaf

/** A tensor, how many steps touched its `.grad`, and the last of them. */
interface Leaf {
  id: number;
  count: number;
  places: number[];
}

interface Event {
  at: number;
  step: Step;
  grad: GradUpdate;
  parts: Contribution[];
  adds: boolean;
  /** The least width of the event. */
  least: number;
}

export function accumulation(f: Frame): Scene {
  const items: Item[] = [];
  const leaves = [...f.log.grads.keys()]
    .map((id) => ({
      id,
      count: f.log.grads.count(id, f.cursor),
      places: f.log.grads.before(id, f.cursor, ROWS),
    }))
    .filter(({ count }) => count);
  const shown = foremost(leaves, LEAVES, ({ places }) => -places.at(-1)!);
  let y = 8;
  for (const leaf of shown) {
    y = drawLeaf(f, leaf, y, items);
  }
  const rest = leaves.length - shown.length;
  if (rest || !leaves.length) {
    const said = rest ? `… ${plural(rest, "more tensor")} with a gradient` : "no .grad has been touched yet";
    items.push(muted(10, y + 14, said));
    y += 24;
  }
  y = legend(LEGEND, y, items);
  const columns = ["tensor", "event", "line", "before", "added", "through", ".grad after"];
  return finished("accumulation", f, y, items, columns, () => shown.flatMap((leaf) => tableOf(f, leaf)));
}

function eventAt(f: Frame, at: number, tensor: number): Event {
  const step = f.document.steps[at];
  const grad = gradIn(step, tensor);
  const { action, contributions: parts } = grad;
  return { at, step, grad, parts, adds: action === "add", least: LEAST[action] ?? 112 };
}

/** Draws one tensor and the events of its `.grad`, and returns the y below them. */
function drawLeaf(f: Frame, { id: t, count, places }: Leaf, y: number, items: Item[]): number {
  const tensor = f.state(t);
  const label = f.label(t);
  const name = clipName(label, 16);
  const k = [`t${t}`];
  items.push(...chip(10, y + 17, name, tensorClass(f, tensor), { k, label: f.history(t) }));
  items.push(text(12, y + 36, clip(shapeText(tensor.shape), 18), "mono", { k }));
  items.push(muted(12, y + 52, clip(status(tensor).split(", ")[0], 18), { k }));
  const drawn: Event[] = [];
  let used = 0;
  for (const at of places.toReversed()) {
    const e = eventAt(f, at, t);
    if (used + e.least > WIDTH - LEFT - 10) {
      break;
    }
    used += e.least;
    drawn.unshift(e);
  }
  if (drawn.length < count) {
    items.push(muted(12, y + 68, `${grouped(count - drawn.length)} earlier …`));
  }
  const added = drawn.filter((e) => e.adds);
  const parts = max(1, ...added.map((e) => min(e.parts.length, PARTS)));
  const bars = y + 46 + parts * 16;
  const total = bars + BAR + 18;
  const tallest = max(0, ...drawn.flatMap(({ grad }) => [sizeOf(grad.before), sizeOf(grad.after)]));
  const spare = added.length ? min((WIDTH - LEFT - 10 - used) / added.length, WIDEST - COLUMN) : 0;
  let x = LEFT;
  for (const e of drawn) {
    const column = e.least + (e.adds ? spare : 0);
    items.push(drawEvent(f, t, e, x, column - 18, y, bars, tallest));
    x += column;
  }
  items.push(path(points("M", LEFT - 6, bars + BAR, "H", x - 14), "edge muted", { k }));
  return total + 24;
}

/** The events of a tensor's `.grad` as rows of a table. */
function tableOf(f: Frame, { id: t, places }: Leaf): string[][] {
  return places.map((at) => {
    const e = eventAt(f, at, t);
    const { grad, step, parts } = e;
    const sum = parts.map((p) => brief(p.value, 40)).join(" + ");
    return [
      f.label(t),
      titleOf(e),
      step.line == null ? "" : String(step.line),
      brief(grad.before, 40),
      sum || (grad.added ? brief(grad.added, 40) : ""),
      parts.map((p) => through(f, p)).join(" + "),
      brief(grad.after, 40),
    ];
  });
}

/** The column of an event: what happened, what was added, the bar, the total. */
function drawEvent(
  f: Frame,
  t: number,
  e: Event,
  x: number,
  space: number,
  y: number,
  bars: number,
  tallest: number,
): Item {
  const { grad, step, parts, adds } = e;
  const now = e.at === f.cursor - 1 ? " now" : "";
  const k = [`t${t}`, `p${e.at + 1}`, ...(step.line != null ? [`l${step.line}`] : [])];
  const room = trunc(space / CHAR);
  const title = titleOf(e);
  const items: Item[] = [text(x, y + 17, clip(title, room), (adds ? "title" : "write") + now)];
  if (step.line != null) {
    items.push(muted(x, y + 33, `line ${step.line}`));
  }
  if (!adds) {
    items.push(
      path(points("M", x - 9, y + 4, "V", bars + BAR + 24), `edge cut write${now}`, { k, label: title }),
    );
  }
  let line = y + 52;
  const some = parts.length > PARTS ? parts.slice(0, PARTS - 1) : parts;
  for (const part of some) {
    const node = opName(f.document.nodes[part.node].name);
    const value = `+ ${brief(part.value, room - 9)}`;
    const more = {
      k: [...k, `n${part.node}`],
      label: `${brief(part.value, 200)} through ${through(f, part)}`,
    };
    items.push(text(x, line, value, `gradient${now}`, more));
    items.push(muted(x + width(value) + CHAR, line, clip(node, max(room - value.length - 1, 4)), more));
    line += 16;
  }
  if (some !== parts) {
    items.push(muted(x, line, `… ${plural(parts.length - some.length, "more path")}`));
  }
  const before = sizeOf(grad.before);
  const after = sizeOf(grad.after);
  const scale = tallest > 0 ? BAR / tallest : 0;
  const low = min(before, after) * scale;
  const high = max(before, after) * scale;
  if (low > 0) {
    const label = `before: ${brief(grad.before, 200)}`;
    items.push(rect(x, bars + BAR - low, 56, low, "bar muted", { k, label }));
  }
  if (high > low) {
    const label = `after: ${brief(grad.after, 200)}`;
    items.push(
      rect(x, bars + BAR - high, 56, high - low, after > before ? `bar gradient${now}` : "bar lost muted", {
        k,
        label,
      }),
    );
  }
  if (grad.after === null) {
    items.push(text(x, bars + BAR + 18, "None", `write${now}`));
  } else {
    const by = step.text.includes("which a hook made") ? " by hook" : "";
    const label = `${f.label(t)}.grad is ${brief(grad.after, 400)}`;
    items.push(
      text(x, bars + BAR + 18, `= ${brief(grad.after, room - 2 - by.length)}${by}`, `gradient title${now}`, {
        k,
        label,
      }),
    );
  }
  return group(items, { k, label: step.text });
}

function titleOf({ grad, step }: Event): string {
  return {
    add: step.backward_call != null ? `backward ${step.backward_call + 1}` : "added",
    none: "set to None",
    zero: "set to zero",
    set: step.writes?.length ? "changed in place" : "assigned",
  }[grad.action];
}

/** The node from which a contribution came, and its line. */
function through(f: Frame, part: Contribution): string {
  const { name, line } = f.document.nodes[part.node];
  return short(name) + (line !== null ? ` of line ${line}` : "");
}

/** The height of a value's bar before scaling: its norm. */
function sizeOf(value: Value | null): number {
  return value?.norm ?? 0;
}

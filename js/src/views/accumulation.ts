/** Accumulation: of each leaf, what every `backward()` added to its `.grad`, and the total. Twin: jgrad/views/accumulation.py. */

import type { GradEvent, Part, Step, Value } from "../document";
import { type Frame, foremost, status, tensorClass } from "../frame";
import {
  CHAR,
  chip,
  finished,
  group,
  type Item,
  muted,
  path,
  points,
  rect,
  type Scene,
  text,
  WIDTH,
  width,
} from "../scene";
import { brief, clip, grouped, opName, plural, shapeText, short } from "../text";

const LEAVES = 8; // drawn at most
const LEFT = 150; // where the events begin
const COLUMN = 158; // width of an event at least
const WIDEST = 264;
const BAR = 64; // height of the tallest bar
const PARTS = 4; // contributions drawn of one event at most
const ROWS = 50; // of a leaf in the table at most

/** A tensor, and the steps that touched its `.grad`. */
interface Leaf {
  id: number;
  places: number[];
}

interface Event {
  at: number;
  step: Step;
  grad: GradEvent & { parts: Part[] };
}

export function accumulation(f: Frame): Scene {
  const items: Item[] = [];
  const leaves = f.log.grads
    .keys()
    .map((id) => ({ id, places: f.log.grads.before(id, f.cursor) }))
    .filter(({ places }) => places.length);
  const shown = foremost(leaves, LEAVES, ({ places }) => -places.at(-1)!);
  let y = 8;
  for (const leaf of shown) {
    y = drawLeaf(f, leaf, y, items);
  }
  if (shown.length < leaves.length) {
    items.push(muted(10, y + 14, `… ${plural(leaves.length - shown.length, "more tensor")} with a gradient`));
    y += 24;
  }
  if (leaves.length === 0) {
    items.push(muted(10, y + 14, "no .grad has been touched yet"));
    y += 24;
  }
  const columns = ["tensor", "event", "line", "before", "added", "through", ".grad after"];
  return finished("accumulation", f, y, items, columns, () => shown.flatMap((leaf) => tableOf(f, leaf)));
}

function eventAt(f: Frame, at: number): Event {
  const step = f.document.steps[at];
  const grad = step.grad!;
  return { at, step, grad: { ...grad, parts: grad.parts ?? [] } };
}

/** One tensor and the events of its `.grad`; gives where the next begins. */
function drawLeaf(f: Frame, { id: t, places }: Leaf, y: number, items: Item[]): number {
  const tensor = f.state(t);
  const label = f.label(t);
  const name = clip(label, 16);
  const k = [`t${t}`];
  items.push(...chip(10, y + 17, name, tensorClass(tensor, name), { k, label: f.history(t) }));
  items.push(text(12, y + 36, clip(shapeText(tensor.shape), 18), "mono", { k }));
  items.push(muted(12, y + 52, clip(status(tensor).split(", ")[0], 18), { k }));
  const drawn: Event[] = [];
  let used = 0;
  for (const at of places.toReversed()) {
    const e = eventAt(f, at);
    if (used + leastWidth(e) > WIDTH - LEFT - 10) {
      break;
    }
    used += leastWidth(e);
    drawn.unshift(e);
  }
  if (drawn.length < places.length) {
    items.push(muted(12, y + 68, `${grouped(places.length - drawn.length)} earlier …`));
  }
  const added = drawn.filter((e) => e.grad.action === "add");
  const parts = Math.max(1, ...added.map((e) => Math.min(e.grad.parts.length, PARTS + 1)));
  const bars = y + 46 + parts * 16;
  const total = bars + BAR + 18;
  const tallest = Math.max(0, ...drawn.flatMap(({ grad }) => [sizeOf(grad.before), sizeOf(grad.after)]));
  const spare = added.length ? Math.min((WIDTH - LEFT - 10 - used) / added.length, WIDEST - COLUMN) : 0;
  let x = LEFT;
  for (const e of drawn) {
    const column = leastWidth(e) + (e.grad.action === "add" ? spare : 0);
    items.push(drawEvent(f, t, e, x, column - 18, y, bars, tallest));
    x += column;
  }
  items.push(path(points("M", LEFT - 6, bars + BAR, "H", x - 14), "edge muted", { k }));
  return total + 24;
}

/** The width that an event needs: one that adds has numbers to show, one that sets to None has not. */
function leastWidth({ grad }: Event): number {
  return grad.action === "add" ? COLUMN : grad.action === "set" ? 140 : 112;
}

/** The events of a tensor's `.grad` as rows of a table. */
function tableOf(f: Frame, { id: t, places }: Leaf): string[][] {
  return places.slice(-ROWS).map((at) => {
    const e = eventAt(f, at);
    const { grad, step } = e;
    const sum = grad.parts.map((p) => brief(p.value, 40)).join(" + ");
    return [
      f.label(t),
      titleOf(e),
      step.line == null ? "" : String(step.line),
      brief(grad.before, 40),
      sum || (grad.add ? brief(grad.add, 40) : ""),
      grad.parts.map((p) => through(f, p)).join(" + "),
      brief(grad.after, 40),
    ];
  });
}

/** A column: what happened, what was added, the bar, the total. */
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
  const { grad, step } = e;
  const now = e.at === f.cursor - 1 ? " now" : "";
  const k = [`t${t}`, `p${e.at + 1}`, ...(step.line != null ? [`l${step.line}`] : [])];
  const adds = grad.action === "add";
  const room = Math.trunc(space / CHAR);
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
  for (const part of grad.parts.slice(0, PARTS)) {
    const node = opName(f.document.nodes[part.node].name);
    const value = `+ ${brief(part.value, room - 9)}`;
    const more = {
      k: [...k, `n${part.node}`],
      label: `${brief(part.value, 200)} through ${through(f, part)}`,
    };
    items.push(text(x, line, value, `gradient${now}`, more));
    items.push(muted(x + width(value) + CHAR, line, clip(node, Math.max(room - value.length - 1, 4)), more));
    line += 16;
  }
  if (grad.parts.length > PARTS) {
    items.push(muted(x, line, `… ${plural(grad.parts.length - PARTS, "more path")}`));
  }
  const before = sizeOf(grad.before);
  const after = sizeOf(grad.after);
  const scale = tallest > 0 ? BAR / tallest : 0;
  const low = Math.min(before, after) * scale;
  const high = Math.max(before, after) * scale;
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
    const label = `${f.label(t)}.grad is ${brief(grad.after, 400)}`;
    items.push(
      text(x, bars + BAR + 18, `= ${brief(grad.after, room - 2)}`, `gradient title${now}`, { k, label }),
    );
  }
  return group(items, { k, label: step.text, role: "listitem" });
}

function titleOf({ grad, step }: Event): string {
  switch (grad.action) {
    case "add":
      return step.backward != null ? `backward ${step.backward + 1}` : "added";
    case "none":
      return "set to None";
    case "zero":
      return "set to zero";
    default:
      return step.writes?.length ? "changed in place" : "assigned";
  }
}

/** The node that a contribution came from, and its line. */
function through(f: Frame, part: Part): string {
  const { name, line } = f.document.nodes[part.node];
  return short(name) + (line !== null ? ` of line ${line}` : "");
}

/** How tall the bar of a value is: its norm. */
function sizeOf(value: Value | null): number {
  return value?.norm ?? 0;
}

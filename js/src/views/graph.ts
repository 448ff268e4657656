/** The graph: backward nodes in order of execution, with edges in lanes as in `git log --graph`. Counterpart: jgrad/views/graph.py. */

import type { GradUpdate, TraceNode, Value } from "../document";
import { type Frame, status, tensorClass, window } from "../frame";
import { max, min, trunc } from "../math";
import {
  CHAR,
  chip,
  chipWidth,
  cross,
  dot,
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
  text,
  WIDTH,
  width,
} from "../scene";
import {
  alike,
  brief,
  clip,
  clipName,
  columnsOf,
  fitting,
  grouped,
  normOf,
  plural,
  short,
  wrap,
} from "../text";
import {
  type Arrival,
  type Drawn,
  dropFar,
  type Flow,
  flowAt,
  focusOf,
  folded,
  isRun,
  type Lanes,
  lanesOf,
  lastUses,
  type Row,
  rowsOf,
} from "./rows";
import { relationOf } from "./storage";

const ROWS = 24; // at most so many are drawn
const UNFOLDED = 12; // so few rows are never folded
const SOURCE = 44; // at most so many characters of a source line are drawn
const WORDS = 340; // the least width of a row's text
const CHIPS = 4; // at most so many leaf chips of a row are drawn
const NAME = 15; // at most so many characters are on a chip
const FORMULAS = 4; // at most so many formulas of a node are written
const KINDS = 6; // a fold names at most so many kinds of nodes
const OUTPUTS = 4; // the gradients of at most so many outputs of a node are written
const SAID = 3; // at most so many lines for one text
const LINE = 16; // height of a line of text
const LEGEND: Meanings = [
  ["dot intermediate", "grad_fn of a non-leaf"],
  ["dot gradient", "grad_fn that has run backward"],
  ["dot error", "raised the error"],
  ["chip leaf", "leaf, collects .grad"],
  ["chip muted unused", "gets no gradient"],
  ["mark error", "history cut here"],
  ["dot intermediate gone", "freed: nothing holds it"],
  ["#", "#1, #2: order in which nodes ran"],
  ["‖", "‖2.5‖: norm of a gradient"],
];

type Line = [text: string, classes: string, column: number][];

/** The rows on their places. */
interface Plan {
  home: string[];
  lanes: Lanes;
  lanesAt: number;
  spacing: number;
  wide: boolean;
  source: number;
  textAt: number;
  room: number;
  tops: Map<string, number>;
  top: number;
}

export function graph(f: Frame): Scene {
  const flow = flowAt(f);
  let { rows, hidden } = rowsOf(f, flow, ROWS);
  if (rows.length > UNFOLDED) {
    rows = folded(f, rows, focusOf(f, rows), ROWS);
  }
  const home: string[] = []; // of each node, the key of its row
  for (const r of rows) {
    for (const n of r.nodes) {
      home[n] = r.key;
    }
  }
  const [begin, end] = window(rows.length, focusOf(f, rows), ROWS);
  const drawn = rows.slice(begin, end).map((r): Drawn => ({ ...r, ...r.join() }));
  dropFar(rows, drawn, home, begin);
  const p = planOf(f, drawn, home, lanesOf(rows, drawn, home, begin));
  const items: Item[] = [];
  let y = 8;
  const say = (s: string): void => {
    items.push(muted(p.lanesAt, y + 12, s));
    y += 22;
  };
  if (hidden) {
    say(`${plural(hidden, "row")} of freed graphs`);
  }
  if (begin > 0) {
    say(`… ${plural(begin, "row")} above`);
  }
  p.top = y - 6;
  const placed = drawn.map((r) => {
    const lines = linesOf(f, r, flow, p.room);
    const top = y;
    p.tops.set(r.key, top);
    y += max(lines.length * LINE + 12, min(r.chips.length, CHIPS + 1) * 24 + 6, p.wide ? 36 : 30);
    return { r, top, lines };
  });
  const behind: Item[] = []; // edges are under the dots
  const front: Item[] = [];
  let lineBefore: number | null = null;
  for (const { r, top, lines } of placed) {
    if (r.line !== null && r.line !== lineBefore) {
      drawSource(f, r.line, top, p, items);
    }
    lineBefore = r.line;
    drawEdges(r, top, flow, p, behind, front);
    front.push(drawRow(f, r, top, lines, flow, p));
  }
  items.push(...behind, ...front);
  if (end < rows.length) {
    say(`… ${plural(rows.length - end, "row")} below`);
  }
  if (rows.length) {
    y = legend(LEGEND, y + 6, items, 860);
  } else {
    items.push(muted(10, y + 14, "autograd has recorded no operation yet"));
    y += 24;
  }
  const columns = ["line", "graph", "tensor", "grad_fn", "inputs", "saved", "gradient"];
  return finished("graph", f, y + 8, items, columns, () => tableOf(f, drawn, flow, p));
}

/** The positions of the columns: source, lanes, chips, text. */
function planOf(f: Frame, drawn: Drawn[], home: string[], lanes: Lanes): Plan {
  const { count } = lanes;
  const spacing = count <= 3 ? 60 : count <= 5 ? 44 : count <= 14 ? 18 : 10;
  let chipRoom = 0; // for the chips, and before them for the gradients on their edges
  let longest = 0;
  for (const r of drawn) {
    for (const [tensor] of r.chips) {
      chipRoom = max(chipRoom, chipWidth(clipName(f.label(tensor), NAME)) + (r.kind !== "leaf" ? 82 : 18));
    }
    if (r.line !== null) {
      longest = max(longest, columnsOf(f.document.source[r.line - 1].trim()));
    }
  }
  const most = trunc((WIDTH - 52 - count * spacing - chipRoom - WORDS) / CHAR);
  const source = max(min(longest, SOURCE, most), 16);
  const lanesAt = r1(46 + source * CHAR);
  const textAt = lanesAt + count * spacing + chipRoom + 12;
  const room = trunc((WIDTH - 8 - textAt) / CHAR);
  return {
    home,
    lanes,
    lanesAt,
    spacing,
    wide: spacing >= 44,
    source,
    textAt,
    room,
    tops: new Map(),
    top: 0,
  };
}

/** Draw the source line of a row and of those below it. */
function drawSource(f: Frame, line: number, top: number, p: Plan, items: Item[]): void {
  const k = [`l${line}`];
  const source = f.document.source[line - 1].trim();
  const c = f.step?.line === line ? "mono now" : "mono";
  items.push(path(points("M", 8, top + 1, "H", WIDTH - 8), "edge rule muted"));
  items.push(muted(26, top + 19, String(line), { k, a: "end" }));
  items.push(text(34, top + 19, clip(source, p.source), c, { k, label: `line ${line}: ${source}` }));
}

/** Draw the edges from a row up to the rows that it uses, with the gradients that went along them. */
function drawEdges(r: Drawn, top: number, flow: Flow, p: Plan, behind: Item[], front: Item[]): void {
  if (r.kind === "leaf") {
    return;
  }
  const x = laneX(p, r.key);
  const y = top + 15;
  const done = new Set<string>();
  for (const m of r.next) {
    const key = p.home[m];
    if (done.has(key)) {
      continue;
    }
    done.add(key);
    const mx = laneX(p, key);
    const above = p.tops.get(key);
    const start = above !== undefined ? above + 15 : p.top;
    const arrived = cameFrom(r, m, flow, p);
    const values = r.kind === "node" ? arrived.map((a) => a.value) : [];
    const now = values.length && flow.running === r.id ? " now" : "";
    const c = r.kind === "cut" ? "edge cut muted" : arrived.length ? `edge gradient${now}` : "edge";
    const k = [`n${m}`, r.kind === "cut" ? `t${r.id}` : `n${r.id}`];
    const bend = mx === x ? ["V", y] : ["V", y - 22, "C", mx, y - 8, x, y - 16, x, y];
    // Only gradients of the same output are added.
    const plus = arrived.some((a) => a.nr !== arrived[0].nr) ? "; " : " + ";
    const label = values.length ? `gradient ${values.map((v) => brief(v, 60)).join(plus)}` : "";
    // Where edges overlap, those with gradients are on top.
    const edge = path(points("M", mx, start, ...bend), c + (r.gone ? " gone" : ""), { k, label });
    behind.splice(arrived.length ? behind.length : 0, 0, edge);
    if (values.length && p.wide) {
      front.push(...pillItems(mx, y - 23, pill(values, trunc((p.spacing - 6) / CHAR), plus), k, now, label));
    }
  }
}

/** The gradients that a node got from a row. */
function cameFrom(r: Row, n: number, flow: Flow, { home }: Plan): Arrival[] {
  return (flow.arrived.get(n) ?? []).filter(({ from }) => home[from ?? -1] === r.key);
}

/** The gradients on an edge, in n characters: the number, or the terms of the sum, or the norm. */
function pill(values: Value[], n: number, plus = ""): string {
  const whole = values.map((v) => plain(v, 60)).join(plus);
  const many = values.length > 1 && [`${values.length} grads`, "grads"];
  return fitting(n, whole, ...(many || [plain(values[0], n)]))!;
}

/** The text of a value. For a single element it is that element; for a large value it is the norm, with as many digits as fit. */
function plain(value: Value, n: number): string {
  const { elements: texts } = value;
  const same = alike(texts);
  if (texts?.length === 1 || (same && columnsOf(texts![0]) + 3 <= n)) {
    return fitting(n, same) ?? clip(texts![0], n);
  }
  const s = brief(value, n);
  const whole = n > 8 && !s.startsWith("norm") ? s : "";
  const norms = [3, 2, 1, 0].map((digits) => normOf(value, digits));
  return fitting(n, whole, ...norms.map((norm) => norm && `‖${norm}‖`)) ?? "grad";
}

function pillItems(cx: number, y: number, s: string, k: string[], now: string, label: string): Item[] {
  const w = width(s) + 8;
  return [
    rect(cx - w / 2, y - 8, w, 16, `chip gradient pill${now}`, { k, label }),
    text(cx, y + 4, s, `gradient${now}`, { k, a: "middle" }),
  ];
}

function laneX(p: Plan, key: string): number {
  return p.lanesAt + p.lanes.of.get(key)! * p.spacing + p.spacing / 2;
}

/** The dot, the leaf chips and the text of a row. */
function drawRow(f: Frame, r: Drawn, top: number, lines: Line[], flow: Flow, p: Plan): Item {
  const items: Item[] = [];
  const y = top + 15;
  const node = r.kind === "node";
  const k = r.nodes.length ? r.nodes.slice(0, 8).map((n) => `n${n}`) : [`t${r.id}`];
  if (node && r.tensor !== null) {
    k.push(`t${r.tensor}`);
  }
  const gone = r.gone ? " gone" : "";
  const now = isNow(f, r) ? " now" : "";
  const label = labelOf(f, r);
  const x = r.kind === "leaf" ? 0 : laneX(p, r.key);
  const sent = node ? flow.ran.get(r.id)?.grads_out : undefined;
  r.chips.slice(0, CHIPS).forEach(([tensor, edge, solid], i) => {
    const cy = y + i * 24;
    const name = clipName(f.label(tensor), NAME);
    const cx = p.textAt - 12 - chipWidth(name);
    const keys = [`t${tensor}`, ...(node ? [`n${r.id}`] : [])];
    const value = sent?.[edge];
    if (r.kind !== "leaf") {
      const went = value ?? f.log.sinks.get(tensor)?.some((n) => cameFrom(r, n, flow, p)[0]);
      const c = went ? `edge gradient${now}` : solid ? "edge" : "edge cut muted";
      const bend = i === 0 ? [] : ["C", x + 14, cy, x + 6, cy, x + 26, cy];
      items.push(path(points("M", x, y, ...bend, "H", cx), c + gone, { k: keys }));
    }
    if (value) {
      items.push(...pillItems(cx - 36, cy, pill([value], 7), keys, now, `gradient ${brief(value, 60)}`));
    }
    const c = solid ? tensorClass(f, f.state(tensor)) : "muted unused";
    const more = { k: keys, label: f.history(tensor) };
    items.push(...chip(cx, cy + 4, name, c + (r.kind === "leaf" ? now : "") + gone, more));
  });
  if (r.chips.length > CHIPS) {
    const s = `+ ${r.chips.length - CHIPS} more`;
    items.push(muted(p.textAt - 12, y + CHIPS * 24 + 4, s, { a: "end" }));
  }
  if (r.nodes.length) {
    const failed = now && f.step?.kind === "error";
    const c = failed ? "error" : flow.ran.has(r.nodes[0]) ? "gradient" : "intermediate";
    items.push(path(dot(x, y), `dot ${c}${now}${gone}`));
    if (r.kind === "fold") {
      items.push(path(dot(x + 4, y + 4), `dot ${c}${gone}`));
    }
  } else if (r.kind === "cut") {
    items.push(path(cross(x, y), `mark error${now}`));
  }
  lines.forEach((line, i) => {
    for (const [s, c, at] of line) {
      items.push(text(p.textAt + at * CHAR, top + 19 + i * LINE, s, c + (i === 0 ? now : "") + gone));
    }
  });
  return group(items, { k, label });
}

function isNow(f: Frame, r: Row): boolean {
  const { step } = f;
  if (!step) {
    return false;
  }
  if (r.kind === "node") {
    return step.node === r.id;
  }
  return step.grad ? r.kind === "leaf" && step.grad.tensor === r.id : f.touched().has(r.id);
}

function labelOf(f: Frame, r: Drawn): string {
  if (r.kind === "fold") {
    return repeats(f, r);
  }
  if (r.kind !== "node") {
    return f.history(r.id);
  }
  const whose = r.tensor !== null ? `, the grad_fn of ${f.label(r.tensor)}` : "";
  return short(f.document.nodes[r.id].name) + whose + (r.gone ? ", freed: nothing holds it" : "");
}

/** The text of a row. */
function linesOf(f: Frame, r: Drawn, flow: Flow, room: number): Line[] {
  const lines: Line[] = [];
  /** A text in a few lines. */
  const say = (s: string, c = "gradient"): void => {
    let told = columnsOf(s) <= room ? [s] : wrap(s, room - 2);
    if (told.length > SAID) {
      told = [...told.slice(0, SAID - 1), clip(told.slice(SAID - 1).join(" "), room - 2)];
    }
    told.forEach((line, i) => {
      if (line) {
        lines.push([[line, c, i ? 2 : 0]]);
      }
    });
  };
  const accumulated = (tensor: number): boolean => {
    const grad = flow.totals.get(tensor);
    if (grad) {
      say(accumulatedText(f, tensor, grad));
    }
    return Boolean(grad);
  };
  if (r.kind === "leaf") {
    const leaf = f.state(r.id);
    const cut = (leaf.origin === "detach" || leaf.origin === "data") && f.maker(r.id);
    lines.push([[status(leaf) + (cut ? `, ${relationOf(f, leaf)}` : ""), "muted", 0]]);
    const complete = accumulated(r.id);
    for (const n of f.log.sinks.get(r.id) ?? []) {
      say(hooksOf(f, n).join(", "), "write");
      if (!complete && flow.arrived.has(n)) {
        say(`${flow.op === "grad" ? "autograd.grad gets" : "arriving"}: ${gotText(f, flow, n)}`);
      }
    }
    return lines;
  }
  if (r.kind === "fold") {
    say(repeats(f, r), "muted");
    return lines;
  }
  if (r.kind === "cut") {
    const { origin } = f.state(r.id);
    const by = origin === "op" ? ": it has no grad_fn" : ` by ${origin === "data" ? ".data" : "detach()"}`;
    say(`cut here${by}, no gradient passes`, "muted");
    return lines;
  }
  const node = f.document.nodes[r.id];
  const name = short(node.name);
  const first: Line = [[name, "mono", 0]];
  if (r.tensor !== null) {
    const label = clip(owned(f, r), 20);
    first[0][2] = columnsOf(label) + 2;
    first.unshift([label, "title intermediate", 0]);
    if (f.state(r.tensor).retains_grad) {
      first.push(["keeps .grad", "leaf", columnsOf(label) + name.length + 4]);
    }
  }
  lines.push(first);
  say(hooksOf(f, r.id).join(", "), "write");
  say(withinText(f, r.tensor), "muted");
  say(r.far ? `… ${plural(r.far, "input")} far above` : "", "muted");
  const freed = node.freed_step !== null && node.freed_step < f.cursor;
  say(r.gone ? "" : savedText(f, node), freed ? "muted" : overwritten(f, node) ? "error" : "saved");
  if (flow.arrived.has(r.id)) {
    say(`${orderText(flow, r.id)}got ${gotText(f, flow, r.id)}`);
  }
  const { grads_in: got, grads_out: grads } = flow.ran.get(r.id) ?? {};
  if (grads) {
    const { next_functions: edges } = node;
    const sent = edges.flatMap((_, i) => (grads[i] ? [i] : []));
    for (const i of sent.slice(0, FORMULAS)) {
      say(passedText(node, got?.[0], i, grads[i]!, room), "mono");
    }
    say(sent.length > FORMULAS ? `… ${plural(sent.length - FORMULAS, "more input")}` : "", "muted");
    const silent = edges.flatMap(([m], i) => (m !== null && !grads[i] ? [i + 1] : []));
    say(silent.length ? `no gradient for input ${silent.join(", ")}` : "", "muted");
    if (r.tensor !== null) {
      accumulated(r.tensor);
    }
  }
  return lines;
}

/** The label of a row's tensor. For a node with several results, the labels of all of them that exist. */
function owned(f: Frame, { kind, id, tensor }: Drawn): string {
  if (tensor === null) {
    return "";
  }
  const own = f.state(tensor);
  const others = f.tensors().filter((t) => t.grad_fn === id && t.output_nr !== own.output_nr);
  return [own, ...(kind === "node" ? others : [])]
    .sort((a, b) => a.output_nr - b.output_nr || a.id - b.id)
    .slice(0, 4)
    .map((t) => f.label(t.id))
    .join(", ");
}

/** The rows that a fold hides: "98 more like this: MulBackward0, AddBackward0". */
function repeats(f: Frame, r: Row): string {
  const named = new Map<string, number>();
  for (const one of r.rows.slice(0, r.rows.length / r.times)) {
    const name = nameOf(f, one);
    named.set(name, (named.get(name) ?? 0) + 1);
  }
  const said = [...named].map(([name, n]) => (n === 1 ? name : `${name} ×${n}`));
  if (said.length > KINDS) {
    said.push(`${said.splice(KINDS).length} other kinds`);
  }
  const more =
    r.line === null
      ? `${grouped(r.times)} more like this`
      : `${grouped(r.rows.length)} more of line ${r.line}`;
  return `${more}: ${said.join(", ")}`;
}

function nameOf(f: Frame, r: Row): string {
  return r.kind === "node" ? short(f.document.nodes[r.id].name) : r.kind;
}

function accumulatedText(
  f: Frame,
  tensor: number,
  { before, added, after, contributions: parts }: GradUpdate,
): string {
  const current = f.grad(tensor);
  const name = `${clipName(f.label(tensor), 16)}.grad`;
  if (current === null || current !== after) {
    return `${name} = ${brief(current, 24)}`;
  }
  const total = brief(after, 24);
  const own = f.state(tensor).grad_fn; // a tensor that keeps its .grad gets it before the prehooks of its node
  const hooked =
    own === null
      ? (f.log.sinks.get(tensor) ?? []).some((n) => isHooked(f, n))
      : hooksOf(f, own).some((said) => said.startsWith("hook"));
  const values = parts.map((p) => p.value);
  const sum = sumText(values, 14, hooked) || brief(added, 14);
  if (before !== null) {
    return `${name} = ${brief(before, 14)} + ${sum} = ${total}`;
  }
  return parts.length > 1 || hooked ? `${name} = ${sum} = ${total}` : `${name} = ${total}`;
}

/** What arrived at a node, for each of its outputs: one gradient, or the sum if several paths meet. */
function gotText(f: Frame, flow: Flow, n: number): string {
  const arrived = flow.arrived.get(n)!;
  const outputs = [...new Set(arrived.map(({ nr }) => nr))].sort((a, b) => a - b);
  const hooked = isHooked(f, n);
  const said = outputs.map((nr) => {
    const values = arrived.filter((a) => a.nr === nr).map(({ value }) => value);
    const total = flow.ran.get(n)?.grads_in?.[nr];
    const sum = sumText(values, 24, hooked);
    const whole = total && (values.length > 1 || hooked) ? `${sum} = ${brief(total, 24)}` : sum;
    return String(outputs) === "0" ? whole : `output ${nr}: ${whole}`;
  });
  const more = said.length - OUTPUTS;
  return [...said.slice(0, OUTPUTS), ...(more > 0 ? [`${more} more outputs`] : [])].join("; ");
}

/** The position of a node in the order in which nodes ran: "#3 ". */
function orderText(flow: Flow, n: number): string {
  const order = [...flow.ran.keys()].indexOf(n) + 1;
  return order ? `#${order} ` : "";
}

/** Gradients that meet, each in n columns: "[2.] + [3.]". If a hook may have changed them, it is "hook([2.] + [3.])". */
function sumText(values: Value[], n: number, hooked: boolean): string {
  const sum =
    values.length > 3 ? `the sum of ${values.length} gradients` : values.map((v) => brief(v, n)).join(" + ");
  return hooked ? `hook(${sum})` : sum;
}

/** The hooks that a node is known to have. */
function hooksOf(f: Frame, n: number): string[] {
  const hooks = f.document.nodes[n].hooks ?? [];
  return hooks.filter(([since]) => since < f.cursor).map(([, said]) => said);
}

/** Whether hooks may change what a node gets. */
function isHooked(f: Frame, n: number): boolean {
  return hooksOf(f, n).some((said) => /^(pre)?hook/.test(said));
}

/** The node that made a tensor when it ran: "computed in MulBackward0 of y". */
function withinText(f: Frame, tensor: number | null): string {
  const made = tensor === null ? undefined : f.maker(tensor);
  if (tensor === null || made?.backward_call == null) {
    return "";
  }
  const { steps, nodes } = f.document;
  const run = steps.slice(steps.indexOf(made)).find((s) => isRun(s, made.backward_call));
  const node = nodes[run?.node ?? -1];
  if (!node) {
    return "computed in backward()";
  }
  const name = (t: number) => clipName(f.label(t), 16);
  if (node.variable !== null) {
    return `computed in a hook of ${name(node.variable)}`;
  }
  const owner = f.log.holders
    .get(node.id)
    ?.map(f.state, f)
    .find((t) => t.created_step < f.cursor && t.grad_fn === node.id);
  return `computed in ${short(node.name)}${owner ? ` of ${name(owner.id)}` : ""}`;
}

/** A formula with its result: "self: grad * other = 2.". */
function passedText(
  node: TraceNode,
  got: Value | null | undefined,
  i: number,
  value: Value,
  room: number,
): string {
  const names: string[] = [];
  for (const name in node.formulas) {
    names.push(name);
  }
  const name = names.length === node.next_functions.length ? names[i] : names.length === 1 ? names[0] : "";
  const result = brief(value, 22);
  if (!name) {
    return `input ${i + 1}: ${result}`;
  }
  let formula = ofDtype(node.formulas[name], value.dtype);
  if (got && String(got.shape) !== String(value.shape) && !/\w\(|@/.test(formula)) {
    formula += ", summed"; // the formula is element by element, so the broadcast of this input is summed
  }
  return `${name}: ${clip(formula, 2 * room - name.length - columnsOf(result) - 5)} = ${result}`;
}

/** A formula for gradients of a dtype: real numbers need no conjugates. */
function ofDtype(formula: string, dtype: string): string {
  return dtype.startsWith("complex")
    ? formula
    : formula.replace(/conj\((\w+(?:\([^()]*\))?)\)/g, "$1").replaceAll("conj(", "(");
}

/** The text of a node's saved tensors. */
function savedText(f: Frame, node: TraceNode): string {
  if (node.saved.length === 0) {
    return "";
  }
  if (node.freed_step !== null && node.freed_step < f.cursor) {
    return `${plural(node.saved.length, "saved tensor")} freed`;
  }
  const parts = node.saved.map(({ name, tensor, version }) => {
    const what = tensor === null ? "its result" : f.label(tensor);
    const now = tensor === null ? version : versionNow(f, tensor, version);
    return `${clipName(what, 12)} (v${version}${now !== version ? `, now v${now}!` : ""}) as ${name}`;
  });
  return `saved ${parts.join(", ")}`;
}

function versionNow(f: Frame, tensor: number, known: number): number {
  return f.version(f.state(tensor).version_counter) ?? known;
}

function overwritten(f: Frame, node: TraceNode): boolean {
  return node.saved.some(
    ({ tensor, version }) => tensor !== null && versionNow(f, tensor, version) !== version,
  );
}

// The same as a table

function tableOf(f: Frame, drawn: Drawn[], flow: Flow, { home, lanes }: Plan): string[][] {
  const last = lastUses(drawn, home);
  const keys = new Set(drawn.map((r) => r.key));
  let running = [...last.keys()].filter((key) => !keys.has(key)); // the lanes that pass this row; at first those from above the window
  return drawn.map((r, i) => {
    const marks = Array<string>(2 * lanes.count).fill(" ");
    for (const key of running) {
      marks[2 * lanes.of.get(key)!] = "│";
    }
    const own = lanes.of.get(r.key);
    if (own !== undefined) {
      for (const m of r.next) {
        const lane = lanes.of.get(home[m])!;
        if (lane !== own) {
          for (let at = 2 * min(lane, own) + 1; at < 2 * max(lane, own); at++) {
            marks[at] = marks[at] === " " ? "─" : "┼";
          }
          const ends = last.get(home[m]) === i;
          marks[2 * lane] = lane > own ? (ends ? "╯" : "┤") : ends ? "╰" : "├";
        }
      }
      marks[2 * own] = r.kind === "cut" ? "×" : r.kind === "fold" ? "⋮" : "●";
      running = running.filter((key) => last.get(key)! > i);
      if (last.has(r.key)) {
        running.push(r.key);
      }
    }
    const line = r.line === null ? "" : String(r.line);
    const drawing = marks.join("").trimEnd();
    if (r.kind === "fold") {
      return [line, drawing, "", repeats(f, r), "", "", ""];
    }
    const node = r.kind === "node" ? f.document.nodes[r.id] : null;
    const inputs = r.chips.filter(([tensor]) => node || tensor !== r.id).map(([tensor]) => f.label(tensor));
    const arrived = node && flow.arrived.has(r.id);
    const what = node && [
      short(node.name) + (r.gone ? " (freed)" : ""),
      ...hooksOf(f, r.id),
      withinText(f, r.tensor),
    ];
    const grad = node ? undefined : flow.totals.get(r.id);
    return [
      line,
      drawing,
      owned(f, r),
      what
        ? what.filter(Boolean).join(", ")
        : r.kind === "leaf"
          ? status(f.state(r.id))
          : "cut: no gradient passes",
      inputs.join(", "),
      node && !r.gone ? savedText(f, node) : "",
      arrived ? orderText(flow, r.id) + gotText(f, flow, r.id) : grad ? accumulatedText(f, r.id, grad) : "",
    ];
  });
}

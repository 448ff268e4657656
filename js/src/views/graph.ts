/** The graph: backward nodes in order of execution, edges in lanes as in `git log --graph`. Twin: jgrad/views/graph.py. */

import type { GradEvent, Step, TraceNode, Value } from "../document";
import { type Frame, status, tensorClass, window } from "../frame";
import {
  CHAR,
  chip,
  chipWidth,
  finished,
  group,
  type Item,
  path,
  points,
  rect,
  type Scene,
  text,
  WIDTH,
  width,
} from "../scene";
import { brief, clip, columnsOf, plural, short } from "../text";

const ROWS = 24; // drawn at most
const SOURCE = 24; // characters of a source line
const LANES = 210; // where the lanes begin
const CHIPS = 4; // leaf chips of a row at most
const LINE = 16; // height of a line of text

/** A tensor beside a row: by which edge it is used (-1: none), and whether a gradient reaches it. */
interface Chip {
  tensor: number;
  edge: number;
  solid: boolean;
}

type Line = [text: string, classes: string, column: number][];

/** A node, a leaf (a tensor that collects a gradient), or a cut (a tensor that detach or .data made). */
interface Row {
  kind: "node" | "leaf" | "cut";
  id: number;
  key: string;
  line: number | null;
  tensor: number | null;
  /** Nodes it uses that have lanes. */
  next: number[];
  chips: Chip[];
  gone: boolean;
  lines: Line[];
  y: number;
  h: number;
}

interface Arrival {
  from: number | null;
  edge: number;
  value: Value;
}

/** The gradients of the latest backward: what nodes got and sent, what reached each node and leaf. */
interface Flow {
  ran: Map<number, Step>;
  arrived: Map<number, Arrival[]>;
  accumulated: Map<number, GradEvent>;
  running: number | null;
}

interface Lanes {
  of: Map<string, number>;
  count: number;
}

export function graph(f: Frame): Scene {
  const flow = flowOf(f);
  let rows = rowsOf(f, flow);
  let hidden = 0;
  if (rows.length > ROWS) {
    const kept = rows.filter((r) => !r.gone);
    hidden = rows.length - kept.length;
    rows = kept;
  }
  const [begin, end] = window(rows.length, focusOf(f, rows), ROWS);
  const drawn = rows.slice(begin, end);
  const lanes = lanesOf(rows, begin, end);
  const spacing = lanes.count <= 3 ? 60 : lanes.count <= 5 ? 44 : lanes.count <= 14 ? 18 : 10;
  const wide = spacing >= 44;
  const chipsAt = LANES + lanes.count * spacing + 8;
  for (const r of drawn) {
    r.lines = linesOf(f, r, flow);
  }
  const longest = Math.max(
    0,
    ...drawn.flatMap((r) => r.chips.map((c) => chipWidth(clip(f.label(c.tensor), 12)))),
  );
  const pills = drawn.some((r) => r.kind !== "leaf" && r.chips.length > 0);
  const textAt = chipsAt + (longest ? longest + (pills ? 74 : 8) : 0) + 10;
  const items: Item[] = [];
  let y = 8;
  if (hidden) {
    items.push(text(LANES, y + 12, `${plural(hidden, "node")} of graphs that are gone`, "muted"));
    y += 22;
  }
  if (begin > 0) {
    items.push(text(LANES, y + 12, `… ${plural(begin, "row")} above`, "muted"));
    y += 22;
  }
  const tops = new Map<string, number>();
  for (const r of drawn) {
    r.y = y;
    r.h = Math.max(r.lines.length * LINE + 12, Math.min(r.chips.length, CHIPS + 1) * 24 + 6, wide ? 36 : 30);
    tops.set(r.key, y);
    y += r.h;
  }
  const behind: Item[] = []; // edges lie under the dots
  const front: Item[] = [];
  let lineBefore: number | null = null;
  for (const r of drawn) {
    if (r.line !== null && r.line !== lineBefore) {
      drawSource(f, r, r.line, items);
    }
    lineBefore = r.line;
    drawEdges(r, flow, lanes, spacing, tops, behind, front);
    front.push(drawRow(f, r, flow, lanes, spacing, textAt));
  }
  items.push(...behind, ...front);
  if (end < rows.length) {
    items.push(text(LANES, y + 12, `… ${plural(rows.length - end, "row")} below`, "muted"));
    y += 22;
  }
  if (rows.length === 0) {
    items.push(text(10, y + 14, "no operation has been recorded by autograd yet", "muted"));
    y += 24;
  }
  const columns = ["line", "graph", "tensor", "grad_fn", "inputs", "saved", "gradient"];
  return finished("graph", f, y + 8, items, columns, tableOf(f, drawn, flow, lanes));
}

// What is drawn

function flowOf(f: Frame): Flow {
  const flow: Flow = { ran: new Map(), arrived: new Map(), accumulated: new Map(), running: null };
  const { steps, nodes } = f.document;
  let call: number | null = null;
  for (let i = 0; i < f.cursor; i++) {
    const { backward, kind } = steps[i];
    if (
      backward != null &&
      backward !== call &&
      (kind === "backward" || kind === "node" || kind === "accumulate")
    ) {
      call = backward;
    }
  }
  if (call === null) {
    return flow;
  }
  const arrive = (node: number, arrival: Arrival): void => {
    const known = flow.arrived.get(node);
    if (known) {
      known.push(arrival);
    } else {
      flow.arrived.set(node, [arrival]);
    }
  };
  for (let i = 0; i < f.cursor; i++) {
    const s = steps[i];
    if (s.backward !== call) {
      continue;
    }
    if (s.kind === "backward") {
      (s.roots ?? []).forEach((root, at) => {
        const { node } = f.state[root];
        const value = s.grads_in?.[at] ?? null;
        if (node !== null && value) {
          arrive(node, { from: null, edge: 0, value });
        }
      });
    } else if (s.kind === "node") {
      const from = s.node!;
      flow.ran.set(from, s);
      nodes[from].next.forEach(([target], edge) => {
        const value = s.grads_out?.[edge] ?? null;
        if (target !== null && value) {
          arrive(target, { from, edge, value });
        }
      });
    } else if (s.kind === "accumulate" && s.grad) {
      flow.accumulated.set(s.grad.tensor, s.grad);
    }
  }
  const { step } = f;
  if (step && (step.kind === "node" || step.kind === "accumulate") && step.backward === call) {
    flow.running = step.node ?? null;
  }
  return flow;
}

/** The rows in order of execution, what is used always above what uses it. */
function rowsOf(f: Frame, flow: Flow): Row[] {
  const { nodes, tensors } = f.document;
  const alive = aliveNodes(f, flow);
  const owner = ownersOf(f);
  const born: { at: number; rank: number; id: number }[] = [];
  const collected = new Set<number>();
  for (const n of nodes) {
    if (n.born < f.cursor) {
      if (n.variable === null) {
        born.push({ at: n.born, rank: 1, id: n.id });
      } else {
        collected.add(n.variable);
      }
    }
  }
  for (const t of f.state) {
    if (t.born >= f.cursor) {
      continue;
    }
    if (t.is_leaf && t.requires_grad && (f.visible(t) || collected.has(t.id))) {
      born.push({ at: t.born, rank: 0, id: t.id });
    } else if ((t.how === "detach" || t.how === "data") && f.maker.has(t.id)) {
      const reads = f.maker.get(t.id)!.reads ?? [];
      if (reads.length && f.state[reads[0]].requires_grad && f.visible(t)) {
        born.push({ at: t.born, rank: 2, id: t.id });
      }
    }
  }
  born.sort((a, b) => a.at - b.at || a.rank - b.rank || a.id - b.id);
  const rows: Row[] = [];
  const placed = new Set<number>();
  const place = (kind: Row["kind"], id: number, more: Partial<Row>): void => {
    const made = { line: null, tensor: id, next: [], chips: [], gone: false, lines: [], y: 0, h: 0, ...more };
    rows.push({ ...made, kind, id, key: kind + id });
  };
  for (const { rank, id } of born) {
    if (rank === 1) {
      // A node found later than its user (it was there before the cell) still goes above it.
      const stack = [id];
      while (stack.length) {
        const n = stack.at(-1)!;
        if (placed.has(n)) {
          stack.pop();
          continue;
        }
        const missing = nodes[n].next.flatMap(([m]) =>
          m !== null && nodes[m].variable === null && !placed.has(m) ? [m] : [],
        );
        if (missing.length && stack.length <= nodes.length) {
          stack.push(...missing);
          continue;
        }
        placed.add(n);
        place("node", n, nodeRow(f, n, owner.get(n) ?? null, !alive.has(n)));
        stack.pop();
      }
    } else if (rank === 0) {
      place("leaf", id, {
        line: f.maker.get(id)?.line ?? null,
        chips: [{ tensor: id, edge: -1, solid: true }],
        gone: !f.visible(f.state[id]),
      });
    } else {
      const made = f.maker.get(id)!;
      const source = made.reads![0];
      const node = f.state[source].node ?? tensors[source].node;
      const above = node !== null && placed.has(node) ? [node] : [];
      const chips: Chip[] = [{ tensor: id, edge: -1, solid: false }];
      if (above.length === 0) {
        chips.unshift({ tensor: source, edge: -1, solid: false });
      }
      place("cut", id, { line: made.line ?? null, next: above, chips });
    }
  }
  return rows;
}

/** A node's row: what it uses from lanes, and the leaves it uses as chips. */
function nodeRow(f: Frame, n: number, tensor: number | null, gone: boolean): Partial<Row> {
  const { nodes } = f.document;
  const node = nodes[n];
  const made = tensor === null ? undefined : f.maker.get(tensor);
  const reads = made?.node === n ? (made.reads ?? []) : [];
  const next: number[] = [];
  const chips: Chip[] = [];
  node.next.forEach(([m], edge) => {
    if (m === null) {
      // An input outside the graph: shown where it is a tensor, not a number.
      if (reads.length === node.next.length && !f.state[reads[edge]].requires_grad) {
        chips.push({ tensor: reads[edge], edge, solid: false });
      }
    } else if (nodes[m].variable !== null) {
      chips.push({ tensor: nodes[m].variable, edge, solid: true });
    } else if (!next.includes(m)) {
      next.push(m);
    }
  });
  return { line: node.line, tensor, next, chips, gone };
}

/** Nodes that a tensor still holds, that ran in the latest backward, or that this step made. */
function aliveNodes(f: Frame, flow: Flow): Set<number> {
  const stack = [...flow.ran.keys()];
  for (const t of f.state) {
    if (t.node !== null && f.visible(t)) {
      stack.push(t.node);
    }
  }
  if (f.step?.node != null) {
    stack.push(f.step.node);
  }
  const found = new Set<number>();
  while (stack.length) {
    const n = stack.pop()!;
    if (!found.has(n)) {
      found.add(n);
      for (const [m] of f.document.nodes[n].next) {
        if (m !== null) {
          stack.push(m);
        }
      }
    }
  }
  return found;
}

/** The tensor that each node computed. */
function ownersOf(f: Frame): Map<number, number> {
  const found = new Map<number, number>();
  for (const t of f.document.tensors) {
    if (t.node !== null && t.born < f.cursor && !found.has(t.node)) {
      found.set(t.node, t.id);
    }
  }
  for (let i = 0; i < f.cursor; i++) {
    for (const { node, tensor } of f.document.steps[i].changes ?? []) {
      if (node != null && !found.has(node)) {
        found.set(node, tensor);
      }
    }
  }
  return found;
}

/** The row that the step at the cursor is about. */
function focusOf(f: Frame, rows: Row[]): number {
  const { step } = f;
  if (!step) {
    return rows.length - 1;
  }
  const touched = f.touched();
  const root = step.kind === "backward" ? step.roots?.[0] : undefined;
  const node = root !== undefined ? f.state[root].node : step.node;
  const leaf = step.grad?.tensor;
  for (let i = rows.length - 1; i >= 0; i--) {
    const { kind, id } = rows[i];
    if (
      (kind === "node" && id === node) ||
      (kind === "leaf" && id === leaf) ||
      (kind === "cut" && touched.has(id))
    ) {
      return i;
    }
  }
  return rows.length - 1;
}

/** The lanes of nodes and cuts; nodes above the window that it uses have lanes too. */
function lanesOf(rows: Row[], begin: number, end: number): Lanes {
  const last = new Map<string, number>();
  for (let i = begin; i < end; i++) {
    for (const m of rows[i].next) {
      last.set(`node${m}`, i);
    }
  }
  const of = new Map<string, number>();
  const busy: string[] = [];
  const free = (): number => {
    const lane = busy.indexOf("");
    return lane >= 0 ? lane : busy.push("") - 1;
  };
  for (let i = 0; i < begin; i++) {
    const { key } = rows[i];
    if (last.has(key)) {
      const lane = free();
      of.set(key, lane);
      busy[lane] = key;
    }
  }
  for (let i = begin; i < end; i++) {
    const { kind, key, next } = rows[i];
    if (kind === "leaf") {
      continue;
    }
    const ending = next.map((m) => `node${m}`).filter((above) => last.get(above) === i);
    for (const above of ending) {
      busy[of.get(above)!] = "";
    }
    const lane = ending.length ? of.get(ending[0])! : free();
    of.set(key, lane);
    busy[lane] = last.has(key) ? key : "";
  }
  return { of, count: Math.max(busy.length, 1) };
}

// How it is drawn

/** The source line that a row and those below it come from. */
function drawSource(f: Frame, r: Row, line: number, items: Item[]): void {
  const k = [`l${line}`];
  const source = f.document.source[line - 1].trim();
  const c = f.step?.line === line ? "mono now" : "mono";
  items.push(path(points("M", 8, r.y + 1, "H", WIDTH - 8), "edge rule muted"));
  items.push(text(26, r.y + 19, String(line), "muted", { k, a: "end" }));
  items.push(text(34, r.y + 19, clip(source, SOURCE), c, { k, label: `line ${line}: ${source}` }));
}

/** The edges from a row up to the rows it uses, with what went along them. */
function drawEdges(
  r: Row,
  flow: Flow,
  lanes: Lanes,
  spacing: number,
  tops: Map<string, number>,
  behind: Item[],
  front: Item[],
): void {
  if (r.kind === "leaf") {
    return;
  }
  const x = laneX(lanes.of.get(r.key)!, spacing);
  const y = r.y + 15;
  for (const m of r.next) {
    const key = `node${m}`;
    const mx = laneX(lanes.of.get(key)!, spacing);
    const top = tops.get(key);
    const start = top !== undefined ? top + 15 : 26;
    const values =
      r.kind === "node" ? (flow.arrived.get(m) ?? []).filter((a) => a.from === r.id).map((a) => a.value) : [];
    const now = values.length && flow.running === r.id ? " now" : "";
    const c = r.kind === "cut" ? "edge cut muted" : values.length ? `edge gradient${now}` : "edge";
    const k = [`n${m}`, r.kind === "node" ? `n${r.id}` : `t${r.id}`];
    const d =
      mx === x
        ? points("M", mx, start, "V", y)
        : points("M", mx, start, "V", y - 22, "C", mx, y - 8, x, y - 16, x, y);
    const label = values.length ? `gradient ${values.map((v) => brief(v, 60)).join(" + ")}` : "";
    behind.push(path(d, c + (r.gone ? " gone" : ""), { k, label }));
    if (values.length && spacing >= 44) {
      front.push(...pillItems(mx, y - 23, pill(values, Math.trunc((spacing - 6) / CHAR)), k, now, label));
    }
  }
}

/** Gradients on an edge in n characters: the number, or their sum as it stands, or a sign of it. */
function pill(values: Value[], n: number): string {
  const whole = values.map((v) => plain(v, 60)).join(" + ");
  if (columnsOf(whole) <= n) {
    return whole;
  }
  return values.length > 1 ? "Σ" : plain(values[0], n);
}

/** A value; of a single element just that element; of a large one a sign of it. */
function plain(value: Value, n: number): string {
  const texts = value.text;
  if (texts?.length === 1) {
    return clip(texts[0], n);
  }
  if (texts?.length && texts.every((t) => t === texts[0]) && columnsOf(texts[0]) + 3 <= n) {
    const same = `${texts[0]} ×${texts.length}`;
    return columnsOf(same) <= n ? same : clip(texts[0], n);
  }
  const s = brief(value, n);
  return !s.startsWith("norm") && columnsOf(s) <= n && n > 8 ? s : "[…]";
}

function pillItems(cx: number, y: number, s: string, k: string[], now: string, label: string): Item[] {
  const w = width(s) + 8;
  return [
    rect(cx - w / 2, y - 8, w, 16, `chip gradient pill${now}`, { k, label }),
    text(cx, y + 4, s, `gradient${now}`, { k, a: "middle" }),
  ];
}

function laneX(lane: number, spacing: number): number {
  return LANES + lane * spacing + spacing / 2;
}

/** The dot, the leaf chips and the words of a row. */
function drawRow(f: Frame, r: Row, flow: Flow, lanes: Lanes, spacing: number, textAt: number): Item {
  const items: Item[] = [];
  const y = r.y + 15;
  const node = r.kind === "node";
  const k = node ? [`n${r.id}`, ...(r.tensor !== null ? [`t${r.tensor}`] : [])] : [`t${r.id}`];
  const gone = r.gone ? " gone" : "";
  const now = isNow(f, r) ? " now" : "";
  const label = labelOf(f, r);
  const lane = lanes.of.get(r.key);
  const x = lane === undefined ? 0 : laneX(lane, spacing);
  const step = node ? flow.ran.get(r.id) : undefined;
  r.chips.slice(0, CHIPS).forEach(({ tensor, edge, solid }, i) => {
    const cy = y + i * 24;
    const name = clip(f.label(tensor), 12);
    const cx = textAt - 12 - chipWidth(name);
    const keys = [`t${tensor}`, ...(node ? [`n${r.id}`] : [])];
    const sent = step?.grads_out?.[edge] ?? null;
    if (r.kind !== "leaf") {
      const running = flow.running === r.id ? " now" : "";
      const c = sent ? `edge gradient${running}` : solid ? "edge" : "edge cut muted";
      const d =
        i === 0
          ? points("M", x, y, "H", cx)
          : points("M", x, y, "C", x + 14, cy, x + 6, cy, x + 26, cy, "H", cx);
      items.push(path(d, c + gone, { k: keys }));
      if (sent) {
        items.push(...pillItems(cx - 36, cy, pill([sent], 7), keys, now, `gradient ${brief(sent, 60)}`));
      }
    }
    const c = solid ? tensorClass(f.state[tensor], name) : "muted";
    items.push(
      ...chip(cx, cy + 4, name, c + (r.kind === "leaf" ? now : "") + gone, {
        k: keys,
        label: f.history(tensor),
      }),
    );
  });
  if (r.chips.length > CHIPS) {
    items.push(
      text(textAt - 12, y + CHIPS * 24 + 4, `+ ${r.chips.length - CHIPS} more`, "muted", { k, a: "end" }),
    );
  }
  if (node) {
    const c = flow.ran.has(r.id) ? "gradient" : "intermediate";
    const dot = ["M", x - 6, y, "A", 6, 6, "0 1 0", x + 6, y, "A", 6, 6, "0 1 0", x - 6, y, "Z"];
    items.push(path(points(...dot), `dot ${c}${now}${gone}`, { k, label }));
  } else if (r.kind === "cut") {
    const cross = points("M", x - 6, y - 5, "L", x + 6, y + 5, "M", x - 6, y + 5, "L", x + 6, y - 5);
    items.push(path(cross, `mark error${now}`, { k }));
  }
  r.lines.forEach((line, i) => {
    for (const [s, c, at] of line) {
      items.push(text(textAt + at * CHAR, r.y + 19 + i * LINE, s, c + (i === 0 ? now : "") + gone, { k }));
    }
  });
  return group(items, { k, label, role: "listitem" });
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

function labelOf(f: Frame, r: Row): string {
  if (r.kind !== "node") {
    return f.history(r.id);
  }
  const whose = r.tensor !== null ? `, the grad_fn of ${f.label(r.tensor)}` : "";
  return short(f.document.nodes[r.id].name) + whose + (r.gone ? ", gone: nothing holds it any more" : "");
}

/** The words of a row. */
function linesOf(f: Frame, r: Row, flow: Flow): Line[] {
  if (r.kind === "leaf") {
    const lines: Line[] = [[[status(f.state[r.id]), "muted", 0]]];
    const grad = flow.accumulated.get(r.id);
    if (grad) {
      lines.push([[clip(accumulatedText(f, r.id, grad), 60), "gradient", 0]]);
    }
    return lines;
  }
  if (r.kind === "cut") {
    const by = f.maker.get(r.id)!.op === "data" ? ".data" : "detach()";
    return [[[`cut here by ${by}: no gradient passes`, "muted", 0]]];
  }
  const node = f.document.nodes[r.id];
  const name = short(node.name);
  const lines: Line[] = [];
  if (r.tensor !== null) {
    const label = clip(f.label(r.tensor), 16);
    const first: Line = [
      [label, "title intermediate", 0],
      [name, "mono", columnsOf(label) + 2],
    ];
    if (f.state[r.tensor].retains_grad) {
      first.push(["keeps .grad", "leaf", columnsOf(label) + name.length + 4]);
    }
    lines.push(first);
  } else {
    lines.push([[name, "mono", 0]]);
  }
  const saved = savedText(f, node);
  if (saved) {
    const freed = node.freed !== null && node.freed < f.cursor;
    lines.push([[clip(saved, 50), freed ? "muted" : overwritten(f, node) ? "error" : "saved", 0]]);
  }
  const arrived = flow.arrived.get(r.id);
  if (arrived) {
    lines.push([[clip(`got ${gotText(arrived)}`, 50), "gradient", 0]]);
  }
  const step = flow.ran.get(r.id);
  if (step) {
    node.next.forEach((_, i) => {
      const sent = step.grads_out?.[i] ?? null;
      if (sent) {
        lines.push([[clip(passedText(node, i, sent), 54), "mono", 0]]);
      }
    });
    const grad = r.tensor !== null ? flow.accumulated.get(r.tensor) : undefined;
    if (grad) {
      lines.push([[clip(accumulatedText(f, r.tensor!, grad), 54), "gradient", 0]]);
    }
  }
  return lines;
}

function accumulatedText(f: Frame, tensor: number, grad: GradEvent): string {
  const total = brief(grad.after, 24);
  const parts = (grad.parts ?? []).map((p) => brief(p.value, 14));
  const name = `${clip(f.label(tensor), 16)}.grad`;
  if (grad.before !== null) {
    return `${name} = ${brief(grad.before, 14)} + ${parts.join(" + ") || brief(grad.add, 14)} = ${total}`;
  }
  return parts.length > 1 ? `${name} = ${parts.join(" + ")} = ${total}` : `${name} = ${total}`;
}

/** What reached a node: one gradient, or the sum where paths meet. */
function gotText(arrived: Arrival[]): string {
  return arrived.length > 3
    ? `the sum of ${arrived.length} gradients`
    : arrived.map((a) => brief(a.value, 24)).join(" + ");
}

/** A formula with its result: "self: grad * other = 2.". */
function passedText(node: TraceNode, i: number, value: Value): string {
  const names = Object.keys(node.formulas);
  const name = names.length === node.next.length ? names[i] : names.length === 1 ? names[0] : "";
  const result = brief(value, 22);
  return name ? `${name}: ${clip(node.formulas[name], 28)} = ${result}` : `input ${i + 1}: ${result}`;
}

/** What a node keeps for backward. */
function savedText(f: Frame, node: TraceNode): string {
  if (node.saved.length === 0) {
    return "";
  }
  if (node.freed !== null && node.freed < f.cursor) {
    return `${plural(node.saved.length, "saved tensor")} freed`;
  }
  const parts = node.saved.map(({ name, tensor, version }) => {
    const what = tensor === null ? "its result" : f.label(tensor);
    const now = tensor === null ? version : versionNow(f, tensor, version);
    return `${name} = ${clip(what, 12)} v${version}${now !== version ? `, now v${now}!` : ""}`;
  });
  return `saved ${parts.join(", ")}`;
}

function versionNow(f: Frame, tensor: number, known: number): number {
  return f.versions.get(f.state[tensor].counter) ?? known;
}

function overwritten(f: Frame, node: TraceNode): boolean {
  return node.saved.some(
    ({ tensor, version }) => tensor !== null && versionNow(f, tensor, version) !== version,
  );
}

// The same as a table

function tableOf(f: Frame, drawn: Row[], flow: Flow, lanes: Lanes): string[][] {
  const last = new Map<string, number>();
  drawn.forEach((r, i) => {
    for (const m of r.next) {
      last.set(`node${m}`, i);
    }
  });
  const known = new Set(drawn.map((r) => r.key));
  let seen = [...last.keys()].filter((key) => !known.has(key)); // lanes that come from above the window
  return drawn.map((r, i) => {
    const own = lanes.of.get(r.key);
    const row = Array<string>(2 * lanes.count).fill(" ");
    for (const key of seen) {
      if (last.get(key)! >= i) {
        row[2 * lanes.of.get(key)!] = "│";
      }
    }
    if (own !== undefined) {
      for (const m of r.next) {
        const lane = lanes.of.get(`node${m}`)!;
        if (lane !== own) {
          row.fill("─", 2 * Math.min(lane, own) + 1, 2 * Math.max(lane, own));
          const ends = last.get(`node${m}`) === i;
          row[2 * lane] = lane > own ? (ends ? "╯" : "┤") : ends ? "╰" : "├";
        }
      }
      row[2 * own] = r.kind === "cut" ? "×" : "●";
      seen = seen.filter((key) => last.get(key)! > i);
      if (last.has(r.key)) {
        seen.push(r.key);
      }
    }
    const node = r.kind === "node" ? f.document.nodes[r.id] : null;
    const inputs = r.chips.filter((c) => node || c.tensor !== r.id).map((c) => f.label(c.tensor));
    const arrived = node && flow.arrived.get(r.id);
    const grad = r.kind === "leaf" ? flow.accumulated.get(r.id) : undefined;
    return [
      r.line === null ? "" : String(r.line),
      row.join("").trimEnd(),
      r.tensor === null ? "" : f.label(r.tensor),
      node ? short(node.name) : r.kind === "leaf" ? status(f.state[r.id]) : "cut",
      inputs.join(", "),
      node ? savedText(f, node) : "",
      arrived ? gotText(arrived) : grad ? accumulatedText(f, r.id, grad) : "",
    ];
  });
}

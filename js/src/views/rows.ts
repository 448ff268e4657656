/** The rows of the graph: the gradients that passed them, how repetitions fold, and the lane of each row. Counterpart: jgrad/views/rows.py. */

import type { GradUpdate, Step, TraceTensor, Value } from "../document";
import type { Frame } from "../frame";
import { push } from "../log";
import { loopsOf, folded as unitsOf } from "../loops";
import { max } from "../math";

const HIDDEN = 4; // a fold of a repetition hides at least so many rows
const OF_LINE = 4; // only so many rows of one source line, or more, are folded
const FAR = 6; // at most so many rows above the window have a lane into it

/** A tensor next to a row: the number of the edge that uses it (-1 for none), and whether a gradient can reach it. */
export type Chip = [tensor: number, edge: number, solid: boolean];

/** What a row is connected with. */
export interface Joins {
  tensor: number | null;
  /** The nodes that it uses by lanes. */
  next: number[];
  chips: Chip[];
}

/** A node, a leaf (a tensor that collects a gradient), a cut (a tensor that detach or .data made), or a fold of many rows. */
export interface Row {
  readonly key: string;
  readonly kind: "node" | "leaf" | "cut" | "fold";
  readonly id: number;
  readonly line: number | null;
  readonly gone: boolean;
  readonly nodes: number[];
  /** For a fold: the rows that it hides, and how often they repeat. */
  readonly rows: Row[];
  readonly times: number;
  /** Computed only for the rows that are drawn. */
  readonly join: () => Joins;
}

/** A row in the window. */
export interface Drawn extends Row, Joins {
  /** How many of `next` are too far above to be drawn. */
  far?: number;
}

function rowOf(
  kind: Row["kind"],
  id: number,
  line: number | null,
  gone: boolean,
  join: () => Joins,
  nodes: number[] = kind === "node" ? [id] : [],
  rows: Row[] = [],
  times = 1,
): Row {
  return { key: kind + id, kind, id, line, gone, nodes, rows, times, join };
}

export interface Arrival {
  from: number | null;
  value: Value;
  /** The number of the output of which it is the gradient. */
  nr: number;
}

/** The gradients of the latest backward call: what nodes got and sent, and what arrived at each node and leaf. */
export interface Flow {
  ran: Map<number, Step>;
  arrived: Map<number, Arrival[]>;
  totals: Map<number, GradUpdate>;
  running: number | null;
  /** The call that started it: "backward" or "grad". */
  op?: string;
}

export interface Lanes {
  of: Map<string, number>;
  count: number;
}

/** Whether a step is one that a backward call runs. */
export function isRun({ kind, backward_call: own }: Step, call = own): boolean {
  return own === call && ["node", "accumulate"].includes(kind);
}

export function flowAt(f: Frame): Flow {
  const flow: Flow = { ran: new Map(), arrived: new Map(), totals: new Map(), running: null };
  const { nodes, steps } = f.document;
  const latest = f.last((s) => s.backward_call != null && (s.kind === "backward" || isRun(s)));
  if (latest < 0) {
    return flow;
  }
  const call = steps[latest].backward_call!;
  const begin = f.log.calls.get(call) ?? 0;
  flow.op = steps[begin].op;
  for (let i = begin; i < f.cursor; i++) {
    const s = steps[i];
    if (s.backward_call !== call) {
      continue;
    }
    if (s.kind === "backward") {
      s.roots?.forEach((root, i) => {
        const { grad_fn: node, output_nr: nr } = f.state(root);
        const value = s.grads_in?.[i];
        if (node !== null && value) {
          push(flow.arrived, node, { from: null, value, nr });
        }
      });
    } else if (s.kind === "node") {
      const from = s.node!;
      flow.ran.set(from, s);
      nodes[from].next_functions.forEach(([target, nr], edge) => {
        const value = s.grads_out?.[edge];
        if (target !== null && value) {
          push(flow.arrived, target, { from, value, nr });
        }
      });
    } else if (s.kind === "accumulate" && s.grad) {
      flow.totals.set(s.grad.tensor, s.grad);
    }
  }
  const { step } = f;
  if (step && isRun(step, call)) {
    flow.running = step.node ?? null;
  }
  return flow;
}

/** The rows in order of execution. A row is always above the rows that use it. Rows of graphs that are gone are shown only if there are few rows. */
export function rowsOf(f: Frame, flow: Flow, most: number): { rows: Row[]; hidden: number } {
  const { nodes } = f.document;
  const { order, placeOf } = f.log;
  const there = new Set(f.tensors().map((t) => t.id));
  const alive = new Set(aliveNodes(f, [...flow.ran.keys()]));
  const used = new Set<number>(); // what nodes read
  for (const n of alive) {
    const made = ownerAt(f, n);
    const step = made === null ? undefined : f.maker(made);
    for (const t of (step?.node === n && step.reads) || []) {
      used.add(t);
    }
  }
  const rows: Row[] = [];
  let gone = 0;
  /** A loop has thousands of graphs that are gone. Their rows need not be made. */
  const add = (kind: "node" | "leaf" | "cut", id: number, held: boolean, join: () => Joins): void => {
    gone += Number(!held);
    if (held || rows.length <= most) {
      const { line = null } = (kind === "node" ? nodes[id] : f.maker(id)) ?? {};
      rows.push(rowOf(kind, id, line, !held, join));
    }
  };
  for (let i = 0; i < order.length && order[i][0] < f.cursor; i++) {
    const [born, rank, id] = order[i];
    if (rank === 1) {
      add("node", id, alive.has(id), () => nodeJoins(f, id));
      continue;
    }
    const visible = there.has(id);
    if (rank === 2 && !visible && !used.has(id)) {
      continue;
    }
    const t = f.state(id);
    const leaf = t.is_leaf && t.requires_grad && (visible || collected(f, id));
    if (rank === 0 && leaf) {
      add("leaf", id, visible, () => ({ tensor: id, next: [], chips: [[id, -1, true]] }));
    } else if (rank === 2 && !leaf) {
      const source = cutFrom(f, t);
      if (source !== undefined) {
        const node = nodeAt(f, source, born);
        const joins: Joins = { tensor: id, next: [], chips: [[id, -1, false]] };
        if (node !== null && placeOf[node] < i) {
          joins.next.push(node);
        } else {
          joins.chips.unshift([source, -1, false]);
        }
        add("cut", id, true, () => joins);
      }
    }
  }
  const hidden = rows.length > most ? gone : 0;
  return { rows: hidden ? rows.filter((r) => !r.gone) : rows, hidden };
}

/** The input of a tensor to which no gradient can go back, because of detach, `.data`, or disabled grad mode. */
function cutFrom(f: Frame, t: TraceTensor): number | undefined {
  const made = f.maker(t.id);
  const cut = made && !t.requires_grad && !made.op.endsWith("_like") && /^(b?float|complex)/.test(t.dtype);
  const reads = (cut && made.reads) || [];
  return (t.origin === "op" ? reads : reads.slice(0, 1)).find((source) => f.state(source).requires_grad);
}

/** The tensor that a node computed. */
export function ownerAt(f: Frame, n: number): number | null {
  return f.log.owners.latest(n, f.cursor) ?? f.log.adopters.latest(n, f.cursor) ?? null;
}

/** Whether an AccumulateGrad node waits for a leaf. */
function collected(f: Frame, leaf: number): boolean {
  return (f.log.sinks.get(leaf) ?? []).some((n) => f.document.nodes[n].created_step < f.cursor);
}

/** The tensor that a node computed, the nodes that it uses by lanes, and the leaves that it uses as chips. */
function nodeJoins(f: Frame, n: number): Joins {
  const { nodes } = f.document;
  const node = nodes[n];
  const tensor = ownerAt(f, n);
  const made = tensor === null ? undefined : f.maker(tensor);
  const reads = made?.node === n ? (made.reads ?? []) : [];
  const next: number[] = [];
  const chips: Chip[] = [];
  node.next_functions.forEach(([m], edge) => {
    if (m === null) {
      // An input outside of the graph is shown if it is a tensor and not a number.
      if (reads.length === node.next_functions.length && !f.state(reads[edge]).requires_grad) {
        chips.push([reads[edge], edge, false]);
      }
    } else if (nodes[m].variable !== null) {
      chips.push([nodes[m].variable, edge, true]);
    } else if (!next.includes(m)) {
      next.push(m);
    }
  });
  return { tensor, next, chips };
}

/** Nodes that a tensor still holds, that this step made, or that `held` leads to, in their order. */
export function aliveNodes(f: Frame, held: number[]): number[] {
  const { nodes } = f.document;
  const stack: (number | null)[] = [...held, f.step?.node ?? null, ...f.tensors().map((t) => t.grad_fn)];
  const found = new Set<number>();
  while (stack.length) {
    const n = stack.pop()!;
    if (n !== null && !found.has(n)) {
      found.add(n);
      for (const [m] of nodes[n].next_functions) {
        stack.push(m);
      }
    }
  }
  return [...found].sort((a, b) => a - b);
}

/** The grad_fn that a tensor had before a step. */
function nodeAt(f: Frame, tensor: number, step: number): number | null {
  const changed = f.log.changes.before(tensor, step).findLast((change) => change.grad_fn !== undefined);
  return changed ? changed.grad_fn! : f.document.tensors[tensor].grad_fn;
}

/** The row that the step at the cursor is about. */
export function focusOf(f: Frame, rows: Row[]): number {
  const { step } = f;
  if (!step) {
    return rows.length - 1;
  }
  const touched = f.touched();
  const root = step.kind === "backward" ? step.roots?.[0] : undefined;
  const about = {
    node: root !== undefined ? f.state(root).grad_fn : (step.node ?? null),
    leaf: step.grad?.tensor ?? null,
  };
  const at = rows.findLastIndex(({ kind, id }) =>
    kind === "cut" ? touched.has(id) : kind !== "fold" && about[kind] === id,
  );
  return at < 0 ? rows.length - 1 : at;
}

/** Rows with repetitions folded, except for the first, the last and the focused iteration. If more than `most` rows are left, source lines fold too. */
export function folded(f: Frame, rows: Row[], focus: number, most: number): Row[] {
  const { nodes } = f.document;
  const signs = rows.map(
    ({ kind, id, line, gone }) => `${line} ${kind === "node" ? nodes[id].name : kind} ${gone}`,
  );
  const found = unitsOf(loopsOf(signs, HIDDEN), 0, rows.length, focus, true).map(([from, to, loop]) =>
    loop ? fold(f, rows.slice(from, to), null, (to - from) / loop.period) : rows[from],
  );
  if (found.length <= most) {
    return found;
  }
  const lines: Row[] = [];
  for (let i = 0, j = 0; i < found.length; i = j) {
    const { line } = found[i];
    j = i + 1;
    // A repetition inside of one line belongs to that line.
    while (line !== null && j < found.length && rowsIn(found[j]).every((r) => r.line === line)) {
      j += 1;
    }
    const own = found.slice(i, j);
    if (own.length < OF_LINE || own.includes(rows[focus])) {
      lines.push(...own);
    } else {
      lines.push(fold(f, own.slice(0, -1).flatMap(rowsIn), line, 1), own.at(-1)!);
    }
  }
  return lines;
}

function rowsIn(r: Row): Row[] {
  return r.kind === "fold" ? r.rows : [r];
}

/** One row for many rows: it uses what they use outside of them. */
function fold(f: Frame, rows: Row[], line: number | null, times: number): Row {
  const { nodes } = f.document;
  const members = rows.flatMap((r) => r.nodes);
  const join = (): Joins => {
    const inside = new Set(members);
    const above = new Set<number>();
    const leaves = new Set<number>();
    for (const r of rows) {
      for (const m of r.kind === "node" ? nodes[r.id].next_functions.map(([to]) => to) : r.join().next) {
        if (m !== null && nodes[m].variable !== null) {
          leaves.add(nodes[m].variable);
        } else if (m !== null && !inside.has(m)) {
          above.add(m);
        }
      }
    }
    return { tensor: null, next: [...above], chips: [...leaves].map((tensor): Chip => [tensor, -1, true]) };
  };
  return rowOf(
    "fold",
    rows[0].id,
    line,
    rows.every((r) => r.gone),
    join,
    members,
    rows,
    times,
  );
}

/** In the window, removes edges to rows that don't exist, and edges to rows above the window, except for the nearest few. */
export function dropFar(rows: Row[], drawn: Drawn[], home: string[], begin: number): void {
  const rowAt = new Map(rows.map((r, i) => [r.key, i]));
  const at = (m: number): number => rowAt.get(home[m])!;
  for (const r of drawn) {
    r.next = r.next.filter((m) => home[m] !== undefined);
  }
  const above = new Set(drawn.flatMap((r) => r.next.map(at).filter((i) => i < begin)));
  const nearest = [...above].sort((a, b) => a - b).slice(-FAR);
  for (const r of drawn) {
    const near = r.next.filter((m) => at(m) >= begin || nearest.includes(at(m)));
    r.far = r.next.length - near.length;
    r.next = near;
  }
}

/** By row that others use, the last drawn row that uses it. */
export function lastUses(drawn: Drawn[], home: string[]): Map<string, number> {
  const last = new Map<string, number>();
  drawn.forEach((r, i) => {
    for (const m of r.next) {
      last.set(home[m], i);
    }
  });
  return last;
}

/** By row, its lane, if it has one. Rows above the window that rows in it use have lanes too. */
export function lanesOf(rows: Row[], drawn: Drawn[], home: string[], begin: number): Lanes {
  const last = lastUses(drawn, home);
  const of = new Map<string, number>();
  const busy: string[] = [];
  const free = (): number => {
    const lane = busy.indexOf("");
    return lane >= 0 ? lane : busy.push("") - 1;
  };
  for (const { key } of rows.slice(0, begin)) {
    if (last.has(key)) {
      const lane = free();
      of.set(key, lane);
      busy[lane] = key;
    }
  }
  drawn.forEach(({ kind, key, next }, i) => {
    if (kind === "leaf") {
      return;
    }
    const ending = next.map((m) => home[m]).filter((above) => last.get(above) === i);
    for (const above of ending) {
      busy[of.get(above)!] = "";
    }
    const lane = ending.length ? of.get(ending[0])! : free();
    of.set(key, lane);
    busy[lane] = last.has(key) ? key : "";
  });
  return { of, count: max(busy.length, 1) };
}

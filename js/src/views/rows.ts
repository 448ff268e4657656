/** The rows of the graph: what went through them, how repetitions fold, which lane each takes. Twin: jgrad/views/rows.py. */

import type { GradEvent, Step, TraceTensor, Value } from "../document";
import type { Frame } from "../frame";
import { push } from "../log";
import { loopsOf, folded as unitsOf } from "../loops";

const HIDDEN = 4; // rows that a repetition hides at least
const OF_LINE = 4; // rows of one source line at least that are worth folding
const FAR = 6; // rows above the window that have a lane into it at most

/** A tensor beside a row: by which edge it is used (-1: none), and whether a gradient reaches it. */
export type Chip = [tensor: number, edge: number, solid: boolean];

/** What a row joins: known only of the rows that are looked at. */
interface Joins {
  tensor: number | null;
  /** Nodes it uses that have lanes. */
  next: number[];
  chips: Chip[];
}

/** A node, a leaf (a tensor that collects a gradient), a cut (a tensor that detach or .data made), or a fold of many rows. */
export class Row {
  readonly key: string;
  /** How many of `next` lie too far above to be drawn. */
  far = 0;
  readonly #join: () => Joins;
  #joins: Joins | null = null;

  constructor(
    readonly kind: "node" | "leaf" | "cut" | "fold",
    readonly id: number,
    readonly line: number | null,
    readonly gone: boolean,
    join: () => Joins,
    readonly nodes: number[] = kind === "node" ? [id] : [],
    /** Of a fold: the rows it stands for, and how many times they repeat. */
    readonly rows: Row[] = [],
    readonly times = 1,
  ) {
    this.key = kind + id;
    this.#join = join;
  }

  get joins(): Joins {
    this.#joins ??= this.#join();
    return this.#joins;
  }

  get tensor(): number | null {
    return this.joins.tensor;
  }

  get next(): number[] {
    return this.joins.next;
  }

  get chips(): Chip[] {
    return this.joins.chips;
  }
}

interface Arrival {
  from: number | null;
  value: Value;
  /** Of which output it is the gradient. */
  nr: number;
}

/** The gradients of the latest backward: what nodes got and sent, what reached each node and leaf. */
export interface Flow {
  ran: Map<number, Step>;
  arrived: Map<number, Arrival[]>;
  accumulated: Map<number, GradEvent>;
  running: number | null;
}

export interface Lanes {
  of: Map<string, number>;
  count: number;
}

export function flowAt(f: Frame): Flow {
  const flow: Flow = { ran: new Map(), arrived: new Map(), accumulated: new Map(), running: null };
  const { nodes, steps } = f.document;
  const flows = ({ backward, kind }: Step): boolean =>
    backward != null && (kind === "backward" || kind === "node" || kind === "accumulate");
  const latest = f.last(flows);
  if (latest < 0) {
    return flow;
  }
  const call = steps[latest].backward!;
  for (let i = f.log.calls.get(call) ?? 0; i < f.cursor; i++) {
    const s = steps[i];
    if (s.backward !== call) {
      continue;
    }
    if (s.kind === "backward") {
      s.roots?.forEach((root, i) => {
        const { node, output_nr: nr } = f.state(root);
        const value = s.grads_in?.[i];
        if (node !== null && value) {
          push(flow.arrived, node, { from: null, value, nr });
        }
      });
    } else if (s.kind === "node") {
      const from = s.node!;
      flow.ran.set(from, s);
      nodes[from].next.forEach(([target, nr], edge) => {
        const value = s.grads_out?.[edge];
        if (target !== null && value) {
          push(flow.arrived, target, { from, value, nr });
        }
      });
    } else if (s.kind === "accumulate" && s.grad) {
      flow.accumulated.set(s.grad.tensor, s.grad);
    }
  }
  const { step } = f;
  if (step && step.backward === call && (step.kind === "node" || step.kind === "accumulate")) {
    flow.running = step.node ?? null;
  }
  return flow;
}

/** The rows in order of execution, what is used always above what uses it; those that are gone only where there are few. */
export function rowsOf(f: Frame, flow: Flow, most: number): { rows: Row[]; hidden: number } {
  const { nodes, tensors } = f.document;
  const { order, placeOf } = f.log;
  const alive = aliveNodes(f, [...flow.ran.keys()]);
  const used = new Set<number>(); // what nodes read
  alive.forEach((held, n) => {
    const made = held ? ownerAt(f, n) : null;
    const step = made === null ? undefined : f.maker(made);
    if (step?.node === n) {
      step.reads?.forEach((t) => {
        used.add(t);
      });
    }
  });
  const rows: Row[] = [];
  let gone = 0;
  /** Of a loop's thousands of graphs, those that are gone need not even be made. */
  const add = (
    kind: Row["kind"],
    id: number,
    line: number | null,
    held: boolean,
    join: () => Joins,
  ): void => {
    gone += Number(!held);
    if (held || rows.length <= most) {
      rows.push(new Row(kind, id, line, !held, join));
    }
  };
  for (let i = 0; i < order.length && order[i][0] < f.cursor; i++) {
    const [born, rank, id] = order[i];
    if (rank === 1) {
      add("node", id, nodes[id].line, alive[id] > 0, () => nodeJoins(f, id));
      continue;
    }
    const visible = f.visible(tensors[id]);
    if (rank === 2 && !visible && !used.has(id)) {
      continue;
    }
    const t = f.state(id);
    const leaf = t.is_leaf && t.requires_grad && (visible || collected(f, id));
    const line = f.maker(id)?.line ?? null;
    if (rank === 0 && leaf) {
      add("leaf", id, line, visible, () => ({ tensor: id, next: [], chips: [[id, -1, true]] }));
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
        add("cut", id, line, true, () => joins);
      }
    }
  }
  const hidden = rows.length > most ? gone : 0;
  return { rows: hidden ? rows.filter((r) => !r.gone) : rows, hidden };
}

/** What a tensor was computed from and no gradient can go back to: by detach, `.data`, or with grad mode off. */
function cutFrom(f: Frame, t: TraceTensor): number | undefined {
  const made = f.maker(t.id);
  const cut = made && !t.requires_grad && !made.op.endsWith("_like") && /^(b?float|complex)/.test(t.dtype);
  const reads = (cut && made.reads) || [];
  return (t.how === "op" ? reads : reads.slice(0, 1)).find((source) => f.state(source).requires_grad);
}

/** The tensor that a node computed. */
export function ownerAt(f: Frame, n: number): number | null {
  return f.log.owners.latest(n, f.cursor) ?? f.log.adopters.latest(n, f.cursor) ?? null;
}

/** Whether an AccumulateGrad node waits for a leaf. */
function collected(f: Frame, leaf: number): boolean {
  return (f.log.accumulators.get(leaf) ?? []).some((n) => f.document.nodes[n].born < f.cursor);
}

/** The tensor that a node computed, what it uses from lanes, and the leaves it uses as chips. */
function nodeJoins(f: Frame, n: number): Joins {
  const { nodes } = f.document;
  const node = nodes[n];
  const tensor = ownerAt(f, n);
  const made = tensor === null ? undefined : f.maker(tensor);
  const reads = made?.node === n ? (made.reads ?? []) : [];
  const next: number[] = [];
  const chips: Chip[] = [];
  node.next.forEach(([m], edge) => {
    if (m === null) {
      // An input outside the graph: shown where it is a tensor, not a number.
      if (reads.length === node.next.length && !f.state(reads[edge]).requires_grad) {
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

/** Nodes that a tensor still holds, that this step made, or that `held` leads to: 1 at their place. */
export function aliveNodes(f: Frame, held: number[]): Uint8Array {
  const { nodes } = f.document;
  const stack: (number | null)[] = [...held, f.step?.node ?? null];
  for (const t of f.tensors()) {
    stack.push(t.node);
  }
  const found = new Uint8Array(nodes.length);
  while (stack.length) {
    const n = stack.pop()!;
    if (n !== null && !found[n]) {
      found[n] = 1;
      for (const [m] of nodes[n].next) {
        stack.push(m);
      }
    }
  }
  return found;
}

/** The grad_fn that a tensor had before a step. */
function nodeAt(f: Frame, tensor: number, step: number): number | null {
  const changed = f.log.changes.before(tensor, step).findLast((change) => change.node !== undefined);
  return changed ? changed.node! : f.document.tensors[tensor].node;
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
    node: root !== undefined ? f.state(root).node : (step.node ?? null),
    leaf: step.grad?.tensor ?? null,
  };
  const at = rows.findLastIndex(({ kind, id }) =>
    kind === "cut" ? touched.has(id) : kind !== "fold" && about[kind] === id,
  );
  return at < 0 ? rows.length - 1 : at;
}

/** Rows with repetitions folded, their first, last, and focused time apart; where more than `most` are left, those of a source line too. */
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
    // A repetition within one line is of that line.
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

/** One row for many: it uses what they use from outside. */
function fold(f: Frame, rows: Row[], line: number | null, times: number): Row {
  const { nodes } = f.document;
  const members = rows.flatMap((r) => r.nodes);
  const join = (): Joins => {
    const inside = new Set(members);
    const above = new Set<number>();
    const leaves = new Set<number>();
    for (const r of rows) {
      for (const m of r.kind === "node" ? nodes[r.id].next.map(([to]) => to) : r.next) {
        if (m !== null && nodes[m].variable !== null) {
          leaves.add(nodes[m].variable);
        } else if (m !== null && !inside.has(m)) {
          above.add(m);
        }
      }
    }
    return { tensor: null, next: [...above], chips: [...leaves].map((tensor): Chip => [tensor, -1, true]) };
  };
  return new Row(
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

/** In the window, forgets edges to rows that are not there, and those to rows above it but for the nearest few. */
export function dropFar(rows: Row[], home: string[], begin: number, end: number): void {
  const rowAt = new Map(rows.map((r, i) => [r.key, i]));
  const at = (m: number): number => rowAt.get(home[m])!;
  const drawn = rows.slice(begin, end);
  for (const { joins } of drawn) {
    joins.next = joins.next.filter((m) => home[m] !== undefined);
  }
  const above = new Set(drawn.flatMap((r) => r.next.map(at).filter((i) => i < begin)));
  const nearest = [...above].sort((a, b) => a - b).slice(-FAR);
  for (const r of drawn) {
    const near = r.next.filter((m) => at(m) >= begin || nearest.includes(at(m)));
    r.far = r.next.length - near.length;
    r.joins.next = near;
  }
}

/** The lane of each row that has one. Rows above the window that are used in it have lanes too. */
export function lanesOf(rows: Row[], home: string[], begin: number, end: number): Lanes {
  const last = new Map<string, number>();
  for (let i = begin; i < end; i++) {
    for (const m of rows[i].next) {
      last.set(home[m], i);
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
    const ending = next.map((m) => home[m]).filter((above) => last.get(above) === i);
    for (const above of ending) {
      busy[of.get(above)!] = "";
    }
    const lane = ending.length ? of.get(ending[0])! : free();
    of.set(key, lane);
    busy[lane] = last.has(key) ? key : "";
  }
  return { of, count: Math.max(busy.length, 1) };
}

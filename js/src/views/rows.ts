/** The rows of the graph: what went through them, how repetitions fold, which lane each takes. Twin: jgrad/views/rows.py. */

import type { GradEvent, Step, Value } from "../document";
import type { Frame } from "../frame";
import { push } from "../log";

const REPEATED = 12; // rows of a repetition at most

/** A tensor beside a row: by which edge it is used (-1: none), and whether a gradient reaches it. */
export type Chip = [tensor: number, edge: number, solid: boolean];

/** A node, a leaf (a tensor that collects a gradient), a cut (a tensor that detach or .data made), or a fold of many rows. */
export interface Row {
  kind: "node" | "leaf" | "cut" | "fold";
  id: number;
  key: string;
  line: number | null;
  tensor: number | null;
  nodes: number[];
  /** Nodes it uses that have lanes. */
  next: number[];
  chips: Chip[];
  gone: boolean;
  /** Of a fold: the rows it stands for, and how many times they repeat. */
  rows: Row[];
  times: number;
}

interface Arrival {
  from: number | null;
  value: Value;
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
  const { nodes } = f.document;
  const steps = f.document.steps.slice(0, f.cursor);
  const flows = (s: Step): boolean =>
    s.backward != null && (s.kind === "backward" || s.kind === "node" || s.kind === "accumulate");
  const call = steps.findLast(flows)?.backward;
  if (call == null) {
    return flow;
  }
  for (const s of steps) {
    if (s.backward !== call) {
      continue;
    }
    if (s.kind === "backward") {
      s.roots?.forEach((root, i) => {
        const { node } = f.state[root];
        const value = s.grads_in?.[i];
        if (node !== null && value) {
          push(flow.arrived, node, { from: null, value });
        }
      });
    } else if (s.kind === "node") {
      const from = s.node!;
      flow.ran.set(from, s);
      nodes[from].next.forEach(([target], edge) => {
        const value = s.grads_out?.[edge];
        if (target !== null && value) {
          push(flow.arrived, target, { from, value });
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

/** The rows in order of execution, what is used always above what uses it. */
export function rowsOf(f: Frame, flow: Flow): Row[] {
  const { nodes } = f.document;
  const alive = aliveNodes(f, flow);
  const owner = ownersOf(f);
  const born: [step: number, rank: number, id: number][] = [];
  const collected = new Set<number>();
  for (const n of nodes) {
    if (n.born < f.cursor) {
      if (n.variable === null) {
        born.push([n.born, 1, n.id]);
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
      born.push([t.born, 0, t.id]);
    } else if (t.how === "detach" || t.how === "data") {
      const source = f.maker.get(t.id)?.reads?.[0];
      if (source !== undefined && f.state[source].requires_grad && f.visible(t)) {
        born.push([t.born, 2, t.id]);
      }
    }
  }
  born.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  const rows: Row[] = [];
  const placed = new Set<number>();
  for (const [at, rank, id] of born) {
    if (rank === 0) {
      const line = f.maker.get(id)?.line ?? null;
      rows.push(row("leaf", id, line, id, [], [[id, -1, true]], !f.visible(f.state[id])));
    } else if (rank === 2) {
      const made = f.maker.get(id)!;
      const source = made.reads![0];
      const node = nodeAt(f, source, at);
      const above = node !== null && placed.has(node) ? [node] : [];
      const chips: Chip[] = [[id, -1, false]];
      if (above.length === 0) {
        chips.unshift([source, -1, false]);
      }
      rows.push(row("cut", id, made.line ?? null, id, above, chips, false));
    } else {
      // A node found later than its user (it was there before the cell) still goes above it.
      const stack = [id];
      while (stack.length) {
        const n = stack.at(-1)!;
        const missing = placed.has(n)
          ? []
          : nodes[n].next.flatMap(([m]) =>
              m !== null && nodes[m].variable === null && !placed.has(m) ? [m] : [],
            );
        if (missing.length && stack.length <= nodes.length) {
          stack.push(...missing);
          continue;
        }
        stack.pop();
        if (!placed.has(n)) {
          placed.add(n);
          rows.push(nodeRow(f, n, owner.get(n) ?? null, !alive.has(n)));
        }
      }
    }
  }
  return rows;
}

function row(
  kind: Row["kind"],
  id: number,
  line: number | null,
  tensor: number | null,
  next: number[],
  chips: Chip[],
  gone: boolean,
): Row {
  const nodes = kind === "node" ? [id] : [];
  return { kind, id, key: kind + id, line, tensor, nodes, next, chips, gone, rows: [], times: 1 };
}

/** A node's row: what it uses from lanes, and the leaves it uses as chips. */
function nodeRow(f: Frame, n: number, tensor: number | null, gone: boolean): Row {
  const { nodes } = f.document;
  const node = nodes[n];
  const made = tensor === null ? undefined : f.maker.get(tensor);
  const reads = made?.node === n ? (made.reads ?? []) : [];
  const above: number[] = [];
  const chips: Chip[] = [];
  node.next.forEach(([m], edge) => {
    if (m === null) {
      // An input outside the graph: shown where it is a tensor, not a number.
      if (reads.length === node.next.length && !f.state[reads[edge]].requires_grad) {
        chips.push([reads[edge], edge, false]);
      }
    } else if (nodes[m].variable !== null) {
      chips.push([nodes[m].variable, edge, true]);
    } else if (!above.includes(m)) {
      above.push(m);
    }
  });
  return row("node", n, node.line, tensor, above, chips, gone);
}

/** Nodes that a tensor still holds, that ran in the latest backward, or that this step made. */
function aliveNodes(f: Frame, flow: Flow): Set<number> {
  const stack: (number | null)[] = [...flow.ran.keys(), f.step?.node ?? null];
  for (const t of f.tensors()) {
    stack.push(t.node);
  }
  const found = new Set<number>();
  while (stack.length) {
    const n = stack.pop()!;
    if (n !== null && !found.has(n)) {
      found.add(n);
      for (const [m] of f.document.nodes[n].next) {
        stack.push(m);
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

/** The grad_fn that a tensor had before a step. */
function nodeAt(f: Frame, tensor: number, step: number): number | null {
  let { node } = f.document.tensors[tensor];
  for (const [at, change] of f.log.changes(tensor)) {
    if (at < step && change.node !== undefined) {
      node = change.node;
    }
  }
  return node;
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
    node: root !== undefined ? f.state[root].node : (step.node ?? null),
    leaf: step.grad?.tensor ?? null,
  };
  const at = rows.findLastIndex(({ kind, id }) =>
    kind === "cut" ? touched.has(id) : kind !== "fold" && about[kind] === id,
  );
  return at < 0 ? rows.length - 1 : at;
}

/** Rows with repetitions folded: of what repeats, the first time, the last time, and the time that `focus` is in stay. */
export function folded(f: Frame, rows: Row[], focus: number): Row[] {
  const signs = rows.map((r) => `${r.line} ${r.kind === "node" ? f.document.nodes[r.id].name : r.kind}`);
  const found: Row[] = [];
  for (let i = 0; i < rows.length; ) {
    let [period, times] = [1, 1];
    for (let p = 1; p <= REPEATED; p++) {
      let same = i;
      while (same + p < rows.length && signs[same + p] === signs[same]) {
        same += 1;
      }
      const n = 1 + Math.floor((same - i) / p);
      if (n >= 3 && n * p > period * times) {
        [period, times] = [p, n];
      }
    }
    if (period * times < 6) {
      found.push(rows[i]);
      i += 1;
      continue;
    }
    const here = i <= focus && focus < i + period * times ? Math.floor((focus - i) / period) : 0;
    const kept = [...new Set([0, here, times - 1])].sort((a, b) => a - b);
    kept.forEach((k, at) => {
      const skipped = at > 0 ? k - kept[at - 1] - 1 : 0;
      if (skipped > 0) {
        found.push(fold(rows.slice(i + (k - skipped) * period, i + k * period), skipped));
      }
      found.push(...rows.slice(i + k * period, i + (k + 1) * period));
    });
    i += period * times;
  }
  return found;
}

/** One row for many: it uses what they use from outside. */
function fold(rows: Row[], times: number): Row {
  const nodes = rows.flatMap((r) => r.nodes);
  const inside = new Set(nodes);
  const above = new Set(rows.flatMap((r) => r.next).filter((m) => !inside.has(m)));
  const leaves = new Set(
    rows.flatMap((r) =>
      r.kind === "node" ? r.chips.flatMap(([tensor, , solid]) => (solid ? [tensor] : [])) : [],
    ),
  );
  const chips = [...leaves].map((tensor): Chip => [tensor, -1, true]);
  return { ...row("fold", rows[0].id, null, null, [...above], chips, false), nodes, rows, times };
}

/** The lane of each row that has one. Rows above the window that are used in it have lanes too. */
export function lanesOf(rows: Row[], home: Map<number, string>, begin: number, end: number): Lanes {
  const last = new Map<string, number>();
  for (let i = begin; i < end; i++) {
    for (const m of rows[i].next) {
      last.set(home.get(m)!, i);
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
    const ending = next.map((m) => home.get(m)!).filter((above) => last.get(above) === i);
    for (const above of ending) {
      busy[of.get(above)!] = "";
    }
    const lane = ending.length ? of.get(ending[0])! : free();
    of.set(key, lane);
    busy[lane] = last.has(key) ? key : "";
  }
  return { of, count: Math.max(busy.length, 1) };
}

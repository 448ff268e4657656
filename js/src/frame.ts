/** The state of a document at a cursor. Counterpart: `Frame` in jgrad/views/scene.py. */

import type { Contents, Step, TraceStorage, TraceTensor, Value } from "./document";
import { gradIn, type Lived, type Log, sameSpan } from "./log";
import { floor, max, min } from "./math";
import { grouped, plural, shapeText, short } from "./text";

export type Frame = ReturnType<typeof createFrame>;

export function createFrame(log: Log, cursor: number) {
  const { document } = log;
  const { steps, tensors: all, nodes, source } = document;
  const step: Step | null = steps[cursor - 1] ?? null;
  const changed = new Map<number, TraceTensor>();
  let present: TraceTensor[] | undefined;

  /** A tensor as it is now. */
  function state(tensor: number): TraceTensor {
    if (!log.changes.has(tensor)) {
      return all[tensor];
    }
    let now = changed.get(tensor);
    if (!now) {
      now = {} as TraceTensor;
      for (const said of [all[tensor], ...log.changes.before(tensor, cursor)]) {
        for (const key in said) {
          now[key as never] = said[key as never]; // for a row this also copies what the getters of its class give
        }
      }
      changed.set(tensor, now);
    }
    return now;
  }

  /** The contents of a storage. */
  function contents(storage: number): Contents {
    return (log.writes.latest(storage, cursor) ?? document.storages[storage]).contents;
  }

  /** The number on a version counter. */
  function version(counter: number): number | undefined {
    return log.versions.latest(counter, cursor);
  }

  /** The `.grad` of a tensor, if a step up to the cursor touched it. */
  function grad(tensor: number): Value | null {
    const at = log.grads.latest(tensor, cursor);
    return at === undefined ? null : gradIn(steps[at], tensor).after;
  }

  /** The step that made a tensor. */
  function maker(tensor: number): Step | undefined {
    return steps[log.makers.latest(tensor, cursor) ?? -1];
  }

  function caption(): string {
    if (step === null) {
      return steps.length ? `before the first of ${plural(steps.length, "step")}` : "as things are now";
    }
    return `step ${grouped(cursor)} of ${grouped(steps.length)} · ${step.text}`;
  }

  /** Whether a tensor, a storage, or what a node saved exists after the step at the cursor. */
  function visible({ created_step, freed_step }: Lived): boolean {
    return created_step < cursor && (freed_step ?? cursor) >= cursor;
  }

  /** The tensors that exist after the step at the cursor. */
  function tensors(): TraceTensor[] {
    present ??= log.tensorsAt(cursor).map(state);
    return present;
  }

  function storages(): TraceStorage[] {
    return log.storagesAt(cursor).map((id) => document.storages[id]);
  }

  /** The name of a variable that now refers to a tensor; empty if there is none. */
  function named(tensor: number): string {
    if (!log.names.has(tensor)) {
      for (const [since, given] of all[tensor].names) {
        log.names.add(tensor, since, given);
      }
    }
    return log.names.latest(tensor, cursor) ?? "";
  }

  /** The label of a tensor: its name, or an earlier name, or the expression that made it, or its number. */
  function label(tensor: number): string {
    const name = named(tensor);
    if (name) {
      return name;
    }
    const earlier = log.names.before(tensor, cursor).findLast((given) => given);
    if (earlier) {
      return `old ${earlier}`;
    }
    const made = maker(tensor);
    if (made?.grad && made.grad.tensor < tensor) {
      return `${label(made.grad.tensor)}.grad`;
    }
    const told = made && ["create", "op", "view"].includes(made.kind) && made.makes?.length === 1;
    const written = told && expression(made);
    if (written && log.inner.latest(tensor, cursor)) {
      return `${made.op} in ${written}`;
    }
    return written || `tensor ${tensor + 1}`;
  }

  /** The source text of a step, if it is short. */
  function expression({ span, backward_call: number }: Step): string {
    // A tensor made during a backward call has the span of that call.
    const call = steps[log.calls.get(number ?? -1) ?? -1];
    if (!span || span[0] !== span[2] || span[3] - span[1] > 60 || (call && sameSpan(call.span, span))) {
      return "";
    }
    return [...source[span[0] - 1]].slice(span[1], span[3]).join("");
  }

  /** The text of a tensor's tooltip. */
  function history(tensor: number): string {
    const t = state(tensor);
    const parts = [
      `${label(tensor)} ${shapeText(t.shape)} ${t.dtype}`,
      `storage ${t.storage + 1}`,
      status(t),
    ];
    if (t.grad_fn !== null) {
      parts.push(`grad_fn ${short(nodes[t.grad_fn].name)}`);
    }
    return parts.join(", ");
  }

  /** The position of the last step before the cursor for which `holds` is true, or -1. */
  function last(holds: (step: Step) => unknown): number {
    let at = cursor - 1;
    while (at >= 0 && !holds(steps[at])) {
      at -= 1;
    }
    return at;
  }

  /** The tensors that the step at the cursor made or wrote to. */
  function touched(): Set<number> {
    return new Set([...(step?.makes ?? []), ...(step?.writes ?? []).map((write) => write.tensor)]);
  }

  return {
    log,
    document,
    cursor,
    step,
    state,
    contents,
    version,
    grad,
    maker,
    caption,
    visible,
    tensors,
    storages,
    named,
    label,
    expression,
    history,
    last,
    touched,
  };
}

/** The role of a tensor in autograd. */
export function status(tensor: TraceTensor): string {
  if (tensor.is_leaf) {
    return tensor.requires_grad ? "leaf, collects .grad" : "leaf, no gradient";
  }
  return tensor.retains_grad ? "non-leaf, keeps .grad" : "non-leaf, .grad not kept";
}

/** The class of a tensor, which is the meaning of its colour. */
export function tensorClass(f: Frame, tensor: TraceTensor): string {
  if (f.label(tensor.id).endsWith(".grad") || f.maker(tensor.id)?.grad) {
    return "gradient";
  }
  if (!tensor.requires_grad) {
    return "plain";
  }
  return tensor.is_leaf ? "leaf" : "intermediate";
}

/** The n items with the lowest ranks, in their own order. Among equal ranks the newest are taken. */
export function foremost<T extends { id: number }>(things: T[], n: number, rank: (thing: T) => number): T[] {
  if (things.length <= n) {
    return things;
  }
  const ranked = things.map((thing) => [rank(thing), -thing.id, thing] as const);
  ranked.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const best = new Set(ranked.slice(0, n).map(([, , thing]) => thing));
  return things.filter((thing) => best.has(thing));
}

/** The window [begin, end] of `size` items out of n, such that item `focus` is in it, and not at its edge if possible. */
export function window(n: number, focus: number, size: number): [number, number] {
  if (n <= size) {
    return [0, n];
  }
  const start = min(max(focus - floor((size * 2) / 3), 0), n - size);
  return [start, start + size];
}

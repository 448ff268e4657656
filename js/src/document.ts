/** The trace document, `jgrad-trace/1`, as docs/trace-document.md tells it. */

import type { Compared } from "./side";
import { nested, number } from "./text";

export interface Cells {
  numel: number;
  text: string[];
  head: number;
  tail: number;
}

export interface Value {
  shape: number[];
  dtype: string;
  text: string[] | null;
  norm?: number | null;
  nan?: number;
  inf?: number;
}

export interface Grid {
  tensor: number | null;
  name: string;
  title?: string;
  shape: number[];
  /** The coordinates that are kept along each dimension, if not all. */
  at?: number[][];
  text: string[];
}

export interface IndexMap {
  op: string;
  gathers: boolean;
  clash: boolean;
  lost?: boolean;
  rule: string;
  words: string;
  facts: string;
  backward?: string;
  sign: string;
  factor: string;
  by: number[] | null;
  index: Grid[];
  source: Grid | null;
  value: string | null;
  before: Grid | null;
  out: Grid;
  /** Cell of the index, of the source, of the target. */
  moves: [number, number, number][];
  results: string[];
  hits: number[];
  used: number[];
  total: number;
  of?: number;
}

export interface TraceStorage {
  id: number;
  nbytes: number;
  itemsize: number;
  dtype: string;
  device: string;
  numel: number;
  born: number;
  freed: number | null;
  cells: Cells;
}

export interface TraceTensor {
  id: number;
  storage: number;
  shape: number[];
  stride: number[];
  offset: number;
  dtype: string;
  device: string;
  counter: number;
  version: number;
  base: number | null;
  born: number;
  died: number | null;
  names: [number, string][];
  is_leaf: boolean;
  requires_grad: boolean;
  retains_grad: boolean;
  node: number | null;
  output_nr: number;
  how: string;
}

export interface TraceNode {
  id: number;
  name: string;
  formulas: Record<string, string>;
  next: [number | null, number][];
  saved: { name: string; tensor: number | null; version: number }[];
  born: number;
  freed: number | null;
  variable: number | null;
  line: number | null;
  /** Since which step it is known to have a hook, and what to call that. */
  hooks?: [number, string][];
}

export interface Write {
  tensor: number;
  storage: number;
  counter: number;
  versions: [number, number];
  elements: number;
  changed: number[] | null;
  cells: Cells;
}

export interface Part {
  node: number;
  edge: number;
  value: Value;
}

export interface GradEvent {
  tensor: number;
  action: "add" | "set" | "none" | "zero";
  before: Value | null;
  add: Value | null;
  after: Value | null;
  parts?: Part[];
}

export type Change = { tensor: number } & Partial<
  Pick<
    TraceTensor,
    "requires_grad" | "is_leaf" | "node" | "retains_grad" | "shape" | "stride" | "offset" | "storage"
  >
>;

export interface Step {
  kind:
    | "create"
    | "op"
    | "view"
    | "write"
    | "backward"
    | "node"
    | "accumulate"
    | "grad"
    | "error"
    | "difference";
  line?: number | null;
  span?: [number, number, number, number] | null;
  op: string;
  text: string;
  reads?: number[];
  makes?: number[];
  writes?: Write[];
  changes?: Change[];
  node?: number | null;
  backward?: number | null;
  grads_in?: (Value | null)[];
  grads_out?: (Value | null)[];
  roots?: number[];
  grad?: GradEvent | null;
  frees?: number[];
  index?: IndexMap | null;
  error?: { type: string; message: string } | null;
}

export interface Note {
  step: number;
  code: string;
  severity: "info" | "warning" | "error";
  text: string;
  tensors: number[];
  lines: number[];
}

export interface TraceDocument {
  schema: string;
  name: string;
  source: string[];
  storages: TraceStorage[];
  tensors: TraceTensor[];
  nodes: TraceNode[];
  steps: Step[];
  notes: Note[];
  truncated: { kept: number; seen: number } | null;
  /** Of a comparison, whose steps are those of two traces in pairs. */
  compared?: Compared;
}

export const SCHEMA = "jgrad-trace/1";

/** A document as it travels, see jgrad/trace/packing.py. */
interface Packed extends Record<(typeof ROWS)[number], number[]> {
  templates: string[];
  variants: number[][];
  metas: Omit<Value & Cells, "text" | "norm">[];
  values: [number, string | string[] | null, (number | null)?][];
}

const ROWS = ["storages", "tensors", "nodes", "steps"] as const;

/** Makes of what was packed the document that it was. */
function unpack(packed: Packed): void {
  const values = packed.values.map(([which, texts, norm]) => {
    const text = texts === "" ? [] : typeof texts === "string" ? texts.split(" ") : texts;
    return { ...packed.metas[which], text, ...(norm !== undefined && { norm }) } as Value;
  });
  const templates = packed.templates.map((text) => {
    const parts = text.split("\x01");
    return { parts, last: parts.slice(1).map(() => 0), holds: text.includes('{"v":') };
  });
  // Row by row, and without a reviver: in a third of the time that it takes to read them all as one text.
  for (const name of ROWS) {
    packed[name] = packed[name].map((number) => {
      const variant = packed.variants[number];
      const { parts, last, holds } = templates[variant[0]];
      let text = parts[0];
      for (let k = 0; k < last.length; k++) {
        last[k] += variant[k + 1];
        text += last[k] + parts[k + 1];
      }
      const row = JSON.parse(text);
      return holds ? filled(row, values) : row;
    });
  }
  for (const step of (packed as unknown as TraceDocument).steps) {
    step.text = step.text.replace(/␂(\d*)␃/g, (_, k) => (k ? said(values[k]) : "␂"));
  }
}

/** With values in the places of their numbers. */
function filled<T>(found: T, values: Value[]): T {
  for (const key in found) {
    const one = found[key] as { v?: number } | null;
    if (typeof one === "object" && one) {
      found[key] = (one.v === undefined ? filled(one, values) : values[one.v]) as never;
    }
  }
  return found;
}

/** What the sentence of a step says of a value. */
function said({ text, shape, norm }: Value): string {
  if (text !== null && text.length <= 6) {
    return shape.length ? nested(text, shape) : text[0];
  }
  return `a gradient [${shape.join(", ")}]${norm != null ? ` of norm ${number(norm)}` : ""}`;
}

const LISTS = ["source", "storages", "tensors", "nodes", "steps", "notes"] as const;

const DEFLATED = "deflate:";

/** The JSON text of a document as it travelled: large ones come compressed. */
export async function inflate(wire: string): Promise<string> {
  const bytes = Uint8Array.from(atob(wire.slice(DEFLATED.length)), (ch) => ch.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

export function deflated(wire: string): boolean {
  return wire.startsWith(DEFLATED);
}

/** What a document says, or an Error whose message is a sentence for the reader. */
export function read(text: string): TraceDocument {
  let found: unknown;
  try {
    found = JSON.parse(text);
    if ((found as { packed?: unknown } | null)?.packed) {
      unpack(found as Packed);
    }
  } catch {
    throw new Error(
      text.trim() === "" || text === "{}"
        ? "There is no trace here yet."
        : "This is not a trace: its document can't be read, so it was cut or changed on its way.",
    );
  }
  return check(found);
}

/** What says that it is a document, if it is one. */
export function check(found: unknown): TraceDocument {
  const schema = (found as { schema?: unknown } | null)?.schema;
  if (schema !== SCHEMA) {
    throw new Error(
      typeof schema === "string"
        ? `This view reads ${SCHEMA}, and the document says ${schema.slice(0, 40)}; record the cell again with this jgrad.`
        : `This is not a trace: its document does not say that it is ${SCHEMA}.`,
    );
  }
  const document = found as TraceDocument;
  const missing = LISTS.find((name) => !Array.isArray(document[name]));
  const shuffled = (["storages", "tensors", "nodes"] as const).find((name) =>
    document[name]?.some((entry, i) => entry?.id !== i),
  );
  const silent = (step: Step) => typeof step?.kind !== "string" || typeof step.text !== "string";
  const broken = missing
    ? `it has no list of ${missing}`
    : shuffled
      ? `its ${shuffled} are not in the order of their ids`
      : document.steps.some(silent) && "one of its steps says nothing";
  if (broken) {
    throw new Error(`This trace is broken: ${broken}.`);
  }
  return document;
}

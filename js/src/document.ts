/** The trace document, `jgrad-trace/1`, as docs/trace-document.md tells it. */

import type { Compared } from "./side";
import { nested, normOf } from "./text";

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
    | "requires_grad"
    | "is_leaf"
    | "node"
    | "retains_grad"
    | "shape"
    | "stride"
    | "offset"
    | "storage"
    | "dtype"
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

export const BROKEN = "This trace is broken.";
export const SCHEMA = "jgrad-trace/1";

/** A document as it travels, see jgrad/trace/document/packing.py. */
interface Packed extends Record<(typeof ROWS)[number], number[]> {
  templates: string[];
  variants: number[][];
  metas: Omit<Value & Cells, "text" | "norm">[];
  values: [number, string | string[] | null, (number | null)?][];
}

const ROWS = ["storages", "tensors", "nodes", "steps"] as const;

/** Makes something of the numbers that begin at a place. */
type Make = (at: number) => unknown;

const HOLE = "\x01";

/** Makes of what was packed the document that it was. Few rows are ever drawn, so each makes what it says when it is asked. */
function unpack(packed: Packed): void {
  const { templates, variants, metas, values } = packed;
  const known: Value[] = [];
  const valueAt = (number: number): Value => {
    const [which, texts, norm] = values[number];
    known[number] ??= {
      ...metas[which],
      text: texts === "" ? [] : typeof texts === "string" ? texts.split(" ") : texts,
      ...(norm !== undefined && { norm }),
    } as Value;
    return known[number];
  };
  const numbers: number[] = []; // of all rows
  const last: number[] = []; // of each template, where those of its last row begin
  const makes = templates.map((template) => maker(template, numbers, valueAt));
  for (const name of ROWS) {
    packed[name] = packed[name].map((number) => {
      const variant = variants[number];
      const [which] = variant;
      const at = numbers.length;
      for (let k = 1; k < variant.length; k++) {
        numbers.push(variant[k] + (which in last ? numbers[last[which] + k - 1] : 0));
      }
      last[which] = at;
      return makes[which](at) as never;
    });
  }
}

/** Makes the rows of a template. They and the objects in them have getters, in a class for each place where one stands. */
function maker(template: string, numbers: number[], valueAt: (number: number) => Value): Make {
  const tokens = template.match(/"(?:[^"\\]|\\.)*"|[^",:[\]{}]+|[[\]{}]/g)!;
  let next = 0;
  let holes = 0;
  /** Up to the end of an object or a list. */
  const until = <T>(end: string, one: () => T): T[] => {
    const found: T[] = [];
    while (tokens[next] !== end) {
      found.push(one());
    }
    next += 1;
    return found;
  };
  const part = (): Make => {
    const begin = next;
    const first = holes;
    const token = tokens[next++];
    if (token === "[") {
      const parts = until("]", part);
      return (at) => parts.map((one) => one(at));
    }
    if (token === "{") {
      let named = 0; // holes in keys
      const entries = until("}", () => {
        const before = holes;
        const key = part();
        named += holes - before;
        return [key, part()] as const;
      });
      if (tokens.slice(begin, next).join("") === `{"v"${HOLE}}`) {
        return (at) => valueAt(numbers[at + first]);
      }
      if (named) {
        return (at) => Object.fromEntries(entries.map(([key, one]) => [key(at), one(at)]));
      }
      class Row {
        readonly #at: number;

        constructor(at: number) {
          this.#at = at;
        }

        static {
          for (const [key, one] of entries) {
            const name = key(0) as string;
            // Of a row, this is the sentence of a step.
            const make: Make = begin || name !== "text" ? one : (at) => sentence(one(at) as string, valueAt);
            Object.defineProperty(Row.prototype, name, {
              enumerable: true,
              get(this: Row) {
                return make(this.#at);
              },
            });
          }
        }
      }
      return (at) => new Row(at);
    }
    const texts = token.split(HOLE);
    holes += texts.length - 1;
    if (token === HOLE) {
      return (at) => numbers[at + first];
    }
    const read: Make = (at) =>
      JSON.parse(texts.reduce((text, more, k) => text + numbers[at + first + k - 1] + more));
    const same = holes === first && read(0);
    return holes > first ? read : () => same;
  };
  return part();
}

/** What a step says, with what it says of values. */
function sentence(text: string, valueAt: (number: number) => Value): string {
  return text.replace(/␂(\d*)␃/g, (_, k) => (k ? said(valueAt(k)) : "␂"));
}

/** What the sentence of a step says of a value. */
function said(value: Value): string {
  const { text, shape } = value;
  if (text !== null && text.length <= 6) {
    return shape.length ? nested(text, shape) : text[0];
  }
  const norm = normOf(value);
  return `a gradient [${shape.join(", ")}]${norm && ` of norm ${norm}`}`;
}

const DEFLATED = "deflate:";

/** The JSON text of a document as it travelled: large ones come compressed. */
export async function inflate(wire: string): Promise<string> {
  const text = atob(wire.slice(DEFLATED.length));
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    bytes[i] = text.charCodeAt(i);
  }
  // Not through a Blob: its bytes would make their way through another process.
  const stream = new Response(bytes).body!.pipeThrough(new DecompressionStream("deflate"));
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
        : "This is not a trace: it was cut or changed on its way.",
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
  const lists = [...ROWS, "source", "notes"] as const;
  const told = (step: Step) => typeof step?.kind === "string" && "text" in step;
  if (
    !lists.every((name) => Array.isArray(document[name])) ||
    !ROWS.every((name) => name === "steps" || document[name].every((entry, i) => entry?.id === i)) ||
    !document.steps.every(told)
  ) {
    throw new Error(BROKEN);
  }
  return document;
}

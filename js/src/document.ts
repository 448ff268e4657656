/** Reads trace documents: uncompresses, unpacks and checks them. jgrad/trace/document/schema.py describes their fields. */

import { LISTS, type Packed, unpack } from "./packing";
import type { Scene } from "./scene";
import { type TraceDocument as Recorded, type Step as RecordedStep, SCHEMA, type StepKind } from "./schema";

export type * from "./schema";

/** A step, or, in a comparison, a pair of steps that differ. */
export interface Step extends Omit<RecordedStep, "kind"> {
  kind: StepKind | "difference";
}

/** Two traces side by side, as jgrad/views/compare.py writes them. */
export interface Compared {
  traces: TraceDocument[];
  /** For each trace, its own cursor at each position of the common cursor. */
  cursors: number[][];
  /** The list of differences. */
  scene: Scene;
}

/** A trace document, or the document of a comparison of two. */
export interface TraceDocument extends Omit<Recorded, "steps"> {
  steps: Step[];
  /** Only in a comparison, whose steps are those of two traces in pairs. */
  compared?: Compared;
}

export const BROKEN = "This trace is broken.";

const DEFLATED = "deflate:";

/** The JSON text of a document that was sent compressed. */
export async function inflate(wire: string): Promise<string> {
  const text = atob(wire.slice(DEFLATED.length));
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    bytes[i] = text.charCodeAt(i);
  }
  // Not through a Blob: its bytes would go through another process.
  const stream = new Response(bytes).body!.pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

export function deflated(wire: string): boolean {
  return wire.startsWith(DEFLATED);
}

/** Reads and checks a document. Throws an Error whose message is a sentence for the reader. */
export function read(text: string): TraceDocument {
  let found: unknown;
  try {
    found = JSON.parse(text);
    if ((found as { packed?: unknown } | null)?.packed) {
      found = unpack(found as Packed);
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

/** A value as a document. Throws an Error for the reader if it does not have the fields of one. */
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
  const lists = [...LISTS, "source", "notes"] as const;
  const isStep = (step: Step) => typeof step?.kind === "string" && "text" in step;
  if (
    !lists.every((name) => Array.isArray(document[name])) ||
    !LISTS.every((name) => name === "steps" || document[name].every((entry, i) => entry?.id === i)) ||
    !document.steps.every(isStep)
  ) {
    throw new Error(BROKEN);
  }
  return document;
}

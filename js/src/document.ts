/** Reads trace documents: uncompresses, unpacks and checks them. jgrad/tracing/document/schema.py describes their fields. */

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
  /** Of two trainings, the round at each position, counted from 0. */
  rounds?: number[];
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

/** What to tell the reader of an error in reading a document. All but ours come from fields that a broken document lacks. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error && error.constructor === Error ? error.message : BROKEN;
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
      text.trim() === "" || text === "{}" ? "No trace yet." : "This is not a trace: it was cut or changed.",
    );
  }
  return check(found);
}

/** What to do with a document of another version. The views may be older than the kernel's jgrad: JupyterLab may have a jgrad of its own. */
function otherVersion(schema: unknown): string | undefined {
  const [own, version] = [SCHEMA, schema].map((text) =>
    Number(/^jgrad-trace\/(\d{1,9})$/.exec(String(text))?.[1]),
  );
  if (Number.isNaN(version)) {
    return undefined;
  }
  const [age, remedy] = version > own ? ["a newer", "update jgrad"] : ["an older", "run the cell again"];
  return `This trace is of ${age} jgrad (${schema}; these views read ${SCHEMA}); ${remedy}.`;
}

/** A value as a document. Throws an Error for the reader if it does not have the fields of one. */
export function check(found: unknown): TraceDocument {
  const schema = (found as { schema?: unknown } | null)?.schema;
  if (schema !== SCHEMA) {
    throw new Error(
      otherVersion(schema) ?? `This is not a trace: its document does not say that it is ${SCHEMA}.`,
    );
  }
  const document = found as TraceDocument;
  const lists = [...LISTS, "source", "notes"] as const;
  const { diagnosis } = document;
  const said =
    !diagnosis ||
    ([diagnosis.headline, diagnosis.more, diagnosis.repair, diagnosis.proposes] as unknown[]).every(
      Array.isArray,
    );
  const isStep = (step: Step) => typeof step?.kind === "string" && "text" in step;
  if (
    !lists.every((name) => Array.isArray(document[name])) ||
    !LISTS.every((name) => name === "steps" || document[name].every((entry, i) => entry?.id === i)) ||
    !document.steps.every(isStep) ||
    !said
  ) {
    throw new Error(BROKEN);
  }
  return document;
}

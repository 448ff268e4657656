/**
 * Unpacks a trace document. Counterpart: jgrad/tracing/document/packing.py, which explains the format with an example.
 *
 * A large document has 100,000 rows and more, and only few of them are ever drawn. So a row is not built from its JSON text. It gets a class
 * whose getters make each field when it is needed. `rowClass` reads a template once and makes the class. A row is an object of that class,
 * which knows only where its numbers begin in `numbers`.
 */

import { nested, norm_of } from "../made/scene";
import type { Contents, TraceDocument, Value } from "./schema";

export const LISTS = ["storages", "tensors", "nodes", "steps"] as const;

/** A packed document. */
export interface Packed extends Record<(typeof LISTS)[number], number[]> {
  templates: string[];
  variants: number[][];
  metas: Omit<Value & Contents, "elements" | "norm">[];
  values: [meta: number, elements: string | string[] | null, norm?: number | null][];
}

/** Makes a part of a row whose numbers begin at a position in `numbers`. */
type Make = (at: number) => unknown;
type ValueAt = (number: number) => Value;

const HOLE = "\x01";

/** Replaces the numbers of variants in a document by the rows. */
export function unpack(packed: Packed): TraceDocument {
  const { templates, variants } = packed;
  const valueAt = valuesOf(packed);
  const numbers: number[] = []; // those of all rows, one after the other
  const last: number[] = []; // by template: where the numbers of its last row begin
  const makers = templates.map((template) => reader(template, numbers, valueAt));
  for (const list of LISTS) {
    packed[list] = packed[list].map((variant) => {
      const added = variants[variant]; // comes after the number of the template
      const [template] = added;
      const at = numbers.length;
      for (let k = 1; k < added.length; k++) {
        numbers.push(added[k] + (template in last ? numbers[last[template] + k - 1] : 0));
      }
      last[template] = at;
      return makers[template](at) as never;
    });
  }
  return packed as unknown as TraceDocument;
}

/** Gives the values of a document by their numbers. */
function valuesOf({ metas, values }: Packed): ValueAt {
  const known: Value[] = [];
  return (number) => {
    const [meta, text, norm] = values[number];
    known[number] ??= {
      ...metas[meta],
      elements: text === "" ? [] : typeof text === "string" ? text.split(" ") : text,
      ...(norm !== undefined && { norm }),
    } as Value;
    return known[number];
  };
}

/** Reads a template, which is JSON with holes, and returns a function that makes its rows. */
function reader(template: string, numbers: number[], valueAt: ValueAt): Make {
  const tokens = template.match(/"(?:[^"\\]|\\.)*"|[^",:[\]{}]+|[[\]{}]/g)!;
  let next = 0; // the position of the next token
  let holes = 0; // how many holes come before it

  function read(): Make {
    const begin = next;
    const first = holes;
    const token = tokens[next++];
    if (token === "[") {
      const parts = until("]", read);
      return (at) => parts.map((make) => make(at));
    }
    if (token !== "{") {
      return scalar(token);
    }
    let fixed = true; // the names of the fields
    const fields = until("}", () => {
      const before = holes;
      const name = scalar(tokens[next++]);
      fixed &&= holes === before;
      return [name, read()] as const;
    });
    if (tokens.slice(begin, next).join("") === `{"v"${HOLE}}`) {
      return (at) => valueAt(numbers[at + first]);
    }
    return fixed
      ? rowClass(fields, !begin, valueAt)
      : (at) => Object.fromEntries(fields.map(([name, value]) => [name(at), value(at)]));
  }

  /** All parts up to the end of an object or a list. */
  function until<T>(end: string, one: () => T): T[] {
    const found: T[] = [];
    while (tokens[next] !== end) {
      found.push(one());
    }
    next += 1;
    return found;
  }

  /** A text, a number, true, false or null. */
  function scalar(token: string): Make {
    const first = holes;
    const parts = token.split(HOLE);
    holes += parts.length - 1;
    if (token === HOLE) {
      return (at) => numbers[at + first];
    }
    if (holes === first) {
      const same = JSON.parse(token);
      return () => same;
    }
    return (at) => JSON.parse(parts.reduce((text, more, k) => text + numbers[at + first + k - 1] + more));
  }

  return read();
}

/** Returns a function that makes objects of a class with a getter for each of these fields. */
function rowClass(fields: (readonly [name: Make, value: Make])[], isRow: boolean, valueAt: ValueAt): Make {
  class Row {
    readonly #at: number;

    constructor(at: number) {
      this.#at = at;
    }

    static {
      for (const [name, value] of fields) {
        const key = name(0) as string;
        const sentence = isRow && key === "text"; // only a step has one
        Object.defineProperty(Row.prototype, key, {
          enumerable: true,
          get(this: Row) {
            const found = value(this.#at);
            return sentence ? sentenceOf(found as string, valueAt) : found;
          },
        });
      }
    }
  }
  return (at) => new Row(at);
}

/** The sentence of a step, with values in words in the place of their numbers. */
function sentenceOf(text: string, valueAt: ValueAt): string {
  return text.replace(/␂(\d*)␃/g, (_, k) => (k ? inWords(valueAt(k)) : "␂"));
}

/** A value in words, for the sentence of a step. */
function inWords(value: Value): string {
  const { elements, shape } = value;
  if (elements !== null && elements.length <= 6) {
    return shape.length ? nested(elements, shape) : elements[0];
  }
  const norm = norm_of(value);
  return `a gradient [${shape.join(", ")}]${norm && ` of norm ${norm}`}`;
}

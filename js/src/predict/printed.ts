/** Reading what a cell printed, or what a learner wrote, as values. Counterpart: jgrad/notebook/printed.py, with the same names. */

/** A number that is purely imaginary: others are read as two. */
export class Imaginary {
  constructor(readonly size: number) {}
}
/** A word that stood without quotation marks. */
class Label {
  constructor(readonly text: string) {}
}

export type Value = number | string | boolean | null | Imaginary | Value[];
type Found = Value | Label | Found[];

/** A text in which a bracket or a quotation mark has no twin, or which the reason says. */
export class Unreadable extends Error {}

const MOST = 100_000;
const DEEP = 60;
const TOKEN =
  /(?<space>[\s,;]+)|(?<number>[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[jJ]?(?![\p{L}\p{N}_]))|(?<open>[[({])|(?<close>[\])}])|(?<quoted>'[^'\n]*'|"[^"\n]*")|(?<node><[^<>\n]*>)|(?<word>[-+]?[\p{L}_][\p{L}\p{N}_.]*(?:'(?:t|s|re|ve|ll|d|m)\b(?!'))?)|(?<other>[\s\S])/gu;
const TWINS: Record<string, string> = { "[": "]", "(": ")", "{": "}" };
/** Functions that stand for what is in their brackets. */
export const MAKERS = ["tensor", "Size", "array", "Parameter", "list", "tuple"];
export const WORDS = new Map<string, Value>([
  ["none", null],
  ["true", true],
  ["false", false],
  ["yes", true],
  ["no", false],
]);
const NAMED =
  /^(?:(u?int|float|bfloat|complex)\d+[\p{L}\p{N}_]*|bool|strided|sparse_[\p{L}\p{N}_]+|[\p{L}\p{N}_]+(Backward|Grad)\d*|[\p{L}\p{N}_]*Error)$/u;

/** The values in a text, in their order. Words beside other values are left out: they are labels. */
export function read(text: string): Value[] {
  const tokens = [...text.slice(0, MOST).matchAll(TOKEN)].filter(({ groups }) => groups!.space == null);
  return withoutLabels(valuesOf(tokens.values(), "", 0));
}

/** The values of each line that has any, with the number of the line from 1. A tensor that takes several lines belongs to its first one. */
export function lines(text: string): [number, Value[]][] {
  const rows: [number, Value[]][] = [];
  let [row, number, depth] = ["", 1, 0];
  text
    .slice(0, MOST)
    .split("\n")
    .forEach((line, at) => {
      if (depth <= 0) {
        [row, number, depth] = ["", at + 1, 0];
      }
      row += `${line}\n`;
      depth += line.split(/[[(]/).length - line.split(/[\])]/).length;
      if (depth <= 0 && row.trim()) {
        try {
          rows.push([number, read(row)]);
        } catch (why) {
          if (!(why instanceof Unreadable)) {
            throw why;
          }
        }
      }
    });
  return rows.filter(([, values]) => values.length);
}

/** The values in a value that are no lists, in their order. */
export function numbersOf(value: Value): Value[] {
  return Array.isArray(value) ? value.flatMap(numbersOf) : [value];
}

function withoutLabels(values: Found[]): Value[] {
  const named = values.filter((one) => !(one instanceof Label) || NAMED.test(one.text));
  return (named.length ? named : values).map(plain);
}

const plain = (value: Found): Value =>
  value instanceof Label ? value.text : Array.isArray(value) ? value.map(plain) : value;

/** The values up to a closing bracket, or to the end. */
function valuesOf(tokens: IterableIterator<RegExpExecArray>, until: string, depth: number): Found[] {
  if (depth > DEEP) {
    throw new Unreadable();
  }
  const found: Found[] = [];
  for (let next = tokens.next(); !next.done; next = tokens.next()) {
    const text = next.value[0];
    const { close, open, number, quoted, node, word } = next.value.groups!;
    if (close) {
      if (text !== until) {
        throw new Unreadable();
      }
      return found;
    }
    if (open) {
      const inner = valuesOf(tokens, TWINS[text], depth + 1);
      const called = text === "(" && found.length && calls(found[found.length - 1]);
      if (called) {
        found.pop();
      }
      found.push(called ? (inner.length ? inner[0] : []) : inner);
    } else if (number) {
      const digits = text.replace(/_/g, "");
      found.push(/j$/i.test(digits) ? new Imaginary(Number(digits.slice(0, -1))) : Number(digits));
    } else if (quoted) {
      found.push(text.slice(1, -1));
    } else if (node) {
      found.push(new Label(text.slice(1, -1).split(/[ .]/)[0]));
    } else if (word) {
      found.push(wordOf(text));
    } else if (/['"]/.test(text)) {
      throw new Unreadable();
    }
  }
  if (until) {
    throw new Unreadable();
  }
  return found;
}

/** Whether a word makes a value of what stands in the brackets behind it: `tensor([1.])`, `Size([1])`. */
const calls = (value: Found): boolean =>
  value instanceof Label && MAKERS.includes(value.text.slice(value.text.lastIndexOf(".") + 1));

function wordOf(text: string): Found {
  const word = text.replace(/^(jgrad|torch|np|numpy)\./, "");
  const special = /^([-+]?)(nan|inf(?:inity)?)\.?$/i.exec(word);
  if (special) {
    return /nan/i.test(word) ? Number.NaN : special[1] === "-" ? -Infinity : Infinity;
  }
  const value = WORDS.get(word.toLowerCase());
  return value === undefined ? new Label(word) : value;
}

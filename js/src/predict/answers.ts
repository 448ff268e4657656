/** Reading one answer of a prediction as a person means it: sums are computed. Counterpart: jgrad/notebook/answers.py, with the same names. A page
 * has no variables. */

import { NoExpression, parse, type Tree, walk } from "./expression";
import { MAKERS, read, Unreadable, type Value } from "./printed";
import { say } from "./words";

/** "-4 -4" is no difference. */
const ROW = /^-?[\d.]+(?: +-?[\d.]+)* +-[\d.]+(?: +-?[\d.]+)*$/;
const SIZES = /(?<![\p{L}\p{N}_.])(?!0x)\d+(?:x\d+)+(?![\p{L}\p{N}_.])/gu;
export const CONSTANTS: Record<string, number> = { e: Math.E, pi: Math.PI, π: Math.PI };
const FUNCTIONS = "exp log sqrt sin cos tan tanh floor ceil abs round max min".split(" ");
const UNFINISHED =
  /[\p{L}\p{N}_)\]]\s*[*/%^]+\s*[\p{L}\p{N}_([]|[-+*/^]\s*$|(?<![\p{L}\p{N}_.])\d[\d.]*(?![jJ]\b|[eE][-+]?\d)\p{L}/u;
const QUOTED = /'[^']*'|"[^"]*"/g;
const STATEMENT =
  /^(?:(?:import|del|global|nonlocal|assert)\s+[\p{L}_]|from\s+[\p{L}\p{N}_.]+\s+import\b|(?:def|class|for|while|with|if|try|async|lambda)\b[^:]*:\s*\S)/u;
const CALLED = /(?<![\p{L}\p{N}_])([\p{L}_][\p{L}\p{N}_]*)\(/gu;
const VALUES = [...MAKERS, "device", "dtype", "set", "dict"];
const NEGATED =
  /(?<![\p{L}\p{N}_'])(?:not? +(?!it\b|true\b|false\b)[\p{L}_][\p{L}\p{N}_]*|(?<=[\p{L}\p{N}_] )not +(?:true|false)\b|[\p{L}\p{N}_]+n't +[\p{L}\p{N}_])/iu;
const TYPED: Record<string, string> = {
  "\u221e": "inf",
  "^": "**",
  "\u2212": "-",
  "\u2013": "-",
  "\u2044": "/",
  "\u00d7": "*",
  "\u00b7": "*",
  "\u22c5": "*",
  "\u00f7": "/",
  "\u3001": ",",
  "\u201c": '"',
  "\u201d": '"',
  "\u2018": "'",
  "\u2019": "'",
};

/** A text with the signs of a keyboard: for those of formulas, and for the wide ones of Chinese. */
export function typed(text: string): string {
  return text.normalize("NFKC").replace(/[\s\S]/gu, (sign) => TYPED[sign] ?? sign);
}

/** The values of an answer. `printed`: what the cell did. Throws `Unreadable` with the reason. */
export function meaning(answer: string, printed: string): Value[] {
  refuseCode(answer, printed);
  if (NEGATED.test(answer) && !answer.match(QUOTED)) {
    throw new Unreadable();
  }
  const sized = answer.replace(SIZES, (found) => `[${found.split("x").map(Number).join(", ")}]`);
  const values = read(ROW.test(answer) ? answer : computed(sized));
  if (!values.length) {
    throw new Unreadable();
  }
  return values;
}

/** A prediction is a value. Code that is to be run would else be read as its words. */
function refuseCode(answer: string, printed: string): void {
  if (STATEMENT.test(answer)) {
    throw new Unreadable(say("it is a statement, and a prediction is a value"));
  }
  for (const [, called] of answer.replace(QUOTED, "''").matchAll(CALLED)) {
    const standsForItself =
      VALUES.includes(called) || /Error$/.test(called) || printed.includes(`${called}(`);
    if (!FUNCTIONS.includes(called) && !standsForItself) {
      const name = [...called].slice(0, 40).join("");
      throw new Unreadable(say("it calls `{name}`, and a prediction is a value", { name }));
    }
  }
}

/** The answer with the values of sums in their places. */
function computed(answer: string): string {
  let tree: Tree;
  try {
    tree = parse(answer);
  } catch (why) {
    if (!(why instanceof NoExpression)) {
      throw why;
    }
    if (UNFINISHED.test(answer.replace(/'[^']*'|"[^"]*"|<[^<>]*>/g, ""))) {
      throw new Unreadable(say("it is no expression that can be computed"));
    }
    return answer;
  }
  let [text, end] = ["", answer.length];
  for (const part of [...partsOf(tree, answer)].reverse()) {
    const value = numberOf(part, answer);
    const written = value === true ? "True" : value === false ? "False" : String(value);
    text = written + answer.slice(part.end, end) + text;
    end = part.start;
  }
  return answer.slice(0, end) + text;
}

/** The outermost numbers and sums in an expression, from the left. */
function* partsOf(tree: Tree, answer: string): Generator<Tree> {
  if (tree.kind === "sum" || tree.kind === "number") {
    if (![...walk(tree)].some((one) => isImaginary(one, answer))) {
      yield tree;
    }
  } else if (tree.kind === "call" && (FUNCTIONS.includes(tree.operators[0]) || !makesATensor(tree, answer))) {
    yield tree;
  } else if (tree.kind === "call" || tree.kind === "list") {
    for (const inner of tree.parts.slice(0, tree.plain)) {
      yield* partsOf(inner, answer);
    }
  }
}

const textOf = ({ start, end }: Tree, answer: string): string => answer.slice(start, end);

const isImaginary = (tree: Tree, answer: string): boolean =>
  tree.kind === "number" && /j$/i.test(textOf(tree, answer)) && !/^0x/i.test(textOf(tree, answer));

/** Whether a call stands for what is in its brackets, or has no number there. */
function makesATensor(call: Tree, answer: string): boolean {
  const hasNumber = [...walk(call)].some((one) => one.kind === "number" && !isImaginary(one, answer));
  return !hasNumber || MAKERS.includes(call.operators[0]);
}

const dividedByZero = () => new Unreadable(say("it divides by 0"));
const tooLarge = () => new Unreadable(say("the number is too large"));
const notReal = () => new Unreadable(say("it has no real value"));

/** The number, or the truth, of a sum, a product, a comparison and the like. */
function numberOf(tree: Tree, answer: string): number | boolean {
  const written = textOf(tree, answer);
  if (tree.kind === "number" && !isImaginary(tree, answer)) {
    const value = Number(written.replace(/_/g, ""));
    if (value === Infinity && /^\d+$/.test(written)) {
      throw tooLarge();
    }
    return value;
  }
  if (tree.kind === "constant" && written !== "None") {
    return written === "True";
  }
  if (tree.kind === "sum") {
    return ofSum(tree, answer);
  }
  if (tree.kind === "name") {
    const values = read(written);
    if (typeof values[0] === "number" && values.length === 1) {
      return values[0];
    }
    if (Object.hasOwn(CONSTANTS, written)) {
      return CONSTANTS[written];
    }
  }
  if (tree.kind === "call" && FUNCTIONS.includes(tree.operators[0]) && tree.plain === tree.parts.length) {
    return called(
      tree.operators[0],
      tree.parts.map((part) => Number(numberOf(part, answer))),
    );
  }
  throw new Unreadable(say("`{text}` is not a number", { text: [...written].slice(0, 40).join("") }));
}

const COMPARISONS: Record<string, (a: number, b: number) => boolean> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
};

const SUMS: Record<string, (a: number, b: number) => number> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / divisor(b),
  "//": (a, b) => Math.floor(a / divisor(b)),
  "%": (a, b) => a - divisor(b) * Math.floor(a / b),
  "**": power,
};

function divisor(b: number): number {
  if (b === 0) {
    throw dividedByZero();
  }
  return b;
}

function power(a: number, b: number): number {
  if (a === 0 && b < 0) {
    throw dividedByZero();
  }
  const value = a ** b;
  if (Number.isNaN(value) && !Number.isNaN(a) && !Number.isNaN(b)) {
    throw notReal();
  }
  if (Math.abs(value) === Infinity && Number.isFinite(a) && Number.isFinite(b)) {
    throw tooLarge();
  }
  return value;
}

function ofSum(tree: Tree, answer: string): number | boolean {
  const { operators, parts } = tree;
  const knows = operators.every((one) => one in COMPARISONS || one in SUMS || one === "not");
  if (!knows) {
    throw new Unreadable(
      say("`{text}` is not a number", { text: [...textOf(tree, answer)].slice(0, 40).join("") }),
    );
  }
  const values = parts.map((part) => numberOf(part, answer));
  const [first, second] = values.map(Number);
  if (values.length === 1) {
    return operators[0] === "not" ? !first : operators[0] === "-" ? -first : values[0];
  }
  if (operators[0] in SUMS) {
    return SUMS[operators[0]](first, second);
  }
  return operators.every((one, i) => COMPARISONS[one](Number(values[i]), Number(values[i + 1])));
}

/** What Python's function gives, or why it raises. */
function called(name: string, values: number[]): number {
  const [x, y] = values;
  const takes = /^(max|min)$/.test(name) ? values.length > 1 : values.length === 1;
  if (name === "log" && values.length === 2) {
    return called("log", [x]) / divisor(called("log", [y]));
  }
  if (!takes || (/^(sin|cos|tan)$/.test(name) && Math.abs(x) === Infinity)) {
    throw notReal();
  }
  if (/^(floor|ceil|round)$/.test(name) && !Number.isFinite(x)) {
    throw Number.isNaN(x) ? notReal() : tooLarge();
  }
  if ((name === "log" && x <= 0) || (name === "sqrt" && x < 0)) {
    throw notReal();
  }
  const value =
    name === "round" ? rounded(x) : (Math[name as "exp"] as (...all: number[]) => number)(...values);
  if (name === "exp" && value === Infinity && x !== Infinity) {
    throw tooLarge();
  }
  return value;
}

/** To the next whole number, and to the even one of two. */
function rounded(x: number): number {
  const down = Math.floor(x);
  return x - down === 0.5 ? down + (Math.abs(down) % 2) : Math.round(x);
}

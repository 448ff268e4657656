/** What is said of a prediction. Counterpart: jgrad/notebook/prediction.py, with the same names and the same sentences;
 * `tests/notebook/predictions.json` has cases for both. */

import { CONSTANTS, meaning, typed } from "./answers";
import { Imaginary, lines, numbersOf, read, Unreadable, type Value, WORDS } from "./printed";
import { say } from "./words";

const TOLERANCE = 1e-4;
const ROUNDED = 5e-3;
const MOST_SAID = 6;
const MOST_SOUGHT = 60;
const MOST_SEARCHED = 1_000;
const DTYPES: Record<string, string> = {
  float: "float32",
  double: "float64",
  half: "float16",
  short: "int16",
  int: "int32",
  long: "int64",
  cfloat: "complex64",
};
const RAISES =
  /^(?:(it )?(raises?|throws?|fails?|crash(es)?|does(n't| not) work)( an)?( error| exception| one)?|(there is )?(an )?(error|exception))$/;
const ERROR = /^[\p{L}\p{N}_]+Error$/u;
const SAID: Record<string, string> = {
  "it does": "yes",
  "it is": "yes",
  "it does not": "no",
  "it doesn't": "no",
  "it is not": "no",
  "it isn't": "no",
  是: "yes",
  对: "yes",
  不是: "no",
  否: "no",
  不对: "no",
};
const LETTERS = /^(?:(?:t|f|true|false|none|yes|no)[\s,;./]+)*(?:t|f|true|false|none|yes|no)\.?$/i;
const LETTER = /(?<![^\s,;])(?:(t)|f)(?![^\s,;.])/gi;
const MINUS = /(?<![\p{L}\p{N}_.])(?:minus|negative)\s+(?=[\p{L}\p{N}_.])/giu;
const NAMED = /^([\p{L}_][\p{L}\p{N}_.]*)\s*(?:=(?!=)|:|\bis\b)\s*(.+)$/u;
const NUMBERS = "zero one two three four five six seven eight nine ten".split(" ");
const NUMBER = new RegExp(`^(-?)(${NUMBERS.join("|")})(?: \\p{L}[\\p{L}\\p{N}_]*)?$`, "u");
const TIMES = /(?<=\d) ?[\u00d7x] ?(?=\d)/g;
const NO_ERROR =
  /^(?:no error|nothing|ok|fine|never|(it )?(works|runs|does(n't| not) (raise|fail))( an)?( error| exception)?)$/;
const WARNS = ["warns", "warn", "warning", "a warning", "it warns"];
const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** What a cell showed, as jgrad/notebook/input_line.py writes it. */
export interface Shown {
  text: string;
  error: string | null;
  warned: boolean;
  missing: string | null;
  asked: { name: string; text?: string; shows?: string }[];
}

/** The same with the values of what the cell asks for, and the names of those that are whole numbers. */
interface Seen extends Omit<Shown, "asked"> {
  asked: [string, Value][];
  whole: Set<string>;
}

export class Verdict {
  right = 0;
  total = 0;
  head = "";
  /** `mayTryAgain`: whether nothing was compared, because of the form of the prediction. */
  constructor(
    readonly sentences: string[] = [],
    public mayTryAgain = false,
  ) {}

  get isRight(): boolean {
    return this.right === this.total && this.total > 0 && !this.sentences.length;
  }

  text(): string {
    if (!this.total) {
      return this.sentences.join("\n");
    }
    const { right, total } = this;
    const head =
      this.isRight && total === 1 ? say("Right.") : say("{right} of {total} right.", { right, total });
    return [this.head || head, ...this.sentences].join("\n");
  }
}

function seenOf(shown: Shown): Seen {
  const asked = shown.asked.map(({ name, text, shows }): [string, Value] => {
    const values = text === undefined ? read(shows!) : [text];
    return [name, values.length === 1 ? values[0] : values];
  });
  const whole = shown.asked.filter(({ text, shows }) => !/\d\.|\.\d/.test(text ?? shows!));
  return { ...shown, asked, whole: new Set(whole.map(({ name }) => name)) };
}

/** The answers in a line: what stands between the commas outside of brackets and quotation marks. */
export function split(text: string): string[] {
  const parts = [""];
  let depth = 0;
  let quote = "";
  for (const c of text.trim()) {
    const last = parts[parts.length - 1];
    if (quote) {
      quote = c === quote ? "" : quote;
    } else if (/['"]/.test(c) && !/[\p{L}\p{N}]$/u.test(last)) {
      quote = c;
    }
    depth += "([{".includes(c) ? 1 : ")]}".includes(c) ? -1 : 0;
    if (c === "," && depth <= 0 && !quote) {
      parts.push("");
    } else {
      parts[parts.length - 1] += c;
    }
  }
  return parts.map((part) => part.trim()).filter((part) => part);
}

/** Compare the answers in a line with what a cell showed. `otherwise`: what follows on an answer that can't be read. */
export function judged(
  line: string,
  shown: Shown,
  otherwise = say("The cell ran; here is what it printed."),
): Verdict {
  const seen = seenOf(shown);
  const verdict = new Verdict();
  const answers: Value[][] = [];
  const timed = seen.asked.some(([, value]) => Array.isArray(value)) ? line.replace(TIMES, "x") : line;
  let text = typed(timed).replace(MINUS, "-");
  const letters = LETTERS.test(text.trim());
  if (letters) {
    text = text.trim().replace(/[\s,;./]+/g, ",");
  }
  // Beside other answers, T stands for True where one is true or false and no T is printed.
  if (letters || (seen.text.search(LETTER) < 0 && valuesOf(seen).some((one) => typeof one === "boolean"))) {
    text = text.replace(LETTER, (_, isTrue) => (isTrue ? "True" : "False"));
  }
  const parts = inOrderAsked(withoutYes(split(text), seen), seen.asked);
  for (const part of parts.length ? parts : [text.trim()]) {
    let answer =
      (Object.hasOwn(SAID, part.toLowerCase()) && SAID[part.toLowerCase()]) ||
      part.replace(/(?<=[a-z])\.$/, "");
    const [, sign, word] = NUMBER.exec(answer.toLowerCase()) ?? [];
    if (word && !seen.text.toLowerCase().includes(word)) {
      answer = sign + NUMBERS.indexOf(word);
    }
    if (answer.toLowerCase() === "nothing" && seen.asked.length) {
      answer = "None";
    }
    const raises = saysThatItRaises(answer, seen);
    if (raises !== null) {
      aboutError(answer, raises, seen, verdict);
    } else if (WARNS.includes(answer.toLowerCase())) {
      verdict.total++;
      if (seen.warned) {
        verdict.right++;
      } else {
        verdict.sentences.push(say("You said that it warns. It gave no warning."));
      }
    } else {
      try {
        answers.push(meaning(answer, seen.text));
      } catch (why) {
        if (!(why instanceof Unreadable)) {
          throw why;
        }
        return new Verdict([unreadable(answer, why.message, how(seen.asked) || otherwise)], true);
      }
    }
  }
  if (seen.missing && !verdict.total) {
    const told = say(
      "`{name}` is not defined, so nothing was compared. If a cell above makes it, run that one first.",
      { name: seen.missing },
    );
    return new Verdict([told]);
  }
  if (seen.error !== null && answers.length && !verdict.total) {
    verdict.total++;
    verdict.sentences.push(say("You did not say that it raises. It raised {error}.", { error: seen.error }));
  }
  if (/^-?\d+,\d+$/.test(text.trim()) && isOneNumber(seen)) {
    const number = text.trim().replace(",", ".");
    return new Verdict(
      [say("Write {number} with a point: a comma stands between two answers.", { number })],
      true,
    );
  }
  if (seen.asked.length && (answers.length || !verdict.total)) {
    compareAsked(answers, seen, verdict);
  } else if (answers.length && (seen.text.trim() || !verdict.total)) {
    compare(answers, quoted(text, seen.text), verdict);
  }
  if (!verdict.total && /\d,\d/.test(text) && !text.includes("[")) {
    verdict.sentences.push(say("In a number, write a point: a comma begins the next answer."));
  }
  return verdict;
}

/** The answers without a yes or no that stands before the only one and agrees with it: "yes, True", "no, it raises". */
function withoutYes(answers: string[], seen: Seen): string[] {
  const [first, second] = answers.map((one) => one.toLowerCase());
  if (answers.length !== 2 || !["yes", "no"].includes(first)) {
    return answers;
  }
  const isOnly = valuesOf(seen).length < 2 || RAISES.test(second);
  const agrees = (WORDS.get(second) ?? WORDS.get(first)) === WORDS.get(first);
  return isOnly && agrees ? answers.slice(1) : answers;
}

/** The answers in the order of what the cell asks for, if each says by name which one it is: "x.grad = 5, w.grad = 12". */
function inOrderAsked(answers: string[], asked: [string, Value][]): string[] {
  const named = new Map(
    answers.map((one) => (NAMED.exec(one) ?? [one, one, one]).slice(1) as [string, string]),
  );
  const isEach =
    answers.length === asked.length &&
    named.size === asked.length &&
    asked.every(([name]) => named.has(name));
  return isEach ? asked.map(([name]) => named.get(name)!) : answers;
}

/** What the cell asks for, or else what it printed. */
function valuesOf(seen: Seen): Value[] {
  return seen.asked.length
    ? seen.asked.map(([, value]) => value)
    : lines(seen.text).flatMap(([, row]) => row);
}

/** Whether what is asked for, or else what was printed, is a single number. */
function isOneNumber(seen: Seen): boolean {
  const values = valuesOf(seen);
  return values.length === 1 && typeof bare(values[0]) === "number";
}

/** What was printed, with marks around the texts that stand in quotation marks in the answers: so a text with commas is one value. */
function quoted(answers: string, printed: string): string {
  let marked = printed;
  for (const [, one, other] of answers.matchAll(/'([^'"]+)'|"([^'"]+)"/g)) {
    const said = one || other;
    if (IDENTIFIER.test(said) && !WORDS.has(said.toLowerCase())) {
      continue; // a word is one value in any case
    }
    const pattern = said.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    const alone = new RegExp(`(?<![\\p{L}\\p{N}_'"])${pattern}(?![\\p{L}\\p{N}_'"])`, "gu");
    marked = marked.replace(alone, (found) => `'${found}'`);
  }
  return marked;
}

const cut = (text: string): string => {
  const letters = [...text];
  return letters.length <= 40 ? text : `${letters.slice(0, 40).join("")}...`;
};

/** Whether an answer says that the cell raises; null if it is about something else. Where nothing printed is true or false, yes and no are meant so;
 * True and False are, where nothing was printed. */
function saysThatItRaises(answer: string, seen: Seen): boolean | null {
  const word = answer.toLowerCase();
  if (RAISES.test(word) || ERROR.test(answer)) {
    return true;
  }
  if (seen.asked.length) {
    return null;
  }
  if (NO_ERROR.test(word)) {
    return false;
  }
  const told = WORDS.get(word);
  if (typeof told !== "boolean") {
    return null;
  }
  const printed = lines(seen.text).flatMap(([, values]) => numbersOf(values));
  const isValue = (word === "true" || word === "false") && printed.length && seen.error === null;
  return isValue || printed.some((one) => typeof one === "boolean") ? null : told;
}

function aboutError(said: string, raises: boolean, seen: Seen, verdict: Verdict): void {
  const { error } = seen;
  verdict.total++;
  if (raises !== (error !== null)) {
    verdict.sentences.push(
      raises
        ? say("You said that it raises an error. It raised none.")
        : say("You said that it raises no error. It raised {error}.", { error }),
    );
  } else if (!raises || said === error || !ERROR.test(said)) {
    verdict.right++;
  } else {
    verdict.sentences.push(say("You said {said}. It raised {error}.", { said, error }));
  }
}

/** How an answer to what a cell asks for is written. */
function how(asked: [string, Value][]): string {
  const names = asked.map(([name]) => `\`${name}\``).join(", ");
  if (asked.length > 1) {
    return say("Write one answer for each of {names}, with commas between.", { names });
  }
  return names && say("Write the value of {name}.", { name: names });
}

function unreadable(text: string, why: string, then: string): string {
  const answer = cut(text);
  return why
    ? say("I can't read `{answer}`: {why}. {then}", { answer, why, then })
    : say("I can't read `{answer}`. {then}", { answer, then });
}

/** Whether an answer can't be meant as a number. None can: a number may be missing. */
const canBeNoNumber = (value: Value): boolean =>
  numbersOf(value).some((part) => typeof part === "string" || typeof part === "boolean");

function canBeNoTruth(value: Value): boolean {
  const one = bare(value);
  return typeof one !== "boolean" && one !== null && one !== 0 && one !== 1;
}

const single = (values: Value[]): Value => (values.length === 1 ? values[0] : values);

/** Pair the answers with what the cell asks for. One value may be written without its brackets. */
function compareAsked(answers: Value[][], { asked, whole }: Seen, verdict: Verdict): void {
  let said = answers.map(single);
  const parts = asked.map(([, value]) => numbersOf(value));
  const atoms = said.flatMap(numbersOf);
  if (said.length !== asked.length && atoms.length === parts.flat().length) {
    let end = 0;
    said = parts.map(({ length }) => {
      end += length;
      return bare(atoms.slice(end - length, end));
    });
  }
  if (said.length !== asked.length) {
    verdict.sentences.push(say("You gave {gave}. {how}", { gave: answersOf(said.length), how: how(asked) }));
    verdict.mayTryAgain = !verdict.total;
    return;
  }
  verdict.total += asked.length;
  asked.forEach(([name, value], i) => {
    let one = said[i];
    if (typeof one === "string" && typeof bare(value) === "number" && Object.hasOwn(CONSTANTS, one)) {
      one = CONSTANTS[one];
    }
    if (equal(one, value)) {
      verdict.right++;
    } else if (canBeNoNumber(one) && numbersOf(value).every((part) => typeof part === "number")) {
      const words = cut(numbersOf(one).map(written).join(" "));
      verdict.sentences.push(say("I can't read `{words}` as a number for `{name}`.", { words, name }));
      verdict.total--; // what can't be read is not wrong
    } else if (canBeNoTruth(one) && typeof bare(value) === "boolean") {
      verdict.sentences.push(say("Write True or False for `{name}`.", { name }));
      verdict.total--;
    } else {
      const counts = whole.has(name) && [one, value].every((part) => typeof bare(part) === "number");
      const meant = (typeof one === "string" && Object.hasOwn(DTYPES, one) && DTYPES[one]) || "";
      const told = { name, value: show(value), said: show(one), meant };
      const sentence = meant
        ? say("`{name}` is {value}. You said {said}, which is {meant}.", told)
        : say("`{name}` is {value}. You said {said}.", told);
      const isCut =
        typeof one === "string" &&
        typeof value === "string" &&
        value.startsWith(one) &&
        !meant &&
        /^\d+$/.test(value.slice(one.length));
      const how = isCut ? say("Only the number at its end is missing.") : counts ? "" : form(one, value);
      verdict.sentences.push(`${sentence} ${how}`.trimEnd());
    }
  });
  verdict.mayTryAgain ||= !verdict.total;
}

/** Pair the answers with what was printed, in one of the ways in which there are as many of both. */
function compare(answers: Value[][], printedText: string, verdict: Verdict): void {
  const rows = lines(printedText);
  const oneEach = rows.flatMap(([n, values]) => values.map((value): [number, Value] => [n, value]));
  const said = answers.map(single);
  const atoms = said.flatMap(numbersOf);
  const printed = oneEach.flatMap(([n, value]) => numbersOf(value).map((a): [number, Value] => [n, a]));
  if (!oneEach.length) {
    verdict.sentences.push(say("The cell printed nothing to compare with: look at what it shows."));
    return;
  }
  let isByLine = false;
  let part = "";
  let pairs: [number, Value, Value][];
  if (said.length === oneEach.length) {
    pairs = oneEach.map(([n, b], i) => [n, said[i], b]);
    isByLine = oneEach.length === rows.length;
  } else if (said.length === rows.length) {
    let values: Value[];
    [values, part] = askedOf(
      said,
      rows.map(([, row]) => row),
    );
    pairs = rows.map(([n], i) => [n, said[i], values[i]]);
    isByLine = true;
  } else if (atoms.length === printed.length) {
    pairs = printed.map(([n, b], i) => [n, atoms[i], b]);
  } else {
    const byLine = rows.map(([, values]) => single(values));
    lookFor(said, [oneEach.map(([, b]) => b), byLine, printed.map(([, b]) => b)], verdict);
    return;
  }
  const unread = pairs.some(([, a, b]) => canBeNoTruth(a) && typeof bare(b) === "boolean")
    ? say("Write True or False where the cell prints one of them.")
    : pairs.some(([, a, b]) => canBeNoNumber(a) && typeof bare(b) === "number")
      ? say("Write a number where the cell prints one.")
      : "";
  if (unread) {
    verdict.sentences.push(unread);
    verdict.mayTryAgain = !verdict.total;
    return;
  }
  verdict.total += pairs.length;
  const wrong = pairs.map(([n, a, b], i) => ({ i: i + 1, n, a, b })).filter(({ a, b }) => !equal(a, b));
  verdict.right += pairs.length - wrong.length;
  if (part) {
    const { right, total } = verdict;
    verdict.head = say("{right} of {total} right, compared with {part}.", { right, total, part });
  }
  for (const { i, n, a, b } of wrong.slice(0, MOST_SAID)) {
    const parts = { said: show(a), printed: show(b) };
    const told =
      pairs.length === 1
        ? say("You said {said}, it printed {printed}.", parts)
        : isByLine
          ? say("Line {number}: you said {said}, it printed {printed}.", { number: n, ...parts })
          : say("Answer {number}: you said {said}, it printed {printed}.", { number: i, ...parts });
    verdict.sentences.push(`${told} ${form(a, b)}`.trimEnd());
  }
  if (wrong.length > MOST_SAID) {
    verdict.sentences.push(say("{number} more differ.", { number: wrong.length - MOST_SAID }));
  }
}

type Column = [Value[], string];

/** What one answer for each line is compared with, and which part of the lines this is: the whole lines, with an empty text; or, if the answers
 * are single values and lines have several, the column that fits best. */
function askedOf(said: Value[], rows: Value[][]): Column {
  const whole: Column = [rows.map(single), ""];
  if (said.some(Array.isArray)) {
    return whole;
  }
  const fits = ([values]: Column) => said.filter((one, i) => equal(one, values[i])).length;
  let best = whole;
  for (const column of columns(rows)) {
    best = fits(column) > fits(best) ? column : best;
  }
  return best;
}

/** Each column and its name. Columns are counted from the beginning and from the end: a label may have numbers in it. */
function columns(rows: Value[][]): Column[] {
  const width = Math.min(...rows.map((row) => row.length));
  const isOne = rows.length === 1;
  const found: Column[] = [];
  for (let at = 0; at < width; at++) {
    const number = at + 1;
    const name = isOne
      ? say("value {number} of the line", { number })
      : say("value {number} of each line", { number });
    found.push([rows.map((row) => row[at]), name]);
  }
  for (let at = 0; at < width; at++) {
    found.push([rows.map((row) => row[row.length - 1 - at]), fromTheEnd(at, isOne)]);
  }
  return found;
}

/** The name of a column that is counted from the end, of one line or of each. */
function fromTheEnd(at: number, isOne: boolean): string {
  if (at === 0) {
    return isOne ? say("the last value of the line") : say("the last value of each line");
  }
  const number = at + 1;
  return isOne
    ? say("value {number} from the end of the line", { number })
    : say("value {number} from the end of each line", { number });
}

/** Look for the answers among what was printed, of which there is more or less: a learner may predict a part of it. `forms`: the printed
 * values, taken apart in several ways. */
function lookFor(said: Value[], forms: Value[][], verdict: Verdict): void {
  const parts = { gave: answersOf(said.length), printed: valuesPrinted(forms[0].length) };
  const sought = said.slice(0, MOST_SOUGHT);
  let found: number[] = [];
  for (const values of forms) {
    const these = inOrder(sought, values.slice(0, MOST_SEARCHED));
    found = these.length > found.length ? these : found;
  }
  verdict.total += said.length;
  verdict.right += found.length;
  if (found.length === said.length) {
    verdict.head =
      said.length === 1
        ? say("You gave {gave}, and the cell printed {printed}. Yours is among them.", parts)
        : say("You gave {gave}, and the cell printed {printed}. Yours are among them, in this order.", parts);
    return;
  }
  verdict.head = say("You gave {gave}, and the cell printed {printed}.", parts);
  const missing = sought
    .filter((_, i) => !found.includes(i))
    .map(show)
    .slice(0, MOST_SAID)
    .join(", ");
  if (missing) {
    const isCut = forms.some((values) => values.length > MOST_SEARCHED);
    const among = isCut ? say("the first {number} values", { number: MOST_SEARCHED }) : say("them");
    verdict.sentences.push(
      said.length === 1
        ? say("Not found among {among}: {missing}.", { among, missing })
        : say("Not found among {among}, in this order: {missing}.", { among, missing }),
    );
  }
  if (said.length > sought.length) {
    verdict.sentences.push(
      say("Only your first {number} answers were looked for.", { number: sought.length }),
    );
  }
}

/** The positions of as many answers as possible that were printed, in the same order. */
function inOrder(said: Value[], printed: Value[]): number[] {
  const best: number[][] = [[], ...said.map(() => [])];
  for (const value of printed) {
    for (let i = said.length; i > 0; i--) {
      if (best[i - 1].length >= best[i].length && equal(said[i - 1], value)) {
        best[i] = [...best[i - 1], i - 1];
      }
    }
    for (let i = 1; i <= said.length; i++) {
      if (best[i - 1].length > best[i].length) {
        best[i] = best[i - 1];
      }
    }
  }
  return best[said.length];
}

/** Whether an answer is right. A number stands for a list of this one number, too. */
const equal = (said: Value, printed: Value): boolean =>
  same(said, printed) || same(bare(said), bare(printed));

function same(said: Value, printed: Value): boolean {
  if (Array.isArray(said) && Array.isArray(printed)) {
    return said.length === printed.length && said.every((one, i) => same(one, printed[i]));
  }
  if (typeof said === "number" && typeof printed === "number") {
    return Object.is(said, printed) || said === printed || isClose(said, printed);
  }
  if (typeof said === "number" && typeof printed === "boolean") {
    return said === Number(printed);
  }
  if (typeof said === "string" && typeof printed === "string") {
    return plain(said) === plain(printed);
  }
  if (said instanceof Imaginary && printed instanceof Imaginary) {
    return said.size === printed.size;
  }
  return said === printed;
}

function isClose(said: number, printed: number): boolean {
  const relative = printed % 1 === 0 ? TOLERANCE : ROUNDED;
  const most = Math.max(relative * Math.max(Math.abs(said), Math.abs(printed)), TOLERANCE);
  return Number.isFinite(said) && Number.isFinite(printed) && Math.abs(said - printed) <= most;
}

/** In which way an answer is wrong, if a sentence says it; an empty text if not. */
function form(said: Value, printed: Value): string {
  const [a, b] = [bare(said), bare(printed)];
  if (Array.isArray(b) && !Array.isArray(said)) {
    const inner = numbersOf(b);
    return inner.length && inner.every((one) => equal(a, one))
      ? say("Each element is {value}; there are {number}.", { value: show(a), number: inner.length })
      : "";
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    const [x, y] = [numbersOf(a), numbersOf(b)];
    if (x.length !== y.length) {
      return say("You gave {gave}, and it has {number}.", { gave: numbersText(x.length), number: y.length });
    }
    if (x.length > 1 && equal(turned(said), printed)) {
      return say("Rows and columns are exchanged.");
    }
    if (equal(x, y)) {
      return say("The numbers are right, and the shape is another one.");
    }
    const factors = new Set(
      x
        .map((p, i) => [p, y[i]])
        .filter(([p, q]) => !(p === 0 && q === 0))
        .map(([p, q]) => factorOf(p, q)),
    );
    return factors.size === 1 ? ofFactor([...factors][0]) : "";
  }
  const choice = [a, b].includes(1) && [a, b].includes(2); // may be a choice, or a position
  return choice ? "" : ofFactor(factorOf(a, b));
}

/** A value as a learner would write it. */
function show(value: Value): string {
  if (Array.isArray(value)) {
    return `[${value.slice(0, 8).map(show).join(", ")}${value.length > 8 ? ", ..." : ""}]`;
  }
  return typeof value === "number" ? short(value) : cut(written(value));
}

/** A number with six digits, as Python's `.6g` writes it. */
function short(x: number): string {
  if (!Number.isFinite(x)) {
    return Number.isNaN(x) ? "nan" : x < 0 ? "-inf" : "inf";
  }
  const [mantissa, e] = x.toExponential(5).split("e");
  const exponent = Number(e);
  const trimmed = (digits: string) => (digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits);
  const sign = Object.is(x, -0) ? "-" : "";
  if (exponent < -4 || exponent > 5) {
    return `${trimmed(mantissa)}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  return sign + trimmed(x.toFixed(5 - exponent));
}

/** A value as Python's `str` writes it. */
function written(value: Value): string {
  if (value instanceof Imaginary) {
    return `${value.size}j`;
  }
  const words = new Map<Value, string>([
    [null, "None"],
    [true, "True"],
    [false, "False"],
  ]);
  return words.get(value) ?? (typeof value === "number" && value % 1 === 0 ? `${value}.0` : String(value));
}

function bare(value: Value): Value {
  let inner = value;
  while (Array.isArray(inner) && inner.length === 1) {
    inner = inner[0];
  }
  return inner;
}

function plain(text: string): string {
  const word = typed(text).replace(/\s+/g, " ").trim().toLowerCase();
  return Object.hasOwn(DTYPES, word) ? DTYPES[word] : word;
}

/** A table with rows and columns exchanged; anything else as it is. */
function turned(value: Value): Value {
  const rows = Array.isArray(value) ? value : [];
  const first = rows[0];
  if (
    Array.isArray(first) &&
    rows.every((row): row is Value[] => Array.isArray(row) && row.length === first.length)
  ) {
    return first.map((_, i) => (rows as Value[][]).map((row) => row[i]));
  }
  return value;
}

function factorOf(said: Value, printed: Value): number | null {
  if (typeof said === "number" && typeof printed === "number" && said && Number.isFinite(printed)) {
    return Math.round((printed / said) * 1e4) / 1e4;
  }
  return null;
}

function ofFactor(factor: number | null): string {
  if (factor === -1) {
    return say("The sign is the other one.");
  }
  if (factor !== null && [2, 3, 4, 5, 10].includes(factor)) {
    return say("The right one is {factor} times yours.", { factor });
  }
  if (factor !== null && [0.5, 0.25, 0.1].includes(factor)) {
    return say("Yours is {factor} times the right one.", { factor: 1 / factor });
  }
  return "";
}

const answersOf = (number: number): string =>
  number === 1 ? say("1 answer") : say("{number} answers", { number });
const valuesPrinted = (number: number): string =>
  number === 1 ? say("1 value") : say("{number} values", { number });
const numbersText = (number: number): string =>
  number === 1 ? say("1 number") : say("{number} numbers", { number });

/** Python's expressions, as far as a prediction needs them. Nothing is run: a tree is read, and `answers.ts` computes its numbers. */

/** A part of an expression: the positions of its text, and its parts. `number`, `name`, `call`, `list`, `sum` (also a product, a sign, a comparison) and
 * `other` are told apart. */
export interface Tree {
  kind: "number" | "name" | "constant" | "call" | "list" | "sum" | "other";
  start: number;
  end: number;
  parts: Tree[];
  /** Of a sum, its operators; of a call, what is called. */
  operators: string[];
  /** Of a call, how many of its parts are arguments without a name. */
  plain: number;
}

/** A text that is no expression. */
export class NoExpression extends Error {}

const TOKEN =
  /\s*(?:(?<number>0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][-+]?\d+)?[jJ]?)(?![\p{L}\p{N}_])|(?:[rRbBfFuU]{1,2}(?=['"]))?(?<text>'[^'\n]*'|"[^"\n]*")|(?<name>[\p{L}_][\p{L}\p{N}_]*)|(?<sign>\*\*|\/\/|<<|>>|[<>=!]=|\.\.\.|[-+*/%@&|^~<>()[\]{},.:=]))/uy;
const KEYWORDS =
  /^(False|None|True|and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield)$/;
/** From the loosest to the tightest. */
const LEVELS = [["|"], ["^"], ["&"], ["<<", ">>"], ["+", "-"], ["*", "/", "//", "%", "@"]];
const COMPARED = ["<", "<=", ">", ">=", "==", "!=", "in", "is"];
const DEEPEST = 90;

interface Token {
  kind: "number" | "text" | "name" | "sign" | "end";
  text: string;
  start: number;
  end: number;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const source = text.replace(/^((?:[^'"#]|'[^'\n]*'|"[^"\n]*")*)#.*$/, "$1").trimEnd();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const found = TOKEN.exec(source);
    if (!found) {
      throw new NoExpression();
    }
    const { number, text: quoted, name, sign } = found.groups!;
    const word = number ?? quoted ?? name ?? sign;
    if (number && /^0[\d_]*[1-9]/.test(number) && !/[.eEjJ]/.test(number)) {
      throw new NoExpression(); // 007
    }
    const kind = number ? "number" : quoted ? "text" : name ? "name" : "sign";
    tokens.push({ kind, text: word, start: TOKEN.lastIndex - word.length, end: TOKEN.lastIndex });
  }
  const end = source.length;
  return [...tokens, { kind: "end", text: "", start: end, end }];
}

/** Reads a whole text. */
export function parse(text: string): Tree {
  const tokens = tokensOf(text);
  let at = 0;
  let depth = 0;

  const is = (...signs: string[]) =>
    (tokens[at].kind === "sign" || tokens[at].kind === "name") && signs.includes(tokens[at].text);
  const take = (sign: string) => is(sign) && !!++at;
  const need = (sign: string) => {
    if (!take(sign)) {
      throw new NoExpression();
    }
  };
  const made = (kind: Tree["kind"], start: number, parts: Tree[] = [], operators: string[] = []): Tree => ({
    kind,
    start,
    end: tokens[at - 1].end,
    parts,
    operators,
    plain: parts.length,
  });

  function whole(): Tree {
    const { start } = tokens[at];
    const tree = either();
    if (!take("if")) {
      return tree;
    }
    const condition = either();
    need("else");
    return made("other", start, [tree, condition, whole()]);
  }

  function joined(word: string, inner: () => Tree): Tree {
    const { start } = tokens[at];
    const parts = [inner()];
    while (take(word)) {
      parts.push(inner());
    }
    return parts.length > 1 ? made("other", start, parts) : parts[0];
  }
  const either = (): Tree => joined("or", () => joined("and", negated));

  function negated(): Tree {
    const { start } = tokens[at];
    return take("not") ? made("sum", start, [deeper(negated)], ["not"]) : compared();
  }

  function compared(): Tree {
    const { start } = tokens[at];
    const parts = [binary(0)];
    const operators: string[] = [];
    while (is(...COMPARED) || (is("not") && tokens[at + 1].text === "in")) {
      const operator = tokens[at++].text;
      at += operator === "not" || (operator === "is" && is("not")) ? 1 : 0;
      operators.push(operator);
      parts.push(binary(0));
    }
    return operators.length ? made("sum", start, parts, operators) : parts[0];
  }

  function binary(level: number): Tree {
    if (level === LEVELS.length) {
      return signed();
    }
    const { start } = tokens[at];
    let tree = binary(level + 1);
    while (is(...LEVELS[level])) {
      const operator = tokens[at++].text;
      const right = binary(level + 1);
      tree = made("sum", start, [tree, right], [operator]);
    }
    return tree;
  }

  function signed(): Tree {
    const { start, text: sign } = tokens[at];
    if (is("-", "+", "~")) {
      at++;
      const part = deeper(signed);
      return made("sum", start, [part], [sign]);
    }
    const base = primary();
    if (take("**")) {
      const power = deeper(signed);
      return made("sum", start, [base, power], ["**"]);
    }
    return base;
  }

  function primary(): Tree {
    const { start } = tokens[at];
    let tree = atom();
    for (;;) {
      if (take(".")) {
        nameOnly();
        tree = made("other", start, [tree]);
      } else if (take("(")) {
        const called = text.slice(start, tree.end);
        const [parts, plain] = elements(")", true);
        tree = { ...made("call", start, parts, [called.slice(called.lastIndexOf(".") + 1)]), plain };
      } else if (take("[")) {
        const [parts] = elements("]", false);
        if (!parts.length) {
          throw new NoExpression();
        }
        tree = made("other", start, [tree, ...parts]);
      } else {
        return tree;
      }
    }
  }

  function nameOnly(): void {
    if (tokens[at].kind !== "name" || KEYWORDS.test(tokens[at].text)) {
      throw new NoExpression();
    }
    at++;
  }

  function atom(): Tree {
    const { kind, start, text: word } = tokens[at];
    if (kind === "number") {
      at++;
      return made("number", start);
    }
    if (kind === "text") {
      while (tokens[at].kind === "text") {
        at++;
      }
      return made("other", start);
    }
    if (kind === "name" && /^(None|True|False)$/.test(word)) {
      at++;
      return made("constant", start);
    }
    if (kind === "name") {
      nameOnly();
      return made("name", start);
    }
    if (take("...")) {
      return made("other", start);
    }
    if (take("(")) {
      const [parts, , commas] = elements(")", false);
      return parts.length === 1 && !commas ? parts[0] : made("list", start, parts);
    }
    if (take("[")) {
      const [parts] = elements("]", false);
      return made("list", start, parts);
    }
    if (take("{")) {
      const [parts] = elements("}", false);
      return made(parts.length ? "list" : "other", start, parts);
    }
    throw new NoExpression();
  }

  /** What stands between brackets, how much of it has no name, and how many commas there are. Names of arguments come last. */
  function elements(close: string, canBeNamed: boolean): [Tree[], number, number] {
    const plain: Tree[] = [];
    const named: Tree[] = [];
    let commas = 0;
    while (!take(close)) {
      const isNamed = canBeNamed && tokens[at].kind === "name" && tokens[at + 1].text === "=";
      if (isNamed) {
        nameOnly();
        need("=");
      }
      (isNamed ? named : plain).push(deeper(whole));
      if (!is(close)) {
        need(",");
        commas++;
      }
    }
    return [[...plain, ...named], plain.length, commas];
  }

  function deeper(inner: () => Tree): Tree {
    if (++depth > DEEPEST) {
      throw new NoExpression();
    }
    const tree = inner();
    depth--;
    return tree;
  }

  const tree = whole();
  if (tokens[at].kind !== "end") {
    throw new NoExpression();
  }
  return tree;
}

/** A part and all that is in it. */
export function* walk(tree: Tree): Generator<Tree> {
  yield tree;
  for (const part of tree.parts) {
    yield* walk(part);
  }
}

/** How names, numbers and values are written. Counterpart: jgrad/views/scene.py. */

import type { Value } from "./document";
import { max } from "./math";

/** How many columns of a monospaced font a text takes. East Asian characters and emoji take two. */
export function columnsOf(s: string): number {
  let n = 0;
  for (const ch of s) {
    n += ch.codePointAt(0)! >= 0x2e80 ? 2 : 1;
  }
  return n;
}

/** A text cut to at most n columns, on one line. A number keeps its magnitude: -5.7e-6, not -5.722… */
export function clip(s: string, n: number): string {
  const line = s.replace(/[\n\t]/g, " ");
  if (columnsOf(line) <= n) {
    return line;
  }
  const [, whole, e] = /^(-?\d+)\.?\d*(e[+-]\d+)?$/.exec(line) ?? [];
  const shorter =
    (e || whole?.length >= n) &&
    [3, 2, 1, 0]
      .map((digits) => Number(line).toExponential(digits).replace("+", ""))
      .find((one) => one.length <= n);
  if (shorter) {
    return shorter;
  }
  return `${cut(line, n - 1)}…`;
}

/** The first n columns of a text. */
function cut(s: string, n: number): string {
  let kept = "";
  for (const ch of s) {
    if (columnsOf(kept + ch) > n) {
      break;
    }
    kept += ch;
  }
  return kept;
}

/** A label cut to at most n columns. A name keeps its first letter, its last index and its end. */
export function clipName(s: string, n: number): string {
  const [, old = "", name] = /^(old )?([!-'*-~]+)$/.exec(s) ?? [];
  if (!name || s.length <= n) {
    return clip(s, n);
  }
  const room = n - old.length - 2;
  const hidden = [...name.matchAll(/\[\d+\]/g)].findLast(
    (found) => found.index < name.length - room && found[0].length + 4 <= room,
  );
  const index = hidden ? `${hidden}…` : "";
  return `${old}${name[0]}…${index}${name.slice(index.length - room)}`;
}

/** The lines of a text, broken at spaces, with at most n columns each. */
export function wrap(s: string, n: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (let word of s.replaceAll("\n", " ").split(" ")) {
    while (columnsOf(word) > n) {
      if (line) {
        lines.push(line);
        line = "";
      }
      const head = cut(word, n);
      lines.push(head);
      word = word.slice(head.length);
    }
    if (!line) {
      line = word;
    } else if (columnsOf(line) + 1 + columnsOf(word) <= n) {
      line += ` ${word}`;
    } else {
      lines.push(line);
      line = word;
    }
  }
  if (line) {
    lines.push(line);
  }
  return lines;
}

/** A number with four digits, without an exponent if that is readable. */
export function number(x: number): string {
  const [mantissa, e] = x.toExponential(3).split("e");
  const exponent = Number(e);
  if (exponent < -3 || exponent > 5) {
    return `${mantissa}e${exponent}`;
  }
  const s = x.toFixed(max(0, 3 - exponent));
  return s.includes(".") ? s.replace(/\.?0+$/, "") : s;
}

/** A whole number with commas. */
export function grouped(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function plural(n: number, noun: string): string {
  return `${grouped(n)} ${noun}${n === 1 ? "" : "s"}`;
}

export function shapeText(shape: number[]): string {
  return `[${shape.join(", ")}]`;
}

export function tupleText(numbers: number[]): string {
  return `(${numbers.join(", ")}${numbers.length === 1 ? "," : ""})`;
}

/** Elements, given as texts, with the brackets of their shape. */
export function nested(texts: string[], shape: number[]): string {
  let rows = texts;
  for (let k = shape.length - 1; k > 0; k--) {
    const step = max(shape[k], 1);
    const next: string[] = [];
    for (let i = 0; i < rows.length; i += step) {
      next.push(`[${rows.slice(i, i + step).join(", ")}]`);
    }
    rows = next;
  }
  return `[${rows.join(", ")}]`;
}

/** The first of these texts that takes at most n columns. */
export function fitting(n: number, ...texts: string[]): string | undefined {
  return texts.find((s) => s && columnsOf(s) <= n);
}

/** A short text for texts that are all the same. */
export function alike(texts: string[] | null): string {
  return texts?.[1] && texts.every((t) => t === texts[0]) ? `${texts[0]} ×${texts.length}` : "";
}

/** The norm of a value, with this many digits after the first one; empty if it has no norm. */
export function normOf({ nan_count: nan, inf_count: inf, norm }: Value, digits = 3): string {
  return nan ? "nan" : inf ? "inf" : norm != null ? number(Number(norm.toExponential(digits))) : "";
}

/** A value in at most n columns: all its elements, or as many as fit, or its norm. */
export function brief(value: Value | null, n: number): string {
  if (value === null) {
    return "None";
  }
  const { elements: texts, shape } = value;
  if (texts && !shape.length) {
    return clip(texts[0], n);
  }
  const norm = normOf(value);
  const whole = texts ? nested(texts, shape) : shapeText(shape);
  const fits = texts && fitting(n, whole, alike(texts));
  if (fits) {
    return fits;
  }
  const depth = shape.length;
  let [kept, ends] = ["", 0];
  texts?.some((t, i) => {
    // In how many dimensions a row begins at this element.
    ends = shape.filter((_, d) => d && i % shape.slice(d).reduce((a, b) => a * b) === 0).length;
    const longer = kept + (i ? `${"]".repeat(ends)}, ${"[".repeat(ends)}` : "") + t;
    const full = columnsOf(longer) + 3 + 2 * depth > n;
    kept = full ? kept : longer;
    return full;
  });
  if (kept) {
    return `${"[".repeat(depth)}${kept}${"]".repeat(ends)}, …${"]".repeat(depth - ends)}`;
  }
  return clip(norm ? `norm ${norm}` : whole, n);
}

/** A node's name without PyTorch's namespace. */
export function short(name: string): string {
  return name.replace(/^torch::autograd::/, "");
}

/** The name of a node's operator: its name without "Backward0". */
export function opName(name: string): string {
  const plain = short(name);
  const at = plain.lastIndexOf("Backward");
  return at > 0 ? plain.slice(0, at) : plain;
}

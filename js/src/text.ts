/** How names, numbers and values are written. Twin: jgrad/views/scene.py. */

import type { Value } from "./document";

/** How many columns of a monospaced font a text takes: East Asian characters and pictures take two. */
export function columnsOf(s: string): number {
  let n = 0;
  for (const ch of s) {
    n += ch.codePointAt(0)! >= 0x2e80 ? 2 : 1;
  }
  return n;
}

/** At most n columns of a text, on one line. */
export function clip(s: string, n: number): string {
  const line = s.replace(/[\n\t]/g, " ");
  if (columnsOf(line) <= n) {
    return line;
  }
  let kept = "";
  let used = 0;
  for (const ch of line) {
    used += ch.codePointAt(0)! >= 0x2e80 ? 2 : 1;
    if (used > n - 1) {
      break;
    }
    kept += ch;
  }
  return `${kept}…`;
}

/** A text in lines of at most n columns, broken at blanks. */
export function wrap(s: string, n: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (let word of s.replaceAll("\n", " ").split(" ")) {
    while (columnsOf(word) > n) {
      if (line) {
        lines.push(line);
        line = "";
      }
      const head = [...clip(word, n + 1)].slice(0, -1).join("");
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

/** A number in four digits, without exponent where that is readable. */
export function number(x: number): string {
  const [mantissa, e] = x.toExponential(3).split("e");
  const exponent = Number(e);
  if (exponent < -3 || exponent > 5) {
    return `${mantissa}e${exponent}`;
  }
  const s = x.toFixed(Math.max(0, 3 - exponent));
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

/** Numbers with the brackets of their shape. */
export function nested(texts: string[], shape: number[]): string {
  let rows = texts;
  for (let k = shape.length - 1; k > 0; k--) {
    const step = Math.max(shape[k], 1);
    const next: string[] = [];
    for (let i = 0; i < rows.length; i += step) {
      next.push(`[${rows.slice(i, i + step).join(", ")}]`);
    }
    rows = next;
  }
  return `[${rows.join(", ")}]`;
}

/** The first of some texts that takes at most n columns. */
export function fitting(n: number, ...texts: string[]): string | undefined {
  return texts.find((s) => s && columnsOf(s) <= n);
}

/** Texts that are all the same, in short. */
export function alike(texts: string[] | null): string {
  return texts?.[1] && texts.every((t) => t === texts[0]) ? `${texts[0]} ×${texts.length}` : "";
}

/** A value in at most n columns: its numbers, or as many as fit, or its norm. */
export function brief(value: Value | null, n: number): string {
  if (value === null) {
    return "None";
  }
  const { text: texts, shape, norm } = value;
  if (texts === null) {
    return clip(norm != null ? `norm ${number(norm)}` : shapeText(shape), n);
  }
  if (shape.length === 0) {
    return clip(texts[0], n);
  }
  const whole = nested(texts, shape);
  const fits = fitting(n, whole, alike(texts));
  if (fits) {
    return fits;
  }
  let kept = "";
  for (const t of texts) {
    const longer = `${kept}${t}, `;
    if (columnsOf(longer) + 1 + 2 * shape.length > n) {
      break;
    }
    kept = longer;
  }
  if (kept) {
    return `${"[".repeat(shape.length)}${kept}…${"]".repeat(shape.length)}`;
  }
  return clip(norm != null ? `norm ${number(norm)}` : whole, n);
}

/** A node's name without PyTorch's namespace. */
export function short(name: string): string {
  return name.startsWith("torch::autograd::") ? name.slice("torch::autograd::".length) : name;
}

/** A node's name without what every backward node's name ends with. */
export function opName(name: string): string {
  const plain = short(name);
  const at = plain.lastIndexOf("Backward");
  return at > 0 ? plain.slice(0, at) : plain;
}

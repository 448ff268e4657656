/** How numbers are written. Counterpart: jgrad/tracing/document/numbers.py, the one file of the views that is written in both languages. */

/** A number with one digit before the point and `digits` after it. */
export function exponential(x: number, digits: number): string {
  return x.toExponential(digits).replace("+", "");
}

/** A number with four digits, without an exponent if that is readable. */
export function number(x: number): string {
  const [mantissa, e] = x.toExponential(3).split("e");
  const exponent = Number(e);
  if (exponent < -3 || exponent > 5) {
    return `${mantissa}e${exponent}`;
  }
  const s = x.toFixed(Math.max(0, 3 - exponent));
  return s.includes(".") ? s.replace(/\.?0+$/, "") : s;
}

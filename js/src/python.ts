/**
 * What Python's words mean, for the code that js/translator makes. Lists and tuples are arrays, sets are Sets, a dict is a Map, and a dict
 * of anything by name (`dict[str, Any]`, a TypedDict) is an object. The translator calls these functions where JavaScript has no such
 * operator, or where the type of a value is known only when the code runs.
 */

type Dict = Map<unknown, unknown>;
type Record = { [name: string]: unknown };
type Keyed = Dict | Record | unknown[];

/** Short names, because every widget carries the code. */
export const { abs, ceil, floor, log10, max, min, sqrt, trunc } = Math;

const isDict = (x: unknown): x is Dict => x instanceof Map;

/** The names in an object. Rows of packed documents have theirs in their class, where Object.keys does not look. */
function names(x: object): string[] {
  const found: string[] = [];
  for (const name in x) {
    found.push(name);
  }
  return found;
}

/** What a loop goes through, as an array. */
export function list(x: unknown): unknown[] {
  if (Array.isArray(x)) {
    return x;
  }
  if (isDict(x)) {
    return [...x.keys()];
  }
  return typeof x === "string" || x instanceof Set ? [...x] : names(x as object);
}

export function len(x: unknown): number {
  const { length, size } = x as { length?: number; size?: number };
  return length ?? size ?? names(x as object).length;
}

/** Whether Python takes a value for true. */
export function truth(x: unknown): boolean {
  if (!x || typeof x !== "object") {
    return !!x;
  }
  const { length, size } = x as { length?: number; size?: number };
  return (length ?? size) !== 0;
}

export function or<T>(x: T, other: () => T): T {
  return truth(x) ? x : other();
}

export function and<T>(x: T, other: () => T): T {
  return truth(x) ? other() : x;
}

/** `x[key]`. */
export function at(x: Keyed | string, key: unknown): unknown {
  if (isDict(x)) {
    return x.get(key);
  }
  return x[(typeof key === "number" && key < 0 ? len(x) + key : key) as never];
}

/** `x[key] = value`. */
export function put(x: Keyed, key: unknown, value: unknown): void {
  if (isDict(x)) {
    x.set(key, value);
  } else {
    x[(typeof key === "number" && key < 0 ? len(x) + key : key) as never] = value as never;
  }
}

/** `key in x`. */
export function has(x: unknown, key: unknown): boolean {
  if (isDict(x) || x instanceof Set) {
    return x.has(key);
  }
  if (typeof x === "string") {
    return x.includes(key as string);
  }
  return Array.isArray(x) ? indexOf(x, key) >= 0 : (key as string) in (x as object);
}

/** `x == y`, of lists by their elements. */
export function equal(x: unknown, y: unknown): boolean {
  if (Array.isArray(x) && Array.isArray(y)) {
    return x.length === y.length && x.every((part, i) => equal(part, y[i]));
  }
  return x === y || (x == null && y == null);
}

/** The position of a value in a list. */
export function indexOf(x: unknown[], value: unknown): number {
  return x.findIndex((part) => equal(part, value));
}

/** How two values are sorted. */
export function order(x: unknown, y: unknown): number {
  if (Array.isArray(x) && Array.isArray(y)) {
    for (let i = 0; i < x.length && i < y.length; i++) {
      const found = order(x[i], y[i]);
      if (found) {
        return found;
      }
    }
    return x.length - y.length;
  }
  return (x as number) < (y as number) ? -1 : (x as number) > (y as number) ? 1 : 0;
}

export function sorted<T>(x: Iterable<T>, key?: (part: T) => unknown): T[] {
  return [...x].sort(key ? (a, b) => order(key(a), key(b)) : order);
}

/** The largest (`sign` 1) or the smallest (-1) of some values, or `otherwise` if there is none. */
export function most(sign: 1 | -1, x: Iterable<unknown>, otherwise?: unknown): unknown {
  let found: unknown;
  for (const value of x) {
    found = found === undefined || order(value, found) * sign > 0 ? value : found;
  }
  return found === undefined ? otherwise : found;
}

/** `x + y`. */
export function plus(x: unknown, y: unknown): unknown {
  return Array.isArray(x) ? [...x, ...(y as unknown[])] : (x as number) + (y as number);
}

/** `x * n`, of a text or a list. */
export function times(x: unknown, n: unknown): unknown {
  if (typeof x === "number") {
    return typeof n === "number" ? x * n : times(n, x);
  }
  const count = max(n as number, 0);
  return typeof x === "string" ? x.repeat(count) : Array.from({ length: count }, () => x as unknown[]).flat();
}

/** `x % y`, which has the sign of y. */
export function mod(x: number, y: number): number {
  return ((x % y) + y) % y;
}

export function range(begin: number, end: number, step = 1): number[] {
  const found: number[] = [];
  for (let i = begin; step > 0 ? i < end : i > end; i += step) {
    found.push(i);
  }
  return found;
}

export function zip(...lists: unknown[][]): unknown[][] {
  return lists[0].map((_, i) => lists.map((x) => x[i]));
}

/** `str(x)`. A float is not among its values: the text of 2.0 is "2" in JavaScript. */
export function str(x: unknown): string {
  return x == null ? "None" : x === true ? "True" : x === false ? "False" : String(x);
}

/** `f"{n:,}"`. */
export function grouped(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `x.get(key, otherwise)`. */
export function get(x: Dict | Record, key: unknown, otherwise: unknown = null): unknown {
  const found = isDict(x) ? x.get(key) : x[key as string];
  return found === undefined ? otherwise : found;
}

/** `x.get("name", otherwise)`, of a record's field. */
export function given<T>(found: T | undefined, otherwise: T): T {
  return found === undefined ? otherwise : found;
}

export function setdefault<K, V>(x: Map<K, V>, key: K, value: V): V {
  const found = x.get(key);
  if (found !== undefined) {
    return found;
  }
  x.set(key, value);
  return value;
}

export function items(x: unknown): [unknown, unknown][] {
  return isDict(x) ? [...x] : names(x as Record).map((name) => [name, (x as Record)[name]]);
}

/** `{**x, **y}`. */
export function merged(...parts: object[]): object {
  const found: Record = {};
  for (const part of parts) {
    for (const name in part) {
      found[name] = (part as Record)[name];
    }
  }
  return found;
}

/** `x.extend(more)`. Not `push(...more)`, which fails for a hundred thousand elements. */
export function extend<T>(x: T[], more: Iterable<T>): void {
  for (const value of more) {
    x.push(value);
  }
}

export function update<T>(x: Set<T>, more: Iterable<T>): void {
  for (const value of more) {
    x.add(value);
  }
}

/** Where a value belongs in a sorted list: before the equal ones, or (`after`) behind them. */
function bisect(x: unknown[], value: number, after: boolean, key = (part: unknown) => part): number {
  let low = 0;
  let high = x.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const found = key(x[middle]) as number;
    if (after ? found <= value : found < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

export function bisect_left(x: unknown[], value: number, key?: (part: unknown) => unknown): number {
  return bisect(x, value, false, key);
}

export function bisect_right(x: unknown[], value: number, key?: (part: unknown) => unknown): number {
  return bisect(x, value, true, key);
}

export function prod(x: number[]): number {
  return x.reduce((a, b) => a * b, 1);
}

/** `pattern.match(s)`: at the start of the text. */
export function match(pattern: RegExp, s: string): RegExpExecArray | null {
  const found = pattern.exec(s);
  return found?.index === 0 ? found : null;
}

function everywhere(pattern: RegExp): RegExp {
  return new RegExp(pattern, "g");
}

export function finditer(pattern: RegExp, s: string): RegExpExecArray[] {
  return [...s.matchAll(everywhere(pattern))];
}

export function sub(pattern: RegExp, by: string, s: string): string {
  return s.replace(everywhere(pattern), by);
}

export function isdigit(s: string): boolean {
  return /^\d+$/.test(s);
}

/** Documents as they are sent, compared with those that Python wrote. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SCENES } from "../made/register";
import { read, type TraceDocument } from "./document";
import { unpacked } from "./inflate";
import { Log } from "./log";

const FIXTURES = join(import.meta.dirname, "../../tests/fixtures");
const NAMES = readdirSync(join(FIXTURES, "packed"));

function text(folder: string, name: string): string {
  return readFileSync(join(FIXTURES, folder, name), "utf8");
}

/** A copy of a value as plain objects, with all fields computed. */
function plain(said: unknown): unknown {
  if (Array.isArray(said)) {
    return said.map(plain);
  }
  if (typeof said !== "object" || said === null) {
    return said;
  }
  const entries: [string, unknown][] = [];
  for (const key in said) {
    entries.push([key, plain(said[key as never])]);
  }
  return Object.fromEntries(entries);
}

/** Packed rows that differ only in their numbers. */
function packed(list: "nodes" | "steps", rows: object[], values: unknown[] = []): string {
  const texts = rows.map((row) => JSON.stringify(row).replace(/\\ud800/g, "\ud800"));
  const hole = /(?<![\w.])(0|[1-9]\d{0,14})(?![\w.])/g;
  const numbers = texts.map((row) => [...row.matchAll(hole)].map(([n]) => Number(n)));
  const variants = numbers.map((own, i) => [0, ...own.map((n, k) => n - (numbers[i - 1]?.[k] ?? 0))]);
  const lists = { source: [], storages: [], tensors: [], nodes: [], steps: [], notes: [] };
  const rest = { schema: "jgrad-trace/2", packed: 1, name: "", truncated: null };
  const templates = [texts[0].replace(hole, "\x01")];
  const metas = [{ shape: [2], dtype: "float32" }];
  return JSON.stringify({
    ...rest,
    ...lists,
    [list]: rows.map((_, i) => i),
    templates,
    variants,
    values,
    metas,
  });
}

test.each(NAMES)("%s is unpacked", (name) => {
  const { storages, tensors, nodes, steps, ...rest } = read(text("packed", name));
  expect({ ...rest, ...(plain({ storages, tensors, nodes, steps }) as object) }).toMatchObject(
    JSON.parse(text("documents", name)),
  );
});

test.each(NAMES)("%s is drawn as if it had never been packed", (name) => {
  const [log, plainly] = ["packed", "documents"].map((folder) => new Log(read(text(folder, name))));
  for (let cursor = 0; cursor <= log.document.steps.length; cursor++) {
    for (const view of SCENES.values()) {
      // As texts, which are compared in a tenth of the time.
      expect(JSON.stringify(view(log.frame(cursor)))).toBe(JSON.stringify(view(plainly.frame(cursor))));
    }
  }
});

test("what is written in a row comes back, whatever it is", () => {
  const rows = [0, 10, 7].map((n, id) => ({
    id,
    name: `\x01 "${n}" \\${n} \\u0001 \n ${n}\u2028 {[,:]} ␂${n}␃ é 漢 😀 \ud800 ${n}`,
    text: "not of a step ␂␃",
    ["__proto__"]: { [`key ${n}`]: [[], {}, [{}], n * 2], constructor: "c" },
    formulas: { v: `grad * ${n}`, "": "", [`tensors[${n}]`]: "grad" },
    next: [
      [null, -n - 1],
      [n + 3, 0],
    ],
    odd: [1.5, -0.25, 1e-7, 2e-10, 1e21, 123456789012345, 1234567890123456, true, false, null],
  }));
  const found = read(packed("nodes", rows)).nodes;
  expect(plain(found)).toEqual(rows.map((row) => ({ ...row, text: "not of a step ␂" })));
});

test("a value stands where its number stands, and is said where a sentence speaks of it", () => {
  const values = [
    [0, "1. 2."],
    [0, "", 0.5],
    [0, null, 0.5],
    [0, ["a b", "c"], null],
  ];
  const rows = values.map((_, v) => ({
    kind: "node",
    op: "␂0␃",
    text: `step ${v}: got ␂${v}␃, not ␂␃${v}␃`,
    grads_in: [{ v }, null],
    grad: { tensor: v, contributions: [{ value: { v } }] },
  }));
  const { steps } = plain(read(packed("steps", rows, values))) as TraceDocument;
  const meta = { shape: [2], dtype: "float32" };
  const wanted = [
    { ...meta, elements: ["1.", "2."] },
    { ...meta, elements: [], norm: 0.5 },
    { ...meta, elements: null, norm: 0.5 },
    { ...meta, elements: ["a b", "c"], norm: null },
  ];
  expect(steps.map((step) => step.grads_in)).toEqual(wanted.map((value) => [value, null]));
  expect(steps.map((step) => step.grad)).toEqual(
    wanted.map((value, tensor) => ({ tensor, contributions: [{ value }] })),
  );
  expect(steps.map(({ op, text }) => [op, text])).toEqual([
    ["␂0␃", "step 0: got [1., 2.], not ␂0␃"],
    ["␂0␃", "step 1: got [], not ␂1␃"],
    ["␂0␃", "step 2: got a gradient [2] of norm 0.5, not ␂2␃"],
    ["␂0␃", "step 3: got [a b, c], not ␂3␃"],
  ]);
});

test("a packed document that was cut is refused in a sentence", () => {
  const packed = JSON.parse(text("packed", "paths.json"));
  expect(() => read(JSON.stringify({ ...packed, variants: [] }))).toThrow(/^This is not a trace/);
  const templates = packed.templates.map((template: string) => template.slice(0, -9));
  expect(() => read(JSON.stringify({ ...packed, templates }))).toThrow(/^This is not a trace/);
});

test("the front end is read from digits, as tests/views/test_widget.py writes them", () => {
  expect([...unpacked("0J8pXyH7JuW")]).toEqual([..."jgrad \xff\0"].map((c) => c.charCodeAt(0)));
  expect([...unpacked("3{?_4(zzC+(")]).toEqual([255, 255, 255, 255, 255]);
});

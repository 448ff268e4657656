/** Documents as they travel, against those that Python wrote. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { read } from "./document";

const FIXTURES = join(import.meta.dirname, "../../tests/fixtures");

test.each(readdirSync(join(FIXTURES, "packed")))("%s is unpacked", (name) => {
  const text = (folder: string) => readFileSync(join(FIXTURES, folder, name), "utf8");
  expect(read(text("packed"))).toMatchObject(JSON.parse(text("documents")));
});

test("a packed document that was cut is refused in a sentence", () => {
  const packed = JSON.parse(readFileSync(join(FIXTURES, "packed/paths.json"), "utf8"));
  expect(() => read(JSON.stringify({ ...packed, variants: [] }))).toThrow(/^This is not a trace/);
});

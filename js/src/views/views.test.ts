/** Compares every scene of the fixtures, which the Python side wrote, item by item. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TraceDocument } from "../document";
import { read } from "../document";
import { Log } from "../log";
import type { Scene } from "../scene";
import { VIEWS, type ViewName } from ".";

const FIXTURES = join(import.meta.dirname, "../../../tests/fixtures/scenes");
const files = readdirSync(FIXTURES).filter((name) => name.endsWith(".json"));

test("there are fixtures, and they hold every view", () => {
  const views = files.flatMap((file) =>
    Object.keys(JSON.parse(readFileSync(join(FIXTURES, file), "utf8")).cursors),
  );
  expect(new Set(views)).toEqual(new Set(Object.keys(VIEWS)));
});

describe.each(files)("%s", (file) => {
  const fixture: { document: TraceDocument; cursors: Record<ViewName, Record<string, Scene>> } = JSON.parse(
    readFileSync(join(FIXTURES, file), "utf8"),
  );
  const log = new Log(read(JSON.stringify(fixture.document)));
  const cases = Object.entries(fixture.cursors).flatMap(([view, scenes]) =>
    Object.entries(scenes).map(([cursor, scene]) => ({
      view: view as ViewName,
      cursor,
      scene,
    })),
  );

  test.each(cases)("$view at $cursor", ({ view, cursor, scene }) => {
    const [at, choice] = cursor.split(":").map(Number);
    const { items, ...rest } = VIEWS[view](log.frame(at), choice);
    items.forEach((item, i) => {
      expect(item).toEqual(scene.items[i]);
    });
    expect({ ...rest, items }).toEqual(scene);
  });
});

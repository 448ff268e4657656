/** The widget on a page, with a model like that of anywidget. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import type { InitializeProps, RenderProps } from "@anywidget/types";
import { afterEach, expect, test, vi } from "vitest";
import entry from ".";
import type { TraceDocument } from "./document";
import type { Traits } from "./widget";

const DOCUMENTS = join(import.meta.dirname, "../../tests/fixtures/documents");

function fixture(name: string): string {
  return readFileSync(join(DOCUMENTS, `${name}.json`), "utf8");
}

class Model {
  readonly traits: Traits;
  saves = 0;
  readonly #listeners = new Map<string, Set<() => void>>();

  constructor(traits: Partial<Traits>) {
    this.traits = {
      document: fixture("sharing"),
      cursor: -1,
      views: ["timeline", "storage", "graph"],
      twin: "t",
      ...traits,
    };
  }

  get(name: keyof Traits): unknown {
    return this.traits[name];
  }

  set(name: keyof Traits, value: unknown): void {
    if (this.traits[name] !== value) {
      Object.assign(this.traits, { [name]: value });
      for (const react of this.#listeners.get(`change:${name}`) ?? []) {
        react();
      }
    }
  }

  on(event: string, react: () => void): void {
    this.#listeners.set(event, (this.#listeners.get(event) ?? new Set()).add(react));
  }

  off(event: string, react: () => void): void {
    this.#listeners.get(event)?.delete(react);
  }

  save_changes(): void {
    this.saves += 1;
  }

  get listeners(): number {
    return [...this.#listeners.values()].reduce((n, set) => n + set.size, 0);
  }
}

function show(traits: Partial<Traits> = {}, model = new Model(traits)) {
  const el = document.createElement("div");
  document.body.append(el);
  const dispose = entry().render({ model, el } as unknown as RenderProps<Traits>);
  return { model, el, dispose, root: el.querySelector<HTMLElement>(".jg")! };
}

function press(target: Element, key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  target.dispatchEvent(event);
  return event;
}

/** A frame of the screen. */
function frame(): Promise<unknown> {
  return new Promise((done) => requestAnimationFrame(done));
}

function steps(name: string): number {
  return (JSON.parse(fixture(name)) as TraceDocument).steps.length;
}

afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
});

test("it shows the views asked for, at the end", () => {
  const { el } = show();
  expect([...el.querySelectorAll(".jg-pane")].map((pane) => pane.getAttribute("data-view"))).toEqual([
    "timeline",
    "storage",
    "graph",
  ]);
  expect(el.querySelector(".jg-count")!.textContent).toBe(`step ${steps("sharing")} of ${steps("sharing")}`);
});

test("views stand in the order asked for", () => {
  const { el, model } = show({ views: ["graph", "timeline"] });
  const names = () => [...el.querySelectorAll(".jg-pane")].map((pane) => pane.getAttribute("data-view"));
  expect(names()).toEqual(["graph", "timeline"]);
  model.set("views", ["storage", "graph"]);
  expect(names()).toEqual(["storage", "graph"]);
});

test("without steps there is no player, and a look at living tensors says so", () => {
  const still = { ...(JSON.parse(fixture("sharing")) as TraceDocument), steps: [], notes: [] };
  const player = (el: Element) => el.querySelector(".jg-transport")!.parentElement!;
  const cell = show({ document: JSON.stringify(still) });
  expect(player(cell.el).hidden).toBe(true);
  expect(cell.el.querySelector(".jg-sentence")!.textContent).toBe("No steps were recorded.");
  const look = show({ document: JSON.stringify({ ...still, source: [] }) });
  expect(look.el.querySelector(".jg-sentence")!.textContent).toBe("The current state.");
  expect(player(show().el).hidden).toBe(false);
});

test("arrow keys, Home and End move the cursor of the model, and -1 is the end", async () => {
  const { model, root, el } = show();
  const n = steps("sharing");
  press(root, "ArrowLeft");
  expect(model.traits.cursor).toBe(n - 1);
  press(root, "ArrowRight");
  expect(model.traits.cursor).toBe(-1);
  press(root, "ArrowRight");
  expect(model.traits.cursor).toBe(-1);
  press(root, "Home");
  press(root, "ArrowLeft");
  expect(model.traits.cursor).toBe(0);
  await frame();
  expect(el.querySelector(".jg-sentence")!.textContent).toBe("Before the first step.");
  press(root, "End");
  expect(model.traits.cursor).toBe(-1);
});

test("keys stay within the widget, those with modifiers go to the page", () => {
  const { root } = show();
  const outside = vi.fn();
  document.body.addEventListener("keydown", outside);
  for (const key of ["ArrowLeft", "ArrowRight", " ", "w", "b", "d", "x", "Enter", "Escape"]) {
    press(root, key);
  }
  expect(outside).not.toHaveBeenCalled();
  press(root, "s", { ctrlKey: true });
  expect(outside).toHaveBeenCalledTimes(1);
  expect(root.hasAttribute("data-lm-suppress-shortcuts")).toBe(true);
  document.body.removeEventListener("keydown", outside);
});

test("jumps go to the next step of a kind, around the end, and with shift back", () => {
  const { model, root } = show({ cursor: 0 });
  const { steps } = JSON.parse(fixture("sharing")) as TraceDocument;
  const writes = steps.flatMap((step, i) => (step.kind === "write" ? [i + 1] : []));
  expect(writes.length).toBeGreaterThan(1);
  for (const at of [...writes, writes[0]]) {
    press(root, "w");
    expect(model.traits.cursor).toBe(at);
  }
  press(root, "W", { shiftKey: true });
  expect(model.traits.cursor).toBe(writes.at(-1));
});

test("play steps by itself to the end and stops there", () => {
  vi.useFakeTimers();
  const { model, root } = show({ cursor: 0 });
  press(root, " ");
  vi.advanceTimersByTime(100_000);
  expect(model.traits.cursor).toBe(-1);
  expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
});

test("disposing stops play, listeners and the hiding of the twin", () => {
  vi.useFakeTimers();
  const { model, root, el, dispose } = show({ cursor: 0 });
  expect(el.querySelector("style")!.textContent).toBe('[data-jgrad-twin="t"]{display:none}');
  press(root, " ");
  dispose();
  expect(el.childElementCount).toBe(0);
  expect(model.listeners).toBe(0);
  vi.advanceTimersByTime(100_000);
  expect(model.traits.cursor).toBe(0);
});

test("two renderings of one model share the cursor, and one survives the other", async () => {
  const model = new Model({});
  const one = show({}, model);
  const two = show({}, model);
  press(one.root, "Home");
  await frame();
  expect(two.el.querySelector(".jg-count")!.textContent).toBe(`step 0 of ${steps("sharing")}`);
  one.dispose();
  press(two.root, "End");
  await frame();
  expect(two.el.querySelector(".jg-count")!.textContent).toContain(`step ${steps("sharing")} of`);
});

test("what stands for the same thing lights up in all views; a click keeps it lit, Escape lets it go", () => {
  const { el, root } = show();
  const lit = () =>
    new Set(
      [...el.querySelectorAll(".jg-lit")].map((item) => item.closest(".jg-pane")!.getAttribute("data-view")),
    );
  const item = el.querySelector('[data-view="storage"] g[data-k="t0"]')!;
  item.dispatchEvent(new Event("pointerover", { bubbles: true }));
  expect(lit()).toEqual(new Set(["timeline", "storage", "graph"]));
  for (const element of el.querySelectorAll(".jg-lit")) {
    // An item without keys has those of its group.
    expect(element.closest("[data-k]")!.getAttribute("data-k")!.split(" ")).toContain("t0");
  }
  root.querySelector(".jg-side")!.dispatchEvent(new Event("pointerleave"));
  expect(lit().size).toBe(0);
  item.dispatchEvent(new Event("click", { bubbles: true }));
  expect(lit().size).toBe(3);
  press(root, "Escape");
  expect(lit().size).toBe(0);
});

test("a step of the timeline is gone to by a click", () => {
  const { el, model } = show();
  el.querySelector('[data-view="timeline"] [data-k~="p3"] text')!.dispatchEvent(
    new Event("click", { bubbles: true }),
  );
  expect(model.traits.cursor).toBe(3);
});

test("after any way of stepping, a drawing is the one that a fresh widget draws", async () => {
  for (const name of ["sharing", "paths", "scatter", "error"]) {
    const text = fixture(name);
    const { model, el, dispose } = show({ document: text, views: [] });
    const n = steps(name);
    for (const cursor of [0, n, 3, n - 1, 1, 2, n - 2, 5]) {
      model.set("cursor", cursor);
      await frame();
      const fresh = show({ document: text, views: [], cursor });
      const [now, then] = [el, fresh.el].map((where) => [...where.querySelectorAll(".jg-scene")]);
      expect(now).toHaveLength(5);
      now.forEach((scene, i) => {
        // The frame may be wider: it never shrinks while one steps.
        expect(scene.childElementCount).toBeGreaterThan(0);
        expect(scene.childElementCount).toBe(then[i].childElementCount);
        [...scene.children].forEach((child, at) => {
          expect(child.isEqualNode(then[i].children[at])).toBe(true);
        });
      });
      fresh.dispose();
    }
    dispose();
  }
}, 30_000);

test("names and source of the user never become markup", () => {
  const evil = '<img src=x onerror="alert(1)">';
  const trace = JSON.parse(fixture("sharing")) as TraceDocument;
  trace.name = evil;
  trace.source = trace.source.map(() => evil);
  trace.steps = trace.steps.map((step) => ({ ...step, text: evil }));
  trace.tensors = trace.tensors.map((tensor) => ({ ...tensor, names: [[-1, evil]] }));
  trace.notes = [{ step: 0, code: "x", severity: "error", text: evil, tensors: [], lines: [] }];
  const { el, root } = show({ document: JSON.stringify(trace), views: [] });
  press(root, "t");
  expect(el.querySelector("img")).toBeNull();
  expect(el.querySelector(".jg-sentence")!.textContent).toBe(evil);
  expect(el.querySelector("td, th")).not.toBeNull();
});

test.each([
  ["", "There is no trace here yet."],
  ["{", "cut or changed"],
  ["[1]", "does not say"],
  ['{"schema": "jgrad-trace/9"}', "jgrad-trace/9"],
  ['{"schema": "jgrad-trace/2", "source": []}', "This trace is broken."],
  ["deflate:AAAA", "cut or changed"],
  [
    '{"schema": "jgrad-trace/2", "source": [], "storages": [], "tensors": [3], "nodes": [], "steps": [], "notes": []}',
    "This trace is broken.",
  ],
  [
    '{"schema": "jgrad-trace/2", "source": [], "storages": [], "tensors": [], "nodes": [], "notes": [], "steps": [{"kind": "op", "text": "", "makes": 7}]}',
    "This trace is broken.",
  ],
])("a document %j is refused with a sentence, and the twin stays", async (text, sentence) => {
  const { el, root, model } = show({ document: text });
  const refusal = el.querySelector<HTMLElement>(".jg-refusal")!;
  press(root, "ArrowLeft");
  expect(model.traits.cursor).toBe(-1);
  await vi.waitFor(() => expect(refusal.textContent).toContain(sentence));
  expect(refusal.hidden).toBe(false);
  expect(el.querySelector("style")!.textContent).toBe("");
  expect(el.querySelector<HTMLElement>(".jg-sides")!.hidden).toBe(true);
});

test("a document that is broken inside says so in the view that cannot draw it", () => {
  const trace = JSON.parse(fixture("sharing")) as TraceDocument;
  trace.tensors[0].stride = null as unknown as number[];
  const { el } = show({ document: JSON.stringify(trace) });
  expect(el.textContent).toContain("This trace is broken");
  expect(el.querySelector('[data-view="timeline"] .jg-scene')!.childElementCount).toBeGreaterThan(0);
});

test("a drawing that keeps its size is not told it anew, which would lay out all of it", async () => {
  const { model, el } = show({ views: ["timeline"], cursor: 1 });
  const told = vi.spyOn(el.querySelector(".jg-scene")!, "setAttribute");
  model.set("cursor", 2);
  await frame();
  expect(told.mock.calls.map(([name]) => name)).toEqual(["aria-label"]);
});

test("a document that grew is followed", async () => {
  const trace = JSON.parse(fixture("sharing")) as TraceDocument;
  const { model, el } = show({ document: JSON.stringify({ ...trace, steps: trace.steps.slice(0, 3) }) });
  expect(el.querySelector(".jg-count")!.textContent).toBe("step 3 of 3");
  model.set("document", fixture("sharing"));
  expect(el.querySelector(".jg-count")!.textContent).toContain(`of ${steps("sharing")}`);
});

function compressed(name: string): string {
  return `deflate:${deflateSync(fixture(name)).toString("base64")}`;
}

test("a compressed document is read, and takes no room until then", async () => {
  const { el, root } = show({ document: compressed("paths") });
  expect(root.hidden).toBe(true);
  await vi.waitFor(() =>
    expect(el.querySelector(".jg-count")!.textContent).toContain(`of ${steps("paths")}`),
  );
  expect(root.hidden).toBe(false);
});

test("a model that is there is read once, before it is shown and for all that show it", async () => {
  const decompressed = vi.spyOn(globalThis, "atob");
  const model = new Model({ document: compressed("paths") });
  const widget = entry();
  widget.initialize({ model } as unknown as InitializeProps<Traits>);
  const shown = [0, 1].map(() => {
    const el = document.body.appendChild(document.createElement("div"));
    widget.render({ model, el } as unknown as RenderProps<Traits>);
    return el;
  });
  const counts = () => shown.map((el) => el.querySelector(".jg-count")!.textContent);
  await vi.waitFor(() =>
    expect(counts()).toEqual(Array(2).fill(`step ${steps("paths")} of ${steps("paths")}`)),
  );
  expect(decompressed).toHaveBeenCalledTimes(1);
  model.set("document", compressed("sharing"));
  await vi.waitFor(() => expect(counts()[1]).toContain(`of ${steps("sharing")}`));
  expect(decompressed).toHaveBeenCalledTimes(2);
  decompressed.mockRestore();
});

test("each view has a table of the same, by button and by key", () => {
  const { el, root } = show();
  press(root, "t");
  const tables = [...el.querySelectorAll("table")];
  expect(tables).toHaveLength(3);
  for (const table of tables) {
    const [heads, cells] = ["thead tr", "tbody tr"].map((row) => table.querySelector(row)!.childElementCount);
    expect(heads).toBeGreaterThan(2);
    expect(cells).toBe(heads);
  }
  press(root, "t");
  expect(el.querySelector("table")).toBeNull();
});

test("items are reached with the keyboard alone", () => {
  const { el } = show({ views: ["graph"] });
  const scroll = el.querySelector<HTMLElement>(".jg-scroll")!;
  scroll.focus();
  press(scroll, "Enter");
  const first = document.activeElement!;
  expect(first.getAttribute("aria-label")).toBeTruthy();
  press(first, "ArrowDown");
  const second = document.activeElement!;
  expect(second).not.toBe(first);
  press(second, "Enter");
  expect(el.querySelectorAll(".jg-pinned").length).toBeGreaterThan(0);
  press(second, "Escape");
  expect(document.activeElement).toBe(scroll);
});

test("the focus stays in the pane when what had it is drawn no more", async () => {
  const { el } = show({ views: ["graph"] });
  const items = el.querySelectorAll<SVGElement>(".jg-scene [tabindex]");
  items[items.length - 1].focus();
  press(document.activeElement!, "Home");
  await frame();
  expect(items[items.length - 1].isConnected).toBe(false);
  expect(document.activeElement).toBe(el.querySelector(".jg-scroll"));
});

test("the focus stays on what it was on, whatever element stands for it after a step", async () => {
  const { el, model } = show({ views: ["storage"] });
  const items = () => [...el.querySelectorAll<SVGElement>(".jg-scene [tabindex]")];
  const keyOf = (one: Element | null) => one?.getAttribute("data-k");
  const at = async (cursor: number) => {
    model.set("cursor", cursor);
    await frame();
  };
  await at(6);
  const before = items().map((one) => [one, keyOf(one)] as const);
  await at(-1);
  const after = items().map(keyOf);
  const [one, key] = before.find(([one, key]) => keyOf(one) !== key && after.includes(key))!;
  await at(6);
  one.focus();
  await at(-1);
  expect(document.activeElement).not.toBe(one);
  expect(keyOf(document.activeElement)).toBe(key);
});

test("the model saves each move, which is what its kernel then knows", () => {
  const { model, root } = show();
  press(root, "ArrowLeft");
  press(root, "ArrowLeft");
  expect(model.saves).toBe(2);
});

test("what a loop repeats counts as one step, until it is opened", async () => {
  const { model, el, root } = show({ document: fixture("epochs"), views: ["timeline"], cursor: 1 });
  const folds = () => [...el.querySelectorAll("[aria-label*=' more of ']")].map((one) => one.textContent);
  const after = async (key: string, more?: KeyboardEventInit) => {
    press(root, key, more);
    await frame();
    return [model.traits.cursor, ...folds()];
  };
  expect(folds()).toEqual(["× 7", "× 3"]);
  for (let i = 0; i < 6; i++) {
    await after("ArrowRight");
  }
  expect(model.traits.cursor).toBe(7); // the first time is done
  expect(await after("ArrowRight")).toEqual([49, "× 6", "× 3"]);
  expect(await after("ArrowLeft")).toEqual([7, "× 7", "× 3"]);
  expect(await after("o")).toEqual([8, "× 6", "× 3"]); // the second is open
  expect(await after("ArrowRight")).toEqual([9, "× 6", "× 3"]);
  await after("ArrowLeft");
  expect(await after("ArrowLeft")).toEqual([7, "× 7", "× 3"]);
  model.set("cursor", 52);
  await frame();
  expect(await after("ArrowRight")).toEqual([-1, "× 7", "× 2", "× 7"]); // all epochs
  expect(await after("O", { shiftKey: true })).toEqual([204, "× 7", "× 2", "× 7"]);
  model.set("cursor", 52);
  await frame();
  el.querySelector("[aria-label^='3 more of 4']")!.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  await frame();
  expect([model.traits.cursor, ...folds()]).toEqual([53, "× 7", "× 7", "× 2"]);
});

test("two traces side by side have one cursor, and what differs stands above", async () => {
  const [a, b]: TraceDocument[] = ["sharing", "paths"].map((name) => JSON.parse(fixture(name)));
  const steps = Array.from({ length: 40 }, (_, i) => ({
    kind: i === 1 ? "difference" : "op",
    line: null,
    op: "add",
    text: i === 1 ? "in a, this; in b, that." : `both did ${i}.`,
  }));
  const rows = Array.from({ length: 40 }, (_, i) => {
    const k = [`p${i + 1}`];
    const text = { t: "text", x: 0, y: 43 + 20 * i, s: String(i + 1), c: "mono" };
    const rect = { t: "rect", x: 0, y: 26 + 20 * i, w: 9, h: 18, c: "box", k, label: `row ${i + 1}` };
    return { t: "group", k, items: [text, rect] };
  });
  const items = [{ t: "text", x: 9, y: 16, s: "a", c: "title" }, ...rows];
  const scene = { view: "compare", title: "a and b", width: 960, height: 830, caption: "They part.", items };
  const both = {
    ...a,
    name: "They part at step 2.",
    source: [],
    storages: [],
    tensors: [],
    nodes: [],
    notes: [],
    steps,
    compared: {
      traces: [a, { ...b, name: "b<script>" }],
      cursors: [
        [...steps.map((_, i) => Math.min(i, a.steps.length)), a.steps.length],
        [0, 1, 1, ...steps.slice(2).map((_, i) => Math.min(i + 4, b.steps.length))],
      ],
      scene: { ...scene, table: { columns: [], rows: [] } },
    },
  };
  const { model, el, root } = show({ document: JSON.stringify(both), views: ["timeline"], cursor: 2 });
  const places = () =>
    [...el.querySelectorAll("[data-view=timeline] .jg-step.jg-now")].map((one) =>
      one.closest("[data-k]")!.getAttribute("data-k"),
    );
  expect(el.querySelector(".jg-header .jg-name")!.textContent).toBe("They part at step 2.");
  expect(el.querySelector(".jg-sentence")!.textContent).toBe("in a, this; in b, that.");
  expect([...el.querySelectorAll(".jg-side-name")].map((one) => one.textContent)).toEqual([
    "",
    "sharing",
    "b<script>",
  ]);
  expect(el.querySelector(".jg-box.jg-now")!.getAttribute("aria-label")).toBe("row 2");
  expect(places().map((k) => k!.split(" ")[0])).toEqual(["p2", "p1"]);
  press(root, "ArrowRight");
  await frame();
  expect(places().map((k) => k!.split(" ")[0])).toEqual(["p3", "p4"]);
  press(root, "d");
  expect(model.traits.cursor).toBe(2);
  await frame();
  // A step of one trace is a position of the cursor for both.
  const step = [...el.querySelectorAll("[data-view=timeline]")][1].querySelector("[data-k~=p4]")!;
  step.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  expect(model.traits.cursor).toBe(3);
  // Of a long list, the rows around the cursor are shown.
  const pane = el.querySelector("[data-view=compare]")!;
  const known = () =>
    [...pane.querySelectorAll("[aria-label^='row ']")].map((row) => row.getAttribute("aria-label"));
  expect(known().slice(0, 2)).toEqual(["row 1", "row 2"]);
  press(root, "End");
  await frame();
  expect(known().at(-1)).toBe("row 40");
  expect(known().length).toBeLessThan(30);
  expect(pane.querySelector(".jg-title")!.getAttribute("y")).toBe(String(16 + 20 * 16));
  expect(pane.querySelector(".jg-scene")!.getAttribute("viewBox")).toMatch(/^0 320 \d+ 510$/);
  expect(pane.querySelector(".jg-box.jg-now")!.getAttribute("aria-label")).toBe("row 40");
  press(root, "Home");
  await frame();
  el.querySelector("[aria-label='row 1']")!.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  expect(model.traits.cursor).toBe(1);
  model.set("document", fixture("paths"));
  expect(el.querySelectorAll(".jg-side").length).toBe(1);
  model.set("document", JSON.stringify({ ...both, compared: { ...both.compared, traces: [a, {}] } }));
  expect(el.querySelector(".jg-refusal")!.textContent).toMatch(/not a trace/);
});

test("keys zoom and pan the pane that has the focus, or zoom all", () => {
  const { el, root } = show({ views: ["storage", "graph"] });
  const scales = () =>
    [...el.querySelectorAll<HTMLElement>(".jg-pane")].map(({ style }) =>
      style.getPropertyValue("--jg-width").replace("calc(var(--jg-extent) * ", ""),
    );
  const fits = () => [...el.querySelectorAll("[title^='zoom: ']")].map((button) => button.textContent);
  expect(scales()).toEqual(["", ""]);
  press(root, "+");
  expect(scales()).toEqual(["1.25px)", "1.25px)"]);
  expect(fits()).toEqual(["125%", "125%"]);
  const pane = el.querySelector<HTMLElement>("[data-view=graph] .jg-scroll")!;
  press(pane, "-");
  expect(scales()).toEqual(["1.25px)", "1px)"]);
  const pan = vi.spyOn(pane, "scrollBy").mockImplementation(() => {});
  const cursor = el.querySelector<HTMLInputElement>(".jg-slider")!.value;
  for (const key of ["ArrowRight", "ArrowUp"]) {
    expect(press(pane, key, { shiftKey: true }).defaultPrevented).toBe(true);
  }
  expect(pan.mock.calls).toEqual([
    [80, 0],
    [0, -80],
  ]);
  expect(el.querySelector<HTMLInputElement>(".jg-slider")!.value).toBe(cursor);
  press(root, "0");
  expect(scales()).toEqual(["", ""]);
  expect(fits()).toEqual(["Fit", "Fit"]);
});

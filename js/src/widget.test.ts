/** The widget on a page, with a model like that of anywidget. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import type { InitializeProps, RenderProps } from "@anywidget/types";
import { afterEach, expect, test, vi } from "vitest";
import entry from ".";
import type { Diagnosis, TraceDocument } from "./document";
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

/** The widget on a page of this width, with space for the timeline beside the view or without it. */
function showAt(width: number, traits: Partial<Traits> = {}, model = new Model(traits)) {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockImplementation(function (this: HTMLElement) {
    return this.matches(".jg") ? width : 0;
  });
  return show(traits, model);
}

const panes = (el: Element) =>
  [...el.querySelectorAll(".jg-pane")].map((pane) => pane.getAttribute("data-view"));
const tabs = (el: Element) => [...el.querySelectorAll<HTMLElement>(".jg-tab")];

/** Shows a view. */
function choose(el: Element, name: string): void {
  el.querySelector<HTMLElement>(`[data-tab=${name}]`)!.click();
}

afterEach(() => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
  vi.useRealTimers();
});

test("it shows one view, and the others as tabs, at the end", () => {
  const { el } = show();
  expect(panes(el)).toEqual(["timeline"]);
  expect(tabs(el).map((tab) => tab.textContent)).toEqual(["Timeline", "Storage", "Graph"]);
  choose(el, "graph");
  expect(panes(el)).toEqual(["graph"]);
  expect(tabs(el).map((tab) => tab.getAttribute("aria-selected"))).toEqual(["false", "false", "true"]);
  expect(el.querySelector(".jg-count")!.textContent).toBe(`step ${steps("sharing")} of ${steps("sharing")}`);
});

test("the view asked for first is shown, until the reader chooses one", () => {
  const { el, model } = show({ views: ["graph", "timeline"] });
  expect(panes(el)).toEqual(["graph"]);
  model.set("views", ["storage", "graph"]);
  expect(panes(el)).toEqual(["storage"]);
  choose(el, "graph");
  model.set("views", ["storage", "timeline", "graph"]);
  expect(panes(el)).toEqual(["graph"]);
});

test("the timeline stands beside the view where there is room, and is a tab where there is none", () => {
  const { el } = showAt(820);
  expect(panes(el)).toEqual(["timeline", "storage"]);
  expect(tabs(el).map((tab) => tab.textContent)).toEqual(["Storage", "Graph"]);
  expect(panes(showAt(819).el)).toEqual(["timeline"]);
  expect(panes(showAt(820, { views: ["timeline"] }).el)).toEqual(["timeline"]);
});

test("a view that is hidden for a while is still laid out for the width that it has when it is shown", async () => {
  let width = 400;
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockImplementation(() => width);
  const { el, model } = show({ views: ["graph"] });
  const box = () => el.querySelector(".jg-pane-graph svg")!.getAttribute("viewBox")!;
  const narrow = box();
  width = 0;
  model.set("cursor", 1);
  await frame();
  model.set("cursor", -1);
  await frame();
  expect(box()).toBe(narrow);
  // Otherwise this says nothing: without a width it is another drawing.
  expect(narrow).not.toBe(
    show({ views: ["graph"] })
      .el.querySelector(".jg-pane-graph svg")!
      .getAttribute("viewBox"),
  );
});

test("the arrow keys go from tab to tab, which are one stop", () => {
  const { el, model } = show();
  const stops = () => tabs(el).filter((tab) => tab.tabIndex === 0);
  expect(stops()).toHaveLength(1);
  stops()[0].focus();
  press(stops()[0], "ArrowRight");
  expect(panes(el)).toEqual(["storage"]);
  expect(document.activeElement).toBe(stops()[0]);
  press(stops()[0], "ArrowLeft");
  press(stops()[0], "ArrowLeft");
  expect(panes(el)).toEqual(["graph"]);
  expect(model.traits.cursor).toBe(-1);
});

test("a dot says on its tab that the step did something there", async () => {
  const trace = JSON.parse(fixture("sharing")) as TraceDocument;
  const { el, model } = show({ views: ["graph", "storage", "accumulation"] });
  const dots = () =>
    tabs(el).flatMap((tab) =>
      tab.querySelector("i")!.hidden ? [] : [`${tab.dataset.tab} ${tab.querySelector("i")!.className}`],
    );
  for (const [kind, expected] of [
    ["write", "storage jg-write"],
    ["node", "graph jg-gradient"],
    ["accumulate", "accumulation jg-gradient"],
  ] as const) {
    model.set("cursor", trace.steps.findIndex((step) => step.kind === kind) + 1);
    await frame();
    expect(dots()).toEqual([expected]);
  }
  model.set("cursor", 0);
  await frame();
  expect(dots()).toEqual([]);
});

test("without steps there is no player, and a look at living tensors says so", () => {
  const still = { ...(JSON.parse(fixture("sharing")) as TraceDocument), steps: [], notes: [] };
  const player = (el: Element) => el.querySelector(".jg-transport")!.parentElement!;
  const cell = show({ document: JSON.stringify(still) });
  expect(player(cell.el).hidden).toBe(true);
  expect(cell.el.querySelector(".jg-sentence")!.textContent).toBe("No steps were recorded.");
  const look = show({ document: JSON.stringify({ ...still, source: [] }) });
  // Nor are there views without tensors.
  const bare = show({ document: JSON.stringify({ ...still, tensors: [], storages: [] }) });
  const shown = (el: Element) =>
    [".jg-header", ".jg-tabs", ".jg-pane"].map(
      (part) => !el.querySelector<HTMLElement>(part)!.closest("[hidden]"),
    );
  expect(shown(bare.el)).toEqual([true, false, false]);
  expect(shown(cell.el)).toEqual([true, true, true]);
  expect(bare.el.querySelector(".jg-sentence")!.textContent).toBe("");
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
  root.focus();
  expect(document.activeElement?.hasAttribute("data-lm-suppress-shortcuts")).toBe(true);
  press(root, "Enter", { shiftKey: true });
  expect(outside).toHaveBeenCalledTimes(2);
  expect(document.activeElement?.hasAttribute("data-lm-suppress-shortcuts")).toBe(false);
  document.body.removeEventListener("keydown", outside);
});

test("what is typed into the field is marked in the drawing and in the table, and its keys are no commands", () => {
  const { el, root, model } = show();
  const field = el.querySelector<HTMLInputElement>("[type=search]")!;
  const texts = () => [...el.querySelectorAll(".jg-found")].map((one) => one.textContent);
  Element.prototype.scrollIntoView ??= () => {};
  const found = (said: string) => {
    field.value = said;
    field.dispatchEvent(new Event("input"));
    return texts();
  };
  expect(found("X").length).toBeGreaterThan(0);
  expect(texts().every((text) => text!.toLowerCase().includes("x"))).toBe(true);
  press(root, "ArrowLeft");
  expect(texts().length).toBeGreaterThan(0);
  const { cursor } = model.traits;
  press(field, "Home");
  press(field, "t");
  expect(model.traits.cursor).toBe(cursor);
  expect(el.querySelector(".jg-table")).toBeNull();
  press(root, "t");
  expect(el.querySelectorAll(".jg-table .jg-found").length).toBeGreaterThan(0);
  expect(found("no such name")).toEqual([]);
  expect(found("")).toEqual([]);
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
  const { el, root } = showAt(900);
  const lit = () =>
    new Set(
      [...el.querySelectorAll(".jg-lit")].map((item) => item.closest(".jg-pane")!.getAttribute("data-view")),
    );
  const item = el.querySelector('[data-view="storage"] g[data-k="t0"]')!;
  item.dispatchEvent(new Event("pointerover", { bubbles: true }));
  expect(lit()).toEqual(new Set(["timeline", "storage"]));
  for (const element of el.querySelectorAll(".jg-lit")) {
    // An item without keys has those of its group.
    expect(element.closest("[data-k]")!.getAttribute("data-k")!.split(" ")).toContain("t0");
  }
  root.querySelector(".jg-side")!.dispatchEvent(new Event("pointerleave"));
  expect(lit().size).toBe(0);
  item.dispatchEvent(new Event("click", { bubbles: true }));
  expect(lit().size).toBe(2);
  // Also the lines that the headline names.
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
    for (const view of ["timeline", "storage", "graph", "accumulation", "scatter"]) {
      const { model, el, dispose } = show({ document: text, views: [view] });
      const n = steps(name);
      for (const cursor of [0, n, 3, n - 1, 1, 2, n - 2, 5]) {
        model.set("cursor", cursor);
        await frame();
        const fresh = show({ document: text, views: [view], cursor });
        const [now, then] = [el, fresh.el].map((where) => where.querySelector(".jg-scene")!);
        // The frame may be wider: it never shrinks while one steps.
        expect(now.childElementCount).toBeGreaterThan(0);
        expect(now.childElementCount).toBe(then.childElementCount);
        [...now.children].forEach((child, at) => {
          expect(child.isEqualNode(then.children[at])).toBe(true);
        });
        fresh.dispose();
      }
      dispose();
    }
  }
}, 120_000);

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
  ["", "No trace yet."],
  ["{", "cut or changed"],
  ["[1]", "does not say"],
  ['{"schema": "jgrad-trace/9"}', "jgrad-trace/9"],
  ['{"schema": "jgrad-trace/2", "source": []}', "This trace is broken."],
  ["deflate:AAAA", "cut or changed"],
  ["deflate:%%%", "cut or changed"],
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

test("a text that would unpack to more than any trace is refused before it is unpacked", async () => {
  const text = `deflate:${deflateSync(Buffer.alloc(65_000_000, "[")).toString("base64")}`;
  const { el } = show({ document: text });
  const refusal = el.querySelector(".jg-refusal")!;
  const sentence = "This trace is larger than 64 MB.";
  await vi.waitFor(() => expect(refusal.textContent).toBe(sentence), { timeout: 60_000 });
}, 60_000);

test("a document that is broken inside says so in the view that cannot draw it", () => {
  const trace = JSON.parse(fixture("sharing")) as TraceDocument;
  trace.tensors[0].stride = null as unknown as number[];
  const { el } = showAt(900, { document: JSON.stringify(trace) });
  expect(el.textContent).toContain("This trace is broken");
  expect(el.querySelector('[data-view="timeline"] .jg-scene')!.childElementCount).toBeGreaterThan(0);
});

test("a drawing that keeps its size does not get it again, which would lay out all of it", async () => {
  const { model, el } = show({ views: ["timeline"], cursor: 1 });
  const set = vi.spyOn(el.querySelector(".jg-scene")!, "setAttribute");
  model.set("cursor", 2);
  await frame();
  expect(set.mock.calls.map(([name]) => name)).toEqual(["aria-label"]);
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
  const { el, root } = showAt(900);
  press(root, "t");
  const tables = [...el.querySelectorAll("table")];
  expect(tables).toHaveLength(2);
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

test("a row of the graph opens and closes by a click and by Enter", async () => {
  const { el } = show({ document: fixture("model"), views: ["graph"] });
  const row = () => el.querySelectorAll<SVGElement>(".jg-scene [data-o]")[2];
  const rows = () => el.querySelectorAll(".jg-scene g").length;
  const count = rows();
  expect(row().textContent).toContain("▸[1]");
  row().dispatchEvent(new MouseEvent("click", { bubbles: true }));
  expect(row().textContent).toContain("▾[1]");
  expect(rows()).toBeGreaterThan(count);
  expect(document.activeElement).toBe(row());
  press(el.querySelector(".jg")!, "ArrowLeft");
  await frame();
  expect(row().textContent, "it stays open while one steps").toContain("▾[1]");
  press(row(), "Enter");
  expect(rows()).toBe(count);
});

test("the focus stays in the pane when what had it is drawn no more", async () => {
  const { el } = show({ views: ["storage"] });
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
  expect(folds()).toEqual(["× 6", "× 2", "× 6"]); // the first and the last time are there
  for (let i = 0; i < 6; i++) {
    await after("ArrowRight");
  }
  expect(model.traits.cursor).toBe(7); // the first time is done
  expect(await after("ArrowRight")).toEqual([43, "× 5", "× 2", "× 6"]); // all but the last
  expect(await after("ArrowRight")).toEqual([44, "× 6", "× 2", "× 6"]); // a step of the last
  await after("ArrowLeft");
  expect(await after("ArrowLeft")).toEqual([7, "× 6", "× 2", "× 6"]);
  expect(await after("o")).toEqual([8, "× 5", "× 2", "× 6"]); // the second is open
  expect(await after("ArrowRight")).toEqual([9, "× 5", "× 2", "× 6"]);
  await after("ArrowLeft");
  expect(await after("ArrowLeft")).toEqual([7, "× 6", "× 2", "× 6"]);
  model.set("cursor", 52);
  await frame();
  expect(await after("ArrowRight")).toEqual([154, "× 6", "× 1", "× 6", "× 6"]); // all epochs but the last
  expect(await after("O", { shiftKey: true })).toEqual([153, "× 6", "× 1", "× 6", "× 6"]);
  model.set("cursor", 52);
  await frame();
  el.querySelector("[aria-label^='2 more of 4']")!.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  await frame();
  expect([model.traits.cursor, ...folds()]).toEqual([53, "× 6", "× 6", "× 1", "× 6"]);
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
    diagnosis: {
      code: "",
      severity: "warning",
      step: null,
      headline: [{ kind: "text", text: "They part at step 2." }],
      more: [],
      repair: [],
      proposes: [],
      error: null,
    },
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
  expect(el.querySelector(".jg-headline")!.textContent).toBe("They part at step 2.");
  expect(el.querySelector(".jg-name")!.textContent).toBe("");
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
  // What the headline says of a step is not said again below the slider.
  const text = "They part at step 2: in a, this; in b, that.";
  model.set(
    "document",
    JSON.stringify({ ...both, diagnosis: { ...both.diagnosis, headline: [{ kind: "text", text }] } }),
  );
  model.set("cursor", 2);
  await frame();
  expect(el.querySelector(".jg-headline")!.textContent).toBe(text);
  expect(el.querySelector(".jg-sentence")!.textContent).toBe("");
  model.set("document", fixture("paths"));
  expect(el.querySelectorAll(".jg-side").length).toBe(1);
  model.set("document", JSON.stringify({ ...both, compared: { ...both.compared, traces: [a, {}] } }));
  expect(el.querySelector(".jg-refusal")!.textContent).toMatch(/not a trace/);
});

/** A document with a diagnosis. */
function diagnosed(more: Partial<Diagnosis> = {}, name = "sharing"): string {
  const trace = JSON.parse(fixture(name)) as TraceDocument;
  trace.diagnosis = {
    code: "saved-overwritten",
    severity: "error",
    step: 5,
    headline: [
      { kind: "code", text: "h<b>" },
      { kind: "text", text: " was saved " },
      { kind: "line", text: "line 4", line: 4, cursor: 3 },
      { kind: "text", text: " and overwritten " },
      { kind: "line", text: "line 5" },
    ],
    more: [{ kind: "text", text: "It can't go on." }],
    repair: [
      { kind: "text", text: "Write " },
      { kind: "code", text: "h = h + 1" },
      { kind: "text", text: "." },
    ],
    proposes: ["h = h + 1"],
    error: "RuntimeError: one of the variables",
    ...more,
  };
  trace.notes = [
    { step: 5, code: "saved-overwritten", severity: "error", text: "The headline.", tensors: [], lines: [4] },
    { step: 2, code: "shared-memory", severity: "info", text: "Another.", tensors: [], lines: [4] },
  ];
  return JSON.stringify(trace);
}

test("the headline has the lines as chips, which move the cursor and light up in the views", () => {
  const { el, model } = showAt(900, { document: diagnosed() });
  const headline = el.querySelector(".jg-headline")!;
  expect(headline.textContent).toBe("h<b> was saved line 4 and overwritten line 5");
  expect(headline.querySelector("b")).toBeNull();
  expect(el.querySelector(".jg-answer")!.className).toContain("jg-error");
  const [chip, ...others] = headline.querySelectorAll<HTMLElement>("button");
  expect(others).toEqual([]); // the cursor can't go to the other line
  chip.dispatchEvent(new Event("pointerover", { bubbles: true }));
  expect(el.querySelectorAll(".jg-lit").length).toBeGreaterThan(0);
  chip.click();
  expect(model.traits.cursor).toBe(3);
  expect(el.querySelector(".jg-more")!.textContent).toBe("It can't go on.");
});

test("the repair is code to copy, the raw error and other notes are folded, and nothing is said twice", async () => {
  const { el } = show({ document: diagnosed() });
  const written = vi.fn(async () => {});
  vi.stubGlobal("navigator", { clipboard: { writeText: written } });
  const copy = el.querySelector<HTMLElement>(".jg-copy")!;
  copy.click();
  await vi.waitFor(() => expect(copy.textContent).toBe("copied"));
  expect(written).toHaveBeenCalledWith("h = h + 1");
  vi.unstubAllGlobals();
  const folded = [...el.querySelectorAll("details")].map((one) => [
    one.open,
    one.querySelector("summary")!.textContent,
    one.lastElementChild!.textContent,
  ]);
  expect(folded).toEqual([
    [false, "1 more note", "Another. step 3"],
    [false, "raw error", "RuntimeError: one of the variables"],
  ]);
  expect(el.querySelector(".jg-header")!.textContent).not.toContain("The headline.");
});

test("without a mistake the headline has nothing to fold; a document without one has none", () => {
  const fine = diagnosed({
    code: "",
    severity: "info",
    step: null,
    more: [],
    repair: [],
    proposes: [],
    error: null,
  });
  const { el } = show({ document: JSON.stringify({ ...JSON.parse(fine), notes: [] }) });
  expect(el.querySelector(".jg-answer")!.className).toBe("jg-answer jg-intermediate");
  expect(el.querySelectorAll(".jg-fix, .jg-more, details")).toHaveLength(0);
  const none = show({ document: JSON.stringify({ ...JSON.parse(fine), diagnosis: undefined }) });
  expect(none.el.querySelector<HTMLElement>(".jg-answer")!.hidden).toBe(true);
  const broken = show({ document: JSON.stringify({ ...JSON.parse(fine), diagnosis: { headline: 3 } }) });
  expect(broken.el.querySelector(".jg-refusal")!.textContent).toBe("This trace is broken.");
});

test("the slider says the sentence of the step; marks differ by form; Shift and arrows go from mark to mark", () => {
  const trace = JSON.parse(fixture("sharing")) as TraceDocument;
  const { el, root, model } = show({ document: JSON.stringify({ ...trace, notes: [] }), cursor: 0 });
  const marked = trace.steps.flatMap(({ kind }, i) =>
    kind === "write" || kind === "backward" ? [i + 1] : [],
  );
  for (const at of marked) {
    press(root, "ArrowRight", { shiftKey: true });
    expect(model.traits.cursor).toBe(at);
    const slider = el.querySelector(".jg-slider")!;
    expect(slider.getAttribute("aria-valuetext")).toBe(trace.steps[at - 1].text);
  }
  press(root, "ArrowLeft", { shiftKey: true });
  expect(model.traits.cursor).toBe(marked.at(-2));
  expect(el.querySelectorAll(".jg-marks path")).toHaveLength(2);
  const { line, text } = trace.steps[marked.at(-2)! - 1];
  expect(el.querySelector(".jg-where")!.textContent).toBe(`line ${line}`);
  expect(el.querySelector(".jg-sentence")!.textContent).toBe(text.replace(": ", ""));
});

test("? shows the keys and the legend over the views, and Escape hides them", () => {
  const { el, root } = show();
  const help = el.querySelector<HTMLElement>(".jg-help")!;
  root.focus();
  press(root, "?");
  expect([help.hidden, document.activeElement]).toEqual([false, help]);
  press(help, "Escape");
  expect([help.hidden, document.activeElement]).toEqual([true, root]);
  el.querySelector<HTMLElement>("[title^='keys and legend']")!.click();
  expect(help.hidden).toBe(false);
});

test("a widget has at most a dozen stops for Tab", () => {
  const { el } = showAt(900, { document: diagnosed(), views: [] });
  const stops = [
    ...el.querySelectorAll<HTMLElement>("button, input, select, summary, [tabindex='0']"),
  ].filter((one) => one.tabIndex >= 0 && !one.closest("[hidden]"));
  expect(stops.length).toBeLessThanOrEqual(12);
});

test("keys zoom and pan the pane that has the focus, or zoom all", () => {
  const { el, root } = showAt(900, { views: ["timeline", "graph"] });
  const scales = () =>
    [...el.querySelectorAll<SVGSVGElement>(".jg-scene")].map(
      (one) => Number.parseFloat(one.style.width) / Number(one.getAttribute("viewBox")!.split(" ")[2]),
    );
  const fits = () => el.querySelector("[title^='zoom: ']")!.textContent;
  expect(scales()).toEqual([1, 1]); // a unit of a scene is a pixel
  press(root, "+");
  expect(scales()).toEqual([1.25, 1.25]);
  expect(fits()).toBe("125%");
  const pane = el.querySelector<HTMLElement>("[data-view=graph] .jg-scroll")!;
  press(pane, "-");
  expect(scales()).toEqual([1.25, 1]);
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
  expect(scales()).toEqual([1, 1]);
  expect(fits()).toBe("100%");
});

// What a running loop shows has steps of the present round, which is among those kept, or not yet over.
test.each([
  ["with that round", true],
  ["without a round", false],
])(
  "a round that was chosen while the loop ran stays chosen when the whole trace arrives: %s",
  async (_, over) => {
    const whole: TraceDocument = JSON.parse(fixture("epochs"));
    const glimpse: TraceDocument = JSON.parse(fixture("epochs"));
    const { total } = whole.rounds!;
    glimpse.rounds!.kept = over ? [[total, 0, glimpse.steps.length]] : [];
    expect(glimpse.steps.every((step) => step.kind !== "gap")).toBe(true);
    const { model, el, root } = show({ document: JSON.stringify(glimpse), views: ["training"] });
    const round = () => el.querySelector(".jg-onflag")!.textContent;
    await frame();
    expect(round()).toBe(`round ${total}`);
    press(root, "ArrowLeft"); // and before anything is drawn:
    model.set("document", JSON.stringify(whole));
    await frame();
    expect(round()).toBe(`round ${total - 1}`);
    expect(model.traits.cursor).toBe(whole.rounds!.kept.at(-2)![2]); // the header and the timeline are there too
    press(root, "ArrowLeft");
    await frame();
    expect(round()).toBe(`round ${total - 2}`);
  },
);

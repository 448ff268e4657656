/** An answer of `%why` on a page, with the manager of widgets that it asks for its trace. */

import type { RenderProps } from "@anywidget/types";
import { afterEach, expect, test, vi } from "vitest";
import type { Answer } from "./answer";
import entry from "./answer";

const BLOCKS: Answer["blocks"] = [
  [
    "p",
    [
      ["line", "line 3", 0, 7],
      ["text", " saved <b>y</b>; ", -1, 0],
      ["code", "y.mul_(2)", -1, 0],
      ["line", "line 4", 1, 9],
    ],
  ],
  ["pre", [["code", "y.clone()", -1, 0]]],
];

afterEach(() => document.body.replaceChildren());

/** The kernel changes what the answer says. */
let change: (blocks: Answer["blocks"]) => void;

/** Renders the answer. `traces`: the models that are there, by id. */
function show(traces: Record<string, unknown> = {}, models = ["a", "b"]): HTMLElement {
  const twin = document.createElement("div");
  twin.dataset.jgradAnswer = "t";
  const el = document.createElement("div");
  document.body.append(twin, el);
  const traits: Answer = { blocks: BLOCKS, models, twin: "t" };
  const get_model = async (id: string) => traces[id] ?? Promise.reject(new Error("model not found"));
  const told: (() => void)[] = [];
  const model = {
    get: (name: keyof Answer) => traits[name],
    widget_manager: { get_model, create_view: async (one: { el: HTMLElement }) => one },
    send: ({ open }: { open: number }) => {
      traits.models = traits.models.with(open, "hidden");
      for (const tell of told) {
        tell();
      }
    },
    on: (_: string, tell: () => void) => told.push(tell),
    off: vi.fn(),
  };
  entry.render({ model, el } as unknown as RenderProps<Answer>);
  change = (blocks) => {
    traits.blocks = blocks;
    for (const tell of told) {
      tell();
    }
  };
  return el;
}

/** A trace on the page: its model, and its slider. */
function trace(top = 0) {
  const el = document.createElement("section");
  const slider = document.createElement("input");
  slider.type = "range";
  el.append(slider);
  document.body.append(el);
  el.getBoundingClientRect = () => ({ top, bottom: top + 100 }) as DOMRect;
  el.scrollIntoView = vi.fn();
  return { set: vi.fn(), save_changes: vi.fn(), views: { v: Promise.resolve({ el }) }, el, slider };
}

test("it shows text, code and links, and hides the static one", () => {
  const el = show();
  expect(el.querySelector("p")!.textContent).toBe("line 3 saved <b>y</b>; y.mul_(2)line 4");
  expect(el.querySelector("b")).toBeNull();
  expect(el.querySelector("p code")!.textContent).toBe("y.mul_(2)");
  expect(el.querySelector("pre")!.innerHTML).toBe("y.clone()");
  expect([...el.querySelectorAll("button")].map((link) => link.textContent)).toEqual(["line 3", "line 4"]);
  expect(el.querySelector("style")!.textContent).toBe('[data-jgrad-answer="t"]{display:none}');
});

test("a link moves its trace, and gives its slider the focus", async () => {
  const [a, b] = [trace(), trace(-500)];
  const [, link] = show({ a, b }).querySelectorAll("button");
  link.click();
  await vi.waitFor(() => expect(document.activeElement).toBe(b.slider));
  expect(b.set).toHaveBeenCalledWith("cursor", 9);
  expect(b.save_changes).toHaveBeenCalledOnce();
  expect(b.el.scrollIntoView).toHaveBeenCalledOnce(); // none of it was on the screen
  expect(a.set).not.toHaveBeenCalled();
});

test("a trace on the screen stays where it is", async () => {
  const a = trace(20);
  show({ a }).querySelector("button")!.click();
  await vi.waitFor(() => expect(document.activeElement).toBe(a.slider));
  expect(a.el.scrollIntoView).not.toHaveBeenCalled();
});

test("the link to a trace that is gone becomes text", async () => {
  const el = show();
  el.querySelector("button")!.click();
  await vi.waitFor(() => expect(el.querySelectorAll("button").length).toBe(1));
  expect(el.querySelector("p")!.textContent).toContain("line 3 saved");
});

test("an answer whose trace was run again says so", () => {
  const el = show();
  change([["p", [["text", "This is about an earlier run.", -1, 0]]]]);
  expect(el.querySelector(".jgrad-why")!.textContent).toBe("This is about an earlier run.");
  expect(el.querySelector("button")).toBeNull();
});

test("a link to a trace that nobody displayed puts its views below the answer", async () => {
  const hidden = { ...trace(), views: undefined };
  hidden.el.remove();
  const el = show({ hidden }, ["a", ""]);
  el.querySelectorAll("button")[1]!.click();
  await vi.waitFor(() => expect(el.contains(hidden.el)).toBe(true));
  expect(hidden.set).toHaveBeenCalledWith("cursor", 9);
});

/** An answer of `%why` whose lines are links: a click moves the slider of the trace that it is about to the step. */

import type { AnyModel, RenderProps } from "@anywidget/types";
import { html } from "./dom";

type Part = [kind: "text" | "code" | "line", text: string, model: number, cursor: number];

export interface Answer {
  blocks: ["p" | "pre", Part[]][];
  models: string[];
  twin: string;
}

const HEAD = 200; // pixels: the headline and the slider
const PATIENCE = 10_000; // milliseconds until a kernel is taken for gone

/** What the manager of widgets gives for a model on the screen. */
interface Shown extends AnyModel<{ cursor: number }> {
  views?: Record<string, Promise<{ el: HTMLElement }>>;
}

/** The manager itself, of which anywidget types one method. */
interface Manager {
  get_model(id: string): Promise<Shown>;
  create_view(model: Shown): Promise<{ el: HTMLElement }>;
}

/** The id of the model of a trace. If nobody displayed its views, the kernel makes one. */
function opened(model: AnyModel<Answer>, number: number): Promise<string> {
  const id = () => model.get("models")[number];
  return new Promise((found, fail) => {
    if (id()) {
      return found(id());
    }
    model.on("change:models", () => found(id()));
    model.send({ open: number });
    setTimeout(fail, PATIENCE);
  });
}

/** Moves the slider of a trace. Brings the trace on the screen if its head is not there: below the answer, `el`, if it is nowhere. Its slider gets
 * the focus, so that keys step on. */
async function go(model: AnyModel<Answer>, number: number, cursor: number, el: HTMLElement): Promise<void> {
  const manager = model.widget_manager as Manager;
  const trace: Shown = await manager.get_model(await opened(model, number));
  trace.set("cursor", cursor);
  trace.save_changes();
  if (!Object.keys(trace.views ?? {}).length) {
    el.append((await manager.create_view(trace)).el);
  }
  for (const view of Object.values(trace.views ?? {})) {
    const { el } = await view;
    const { top } = el.getBoundingClientRect();
    if (top < 0 || top > innerHeight - HEAD) {
      el.scrollIntoView();
    }
    el.querySelector<HTMLElement>("input[type=range]")?.focus({ preventScroll: true });
  }
}

function render({ model, el }: RenderProps<Answer>): () => void {
  const part = ([kind, text, number, cursor]: Part): Node | string => {
    if (kind !== "line") {
      return kind === "code" ? html("code", {}, text) : text;
    }
    const link = html("button", { type: "button", title: "show this step in the trace" }, text);
    link.addEventListener("click", () => {
      // Where there is no kernel that says that the trace is gone, this line is text from now on.
      go(model, number, cursor, el).catch(() => link.replaceWith(text));
    });
    return link;
  };
  const block = ([kind, parts]: Answer["blocks"][number]): Node =>
    html(kind, {}, ...parts.map((one) => (kind === "pre" ? one[1] : part(one))));
  const twin = `[data-jgrad-answer="${CSS.escape(model.get("twin"))}"]`;
  const root = html("div", { class: "jgrad-why" });
  const draw = () => root.replaceChildren(...model.get("blocks").map(block));
  draw();
  model.on("change:blocks", draw); // when the cell of the trace runs again
  el.append(html("style", {}, `${twin}{display:none}`), root);
  return () => {
    model.off("change:blocks", draw);
    el.replaceChildren();
  };
}

export default { render };

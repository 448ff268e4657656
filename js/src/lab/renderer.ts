/** Shows the trace that an output holds. So the views of a saved notebook are alive without a kernel, whether it is trusted or not. */

import type { IExtension, IMimeModel, IRenderer } from "@jupyterlab/rendermime-interfaces";
import { Widget } from "@lumino/widgets";
import { PageModel } from "../model";
import type { Traits } from "../widget";
import { frontEnd } from "./frontend";
import { enter, isThere, leave, NEAR, runs, type Shown } from "./traces";

export const MIME = "application/vnd.jgrad.trace+json";

/** The trace in the data of an output, if its fields have the right types; what they hold is checked by the views. */
export function traceOf(data: Record<string, unknown>): Traits | undefined {
  const found = data[MIME] as Partial<Traits> | undefined;
  const { document, cursor, views, twin } = found ?? {};
  return typeof document === "string" &&
    Number.isInteger(cursor) &&
    Array.isArray(views) &&
    views.every((view) => typeof view === "string") &&
    typeof twin === "string"
    ? { document, cursor: cursor!, views, twin }
    : undefined;
}

/** Live views in an element, as soon as the front end is there. Returns what ends them. */
export function play(model: PageModel, el: HTMLElement): () => void {
  let end: (() => void) | undefined;
  let over = false;
  frontEnd().then(
    ({ default: make }) => {
      if (!over) {
        const { initialize, render } = make();
        initialize({ model: model.forViews } as never);
        end = render({ model: model.forViews, el } as never);
      }
    },
    (error) => {
      if (!over) {
        el.textContent = `The views can't be shown: ${error.message}. Reload the page.`;
      }
    },
  );
  return () => {
    over = true;
    end?.();
  };
}

/** Milliseconds for which the trace of a cell that runs waits for the widget that is about to show it. */
const PATIENCE = 500;

class Views extends Widget implements IRenderer {
  private end?: () => void;
  private waiting?: IntersectionObserver;
  private soon = 0;
  private shown?: Shown;

  async renderModel({ data }: IMimeModel): Promise<void> {
    const trace = traceOf(data);
    if (trace && trace.twin === this.shown?.trace.twin && isThere(this.shown)) {
      return; // only the pictures came, later than the trace
    }
    this.clear();
    if (!trace) {
      this.node.textContent = "This is not a trace of jgrad.";
      return;
    }
    this.shown = { trace, node: this.node, cursor: trace.cursor };
    // A live widget of the same trace hides its twin, which is this. What is hidden needs no views.
    this.node.dataset.jgradTwin = trace.twin;
    await Promise.resolve(); // now it is in the page, if its cell is
    const patience = runs(this.node) ? PATIENCE : 0;
    // What a saved notebook shows later keeps its place: of twenty traces without height, all would be in sight.
    this.node.classList.toggle("jgrad-later", !patience);
    this.waiting = new IntersectionObserver(([entry]) => {
      if (entry.isIntersecting) {
        this.soon ||= window.setTimeout(() => {
          if (this.node.offsetParent) {
            this.end = play(new PageModel({ ...trace, twin: "" }), this.node);
          } else {
            // Hidden since, perhaps for less than a frame: then the observer has nothing to report. So ask it again.
            this.soon = 0;
            this.waiting?.unobserve(this.node);
            this.waiting?.observe(this.node);
          }
        }, patience);
      } else if (!this.node.offsetParent) {
        this.stop();
      }
    }, NEAR);
    this.waiting.observe(this.node);
    enter(this.shown);
  }

  override dispose(): void {
    this.clear();
    super.dispose();
  }

  private clear(): void {
    this.waiting?.disconnect();
    this.stop();
    if (this.shown) {
      leave(this.shown);
    }
  }

  private stop(): void {
    window.clearTimeout(this.soon);
    this.soon = 0;
    this.end?.();
    this.end = undefined;
    this.node.replaceChildren();
  }
}

const extension: IExtension = {
  id: "jgrad:renderer",
  rendererFactory: {
    safe: true, // names and values become text, never markup
    mimeTypes: [MIME],
    defaultRank: 10,
    createRenderer: () => {
      const views = new Views();
      views.addClass("jgrad-views");
      return views;
    },
  },
  dataType: "json",
};

export default extension;

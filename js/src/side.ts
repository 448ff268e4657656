/** The panes of one trace: all of a widget, or one of the two sides of a comparison. */

import type { TraceDocument } from "./document";
import { html } from "./dom";
import { createLinks } from "./links";
import type { Log } from "./log";
import { createPane, type Pane } from "./pane";
import type { Item, Scene, View } from "./scene";

export type Side = ReturnType<typeof createSide>;

export function createSide(views: Record<string, View>) {
  const grid = html("div", { class: "jg-panes" });
  const name = html("p", { class: "jg-side-name" });
  const element = html("div", { class: "jg-side", role: "group" }, name, grid);
  const links = createLinks(element);
  const panes = new Map<string, Pane>();
  let shown: Pane[] = [];
  let log: Log;
  /** At each place of the cursor, how many steps this trace has taken; undefined: as many as the place says. */
  let taken: number[] | undefined;

  return {
    element,
    links,
    panes: () => shown,

    /** Shows another trace, said to be that of `called`. */
    open(trace: Log, called = "", steps?: number[]): void {
      log = trace;
      taken = steps;
      name.textContent = called;
      element.setAttribute("aria-label", called || "views");
    },

    /** Shows these views, in this order. */
    arrange(names: string[]): void {
      shown = names.map((view) => {
        const pane = panes.get(view) ?? createPane(view, views[view]);
        panes.set(view, pane);
        return pane;
      });
      grid.replaceChildren(...shown.map((pane) => pane.element));
    },

    draw(place: number): void {
      const frame = log.frame(taken?.[place] ?? place);
      for (const pane of shown) {
        pane.show(frame);
      }
      for (const pane of shown) {
        pane.reveal(); // which looks at the page: after all of it has changed
      }
      links.redrawn();
    },

    /** The place of the cursor at which so many steps are taken. */
    placeOf: (step: number): number => taken?.indexOf(step) ?? step,
  };
}

/** Two traces side by side, as jgrad/trace/comparison.py writes them: a trace whose steps are theirs in pairs. */
export interface Compared {
  traces: TraceDocument[];
  /** Of each trace, how many of its steps are taken at each place. */
  taken: number[][];
  scene: Scene;
}

/** The list of what differs, with a mark at the cursor. */
export function compared({ scene }: Compared): View {
  return (frame) => {
    const key = `p${frame.cursor}`;
    const mark = (item: Item): Item =>
      item.t === "group" || !item.k?.includes(key) ? item : { ...item, c: `${item.c} now` };
    return { ...scene, caption: frame.caption(), items: scene.items.map(mark) };
  };
}

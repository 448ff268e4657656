/** The panes of one trace: all of a widget, or one of the two sides of a comparison. */

import type { TraceDocument } from "./document";
import { html } from "./dom";
import { Links } from "./links";
import type { Log } from "./log";
import { Pane } from "./pane";
import type { Item, Scene, View } from "./scene";

export class Side {
  readonly links: Links;
  readonly #views: Record<string, View>;
  readonly #signal: AbortSignal;
  readonly #grid = html("div", { class: "jg-panes" });
  readonly #name = html("p", { class: "jg-side-name" });
  readonly element = html("div", { class: "jg-side", role: "group" }, this.#name, this.#grid);
  readonly #panes = new Map<string, Pane>();
  /** Panes that know how wide this trace's last scene is. */
  readonly #expected = new Set<string>();
  #log: Log | null = null;
  /** At each place of the cursor, how many steps this trace has taken; null: as many as the place says. */
  #taken: number[] | null = null;
  #shown: Pane[] = [];

  constructor(views: Record<string, View>, signal: AbortSignal) {
    this.#views = views;
    this.#signal = signal;
    this.links = new Links(this.element, signal);
  }

  open(log: Log, taken: number[] | null = null): void {
    this.#log = log;
    this.#taken = taken;
    this.#expected.clear();
  }

  /** What stands above the panes. */
  set name(said: string) {
    this.#name.textContent = said;
    this.element.setAttribute("aria-label", said || "views");
  }

  /** Shows these views, in this order. */
  arrange(names: string[]): void {
    this.#shown = names.map((name) => {
      const pane = this.#panes.get(name) ?? new Pane(name, this.#views[name], this.#signal);
      this.#panes.set(name, pane);
      return pane;
    });
    this.#grid.replaceChildren(...this.#shown.map((pane) => pane.element));
  }

  draw(place: number): void {
    const log = this.#log!;
    const frame = log.frame(this.#taken?.[place] ?? place);
    for (const pane of this.#shown) {
      if (!this.#expected.has(pane.name)) {
        this.#expected.add(pane.name);
        pane.expect(log.frame(log.document.steps.length));
      }
      pane.show(frame);
    }
    for (const pane of this.#shown) {
      pane.reveal(); // which looks at the page: after all of it has changed
    }
    this.links.apply();
    this.links.hideTip();
  }

  /** The place of the cursor at which so many steps are taken. */
  placeOf(step: number): number {
    return this.#taken?.indexOf(step) ?? step;
  }

  get panes(): Pane[] {
    return this.#shown;
  }
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

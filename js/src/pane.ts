/** One view on the screen: its drawing, its table twin, zoom, and export. */

import { button, html } from "./dom";
import { save, standalone } from "./export";
import type { Frame } from "./frame";
import { Drawing } from "./render";
import { type Item, type Scene, type View, width } from "./scene";

const SMALLEST_FIT = 0.75; // text stays readable; what is wider scrolls
const ZOOM_STEP = 1.25;
const ZOOM_LIMITS: [number, number] = [0.25, 4];

export class Pane {
  readonly element: HTMLElement;
  readonly name: string;
  readonly #view: View;
  readonly #drawing = new Drawing();
  readonly #scroll: HTMLElement;
  readonly #caption = html("figcaption", { class: "jg-caption" });
  readonly #fit: HTMLButtonElement;
  readonly #tableButton: HTMLButtonElement;
  readonly #title = html("span", { class: "jg-pane-title" });
  readonly #choices = html("select", { class: "jg-button", "aria-label": "slice", hidden: true });
  #frame: Frame | null = null;
  #zoom: number | null = null;
  #table = false;
  /** How wide its scenes have been without the empty part at the right; it never shrinks, so that stepping doesn't jump. */
  #extent = 0;
  #room = 0;

  constructor(name: string, view: View, signal: AbortSignal) {
    this.name = name;
    this.#view = view;
    this.#tableButton = button("Table", null, () => this.showTable(!this.#table));
    this.#tableButton.title = "the same as a table (t)";
    this.#fit = button("Fit", null, () => this.zoom(0));
    this.#fit.title = "zoom: as the pane allows (0)";
    const tools = html(
      "span",
      { class: "jg-tools" },
      this.#choices,
      button("zoom out (-)", "M3 7h10v2H3z", () => this.zoom(-1)),
      this.#fit,
      button("zoom in (+)", "M7 3h2v4h4v2H9v4H7V9H3V7h4z", () => this.zoom(1)),
      this.#tableButton,
      button("save as SVG", "M7 2h2v6h3l-4 4-4-4h3zM3 13h10v1.5H3z", () => this.#export()),
    );
    this.#scroll = html("div", { class: "jg-scroll", tabindex: 0, role: "group" }, this.#drawing.element);
    this.element = html(
      "figure",
      { class: `jg-pane jg-pane-${name}`, "data-view": name },
      html("div", { class: "jg-pane-head" }, this.#title, tools),
      this.#scroll,
      this.#caption,
    );
    this.#choices.addEventListener("change", () => this.#frame && this.show(this.#frame), { signal });
    this.#scroll.addEventListener("wheel", (event) => this.#wheel(event), { signal, passive: false });
    if (typeof ResizeObserver !== "undefined") {
      // In a frame of its own: what resizes while it is told of resizing is reported as an error.
      const observer = new ResizeObserver(() => requestAnimationFrame(() => this.#measure()));
      observer.observe(this.#scroll);
      signal.addEventListener("abort", () => observer.disconnect());
    }
    this.showTable(false);
  }

  show(frame: Frame): void {
    this.#frame = frame;
    let scene = this.#scene(frame);
    if (this.#offer(scene.choices ?? [])) {
      scene = this.#scene(frame);
    }
    this.#title.textContent = scene.title.split(" of ")[0];
    // The header already says the sentence of the step.
    this.#caption.textContent = scene.caption.replace(frame.caption(), "").replace(/^ · /, "");
    this.#scroll.setAttribute("aria-label", scene.title);
    if (this.#table) {
      this.#scroll.replaceChildren(table(scene));
    }
    this.#drawing.show(scene);
    this.#widen(scene);
    if (this.#room) {
      this.#size();
    } else {
      this.#measure();
    }
  }

  /** Makes room for a scene before it is shown. */
  expect(frame: Frame): void {
    this.#extent = 0;
    this.#widen(this.#scene(frame));
  }

  #scene(frame: Frame): Scene {
    try {
      const { selectedIndex } = this.#choices;
      return this.#view(frame, selectedIndex > 0 ? selectedIndex - 1 : undefined);
    } catch {
      return unreadable(this.name);
    }
  }

  /** Slices to choose between; what was chosen stays where it is still there. Says whether they are others than before. */
  #offer(names: string[]): boolean {
    const select = this.#choices;
    select.hidden = names.length === 0;
    const offered = ["all slices", ...names];
    const others = offered.join() !== [...select.options].map((option) => option.text).join();
    if (others) {
      const { value } = select;
      select.replaceChildren(...offered.map((name) => html("option", {}, name)));
      select.selectedIndex = Math.max(0, offered.indexOf(value));
    }
    return others;
  }

  #widen(scene: Scene): void {
    this.#extent = Math.max(this.#extent, extent(scene.items) + 10);
    const { style } = this.element;
    style.setProperty("--jg-least", `${Math.round(this.#extent * SMALLEST_FIT)}px`);
    style.setProperty("--jg-extent", String(Math.round(this.#extent)));
  }

  get tabular(): boolean {
    return this.#table;
  }

  showTable(on: boolean): void {
    this.#table = on;
    this.#tableButton.setAttribute("aria-pressed", String(on));
    const { scene, element } = this.#drawing;
    this.#scroll.replaceChildren(on && scene ? table(scene) : element);
  }

  #wheel(event: WheelEvent): void {
    if (event.ctrlKey && !this.#table) {
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1 : -1);
    }
  }

  /** Larger (1), smaller (-1), or as the pane allows (0). */
  zoom(by: 1 | -1 | 0): void {
    const [least, most] = ZOOM_LIMITS;
    this.#zoom = by ? Math.min(most, Math.max(least, this.#scale() * ZOOM_STEP ** by)) : null;
    this.#size();
  }

  pan(x: number, y: number): void {
    this.#scroll.scrollBy(x, y);
  }

  /** Takes the room there is. Asking for it at each step would have the browser lay out the page once for every pane. */
  #measure(): void {
    this.#room = this.#scroll.clientWidth;
    this.#size();
  }

  #scale(): number {
    const fit = this.#room ? Math.min(1, Math.max(SMALLEST_FIT, this.#room / this.#extent)) : 1;
    return this.#zoom ?? fit;
  }

  #size(): void {
    const { scene, element } = this.#drawing;
    if (scene) {
      const scale = this.#scale();
      element.setAttribute("viewBox", `0 0 ${this.#extent} ${scene.height}`);
      element.style.width = `${this.#extent * scale}px`;
      element.style.height = `${scene.height * scale}px`;
      this.#fit.textContent = this.#zoom === null ? "Fit" : `${Math.round(scale * 100)}%`;
    }
  }

  /** Scrolls the pane, and nothing around it, to what the step at the cursor did. */
  reveal(): void {
    const box = this.#scroll;
    if (this.#table || (box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth)) {
      return;
    }
    const target = this.#drawing.element
      .querySelector(":is(rect, path).jg-now:not(.jg-band)")
      ?.getBoundingClientRect();
    if (target) {
      const frame = box.getBoundingClientRect();
      if (target.top < frame.top || target.bottom > frame.bottom) {
        box.scrollTop +=
          target.top - frame.top - box.clientHeight / 2 + Math.min(target.height / 2, box.clientHeight / 3);
      }
      if (target.left < frame.left || target.right > frame.right) {
        box.scrollLeft += target.left - frame.left - box.clientWidth / 3;
      }
    }
  }

  #export(): void {
    const showing = this.#table;
    this.showTable(false);
    save(
      standalone(this.#drawing.element, getComputedStyle(this.element).backgroundColor),
      `${this.name}.svg`,
    );
    this.showTable(showing);
  }
}

/** How far items reach to the right; edges reach no further than what they join. */
export function extent(items: Item[]): number {
  let right = 0;
  for (const item of items) {
    if (item.t === "group") {
      right = Math.max(right, extent(item.items));
    } else if (item.t === "rect" && !item.c.startsWith("band")) {
      right = Math.max(right, item.x + item.w);
    } else if (item.t === "text") {
      const share = item.a === "end" ? 0 : item.a === "middle" ? 0.5 : 1;
      right = Math.max(right, item.x + width(item.s) * share);
    }
  }
  return right;
}

function table(scene: Scene): HTMLElement {
  const { columns, rows } = scene.table;
  return html(
    "table",
    { class: "jg-table" },
    html("caption", {}, scene.title),
    html("thead", {}, html("tr", {}, ...columns.map((name) => html("th", { scope: "col" }, name)))),
    html(
      "tbody",
      {},
      ...rows.map((row) =>
        html(
          "tr",
          {},
          ...row.map((cell, i) => (i === 0 ? html("th", { scope: "row" }, cell) : html("td", {}, cell))),
        ),
      ),
    ),
  );
}

/** In place of a view that a broken document stopped. */
function unreadable(view: string): Scene {
  return {
    view,
    title: view,
    width: 300,
    height: 8,
    caption: `This trace is broken: its ${view} view cannot be drawn.`,
    items: [],
    table: { columns: [], rows: [] },
  };
}

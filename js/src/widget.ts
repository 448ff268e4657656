/** The live widget: a model of anywidget on the screen. Nothing here outlives `signal`. */

import type { AnyModel } from "@anywidget/types";
import { check, deflated, inflate, read } from "./document";
import { button, html } from "./dom";
import { Header } from "./header";
import { Log } from "./log";
import { compared, Side } from "./side";
import { VIEWS, type ViewName } from "./views";

export interface Traits {
  document: string;
  cursor: number;
  views: string[];
  twin: string;
}

const NAMES = Object.keys(VIEWS) as ViewName[];

/** What keys do to the pane that has the focus; to zoom, else to all of them. */
const ZOOM: Record<string, 1 | -1 | 0> = { "+": 1, "=": 1, "-": -1, "0": 0 };
const PAN: Record<string, [number, number]> = {
  ArrowLeft: [-80, 0],
  ArrowRight: [80, 0],
  ArrowUp: [0, -80],
  ArrowDown: [0, 80],
};

export class Widget {
  readonly #model: AnyModel<Traits>;
  readonly #signal: AbortSignal;
  readonly #root = html("section", {
    class: "jg",
    tabindex: -1,
    role: "group",
    "aria-label": "jgrad trace",
    "data-lm-suppress-shortcuts": "true",
  });
  readonly #refusal = html("p", { class: "jg-refusal", role: "alert", hidden: true });
  readonly #hideTwin = html("style");
  readonly #toggles = new Map<ViewName, HTMLButtonElement>();
  /** One, or of a comparison two in the same views, and above them what differs. */
  #sides: Side[];
  #above: Side | null = null;
  readonly #grid = html("div", { class: "jg-sides" });
  readonly #header: Header;
  #log: Log | null = null;
  #shown = new Set<ViewName>();
  /** As the model asks for them, then the others. */
  #order = NAMES;
  #frame = 0;

  constructor(model: AnyModel<Traits>, el: HTMLElement, signal: AbortSignal) {
    this.#model = model;
    this.#signal = signal;
    const choice = html("span", { class: "jg-views", role: "group", "aria-label": "views" });
    for (const name of NAMES) {
      const toggle = button(name, null, () => this.#toggle(name));
      toggle.title = `show or hide the ${name} view`;
      this.#toggles.set(name, toggle);
      choice.append(toggle);
    }
    this.#header = new Header((cursor) => this.#go(cursor), choice, signal);
    this.#root.append(this.#hideTwin, this.#refusal, this.#header.element, this.#grid);
    this.#sides = [new Side(VIEWS, signal)];
    el.append(this.#root);

    this.#root.addEventListener("keydown", (event) => this.#key(event), { signal });
    this.#grid.addEventListener("click", (event) => this.#click(event), { signal });
    for (const [event, react] of [
      ["change:document", () => this.#load()],
      ["change:cursor", () => this.#schedule()],
      ["change:views", () => this.#choose()],
    ] as const) {
      model.on(event, react);
      signal.addEventListener("abort", () => model.off(event, react));
    }
    signal.addEventListener("abort", () => this.#dispose());
    this.#choose();
    this.#load();
  }

  #dispose(): void {
    cancelAnimationFrame(this.#frame);
    this.#root.remove();
  }

  /** Shows the model's document; one that came compressed a moment later. */
  #load(): void {
    const wire = this.#model.get("document");
    if (!deflated(wire)) {
      this.#open(wire);
      return;
    }
    inflate(wire)
      .catch(() => "damaged")
      .then((text) => {
        if (!this.#signal.aborted && this.#model.get("document") === wire) {
          this.#open(text);
        }
      });
  }

  #open(text: string): void {
    let refusal = "";
    try {
      const document = read(text);
      this.#log = new Log(document);
      this.#header.load(this.#log);
      this.#root.setAttribute("aria-label", `jgrad trace ${document.name}`);
      this.#divide(this.#log);
    } catch (error) {
      this.#log = null;
      this.#header.stop();
      // What is no sentence of ours comes from looking for what isn't there.
      const ours = error instanceof Error && error.constructor === Error;
      refusal = ours ? error.message : "This trace is broken: it says what can't be.";
    }
    const twin = this.#model.get("twin");
    // A rule instead of a search: the twin may come later than this, and comes back by itself when this goes.
    this.#hideTwin.textContent =
      this.#log && twin ? `[data-jgrad-twin="${CSS.escape(twin)}"]{display:none}` : "";
    this.#refusal.textContent = refusal;
    this.#refusal.hidden = refusal === "";
    this.#header.element.hidden = this.#grid.hidden = refusal !== "";
    this.#arrange();
  }

  /** As many sides as there are traces. */
  #divide(log: Log): void {
    const both = log.document.compared;
    const logs = both ? both.traces.map((trace) => new Log(check(trace))) : [log];
    if (logs.length !== this.#sides.length) {
      this.#sides = logs.map(() => new Side(VIEWS, this.#signal));
    }
    this.#sides.forEach((side, i) => {
      side.open(logs[i], both?.taken[i]);
      side.name = both ? logs[i].document.name : "";
    });
    this.#above = both ? new Side({ compare: compared(both) }, this.#signal) : null;
    this.#above?.open(log);
    this.#above?.arrange(["compare"]);
  }

  /** The views the model asks for; all that have something to say if it asks for none. */
  #choose(): void {
    const asked = (this.#model.get("views") ?? []).filter((name): name is ViewName => name in VIEWS);
    this.#shown = new Set(asked.length ? asked : NAMES);
    this.#order = [...new Set([...asked, ...NAMES])];
    this.#arrange();
  }

  #toggle(name: ViewName): void {
    if (!this.#shown.delete(name)) {
      this.#shown.add(name);
    }
    this.#arrange();
  }

  #arrange(): void {
    for (const [name, toggle] of this.#toggles) {
      toggle.setAttribute("aria-pressed", String(this.#shown.has(name)));
    }
    const shown = this.#order.filter((name) => this.#shown.has(name));
    for (const side of this.#sides) {
      side.arrange(shown);
    }
    this.#grid.replaceChildren(...this.#all.map((side) => side.element));
    this.#draw();
  }

  get #all(): Side[] {
    return this.#above ? [this.#above, ...this.#sides] : this.#sides;
  }

  get #cursor(): number {
    const end = this.#log?.document.steps.length ?? 0;
    const asked = this.#model.get("cursor");
    return Number.isInteger(asked) && asked >= 0 ? Math.min(asked, end) : end;
  }

  #go(cursor: number): void {
    // -1 is the end, wherever it moves to when a live trace grows.
    this.#model.set("cursor", cursor === this.#log?.document.steps.length ? -1 : cursor);
    this.#header.show(cursor);
    this.#model.save_changes();
  }

  /** However often the cursor moves, one drawing per frame of the screen. */
  #schedule(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw(): void {
    if (!this.#log) {
      return;
    }
    const cursor = this.#cursor;
    const focused = this.#focused();
    this.#header.show(cursor);
    for (const side of this.#all) {
      side.draw(cursor);
    }
    if (focused && !this.#focused()) {
      // What had the focus is drawn no more; keys must not fall through to the page.
      this.#root.focus({ preventScroll: true });
    }
  }

  #focused(): boolean {
    return this.#root.contains((this.#root.getRootNode() as Document | ShadowRoot).activeElement);
  }

  #click(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target : null;
    const side = this.#all.find((one) => one.element.contains(target));
    if (!side || !target?.closest(".jg-scene")) {
      return;
    }
    const steps = target
      .closest("[data-k]")
      ?.getAttribute("data-k")
      ?.match(/\bp(\d+)\b/);
    if (steps && target.closest("[data-view=timeline], [data-view=compare]")) {
      this.#header.move(side.placeOf(Number(steps[1])));
    } else {
      side.links.pin(target);
    }
  }

  #key(event: KeyboardEvent): void {
    if (!this.#log || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    event.stopPropagation();
    if (!(event.target instanceof HTMLSelectElement) && this.#act(event)) {
      event.preventDefault();
    }
  }

  /** Does what a key means here; says whether it means something. */
  #act(event: KeyboardEvent): boolean {
    const header = this.#header;
    const item = event.target instanceof SVGElement ? event.target : null;
    const panes = this.#all.flatMap((side) => side.panes);
    const own = panes.filter((pane) => pane.element.contains(event.target as Node));
    const way = PAN[event.key];
    if (event.shiftKey && way && own.length) {
      own[0].pan(...way);
      return true;
    }
    if (event.key in ZOOM) {
      for (const pane of own.length ? own : panes) {
        pane.zoom(ZOOM[event.key]);
      }
      return true;
    }
    switch (event.key) {
      case "ArrowLeft":
        header.step(-1);
        return true;
      case "ArrowRight":
        header.step(1);
        return true;
      case "PageUp":
        header.step(-10);
        return true;
      case "PageDown":
        header.step(10);
        return true;
      case "Home":
        header.move(0);
        return true;
      case "End":
        header.move(Number.POSITIVE_INFINITY);
        return true;
      case " ":
        if (event.target instanceof HTMLButtonElement) {
          return false;
        }
        header.togglePlay();
        return true;
      case "t": {
        const on = !panes.every((pane) => pane.tabular);
        for (const pane of panes) {
          pane.showTable(on);
        }
        return true;
      }
      case "o":
      case "O":
        header.enter(event.shiftKey ? -1 : 1);
        return true;
      case "Enter":
        if (item) {
          this.#all.find((side) => side.element.contains(item))?.links.pin(item);
        } else if (event.target instanceof Element && event.target.matches(".jg-scroll")) {
          event.target.querySelector<SVGElement>(".jg-scene [tabindex]")?.focus();
        } else {
          return false;
        }
        return true;
      case "ArrowUp":
      case "ArrowDown":
        return item ? this.#walk(item, event.key === "ArrowUp" ? -1 : 1) : false;
      case "Escape":
        if (item) {
          item.closest<HTMLElement>(".jg-scroll")?.focus();
        } else {
          for (const side of this.#all) {
            side.links.pin(null);
          }
        }
        return true;
      default:
        return header.jump(event.key.toLowerCase(), event.shiftKey ? -1 : 1);
    }
  }

  /** From one item of a drawing that says something to the next. */
  #walk(item: SVGElement, by: number): boolean {
    const items = [...item.closest(".jg-scene")!.querySelectorAll<SVGElement>("[tabindex]")].filter(
      // What says the same as the group it is in needs no stop of its own.
      (one) => one.getAttribute("aria-label") !== one.parentElement?.getAttribute("aria-label"),
    );
    items[items.indexOf(item) + by]?.focus();
    return true;
  }
}

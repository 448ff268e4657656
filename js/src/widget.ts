/** The live widget: shows a model of anywidget on the screen. Nothing here outlives `signal`. */

import type { AnyModel } from "@anywidget/types";
import { SCENES } from "../made/register";
import { BROKEN, check, deflated, inflate, read } from "./document";
import { button, html, keepHeight } from "./dom";
import { createHeader } from "./header";
import { Log } from "./log";
import { min } from "./math";
import { compared, createSide, type Side } from "./side";

export interface Traits {
  document: string;
  cursor: number;
  views: string[];
  twin: string;
}

const NAMES = [...SCENES.keys()];

/** What keys do to the pane that has the focus. If none has it, the keys of ZOOM apply to all panes. */
const ZOOM: Record<string, 1 | -1 | 0> = { "+": 1, "=": 1, "-": -1, "0": 0 };
const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };
const PAN: Record<string, [number, number]> = {
  ArrowLeft: [-80, 0],
  ArrowRight: [80, 0],
  ArrowUp: [0, -80],
  ArrowDown: [0, 80],
};

export type Reader = ReturnType<typeof createReader>;

/** Reads documents. The same document again is returned at once. A compressed document gives a promise. */
export function createReader() {
  let last: string | undefined;
  let found: Log | Error | Promise<Log | Error>;
  return (wire: string) => {
    if (wire !== last) {
      last = wire;
      found = deflated(wire)
        ? inflate(wire)
            .catch(() => "damaged")
            .then(logOf)
        : logOf(wire);
    }
    return found;
  };
}

function logOf(text: string): Log | Error {
  try {
    return new Log(read(text));
  } catch (error) {
    return error as Error;
  }
}

export function createWidget(
  model: AnyModel<Traits>,
  el: HTMLElement,
  signal: AbortSignal,
  reader: Reader,
): void {
  let log: Log | undefined;
  /** One side, or, in a comparison, two with the same views. `above` has the list of differences. */
  let sides = [createSide(SCENES)];
  let above: Side | undefined;
  let shown = new Set<string>();
  /** The views that the model names, in its order, then the others. */
  let order = NAMES;
  let frame = 0;

  const toggles = NAMES.map((name) =>
    button(`show or hide the ${name} view`, name, () => {
      if (!shown.delete(name)) {
        shown.add(name);
      }
      arrange();
    }),
  );
  const choice = html("span", { class: "jg-views", role: "group", "aria-label": "views" }, ...toggles);
  const header = createHeader(go, choice);
  const refusal = html("p", { class: "jg-refusal jg-error", role: "alert", hidden: true });
  const hideTwin = html("style");
  const grid = html("div", { class: "jg-sides" });
  const root = html(
    "section",
    {
      class: "jg",
      tabindex: -1,
      role: "group",
      hidden: true,
      "aria-label": "jgrad trace",
      "data-lm-suppress-shortcuts": "true",
    },
    hideTwin,
    refusal,
    header.element,
    grid,
  );
  root.addEventListener("keydown", (event) => {
    if (!log || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    event.stopPropagation();
    if (!(event.target instanceof HTMLSelectElement) && act(event)) {
      event.preventDefault();
    }
  });
  grid.addEventListener("click", (event) => click(event.target as Element));
  el.append(root);
  for (const [event, react] of [
    ["change:document", load],
    ["change:cursor", schedule],
    ["change:views", choose],
  ] as const) {
    model.on(event, react);
    signal.addEventListener("abort", () => model.off(event, react));
  }
  signal.addEventListener("abort", () => {
    header.stop();
    cancelAnimationFrame(frame);
    root.remove();
  });
  choose();
  load();

  /** Shows the model's document. */
  function load(): void {
    const wire = model.get("document");
    const found = reader(wire);
    if (found instanceof Promise) {
      found.then((read) => {
        if (!signal.aborted && model.get("document") === wire) {
          open(read);
        }
      });
    } else {
      open(found);
    }
  }

  function open(found: Log | Error): void {
    let said = "";
    try {
      if (found instanceof Error) {
        throw found;
      }
      log = found;
      header.load(log);
      root.setAttribute("aria-label", `jgrad trace ${log.document.name}`);
      divide(log);
    } catch (error) {
      log = undefined;
      header.stop();
      // Any other error comes from reading fields that a broken document lacks.
      const ours = error instanceof Error && error.constructor === Error;
      said = ours ? error.message : BROKEN;
    }
    const twin = model.get("twin");
    // A style rule and not a search: the twin may come later than the widget, and it shows again by itself when the widget goes.
    hideTwin.textContent = log && twin ? `[data-jgrad-twin="${CSS.escape(twin)}"]{display:none}` : "";
    root.hidden = false; // it is hidden until there is something to show
    refusal.textContent = said;
    refusal.hidden = !said;
    header.element.hidden = grid.hidden = !!said;
    arrange();
  }

  /** Makes as many sides as there are traces. */
  function divide(of: Log): void {
    const both = of.document.compared;
    const logs = both ? both.traces.map((trace) => new Log(check(trace))) : [of];
    if (logs.length !== sides.length) {
      sides = logs.map(() => createSide(SCENES));
    }
    sides.forEach((side, i) => {
      side.open(logs[i], both && logs[i].document.name, both?.cursors[i]);
    });
    above = both && createSide(new Map([["compare", compared(both)]]));
    above?.open(of);
    above?.arrange(["compare"]);
  }

  /** Chooses the views that the model names, or all views if it names none. */
  function choose(): void {
    const asked = (model.get("views") ?? []).filter((name) => SCENES.has(name));
    shown = new Set(asked.length ? asked : NAMES);
    order = [...new Set([...asked, ...NAMES])];
    arrange();
  }

  function arrange(): void {
    toggles.forEach((toggle, i) => {
      toggle.setAttribute("aria-pressed", String(shown.has(NAMES[i])));
    });
    for (const side of sides) {
      side.arrange(order.filter((name) => shown.has(name)));
    }
    grid.replaceChildren(...all().map((side) => side.element));
    draw();
  }

  function all(): Side[] {
    return above ? [above, ...sides] : sides;
  }

  function go(cursor: number): void {
    // -1 is the end, which moves when a live trace grows.
    model.set("cursor", cursor === log?.document.steps.length ? -1 : cursor);
    header.show(cursor);
    model.save_changes();
  }

  /** Draws once per frame of the screen, however often the cursor moves. */
  function schedule(): void {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      draw();
    });
  }

  function draw(): void {
    if (!log) {
      return;
    }
    const end = log.document.steps.length;
    const asked = model.get("cursor");
    const cursor = Number.isInteger(asked) && asked >= 0 ? min(asked, end) : end;
    const before = focused();
    const at = before?.closest(".jg-scene *");
    const scroll = at?.closest<HTMLElement>(".jg-scroll");
    const key = at?.getAttribute("data-k");
    header.show(cursor);
    for (const side of all()) {
      side.draw(cursor);
    }
    keepHeight(header.sentence);
    if (key && focused()?.getAttribute("data-k") !== key) {
      // The element that had the focus may now show something else. The focus stays with what it showed.
      const same = scroll!.querySelector<SVGElement>(`[tabindex][data-k="${CSS.escape(key)}"]`);
      (same ?? scroll!).focus({ preventScroll: true });
    }
    if (before && !focused()) {
      // What had the focus is no longer drawn. Keys must not go to the page.
      root.focus({ preventScroll: true });
    }
  }

  function focused(): Element | null {
    const { activeElement } = root.getRootNode() as Document | ShadowRoot;
    return root.contains(activeElement) ? activeElement : null;
  }

  function sideOf(target: Element): Side | undefined {
    return all().find((side) => side.element.contains(target));
  }

  function click(target: Element): void {
    const side = sideOf(target);
    if (!side || !target.closest(".jg-scene")) {
      return;
    }
    const steps = /\bp(\d+)\b/.exec(target.closest("[data-k]")?.getAttribute("data-k") ?? "");
    if (steps && target.closest("[data-view=timeline], [data-view=compare]")) {
      header.move(side.placeOf(Number(steps[1])));
    } else {
      side.links.pin(target);
    }
  }

  /** Does what a key means here, and returns whether it has a meaning. */
  function act({ target, key, shiftKey }: KeyboardEvent): boolean {
    const at = target as Element;
    const item = at instanceof SVGElement ? at : null;
    const panes = all().flatMap((side) => side.panes());
    const own = panes.filter((pane) => pane.element.contains(at));
    const by = shiftKey ? -1 : 1;
    if (shiftKey && key in PAN && own.length) {
      own[0].pan(...PAN[key]);
      return true;
    }
    if (key in ZOOM) {
      for (const pane of own.length ? own : panes) {
        pane.zoom(ZOOM[key]);
      }
      return true;
    }
    if (key in STEPS) {
      header.step(STEPS[key]);
      return true;
    }
    switch (key) {
      case "Home":
        header.move(0);
        return true;
      case "End":
        header.move(1e9);
        return true;
      case " ":
        if (at instanceof HTMLButtonElement) {
          return false;
        }
        header.togglePlay();
        return true;
      case "t": {
        const on = !panes.every((pane) => pane.tabular());
        for (const pane of panes) {
          pane.showTable(on);
        }
        return true;
      }
      case "o":
      case "O":
        // One step, also into a fold.
        header.move(header.cursor() + by);
        return true;
      case "Enter":
        if (item) {
          sideOf(item)?.links.pin(item);
        } else if (at.matches(".jg-scroll")) {
          at.querySelector<SVGElement>(".jg-scene [tabindex]")?.focus();
        } else {
          return false;
        }
        return true;
      case "ArrowUp":
      case "ArrowDown":
        return item !== null && walk(item, key === "ArrowUp" ? -1 : 1);
      case "Escape":
        if (item) {
          item.closest<HTMLElement>(".jg-scroll")?.focus();
        } else {
          for (const side of all()) {
            side.links.pin(null);
          }
        }
        return true;
      default:
        return header.jump(key.toLowerCase(), by);
    }
  }
}

/** Moves the focus from one item of a drawing with a label to the next one. */
function walk(item: SVGElement, by: number): boolean {
  const items = [...item.closest(".jg-scene")!.querySelectorAll<SVGElement>("[tabindex]")].filter(
    // An item with the same label as its group needs no stop of its own.
    (one) => one.getAttribute("aria-label") !== one.parentElement?.getAttribute("aria-label"),
  );
  items[items.indexOf(item) + by]?.focus();
  return true;
}

/** The live widget: shows a model of anywidget on the screen. Nothing here outlives `signal`. */

import type { AnyModel } from "@anywidget/types";
import { SCENES } from "../made/register";
import { check, read, sentenceOf } from "./document";
import { html, keepHeight, listen } from "./dom";
import { download, save, together } from "./export";
import { createHeader } from "./header";
import { createHelp } from "./help";
import { deflated, inflate } from "./inflate";
import { Log } from "./log";
import { max, min } from "./math";
import { type PageParts, pageOf } from "./page";
import { compared, createSide, type Side } from "./side";
import { createTabs } from "./tabs";

export interface Traits {
  document: string;
  cursor: number;
  views: string[];
  twin: string;
  /** Whether the kernel asks for the lecture's mode. Pages without a kernel don't have it. */
  present?: boolean;
  /** Whether a page plays the trace by itself once. */
  play?: boolean;
}

/** What can be saved. */
const SAVED = ["this view as SVG", "this view as PNG", "all views as SVG", "all views as PNG"];
const WEB_PAGE = "the trace as a web page";

const NAMES = [...SCENES.keys()];

/** Where the browser remembers that the reader has found the keys. */
const ALONE = "data-lm-suppress-shortcuts";
const HINTED = "jgrad-keys";

/** From this width on, the timeline stands beside the view. */
const WIDE = 820;

/** The view and its caption get so many pixels, whatever the rest of the cell needs. */
const VIEW = 510;

/** Below this width, as on a phone, there is less air. */
const NARROW = 560;

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
        ? inflate(wire).then(logOf, (error) => (error.constructor === Error ? error : logOf("damaged")))
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
  page?: PageParts,
): void {
  let log: Log | undefined;
  /** One side, or, in a comparison, two with the same views. `above` has the list of differences. */
  let sides = [createSide(SCENES)];
  let above: Side | undefined;
  /** The views that have a tab, that which the model names first at first, and the one that the reader chose. */
  let order = NAMES;
  let chosen = "";
  /** Whether the timeline stands beside the view: there is room for both. */
  let wide = false;
  let frame = 0;
  let around = 0; // the height of all that is seen but the views, in a notebook
  let announced = -1; // the step that the page was last notified of
  let own = -1; // the cursor that the reader has chosen here
  /** In the lecture's mode, what had the focus before. */
  let lecture: HTMLElement | undefined;

  const help = createHelp();
  const header = createHeader(go, () => help.toggle());
  const tabs = createTabs((view) => {
    chosen = view;
    arrange();
  });
  const saving = html(
    "select",
    { class: "jg-button jg-save", "aria-label": "save a picture" },
    ...["save", ...SAVED, ...(page ? [WEB_PAGE] : [])].map((words) => html("option", {}, words)),
  );
  listen(saving, "change", () => {
    const at = saving.selectedIndex - 1;
    saving.selectedIndex = 0;
    if (at < SAVED.length) {
      store(at > 1, at % 2 === 1);
    } else {
      storePage();
    }
  });
  const refusal = html("p", { class: "jg-refusal jg-error", role: "alert", hidden: true });
  const hideTwin = html("style");
  const grid = html("div", { class: "jg-sides", role: "tabpanel", "aria-label": "view" });
  const root = html(
    "section",
    {
      class: "jg",
      tabindex: -1,
      role: "group",
      hidden: true,
      "aria-label": "jgrad trace",
    },
    hideTwin,
    refusal,
    header.element,
    tabs.element,
    grid,
    help.element,
  );
  // Jupyter's shortcuts name whatever has the focus (":focus"), so that element itself must ask to be left alone.
  listen(root, "focusin", ({ target }) => {
    (target as Element).setAttribute(ALONE, "true");
  });
  listen(root, "keydown", (event) => {
    const runs = event.shiftKey && event.key === "Enter"; // the cell of a notebook
    if (runs) {
      (event.target as Element).removeAttribute(ALONE);
    }
    if (!log || runs || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    event.stopPropagation();
    const { target } = event;
    if (!(target as Element).matches("select, summary, [type=search]") && act(event)) {
      found();
      event.preventDefault();
    }
  });
  // The JupyterLab extension moves the cursor when the text cursor of the editor moves.
  root.addEventListener("jgrad:go", (event) => log && go((event as CustomEvent<number>).detail));
  listen(grid, "click", (event) => click(event.target as Element));
  // The lines of the headline light up in the views, too.
  listen(header.element, "pointerover", ({ target }) => {
    const chip = (target as Element).closest("[data-k]");
    for (const side of sides) {
      side.links.hover(chip);
    }
  });
  listen(header.element, "pointerleave", () => {
    for (const side of sides) {
      side.links.leave();
    }
  });
  for (const event of ["pointerdown", "pointermove"] as const) {
    listen(grid, event, (moved) => moved.buttons === 1 && brush(moved));
  }
  el.append(root);
  for (const [event, react] of [
    ["change:document", load],
    ["change:cursor", schedule],
    ["change:views", choose],
    ["change:present", presentIfAsked],
  ] as const) {
    model.on(event, react);
    listen(signal, "abort", () => model.off(event, react));
  }
  const resized = new ResizeObserver(() => {
    header.mark();
    makeRoom();
    arrange(); // scenes are laid out for the width of their panes
  });
  resized.observe(root);
  let cell: HTMLElement | null = null; // of the notebook; not yet known when the widget is made
  const fitting = new ResizeObserver(makeRoom);
  listen(signal, "abort", () => {
    resized.disconnect();
    fitting.disconnect();
    header.stop();
    cancelAnimationFrame(frame);
    root.remove();
  });
  tabs.hint.textContent = hinted() ? "" : "\u2190 \u2192 step, ? keys";
  choose();
  load();

  /** Leaves room for the rest of the cell in the window of a notebook. It takes more room if that grows; when it shrinks, nothing moves. */
  function makeRoom(): void {
    if (!cell) {
      cell = root.closest<HTMLElement>(".jp-Cell");
      if (cell) {
        fitting.observe(cell); // its notes and what it prints come later
      }
    }
    const panel = cell?.closest(".jp-WindowedPanel-outer");
    const { offsetHeight } = root;
    if (offsetHeight) {
      root.style.setProperty("--jg-least", `${offsetHeight - grid.offsetHeight + VIEW}px`);
    }
    if (panel && offsetHeight) {
      const rest = innerHeight - panel.clientHeight + cell!.offsetHeight - offsetHeight;
      around = max(around, rest);
      root.style.setProperty("--jg-around", `${around}px`);
    }
  }

  /** Whether the reader has found the keys. A page that has no storage shows no hint. */
  function hinted(): boolean {
    try {
      return localStorage.getItem(HINTED) !== null;
    } catch {
      return true;
    }
  }

  function found(): void {
    if (tabs.hint.textContent) {
      tabs.hint.textContent = "";
      localStorage.setItem(HINTED, "");
    }
  }

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
      const before = log;
      log = found;
      header.load(log);
      root.setAttribute("aria-label", `jgrad trace ${log.document.name}`);
      divide(log);
      if (before) {
        stay(before, log);
      }
    } catch (error) {
      log = undefined;
      header.stop();
      said = sentenceOf(error);
    }
    const twin = model.get("twin");
    // A style rule and not a search: the twin may come later than the widget, and it shows again by itself when the widget goes.
    hideTwin.textContent = log && twin ? `[data-jgrad-twin="${CSS.escape(twin)}"]{display:none}` : "";
    root.hidden = false; // it is hidden until there is something to show
    refusal.textContent = said;
    refusal.hidden = !said;
    header.element.hidden = !!said;
    // Of a cell without tensors the headline says all there is to say.
    tabs.element.hidden = grid.hidden = !log || (!log.document.steps.length && !log.document.tensors.length);
    arrange();
    draw();
    presentIfAsked();
  }

  /** Enters the lecture's mode if the kernel asks for it: once, and not again when the page is loaded anew. */
  function presentIfAsked(): void {
    if (log && model.get("present")) {
      model.set("present", false);
      model.save_changes();
      present(true);
    }
  }

  /** The lecture's mode: the code and a view over the whole window, above all that a notebook may clip. */
  function present(on: boolean): void {
    if (on === !!lecture) {
      return;
    }
    const had = lecture;
    lecture = on ? ((focused() ?? root) as HTMLElement) : undefined;
    el.style.minHeight = on ? `${root.offsetHeight}px` : ""; // behind it, nothing moves
    root.popover = on ? "manual" : null;
    if (on) {
      root.showPopover();
    }
    root.classList.toggle("jg-present", on);
    arrange();
    (had ?? root).focus({ preventScroll: true });
  }

  /** Keeps the reader in the same round. The views of a running loop have some steps from the present moment, others than the whole trace has. */
  function stay(before: Log, now: Log): void {
    const cursor = model.get("cursor");
    const pane = sides[0].panes().find((one) => one.chosen(cursor) !== undefined);
    const round = pane?.chosen(cursor) ?? before.roundOf(cursor);
    if (cursor < 0 || cursor !== own || round === undefined || now.roundOf(cursor) === undefined) {
      return;
    }
    if (pane || now.roundOf(cursor) !== round) {
      const to = now.cursorOf(round);
      pane?.keep(round, to);
      go(to);
    }
  }

  /** Makes as many sides as there are traces. */
  function divide(of: Log): void {
    const both = of.document.compared;
    const logs = both ? both.traces.map((trace) => new Log(check(trace))) : [of];
    if (logs.length !== sides.length) {
      sides = logs.map(() => createSide(SCENES));
    }
    sides.forEach((side, i) => {
      side.open(logs[i], both && logs[i].document.name, both?.cursors[i], both?.rounds);
    });
    above = both && createSide(new Map([["compare", compared(both)]]));
    above?.open(of);
    above?.arrange(["compare"]);
  }

  /** Takes over the views that the model names, or all views if it names none. */
  function choose(): void {
    const asked = (model.get("views") ?? []).filter((name) => SCENES.has(name));
    order = asked.length ? asked : NAMES;
    if (!order.includes(chosen)) {
      chosen = "";
    }
    arrange();
  }

  /** Shows the chosen view, and beside it the timeline if there is room. */
  function arrange(): void {
    const { clientWidth } = root;
    wide = !above && clientWidth >= WIDE;
    root.classList.toggle("jg-narrow", clientWidth > 0 && clientWidth < NARROW);
    const others = order.filter((name) => name !== "timeline");
    const beside = wide && others.length > 0 && order.includes("timeline");
    const names = beside ? others : order;
    const view = names.includes(chosen) ? chosen : names[0];
    for (const side of sides) {
      side.arrange(beside ? ["timeline", view] : [view]);
    }
    tabs.arrange(names);
    // Of two traces, the tools are for both: one scale makes them comparable.
    const current = sides.map((side) => side.panes().at(-1)!);
    for (const pane of current) {
      pane.join(current);
    }
    tabs.select(view, [...current[0].tools, saving]);
    const now = all().map((side) => side.element);
    if (now.length !== grid.childElementCount || now.some((one, i) => one !== grid.children[i])) {
      grid.replaceChildren(...now);
    }
    schedule();
  }

  function all(): Side[] {
    return above ? [above, ...sides] : sides;
  }

  function go(cursor: number): void {
    // -1 is the end, which moves when a live trace grows.
    own = cursor === log?.document.steps.length ? -1 : cursor;
    model.set("cursor", own);
    header.show(cursor);
    model.save_changes();
  }

  /** Notifies the page of the step at once: what came a frame later could take back a newer one. Draws once per frame of the screen,
   * however often the cursor moves. */
  function schedule(): void {
    const end = log?.document.steps.length ?? -1;
    const asked = model.get("cursor");
    const cursor = Number.isInteger(asked) && asked >= 0 ? min(asked, end) : end;
    if (cursor !== announced) {
      announced = cursor;
      root.dispatchEvent(new CustomEvent("jgrad:step", { bubbles: true, detail: cursor }));
    }
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      draw();
    });
  }

  function draw(): void {
    if (!log) {
      return;
    }
    const cursor = announced;
    const before = focused();
    const at = before?.closest(".jg-scene *");
    const scroll = at?.closest<HTMLElement>(".jg-scroll");
    const key = at?.getAttribute("data-k");
    header.show(cursor);
    for (const side of all()) {
      side.draw(cursor);
    }
    tabs.dots((view) => sides.map((side) => side.happens(view, cursor)).find(Boolean) ?? "");
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

  /** Shows the round under the pointer, where a drawing has rounds. */
  function brush({ target, clientX, clientY }: PointerEvent): void {
    const side = sideOf(target as Element);
    const pane = side?.panes().find((one) => one.element.contains(target as Element));
    const round = pane?.roundAt(clientX, clientY);
    if (round !== undefined) {
      turned(side!, pane!.pick(round));
    }
  }

  function turned(side: Side, cursor: number): void {
    header.move(side.placeOf(cursor));
    schedule(); // a round that was not kept may have the cursor of the one before
  }

  /** Shows the steps of a round. */
  function enter(side: Side, step: number): void {
    chosen = wide && order.includes("graph") ? "graph" : "timeline";
    arrange();
    header.move(side.placeOf(step));
  }

  function click(target: Element): void {
    const side = sideOf(target);
    if (!side || !target.closest(".jg-scene")) {
      return;
    }
    const steps = /\bp(\d+)\b/.exec(target.closest("[data-k]")?.getAttribute("data-k") ?? "");
    if (steps && target.closest(".jg-open")) {
      enter(side, Number(steps[1]));
    } else if (steps && target.closest("[data-view=timeline], [data-view=compare]")) {
      header.move(side.placeOf(Number(steps[1])));
    } else {
      side.links.pin(target);
    }
  }

  /** Saves what is shown, or all views at this step, as SVG or PNG. */
  function store(all: boolean, png: boolean): void {
    const style = getComputedStyle(root);
    const now = chosen;
    const shown = sides[0].panes().at(-1)!.element.dataset.view!;
    const pictures: [string, string][] = [];
    for (const view of all ? order : [shown]) {
      chosen = view;
      arrange();
      draw();
      for (const side of sides) {
        const pane = side.panes().find((one) => one.element.dataset.view === view);
        pictures.push([[view, side.element.ariaLabel].join(", ").replace(/, views$/, ""), pane!.picture()]);
      }
    }
    chosen = now;
    arrange();
    draw();
    const one = pictures.length === 1;
    save(one ? pictures[0][1] : together(pictures, style), one ? shown : `step-${header.cursor()}`, png);
  }

  /** Saves the trace with the views as they are, in one HTML file. */
  function storePage(): void {
    const pane = sides[0].panes().at(-1)!;
    const shown = pane.element.dataset.view!;
    const traits = {
      document: model.get("document"),
      cursor: header.cursor(),
      views: [shown, ...order.filter((name) => name !== shown)],
      twin: "",
    };
    const title = log!.document.name || "trace";
    const text = pageOf(page!, title, traits, pane.picture());
    download(new Blob([text], { type: "text/html" }), `${title.replace(/[^\p{L}\p{N}]+/gu, "-")}.html`);
  }

  /** Does what a key means here, and returns whether it has a meaning. */
  function act({ target, key, shiftKey }: KeyboardEvent): boolean {
    const at = target as Element;
    const item = at instanceof SVGElement ? at : null;
    const panes = all().flatMap((side) => side.panes());
    const own = panes.filter((pane) => pane.element.contains(at));
    const by = shiftKey ? -1 : 1;
    if (key === "?") {
      help.toggle();
      return true;
    }
    if (key === "Escape" && help.open()) {
      help.toggle(false);
      return true;
    }
    if (key === "p" || (key === "Escape" && lecture)) {
      present(!lecture);
      return true;
    }
    if (shiftKey && key in PAN && own.length) {
      own[0].pan(...PAN[key]);
      return true;
    }
    if (shiftKey && (key === "ArrowLeft" || key === "ArrowRight")) {
      header.leap(key === "ArrowLeft" ? -1 : 1);
      return true;
    }
    if (key in ZOOM) {
      for (const pane of own.length ? own : panes) {
        pane.zoom(ZOOM[key]);
      }
      return true;
    }
    if (key in STEPS) {
      // What presenters hold in their hands sends Page Up and Page Down.
      const many = lecture ? Math.sign(STEPS[key]) : STEPS[key];
      // In a view of rounds, a round. The slider and the timeline have steps.
      const pane = own[0] ?? (at.matches("input") ? undefined : panes.at(-1));
      const cursor = pane?.turn(many);
      if (pane && cursor !== undefined) {
        turned(sideOf(pane.element)!, cursor);
      } else {
        header.step(many);
      }
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
        if (item?.matches(".jg-open")) {
          click(item);
        } else if (item) {
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

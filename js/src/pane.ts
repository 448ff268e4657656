/** One view on the screen: its drawing, its table, zoom and export. */

import { type Frame, WIDTH } from "../made/scene";
import { BROKEN } from "./document";
import { button, html, keepHeight, listen, svg } from "./dom";
import { standalone } from "./export";
import type { Log } from "./log";
import { floor, max, min } from "./math";
import { type Drawn, patch } from "./render";
import type { Scene, View } from "./scene";

const SCROLL_BAR = 16;
const ZOOM_STEP = 1.25;
/** A scene is laid out for the width of its pane, within these limits, and in steps of so many pixels. */
const WIDTHS: [number, number] = [340, 1200];
const SPINE = 220; // the timeline may be narrower
const GRAIN = 20;
const NEAR = 40; // pixels that are shown beyond what the pane scrolls to
const ZOOM_LIMITS: [number, number] = [0.25, 4];
/** How much larger drawings are in the lecture's mode: 13 pixels are 20. */
const LECTURE = 20 / 13;

export type Pane = ReturnType<typeof createPane>;

/** A pane that shows the same view of another trace. */
interface Peer {
  zoom(by: 1 | -1 | 0): void;
  showTable(on: boolean): void;
}

export function createPane(name: string, view: View) {
  let frame: Frame;
  let cursor = 0;
  let scene: Scene | undefined;
  let drawn: Drawn[] = [];
  let tabular = false;
  let zoomed = 1;
  let peers: Peer[] | undefined;
  /** For how many units scenes are laid out, and how many pixels a unit is without the reader's zoom. */
  let room = WIDTH;
  let unit = 1;
  /** The document of the last scenes, and the largest width and height that they have had.
   * They never shrink, so that nothing on the page moves when one steps. */
  let log: Log | undefined;
  let extent = 0;
  let height = 0;
  let offered = "";
  /** The round that the reader has chosen, as long as the cursor stays where it is. */
  let picked: { round: number; cursor: number } | undefined;
  let latest: { of: Frame; choice: number; scene: Scene } | undefined;

  const drawing = svg("svg", { class: "jg-scene", role: "group" });
  const choices = html("select", { class: "jg-button", "aria-label": "choice", hidden: true });
  const fit = button("zoom: as it is drawn (0)", "100%", () => together((pane) => pane.zoom(0)));
  const asTable = button("the same as a table (t)", "table", () => {
    const on = !tabular;
    together((pane) => pane.showTable(on));
  });
  const zooms = [
    button("zoom out (-)", "\u2212", () => together((pane) => pane.zoom(-1))),
    fit,
    button("zoom in (+)", "+", () => together((pane) => pane.zoom(1))),
    asTable,
  ];
  for (const one of zooms) {
    one.tabIndex = -1; // keys do the same
  }
  const search = html("input", { type: "search", class: "jg-button", size: 7, placeholder: "find" });
  const tools: HTMLElement[] = [search, choices, ...zooms];
  const scroll = html("div", { class: "jg-scroll", tabindex: 0, role: "group" });
  const caption = html("figcaption", { class: "jg-caption" });
  const element = html("figure", { class: `jg-pane jg-pane-${name}`, "data-view": name }, scroll, caption);
  listen(choices, "change", () => show(cursor, log!));
  listen(
    scroll,
    "wheel",
    (event) => {
      if (event.ctrlKey && !tabular) {
        event.preventDefault();
        zoom(event.deltaY < 0 ? 1 : -1);
      }
    },
    { passive: false },
  );
  listen(search, "input", () => find()?.scrollIntoView({ block: "nearest", inline: "nearest" }));
  listen(drawing, "click", (event) => toggle(event));
  listen(drawing, "keydown", (event) => event.key === "Enter" && toggle(event));
  showTable(false);

  /** Opens or closes the row that an event is about. */
  function toggle(event: Event): void {
    const key = (event.target as Element).closest("[data-o]")?.getAttribute("data-o");
    if (key) {
      event.stopPropagation();
      log!.toggle(key);
      height = 0;
      show(cursor, log!);
      const row = drawing.querySelector<SVGElement>(`[data-o="${CSS.escape(key)}"]`);
      row?.focus({ preventScroll: true });
    }
  }

  function sceneOf(of: Frame): Scene {
    const choice = picked?.cursor === of.cursor$ ? picked.round : choices.selectedIndex - 1;
    if (latest?.of !== of || latest.choice !== choice) {
      latest = { of, choice, scene: made(of, choice < 0 ? undefined : choice) };
    }
    return latest.scene;
  }

  function made(of: Frame, choice?: number): Scene {
    try {
      return view(of, choice);
    } catch {
      return unreadable(name);
    }
  }

  function show(to: number, of: Log): void {
    cursor = to;
    measure();
    if (log !== of) {
      log = of;
      extent = height = 0;
      widen(sceneOf(log.frame(log.document.steps.length, room)));
    }
    frame = log.frame(cursor, room);
    offer(sceneOf(frame));
    scene = sceneOf(frame);
    // The header already shows the sentence of the step.
    const said = scene.caption.replace(frame.caption$(), "").replace(/^ · /, "");
    caption.textContent = said || (caption.textContent && "\xa0"); // a non-breaking space keeps its height
    scroll.setAttribute("aria-label", scene.title);
    drawing.setAttribute("aria-label", `${scene.title}. ${scene.caption}`);
    if (tabular) {
      scroll.replaceChildren(table(scene));
    }
    drawn = patch(drawing, drawn, scene.items);
    widen(scene);
    const box = `0 ${scene.top ?? 0} ${extent} ${height}`;
    if (drawing.getAttribute("viewBox") !== box) {
      drawing.setAttribute("viewBox", box); // only if it changed: setting it lays out everything again
    }
    find();
  }

  /** Marks the texts that hold what the reader looks for. Returns the first one. */
  function find(): Element | undefined {
    const wanted = search.value.toLowerCase();
    return [...scroll.querySelectorAll("text, th, td")].filter((one) =>
      one.classList.toggle("jg-found", !!wanted && one.textContent!.toLowerCase().includes(wanted)),
    )[0];
  }

  /** Shows what there is to choose between. The chosen one stays if it still exists. */
  function offer({ choices: names = [], unchosen = "all slices" }: Scene): void {
    const text = names.join();
    if (text !== offered) {
      const { value } = choices;
      const all = [unchosen, ...names];
      offered = text;
      choices.hidden = !text;
      choices.replaceChildren(...all.map((name) => html("option", {}, name)));
      choices.selectedIndex = max(0, all.indexOf(value));
    }
  }

  /** Takes the width of the pane as it is now. A scroll bar must not change it, or it would come and go. A pane that is hidden, as while JupyterLab
   * changes its theme, keeps the width that it had. */
  function measure(): void {
    const { clientWidth } = element;
    const [least, most] = WIDTHS;
    unit = element.closest(".jg-present") ? LECTURE : 1;
    const inner = floor((clientWidth - SCROLL_BAR) / unit / GRAIN) * GRAIN;
    const now = clientWidth ? min(most, max(name === "timeline" ? SPINE : least, inner)) : room;
    if (now !== room) {
      room = now;
      extent = height = 0;
    }
  }

  function widen(of: Scene): void {
    extent = max(extent, of.width);
    height = max(height, of.height);
    sized();
  }

  function sized(): void {
    const wide = `${extent * zoomed * unit}px`;
    if (drawing.style.width !== wide) {
      drawing.style.width = wide; // only if it changed: setting it lays out everything again
    }
  }

  function showTable(on: boolean): void {
    tabular = on;
    asTable.setAttribute("aria-pressed", String(on));
    scroll.replaceChildren(on && scene ? table(scene) : drawing);
    find();
  }

  /** Makes the drawing larger (1), smaller (-1), or as it was (0): a unit of a scene is one pixel. */
  function zoom(by: 1 | -1 | 0): void {
    const [least, most] = ZOOM_LIMITS;
    zoomed = by ? min(most, max(least, zoomed * ZOOM_STEP ** by)) : 1;
    fit.textContent = `${Math.round(zoomed * 100)}%`;
    sized();
  }

  /** Scrolls the pane, and nothing around it, to what the step at the cursor did. To be called after the whole page has changed. */
  function reveal(): void {
    keepHeight(caption);
    if (tabular || (scroll.scrollHeight <= scroll.clientHeight && scroll.scrollWidth <= scroll.clientWidth)) {
      return;
    }
    const target = drawing.querySelector(":is(rect, path).jg-now:not(.jg-band)")?.getBoundingClientRect();
    if (target) {
      const box = scroll.getBoundingClientRect();
      if (target.top < box.top || target.bottom > box.bottom) {
        // No further than needed: what comes before it explains it.
        const below = target.top - box.top;
        scroll.scrollTop += below < 0 ? below - NEAR : min(target.bottom - box.bottom + NEAR, below);
      }
      if (target.left < box.left || target.right > box.right) {
        scroll.scrollLeft += target.left - box.left - box.width * (target.left < box.left ? 0.25 : 0.6);
      }
    }
  }

  /** The round at a point of the window, if the drawing has an axis of rounds there. */
  function roundAt(x: number, y: number): number | undefined {
    const axis = scene?.axis;
    const box = drawing.getBoundingClientRect();
    const scale = box.width / extent;
    if (tabular || !axis || !scale) {
      return undefined;
    }
    const across = ((x - box.left) / scale - axis.x) / axis.w;
    const down = (y - box.top) / scale - axis.y;
    return across >= 0 && across < 1 && down >= 0 && down < axis.h ? floor(across * axis.total) : undefined;
  }

  /** Shows a round from the next drawing on. Returns the cursor that belongs to it. */
  function pick(round: number): number {
    picked = { round, cursor };
    picked.cursor = sceneOf(frame).axis!.cursor;
    return picked.cursor;
  }

  /** Shows the next round (1), or another one. Returns the cursor that belongs to it; none if there are no rounds here. */
  function turn(by: number): number | undefined {
    const axis = scene?.axis;
    return axis && pick(max(0, min(axis.total - 1, axis.at + by)));
  }

  /** The drawing as the text of an SVG file. */
  function picture(): string {
    const showing = tabular;
    showTable(false);
    const text = standalone(drawing, scene!.height, getComputedStyle(element).backgroundColor);
    showTable(showing);
    return text;
  }

  /** Does something with this pane, and with those beside it that show the same of another trace. */
  function together(what: (pane: Peer) => void): void {
    for (const pane of peers ?? [{ zoom, showTable }]) {
      what(pane);
    }
  }

  return {
    element,
    tools,
    show,
    showTable,
    zoom,
    join(panes: Peer[]): void {
      peers = panes;
    },
    reveal,
    roundAt,
    pick,
    turn,
    /** The round that the reader has chosen, if it is the one of this cursor, and a way to choose it anew. */
    chosen: (of: number) => (picked?.cursor === of ? picked.round : undefined),
    keep(round: number, of: number): void {
      picked = { round, cursor: of };
    },
    picture,
    tabular: () => tabular,
    pan: (x: number, y: number) => scroll.scrollBy(x, y),
  };
}

function table({ title, table: { columns, rows } }: Scene): HTMLElement {
  return html(
    "table",
    { class: "jg-table", "aria-label": title },
    html("thead", {}, html("tr", {}, ...columns.map((name) => html("th", { scope: "col" }, name)))),
    html(
      "tbody",
      {},
      ...rows.map(([head, ...cells]) =>
        html("tr", {}, html("th", { scope: "row" }, head), ...cells.map((cell) => html("td", {}, cell))),
      ),
    ),
  );
}

/** Shown in place of a view that failed because of a broken document. */
function unreadable(view: string): Scene {
  return {
    view,
    title: view,
    width: 300,
    height: 8,
    caption: BROKEN,
    items: [],
    table: { columns: [], rows: [] },
  };
}

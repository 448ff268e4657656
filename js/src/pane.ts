/** One view on the screen: its drawing, its table, zoom and export. */

import { type Frame, width } from "../made/scene";
import { BROKEN } from "./document";
import { button, html, icon, keepHeight, svg } from "./dom";
import { save, standalone } from "./export";
import type { Log } from "./log";
import { max, min } from "./math";
import { type Drawn, patch } from "./render";
import type { Item, Scene, View } from "./scene";

const ZOOM_STEP = 1.25;
const ZOOM_LIMITS: [number, number] = [0.25, 4];

export type Pane = ReturnType<typeof createPane>;

export function createPane(name: string, view: View) {
  let frame: Frame;
  let scene: Scene | undefined;
  let drawn: Drawn[] = [];
  let tabular = false;
  let zoomed: number | null = null;
  /** The document of the last scenes, and the largest width (without the empty part at the right) and height that they have had.
   * They never shrink, so that nothing on the page moves when one steps. */
  let log: Log | undefined;
  let extent = 0;
  let height = 0;
  let offered = "";
  let latest: { of: Frame; choice: number; scene: Scene } | undefined;

  const drawing = svg("svg", { class: "jg-scene", role: "group" });
  const choices = html("select", { class: "jg-button", "aria-label": "slice", hidden: true });
  const fit = button("zoom: as the pane allows (0)", "Fit", () => zoom(0));
  const asTable = button("the same as a table (t)", "Table", () => showTable(!tabular));
  const title = html("span", { class: "jg-pane-title" });
  const scroll = html("div", { class: "jg-scroll", tabindex: 0, role: "group" });
  const caption = html("figcaption", { class: "jg-caption" });
  const element = html(
    "figure",
    { class: `jg-pane jg-pane-${name}`, "data-view": name },
    html(
      "div",
      { class: "jg-pane-head" },
      title,
      html(
        "span",
        { class: "jg-tools" },
        choices,
        button("zoom out (-)", icon("M3 7h10v2H3z"), () => zoom(-1)),
        fit,
        button("zoom in (+)", icon("M7 3h2v4h4v2H9v4H7V9H3V7h4z"), () => zoom(1)),
        asTable,
        button("save as SVG", icon("M7 2h2v6h3l-4 4-4-4h3zM3 13h10v1.5H3z"), download),
      ),
    ),
    scroll,
    caption,
  );
  choices.addEventListener("change", () => show(frame, log!));
  scroll.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey && !tabular) {
        event.preventDefault();
        zoom(event.deltaY < 0 ? 1 : -1);
      }
    },
    { passive: false },
  );
  showTable(false);

  function sceneOf(of: Frame): Scene {
    const choice = choices.selectedIndex - 1;
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

  function show(next: Frame, of: Log): void {
    frame = next;
    if (log !== of) {
      log = of;
      extent = height = 0;
      widen(sceneOf(log.frame(log.document.steps.length)));
    }
    offer(sceneOf(frame).choices ?? []);
    scene = sceneOf(frame);
    title.textContent = scene.title.split(" of ")[0];
    // The header already shows the sentence of the step.
    const said = scene.caption.replace(frame.caption(), "").replace(/^ · /, "");
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
  }

  /** Shows the slices to choose between. The chosen one stays if it still exists. */
  function offer(names: string[]): void {
    const text = names.join();
    if (text !== offered) {
      const { value } = choices;
      const all = ["all slices", ...names];
      offered = text;
      choices.hidden = !text;
      choices.replaceChildren(...all.map((name) => html("option", {}, name)));
      choices.selectedIndex = max(0, all.indexOf(value));
    }
  }

  function widen(of: Scene): void {
    extent = max(extent, Math.round(reach(of.items)) + 10);
    height = max(height, of.height);
    element.style.setProperty("--jg-extent", String(extent));
  }

  function showTable(on: boolean): void {
    tabular = on;
    asTable.setAttribute("aria-pressed", String(on));
    scroll.replaceChildren(on && scene ? table(scene) : drawing);
  }

  /** Makes the drawing larger (1), smaller (-1), or as large as the pane allows (0). */
  function zoom(by: 1 | -1 | 0): void {
    const [least, most] = ZOOM_LIMITS;
    const scale = zoomed ?? (drawing.getBoundingClientRect().width / extent || 1);
    zoomed = by ? min(most, max(least, scale * ZOOM_STEP ** by)) : null;
    fit.textContent = zoomed ? `${Math.round(zoomed * 100)}%` : "Fit";
    element.style.setProperty("--jg-width", zoomed ? `calc(var(--jg-extent) * ${zoomed}px)` : "");
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
        scroll.scrollTop += target.top - box.top - box.height / 2 + min(target.height / 2, box.height / 3);
      }
      if (target.left < box.left || target.right > box.right) {
        // No further than needed: what comes before it, such as the source, explains it.
        scroll.scrollLeft += target.left - box.left - box.width * (target.left < box.left ? 0.25 : 0.6);
      }
    }
  }

  function download(): void {
    const showing = tabular;
    showTable(false);
    save(standalone(drawing, scene!.height, getComputedStyle(element).backgroundColor), `${name}.svg`);
    showTable(showing);
  }

  return {
    element,
    show,
    showTable,
    zoom,
    reveal,
    tabular: () => tabular,
    pan: (x: number, y: number) => scroll.scrollBy(x, y),
  };
}

/** The right end of the items. Edges never go further than what they join, so they don't count. */
function reach(items: Item[]): number {
  let right = 0;
  for (const item of items) {
    if (item.t === "group") {
      right = max(right, reach(item.items));
    } else if (item.t === "rect" && !item.c.startsWith("band")) {
      right = max(right, item.x + item.w);
    } else if (item.t === "text") {
      const share = item.a === "end" ? 0 : item.a === "middle" ? 0.5 : 1;
      right = max(right, item.x + width(item.s) * share);
    }
  }
  return right;
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

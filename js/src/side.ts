/** The panes of one trace: all of a widget, or one of the two sides of a comparison. */

import { happens } from "../made/register";
import { window } from "../made/scene";
import type { Compared } from "./document";
import { html } from "./dom";
import { createLinks } from "./links";
import type { Log } from "./log";
import { max } from "./math";
import { createPane, type Pane } from "./pane";
import type { Item, Text, View } from "./scene";

export type Side = ReturnType<typeof createSide>;

export function createSide(views: Map<string, View>) {
  const grid = html("div", { class: "jg-panes" });
  const name = html("p", { class: "jg-side-name" });
  const element = html("div", { class: "jg-side", role: "group" }, name, grid);
  const links = createLinks(element);
  const panes = new Map<string, Pane>();
  let shown: Pane[] = [];
  let log: Log;
  /** In a comparison, the cursor of this trace at each position of the common cursor. */
  let cursors: number[] | undefined;
  /** And its round there, if two trainings are compared. */
  let rounds: number[] | undefined;

  return {
    element,
    links,
    panes: () => shown,

    /** Shows another trace, under the title `called`. */
    open(trace: Log, called = "", steps?: number[], turns?: number[]): void {
      log = trace;
      cursors = steps;
      rounds = turns;
      name.textContent = called;
      element.setAttribute("aria-label", called || "views");
    },

    /** Shows these views side by side: one, or the timeline as a slim column and another one. */
    arrange(names: string[]): void {
      shown = names.map((view) => {
        const pane = panes.get(view) ?? createPane(view, views.get(view)!);
        panes.set(view, pane);
        return pane;
      });
      grid.classList.toggle("jg-both", names.length > 1);
      const there = [...grid.children];
      if (shown.length !== there.length || shown.some((pane, i) => pane.element !== there[i])) {
        grid.replaceChildren(...shown.map((pane) => pane.element));
      }
    },

    /** What the step at the cursor did in a view: the class of its colour, or nothing. */
    happens: (view: string, place: number): string => happens(view, log.frame(cursors?.[place] ?? place)),

    draw(place: number): void {
      const at = cursors?.[place] ?? place;
      for (const pane of shown) {
        if (rounds) {
          pane.keep(rounds[place], at);
        }
        pane.show(at, log);
      }
      for (const pane of shown) {
        pane.reveal(); // after the whole page has changed, because it reads the layout
      }
      links.redrawn();
    },

    /** The position of the common cursor at which the cursor of this trace is `step`. */
    placeOf: (step: number): number =>
      rounds?.findLastIndex((round) => round <= shown[0].chosen(step)!) ?? cursors?.indexOf(step) ?? step,
  };
}

const ROWS = 24;

/** The list of differences: the rows around the cursor, with a mark at the cursor. */
export function compared({ scene }: Compared): View {
  const groups = scene.items.filter((item) => item.t === "group");
  const titles = scene.items.filter((item) => item.t === "text");
  const topOf = (row: number): number => (groups[row] ? (groups[row].items[0] as Text).y - 17 : scene.height);
  return (frame) => {
    const at = groups.findLastIndex(({ k }) => k && Number(k[0].slice(1)) <= frame.cursor$);
    const [begin, end] = window(groups.length, max(at, 0), ROWS);
    const top = topOf(begin) - topOf(0);
    const rows = groups.slice(begin, end).map((row) => {
      const mark = (item: Item): Item => (item.t === "group" ? item : { ...item, c: `${item.c} now` });
      return row.k?.includes(`p${frame.cursor$}`) ? { ...row, items: row.items.map(mark) } : row;
    });
    return {
      ...scene,
      top,
      height: topOf(end) - top,
      caption: frame.caption$(),
      items: [...titles.map((title) => ({ ...title, y: title.y + top })), ...rows],
    };
  };
}

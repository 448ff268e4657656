/** The traces that are in the outputs of open notebooks. The renderer enters them here; editor and inspector follow. */

import type { Traits } from "../widget";

/** A trace in an output: what the output holds, the element that shows it, and where its views stand (-1: at the end). */
export interface Shown {
  readonly trace: Traits;
  readonly node: HTMLElement;
  cursor: number;
}

type Listener = (shown: Shown, there: boolean) => void;

const listeners = new Set<Listener>();
const all = new Set<Shown>();

export function enter(shown: Shown): void {
  all.add(shown);
  for (const listener of listeners) {
    listener(shown, true);
  }
}

export function leave(shown: Shown): void {
  if (all.delete(shown)) {
    for (const listener of listeners) {
      listener(shown, false);
    }
  }
}

/** Calls `listener` for each trace that is there, and when one comes or goes. */
export function follow(listener: Listener): void {
  listeners.add(listener);
  for (const shown of all) {
    listener(shown, true);
  }
}

/** Whether a trace is still in an output. */
export function isThere(shown: Shown): boolean {
  return all.has(shown);
}

/** Observe with this whether a trace is near what the reader sees: then it is made alive, and its notes are read. The margin of the root alone
 * would not reach beyond the edges of a notebook, which scrolls by itself. */
export const NEAR: IntersectionObserverInit & { scrollMargin: string } = {
  rootMargin: "600px",
  scrollMargin: "600px",
};

/** Whether an element is in a cell that runs. */
export function runs(element: HTMLElement): boolean {
  return promptOf(element).includes("*");
}

/** The number of the cell of an element, as it stands beside the cell: "[4]:". */
export function promptOf(element: HTMLElement): string {
  return element.closest(".jp-Cell")?.querySelector(".jp-InputPrompt")?.textContent ?? "";
}

/** The last trace in the outputs of a cell. */
export function traceIn(cell: HTMLElement): Shown | undefined {
  return [...all].filter(({ node }) => cell.contains(node)).pop();
}

/** These events on the element of a trace say at which step its views are, and move them to a step. */
export const STEPPED = "jgrad:step";
export const GO = "jgrad:go";

/** Moves all views within an element to a step. */
export function moveViews(within: HTMLElement, cursor: number): void {
  for (const view of within.querySelectorAll(".jg")) {
    view.dispatchEvent(new CustomEvent(GO, { detail: cursor }));
  }
}

/** Makes the traces of a page alive that has no kernel. `jgrad/views/page.py` and `jgrad/notebook/sphinx.py` write such pages: their script is the
 * front end, and then this. */

import type make from "./index";
import { PageModel } from "./model";
import type { Traits } from "./widget";

declare const jgrad: { default: typeof make };

// A notebook can write any element into its page, and any element can take the place of a property of `document`. So what this needs of the page
// it takes now, in the head, when nothing of the notebook is there. It looks only at places that have the key of the page, which no notebook knows.
const { jgradKey } = document.currentScript!.dataset;
const root = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => root.classList.toggle("dark", dark.matches);
if (root.hasAttribute("data-jgrad-page")) {
  dark.addEventListener("change", follow);
  follow();
}
/** A trace of this page. `marks`: cursors that belong to those of the other traces, one by one (`jgrad/tracing/document/processes.py`). */
type Placed = Traits & { marks?: number[] };
const lined: { marks: number[]; go: (cursor: number) => void }[] = [];
let leads = true;
/** Has the traces of the other processes go where one went: as far behind the last mark, and not beyond the next one. */
function goTogether(from: number[], cursor: number): void {
  if (leads) {
    leads = false; // the others follow, and do not lead
    const at = cursor < 0 ? from.length : from.findLastIndex((mark) => mark <= cursor) + 1;
    for (const { marks, go } of lined) {
      if (marks !== from) {
        go(
          cursor < 0
            ? -1
            : Math.min((marks[at - 1] ?? 0) + cursor - (from[at - 1] ?? 0), (marks[at] ?? Infinity) - 1),
        );
      }
    }
    leads = true;
  }
}
/** The trace in the address of the page, which no browser sends to a server (`link_of` in views/page.py). The views check the document. */
function addressed(): Traits {
  const found = new URLSearchParams(location.hash.slice(1));
  const views = (found.get("views") ?? "").split(",");
  return { document: found.get("document") ?? "", cursor: -1, views, twin: "" };
}
/** Plays a trace by itself once, as soon as it is there: a long document is inflated first. */
function play(el: HTMLElement): void {
  if (el.querySelector(".jg-count")?.textContent) {
    el.querySelector<HTMLElement>('.jg-transport [title^="play"]')!.click();
  } else {
    requestAnimationFrame(() => play(el));
  }
}
document.addEventListener("DOMContentLoaded", () => {
  for (const place of root.querySelectorAll<HTMLElement>(`[data-jgrad-key="${jgradKey}"]`)) {
    const { jgradTrace } = place.dataset;
    const traits: Placed = jgradTrace ? JSON.parse(jgradTrace) : addressed();
    traits.play &&= !matchMedia("(prefers-reduced-motion: reduce)").matches;
    const model = new PageModel(traits);
    // The input line of a cell whose result is to be predicted opens its trace at the beginning (`predict/`).
    place.addEventListener("jgrad-go", (event) => model.set("cursor", (event as CustomEvent).detail));
    const { marks } = traits;
    if (marks) {
      lined.push({ marks, go: (cursor) => model.set("cursor", cursor) });
      model.on("change:cursor", () => goTogether(marks, model.get("cursor") as number));
    }
    // Only what is about to be seen is made alive. So a page of many traces opens as fast as one of many pictures.
    new IntersectionObserver(
      ([entry], observer) => {
        if (entry.isIntersecting) {
          observer.disconnect();
          if (!jgradTrace) {
            addEventListener("hashchange", () => location.reload());
          }
          if (!traits.document) {
            return; // the page says so
          }
          const el = document.createElement("div");
          const { initialize, render } = jgrad.default();
          initialize({ model: model.forViews } as never);
          render({ model: model.forViews, el } as never);
          place.replaceChildren(el);
          if (traits.play && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
            play(el);
          }
        }
      },
      { rootMargin: "600px" },
    ).observe(place);
  }
});

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
/** The trace in the address of the page, which no browser sends to a server (`link_of` in views/page.py). The views check the document. */
function addressed(): Traits {
  const found = new URLSearchParams(location.hash.slice(1));
  const views = (found.get("views") ?? "").split(",");
  return { document: found.get("document") ?? "", cursor: -1, views, twin: "" };
}
document.addEventListener("DOMContentLoaded", () => {
  for (const place of root.querySelectorAll<HTMLElement>(`[data-jgrad-key="${jgradKey}"]`)) {
    // Only what is about to be seen is made alive. So a page of many traces opens as fast as one of many pictures.
    new IntersectionObserver(
      ([entry], observer) => {
        if (entry.isIntersecting) {
          observer.disconnect();
          const { jgradTrace } = place.dataset;
          const traits = jgradTrace ? (JSON.parse(jgradTrace) as Traits) : addressed();
          if (!jgradTrace) {
            addEventListener("hashchange", () => location.reload());
          }
          if (!traits.document) {
            return; // the page says so
          }
          traits.play &&= !matchMedia("(prefers-reduced-motion: reduce)").matches;
          const model = new PageModel(traits).forViews;
          const el = document.createElement("div");
          const { initialize, render } = jgrad.default();
          initialize({ model } as never);
          render({ model, el } as never);
          place.replaceChildren(el);
        }
      },
      { rootMargin: "600px" },
    ).observe(place);
  }
});

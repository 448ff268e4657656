/** Makes the traces of a page alive that has no kernel. `jgrad/views/page.py` and `jgrad/notebook/sphinx.py` write such pages. */

import { PageModel } from "./model";
import type { Traits } from "./widget";

const { module } = JSON.parse(document.getElementById("jgrad-page")!.textContent!) as { module: string };
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark", dark.matches);
if (document.documentElement.hasAttribute("data-jgrad-page")) {
  dark.addEventListener("change", follow);
  follow();
}
const { default: make } = await import(URL.createObjectURL(new Blob([module], { type: "text/javascript" })));
for (const place of document.querySelectorAll<HTMLElement>("[data-jgrad-trace]")) {
  // Only what is about to be seen is made alive. So a page of many traces opens as fast as one of many pictures.
  new IntersectionObserver(
    ([entry], observer) => {
      if (entry.isIntersecting) {
        observer.disconnect();
        const model = new PageModel(JSON.parse(place.dataset.jgradTrace!) as Traits);
        const el = document.createElement("div");
        const widget = make();
        widget.initialize({ model });
        widget.render({ model, el });
        place.replaceChildren(el);
      }
    },
    { rootMargin: "600px" },
  ).observe(place);
}

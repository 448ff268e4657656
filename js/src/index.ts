/** The module that anywidget loads. It keeps no state. A model's document is read as soon as the model exists. Each rendering is a separate widget. */

import type { InitializeProps, RenderProps } from "@anywidget/types";
import { SCENES } from "../made/register";
import { read } from "./document";
import { html } from "./dom";
import { Log } from "./log";
import type { PageParts } from "./page";
import { createReader, createWidget, type Traits } from "./widget";

export default () => {
  const reader = createReader();
  return {
    initialize({ model }: InitializeProps<Traits>): void {
      reader(model.get("document"));
    },
    render({ model, el, page }: RenderProps<Traits> & { page?: PageParts }): () => void {
      if (page) {
        addStyle(page.style, el.getRootNode());
      }
      const alive = new AbortController();
      createWidget(model, el, alive.signal, reader, page);
      return () => alive.abort();
    },
  };
};

/** Adds the style to a document, once. What is within a shadow root does not see the styles around it. */
function addStyle(style: string, root: Node): void {
  const place = root instanceof ShadowRoot ? root : document.head;
  if (!place.querySelector("style[data-jgrad]")) {
    place.append(html("style", { "data-jgrad": "" }, style));
  }
}

export { noted } from "./noted";

/** Scenes, as the widget draws them. Tests compare them with Python's. */
export function scenes(
  document: string,
  cases: [view: string, cursor: number, choice?: number][],
): unknown[] {
  const log = new Log(read(document));
  return cases.map(([view, cursor, choice]) => SCENES.get(view)!(log.frame(cursor), choice));
}

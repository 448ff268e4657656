/** The module that anywidget loads. It keeps no state. A model's document is read as soon as the model exists. Each rendering is a separate widget. */

import type { InitializeProps, RenderProps } from "@anywidget/types";
import { SCENES } from "../made/register";
import { read } from "./document";
import { Log } from "./log";
import { createReader, createWidget, type Traits } from "./widget";

export default () => {
  const reader = createReader();
  return {
    initialize({ model }: InitializeProps<Traits>): void {
      reader(model.get("document"));
    },
    render({ model, el }: RenderProps<Traits>): () => void {
      const alive = new AbortController();
      createWidget(model, el, alive.signal, reader);
      return () => alive.abort();
    },
  };
};

/** Scenes, as the widget draws them. Tests compare them with Python's. */
export function scenes(
  document: string,
  cases: [view: string, cursor: number, choice?: number][],
): unknown[] {
  const log = new Log(read(document));
  return cases.map(([view, cursor, choice]) => SCENES.get(view)!(log.frame(cursor), choice));
}

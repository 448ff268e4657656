/** The module that anywidget loads. It keeps no state; a model begins to be read as soon as it is there, and each rendering is a widget of its own. */

import "./pane"; // these two first: in this order the bundle takes 300 bytes less when it is compressed
import "./views/graph";
import type { InitializeProps, RenderProps } from "@anywidget/types";
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

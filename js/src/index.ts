/** The module that anywidget loads. It keeps no state. A model's document is read as soon as the model exists. Each rendering is a separate widget. */

import "./pane"; // these two come first: in this order the compressed bundle has 300 bytes less
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

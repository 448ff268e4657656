/** The module that anywidget loads. It keeps no state: each rendering is a widget of its own. */

import type { RenderProps } from "@anywidget/types";
import { createWidget, type Traits } from "./widget";

function render({ model, el }: RenderProps<Traits>): () => void {
  const alive = new AbortController();
  createWidget(model, el, alive.signal);
  return () => alive.abort();
}

export default { render };

/** The module that anywidget loads. It keeps no state: each rendering is a Widget of its own. */

import type { RenderProps } from "@anywidget/types";
import { type Traits, Widget } from "./widget";

function render({ model, el }: RenderProps<Traits>): () => void {
  const alive = new AbortController();
  new Widget(model, el, alive.signal);
  return () => alive.abort();
}

export default { render };

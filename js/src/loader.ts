/** What each widget of traces carries. It takes the front end from one model of the kernel that carries it for all (`FrontEnd` in views/widget.py). */

import type { AnyModel, InitializeProps, RenderProps } from "@anywidget/types";
import { inflated, unpacked } from "./inflate";
import type { PageParts } from "./page";

interface Traits {
  front_end: string;
}
type Make = () => {
  initialize(props: unknown): void;
  render(props: unknown): () => void;
};
interface FrontEnd {
  make: Make;
  /** What the front end writes pages of. */
  page: PageParts;
}

/** The front ends that this page has, by the id of the model that carried them. */
const page = globalThis as { jgradFrontEnds?: Map<string, Promise<FrontEnd>> };
page.jgradFrontEnds ??= new Map();
const loaded = page.jgradFrontEnds;

function frontEndOf(model: AnyModel<Traits>): Promise<FrontEnd> {
  const id = model.get("front_end").slice("IPY_MODEL_".length);
  let found = loaded.get(id);
  if (!found) {
    found = load(model, id);
    loaded.set(id, found);
    found.catch(() => loaded.delete(id)); // another widget may have more luck
  }
  return found;
}

async function load(model: AnyModel<Traits>, id: string): Promise<FrontEnd> {
  const carrier = await model.widget_manager.get_model<{ code: string }>(id);
  const page = JSON.parse(await inflated(unpacked(carrier.get("code")))) as PageParts;
  const url = URL.createObjectURL(new Blob([page.module], { type: "text/javascript" }));
  const { default: make } = await import(url);
  URL.revokeObjectURL(url);
  return { make, page };
}

export default () => {
  let made: Promise<{ widget: ReturnType<Make>; page: PageParts }>;
  return {
    // anywidget drops all later messages of a model that was not ready within two seconds. So nothing is awaited here.
    initialize({ model }: InitializeProps<Traits>): void {
      made = frontEndOf(model).then(({ make, page }) => {
        const widget = make();
        widget.initialize({ model });
        return { widget, page };
      });
      made.catch(() => {}); // it is shown where the widget is
    },
    async render(props: RenderProps<Traits>): Promise<() => void> {
      const { widget, page } = await made;
      return widget.render({ ...props, page });
    },
  };
};

/** What a model of anywidget is to the views, on a page without a kernel. */

import type { AnyModel } from "@anywidget/types";
import type { Traits } from "./widget";

type Listener = () => void;

export class PageModel {
  private heard = new Map<string, Set<Listener>>();

  constructor(private state: Traits) {}

  get(name: keyof Traits): unknown {
    return this.state[name];
  }

  set(name: keyof Traits, value: unknown): void {
    if (this.state[name] !== value) {
      this.state = { ...this.state, [name]: value };
      for (const listener of this.heard.get(`change:${name}`) ?? []) {
        listener();
      }
    }
  }

  on(event: string, listener: Listener): void {
    this.heard.set(event, (this.heard.get(event) ?? new Set()).add(listener));
  }

  off(event: string, listener: Listener): void {
    this.heard.get(event)?.delete(listener);
  }

  save_changes(): void {}
  send(): void {}

  /** As the views take it. */
  get forViews(): AnyModel<Traits> {
    return this as unknown as AnyModel<Traits>;
  }
}

/** The panel at the right: the views of the trace of the active cell, or of the last one that was active. */

import { Widget } from "@lumino/widgets";
import { PageModel } from "../model";
import { play } from "./renderer";
import { promptOf, type Shown } from "./traces";

const EMPTY = "Trace a cell, and its views are here.";

export class Inspector extends Widget {
  private shown?: Shown;
  private end?: () => void;
  private model?: PageModel;

  constructor() {
    super();
    this.id = "jgrad-inspector";
    this.title.caption = "jgrad: the trace of the active cell";
    this.addClass("jgrad-inspector");
    this.node.textContent = EMPTY;
  }

  /** Shows a trace. A panel that nobody sees makes no views. */
  look(shown: Shown | undefined): void {
    this.shown = shown;
    if (this.isVisible) {
      this.draw();
    }
  }

  /** Goes to a step of the trace. */
  go(cursor: number): void {
    if (this.model?.get("document") === this.shown?.trace.document) {
      this.model?.set("cursor", cursor);
    }
  }

  protected override onAfterShow(): void {
    this.draw();
  }

  private draw(): void {
    const { trace, cursor = -1 } = this.shown ?? {};
    if (trace && this.model?.get("document") === trace.document) {
      this.model.set("cursor", cursor);
      return;
    }
    this.end?.();
    this.end = this.model = undefined;
    this.node.textContent = trace ? "" : EMPTY;
    if (trace) {
      // It starts where the cell's own views stand: they follow what the inspector says.
      this.model = new PageModel({ ...trace, cursor, twin: "" });
      const views = document.createElement("div");
      this.node.append(`cell ${promptOf(this.shown!.node)}`, views);
      this.end = play(this.model, views);
    }
  }
}

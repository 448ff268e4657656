/** The notes of all traced cells that are open. */

import type { Cell, INotebookTracker } from "@jupyterlab/notebook";
import type { Noted } from "../noted";
import { fixesOf, noting, putFix, type Notes as Said, show } from "./editor";
import { frontEnd } from "./frontend";
import { isThere, moveViews, NEAR, runs, type Shown, traceIn } from "./traces";

/** A code cell whose output holds a trace. */
interface Traced {
  readonly cell: Cell;
  readonly shown: Shown;
  readonly noted: Noted;
  readonly below: Set<number>;
}

/** The cell of an element, in any open notebook. */
export function cellOf(tracker: INotebookTracker, element: Element): Cell | undefined {
  let found: Cell | undefined;
  tracker.forEach(({ content }) => {
    found ??= content.widgets.find(({ node }) => node.contains(element));
  });
  return found;
}

export class Notes {
  private readonly traced = new Map<Cell, Traced>();
  private readonly prepared = new WeakSet<object>();
  private on = true;

  constructor(private readonly tracker: INotebookTracker) {}

  /** A trace came into an output, or left it. */
  async change(shown: Shown, there: boolean): Promise<void> {
    if (!there) {
      for (const { cell, shown: own } of this.traced.values()) {
        if (own === shown) {
          this.traced.delete(cell);
          this.draw(cell);
        }
      }
      return;
    }
    // A notebook with many traces opens sooner if only those in sight are read. Who runs a cell waits for its notes.
    if (!runs(shown.node)) {
      await inSight(shown.node.closest(".jp-Cell") ?? shown.node);
    }
    const { noted: read } = await frontEnd();
    const noted = await read(shown.trace.document);
    if (!isThere(shown)) {
      return;
    }
    const cell = cellOf(this.tracker, shown.node);
    if (cell && noted) {
      this.traced.set(cell, { cell, shown, noted, below: new Set() });
      this.draw(cell);
    }
  }

  /** The views of a cell went to a step. */
  step(cell: Cell, cursor: number): void {
    const shown = traceIn(cell.node);
    if (shown && shown.cursor !== cursor) {
      shown.cursor = cursor;
      this.draw(cell);
    }
  }

  /** Whether a repair of a cell can be put into it. */
  hasFix(cell: Cell | null): boolean {
    const traced = cell && this.traced.get(cell);
    return (
      this.on && !!traced && fixesOf(traced.noted.found).length > 0 && isSource(traced.cell, traced.noted)
    );
  }

  /** Put the repair at the text cursor, or the first one, into the cell. */
  fix(cell: Cell | null): void {
    const traced = cell && this.traced.get(cell);
    if (traced && this.hasFix(cell) && cell.editor) {
      putFix(cell.editor.editor, fixesOf(traced.noted.found));
    }
  }

  turn(on: boolean): void {
    this.on = on;
    for (const cell of this.traced.keys()) {
      this.draw(cell);
    }
  }

  private draw(cell: Cell): void {
    const { editor } = cell;
    if (!editor || cell.isDisposed) {
      return;
    }
    if (!this.prepared.has(editor)) {
      this.prepared.add(editor);
      const resized = () => {
        this.traced.get(cell)?.below.clear();
        this.draw(cell);
      };
      editor.injectExtension(noting((line) => this.move(cell, line), resized));
    }
    const traced = this.on ? this.traced.get(cell) : undefined;
    show(editor.editor, traced && saidOf(traced));
  }

  /** The reader moved the text cursor to a line: the views go to the last step of it. */
  private move(cell: Cell, line: number): void {
    const cursor = this.traced.get(cell)?.noted.lastOf(line);
    if (cursor !== undefined && cell.node.contains(document.activeElement)) {
      moveViews(cell.node, cursor);
      this.step(cell, cursor);
    }
  }
}

/** What the editor of a traced cell says; nothing if the cell has another source by now. */
function saidOf({ cell, noted, shown, below }: Traced): Said | undefined {
  if (noted.refusal) {
    return { lines: [[1, [[noted.refusal, "error"]], ""]], current: 0, below, fixes: [] };
  }
  if (isSource(cell, noted)) {
    const [lines, current] = noted.noteAt(shown.cursor);
    return { lines, current, below, fixes: fixesOf(noted.found) };
  }
}

/** Waits until an element is near what the reader sees. */
function inSight(element: Element): Promise<void> {
  return new Promise((resolve) => {
    const waiting = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) {
        waiting.disconnect();
        resolve();
      }
    }, NEAR);
    waiting.observe(element);
  });
}

/** Whether a cell still has the source that was traced. */
function isSource(cell: Cell, { source }: Noted): boolean {
  return cell.model.sharedModel.getSource().trimEnd() === source.join("\n").trimEnd();
}

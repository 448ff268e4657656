/** Outputs that are to be predicted, in an open notebook. JupyterLab writes the first line of hidden outputs into the bar in their place, which would give them away. What stands
 * below such a cell tells them, too: it is hidden as long as they are. `jgrad/notebook/hidden.py` says what belongs to it. */

import { type Cell, type INotebookTracker, NotebookActions, type NotebookPanel } from "@jupyterlab/notebook";

const has = (cell: Cell | undefined, tag: string) => {
  const tags = cell?.model.getMetadata("tags");
  return Array.isArray(tags) && tags.includes(tag);
};
const isHidden = (cell: Cell | undefined) => has(cell, "hide-output");

/** Whether a text begins with a heading, is an exercise, or begins with the question of the cell below. */
function begins(cell: Cell, next: Cell | undefined): boolean {
  const text = cell.model.sharedModel.getSource();
  return (
    cell.model.type === "markdown" &&
    (/^#{1,6} /.test(text) || has(cell, "exercise") || (text.startsWith("**") && isHidden(next)))
  );
}

/** The cells below one that tell its answer. */
function stretch(cells: readonly Cell[], at: number): Cell[] {
  const end = cells.findIndex((cell, place) => place > at && begins(cell, cells[place + 1]));
  return cells.slice(at + 1, end < 0 ? cells.length : end);
}

/** Marks the cells of all notebooks; the style sheet writes what to do into their bars, in the language of the notebook. */
export function markHidden(tracker: INotebookTracker): void {
  const mark = ({ content }: NotebookPanel) => {
    const words = content.model?.getMetadata("mystnb")?.code_prompt_show;
    if (words) {
      content.node.style.setProperty("--jgrad-fold", JSON.stringify(words));
    }
    content.node.lang = content.model?.getMetadata("lang") ?? "";
    const questions = content.widgets.filter(isHidden);
    /** What is below a closed question, or below one that is. A cell that was run shows what it has. */
    const update = () => {
      const closed = new Set(
        questions
          .filter((cell) => cell.outputHidden)
          .flatMap((cell) => stretch(content.widgets, content.widgets.indexOf(cell))),
      );
      for (const cell of content.widgets) {
        cell.node.classList.toggle("jgrad-below", closed.has(cell) && !ran.has(cell));
      }
    };
    for (const cell of questions) {
      cell.addClass("jgrad-hidden");
      cell.node.classList.toggle("jgrad-why", !has(cell, "predict"));
      // JupyterLab opens them when the cell runs, at a click, or by a command: what is seen of all this is that the bar goes.
      new MutationObserver(update).observe(cell.node, { childList: true, subtree: true });
    }
    update();
  };
  const ran = new WeakSet<Cell>();
  const watch = (panel: NotebookPanel) => {
    panel.context.ready.then(() => mark(panel));
  };
  tracker.forEach(watch);
  tracker.widgetAdded.connect((_, panel) => watch(panel));
  NotebookActions.executionScheduled.connect((_, { cell }) => {
    ran.add(cell);
    cell.node.classList.remove("jgrad-below");
  });
}

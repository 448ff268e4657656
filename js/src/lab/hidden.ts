/** The bar in place of outputs that are to be predicted. JupyterLab writes the first line of the outputs into it, which would give them away. The text below such a cell,
 * and the stored outputs of the next cells, tell what was seen: they are hidden as long as the outputs are. */

import { type INotebookTracker, NotebookActions, type NotebookPanel } from "@jupyterlab/notebook";

const TAG = "hide-output";

/** Marks such cells of all notebooks; the style sheet writes what to do into their bars, in the language of the notebook. */
export function markHidden(tracker: INotebookTracker): void {
  const mark = ({ content }: NotebookPanel) => {
    const words = content.model?.getMetadata("mystnb")?.code_prompt_show;
    if (words) {
      content.node.style.setProperty("--jgrad-fold", JSON.stringify(words));
    }
    content.node.lang = content.model?.getMetadata("lang") ?? "";
    for (const cell of content.widgets) {
      const tags = cell.model.getMetadata("tags");
      cell.addClass(Array.isArray(tags) && tags.includes(TAG) ? "jgrad-hidden" : "jgrad-stored");
    }
  };
  const watch = (panel: NotebookPanel) => {
    panel.context.ready.then(() => mark(panel));
  };
  tracker.forEach(watch);
  tracker.widgetAdded.connect((_, panel) => watch(panel));
  NotebookActions.executionScheduled.connect((_, { cell }) => cell.node.classList.remove("jgrad-stored"));
}

/** The bar in place of outputs that are to be predicted. JupyterLab writes the first line of the outputs into it, which would give them away. The text below such a cell
 * tells what was seen: it is hidden as long as the outputs are. */

import type { INotebookTracker, NotebookPanel } from "@jupyterlab/notebook";

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
      if (Array.isArray(tags) && tags.includes(TAG)) {
        cell.addClass("jgrad-hidden");
      }
    }
  };
  const watch = (panel: NotebookPanel) => {
    panel.context.ready.then(() => mark(panel));
  };
  tracker.forEach(watch);
  tracker.widgetAdded.connect((_, panel) => watch(panel));
}

/** Links to a cell of a notebook that is not open. JupyterLab goes to the cell when the notebook is read, which is before it is shown: then nothing scrolls. */

import type { JupyterFrontEnd } from "@jupyterlab/application";
import type { INotebookTracker, NotebookPanel } from "@jupyterlab/notebook";

const LINK = "rendermime:handle-local-link";
/** A text whose height is not known yet. */
const UNREAD = ".jp-MarkdownCell:not(:has(.jp-MarkdownOutput > *))";
const FRAMES = 200; // for which a text may stay unread: the reader may write in it

/** Goes to the cell of such a link when the notebook is shown, and its texts are. */
export function followFragments({ commands }: JupyterFrontEnd, tracker: INotebookTracker): void {
  commands.commandExecuted.connect((_, { id, args, result }) => {
    const opened = () => tracker.find(({ context }) => context.path === args.path);
    const go = (panel: NotebookPanel, frames = FRAMES): unknown =>
      frames && panel.node.querySelector(UNREAD)
        ? requestAnimationFrame(() => go(panel, frames - 1))
        : panel.setFragment(args.id);
    if (id === LINK && args.id && !opened()) {
      result.then(() => {
        const panel = opened();
        panel?.revealed.then(() => go(panel));
      });
    }
  });
}

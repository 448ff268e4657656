/** Links to a cell of another notebook. JupyterLab goes to the cell when the notebook is read, which is before it is shown: then nothing scrolls. And it
 * draws the cells of a long notebook one after the other, so that the cell is not there yet, or moves. */

import type { JupyterFrontEnd } from "@jupyterlab/application";
import type { INotebookTracker, NotebookPanel } from "@jupyterlab/notebook";

const LINK = "rendermime:handle-local-link";
/** A text whose height is not known yet. */
const UNREAD = ".jp-MarkdownCell:not(:has(.jp-MarkdownOutput > *))";
/** How often it goes there at least and at most, and milliseconds in between. What is drawn above moves the cell, some cells may stay undrawn, and the
 * reader may write in a text. */
const [LEAST, MOST, PAUSE] = [10, 120, 150];

/** Goes to the cell of a link when the notebook is shown, until all cells are drawn or the reader does something. */
export function followFragments({ commands }: JupyterFrontEnd, tracker: INotebookTracker): void {
  let done = 0; // by the reader
  for (const event of ["wheel", "keydown", "pointerdown"]) {
    document.addEventListener(event, () => done++, true);
  }
  commands.commandExecuted.connect((_, { id, args, result }) => {
    const go = (panel: NotebookPanel, before: number, times = 1) => {
      if (done === before) {
        panel.setFragment(args.id);
        const drawn = panel.content.widgets.every(({ node }) => node.isConnected);
        if (times < LEAST || (times < MOST && (!drawn || panel.node.querySelector(UNREAD)))) {
          setTimeout(go, PAUSE, panel, before, times + 1);
        }
      }
    };
    if (id === LINK && args.id) {
      result.then(() => {
        const panel = tracker.find(({ context }) => context.path === args.path);
        panel?.revealed.then(() => go(panel, done));
      });
    }
  });
}

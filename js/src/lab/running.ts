/** Runs cells: the active one traced, or a new one with a magic. */

import { Notification } from "@jupyterlab/apputils";
import { type Cell, NotebookActions, type NotebookPanel } from "@jupyterlab/notebook";

/** Says a sentence that goes away by itself. */
function say(sentence: string): void {
  Notification.warning(sentence, { autoClose: 10_000 });
}

/** Asks the kernel to load the magics, before what it is asked next; false and a sentence if there is no kernel. It goes on while the kernel
 * does so: a kernel that is busy would let the reader wait, with nothing to see. */
async function loadMagics({ sessionContext }: NotebookPanel): Promise<boolean> {
  await sessionContext.ready;
  const { kernel } = sessionContext.session ?? {};
  if (!kernel) {
    say("This notebook has no kernel: choose one, then try again.");
    return false;
  }
  kernel
    .requestExecute({ code: "%load_ext jgrad", silent: true, store_history: false })
    .done.then(({ content: { status, ename, evalue } }) => {
      if (status === "error") {
        say(`This kernel can't load jgrad (${ename}: ${evalue}): install jgrad in its environment.`);
      }
    })
    .catch(() => {}); // the kernel ended, of which JupyterLab speaks
  return true;
}

/** Has the kernel record every cell from now on, or none, before what it is asked next. */
export function recordCells({ sessionContext }: NotebookPanel, on: boolean): void {
  const code = on ? "%load_ext jgrad\n%trace on" : "%trace off";
  sessionContext.session?.kernel
    ?.requestExecute({ code, silent: true, store_history: false, stop_on_error: false })
    .done.catch(() => {});
}

/** Runs one cell, whichever is active or selected by now. */
function run({ content, sessionContext }: NotebookPanel, cell: Cell): Promise<boolean> {
  const at = content.widgets.indexOf(cell);
  if (at < 0) {
    return Promise.resolve(false); // it was deleted
  }
  content.deselectAll();
  content.activeCellIndex = at;
  return NotebookActions.run(content, sessionContext);
}

/** Runs a cell under `%%trace`; loads the magics first. */
export async function traceCell(panel: NotebookPanel, cell: Cell): Promise<void> {
  const { sharedModel } = cell.model;
  const source = sharedModel.getSource();
  const [predicted] = /^\s*(?:%%predict\b.*\n?)?/.exec(source)!; // stands above it
  const rest = source.slice(predicted.length);
  const traced = /^\s*%%trace\b/.test(rest);
  if (!rest.replace(/^\s*%%trace\b.*/, "").trim()) {
    say("This cell is empty: write the code to trace, then trace it.");
  } else if (await loadMagics(panel)) {
    if (!traced) {
      sharedModel.setSource(`${predicted}%%trace\n${rest}`);
    }
    await run(panel, cell);
  }
}

/** Runs a line of magic in a new cell below a cell, which stays the active one. */
export async function ask(panel: NotebookPanel, cell: Cell, line: string): Promise<void> {
  const { content } = panel;
  if (!(await loadMagics(panel))) {
    return;
  }
  const at = content.widgets.indexOf(cell);
  if (at < 0) {
    return; // it was deleted
  }
  content.activeCellIndex = at;
  NotebookActions.insertBelow(content);
  const { activeCell } = content;
  activeCell?.model.sharedModel.setSource(line);
  activeCell?.node.scrollIntoView({ block: "start" }); // with room for the answer
  if (activeCell) {
    await run(panel, activeCell);
  }
}

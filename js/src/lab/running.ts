/** Runs cells: the active one traced, or a new one with a magic. */

import { type Cell, NotebookActions, type NotebookPanel } from "@jupyterlab/notebook";

async function loadMagics({ sessionContext }: NotebookPanel): Promise<void> {
  await sessionContext.ready;
  const { kernel } = sessionContext.session ?? {};
  await kernel?.requestExecute({ code: "%load_ext jgrad", silent: true, store_history: false }).done;
}

/** Runs a cell under `%%trace`; loads the magics first. */
export async function traceCell(panel: NotebookPanel, cell: Cell): Promise<void> {
  const { sharedModel } = cell.model;
  const source = sharedModel.getSource();
  if (!/^\s*%%trace\b/.test(source)) {
    sharedModel.setSource(`%%trace\n${source}`);
  }
  await loadMagics(panel);
  await NotebookActions.run(panel.content, panel.sessionContext);
}

/** Runs a line of magic in a new cell below a cell, which stays the active one. */
export async function ask(panel: NotebookPanel, cell: Cell, line: string): Promise<void> {
  const { content, sessionContext } = panel;
  const at = content.widgets.indexOf(cell);
  if (at < 0) {
    return; // it was deleted
  }
  await loadMagics(panel);
  content.activeCellIndex = at;
  NotebookActions.insertBelow(content);
  const { activeCell } = content;
  activeCell?.model.sharedModel.setSource(line);
  activeCell?.node.scrollIntoView({ block: "start" }); // with room for the answer
  await NotebookActions.run(content, sessionContext);
}

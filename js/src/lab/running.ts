/** Runs cells: the active one traced, or a new one with a magic. */

import { Notification } from "@jupyterlab/apputils";
import { type Cell, type Kernel, NotebookActions, type NotebookPanel } from "@jupyterlab/notebook";

const LOAD = "%load_ext jgrad";

/** Says a sentence that goes away by itself. */
function say(sentence: string): void {
  Notification.warning(sentence, { autoClose: 10_000 });
}

/** Has a kernel run magics of jgrad before what it is asked next. It goes on while the kernel does so: one that is busy would let the reader
 * wait, with nothing to see. `stop`: whether a failure stops what waits. */
function tell(kernel: Kernel, code: string, stop: boolean): void {
  kernel
    .requestExecute({ code, silent: true, store_history: false, stop_on_error: stop })
    .done.then(({ content: { status, ename, evalue } }) => {
      if (status === "error") {
        say(`This kernel can't load jgrad (${ename}: ${evalue}): install jgrad in its environment.`);
      }
    })
    .catch(() => {}); // the kernel ended, of which JupyterLab speaks
}

/** Loads the magics, if nobody did, before a cell that needs them: a reader may have skipped the first one. Magics of others with these names stay. */
export function loadFor({ sessionContext }: NotebookPanel): void {
  const { kernel } = sessionContext.session ?? {};
  if (kernel) {
    tell(
      kernel,
      `get_ipython().find_cell_magic("trace") or get_ipython().run_line_magic("load_ext", "jgrad")`,
      false,
    );
  }
}

/** Asks the kernel to load the magics; false and a sentence if there is no kernel. */
async function loadMagics({ sessionContext }: NotebookPanel): Promise<boolean> {
  await sessionContext.ready;
  const { kernel } = sessionContext.session ?? {};
  if (!kernel) {
    say("This notebook has no kernel: choose one, then try again.");
    return false;
  }
  tell(kernel, LOAD, true);
  return true;
}

/** The kernels that were told to record. */
const recording = new WeakSet<Kernel>();

/** A kernel that starts anew has to be told again. */
function forget(kernel: Kernel, status: string): void {
  if (/restarting/.test(status)) {
    recording.delete(kernel);
  }
}

/** Has a kernel of Python record every cell from now on, or none. It is told once, so that a `%trace off` in a cell holds. */
export function recordCells({ content, sessionContext }: NotebookPanel, on: boolean): void {
  const { kernel } = sessionContext.session ?? {};
  if (kernel && content.codeMimetype === "text/x-ipython" && recording.has(kernel) !== on) {
    recording[on ? "add" : "delete"](kernel);
    kernel.statusChanged.connect(forget);
    tell(kernel, on ? `${LOAD}\n%trace on` : "%trace off", false);
  }
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

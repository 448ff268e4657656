/** The context menu of a name in a cell: why it is what it is, its storage, its graph. */

import type { JupyterFrontEnd } from "@jupyterlab/application";
import type { Cell, INotebookTracker, NotebookPanel } from "@jupyterlab/notebook";
import { cellOf } from "./notes";
import { ask } from "./running";

/** A name, and the cell in which it stands. */
interface Named {
  name: string;
  cell: Cell;
  panel: NotebookPanel;
}

/** A name with its attributes, as in `w.grad` or `model.layer.weight`. */
const NAME = /[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*/gu;

/** Words that are no names, and names that nobody gives to a tensor. */
const WORDS = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda
  nonlocal not or pass raise return try while with yield
  jgrad torch np numpy nn plt self`.split(/\s+/),
);

/** Entries: the end of the command's name, what the menu says of a name, the magic. */
const ENTRIES: [id: string, label: (name: string) => string, magic: string][] = [
  ["why", (name) => `Explain ${name}`, "%why"],
  ["storage", (name) => `Storage of ${name}`, "%storage"],
  ["graph", (name) => `Graph of ${name}`, "%graph"],
];

/** The name at a position of a line. Of `w.grad`, a click on `w` means `w`, and one on `grad` means `w.grad`. */
export function nameAt(line: string, at: number): string | undefined {
  for (const { 0: whole, index } of line.matchAll(NAME)) {
    if (index <= at && at <= index + whole.length) {
      const end = whole.indexOf(".", at - index);
      const name = end < 0 ? whole : whole.slice(0, end);
      return WORDS.has(name.split(".")[0]) || line[index + name.length] === "(" ? undefined : name;
    }
  }
}

function named(tracker: INotebookTracker, { target, clientX, clientY }: MouseEvent): Named | undefined {
  const cell = target instanceof Element ? cellOf(tracker, target) : undefined;
  const view = cell?.editor?.editor;
  const panel = tracker.currentWidget;
  if (!cell || !panel || !view?.dom.contains(target as Node) || cell.model.type !== "code") {
    return undefined;
  }
  const position = view.posAtCoords({ x: clientX, y: clientY });
  if (position === null) {
    return undefined;
  }
  const { from, text } = view.state.doc.lineAt(position);
  const name = nameAt(text, position - from);
  return name === undefined ? undefined : { name, cell, panel };
}

/** Adds the entries to the menu. They are there when the pointer is on a name. */
export function offer(app: JupyterFrontEnd, tracker: INotebookTracker): void {
  let at: Named | undefined;
  // Before JupyterLab opens the menu, which asks whether the commands are visible.
  const listen = (event: MouseEvent) => {
    at = named(tracker, event);
  };
  document.addEventListener("contextmenu", listen, true);
  for (const [id, label, magic] of ENTRIES) {
    app.commands.addCommand(`jgrad:${id}`, {
      label: () => (at ? label(at.name) : magic),
      caption: `Ask ${magic} in a new cell below`,
      isVisible: () => at !== undefined,
      execute: () => at && ask(at.panel, at.cell, `${magic} ${at.name}`),
    });
  }
}

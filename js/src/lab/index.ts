/** jgrad in JupyterLab: a button that traces a cell, notes in its editor, the inspector, a name's context menu, and the list of tutorials. */

import { ILayoutRestorer, type JupyterFrontEnd, type JupyterFrontEndPlugin } from "@jupyterlab/application";
import { ICommandPalette } from "@jupyterlab/apputils";
import { ILauncher } from "@jupyterlab/launcher";
import { INotebookTracker, NotebookActions } from "@jupyterlab/notebook";
import { ISettingRegistry, type ISettings } from "@jupyterlab/settingregistry";
import { LabIcon } from "@jupyterlab/ui-components";
import { followFragments } from "./fragments";
import { frontEnd } from "./frontend";
import { markHidden } from "./hidden";
import { Inspector } from "./inspector";
import { offer } from "./names";
import { cellOf, Notes } from "./notes";
import { loadFor, recordCells, traceCell } from "./running";
import { follow, isThere, moveViews, type Shown, STEPPED, traceIn } from "./traces";
import { Tutorials } from "./tutorials";
import "./style.css";

const ID = "jgrad:plugin";
const TRACE = "jgrad:trace-cell";
const INSPECT = "jgrad:open-inspector";
const NOTES = "jgrad:toggle-notes";
const FIX = "jgrad:quick-fix";
const RECORD = "jgrad:record-cells";
const TUTORIALS = "jgrad:open-tutorials";

/** A graph of three nodes. */
const icon = new LabIcon({
  name: "jgrad:icon",
  svgstr: `<svg xmlns="http://www.w3.org/2000/svg" width="16" viewBox="0 0 24 24"><g class="jp-icon3" fill="#616161"><circle cx="5" cy="6" r="3.5"/><circle
    cx="5" cy="18" r="3.5"/><circle cx="19" cy="12" r="3.5"/><path d="M5 5l14 6v2l-14-6zM5 19l14-6v-2l-14 6z"/></g></svg>`,
});

/** Keeps notes, inspector and the views of outputs at the same step. */
function keepTogether(tracker: INotebookTracker, notes: Notes, inspector: Inspector): void {
  /** What the inspector shows: the trace of the active cell, or else the last one that was there, as long as it exists. */
  let inspected: Shown | undefined;
  const inspect = () => {
    const last = inspected && isThere(inspected) ? inspected : undefined;
    inspected = (tracker.activeCell && traceIn(tracker.activeCell.node)) ?? last;
    inspector.look(inspected);
  };
  /** The element of a trace is not in the page before its output is, on a busy machine some frames later. */
  const inspectSoon = (shown: Shown, wait = 16) => {
    const there = () => shown.node.isConnected || !isThere(shown);
    setTimeout(() => (there() ? inspect() : inspectSoon(shown, 2 * wait)), wait);
  };
  follow((shown, there) => {
    notes.change(shown, there);
    inspectSoon(shown);
  });
  tracker.activeCellChanged.connect(inspect);
  NotebookActions.executionScheduled.connect((_, { cell, notebook }) => {
    if (/^\s*%%(predict|trace)\b/.test(cell.model.sharedModel.getSource())) {
      loadFor(notebook.parent);
      frontEnd().catch(() => {}); // while the cell runs, so that its notes come at once
    }
  });
  document.addEventListener(STEPPED, (event) => {
    const { detail: cursor } = event as CustomEvent<number>;
    const element = event.target as HTMLElement;
    const own = inspector.node.contains(element);
    const cell = cellOf(tracker, own && inspected ? inspected.node : element);
    if (!cell) {
      return;
    }
    notes.step(cell, cursor);
    if (own) {
      moveViews(cell.node, cursor);
    } else if (inspected && cell.node.contains(inspected.node)) {
      inspector.go(cursor);
    }
  });
}

const plugin: JupyterFrontEndPlugin<void> = {
  id: ID,
  description: "Traces cells, and shows in their editors what became of each line.",
  autoStart: true,
  requires: [INotebookTracker],
  optional: [ICommandPalette, ILayoutRestorer, ISettingRegistry, ILauncher],
  activate(
    app: JupyterFrontEnd,
    tracker: INotebookTracker,
    palette: ICommandPalette | null,
    restorer: ILayoutRestorer | null,
    registry: ISettingRegistry | null,
    launcher: ILauncher | null,
  ): void {
    const inspector = new Inspector();
    inspector.title.icon = icon;
    const notes = new Notes(tracker);
    let noted = true;
    let recorded = false;
    app.shell.add(inspector, "right", { rank: 700 });
    restorer?.add(inspector, inspector.id);
    keepTogether(tracker, notes, inspector);
    offer(app, tracker);
    markHidden(tracker);
    followFragments(app, tracker);

    const turn = (on: boolean) => {
      noted = on;
      notes.turn(on);
      app.commands.notifyCommandChanged(NOTES);
    };
    app.commands.addCommand(TRACE, {
      label: "Trace This Cell",
      caption: "Run the cell, and show what autograd did in it",
      isEnabled: () => tracker.activeCell?.model.type === "code",
      execute: () => {
        const { activeCell, currentWidget } = tracker;
        return activeCell && currentWidget && traceCell(currentWidget, activeCell);
      },
    });
    // The button of a notebook that was open before asks again when its cells are there.
    tracker.activeCellChanged.connect(() => app.commands.notifyCommandChanged(TRACE));
    app.commands.addCommand(INSPECT, {
      label: "jgrad Inspector",
      caption: "The trace of the active cell, at the right",
      execute: () => app.shell.activateById(inspector.id),
    });
    app.commands.addCommand(NOTES, {
      label: "Notes in Traced Cells",
      caption: "Show at the end of each line of a traced cell what became of it",
      isToggled: () => noted,
      execute: () => turn(!noted),
    });
    const tell = () =>
      tracker.forEach((panel) => {
        recordCells(panel, recorded);
      });
    const record = (on: boolean) => {
      recorded = on;
      tell();
      app.commands.notifyCommandChanged(RECORD);
    };
    NotebookActions.executionScheduled.connect(tell); // a kernel may be a new one
    app.commands.addCommand(RECORD, {
      label: "Record Every Cell",
      caption: "Record each cell quietly, and say below it what is remarkable",
      isToggled: () => recorded,
      execute: () => record(!recorded),
    });
    app.commands.addCommand(FIX, {
      label: "Quick Fix",
      caption: "Put the repair that jgrad proposes into the cell; undo takes it away again",
      isEnabled: () => notes.hasFix(tracker.activeCell),
      execute: () => notes.fix(tracker.activeCell),
    });
    let tutorials: Tutorials | undefined;
    app.commands.addCommand(TUTORIALS, {
      label: "jgrad Tutorials",
      caption: "The tutorials, in their order",
      icon,
      execute: () => {
        if (!tutorials || tutorials.isDisposed) {
          tutorials = new Tutorials(app);
          app.shell.add(tutorials, "main");
        }
        app.shell.activateById(tutorials.id);
      },
    });
    for (const command of [TRACE, INSPECT, NOTES, RECORD, FIX, TUTORIALS]) {
      palette?.addItem({ command, category: "jgrad" });
    }
    launcher?.add({ command: TUTORIALS, category: "Other", rank: 1 });

    registry?.load(ID).then((settings: ISettings) => {
      let every: unknown;
      const read = () => {
        turn(settings.composite.notes !== false);
        // Another setting may have changed: what the button says stays.
        if (every !== settings.composite.every) {
          every = settings.composite.every;
          record(every === true);
        }
      };
      settings.changed.connect(read);
      read();
    });
  },
};

export default plugin;

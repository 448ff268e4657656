/** As much of JupyterLab, Lumino and CodeMirror as the extension uses. Their packages would bring 400 others, for their types alone. The browser
 * tests run the extension in the oldest and in the newest JupyterLab. */

declare module "@lumino/widgets" {
  import type { LabIcon } from "@jupyterlab/ui-components";
  export class Widget {
    readonly node: HTMLElement;
    id: string;
    readonly title: { label: string; caption: string; closable: boolean; icon?: LabIcon };
    readonly isDisposed: boolean;
    readonly isVisible: boolean;
    addClass(name: string): void;
    dispose(): void;
    protected onAfterShow(message: unknown): void;
  }
}

declare module "@jupyterlab/rendermime-interfaces" {
  import type { Widget } from "@lumino/widgets";

  export interface IMimeModel {
    readonly data: Record<string, unknown>;
  }
  export interface IRenderer extends Widget {
    renderModel(model: IMimeModel): Promise<void>;
  }
  export interface IExtension {
    id: string;
    rendererFactory: {
      safe: boolean;
      mimeTypes: string[];
      defaultRank?: number;
      createRenderer(options: unknown): IRenderer;
    };
    rank?: number;
    dataType: "json" | "string";
  }
}

declare module "@jupyterlab/settingregistry" {
  export interface ISettings {
    readonly composite: Record<string, unknown>;
    readonly changed: Signal<unknown>;
  }
  export interface ISettingRegistry {
    load(plugin: string): Promise<ISettings>;
  }
  export const ISettingRegistry: Token<ISettingRegistry>;
}

declare module "@jupyterlab/apputils" {
  export interface ICommandPalette {
    addItem(item: { command: string; category: string }): unknown;
  }
  export const ICommandPalette: Token<ICommandPalette>;
  export const Notification: { warning(message: string, options: { autoClose: number }): string };
}

declare module "@jupyterlab/ui-components" {
  export class LabIcon {
    constructor(options: { name: string; svgstr: string });
  }
}

declare module "@jupyterlab/launcher" {
  export interface ILauncher {
    add(item: { command: string; category?: string; rank?: number; args?: Record<string, unknown> }): unknown;
  }
  export const ILauncher: Token<ILauncher>;
}

declare module "@jupyterlab/application" {
  import type { Widget } from "@lumino/widgets";

  export interface JupyterFrontEnd {
    readonly commands: {
      addCommand(
        id: string,
        options: {
          label: string | (() => string);
          caption?: string;
          icon?: LabIcon;
          isEnabled?(): boolean;
          isVisible?(): boolean;
          isToggled?(): boolean;
          execute(args: Record<string, unknown>): unknown;
        },
      ): unknown;
      execute(id: string, args?: Record<string, unknown>): Promise<unknown>;
      notifyCommandChanged(id?: string): void;
      readonly commandExecuted: Signal<{
        id: string;
        args: Record<string, string>;
        result: Promise<unknown>;
      }>;
    };
    readonly shell: {
      add(widget: Widget, area: "main" | "right", options?: { rank: number }): void;
      activateById(id: string): void;
    };
    readonly serviceManager: {
      readonly contents: { get(path: string, options: { content: boolean }): Promise<unknown> };
      readonly kernels: {
        startNew(options: { path: string }): Promise<Kernel & { shutdown(): Promise<void> }>;
      };
    };
  }
  export interface JupyterFrontEndPlugin<T> {
    id: string;
    description?: string;
    autoStart: boolean;
    requires?: Token<unknown>[];
    optional?: Token<unknown>[];
    activate(app: JupyterFrontEnd, ...services: never[]): T;
  }
  export interface ILayoutRestorer {
    add(widget: Widget, name: string): void;
  }
  export const ILayoutRestorer: Token<ILayoutRestorer>;
}

declare module "@jupyterlab/notebook" {
  import type { Extension } from "@codemirror/state";
  import type { EditorView } from "@codemirror/view";

  export interface Kernel {
    requestExecute(request: {
      code: string;
      silent?: boolean;
      store_history?: boolean;
      stop_on_error?: boolean;
    }): {
      readonly done: Promise<{ content: { status: string; ename?: string; evalue?: string } }>;
    };
    readonly statusChanged: Signal<string>;
  }
  export interface Editor {
    readonly editor: EditorView;
    injectExtension(extension: Extension): void;
  }
  export interface Cell {
    readonly node: HTMLElement;
    readonly isDisposed: boolean;
    addClass(name: string): void;
    /** Of a cell of code. */
    readonly outputHidden?: boolean;
    readonly model: {
      readonly type: string;
      getMetadata(key: string): unknown;
      readonly sharedModel: { getSource(): string; setSource(source: string): void };
    };
    readonly editor: Editor | null;
  }
  export interface NotebookPanel {
    readonly context: { readonly ready: Promise<void>; readonly path: string };
    readonly node: HTMLElement;
    readonly revealed: Promise<void>;
    setFragment(fragment: string): void;
    readonly content: {
      readonly node: HTMLElement;
      readonly model: {
        getMetadata(key: "mystnb"): { code_prompt_show?: string } | undefined;
        getMetadata(key: "lang"): string | undefined;
      } | null;
      readonly widgets: readonly Cell[];
      readonly activeCell: Cell | null;
      activeCellIndex: number;
      readonly codeMimetype: string;
      deselectAll(): void;
    };
    readonly sessionContext: {
      readonly ready: Promise<void>;
      readonly session: { readonly kernel: Kernel | null } | null;
    };
  }
  export interface INotebookTracker {
    readonly activeCell: Cell | null;
    readonly currentWidget: NotebookPanel | null;
    readonly activeCellChanged: Signal<Cell | null>;
    readonly widgetAdded: Signal<NotebookPanel>;
    forEach(visit: (panel: NotebookPanel) => void): void;
    find(wanted: (panel: NotebookPanel) => boolean): NotebookPanel | undefined;
  }
  export const INotebookTracker: Token<INotebookTracker>;
  export const NotebookActions: {
    run(notebook: NotebookPanel["content"], context: NotebookPanel["sessionContext"]): Promise<boolean>;
    readonly executionScheduled: Signal<{ cell: Cell; notebook: { parent: NotebookPanel } }>;
    insertBelow(notebook: NotebookPanel["content"]): void;
  };
}

declare module "@codemirror/state" {
  export type Extension = unknown;
  export interface Line {
    readonly from: number;
    readonly to: number;
    readonly number: number;
    readonly text: string;
  }
  export interface Text {
    readonly lines: number;
    line(n: number): Line;
    lineAt(position: number): Line;
  }
  export interface StateEffectType<T> {
    of(value: T): { is(type: StateEffectType<T>): boolean; readonly value: T };
  }
  export const StateEffect: { define<T>(): StateEffectType<T> };
  export interface Transaction {
    readonly docChanged: boolean;
    readonly effects: readonly { is(type: unknown): boolean; readonly value: never }[];
    readonly state: EditorState;
  }
  export interface EditorState {
    readonly doc: Text;
    readonly selection: { readonly main: { readonly head: number } };
    field<T>(field: StateField<T>, require: false): T | undefined;
  }
  export interface StateField<T> {
    readonly __value: T;
  }
  export const StateField: {
    define<T>(spec: {
      create(state: EditorState): T;
      update(value: T, transaction: Transaction): T;
      provide?(field: StateField<T>): unknown;
    }): StateField<T>;
  };
}

declare module "@codemirror/view" {
  import type { EditorState, Extension } from "@codemirror/state";

  export class EditorView {
    readonly state: EditorState;
    readonly dom: HTMLElement;
    dispatch(transaction: {
      effects?: unknown;
      changes?: { from: number; to: number; insert: string }[];
      userEvent?: string;
    }): void;
    focus(): void;
    posAtCoords(point: { x: number; y: number }): number | null;
    static readonly decorations: { from(field: unknown): Extension };
    static readonly updateListener: {
      of(
        listen: (update: {
          readonly selectionSet: boolean;
          readonly docChanged: boolean;
          readonly geometryChanged: boolean;
          readonly view: EditorView;
          readonly state: EditorState;
        }) => void,
      ): Extension;
    };
    static baseTheme(rules: Record<string, Record<string, string>>): Extension;
  }
  export class WidgetType {
    eq(other: WidgetType): boolean;
    toDOM(view: EditorView): HTMLElement;
  }
  interface Range {
    readonly from: number;
  }
  export const Decoration: {
    readonly none: DecorationSet;
    widget(spec: { widget: WidgetType; side: number }): { range(from: number): Range };
    line(spec: { class?: string; attributes?: Record<string, string> }): { range(from: number): Range };
    set(of: Range[], sort?: boolean): DecorationSet;
  };
  export interface DecorationSet {
    readonly size: number;
  }
}

interface Signal<T> {
  connect(slot: (sender: never, value: T) => void): boolean;
  disconnect(slot: (sender: never, value: T) => void): boolean;
}

interface Token<T> {
  readonly name: string;
  readonly __service?: T;
}
declare module "*.css";

/** Notes in the editor of a traced cell: at the ends of lines what became of them, marks where an error came from, the line of the step. */

import { type EditorState, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import type { Note as Found } from "../document";
import type { LineNote } from "../noted";

/** A repair as edits of the cell: the line that is changed first, what is wrong, and the texts that spans get. Lines are counted from 1, columns in
 * characters from 0. */
interface Fix {
  line: number;
  text: string;
  edits: { span: number[]; text: string }[];
}

/** The repairs that notes of a trace propose for its cell. */
export function fixesOf(found: Found[]): Fix[] {
  return found.flatMap(({ edits = [], text }): Fix[] =>
    edits.length && !edits.some(({ file }) => file) ? [{ line: edits[0].span[0], text, edits }] : [],
  );
}

export interface Notes {
  lines: LineNote[];
  /** The line of the step at the cursor; 0 for none. */
  current: number;
  /** The lines whose notes once were too long for them. They stay below, so that nothing moves while one steps. */
  below: Set<number>;
  fixes: Fix[];
}

const NONE: Notes = { lines: [], current: 0, below: new Set(), fixes: [] };

/** The widths, in pixels, of a character of the code and of most characters of a note. */
const [WIDE, NARROW] = [7.8, 6.2];

/** Two that were made of the same are the same: the editor keeps the first. */
class Mark extends WidgetType {
  override eq(other: Mark): boolean {
    return JSON.stringify(this) === JSON.stringify(other);
  }
}

class Note extends Mark {
  /** `width`: the pixels of a note below its line; 0 for one at the end of the line. */
  constructor(
    private readonly parts: LineNote[1],
    private readonly mark: string,
    private readonly width: number,
  ) {
    super();
  }

  override toDOM(): HTMLElement {
    const note = document.createElement(this.width ? "div" : "span");
    note.className = `jg jgrad-note${this.width ? " jgrad-note-below" : ""}`;
    if (this.width) {
      note.className += this.mark && ` jgrad-mark-${this.mark}`;
      note.style.maxWidth = `${this.width}px`;
    }
    if (!this.parts.length) {
      note.classList.replace("jgrad-note", "jgrad-room"); // for what is said at other steps
      return note;
    }
    note.setAttribute("role", "note");
    this.parts.forEach(([text, meaning], i) => {
      const part = document.createElement("span");
      part.className = meaning && `jg-${meaning}`;
      part.textContent = text;
      note.append(i ? " · " : "", part);
    });
    note.title = note.textContent ?? "";
    return note;
  }
}

/** The mark of a repair, which puts it into the cell. */
class FixMark extends Mark {
  constructor(private readonly fix: Fix) {
    super();
  }

  override toDOM(view: EditorView): HTMLElement {
    const mark = document.createElement("button");
    mark.className = "jgrad-fix";
    mark.textContent = "✎ fix";
    const { edits, text } = this.fix;
    const written = edits.map(({ span: [line], text: put }) => `line ${line}: ${put.trim() || "(left out)"}`);
    mark.title = `${text}\n\nThis edit may help. It was not tried. (Ctrl+.)\n${written.join("\n")}`;
    mark.setAttribute("aria-label", `Quick fix: ${text}`);
    mark.onmousedown = (event) => event.preventDefault(); // the text cursor stays
    mark.onclick = () => put(view, this.fix);
    return mark;
  }
}

/** Where a fix changes a text: positions in it, in order; none if the text has no such places, or if two of them overlap. */
export function changesOf({ edits }: Fix, doc: Text): { from: number; to: number; insert: string }[] {
  const at = (line: number, column: number): number => {
    if (line < 1 || line > doc.lines) {
      return line === doc.lines + 1 && !column ? doc.line(doc.lines).to : Number.NaN;
    }
    const { from, text } = doc.line(line);
    return from + [...text].slice(0, column).join("").length;
  };
  const found = edits
    .map(({ span: [line, column, end, behind], text }) => ({
      from: at(line, column),
      to: at(end, behind),
      insert: text,
    }))
    .sort((a, b) => a.from - b.from || a.to - b.to);
  const fits = found.every(({ from, to }, i) => from <= to && (!i || found[i - 1].to <= from));
  return fits ? found : [];
}

/** Puts a repair into the cell, as if it were typed: undo takes it away again. */
function put(editor: EditorView, fix: Fix): void {
  const changes = changesOf(fix, editor.state.doc);
  if (changes.length) {
    editor.dispatch({ changes, userEvent: "input" });
    editor.focus();
  }
}

/** Puts the repair of the line of the text cursor into the cell, or the first one. */
export function putFix(editor: EditorView, fixes: Fix[]): void {
  const { doc, selection } = editor.state;
  const here = doc.lineAt(selection.main.head).number;
  const fix = fixes.find(({ line }) => line === here) ?? fixes[0];
  if (fix) {
    put(editor, fix);
  }
}

const setNotes = StateEffect.define<Notes & { width: number }>();

function decorations(
  { lines, current, width, below, fixes }: Notes & { width: number },
  { doc }: EditorState,
): DecorationSet {
  const ranges = [];
  const silent = [...below].filter((number) => !lines.some(([line]) => line === number));
  const all = [...lines, ...silent.map((line): LineNote => [line, [], ""])];
  for (const [number, parts, mark] of all) {
    if (number > doc.lines) {
      continue; // the cell is another one by now
    }
    const line = doc.line(number);
    if (mark) {
      const bare = parts.length ? "" : " jgrad-bare";
      ranges.push(Decoration.line({ class: `jgrad-marked jgrad-mark-${mark}${bare}` }).range(line.from));
    }
    if (parts.length || below.has(number)) {
      const length = parts.reduce((sum, [text]) => sum + text.length + 3, 3);
      if (below.has(number) || (line.to - line.from + 3) * WIDE + length * NARROW > width) {
        below.add(number);
      }
      const block = below.has(number);
      const note = new Note(parts, mark, block ? width : 0);
      const options = { widget: note, side: 1, ...(block && { block }) };
      ranges.push(Decoration.widget(options).range(line.to));
    }
  }
  for (const fix of fixes) {
    if (fix.line <= doc.lines && changesOf(fix, doc).length) {
      ranges.push(Decoration.widget({ widget: new FixMark(fix), side: 0 }).range(doc.line(fix.line).to));
    }
  }
  if (current >= 1 && current <= doc.lines) {
    ranges.push(Decoration.line({ class: "jgrad-step-line" }).range(doc.line(current).from));
  }
  return Decoration.set(ranges, true);
}

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(now, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setNotes)) {
        return decorations(effect.value, transaction.state);
      }
    }
    return transaction.docChanged ? Decoration.none : now; // what was edited is not what ran
  },
  provide: (own) => EditorView.decorations.from(own),
});

/** How many pixels a line of an editor has for code and note. */
function widthOf({ dom }: EditorView): number {
  return Math.max(dom.clientWidth - 60, 60);
}

/** What an editor needs to show notes. `moved` is called with the line to which the reader moves the text cursor, `resized` when lines have more
 * or less room than they had. */
export function noting(moved: (line: number) => void, resized: () => void): unknown[] {
  return [
    field,
    EditorView.updateListener.of(({ selectionSet, docChanged, geometryChanged, state, view }) => {
      if (selectionSet && !docChanged) {
        moved(state.doc.lineAt(state.selection.main.head).number);
      }
      if (geometryChanged && drawnFor.has(view) && drawnFor.get(view) !== widthOf(view)) {
        drawnFor.delete(view);
        requestAnimationFrame(resized); // an editor can't be changed while it tells of a change
      }
    }),
  ];
}

/** For lines of how many pixels the notes of an editor were drawn. */
const drawnFor = new WeakMap<EditorView, number>();

/** Shows notes in an editor, in place of those that it shows; none without any. */
export function show(editor: EditorView, notes: Notes = NONE): void {
  const width = widthOf(editor);
  drawnFor.set(editor, width);
  editor.dispatch({ effects: setNotes.of({ ...notes, width }) });
}

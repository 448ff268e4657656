/** Slider, play, steps, jumps, and the sentence of the step at the cursor. */

import type { Note, Step } from "./document";
import { button, html, svg } from "./dom";
import type { Log } from "./log";
import { passed } from "./loops";

const ICONS = {
  first: "M3 3h2v10H3zM13 3v10L6 8z",
  back: "M11 3v10L4 8z",
  play: "M4 2.5v11L13 8z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  forward: "M5 3v10l7-5z",
  last: "M11 3h2v10h-2zM3 3v10l7-5z",
};
const PLAY_MS = 900;
const MARKS = 400;
const NOTES_SHOWN = 4;

/** What can be jumped to: its word, the meaning of its colour, and which steps; its key is the first letter. */
const JUMPS = [
  { word: "write", c: "write" },
  { word: "backward", c: "gradient" },
  { word: "difference", c: "error" },
  { word: "error", c: "error" },
] as const;

export class Header {
  readonly element: HTMLElement;
  readonly #go: (cursor: number) => void;
  readonly #name = html("span", { class: "jg-name" });
  readonly #count = html("span", { class: "jg-count" });
  readonly #slider = html("input", {
    type: "range",
    class: "jg-slider",
    min: 0,
    step: 1,
    "aria-label": "step",
  });
  readonly #marks = svg("svg", { class: "jg-marks", preserveAspectRatio: "none", "aria-hidden": "true" });
  readonly #sentence = html("p", { class: "jg-sentence", "aria-live": "polite" });
  readonly #notes = html("ul", { class: "jg-notes" });
  readonly #player: HTMLElement;
  readonly #play: HTMLButtonElement;
  readonly #jumps: HTMLButtonElement[];
  #log: Log | null = null;
  #cursor = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `go` moves the cursor; `toggles` are the buttons that choose the views. */
  constructor(go: (cursor: number) => void, toggles: HTMLElement, signal: AbortSignal) {
    this.#go = go;
    this.#play = button("play (space)", ICONS.play, () => this.togglePlay());
    this.#jumps = JUMPS.map((jump) => {
      const made = button(jump.word, null, () => this.jump(jump.word[0], 1));
      made.title = `next ${jump.word} (${jump.word[0]}; with shift the one before)`;
      made.classList.add(`jg-${jump.c}`);
      return made;
    });
    this.#player = html(
      "div",
      { class: "jg-bar" },
      html(
        "span",
        { class: "jg-transport", role: "group", "aria-label": "stepping" },
        button("to the start (Home)", ICONS.first, () => this.move(0)),
        button("one step back (left arrow)", ICONS.back, () => this.step(-1)),
        this.#play,
        button("one step on (right arrow)", ICONS.forward, () => this.step(1)),
        button("to the end (End)", ICONS.last, () => this.move(Number.POSITIVE_INFINITY)),
      ),
      html("span", { class: "jg-track" }, this.#marks, this.#slider),
      this.#count,
      html("span", { class: "jg-jumps", role: "group", "aria-label": "jump to the next" }, ...this.#jumps),
    );
    this.element = html(
      "header",
      { class: "jg-header" },
      this.#player,
      html("div", { class: "jg-bar jg-second" }, this.#name, toggles),
      this.#sentence,
      this.#notes,
    );
    this.#slider.addEventListener("input", () => this.move(this.#slider.valueAsNumber), { signal });
    signal.addEventListener("abort", () => this.stop());
  }

  /** A new document. */
  load(log: Log): void {
    this.stop();
    this.#log = log;
    const { document } = log;
    const { steps, truncated } = document;
    this.#name.textContent = truncated
      ? `${document.name}: the first ${truncated.kept} of ${truncated.seen} steps`
      : document.name;
    this.#slider.max = String(steps.length);
    this.#slider.disabled = steps.length === 0;
    this.#player.hidden = steps.length === 0;
    this.#jumps.forEach((jump, i) => {
      jump.hidden = !steps.some((step) => step.kind === JUMPS[i].word);
    });
    this.#drawMarks(steps);
  }

  show(cursor: number): void {
    const { steps, notes, source } = this.#log!.document;
    this.#cursor = cursor;
    this.#slider.value = String(cursor);
    this.#slider.setAttribute("aria-valuetext", `step ${cursor} of ${steps.length}`);
    this.#slider.style.setProperty("--jg-done", `${steps.length ? (100 * cursor) / steps.length : 0}%`);
    this.#count.textContent = `step ${cursor} of ${steps.length}`;
    const step = steps[cursor - 1];
    this.#sentence.textContent = step
      ? step.text
      : steps.length
        ? "Before the first step."
        : source.length
          ? "No steps were recorded."
          : "As things are now.";
    this.#sentence.dataset.kind = step?.kind ?? "";
    const told = notes.filter((note) => note.step < cursor).sort((a, b) => b.step - a.step);
    this.#notes.replaceChildren(...told.slice(0, NOTES_SHOWN).map((note) => this.#note(note)));
    if (told.length > NOTES_SHOWN) {
      this.#notes.append(html("li", { class: "jg-more" }, `and ${told.length - NOTES_SHOWN} more before`));
    }
  }

  move(cursor: number): void {
    this.stop();
    this.#move(cursor);
  }

  /** So many steps on or back; what loops fold counts as one. */
  step(by: number): void {
    this.stop();
    let cursor = this.#cursor;
    for (let left = Math.abs(by); left > 0; left--) {
      cursor = this.#next(cursor, by > 0 ? 1 : -1);
    }
    this.#move(cursor);
  }

  /** One step, also into what is folded. */
  enter(by: 1 | -1): void {
    this.move(this.#cursor + by);
  }

  #next(cursor: number, by: 1 | -1): number {
    return passed(this.#log?.loops ?? [], cursor, by);
  }

  /** To the next (1) or the previous (-1) step of the kind with this key, around the end. Says whether there is such a key. */
  jump(key: string, direction: 1 | -1): boolean {
    const jump = JUMPS.find(({ word }) => word[0] === key);
    if (!jump || !this.#log) {
      return false;
    }
    const { steps } = this.#log.document;
    const n = steps.length;
    for (let away = 1; away <= n; away++) {
      const at = (this.#cursor - 1 + direction * away + 2 * n) % n;
      if (steps[at].kind === jump.word) {
        this.move(at + 1);
        break;
      }
    }
    return true;
  }

  togglePlay(): void {
    if (this.#timer !== undefined) {
      this.stop();
      return;
    }
    const end = this.#end;
    if (this.#cursor >= end) {
      this.#move(0);
    }
    this.#face("pause (space)", ICONS.pause);
    const tick = () => {
      this.#timer = setTimeout(() => {
        this.#move(this.#next(this.#cursor, 1));
        if (this.#cursor < end) {
          tick();
        } else {
          this.stop();
        }
      }, PLAY_MS);
    };
    tick();
  }

  stop(): void {
    if (this.#timer !== undefined) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#face("play (space)", ICONS.play);
    }
  }

  get #end(): number {
    return this.#log?.document.steps.length ?? 0;
  }

  #move(cursor: number): void {
    this.#go(Math.max(0, Math.min(this.#end, cursor)));
  }

  #face(label: string, icon: string): void {
    this.#play.title = label;
    this.#play.setAttribute("aria-label", label);
    this.#play.querySelector("path")!.setAttribute("d", icon);
  }

  #note(note: Note): HTMLElement {
    const go = html(
      "button",
      { type: "button", class: "jg-note-step", title: "go to this step" },
      `step ${note.step + 1}`,
    );
    go.addEventListener("click", () => this.move(note.step + 1));
    return html(
      "li",
      { class: `jg-note jg-${{ info: "muted", warning: "write", error: "error" }[note.severity]}` },
      html("strong", {}, `${note.severity === "info" ? "note" : note.severity}: `),
      html("span", {}, note.text),
      " ",
      go,
    );
  }

  /** Where the writes, backward calls and errors are, under the slider: at most `MARKS` of each. */
  #drawMarks(steps: Step[]): void {
    this.#marks.setAttribute("viewBox", `0 0 ${MARKS} 8`);
    this.#marks.replaceChildren(
      ...JUMPS.map(({ word, c }) => {
        const places = new Set<number>();
        steps.forEach((step, i) => {
          if (step.kind === word) {
            places.add(Math.round((MARKS * (i + 1)) / steps.length));
          }
        });
        return svg("path", { class: `jg-${c}`, d: [...places].map((x) => `M${x} 0V8`).join("") });
      }),
    );
  }
}

/** The header: slider, play, steps, jumps, and the sentence of the step at the cursor. */

import type { Note } from "./document";
import { button, html, icon, svg } from "./dom";
import type { Log } from "./log";
import { passed } from "./loops";
import { max, min } from "./math";
import { grouped } from "./python";
import { SEVERITIES } from "./scene";

const PLAY = "M4 2.5v11L13 8z";
const PAUSE = "M4 3h3v10H4zM9 3h3v10H9z";
const PLAY_MS = 900;
const MARKS = 400;
const NOTES_SHOWN = 4;

/** The kinds of steps to which one can jump, with the class of their colour. The key is the first letter. */
const JUMPS = Object.entries({ write: "write", backward: "gradient", difference: "error", error: "error" });

/** `go` moves the cursor; `toggles` are the buttons that choose the views. */
export function createHeader(go: (cursor: number) => void, toggles: HTMLElement) {
  let log: Log | undefined;
  let cursor = 0;
  let end = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const name = html("span", { class: "jg-name" });
  const count = html("span", { class: "jg-count" });
  const slider = html("input", { type: "range", class: "jg-slider", min: 0, step: 1, "aria-label": "step" });
  const marks = svg("svg", {
    class: "jg-marks",
    viewBox: `0 0 ${MARKS} 8`,
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  const sentence = html("p", { class: "jg-sentence", "aria-live": "polite" });
  const notes = html("ul", { class: "jg-notes" });
  const player = button("", icon(PLAY), togglePlay);
  const jumps = JUMPS.map(([word, c]) => {
    const made = button(`next ${word} (${word[0]}; with shift the one before)`, word, () => jump(word[0], 1));
    made.classList.add(`jg-${c}`);
    return made;
  });
  const bar = html(
    "div",
    { class: "jg-bar" },
    html(
      "span",
      { class: "jg-transport", role: "group", "aria-label": "stepping" },
      button("to the start (Home)", icon("M3 3h2v10H3zM13 3v10L6 8z"), () => move(0)),
      button("one step back (left arrow)", icon("M11 3v10L4 8z"), () => step(-1)),
      player,
      button("one step on (right arrow)", icon("M5 3v10l7-5z"), () => step(1)),
      button("to the end (End)", icon("M11 3h2v10h-2zM3 3v10l7-5z"), () => move(end)),
    ),
    html("span", { class: "jg-jumps", role: "group", "aria-label": "jump to the next" }, ...jumps),
    count,
    html("span", { class: "jg-track" }, marks, slider),
  );
  const second = html("div", { class: "jg-bar" }, name, toggles);
  const element = html("header", { class: "jg-header" }, bar, second, sentence, notes);
  slider.addEventListener("input", () => move(slider.valueAsNumber));
  stop();

  /** Shows a new document. */
  function load(opened: Log): void {
    stop();
    log = opened;
    const { steps, truncated, name: called } = log.document;
    end = steps.length;
    name.textContent =
      called +
      (truncated
        ? `: ${grouped(truncated.kept_steps)} of at least ${grouped(truncated.seen_steps)} steps`
        : "");
    slider.max = String(end);
    count.style.minWidth = `${2 * grouped(end).length + 7}ch`; // so that the slider stays where it is
    slider.disabled = bar.hidden = !end;
    // Where the writes, backward calls and errors are, under the slider: at most `MARKS` of each.
    const places = JUMPS.map(() => new Set<number>());
    steps.forEach(({ kind }, i) => {
      places[JUMPS.findIndex(([word]) => word === kind)]?.add(Math.round((MARKS * (i + 1)) / end));
    });
    marks.replaceChildren(
      ...JUMPS.map(([, c], n) => {
        jumps[n].hidden = !places[n].size;
        return svg("path", { class: `jg-${c}`, d: [...places[n]].map((x) => `M${x} 0V8`).join("") });
      }),
    );
  }

  function show(to: number): void {
    const { steps, notes: all, source } = log!.document;
    const step = steps[to - 1];
    cursor = to;
    slider.value = String(to);
    count.textContent = `step ${grouped(to)} of ${grouped(end)}`;
    slider.setAttribute("aria-valuetext", count.textContent);
    sentence.textContent =
      step?.text ??
      (end ? "Before the first step." : source.length ? "No steps were recorded." : "The current state.");
    sentence.classList.toggle("jg-error", step?.kind === "error");
    const told = all.filter((note) => note.step < to).sort((a, b) => b.step - a.step);
    notes.replaceChildren(...told.slice(0, NOTES_SHOWN).map(said));
    if (told.length > NOTES_SHOWN) {
      notes.append(html("li", { class: "jg-more" }, `and ${grouped(told.length - NOTES_SHOWN)} more before`));
    }
  }

  function said({ severity, step, text }: Note): HTMLElement {
    const word = severity === "info" ? "note" : severity;
    const there = button("go to this step", `step ${grouped(step + 1)}`, () => move(step + 1));
    return html(
      "li",
      { class: `jg-note jg-${SEVERITIES[severity]}` },
      html("strong", {}, `${word}: `),
      `${text} `,
      there,
    );
  }

  function set(to: number): void {
    go(max(0, min(end, to)));
  }

  function move(to: number): void {
    stop();
    set(to);
  }

  /** One step, where the folded iterations of a loop count as one. */
  function next(from: number, by: 1 | -1): number {
    return passed(log?.loops ?? [], from, by);
  }

  /** Goes this many steps forward or back. */
  function step(by: number): void {
    let to = cursor;
    for (let left = Math.abs(by); left > 0; left--) {
      to = next(to, by > 0 ? 1 : -1);
    }
    move(to);
  }

  /** Goes to the next (1) or the previous (-1) step of the kind with this key, and on from the other end. Returns whether there is such a key. */
  function jump(key: string, direction: 1 | -1): boolean {
    const kind = JUMPS.find(([word]) => word[0] === key)?.[0];
    for (let away = 1; kind && away <= end; away++) {
      const at = (cursor - 1 + direction * away + 2 * end) % end;
      if (log!.document.steps[at].kind === kind) {
        move(at + 1);
        break;
      }
    }
    return kind !== undefined;
  }

  function togglePlay(): void {
    if (timer !== undefined) {
      stop();
      return;
    }
    if (cursor >= end) {
      set(0);
    }
    face("pause (space)", PAUSE);
    const tick = () => {
      timer = setTimeout(() => {
        set(next(cursor, 1));
        if (cursor < end) {
          tick();
        } else {
          stop();
        }
      }, PLAY_MS);
    };
    tick();
  }

  function stop(): void {
    clearTimeout(timer);
    timer = undefined;
    face("play (space)", PLAY);
  }

  function face(title: string, d: string): void {
    player.title = title;
    player.setAttribute("aria-label", title);
    player.querySelector("path")!.setAttribute("d", d);
  }

  return { element, sentence, load, show, move, step, jump, togglePlay, stop, cursor: () => cursor };
}

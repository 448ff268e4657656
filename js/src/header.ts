/** The header: the diagnosis, then slider, play and steps, then the sentence of the step at the cursor. It never scrolls. */

import { kept } from "../made/scene";
import { sentence as stopped } from "../made/stale";
import { createDiagnosis } from "./diagnosis";
import { button, html, icon, keepHeight, listen, svg } from "./dom";
import type { Log } from "./log";
import { passed } from "./loops";
import { max, min } from "./math";
import { grouped } from "./python";
import { SEVERITIES } from "./scene";

const PLAY = "M4 2.5v11L13 8z";
const PAUSE = "M4 3h3v10H4zM9 3h3v10H9z";
const PLAY_MS = 900;
const TRACK = 400; // width of the track, where nobody can say
const THUMB = 16;
/** In the name of a trace whose cell has not ended. */
const RUNNING = /, now running: /;
const CLOSE = 10; // pixels from mark to mark

/** The kinds of steps to which one can jump, with the class of their colour. The key is the first letter. */
const JUMPS = Object.entries({ write: "write", backward: "gradient", difference: "error", error: "error" });

/** The marks below the slider differ by form too. */
const FORMS: Record<string, (x: number) => string> = {
  write: (x) => `M${x - 4} 9L${x} 2.5L${x + 4} 9Z`,
  backward: (x) => `M${x} 1V9`,
  note: (x) => `M${x} 1L${x + 3.5} 5L${x} 9L${x - 3.5} 5Z`,
  error: (x) => `M${x - 3} 2l6 7m0-7l-6 7`,
  difference: (x) => `M${x - 4} 4h8m-8 3h8M${x + 2} 1l-4 9`,
};

/** A mark on the track: its form, the class of its colour, and how many steps are before it. */
type Mark = [form: string, c: string, at: number];

/** `go` moves the cursor, `help` shows the keys. */
export function createHeader(go: (cursor: number) => void, help: () => void) {
  let log: Log | undefined;
  let cursor = 0;
  let end = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let found: Mark[] = [];
  let untold = true; // whether the cursor has not left the start, where the headline would say how it ends

  const diagnosis = createDiagnosis(move);
  const name = html("span", { class: "jg-name" });
  const count = html("span", { class: "jg-count" });
  const slider = html("input", { type: "range", class: "jg-slider", min: 0, step: 1, "aria-label": "step" });
  const marks = svg("svg", { class: "jg-marks", "aria-hidden": "true" });
  const track = html("span", { class: "jg-track" }, marks, slider);
  const where = html("span", { class: "jg-where" });
  const words = html("span");
  const sentence = html("p", { class: "jg-sentence", "aria-live": "polite" }, where, words);
  const player = button("", icon(PLAY), togglePlay);
  const transport = [
    button("to the start (Home)", icon("M3 3h2v10H3zM13 3v10L6 8z"), () => move(0)),
    button("one step back (left arrow)", icon("M11 3v10L4 8z"), () => step(-1)),
    player,
    button("one step on (right arrow)", icon("M5 3v10l7-5z"), () => step(1)),
    button("to the end (End)", icon("M11 3h2v10h-2zM3 3v10l7-5z"), () => move(end)),
  ];
  for (const one of transport) {
    one.tabIndex = -1; // the slider has the same by keys: a reader has not to pass five stops
  }
  const bar = html(
    "div",
    { class: "jg-bar" },
    html("span", { class: "jg-transport", role: "group", "aria-label": "stepping" }, ...transport),
    track,
    count,
    button("keys and legend (?)", "?", help),
  );
  const element = html("header", { class: "jg-header" }, diagnosis.element, name, bar, sentence);
  listen(slider, "input", () => move(slider.valueAsNumber));
  stop();

  /** Shows a new document. */
  function load(opened: Log): void {
    stop();
    log = opened;
    const { document } = log;
    const { steps, truncated, name: called } = document;
    end = steps.length;
    untold = true;
    diagnosis.load(document);
    // While its cell runs, a headline that gets shorter must not move what is below it.
    if (RUNNING.test(called)) {
      keepHeight(diagnosis.element);
    } else {
      diagnosis.element.style.minHeight = "";
    }
    // A cell's own name stands above it, and what a comparison found is its headline.
    name.textContent =
      (document.compared && document.diagnosis) || (/^cell \d+$/.test(called) && !truncated) ? "" : called;
    if (truncated) {
      name.textContent += (called && ": ") + kept(document);
    }
    slider.max = String(end);
    count.style.minWidth = `${2 * grouped(end).length + 7}ch`; // so that the slider stays where it is
    slider.disabled = bar.hidden = !end;
    found = [];
    steps.forEach(({ kind }, i) => {
      const jump = JUMPS.find(([word]) => word === kind);
      if (jump) {
        found.push([kind, jump[1], i + 1]);
      }
    });
    for (const note of document.notes) {
      if (steps[note.step]?.kind !== "error") {
        found.push(["note", SEVERITIES[note.severity], note.step + 1]);
      }
    }
    mark();
  }

  /** Draws the marks, for the width that the track has now. At most one of a form is drawn at a pixel. */
  function mark(): void {
    const wide = (track.clientWidth || TRACK) - THUMB;
    const groups = new Map<string, Set<number>>();
    for (const [form, c, at] of found) {
      const key = `${form} ${c}`;
      groups.set(key, (groups.get(key) ?? new Set()).add(Math.round((wide * at) / end)));
    }
    marks.replaceChildren(
      ...[...groups].map(([key, places]) => {
        const [form, c] = key.split(" ");
        // Where they would touch, they are strokes.
        const draw = places.size > wide / CLOSE ? FORMS.backward : FORMS[form];
        return svg("path", { class: `jg-${c}`, d: [...places].map(draw).join("") });
      }),
    );
  }

  function show(to: number): void {
    const { steps, source, tensors, compared, diagnosis: told } = log!.document;
    const step = steps[to - 1];
    cursor = to;
    untold &&= !to && end > 0;
    diagnosis.element.hidden = !told;
    diagnosis.element.inert = untold; // it keeps its room, so that nothing moves
    slider.value = String(to);
    slider.style.setProperty("--at", `${(100 * to) / max(end, 1)}%`);
    count.textContent = `step ${grouped(to)} of ${grouped(end)}`;
    // Without tensors the headline says it.
    const unrecorded = tensors.length ? "No steps were recorded." : "";
    const said =
      step?.text ?? (end ? "Before the first step." : source.length ? unrecorded : "The current state.");
    const line = compared ? null : /^((?:cell \d+, )?lines? \d+(?: of [^:]*)?): /.exec(said);
    where.textContent = line ? line[1] : "";
    // The headline explains the error, and the raw one is folded behind it.
    const known = step?.error && told?.error;
    // Where two traces first differ, the headline says how.
    const repeated = compared && diagnosis.element.textContent!.includes(said);
    words.textContent = repeated
      ? ""
      : known
        ? stopped(log!.frame(to)) || `The cell stops here with ${step.error!.type}.`
        : line
          ? said.slice(line[0].length)
          : said;
    slider.setAttribute("aria-valuetext", said);
    sentence.classList.toggle("jg-error", step?.kind === "error");
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

  /** Goes to the next or the previous mark on the track. */
  function leap(direction: 1 | -1): void {
    const places = found.map(([, , at]) => at).filter((at) => (at - cursor) * direction > 0);
    if (places.length) {
      move(direction > 0 ? min(...places) : max(...places));
    }
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

  return {
    element,
    sentence,
    load,
    mark,
    show,
    move,
    step,
    jump,
    leap,
    togglePlay,
    stop,
    cursor: () => cursor,
  };
}

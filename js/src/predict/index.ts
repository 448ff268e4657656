/** The input line of cells whose outputs are to be predicted, on pages without a kernel. `jgrad/notebook/input_line.py` writes the places of such cells
 * into their folds, each with what its cell showed. Nothing of a notebook is read as code or as markup here. */

import { judged, type Shown } from "./prediction";
import { say, use } from "./words";

// Taken in the head, when nothing of the notebook is there that could take their place.
const { jgradKey, jgradWords } = document.currentScript!.dataset;
const root = document.documentElement;
const make = document.createElement.bind(document);
use(JSON.parse(jgradWords!));

const STYLE = `
.jgrad-asks { box-sizing: border-box; max-width: 100%; margin: 6px 0; padding: 6px 8px; border: 1px solid #8888; border-radius: 4px; font: var(--jp-content-font-size1, 14px)/1.5 system-ui, sans-serif; color: inherit }
.jgrad-asks :is(p, label) { display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: baseline; flex: 1 1 auto; margin: 0 }
.jgrad-asks input { flex: 1 1 10em; min-width: 0; font: inherit; font-family: ui-monospace, monospace; padding: 2px 6px; border: 1px solid #888; border-radius: 3px; background: transparent; color: inherit }
.jgrad-asks input::placeholder { overflow: visible; padding-bottom: 2px }
.jgrad-asks button { font: inherit; padding: 2px 12px; border: 1px solid #888; border-radius: 3px; background: transparent; color: inherit; cursor: pointer }
.jgrad-asks :is(input, button):focus-visible { outline: 2px solid #1976d2; outline-offset: 1px }
.jgrad-asks [role=status] { white-space: pre-line; overflow-wrap: anywhere }
.jgrad-asks [role=status]:not(:empty) { margin-top: 6px }
@media print { .jgrad-asks { display: none } }`;

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string>,
  text = "",
): HTMLElementTagNameMap[K] {
  const made = make(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    made.setAttribute(attribute, value);
  }
  made.textContent = text;
  return made;
}

/** Shows sentences, in which code stands between two signs. The first line is the verdict. */
function tell(place: HTMLElement, text: string): void {
  const parts = (said: string) =>
    said.split("`").map((part, i) => (i % 2 ? element("code", {}, part) : part));
  const end = text.search(/\n|$/);
  const verdict = element("strong", {});
  verdict.append(...parts(text.slice(0, end)));
  place.replaceChildren(verdict, ...parts(text.slice(end)));
}

/** The line above a fold. */
function ask(fold: HTMLDetailsElement, shown: Shown): void {
  const line = element("div", { class: "jgrad-asks" });
  const row = element("p", {});
  const label = element("label", {}, say("What do you predict?"));
  const input = element("input", {
    type: "text",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    placeholder: shown.asked.map(({ name }) => name).join(", "),
  });
  const button = element("button", { type: "button" }, say("Compare"));
  const said = element("div", { role: "status" });
  const answer = () => {
    if (!input.value.trim()) {
      said.textContent = say(
        "Write what you expect, such as 3, or True, 5. You see here how much of it is right.",
      );
      return;
    }
    const verdict = judged(input.value, shown, say("Write it in another way, or open the result."));
    tell(said, (verdict.isRight && !verdict.head ? "\u2713 " : "") + verdict.text());
    if (verdict.mayTryAgain) {
      return; // the result stays closed
    }
    if (!verdict.isRight) {
      // From the beginning: where it went another way than expected is still to come.
      for (const trace of fold.querySelectorAll(`[data-jgrad-key="${jgradKey}"]`)) {
        trace.dispatchEvent(new CustomEvent("jgrad-go", { detail: 0 }));
      }
    }
    fold.open = true;
  };
  input.addEventListener("keydown", (event) => {
    event.stopPropagation(); // of a page that has keys of its own
    if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      answer();
    }
  });
  button.addEventListener("click", answer);
  label.append(input);
  row.append(label, button);
  line.append(row, said);
  fold.before(line);
  fold.addEventListener("toggle", () => fold.open && openBelow(fold));
}

/** Opens the folds below a question that ask nothing: they say why the answer is what it is. A text between begins something else. `hidden.py` marks
 * both. */
function openBelow(fold: HTMLDetailsElement): void {
  const asked = fold.closest("[class*=jgrad-asked-]")?.className.match(/(\S*jgrad-)asked(-\d+)/);
  const below = asked ? `.${asked[1]}below${asked[2]}` : ":not(*)";
  for (const cell of root.querySelectorAll(`:is(${below}, ${below.replace("tag_", "tag-")}):not(section)`)) {
    if (cell.matches(".jp-MarkdownOutput, [class*=tag-jgrad]")) {
      return; // a text, on an exported page or on the site
    }
    for (const next of cell.querySelectorAll<HTMLDetailsElement>("details:is(.jgrad-hidden, .hide)")) {
      next.open ||= !next.previousElementSibling?.matches(".jgrad-asks");
    }
  }
}

document.addEventListener("DOMContentLoaded", () => {
  const places = root.querySelectorAll<HTMLElement>(`[data-jgrad-asks="${jgradKey}"]`);
  if (places.length) {
    root.append(element("style", {}, STYLE));
  }
  for (const place of places) {
    const fold = place.closest("details");
    if (fold) {
      ask(fold, JSON.parse(place.dataset.jgradShown!));
    }
  }
});

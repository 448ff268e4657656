/** What the keys do and what the colours mean, over the views. */

import { html, listen } from "./dom";

const KEYS: [string, string][] = [
  ["← →", "a step"],
  ["Shift ← →", "last, next mark"],
  ["Page Up, Down", "10 steps"],
  ["Home, End", "first, last"],
  ["Space", "play, pause"],
  ["w, b, e", "next write, backward, error"],
  ["o", "into a loop"],
  ["t", "tables"],
  ["p", "lecture"],
  ["+, -, 0", "zoom"],
  ["Enter, ↑ ↓, Esc", "into a drawing, on, out"],
];

/** A class, its second sign, and what it means. */
const MEANINGS: [string, string, string][] = [
  ["leaf", "round ends", "leaf, collects .grad"],
  ["intermediate", "circle", "computed"],
  ["gradient", "|", "gradient"],
  ["write", "△", "in-place write"],
  ["saved", "dashed", "saved for backward"],
  ["alias", "v", "view: shares memory"],
  ["error", "✕", "error"],
  ["error", "≠", "traces differ"],
  ["muted", "◇", "a note"],
  ["muted", "grey", "gets no gradient"],
];

export function createHelp() {
  const close = html("button", { type: "button", class: "jg-button" }, "close (Esc)");
  const entries = (rows: Node[][]): HTMLElement =>
    html("dl", {}, ...rows.map(([sign, words]) => html("div", {}, sign, words)));
  const element = html(
    "div",
    { class: "jg-help", role: "dialog", "aria-label": "keys and legend", hidden: true, tabindex: -1 },
    html("div", { class: "jg-help-head" }, html("b", {}, "Keys"), close),
    entries(KEYS.map(([keys, words]) => [html("dt", {}, keys), html("dd", {}, words)])),
    html("b", {}, "Legend"),
    entries(
      MEANINGS.map(([c, sign, words]) => [
        html("dt", { class: `jg-${c}` }, html("span", { class: "jg-swatch" }, sign)),
        html("dd", {}, words),
      ]),
    ),
  );
  let before: HTMLElement | null = null;

  function toggle(on = element.hidden): void {
    const root = element.getRootNode() as Document | ShadowRoot;
    if (on) {
      before = root.activeElement as HTMLElement | null;
    }
    element.hidden = !on;
    (on ? element : before)?.focus({ preventScroll: true });
  }

  listen(close, "click", () => toggle(false));
  return { element, toggle, open: () => !element.hidden };
}

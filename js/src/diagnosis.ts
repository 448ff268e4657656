/** The diagnosis of a trace: its headline in large type, the repair as code to copy, what was raised folded behind it. */

import type { Diagnosis, Note, Part, TraceDocument } from "./document";
import { html, listen } from "./dom";
import { SEVERITIES } from "./scene";

const NOTES = 20;

/** `go` moves the cursor. */
export function createDiagnosis(go: (cursor: number) => void) {
  const element = html("div", { class: "jg-answer", hidden: true });
  let shown = "";

  /** A part of a sentence. A line is a chip that goes there. */
  function part({ kind, text, cursor, line }: Part): Node | string {
    if (kind === "text") {
      return text;
    }
    if (kind === "line") {
      const chip = html(
        cursor === undefined ? "span" : "button",
        { class: "jg-chip", "data-k": line && `l${line}`, type: cursor !== undefined && "button" },
        text,
      );
      if (cursor !== undefined) {
        chip.title = `show the last step of ${text}`;
        listen(chip, "click", () => go(cursor));
      }
      return chip;
    }
    return kind === "code" ? html("code", {}, text) : html("b", { class: "jg-gradient" }, text);
  }

  function repair({ repair: parts, proposes }: Diagnosis): HTMLElement {
    const said = [...parts];
    const left = [...proposes];
    const nodes = said.flatMap((_, i): (Node | string)[] => {
      const one = said[i];
      const at = left.findIndex((code) => one.kind === "code" && code.startsWith(one.text));
      if (at < 0) {
        return [part(one)];
      }
      const [code] = left.splice(at, 1);
      const copy = html(
        "button",
        { type: "button", class: "jg-button jg-copy", title: `copy ${code}` },
        "copy",
      );
      listen(copy, "click", () => {
        navigator.clipboard?.writeText(code).then(
          () => {
            copy.textContent = "copied";
          },
          () => {
            copy.textContent = "not allowed here";
          },
        );
      });
      // A full stop after the button must not begin a line.
      const [, stop, rest] = /^([.,;:]?)(.*)$/s.exec(said[i + 1]?.text ?? "")!;
      if (stop) {
        said[i + 1] = { ...said[i + 1], text: rest };
      }
      return [
        html("code", { class: "jg-proposed" }, one.text),
        " ",
        html("span", { class: "jg-whole" }, copy, stop),
      ];
    });
    return html("p", { class: "jg-repair" }, ...nodes);
  }

  function noted({ step, severity, text }: Note): HTMLElement {
    const chip = html("button", { type: "button", class: "jg-chip" }, `step ${step + 1}`);
    listen(chip, "click", () => go(step + 1));
    return html("li", { class: `jg-${SEVERITIES[severity]}` }, `${text} `, chip);
  }

  return {
    element,
    load({ diagnosis, notes }: TraceDocument): void {
      const next = JSON.stringify([diagnosis, notes]);
      if (next === shown) {
        return; // a trace that grows says the same most of the time
      }
      shown = next;
      element.hidden = !diagnosis;
      element.replaceChildren();
      if (!diagnosis) {
        return;
      }
      const { code, severity, headline, more, error } = diagnosis;
      element.className = `jg-answer jg-${severity === "info" ? "intermediate" : SEVERITIES[severity]}`;
      const line = html("div", { class: "jg-fix" });
      const folded = (name: string, inner: HTMLElement): HTMLElement =>
        html("details", {}, html("summary", {}, name), inner);
      if (more.length) {
        element.append(html("p", { class: "jg-more" }, ...more.map(part)));
      }
      if (diagnosis.repair.length) {
        line.append(repair(diagnosis));
      }
      const others = notes.filter((note) => note.step !== diagnosis.step || note.code !== code);
      if (others.length) {
        const list = html("ul", {}, ...others.slice(0, NOTES).map(noted));
        line.append(folded(`${others.length} more note${others.length === 1 ? "" : "s"}`, list));
      }
      if (error) {
        line.append(folded(error.includes("Warning: ") ? "warning" : "raw error", html("pre", {}, error)));
      }
      const counts = severity === "info" && !code && /^No |^[^(:]*\d steps?\b/.test(headline[0]?.text);
      element.prepend(
        html(
          "p",
          { class: `jg-headline${counts ? " jg-counts" : ""}`, role: "heading", "aria-level": 3 },
          ...headline.map(part),
        ),
      );
      if (line.childElementCount) {
        element.append(line);
      }
    },
  };
}

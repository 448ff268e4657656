/** A trace as one HTML file, which a browser opens without a kernel. `jgrad/views/page.py` makes the page, with marks for what is filled in here. */

import type { Traits } from "./widget";

/** What a page is made of: the front end itself, its style, and the page without a trace. */
export interface PageParts {
  module: string;
  style: string;
  shell: string;
}

const SIGNS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => SIGNS[sign]);

/** The text of the page. `picture` is an SVG, which is seen where no script runs. */
export function pageOf(
  { module, style, shell }: PageParts,
  title: string,
  trace: Traits,
  picture: string,
): string {
  const still = `<img alt="" src="data:image/svg+xml,${encodeURIComponent(picture)}">`;
  const key = crypto.getRandomValues(new Uint32Array(4)).join("");
  const parts: Record<string, string> = {
    title: escaped(title),
    style,
    key,
    body: `<div data-jgrad-key="${key}" data-jgrad-trace="${escaped(JSON.stringify(trace))}">${still}</div>`,
    script: module.slice(0, module.lastIndexOf("\nexport ") + 1),
  };
  return shell.replace(/\ue000(\w+)/g, (_, name) => parts[name]);
}

/** A drawing as a file: the colours of this page are written into it. */

import { svg } from "./dom";

const STYLES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-opacity",
  "stroke-width",
  "stroke-dasharray",
  "opacity",
  "rx",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
  "text-decoration",
];
const PAGE_ONLY = ["class", "tabindex", "data-k"];

/** The text of an SVG file that looks as this drawing looks now. */
export function standalone(drawing: SVGSVGElement, height: number, background: string): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [drawing, ...drawing.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, i) => {
    const style = getComputedStyle(originals[i]);
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (value && value !== "auto") {
        element.setAttribute(name, value);
      }
    }
    for (const name of PAGE_ONLY) {
      element.removeAttribute(name);
    }
  });
  const { y, width } = drawing.viewBox.baseVal;
  const size = { viewBox: `0 ${y} ${width} ${height}`, width, height };
  for (const [name, value] of Object.entries(size)) {
    copy.setAttribute(name, String(value));
  }
  copy.prepend(svg("rect", { width: "100%", height: "100%", fill: background }));
  return new XMLSerializer().serializeToString(copy);
}

export function save(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

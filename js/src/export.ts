/** A drawing as a file: the colours of this page are written into it. */

import { html, svg } from "./dom";
import { max, min } from "./math";

const STYLES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-opacity",
  "stroke-width",
  "stroke-dasharray",
  "opacity",
  "visibility",
  "paint-order",
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
    if (element.tagName === "text") {
      element.setAttribute("xml:space", "preserve"); // as `white-space: pre` on the page
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

/** One picture of several, one below the other, each with its name. */
export function together(
  pictures: [name: string, svg: string][],
  { color, backgroundColor }: CSSStyleDeclaration,
): string {
  const whole = svg("svg", { xmlns: "http://www.w3.org/2000/svg" });
  let width = 0;
  let height = 0;
  for (const [name, text] of pictures) {
    const part = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    const title = { x: 10, y: height + 22, "font-family": "system-ui, sans-serif", "font-weight": 600 };
    whole.append(svg("text", { ...title, "font-size": 14, fill: color }, name));
    part.setAttribute("y", String(height + 32));
    width = max(width, Number(part.getAttribute("width")));
    height += 40 + Number(part.getAttribute("height"));
    whole.append(part);
  }
  whole.prepend(svg("rect", { width: "100%", height: "100%", fill: backgroundColor }));
  for (const [name, value] of Object.entries({ viewBox: `0 0 ${width} ${height}`, width, height })) {
    whole.setAttribute(name, String(value));
  }
  return new XMLSerializer().serializeToString(whole);
}

/** Saves a picture as a file: as it is, or as PNG with two dots per pixel. */
export async function save(text: string, name: string, png = false): Promise<void> {
  let file = new Blob([text], { type: "image/svg+xml" });
  if (png) {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    // No browser draws more than some 16,000 dots in a direction.
    const scale = min(2, 16_000 / max(image.width, image.height));
    const canvas = html("canvas", { width: image.width * scale, height: image.height * scale });
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    file = (await new Promise<Blob | null>((done) => canvas.toBlob(done)))!;
  }
  download(file, `${name}.${png ? "png" : "svg"}`);
}

/** Hands a file to the reader. */
export function download(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  html("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}

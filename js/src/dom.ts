/** Elements without markup: what the user named never becomes anything but text. */

type Attributes = Record<string, string | number | boolean | null | undefined>;

const SVG = "http://www.w3.org/2000/svg";

function fill<E extends Element>(element: E, attributes: Attributes, children: (Node | string)[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children);
  return element;
}

export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** A button with a drawn icon (a path in a 16 by 16 box), or with a word. */
export function button(label: string, icon: string | null, press: () => void): HTMLButtonElement {
  const face =
    icon === null
      ? label
      : svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: icon }));
  const made = html("button", { type: "button", class: "jg-button", title: label }, face);
  if (icon !== null) {
    made.setAttribute("aria-label", label);
  }
  made.addEventListener("click", press);
  return made;
}

/** Makes elements without markup: names that the user chose only ever become text. */

type Attributes = Record<string, string | number | boolean | null | undefined>;
type Child = Node | string;

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const name in attributes) {
    const value = attributes[name];
    if (value != null && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.map((one) => (typeof one === "string" ? ordered(one) : one)));
  return element;
}

/** A text whose names in right-to-left scripts end with a mark that nobody sees: else what follows them in code would go to their left. */
export function ordered(said: string): string {
  return said.replace(/[\u0590-\u08ff]+/g, "$&\u200e");
}

export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** `target.addEventListener(...)` in fewer bytes. */
export function listen<K extends keyof HTMLElementEventMap>(
  target: EventTarget,
  event: K,
  react: (event: HTMLElementEventMap[K]) => void,
  options?: AddEventListenerOptions,
): void {
  target.addEventListener(event, react as (event: Event) => void, options);
}

/** Keeps the largest height that an element has had at its present width, so that nothing below it moves. */
export function keepHeight(element: HTMLElement): void {
  const width = String(element.offsetWidth);
  const known = element.dataset.width === width;
  element.dataset.width = width;
  element.style.minHeight = known ? element.style.minHeight : "";
  element.style.minHeight = `${element.offsetHeight}px`;
}

/** An icon: a path in a box of 16 by 16. */
export function icon(d: string): SVGElement {
  return svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d }));
}

/** A button with a word or an icon on it. */
export function button(title: string, face: string | SVGElement, press: () => void): HTMLButtonElement {
  const label = typeof face === "string" ? null : title;
  const made = html("button", { type: "button", class: "jg-button", title, "aria-label": label }, face);
  listen(made, "click", press);
  return made;
}

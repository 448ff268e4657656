/** A scene becomes SVG; the next scene changes only what differs. */

import { svg } from "./dom";
import type { Group, Item, Scene } from "./scene";

const TAGS = { rect: "rect", text: "text", path: "path", group: "g" } as const;

interface Drawn {
  item: Item;
  element: SVGElement;
  children: Drawn[];
}

function classes(words: string): string {
  return words
    .split(" ")
    .map((word) => `jg-${word}`)
    .join(" ");
}

/** The attributes of an item's element. */
function attributes(item: Item): Record<string, string | number | undefined> {
  const common = {
    "data-k": item.k?.join(" "),
    "aria-label": item.label,
    // A list item is one in a list alone; a drawing is none.
    role: item.label && (item.t !== "group" ? "img" : item.role === "note" ? "note" : "group"),
    tabindex: item.label && item.k?.length ? -1 : undefined,
  };
  switch (item.t) {
    case "rect":
      return { ...common, class: classes(item.c), x: item.x, y: item.y, width: item.w, height: item.h };
    case "text": {
      const anchor = item.a && (item.a === "middle" ? "jg-a-middle" : "jg-a-end");
      return { ...common, class: classes(item.c) + (anchor ? ` ${anchor}` : ""), x: item.x, y: item.y };
    }
    case "path":
      return { ...common, class: classes(item.c), d: item.d };
    case "group":
      return common;
  }
}

function draw(item: Item): Drawn {
  const element = svg(TAGS[item.t], attributes(item));
  if (item.t === "text") {
    element.textContent = item.s;
  }
  const children = item.t === "group" ? item.items.map(draw) : [];
  element.append(...children.map((child) => child.element));
  return { item, element, children };
}

function same(a: Item, b: Item): boolean {
  if (a.t !== b.t || a.label !== b.label || a.k?.join(" ") !== b.k?.join(" ")) {
    return false;
  }
  switch (a.t) {
    case "rect": {
      const r = b as typeof a;
      return a.x === r.x && a.y === r.y && a.w === r.w && a.h === r.h && a.c === r.c;
    }
    case "text": {
      const t = b as typeof a;
      return a.x === t.x && a.y === t.y && a.s === t.s && a.c === t.c && a.a === t.a;
    }
    case "path":
      return a.d === (b as typeof a).d && a.c === (b as typeof a).c;
    case "group":
      return a.role === (b as Group).role;
  }
}

function change(drawn: Drawn, next: Item): void {
  const { item, element } = drawn;
  if (!same(item, next)) {
    const before = attributes(item);
    for (const [name, value] of Object.entries(attributes(next))) {
      if (value === undefined) {
        element.removeAttribute(name);
      } else if (value !== before[name] || name === "class") {
        element.setAttribute(name, String(value));
      }
    }
    if (next.t === "text" && next.s !== (item as typeof next).s) {
      element.textContent = next.s;
    }
  }
  if (next.t === "group") {
    drawn.children = patch(element, drawn.children, next.items);
  }
  drawn.item = next;
}

function patch(parent: SVGElement, drawn: Drawn[], items: Item[]): Drawn[] {
  const kept = items.map((item, i) => {
    const old = drawn[i];
    if (old?.item.t === item.t) {
      change(old, item);
      return old;
    }
    const made = draw(item);
    if (old) {
      old.element.replaceWith(made.element);
    } else {
      parent.append(made.element);
    }
    return made;
  });
  for (const old of drawn.slice(items.length)) {
    old.element.remove();
  }
  return kept;
}

/** One drawing on the screen, which follows the scenes it is given. */
export class Drawing {
  readonly element = svg("svg", { class: "jg-scene", role: "group" });
  #drawn: Drawn[] = [];
  #scene: Scene | null = null;

  get scene(): Scene | null {
    return this.#scene;
  }

  show(scene: Scene): void {
    this.element.setAttribute("aria-label", `${scene.title}. ${scene.caption}`);
    this.#drawn = patch(this.element, this.#drawn, scene.items);
    this.#scene = scene;
  }
}

/** Draws a scene as SVG. For the next scene, only what differs is changed. */

import { ordered, svg } from "./dom";
import type { Group, Item, Path, Rect, Text } from "./scene";

const TAGS = { rect: "rect", text: "text", path: "path", group: "g" } as const;

type Attributes = Record<string, string | number | undefined>;

/** An item on the screen. */
export interface Drawn {
  item: Item;
  element: SVGElement;
  known: Attributes;
  children: Drawn[];
}

/** The attributes of an item's element. */
function attributes(item: Item): Attributes {
  const { c, a, x, y, w, h, d } = item as Partial<Omit<Rect, "t"> & Omit<Text, "t"> & Omit<Path, "t">>;
  return {
    "data-k": item.k?.join(" "),
    "data-o": (item as Group).o,
    "aria-label": item.label,
    // The role of a list item is valid only in a list, and a drawing is not a list.
    role: item.label && (item.t !== "group" ? "img" : item.role === "note" ? "note" : "group"),
    tabindex: item.label && (item.k?.length || (item as Group).o) ? -1 : undefined,
    class: c?.replace(/(^| )/g, "$1jg-"),
    "text-anchor": a,
    x,
    y,
    width: w,
    height: h,
    d,
  };
}

function draw(item: Item): Drawn {
  const known = attributes(item);
  const element = svg(TAGS[item.t], known, item.t === "text" ? item.s : "");
  return { item, element, known, children: item.t === "group" ? patch(element, [], item.items) : [] };
}

/** Changes the element to that of another item of the same kind. */
function change(drawn: Drawn, next: Item): void {
  const { item, element, known } = drawn;
  const values = attributes(next);
  for (const name in values) {
    const value = values[name];
    if (value === known[name]) {
      continue;
    }
    if (value === undefined) {
      element.removeAttribute(name);
    } else {
      element.setAttribute(name, String(value));
    }
  }
  if (next.t === "text" && next.s !== (item as Text).s) {
    element.textContent = ordered(next.s);
  }
  if (next.t === "group") {
    drawn.children = patch(element, drawn.children, next.items);
  }
  drawn.item = next;
  drawn.known = values;
}

/** Replaces the items in an element by these. */
export function patch(parent: SVGElement, drawn: Drawn[], items: Item[]): Drawn[] {
  const kept = items.map((item, i) => {
    const old = drawn[i];
    if (old?.item.t === item.t) {
      if (old.item !== item) {
        change(old, item);
      }
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

/** Linking and the tooltip: items that share a link key light up together, in all drawings of one widget. */

import { html, listen } from "./dom";
import { max, min } from "./math";

export type Links = ReturnType<typeof createLinks>;

/** The element that an event at this one is about: the nearest with a link key, or else with a label. */
function owner(element: Element | null): Element | null {
  return element?.closest("[data-k]") ?? labelled(element);
}

function labelled(element: Element | null): Element | null {
  return element?.closest(".jg-scene [aria-label]") ?? null;
}

function keys(element: Element | null): string[] {
  return element?.getAttribute("data-k")?.split(" ") ?? [];
}

export function createLinks(root: HTMLElement) {
  const tip = html("div", { class: "jg-tip", role: "tooltip", hidden: true });
  let hovered: string[] = [];
  let pinned: string[] = [];

  root.append(tip);
  listen(root, "pointerover", (event) => {
    const element = event.target as Element;
    hover(owner(element));
    say(labelled(element));
    place(event.clientX, event.clientY);
  });
  listen(root, "pointermove", (event) => place(event.clientX, event.clientY));
  listen(root, "pointerleave", leave);
  listen(root, "focusin", (event) => {
    const element = (event.target as Element).closest(".jg-scene *");
    if (element) {
      hover(element);
      say(element);
      const box = element.getBoundingClientRect();
      place(box.left + min(box.width / 2, 40), box.bottom - 6);
    }
  });
  listen(root, "focusout", leave);

  /** Keeps the link keys of an item lit. The same item again, or no item, ends that. */
  function pin(target: Element | null): void {
    const wanted = keys(owner(target));
    pinned = String(wanted) === String(pinned) ? [] : wanted;
    apply();
  }

  /** Called after a drawing changed: its elements may now have other link keys. */
  function apply(): void {
    mark("jg-pinned", pinned);
    mark("jg-lit", [...hovered, ...pinned]);
  }

  function mark(name: string, marked: string[]): void {
    for (const element of root.querySelectorAll(`.${name}`)) {
      element.classList.remove(name);
    }
    if (marked.length > 0) {
      // An item in a group that has no keys of its own has those of the group.
      const selector = marked.map((key) => `[data-k~="${CSS.escape(key)}"]`).join();
      for (const element of root.querySelectorAll(`${selector},:is(${selector})>:not([data-k])`)) {
        element.classList.add(name);
      }
    }
  }

  function hover(element: Element | null): void {
    const next = keys(element);
    if (String(next) !== String(hovered)) {
      hovered = next;
      apply();
    }
  }

  function leave(): void {
    hover(null);
    tip.hidden = true;
  }

  function say(element: Element | null): void {
    const label = element?.getAttribute("aria-label");
    tip.hidden = !label;
    tip.textContent = label ?? "";
  }

  /** Puts the tooltip next to a point of the window, inside of the widget. */
  function place(x: number, y: number): void {
    if (tip.hidden) {
      return;
    }
    const frame = root.getBoundingClientRect();
    const { width, height } = tip.getBoundingClientRect();
    const left = max(0, min(x - frame.left + 14, frame.width - width - 4));
    // Above the pointer, if there is room: what it lights up is mostly beside and below.
    const above = y - frame.top - height - 10;
    const top = above < 0 ? y - frame.top + 18 : above;
    tip.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
  }

  return {
    pin,
    hover,
    leave,
    /** Called after the drawings changed. */
    redrawn(): void {
      apply();
      tip.hidden = true;
    },
  };
}

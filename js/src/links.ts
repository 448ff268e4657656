/** What shares a link key lights up together, in all drawings of one widget; and the tooltip. */

import { html } from "./dom";

const LINKED = "[data-k]";

/** The element that speaks for this one: the nearest with a link key, or else with a label. */
function owner(target: EventTarget | null): Element | null {
  const element = target instanceof Element ? target : null;
  return element?.closest(LINKED) ?? element?.closest(".jg-scene [aria-label]") ?? null;
}

function keys(element: Element | null): string[] {
  return element?.getAttribute("data-k")?.split(" ") ?? [];
}

export class Links {
  readonly #root: HTMLElement;
  readonly #tip = html("div", { class: "jg-tip", role: "tooltip", hidden: true });
  #hovered: string[] = [];
  #pinned: string[] = [];

  constructor(root: HTMLElement, signal: AbortSignal) {
    this.#root = root;
    root.append(this.#tip);
    root.addEventListener("pointerover", (event) => this.#point(event), { signal });
    root.addEventListener("pointermove", (event) => this.#place(event.clientX, event.clientY), { signal });
    root.addEventListener("pointerleave", () => this.#leave(), { signal });
    root.addEventListener("focusin", (event) => this.#focus(event), { signal });
    root.addEventListener("focusout", () => this.#leave(), { signal });
  }

  /** Keeps what the item stands for lit; the same item again, or no item, lets it go. */
  pin(target: EventTarget | null): void {
    const wanted = keys(owner(target));
    this.#pinned = wanted.join() === this.#pinned.join() ? [] : wanted;
    this.apply();
  }

  /** After a drawing changed: its elements may stand for something else now. */
  apply(): void {
    this.#mark("jg-pinned", this.#pinned);
    this.#mark("jg-lit", [...this.#hovered, ...this.#pinned]);
  }

  hideTip(): void {
    this.#tip.hidden = true;
  }

  #mark(name: string, wanted: string[]): void {
    for (const element of this.#root.querySelectorAll(`.${name}`)) {
      element.classList.remove(name);
    }
    if (wanted.length > 0) {
      const selector = wanted.map((key) => `[data-k~="${CSS.escape(key)}"]`).join();
      for (const element of this.#root.querySelectorAll(selector)) {
        element.classList.add(name);
      }
    }
  }

  #hover(element: Element | null): void {
    const next = keys(element);
    if (next.join() !== this.#hovered.join()) {
      this.#hovered = next;
      this.apply();
    }
  }

  #point(event: PointerEvent): void {
    const element = owner(event.target);
    this.#hover(element);
    this.#say(event.target instanceof Element ? event.target.closest(".jg-scene [aria-label]") : null);
    this.#place(event.clientX, event.clientY);
  }

  #focus(event: FocusEvent): void {
    const element = event.target instanceof Element ? event.target.closest(".jg-scene *") : null;
    if (element) {
      this.#hover(element);
      this.#say(element);
      const box = element.getBoundingClientRect();
      this.#place(box.left + Math.min(box.width / 2, 40), box.bottom - 6);
    }
  }

  #leave(): void {
    this.#hover(null);
    this.hideTip();
  }

  #say(element: Element | null): void {
    const label = element?.getAttribute("aria-label");
    this.#tip.hidden = !label;
    this.#tip.textContent = label ?? "";
  }

  /** Beside a point of the window, inside of the widget. */
  #place(x: number, y: number): void {
    if (this.#tip.hidden) {
      return;
    }
    const frame = this.#root.getBoundingClientRect();
    const tip = this.#tip.getBoundingClientRect();
    const left = Math.max(0, Math.min(x - frame.left + 14, frame.width - tip.width - 4));
    const below = y - frame.top + 18;
    const top = below + tip.height > frame.height ? Math.max(0, y - frame.top - tip.height - 10) : below;
    this.#tip.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
  }
}

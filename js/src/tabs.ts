/** The tabs of a widget: which view is shown, a dot where the step at the cursor did something that another one shows. */

import { html, listen } from "./dom";

/** What views are called on their tabs, if not by their names. */
const NAMES: Record<string, string> = { scatter: "Scatter map", storage: "Storage" };

/** `choose` shows a view. */
export function createTabs(choose: (view: string) => void) {
  let tabs: HTMLButtonElement[] = [];
  const list = html("div", { class: "jg-tablist", role: "tablist", "aria-label": "views" });
  const hint = html("span", { class: "jg-hint" });
  const tools = html("div", { class: "jg-tools" });
  const element = html("div", { class: "jg-tabs" }, list, hint, tools);

  listen(list, "keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const at = tabs.indexOf(event.target as HTMLButtonElement);
    if (by && at >= 0) {
      // The arrow keys go from tab to tab here, and not from step to step.
      event.preventDefault();
      event.stopPropagation();
      const next = tabs[(at + by + tabs.length) % tabs.length];
      choose(next.dataset.tab!);
      tabs.find((tab) => tab.dataset.tab === next.dataset.tab)?.focus();
    }
  });

  return {
    element,
    hint,

    /** Shows a tab for each of these views. */
    arrange(names: string[]): void {
      if (String(names) === String(tabs.map((tab) => tab.dataset.tab))) {
        return;
      }
      tabs = names.map((name) => {
        const words = NAMES[name] ?? name[0].toUpperCase() + name.slice(1);
        const tab = html("button", { type: "button", class: "jg-tab", role: "tab", "data-tab": name }, words);
        tab.append(html("i", { hidden: true }));
        listen(tab, "click", () => choose(name));
        return tab;
      });
      list.replaceChildren(...tabs);
    },

    /** Marks the view that is shown, and puts its tools at the right. */
    select(name: string, its: Node[]): void {
      for (const tab of tabs) {
        const on = tab.dataset.tab === name;
        tab.setAttribute("aria-selected", String(on));
        tab.tabIndex = on ? 0 : -1;
      }
      tools.replaceChildren(...its);
    },

    /** Marks the views in which something happened: `class of` gives the class of its colour, or nothing. */
    dots(of: (view: string) => string): void {
      for (const tab of tabs) {
        const c = of(tab.dataset.tab!);
        const dot = tab.querySelector("i")!;
        dot.hidden = !c;
        dot.className = `jg-${c}`;
        tab.title = c ? "something happened there in this step" : "";
      }
    },
  };
}

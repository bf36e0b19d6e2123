// The drawer of the options.

import { button, el, uniqueId } from "./dom.js";

export class Drawer {
  readonly root: HTMLElement;
  readonly toggle: HTMLButtonElement;

  constructor(sections: HTMLElement[]) {
    const id = uniqueId("drawer");
    this.root = el("aside", {
      id, class: "drawer", hidden: true, "aria-label": "Options", "data-test": "drawer", tabindex: -1,
      keydown: (event: KeyboardEvent) => { if (event.key === "Escape") this.close(); },
    }, button("✕", () => this.close(), { class: "round close", "aria-label": "Close the options" }), ...sections);
    this.toggle = button("Options", () => (this.root.hidden ? this.open() : this.close()),
      { class: "quiet", "data-test": "drawer-toggle", "aria-expanded": "false", "aria-controls": id });
  }

  open(): void {
    this.root.hidden = false;
    this.toggle.setAttribute("aria-expanded", "true");
    this.root.focus();
  }

  close(): void {
    if (this.root.contains(document.activeElement)) this.toggle.focus();
    this.root.hidden = true;
    this.toggle.setAttribute("aria-expanded", "false");
  }
}

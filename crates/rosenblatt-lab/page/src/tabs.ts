// Tabs with keyboard support.

import { el, select, uniqueId } from "./dom.js";

export interface Tab {
  id: string;
  title: string;
  /** Called with an empty element when the tab first opens. */
  mount(root: HTMLElement): void;
  show?(): void;
  hide?(): void;
}

export class Tabs {
  readonly list: HTMLElement;
  /** The tabs as a menu, for windows without space for the list. */
  readonly menu: HTMLSelectElement;
  readonly panels: HTMLElement[];
  current: string | undefined;
  private readonly buttons: HTMLButtonElement[];
  private readonly mounted = new Set<string>();

  constructor(label: string, private readonly tabs: readonly Tab[], private readonly chosen: (id: string) => void) {
    this.panels = tabs.map(({ id }) => el("div", { class: "tab-panel", role: "tabpanel", id: uniqueId(`panel-${id}`), hidden: true, "data-panel": id }));
    this.buttons = tabs.map((tab, k) => this.button(tab, k));
    this.list = el("div", { class: "tabs", role: "tablist", "aria-label": label, keydown: (event: KeyboardEvent) => this.key(event) }, ...this.buttons);
    this.menu = select(tabs.map(({ id, title }) => [id, title]), "", id => this.choose(id), "tab-menu");
    this.menu.setAttribute("aria-label", label);
    this.menu.classList.add("tab-menu");
  }

  open(id: string): void {
    const index = this.tabs.findIndex(tab => tab.id === id);
    if (index < 0 || id === this.current) return;
    this.tabs.find(tab => tab.id === this.current)?.hide?.();
    this.current = id;
    this.menu.value = id;
    this.tabs.forEach((_, k) => this.mark(k, k === index));
    const [tab, panel] = [this.tabs[index], this.panels[index]];
    if (!tab || !panel) return;
    if (!this.mounted.has(id)) tab.mount(panel);
    this.mounted.add(id);
    tab.show?.();
  }

  private mark(k: number, on: boolean): void {
    const [button, panel] = [this.buttons[k], this.panels[k]];
    button?.setAttribute("aria-selected", String(on));
    if (button) button.tabIndex = on ? 0 : -1;
    if (panel) panel.hidden = !on;
  }

  private button({ id, title }: Tab, k: number): HTMLButtonElement {
    const panel = this.panels[k];
    const button = el("button", {
      type: "button", role: "tab", id: uniqueId(`tab-${id}`), "aria-controls": panel?.id, "data-test": `tab-${id}`,
      click: () => this.choose(id),
    }, title);
    panel?.setAttribute("aria-labelledby", button.id);
    return button;
  }

  private choose(id: string): void {
    this.open(id);
    this.chosen(id);
  }

  private key(event: KeyboardEvent): void {
    const index = this.tabs.findIndex(tab => tab.id === this.current);
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: this.tabs.length - 1 }[event.key];
    if (to === undefined) return;
    const k = (to + this.tabs.length) % this.tabs.length;
    event.preventDefault();
    event.stopPropagation();
    this.buttons[k]?.focus();
    this.choose(this.tabs[k]?.id ?? "");
  }
}

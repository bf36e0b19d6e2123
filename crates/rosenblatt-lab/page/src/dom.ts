// Creates elements and controls.

type AttributeValue = string | number | boolean | undefined | ((event: never) => void);
export type Attributes = Record<string, AttributeValue>;
export type Child = Node | string | undefined;

/** Creates an element. Functions become event listeners, other values attributes; `false` omits an attribute. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

/** Creates an SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) apply(element, name, value);
  for (const child of children) if (child !== undefined) element.append(child);
  return element;
}

function apply(element: Element, name: string, value: AttributeValue): void {
  if (typeof value === "function") element.addEventListener(name, value as (event: Event) => void);
  else if (value === true) element.setAttribute(name, "");
  else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
}

let named = 0;

/** A unique id for an element. */
export const uniqueId = (stem: string): string => `${stem}-${++named}`;

/** A control below its label. */
export function field(label: string, control: HTMLElement, hint?: string): HTMLLabelElement {
  return el("label", { class: "field", title: hint }, el("span", { class: "field-name" }, label), control);
}

/** A control beside its label. */
export function labeled(text: string, control: HTMLElement): HTMLLabelElement {
  return el("label", { class: "labeled" }, el("span", {}, text), control);
}

export function checkbox(text: string, test: string, checked: boolean, change: (on: boolean) => void): HTMLLabelElement {
  const box = el("input", { type: "checkbox", "data-test": test, checked, change: () => change(box.checked) });
  return el("label", { class: "labeled check" }, box, el("span", {}, text));
}

/** A scrollable table with a caption. */
export function table(caption: string, heads: string[], rows: Child[][], test?: string): HTMLElement {
  const head = el("tr", {}, ...heads.map(text => el("th", { scope: "col" }, text)));
  const body = rows.map(row => el("tr", {}, ...row.map(cell => el("td", {}, cell))));
  const element = el("table", { class: "numbers", "data-test": test },
    el("caption", {}, caption), el("thead", {}, head), el("tbody", {}, ...body));
  // The keyboard must be able to scroll a wide table.
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption }, element);
}

/** A select of [value, text] pairs. */
export function select(
  items: readonly (readonly [string, string])[], value: string, change: (value: string) => void, test?: string,
): HTMLSelectElement {
  const options = items.map(([name, text]) => el("option", { value: name }, text));
  const control = el("select", { "data-test": test, change: () => change(control.value) }, ...options);
  control.value = value;
  return control;
}

export function button(
  text: string, click: () => void, attributes: Attributes = {},
): HTMLButtonElement {
  return el("button", { type: "button", click, ...attributes }, text);
}

/** A toggle button. */
export function toggle(text: string, pressed: boolean, change: (pressed: boolean) => void, attributes = {}): HTMLButtonElement {
  const control = button(text, () => {
    const now = control.getAttribute("aria-pressed") !== "true";
    control.setAttribute("aria-pressed", String(now));
    change(now);
  }, { "aria-pressed": String(pressed), class: "toggle", ...attributes });
  return control;
}

/** Makes a group of buttons one stop of the Tab key; the arrow keys move within it. */
export function roving(group: HTMLElement): void {
  const all = (): HTMLElement[] => [...group.querySelectorAll<HTMLElement>("button")].filter(item => item.checkVisibility());
  const settle = (chosen: HTMLElement | undefined): void => { for (const item of all()) item.tabIndex = item === chosen ? 0 : -1; };
  group.setAttribute("role", "toolbar");
  group.addEventListener("focusin", event => settle(event.target as HTMLElement));
  group.addEventListener("keydown", event => {
    const items = all();
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    items[(to + items.length) % items.length]?.focus();
  });
  // The buttons may come later.
  new MutationObserver(() => settle(all().find(item => item.tabIndex === 0) ?? all()[0])).observe(group, { childList: true });
  requestAnimationFrame(() => settle(all()[0]));
}

/** Whether a control handles the typed keys itself. */
export function handlesKeys(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea, select") !== null;
}

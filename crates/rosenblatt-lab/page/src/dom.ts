// Elements from script: the page has no template but this function.

type Value = string | number | boolean | undefined | ((event: never) => void);
export type Child = Node | string | undefined;

/** An element. Functions listen (`click`, `input`, …), everything else is an attribute; `false` leaves it out. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Record<string, Value> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) give(element, name, value);
  for (const child of children) if (child !== undefined) element.append(child);
  return element;
}

function give(element: HTMLElement, name: string, value: Value): void {
  if (typeof value === "function") element.addEventListener(name, value as (event: Event) => void);
  else if (value === true) element.setAttribute(name, "");
  else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
}

let named = 0;

/** A name for an element that others point to. */
export const fresh = (stem: string): string => `${stem}-${++named}`;

/** A control under its label. */
export function field(label: string, control: HTMLElement, hint?: string): HTMLLabelElement {
  return el("label", { class: "field", title: hint }, el("span", { class: "field-name" }, label), control);
}

/** A select of [value, text] pairs. */
export function select(
  choices: readonly (readonly [string, string])[], value: string, change: (value: string) => void, test?: string,
): HTMLSelectElement {
  const options = choices.map(([name, text]) => el("option", { value: name }, text));
  const control = el("select", { "data-test": test, change: () => change(control.value) }, ...options);
  control.value = value;
  return control;
}

export function button(
  text: string, click: () => void, attributes: Record<string, Value> = {},
): HTMLButtonElement {
  return el("button", { type: "button", click, ...attributes }, text);
}

/** A button that stays pressed. */
export function toggle(text: string, pressed: boolean, change: (pressed: boolean) => void, attributes = {}): HTMLButtonElement {
  const control = button(text, () => {
    const now = control.getAttribute("aria-pressed") !== "true";
    control.setAttribute("aria-pressed", String(now));
    change(now);
  }, { "aria-pressed": String(pressed), class: "toggle", ...attributes });
  return control;
}

/** Whether keys typed now belong to a control and not to the page. */
export function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea, select") !== null;
}

// Elements made by script: the page has no markup in strings.

type Value = string | number | boolean | undefined;
export type Attributes = Record<string, Value>;
export type Child = Node | string;

export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children);
  return element;
}

/** A button with what it does. */
export function button(label: string, hook: string, does: () => void): HTMLButtonElement {
  const made = html("button", { type: "button", "data-test": hook }, label);
  made.addEventListener("click", does);
  return made;
}

/** A table with a caption; numbers stand to the right. */
export function table(caption: string, heads: string[], rows: Child[][], hook?: string): HTMLElement {
  const head = html("tr", {}, ...heads.map((text) => html("th", { scope: "col" }, text)));
  const body = rows.map((row) => html("tr", {}, ...row.map((cell) => html("td", {}, cell))));
  const made = html("table", { class: "numbers", "data-test": hook },
    html("caption", {}, caption), html("thead", {}, head), html("tbody", {}, ...body));
  // A table wider than its panel scrolls, so the keyboard must be able to reach it.
  return html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption }, made);
}

/** A labelled control on one line. */
export function labelled(text: string, control: HTMLElement): HTMLLabelElement {
  return html("label", { class: "labelled" }, html("span", {}, text), control);
}

export function checkbox(text: string, hook: string, checked: boolean, does: (on: boolean) => void): HTMLLabelElement {
  const box = html("input", { type: "checkbox", "data-test": hook, checked });
  box.addEventListener("change", () => does(box.checked));
  return html("label", { class: "labelled check" }, box, html("span", {}, text));
}

// The names of the classes behind +1 and −1, on the plane.

import { el } from "../dom.js";
import type { Names } from "../sets/names.js";

export class ClassKey {
  private readonly plus = el("span", { "data-test": "key-plus" });
  private readonly minus = el("span", { "data-test": "key-minus" });
  readonly root = el("p", { class: "class-key", hidden: true, "data-test": "class-key" },
    el("span", { class: "shape plus", "aria-hidden": "true" }), this.plus, el("span", { class: "shape minus", "aria-hidden": "true" }), this.minus);

  show(names: Names | undefined): void {
    this.root.hidden = names === undefined;
    this.plus.textContent = names ? `+1: ${names.plus}` : "";
    this.minus.textContent = names ? `−1: ${names.minus}` : "";
  }
}

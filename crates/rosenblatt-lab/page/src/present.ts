// The parts of the page that a link or a presentation hides.

import { button } from "./dom.js";

const PARTS = ["header", "sets", "panel", "tools", "chips", "deck"] as const;
type Part = (typeof PARTS)[number];

/** What a presentation leaves: the plane with its sentence and tools, and the timeline. */
const PRESENTATION: readonly Part[] = ["header", "sets", "panel"];

export class HiddenParts {
  /** Floats on the plane while something is hidden. */
  readonly back = button("Show all controls", () => this.change([]), { class: "chip", "data-test": "show-controls", hidden: true });
  readonly present = button("Present", () => this.change(PRESENTATION),
    { class: "quiet", "data-test": "present", title: "Only the plane and the timeline; Escape ends it" });
  private parts: readonly Part[] = [];

  /** `changed` is called when the user hides or shows parts. */
  constructor(private readonly changed: () => void) {
    document.addEventListener("keydown", event => { if (event.key === "Escape" && this.parts.length > 0) this.change([]); });
  }

  /** The value of the link's parameter; `undefined` if nothing is hidden. */
  get link(): string | undefined {
    return this.parts.length > 0 ? this.parts.join(",") : undefined;
  }

  /** Shows the value of a link's parameter; returns the parts that do not exist. */
  read(value: string | undefined): string[] {
    const names = (value ?? "").split(",").filter(Boolean);
    this.set(PARTS.filter(part => names.includes(part)));
    return names.filter(name => !PARTS.some(part => part === name));
  }

  private change(parts: readonly Part[]): void {
    this.set(parts);
    this.changed();
    (parts.length > 0 ? this.back : this.present).focus();
  }

  private set(parts: readonly Part[]): void {
    this.parts = parts;
    document.documentElement.dataset.hide = parts.join(" ");
    this.back.hidden = parts.length === 0;
  }
}

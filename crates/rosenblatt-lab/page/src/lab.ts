// What the parts of the page know of one another.

import type { Choices, Points } from "./contract.js";

/** How the plane stands on the screen. */
export interface View {
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** The part of the plane that is seen. */
  readonly x: [number, number];
  readonly y: [number, number];
  toScreen(x: number, y: number): [number, number];
  toPlane(left: number, top: number): [number, number];
  /** How large letters are: 1, or more where the page is shown to a room. */
  readonly letters: number;
  /** A colour of the theme by the name of its custom property, such as "--plus". */
  colour(name: string): string;
}

/** Something drawn over the plane, under the points. */
export interface Overlay {
  draw(context: CanvasRenderingContext2D, view: View): void;
}

/** The page, as its panels see it. */
export interface Lab {
  readonly points: Points;
  readonly choices: Choices;
  /** Changes points or options as a hand would: it can be undone, the run begins anew, the link follows. */
  set(change: { points?: Points; choices?: Choices }): void;
  /** Called after points or options changed, by whomever. */
  onChange(listener: () => void): void;
  /** What a panel draws over the plane; each panel has one place, `undefined` clears it. */
  overlay(panel: string, overlay: Overlay | undefined): void;
  /** A panel's own part of the link: a short string under its own key. */
  parameter(key: string): string | undefined;
  setParameter(key: string, value: string | undefined): void;
  /** Tells those who listen instead of looking. */
  say(text: string): void;
  /** Shows why a question was refused, where the person looks; `undefined` clears it. */
  refused(error: unknown): void;
}

/** A part of the page. It is mounted once; `show` and `hide` follow its tab. */
export interface Panel {
  readonly id: string;
  readonly title: string;
  mount(root: HTMLElement, lab: Lab): void;
  show?(): void;
  hide?(): void;
}

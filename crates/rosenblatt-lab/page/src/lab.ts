// The interfaces between the page and its panels.

import type { Points, RunOptions } from "./contract.js";
import type { Notes } from "./notes.js";
import type { Run, Step } from "./run/run.js";
import type { Source } from "./sets/source.js";

export type Context2D = CanvasRenderingContext2D;

/** A position in the plane. */
export type Position = [number, number];

/** A part of the screen, in CSS pixels. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The mapping between the plane and the screen. */
export interface View {
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** The visible range of the plane. */
  readonly x: [number, number];
  readonly y: [number, number];
  toScreen(x: number, y: number): [number, number];
  toPlane(left: number, top: number): [number, number];
  /** The parts of the plane below the controls that float on it. */
  readonly covered: readonly Box[];
  /** The font size relative to the normal one: more than 1 for large type. */
  readonly fontScale: number;
  /** A color of the theme by its custom property, such as "--plus". */
  color(name: string): string;
}

/** A drawing above the plane and below the points. */
export interface Overlay {
  /** Draws below the grid, where the sides of the line are tinted. */
  below?(context: Context2D, view: View): void;
  /** Draws above the lines and the points. */
  above?(context: Context2D, view: View): void;
  /** Texts go where `space` is free. */
  draw(context: Context2D, view: View, space: Space): void;
}

/** The space of the plane for texts: free of points, controls and other texts. */
export interface Space {
  isFree(box: Box): boolean;
  take(box: Box | undefined): void;
}

/** Something on the plane that the pointer drags. Places are in CSS pixels. */
export interface Grip {
  /** Whether a press takes it: `first` even at a point, `near` only where no point is. */
  at(left: number, top: number, reach: number): "first" | "near" | undefined;
  start(left: number, top: number): void;
  drag(left: number, top: number): void;
  end(): void;
}

/** The sentence on the plane: what was found, and what follows. */
export interface Statement {
  cause: string;
  effect: string;
  mistake: boolean;
}

/** The page, as its panels see it. */
export interface Lab {
  readonly points: Points;
  readonly options: RunOptions;
  /** The lecture notes whose options these are, if they were chosen. */
  readonly notes: Notes | undefined;
  /** Changes points or options with an undo step; the run starts again and the link changes. */
  set(change: { points?: Points; options?: RunOptions }): void;
  /** Registers a listener for every change of points or options. */
  onChange(listener: () => void): void;
  /** The run, the step that the page shows, and whether it has shown the end of the run. */
  readonly run: Run | undefined;
  readonly step: Step | undefined;
  readonly ended: boolean;
  /** Registers a listener for every change of the step. */
  onStep(listener: () => void): void;
  /** Sets a panel's overlay; `undefined` removes it. */
  overlay(panel: string, overlay: Overlay | undefined): void;
  /** Sets what the pointer drags besides the points; `undefined` removes it. */
  grip(grip: Grip | undefined): void;
  readonly view: View;
  /** Where the points come from. */
  readonly source: Source;
  /** Changes the options and plays the run from its start. */
  play(options: RunOptions): void;
  /** Says something on the plane instead of the sentences of the steps; `undefined` ends it. */
  state(statement: Statement | undefined): void;
  /** A panel's own parameter in the link. */
  parameter(key: string): string | undefined;
  setParameter(key: string, value: string | undefined): void;
  /** Announces a text to screen readers. */
  announce(text: string): void;
  /** Shows an error; `undefined` clears it. */
  showError(error: unknown): void;
}

/** The content of a tab. It is mounted once; `show` and `hide` follow the tab. */
export interface Panel {
  readonly id: string;
  readonly title: string;
  mount(root: HTMLElement, lab: Lab): void;
  show?(): void;
  hide?(): void;
}

// The page's state with undo: points, their source and options.

import type { Points, RunOptions, Sign } from "./contract.js";
import { areOptionsOf, type Notes } from "./notes.js";
import { type Names, namesOf } from "./sets/names.js";
import type { Source } from "./sets/source.js";

export interface State {
  readonly points: Points;
  readonly source: Source;
  readonly options: RunOptions;
  /** The lecture notes that were chosen and whose options these are. */
  readonly notes?: Notes | undefined;
  /** The names of own points that come from a table. */
  readonly names?: Names | undefined;
}

/** The names of the columns and classes, if there are any. */
export const namesIn = ({ source, names }: State): Names | undefined => (source.set === "own" ? names : namesOf(source));

/** The options when the page opens, as in the lectures. */
export const INITIAL_OPTIONS: RunOptions = { order: "given", keep: "last" };

const MAX_UNDO = 500;

/** The state and its history. States are immutable. */
export class Store {
  private past: State[] = [];
  private future: State[] = [];
  private listeners: (() => void)[] = [];
  private lastGesture = "";

  constructor(public state: State) {}

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Changes the state. Consecutive changes of one `gesture`, such as a drag, are one undo step. */
  change(next: Partial<State>, gesture = ""): void {
    if (gesture === "" || gesture !== this.lastGesture) this.past.push(this.state);
    if (this.past.length > MAX_UNDO) this.past.shift();
    this.lastGesture = gesture;
    this.future = [];
    // Points of a table keep its names when they are edited.
    const names = next.points?.rows.length === 0 ? undefined : namesIn(this.state);
    this.state = settled({ ...this.state, names, ...next });
    this.notify();
  }

  /** Makes the next change a separate undo step, whatever its gesture. */
  endGesture(): void {
    this.lastGesture = "";
  }

  /** Replaces the state and clears the history. */
  replace(state: State): void {
    this.past = [];
    this.future = [];
    this.lastGesture = "";
    this.state = settled(state);
    this.notify();
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  undo(): void {
    this.swap(this.past, this.future);
  }

  redo(): void {
    this.swap(this.future, this.past);
  }

  private swap(from: State[], to: State[]): void {
    const state = from.pop();
    if (!state) return;
    to.push(this.state);
    this.state = state;
    this.lastGesture = "";
    this.notify();
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}

/** Without notes whose options these are not. */
const settled = (state: State): State =>
  (state.notes && !areOptionsOf(state.notes, state.options) ? { ...state, notes: undefined } : state);

export const added = ({ rows, signs }: Points, row: number[], sign: Sign): Points =>
  ({ rows: [...rows, row], signs: [...signs, sign] });

export const moved = ({ rows, signs }: Points, index: number, row: number[]): Points =>
  ({ rows: rows.with(index, row), signs });

export const relabeled = ({ rows, signs }: Points, index: number, sign?: Sign): Points =>
  ({ rows, signs: signs.with(index, sign ?? (signs[index] === 1 ? -1 : 1)) });

export const removed = ({ rows, signs }: Points, index: number): Points =>
  ({ rows: rows.toSpliced(index, 1), signs: signs.toSpliced(index, 1) });

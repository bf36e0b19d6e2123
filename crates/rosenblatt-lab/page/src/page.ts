// Connects the parts of the page.

import type { Choices, FileAnswer, Kept, Points } from "./contract.js";
import { el } from "./dom.js";
import type { Lab, Overlay } from "./lab.js";
import type { Link } from "./link.js";
import { OptionsForm } from "./options/form.js";
import { Editing } from "./plane/editing.js";
import { Hand } from "./plane/hand.js";
import { Keys } from "./plane/keys.js";
import { BEGIN_SHOWN, isSwitch, Legend } from "./plane/legend.js";
import { gap, radius } from "./plane/measures.js";
import { Plane } from "./plane/plane.js";
import type { Switch } from "./plane/scene.js";
import { PointTable } from "./plane/table.js";
import { Counts } from "./run/counts.js";
import { Surfaces } from "./run/surfaces.js";
import { SetPicker } from "./sets/picker.js";
import { complete, points as pointsOf, type Source } from "./sets/source.js";
import { BEGIN, Store } from "./state.js";
import { StepsPanel } from "./steps/panel.js";
import { Stepper } from "./steps/stepper.js";
import { Toolbar } from "./toolbar.js";
import { Training } from "./training.js";
import type { Run, Step } from "./run/run.js";
import { reason, type Voice } from "./voice.js";

const NO_POINTS = "No points yet. Click on the plane, or choose a set.";
const ONE_CLASS = "All points belong to one class. Add a point of the other class.";

export class Page implements Lab {
  readonly store = new Store({ points: { rows: [], signs: [] }, source: { set: "own" }, choices: { ...BEGIN } });
  readonly plane: Plane;
  readonly stepper: Stepper;
  readonly steps: StepsPanel;
  readonly legend = new Legend(name => this.switched(name));
  readonly picker = new SetPicker((source, gesture) => void this.choose(source, gesture), () => this.file);
  readonly options = new OptionsForm((choices, gesture) => this.store.change({ choices }, gesture));
  readonly table = new PointTable(points => this.set({ points }));
  readonly toolbar: Toolbar;
  readonly invitation = el("p", { class: "invitation", "aria-hidden": "true" }, "Click here to add points, or choose a set above");
  readonly others = new Map<string, string>();
  file: FileAnswer | undefined;
  private readonly editing: Editing;
  private readonly surfaces: Surfaces;
  private readonly counts: Counts;
  private readonly training: Training;
  /** The step to show when the next run is ready. */
  private target: number | undefined;
  private message = NO_POINTS;
  private chosen = 0;

  constructor(canvas: HTMLCanvasElement, private readonly voice: Voice, private readonly changed: () => void) {
    this.plane = new Plane(canvas, () => this.showStep());
    this.stepper = new Stepper({
      stepped: () => this.showStep(),
      played: playing => this.played(playing),
      refused: error => this.refused(error),
    });
    this.steps = new StepsPanel(this.stepper);
    this.surfaces = new Surfaces(() => this.showStep(), error => this.refused(error));
    this.counts = new Counts(() => this.showErrors(), error => this.refused(error));
    this.training = new Training((run, step) => this.trained(run, step), error => {
      this.noRun(`Training did not start. ${reason(error)}`);
      this.refused(error);
    });
    this.editing = new Editing(this.store, this.plane, text => this.say(text));
    this.toolbar = new Toolbar(this.editing, {
      undo: () => this.undo(), redo: () => this.redo(), fit: () => this.fit(),
      clear: () => this.set({ points: { rows: [], signs: [] } }),
      zoom: factor => this.zoom(factor),
    });
    new Hand(this.editing);
    new Keys(this.editing, sign => this.toolbar.choose(sign));
    this.store.onChange(() => this.follow());
  }

  // The interface of the panels.

  get points(): Points {
    return this.store.state.points;
  }

  get choices(): Choices {
    return this.store.state.choices;
  }

  set({ points, choices }: { points?: Points; choices?: Choices }): void {
    this.store.change({ ...(points && { points, source: { set: "own" } as const }), ...(choices && { choices }) });
    if (points) this.fitIfNeeded();
  }

  onChange(listener: () => void): void {
    this.store.onChange(listener);
  }

  overlay(panel: string, overlay: Overlay | undefined): void {
    if (overlay) this.plane.overlays.set(panel, overlay);
    else this.plane.overlays.delete(panel);
    this.plane.draw();
  }

  parameter(key: string): string | undefined {
    return this.others.get(key);
  }

  setParameter(key: string, value: string | undefined): void {
    if (value === undefined) this.others.delete(key);
    else this.others.set(key, value);
    this.changed();
  }

  say(text: string): void {
    this.voice.say(text);
  }

  refused(error: unknown): void {
    this.voice.refused(error);
  }

  // Points and options.

  undo(): void {
    this.travel(() => this.store.undo());
  }

  redo(): void {
    this.travel(() => this.store.redo());
  }

  /** Undoes or redoes; fits the view if the set changed or points are outside of the view. */
  private travel(go: () => void): void {
    const { set } = this.store.state.source;
    go();
    if (set !== this.store.state.source.set) this.fit();
    else this.fitIfNeeded();
  }

  /** Loads a ready-made set, unless a newer choice replaces it. */
  private async choose(source: Source, gesture?: string): Promise<void> {
    const chosen = ++this.chosen;
    try {
      const points = source.set === "own" ? this.points : await pointsOf(source, this.file);
      if (chosen !== this.chosen) return;
      const same = this.store.state.source.set === source.set;
      this.store.change({ points, source }, gesture);
      if (!same || !("margin" in source)) this.fit();
    } catch (error) {
      this.refused(error);
      this.picker.show(this.store.state.source);
    }
  }

  /** Shows the state in a link, unless a newer link replaces it. */
  async restore(link: Link): Promise<void> {
    const chosen = ++this.chosen;
    this.stepper.pause();
    const source = complete(link.source, this.file);
    const points = link.points ?? await pointsOf(source, this.file);
    if (chosen !== this.chosen) return;
    this.others.clear();
    for (const [key, value] of link.others) this.others.set(key, value);
    this.legend.set((link.show ?? BEGIN_SHOWN).filter((name): name is Switch => isSwitch(name)));
    this.target = link.step;
    this.store.replace({ points, source, choices: link.choices });
    if (link.view) this.look(...link.view);
    else this.fit();
  }

  link(): Link {
    const { source, points, choices } = this.store.state;
    const shown = [...this.legend.shown];
    const usual = shown.length === BEGIN_SHOWN.length && BEGIN_SHOWN.every(name => this.legend.shown.has(name));
    const { middle: [x, y], span } = this.plane.view;
    // Rounded to a thousandth of the span.
    const decimals = Math.min(15, Math.max(0, 3 - Math.floor(Math.log10(span))));
    const round = (value: number): number => Number(value.toFixed(decimals));
    return {
      source, choices, step: this.current ? this.stepper.step : this.wanted(), others: this.others,
      ...(source.set === "own" && { points, view: [round(x), round(y), round(span)] as [number, number, number] }),
      ...(!usual && { show: shown }),
    };
  }

  /** The step to request of the next run: 0 for its end, which is not known yet. */
  private wanted(): number {
    return Number.isFinite(this.target) ? this.target ?? 0 : 0;
  }

  private follow(): void {
    const { points, choices, source } = this.store.state;
    this.picker.show(source);
    this.options.show(choices);
    this.table.show(points);
    this.toolbar.show(this.store.canUndo, this.store.canRedo, points.rows.length === 0);
    this.plane.setPoints(points);
    this.invitation.hidden = points.rows.length > 0;
    this.refused(undefined);
    this.voice.note("");
    this.retrain(points, choices);
    this.changed();
  }

  // The run.

  private retrain(points: Points, choices: Choices): void {
    this.surfaces.forget();
    this.stepper.pause();
    // A page that shows the end of a run shows the end of the next one: the line follows a dragged point.
    const step = this.target ?? (this.stepper.atEnd ? Infinity : 0);
    this.target = step;
    if (!oneClass(points)) {
      this.steps.root.setAttribute("aria-busy", "true");
      return this.training.wish(points, choices, this.wanted());
    }
    this.training.forget();
    this.noRun(points.rows.length === 0 ? NO_POINTS : ONE_CLASS);
  }

  private async trained(run: Run, step: number): Promise<void> {
    const wanted = this.target === Infinity ? run.visits : step;
    this.target = undefined;
    const plane = run.answer.last;
    const margin = plane && run.report.converged ? gap(run.points, plane) : undefined;
    this.plane.scene.gap = plane && margin ? { plane, margin } : undefined;
    // A kernel's radius is measured in its feature space, so the plane cannot show it.
    this.plane.scene.radius = run.choices.kernel === undefined ? run.report.radius : 0;
    this.plane.scene.curved = run.choices.kernel !== undefined;
    this.plane.scene.zero = run.choices.zero ?? "positive";
    await this.stepper.setRun(run, wanted);
    if (this.current) this.steps.root.removeAttribute("aria-busy");
  }

  private noRun(message: string): void {
    this.target = undefined;
    this.message = message;
    this.steps.root.removeAttribute("aria-busy");
    void this.stepper.setRun(undefined, 0);
  }

  private showStep(): void {
    const { run, current } = this.stepper;
    const { scene } = this.plane;
    scene.step = current;
    scene.show = this.legend.shown;
    if (!run) Object.assign(scene, { gap: undefined, radius: 0 });
    this.wishSurface(run, current);
    scene.surface = this.surfaces.current;
    this.steps.show(run, current, this.message);
    this.counts.wish(run, current);
    this.showErrors();
    this.plane.draw();
    if (!this.stepper.playing) this.changed();
  }

  /** Shows the counted errors of the lines, and the surface's errors of weights that are not a line. */
  private showErrors(): void {
    const { current } = this.stepper;
    const surface = this.surfaces.current;
    const bent = surface && surface.step === current?.step
      ? Object.entries(surface.report.errors).filter(([kept]) => kept === "vote" || !(kept in current)) : [];
    const counted = this.counts.current;
    this.legend.count({ ...Object.fromEntries(bent), ...counted?.errors }, counted?.step);
  }

  /** Whether the run has the current points and options; otherwise a new run is loading. */
  private get current(): boolean {
    return this.stepper.run?.points === this.points && this.stepper.run.choices === this.choices;
  }

  private wishSurface(run: Run | undefined, step: Step | undefined): void {
    const kept = run?.choices.kernel !== undefined ? (["last", "average", "pocket", "vote"] as const) : (["vote"] as const);
    const keep: Kept[] = kept.filter(name => this.legend.shown.has(name));
    if (!run || !this.current || !step || step.step === 0 || keep.length === 0) {
      this.surfaces.forget();
      return;
    }
    const { x, y } = this.plane.view;
    const [columns, rows] = this.stepper.playing ? [61, 49] : [101, 81];
    // The report includes the vote's errors only if the run keeps a vote.
    const choices: Choices = keep.includes("vote") ? { ...run.choices, keep: "vote" } : run.choices;
    this.surfaces.wish({ points: run.points, choices, step: step.step, keep, grid: { x, y, columns, rows } });
  }

  private played(playing: boolean): void {
    this.steps.played(playing);
    if (!playing) this.showStep();
  }

  // The view.

  private switched(name: Switch): void {
    this.refused(undefined);
    if (name === "R" && this.legend.shown.has("R")) this.fit();
    this.showStep();
    this.changed();
  }

  private fit(): void {
    const round = this.legend.shown.has("R") && this.choices.kernel === undefined;
    this.plane.view.fit(this.points, round ? radius(this.points) : 0);
    this.plane.redraw();
    this.changed();
  }

  private fitIfNeeded(): void {
    if (!this.points.rows.every(row => this.plane.view.sees(row))) this.fit();
  }

  private zoom(factor: number): void {
    const { middle: [x, y], span } = this.plane.view;
    this.look(x, y, span * factor);
    this.changed();
  }

  private look(x: number, y: number, span: number): void {
    this.plane.view.look(x, y, span);
    this.plane.redraw();
  }
}

const oneClass = ({ signs }: Points): boolean => signs.every(sign => sign === signs[0]);

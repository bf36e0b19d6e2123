// Connects the parts of the page.

import { type FileAnswer, isLine, isSurface, KEPT, type Kept, type Points, type RunOptions, SURFACES } from "./contract.js";
import type { Grip, Lab, Overlay, Statement, View } from "./lab.js";
import type { Link } from "./link.js";
import { OptionsForm } from "./options/form.js";
import type { Notes } from "./notes.js";
import { Editing } from "./plane/editing.js";
import { ClassKey } from "./plane/class-key.js";
import { toggle } from "./dom.js";
import { disproportion } from "./plane/view.js";
import { Pointer } from "./plane/pointer.js";
import { Keyboard } from "./plane/keyboard.js";
import { INITIALLY_SHOWN, isLegendItem, Legend } from "./plane/legend.js";
import { lineMargin, radius } from "./plane/measures.js";
import { Plane } from "./plane/plane.js";
import type { LegendItem } from "./plane/scene.js";
import { PointTable } from "./plane/point-table.js";
import { type CountedErrors, ErrorCounts } from "./run/error-counts.js";
import { Surfaces } from "./run/surfaces.js";
import { SetPicker } from "./sets/picker.js";
import { loadPoints, type Source, withDefaultColumns } from "./sets/source.js";
import { FileDrop } from "./sets/file-drop.js";
import { INITIAL_OPTIONS, namesIn, type State, Store } from "./state.js";
import { Thumbnails } from "./sets/thumbnails.js";
import { Deck } from "./steps/deck.js";
import { Geometry } from "./steps/geometry.js";
import { StepsPanel } from "./steps/panel.js";
import { Stepper } from "./steps/stepper.js";
import { Toolbar } from "./toolbar.js";
import { Training } from "./training.js";
import type { Run, Step } from "./run/run.js";
import { errorMessage, type Notices } from "./notices.js";

const NO_POINTS = "No points yet. Click on the plane, or choose a set.";
/** The lines before the last updates that the plane shows, and those of a blur. */
const TRAIL = 8;
const BLUR_TRAIL = 24;
/** Columns whose ranges differ by more have axes of their own scales. */
const MOST_DISPROPORTION = 5;
/** While the first run of these points is awaited. */
const AWAITED = "The points are here; their run is on its way.";
const ONE_CLASS = "All points belong to one class. Add a point of the other class.";

export class Page implements Lab {
  readonly store = new Store({ points: { rows: [], signs: [] }, source: { set: "own" }, options: { ...INITIAL_OPTIONS } });
  readonly plane: Plane;
  readonly stepper: Stepper;
  readonly steps: StepsPanel;
  readonly deck: Deck;
  private readonly geometry: Geometry;
  readonly legend = new Legend(name => this.toggled(name));
  readonly picker = new SetPicker((source, gesture) => void this.choose(source, gesture), () => this.file,
    (file, positive) => this.fileDrop.withPositive(file, positive));
  readonly fileDrop = new FileDrop({
    chosen: source => void this.choose(source), showError: error => this.showError(error), announce: text => this.announce(text),
  });
  readonly classKey = new ClassKey();
  /** The switch for equal axes. */
  readonly axesSwitch = toggle("equal axes", true, equal => this.setAxes(equal ? "equal" : "free"),
    { "data-test": "axes", title: "The same scale on both axes, so that w is perpendicular to its line" });
  readonly optionsForm = new OptionsForm((options, gesture) => this.store.change({ options }, gesture),
    notes => this.store.change({ notes, ...(notes && { options: { ...notes.options } }) }));
  readonly table = new PointTable(points => this.set({ points }));
  readonly toolbar: Toolbar;
  readonly thumbnails = new Thumbnails(source => void this.choose(source), () => this.chooseOwn());
  readonly parameters = new Map<string, string>();
  file: FileAnswer | undefined;
  readonly editing: Editing;
  private readonly surfaces: Surfaces;
  private readonly errorCounts: ErrorCounts;
  private readonly training: Training;
  /** The step to show when the next run is ready. */
  private targetStep: number | undefined;
  private message = NO_POINTS;
  private choiceCount = 0;
  /** The user's points, for when another set is shown. */
  private own: Pick<State, "points" | "names"> = { points: { rows: [], signs: [] } };
  private readonly stepListeners: (() => void)[] = [];
  private readonly countListeners: (() => void)[] = [];

  /** Whether a resized plane is fitted again. */
  private fitted = false;
  /** Whether both axes have one scale; if undefined, as is usual for the points. */
  private axes: "equal" | "free" | undefined;
  private playsWhenReady = false;

  /** `prove` opens the panel that says whether the points are separable. */
  constructor(
    canvas: HTMLCanvasElement, private readonly notices: Notices, private readonly changed: () => void, prove: () => void,
  ) {
    this.plane = new Plane(canvas, () => this.showStep());
    this.stepper = new Stepper({
      stepped: () => this.showStep(),
      played: playing => this.played(playing),
      showError: error => this.showError(error),
    });
    this.steps = new StepsPanel(this.stepper, prove);
    this.deck = new Deck(this.stepper);
    this.geometry = new Geometry(this.plane);
    this.steps.root.append(this.geometry.root);
    this.surfaces = new Surfaces(() => this.showStep(), error => this.showError(error));
    this.errorCounts = new ErrorCounts(() => this.showErrors(), error => this.showError(error));
    this.training = new Training((run, step) => this.trained(run, step), error => {
      this.showNoRun(`Training did not start. ${errorMessage(error)}`);
      this.showError(error);
    });
    this.editing = new Editing(this.store, this.plane, text => this.announce(text));
    this.toolbar = new Toolbar(this.editing, {
      undo: () => this.undo(), redo: () => this.redo(), fit: () => this.fit(),
      clear: () => this.set({ points: { rows: [], signs: [] } }),
      zoom: factor => this.zoom(factor),
    });
    new Pointer(this.editing);
    new Keyboard(this.editing, sign => this.toolbar.choose(sign));
    this.store.onChange(() => this.update());
  }

  // The interface of the panels.

  get points(): Points {
    return this.store.state.points;
  }

  get options(): RunOptions {
    return this.store.state.options;
  }

  get notes(): Notes | undefined {
    return this.store.state.notes;
  }

  set({ points, options }: { points?: Points; options?: RunOptions }): void {
    this.store.change({ ...(points && { points, source: { set: "own" } as const }), ...(options && { options }) });
    if (points) this.fitIfNeeded();
  }

  onChange(listener: () => void): void {
    this.store.onChange(listener);
  }

  get run(): Run | undefined {
    return this.stepper.run;
  }

  get step(): Step | undefined {
    return this.stepper.current;
  }

  get ended(): boolean {
    return this.stepper.ended;
  }

  onStep(listener: () => void): void {
    this.stepListeners.push(listener);
  }

  /** Registers a listener for every count of the errors. */
  onCount(listener: () => void): void {
    this.countListeners.push(listener);
  }

  overlay(panel: string, overlay: Overlay | undefined): void {
    if (overlay) this.plane.overlays.set(panel, overlay);
    else this.plane.overlays.delete(panel);
    this.plane.draw();
  }

  grip(grip: Grip | undefined): void {
    this.plane.grip = grip;
  }

  get view(): View {
    return this.plane.view;
  }

  get source(): Source {
    return this.store.state.source;
  }

  play(options: RunOptions): void {
    this.playsWhenReady = true;
    this.targetStep = 0;
    this.set({ options });
  }

  state(statement: Statement | undefined): void {
    this.steps.sentence.pinned = statement;
    this.showStep();
  }

  parameter(key: string): string | undefined {
    return this.parameters.get(key);
  }

  setParameter(key: string, value: string | undefined): void {
    if (value === undefined) this.parameters.delete(key);
    else this.parameters.set(key, value);
    this.changed();
  }

  announce(text: string): void {
    this.notices.announce(text);
  }

  showError(error: unknown): void {
    this.notices.showError(error);
  }

  // Points and options.

  undo(): void {
    this.changeHistory(() => this.store.undo());
  }

  redo(): void {
    this.changeHistory(() => this.store.redo());
  }

  /** Undoes or redoes; fits the view if the set changed or points are outside of the view. */
  private changeHistory(change: () => void): void {
    const { set } = this.store.state.source;
    change();
    if (set !== this.store.state.source.set) this.fit();
    else this.fitIfNeeded();
  }

  /** Loads a ready-made set, unless a newer choice replaces it. */
  private async choose(source: Source, gesture?: string): Promise<void> {
    const choice = ++this.choiceCount;
    try {
      const points = source.set === "own" ? this.points : await loadPoints(source, this.file);
      if (choice !== this.choiceCount) return;
      const sameSet = this.store.state.source.set === source.set;
      // A line that was drawn for other points is no start for these.
      const { start: _, ...options } = this.options;
      this.store.change({ points, source, ...(!sameSet && { options }) }, gesture);
      if (!sameSet || !("margin" in source)) this.fit();
    } catch (error) {
      this.showError(error);
      this.picker.show(this.store.state.source);
    }
  }

  /** Shows the user's points again, or an empty plane. */
  private chooseOwn(): void {
    const { source } = this.store.state;
    if (source.set === "own") return;
    this.choiceCount++;
    this.store.change({ names: undefined, ...this.own, source: { set: "own" } });
    this.fit();
  }

  /** Shows the state in a link, unless a newer link replaces it. */
  async restore(link: Link): Promise<void> {
    const choice = ++this.choiceCount;
    this.stepper.pause();
    const source = withDefaultColumns(link.source, this.file);
    const points = link.points ?? await loadPoints(source, this.file);
    if (choice !== this.choiceCount) return;
    this.parameters.clear();
    for (const [key, value] of link.panelParameters) this.parameters.set(key, value);
    this.legend.set((link.show ?? INITIALLY_SHOWN).filter((name): name is LegendItem => isLegendItem(name)));
    this.targetStep = link.step;
    this.axes = link.axes;
    this.store.replace({ points, source, options: link.options, notes: link.notes, names: link.names });
    if (link.view) this.showRegion(...link.view);
    else this.fit();
  }

  /** Plays the next run as soon as it is ready. */
  playWhenReady(): void {
    this.playsWhenReady = true;
  }

  link(): Link {
    const { source, points, options, notes, names } = this.store.state;
    const shown = [...this.legend.shown];
    const isDefault = shown.length === INITIALLY_SHOWN.length && INITIALLY_SHOWN.every(name => this.legend.shown.has(name));
    const { center: [x, y], span, stretch } = this.plane.view;
    // Rounded to a thousandth of the span.
    const decimals = Math.min(15, Math.max(0, 3 - Math.floor(Math.log10(span))));
    const round = (value: number): number => Number(value.toFixed(decimals));
    return {
      source, options, notes, step: this.current ? this.stepper.step : this.requestedStep(), panelParameters: this.parameters,
      ...(source.set === "dropped" && { points }),
      ...(source.set === "own" && { points, names,
        view: [round(x), round(y), round(span), ...(stretch === 1 ? [] : [Number(stretch.toPrecision(4))])] as NonNullable<Link["view"]> }),
      ...(this.axes && { axes: this.axes }),
      ...(!isDefault && { show: shown }),
    };
  }

  /** The newest count of the errors of this run. */
  get countedErrors(): CountedErrors | undefined {
    const { current } = this.errorCounts;
    return current?.run === this.run ? current : undefined;
  }

  /** The step to request of the next run: 0 for its end, which is not known yet. */
  private requestedStep(): number {
    return Number.isFinite(this.targetStep) ? this.targetStep ?? 0 : 0;
  }

  private update(): void {
    const { points, options, notes, source, names: ownNames } = this.store.state;
    if (source.set === "own") this.own = { points, names: ownNames };
    this.picker.show(source);
    this.thumbnails.show(source);
    this.optionsForm.show(options, notes);
    this.steps.hasThreshold = this.geometry.hasThreshold = notes?.threshold ?? false;
    this.table.show(points);
    this.toolbar.show(this.store.canUndo, this.store.canRedo, points.rows.length === 0, source.set === "own");
    const names = namesIn(this.store.state);
    this.classKey.show(names);
    this.plane.setPoints(points, names && [names.x, names.y]);
    this.axesSwitch.setAttribute("aria-pressed", String(!this.hasFreeAxes));
    this.legend.reserve(points.rows.length);
    this.showError(undefined);
    this.notices.note("");
    this.retrain(points, options);
    this.changed();
  }

  // The run.

  private retrain(points: Points, options: RunOptions): void {
    this.surfaces.forget();
    this.stepper.pause();
    const step = this.targetStep ?? this.stepAfterChange(points, options);
    this.targetStep = step;
    if (!oneClass(points)) {
      this.steps.root.setAttribute("aria-busy", "true");
      if (!this.run) this.showMessage(AWAITED);
      return this.training.request(points, options, this.requestedStep());
    }
    this.training.forget();
    this.showNoRun(points.rows.length === 0 ? NO_POINTS : ONE_CLASS);
  }

  /**
   * The step to show of the run that a change makes. A page that shows the end of a run shows the end of the next one: the
   * line follows a dragged point. After an edit of the points in mid-run it shows as many visits, so that the line stays.
   */
  private stepAfterChange(points: Points, options: RunOptions): number {
    if (this.stepper.atEnd) return Infinity;
    const { run } = this;
    const isEdit = run?.options === options && points.rows.some(row => run.points.rows.includes(row));
    return isEdit ? this.stepper.step : 0;
  }

  private async trained(run: Run, step: number): Promise<void> {
    const shownStep = this.targetStep === Infinity ? run.visits : step;
    this.targetStep = undefined;
    const hyperplane = run.answer.last;
    const margin = hyperplane && run.report.converged ? lineMargin(run.points, hyperplane) : undefined;
    this.plane.scene.separator = hyperplane && margin ? { hyperplane, margin } : undefined;
    // A kernel's radius is measured in its feature space, so the plane cannot show it, nor one past the range of numbers.
    this.plane.scene.radius = run.options.kernel === undefined ? run.report.radius ?? 0 : 0;
    this.plane.scene.usesKernel = run.options.kernel !== undefined;
    this.plane.scene.zero = run.options.zero ?? "positive";
    await this.stepper.setRun(run, shownStep);
    if (this.current) this.steps.root.removeAttribute("aria-busy");
    if (this.playsWhenReady) void this.stepper.play();
    this.playsWhenReady = false;
  }

  private showNoRun(message: string): void {
    this.targetStep = undefined;
    this.message = message;
    this.steps.root.removeAttribute("aria-busy");
    void this.stepper.setRun(undefined, 0);
  }

  private showMessage(message: string): void {
    this.message = message;
    this.showStep();
  }

  private showStep(): void {
    const { run, current } = this.stepper;
    const { scene } = this.plane;
    if (scene.step !== current) this.move(current);
    scene.step = current;
    const { isBlur } = this.stepper;
    scene.trail = run && current ? run.trail(current.step, isBlur ? BLUR_TRAIL : TRAIL) : [];
    // Among lines too fast to be seen, the average is the one that stands still.
    scene.show = isBlur ? new Set([...this.legend.shown, "average"]) : this.legend.shown;
    if (!run) Object.assign(scene, { separator: undefined, radius: 0 });
    this.requestSurface(run, current);
    scene.surface = this.surfaces.current;
    this.steps.show(run, current, this.message);
    this.deck.show(run, current);
    this.geometry.show(run?.options.kernel === undefined ? current?.last : undefined);
    for (const listener of this.stepListeners) listener();
    this.errorCounts.request(run, current);
    this.showErrors();
    this.plane.draw();
    if (!this.stepper.playing) this.changed();
  }

  /** Starts the movement to another step, or ends it. */
  private move(step: Step | undefined): void {
    if (this.stepper.moving && step?.visit) this.plane.motion.start(step.visit, step.last, this.stepper.updateTime);
    else this.plane.motion.stop();
  }

  /** Shows the counted errors of the lines, and the surface's errors of weights that are not a line. */
  private showErrors(): void {
    const { current } = this.stepper;
    const surface = this.surfaces.current;
    const surfaceErrors = surface && surface.step === current?.step
      ? Object.entries(surface.report.errors).filter(([kept]) => isSurface(kept) || !(kept in current)) : [];
    const counted = this.errorCounts.current;
    this.legend.count({ ...Object.fromEntries(surfaceErrors), ...counted?.errors }, counted?.step);
    for (const listener of this.countListeners) listener();
  }

  /** Whether the run has the current points and options; otherwise a new run is loading. */
  private get current(): boolean {
    return this.stepper.run?.points === this.points && this.stepper.run.options === this.options;
  }

  private requestSurface(run: Run | undefined, step: Step | undefined): void {
    const kept = run?.options.kernel !== undefined ? KEPT : SURFACES;
    const keep: Kept[] = kept.filter(name => this.legend.shown.has(name));
    if (!run || !this.current || !step || step.step === 0 || keep.length === 0) {
      this.surfaces.forget();
      return;
    }
    const { x, y } = this.plane.view;
    const [columns, rows] = this.stepper.playing ? [61, 49] : [101, 81];
    // The report includes the errors of weights without a line only if the run keeps them.
    const wanted = keep.find(kept => !isLine(kept));
    const options: RunOptions = wanted ? { ...run.options, keep: wanted } : run.options;
    this.surfaces.request({ points: run.points, options, step: step.step, keep, grid: { x, y, columns, rows } });
  }

  private played(playing: boolean): void {
    this.steps.played(playing);
    this.deck.played(playing);
    if (!playing) this.showStep();
  }

  // The view.

  private toggled(name: LegendItem): void {
    this.showError(undefined);
    if (name === "R" && this.legend.shown.has("R")) this.fit();
    this.showStep();
    this.changed();
  }

  /** Columns of a table with very different ranges have axes of their own scales, unless the user wants equal ones. */
  private get hasFreeAxes(): boolean {
    if (this.axes) return this.axes === "free";
    return namesIn(this.store.state) !== undefined && disproportion(this.points) > MOST_DISPROPORTION;
  }

  private setAxes(axes: "equal" | "free"): void {
    this.axes = axes;
    this.fit();
  }

  private fit(): void {
    const round = this.legend.shown.has("R") && this.options.kernel === undefined;
    // Ready-made sets stay clear of the controls; the view of own points is part of the link.
    this.fitted = this.store.state.source.set !== "own";
    this.plane.view.fit(this.points, round ? radius(this.points) : 0, { clear: this.fitted, free: this.hasFreeAxes });
    this.plane.redraw();
    this.changed();
  }

  /** Draws the plane again after a change of its size or of its controls. */
  resized(): void {
    this.plane.resize();
    if (this.fitted) this.fit();
    else this.plane.redraw();
    // Painted immediately, because an empty canvas would flicker.
    this.plane.paint();
  }

  private fitIfNeeded(): void {
    if (!this.points.rows.every(row => this.plane.view.contains(row))) this.fit();
  }

  private zoom(factor: number): void {
    const { center: [x, y], span, stretch } = this.plane.view;
    this.showRegion(x, y, span * factor, stretch);
    this.changed();
  }

  private showRegion(x: number, y: number, span: number, stretch = 1): void {
    this.fitted = false;
    this.plane.view.showRegion(x, y, span, stretch);
    this.plane.redraw();
  }
}

const oneClass = ({ signs }: Points): boolean => signs.every(sign => sign === signs[0]);

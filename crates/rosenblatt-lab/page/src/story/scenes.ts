// The story in scenes. A scene is a state of the lab, sentences that hold in that state whatever is touched, and what
// may be touched; its numbers are those of the run.

import type { Hyperplane, Kept } from "../contract.js";
import type { Statement } from "../lab.js";
import { full, joined, plural, short } from "../numbers.js";
import type { CountedErrors } from "../run/error-counts.js";
import type { Step } from "../run/run.js";
import type { Stepper } from "../steps/stepper.js";

/** What a sentence of a scene may speak about. */
export interface Shown {
  step: Step | undefined;
  /** What the plane says about it, and whether that is about the tab's subject instead of the steps. */
  statement: Statement;
  isPinned: boolean;
  /** The user's line. */
  line: Hyperplane | undefined;
  /** The newest count of the errors, and the weights that the plane shows. */
  counted: CountedErrors | undefined;
  kept: readonly Kept[];
  /** Whether the scene's question was answered. */
  answered: boolean;
}

/** What a scene does. */
export interface Stage {
  readonly stepper: Stepper;
  /** Shows another state of the lab. */
  show(state: string): void;
  /** Asks which point moves the line next. */
  ask(): void;
}

export interface Scene {
  /** The link of the state, with the tab that continues the scene in the free lab. */
  state: string;
  title: string;
  text: readonly string[];
  /** Sentences about what is shown now. */
  now(shown: Shown): readonly string[];
  /** Parts of the tab's panel that are shown, by the class names of `story.css`. */
  parts?: string;
  /** What happens when the state is shown; without motion it shows the end of that. */
  arrives?(stage: Stage, still: boolean): void;
  buttons?: readonly (readonly [text: string, act: (stage: Stage) => void])[];
}

const POINTS = "#set=margin&n=26&draw=149&margin=0.4&order=given";
const CLOUDS = "#set=blobs&n=60&draw=1&order=given";
/** The update on example 13, the start of the last epoch, and the end. */
const [UPDATE, LAST_EPOCH, END] = [13, 104, 130];
/** Ten epochs of the clouds: from here on the updates blur. */
const CLOUDS_STEP = 600;
const SLOWLY = 2600; // milliseconds

const spoken = ({ statement: { cause, effect } }: Shown): string[] => [cause, effect];
const ofLine = ({ isPinned, statement }: Shown): string[] => (isPinned ? [statement.cause] : []);

/** The update in numbers, of a rule that adds y x. */
function sum({ step }: Shown): string[] {
  const { visit, last } = step ?? {};
  if (!visit?.before || !last || visit.stepSize === 0) return [];
  const sign = visit.sign === 1 ? "+" : "−";
  return [`w ← ${at(visit.before)} ${sign} ${at(visit.row)} = ${at(last)}`];
}

/** Coordinates with three decimals, as the points of the set have them, on one line of text. */
const at = (values: readonly number[]): string =>
  `(${values.slice(0, 2).map(value => full(Number(value.toFixed(3)))).join(",\u00a0")})`;

/** The score of the user's line. */
function formula({ line: [w1 = 0, w2 = 0, b = 0] = [] }: Shown): string {
  return `s = ${short(w1, 3)} x₁${joined(Number(w2.toPrecision(3)))} x₂${joined(Number(b.toPrecision(3)))}`;
}

/** The errors of the weights that are shown, after the visits for which they are counted. */
function compared({ counted, kept }: Shown): string[] {
  const names = kept.filter(name => counted?.errors[name] !== undefined);
  if (!counted || names.length === 0) return [];
  const errors = names.map(name =>
    `${name === "last" ? "last weights" : name} ${plural(counted.errors[name] ?? 0, "error")}`);
  return [`After ${plural(counted.step, "visit")}: ${errors.join(", ")}.`];
}

const again = ({ stepper }: Stage): void => {
  const { step, current } = stepper;
  if (current?.visit?.stepSize) void stepper.jump(step - 1).then(() => stepper.jump(step, true, SLOWLY));
};

const nextMistake = ({ stepper }: Stage): void => void stepper.nextMistake(SLOWLY);

/** Plays from a step to the end. */
function playFrom(step: number, stepper: Stepper, still = false): void {
  void stepper.jump(step).then(() => (still ? stepper.end() : stepper.play()));
}

export const SCENES: readonly Scene[] = [
  {
    state: `${POINTS}&tab=guess&guess=1,-0.3,0`,
    title: "Two kinds of points. Where would you draw the line?",
    text: ["Drag it: circles belong on the blue side, squares on the orange side."],
    now: ofLine,
    parts: "swap",
  },
  {
    state: `${POINTS}&tab=guess&guess=1,-0.3,0`,
    title: "A perceptron is nothing but three numbers.",
    text: ["It weighs the coordinates by w₁ and w₂ and adds b. Where this score is above 0 it says blue, where it "
      + "is below 0 orange. The line is where it is 0."],
    now: shown => [formula(shown), ...ofLine(shown)],
    parts: "swap dials",
  },
  {
    state: `${POINTS}&step=${UPDATE - 1}&show=last,sides,w,sum`,
    title: "It looks at one point. On the wrong side? Then it adds the point to w.",
    text: ["A circle is added to w, a square is subtracted, and b changes by 1 in the same direction. "
      + "This moves the point's score by ‖x‖²\u00a0+\u00a01 towards its side."],
    now: shown => [...spoken(shown), ...sum(shown)],
    arrives: nextMistake,
    buttons: [["Again, slowly", again], ["Next mistake", nextMistake]],
  },
  {
    state: `${POINTS}&step=${UPDATE}`,
    title: "Which point moves the line next? Tap it.",
    text: ["It takes the points in their order. A point on its right side changes nothing."],
    now: shown => (shown.answered ? spoken(shown) : []),
    arrives: stage => stage.ask(),
  },
  {
    state: `${POINTS}&step=${LAST_EPOCH}`,
    title: "A whole round without a mistake: done.",
    text: ["A round through all points is an epoch. After an epoch without a mistake nothing would ever change again: "
      + "the run has converged."],
    now: spoken,
    arrives: ({ stepper }, still) => playFrom(LAST_EPOCH, stepper, still),
    buttons: [["The last epoch again", ({ stepper }) => playFrom(LAST_EPOCH, stepper)],
      ["The whole run", ({ stepper }) => playFrom(0, stepper)]],
  },
  {
    state: `${POINTS}&step=${END}&tab=weights`,
    title: "Why must it end?",
    text: ["Let w* have length 1 and separate the points with margin γ, and let no point be longer than R. Each update "
      + "moves w by at least γ in the direction of w*. But k updates make w no longer than √k·R. So there can be at most "
      + "R²/γ² updates."],
    now: ({ step }) => (step ? [`This run has made ${plural(step.updates, "update")}.`] : []),
    parts: "walk",
  },
  {
    state: "#set=xor&order=given&tab=separable",
    title: "XOR. Why not here?",
    text: ["The segment between the circles crosses the segment between the squares. A line that has both circles on "
      + "one side has their whole segment there, and so for the squares. The crossing cannot be on both sides."],
    now: shown => (shown.isPinned ? spoken(shown) : []),
    buttons: [["Let it try", ({ stepper }) => playFrom(0, stepper)]],
  },
  {
    state: `${CLOUDS}&step=${CLOUDS_STEP}&show=last,average,sides`,
    title: "It never settles? Take the average. Or bend the line.",
    text: ["The average counts the weights after every visit, so late updates hardly move it. The pocket keeps "
      + "the weights with the fewest errors found so far. A kernel bends the line."],
    now: compared,
    arrives: ({ stepper }, still) => playFrom(stepper.step, stepper, still),
    buttons: [["Average", stage => stage.show(`${CLOUDS}&step=${CLOUDS_STEP}&show=last,average,sides`)],
      ["Pocket", stage => stage.show(`${CLOUDS}&step=${CLOUDS_STEP}&show=last,pocket,sides`)],
      ["Bend the line", stage => stage.show("#set=circles&n=60&draw=1&order=given&kernel=poly:2")]],
  },
];

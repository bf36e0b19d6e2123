// What the five sets of lecture notes ask before a step is shown. Every answer is the run's own: a test compares them.

/** A question about a state of the page, and the state that shows its answer. */
export interface Prediction {
  /** The link to the state that the question is about. */
  at: string;
  ask: string;
  choices: readonly string[];
  /** The place of the right choice. */
  right: number;
  why: string;
  /** The link to the state that shows it. */
  then: string;
}

export interface NotesQuestions {
  id: string;
  title: string;
  questions: readonly Prediction[];
}

const AND = "set=and&order=given";
const LAUER = `${AND}&mistake=label&eta=0.5`;
const LINE = "points=1,0,-;3,0,+&order=given&bias=radius&mistake=label";
const THREE = "points=2,2,+;0,1,-;1,1,+&order=shuffle&seed=1";
const OR = "set=or&order=given";
const YES_NO = ["yes", "no"] as const;

export const NOTES: readonly NotesQuestions[] = [
  { id: "varner", title: "Varner, Lecture 3a: AND", questions: [
    { at: AND, ask: "All weights are 0, so the first score is 0. Is example 1, (0, 0) with y = −1, a mistake?", choices: YES_NO, right: 0,
      why: "A mistake is y·s ≤ 0, so a score of 0 is one. w ← w − (0, 0) stays (0, 0), and b becomes −1.", then: `${AND}&step=1` },
    { at: `${AND}&step=3`, ask: "w = (0, 0), b = −1. What is w after example 4, (1, 1) with y = +1?", choices: ["(0, 0)", "(1, 1)", "(2, 2)"], right: 1,
      why: "s = −1, so it is a mistake: (1, 1) is added to w, and 1 to b.", then: `${AND}&step=4` },
    { at: `${AND}&step=8`, ask: "Two epochs are over. How many epochs does the run take in all?", choices: ["3", "9", "it never ends"], right: 1,
      why: "Epoch 9 makes no mistake. 18 updates were made; w = (3, 2) and b = −4.", then: `${AND}&step=36` },
    { at: "set=xor&order=given", ask: "XOR has the same points with other signs. Does an epoch without a mistake come?", choices: YES_NO, right: 1,
      why: "Each epoch makes four mistakes, and after each w = (0, 0) and b = 0 again. “Can it converge?” proves that no line exists.",
      then: "set=xor&order=given&step=4" },
  ] },
  { id: "lauer", title: "Lauer, “The perceptron”: AND with η = ½", questions: [
    { at: `${LAUER}&step=1`, ask: "After example 1, w = (0, 0) and b = −½. Is example 2, (0, 1) with y = −1, a mistake?", choices: YES_NO, right: 1,
      why: "s = −½, so the predicted label is −1, which is right.", then: `${LAUER}&step=2` },
    { at: `${LAUER}&step=24`, ask: "The run ended with 11 updates. With η = 1 in place of ½, how many are there?", choices: ["5", "11", "22"], right: 1,
      why: "From zero, η only scales w and b. No sign of a score changes, so neither does an update.", then: `${AND}&mistake=label&eta=1&step=24` },
    { at: `${AND}&step=36`, ask: "This run counts a score of 0 as a mistake for both classes, and makes 18 updates. If only the label counts, are there fewer?", choices: YES_NO, right: 0,
      why: "A score of 0 predicts +1. So example 4 on the line is no mistake, and 11 updates are enough.", then: `${AND}&mistake=label&step=24` },
  ] },
  { id: "shalizi", title: "Shalizi, 36-350: two points, steps of R²", questions: [
    { at: LINE, ask: "The points are x = 1 and x = 3, so R = 3. By how much does the first mistake, at x = 1 with y = −1, change b?",
      choices: ["−1", "−3", "−9"], right: 2, why: "b ← b + y·R² = 0 − 9. w changes by y·x = −1 only.", then: `${LINE}&step=1` },
    { at: `${LINE}&step=2`, ask: "w = 2, b = 0. Is example 1, x = 1 with y = −1, a mistake now?", choices: YES_NO, right: 0,
      why: "s = 2·1 + 0 = 2 > 0. So w becomes 1 and b becomes −9.", then: `${LINE}&step=3` },
    { at: `${LINE}&step=5`, ask: "w = 3, b = −9. The score of x = 3 with y = +1 is 0. Is it a mistake by the label?", choices: YES_NO, right: 1,
      why: "A score of 0 predicts +1, which is its label. The next epoch makes no mistake, and the run ends after 8 visits.", then: `${LINE}&step=6` },
  ] },
  { id: "dsc255", title: "DSC 255: three points, shuffled", questions: [
    { at: `${THREE}&step=2`, ask: "w = (1, 0), b = 0. The next example is (2, 2) with y = +1. Is it a mistake?", choices: YES_NO, right: 1,
      why: "s = 2 > 0, the side of its class.", then: `${THREE}&step=3` },
    { at: `${THREE}&step=12`, ask: "Algorithm 1 made 5 updates. Listing 2 counts a mistake by the label: does it make more, as many, or fewer?",
      choices: ["more", "as many", "fewer"], right: 2, why: "A score of 0 is right for the class +1 there: it makes 3 updates, and ends an epoch earlier.", then: `${THREE}&mistake=label&step=9` },
    { at: "set=xor&order=given", ask: "No line separates XOR. Does the run end with the products of two features as well, by the kernel of degree 2?",
      choices: YES_NO, right: 0, why: "x₁·x₂ tells the classes apart. Epoch 9 makes no mistake; the curve separates the points.",
      then: "set=xor&order=given&kernel=poly:2&step=36" },
  ] },
  { id: "carson", title: "Carson, 2025: OR", questions: [
    { at: `${OR}&step=4`, ask: "After one epoch w = (1, 1) and b = 1. Which corner is on the wrong side?", choices: ["(0, 0)", "(0, 1)", "(1, 1)"], right: 0,
      why: "(0, 0) scores b = 1, but its class is −1. b becomes 0.", then: `${OR}&step=5` },
    { at: `${OR}&step=8`, ask: "w = (1, 1), b = 0: (0, 0) lies on the line. Does the run change the weights there?", choices: YES_NO, right: 0,
      why: "y·s = 0 is a mistake here, so b becomes −1.", then: `${OR}&step=9` },
    { at: `${OR}&step=12`, ask: "Six updates were made in three epochs. How many are there when the run ends?", choices: ["6", "9", "12"], right: 1,
      why: "Nine: epoch 6 makes no mistake, with w = (2, 2) and b = −1.", then: `${OR}&step=24` },
  ] },
];

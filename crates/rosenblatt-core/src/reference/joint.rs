//! Several classes learned together: one hyperplane for each class, and an example moves two of them.
//!
//! The class of a row is the first with the greatest score. Let y be the class of an example, and r its best rival: of all
//! other classes the first with the greatest score. In the space of all weights they are one row z, x in the place of
//! w_y and −x in that of w_r, whose score is s_y − s_r and whose sign is + (Kesler's construction; Duda & Hart, *Pattern
//! Classification and Scene Analysis*, 1973, section 5.12). Every rule learns from z as it is; so a step moves w_y by τx and
//! w_r by −τx, an ultraconservative update of one rival (Crammer & Singer, *JMLR* 3, 2003). Now ‖z‖² = 2‖x‖², and the loss
//! of the passive-aggressive rules is 1 − (s_y − s_r).
//!
//! Novikoff's theorem holds for the rows z: let some (u₁, …, u_K) of norm 1 have (u_y − u_r)·x ≥ γ > 0 on every example
//! for every rival r, and let ‖x‖ ≤ R. Then a perceptron from zero makes at most 2R²/γ² updates. With B = 1 this is so
//! for (x, 1) and (w, b).

use super::{
    Example, RecordedVisit, RunHistory, Settings, primal, rule,
    second_order::{self, Precisions},
};
use crate::{
    data::{Sign, ZeroScore},
    hyperplane::Hyperplane,
};

/// An example of one of several classes, counted from 0, and its learning rate.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassExample {
    /// The row of features.
    pub x: Vec<f64>,
    /// y.
    pub class: usize,
    /// η.
    pub rate: f64,
}

/// One visit of an example by all hyperplanes.
#[derive(Clone, Debug, PartialEq)]
pub struct JointVisit {
    /// The number of the example, counted from 0.
    pub example: usize,
    /// r, the best rival before the update.
    pub rival: usize,
    /// Whether the visit was a mistake.
    pub mistake: bool,
    /// τ, or `None` without an update.
    pub step: Option<f64>,
    /// The hyperplanes after the visit.
    pub after: Vec<Hyperplane>,
}

/// All visits of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct JointHistory {
    /// The hyperplanes before the first visit.
    pub first: Vec<Hyperplane>,
    /// The visits of each epoch.
    pub epochs: Vec<Vec<JointVisit>>,
    /// As in [`RunHistory`].
    pub converged: bool,
}

impl JointHistory {
    /// All visits in order.
    pub fn visits(&self) -> impl Iterator<Item = &JointVisit> {
        self.epochs.iter().flatten()
    }

    /// The number of mistakes of each epoch.
    pub fn mistakes_per_epoch(&self) -> Vec<u64> {
        let mistakes = |epoch: &Vec<JointVisit>| epoch.iter().filter(|visit| visit.mistake).count();
        self.epochs.iter().map(|epoch| mistakes(epoch) as u64).collect()
    }

    /// The hyperplanes at the end.
    pub fn last(&self) -> &[Hyperplane] {
        self.visits().last().map_or(&self.first, |visit| &visit.after)
    }
}

/// The first of these classes with the greatest score on a row.
fn highest(planes: &[Hyperplane], x: &[f64], classes: impl Iterator<Item = usize>) -> usize {
    let is_greater = |one: usize, other: usize| {
        let z = pair(x, one, other, planes.len(), 1.0);
        z.score_sign(&all_weights(planes)).is_gt()
    };
    let better = |best: usize, class: usize| if is_greater(class, best) { class } else { best };
    classes.reduce(better).unwrap_or(0)
}

/// The predicted class of a row: the first with the greatest score.
///
/// ```
/// use rosenblatt_core::{reference::joint::predicted, space::Hyperplane};
/// let plane = |bias| Hyperplane { weights: vec![1.0], bias };
/// assert_eq!(predicted(&[plane(0.0), plane(2.0), plane(2.0)], &[5.0]), 1);
/// ```
pub fn predicted(planes: &[Hyperplane], x: &[f64]) -> usize {
    highest(planes, x, 0..planes.len())
}

/// The best rival of an example: of all classes but its own the first with the greatest score.
///
/// ```
/// use rosenblatt_core::{reference::joint::{ClassExample, rival}, space::Hyperplane};
/// let plane = |bias| Hyperplane { weights: vec![1.0], bias };
/// let example = ClassExample { x: vec![5.0], class: 1, rate: 1.0 };
/// assert_eq!(rival(&[plane(0.0), plane(2.0), plane(2.0), plane(1.0)], &example), 2);
/// ```
pub fn rival(planes: &[Hyperplane], example: &ClassExample) -> usize {
    highest(planes, &example.x, (0..planes.len()).filter(|&class| class != example.class))
}

/// The row z: (x, 1) in the place of class `own`, −(x, 1) in that of `rival`.
fn pair(x: &[f64], own: usize, rival: usize, classes: usize, rate: f64) -> Example {
    let of_class = |class: usize| {
        let sign = if class == own { 1.0 } else { -1.0 };
        let part = |x: &f64| if class == own || class == rival { sign * x } else { 0.0 };
        x.iter().chain([&1.0]).map(part).collect::<Vec<f64>>()
    };
    Example { x: (0..classes).flat_map(of_class).collect(), sign: Sign::Plus, rate }
}

/// The weights and biases of all hyperplanes in one, as [`pair`] has the features.
fn all_weights(planes: &[Hyperplane]) -> Hyperplane {
    let of_plane = |plane: &Hyperplane| plane.weights.iter().copied().chain([plane.bias]).collect();
    Hyperplane { weights: planes.iter().flat_map::<Vec<f64>, _>(of_plane).collect(), bias: 0.0 }
}

/// One visit of example `i`: where the rule steps on z, w_y ← w_y + τx and w_r ← w_r − τx, b_y ← b_y + τB and
/// b_r ← b_r − τB. With precisions, one set for each class, v is the sum of those of the two classes, that of y first.
///
/// All scores are 0, so the first other class is the rival, and x = (1, 2) is a mistake.
/// ```
/// use rosenblatt_core::{reference::{Settings, joint::{ClassExample, visit}}, space::Hyperplane};
/// let example = ClassExample { x: vec![1.0, 2.0], class: 2, rate: 1.0 };
/// let visit = visit(&[example], 0, &vec![Hyperplane::zero(2); 3], &mut None, &Settings::default());
/// assert_eq!((visit.rival, visit.mistake, visit.step), (0, true, Some(1.0)));
/// assert_eq!(visit.after[2], Hyperplane { weights: vec![1.0, 2.0], bias: 1.0 });
/// assert_eq!(visit.after[0], Hyperplane { weights: vec![-1.0, -2.0], bias: -1.0 });
/// ```
pub fn visit(
    examples: &[ClassExample],
    i: usize,
    now: &[Hyperplane],
    precisions: &mut Option<Vec<Precisions>>,
    settings: &Settings,
) -> JointVisit {
    let ClassExample { x, class: own, rate } = &examples[i];
    let rival = rival(now, &examples[i]);
    let (z, weights) = (pair(x, *own, rival, now.len(), *rate), all_weights(now));
    // Among equal scores the first class is predicted.
    let zero = if *own < rival { ZeroScore::Positive } else { ZeroScore::Negative };
    let settings = Settings { zero, ..*settings };
    let mistake = rule::is_mistake(settings.mistake, z.score_sign(&weights), z.sign, zero);
    let variance = |all: &Vec<Precisions>| {
        let of = |class: usize| second_order::variance(&all[class], x, settings.bias_unit);
        of(*own) + of(rival)
    };
    let step = match precisions.as_ref().map(variance) {
        Some(v) => second_order::step(&z, &weights, v, &settings),
        None => {
            let x_twice: Vec<f64> = x.iter().chain(x).copied().collect();
            let mut square = primal::squared_norm(&x_twice, settings.bias_unit);
            square.add(settings.bias_unit);
            rule::step(&z, &weights, &square, &settings)
        }
    };
    let mut after = now.to_vec();
    for (class, step) in step.iter().flat_map(|&step| [(*own, step), (rival, -step)]) {
        let plane = &mut after[class];
        if let Some(all) = precisions {
            second_order::move_along(plane, &mut all[class], x, (step, *rate), &settings);
            continue;
        }
        for (w, x) in plane.weights.iter_mut().zip(x) {
            *w += step * x;
        }
        plane.bias += step * settings.bias_unit;
    }
    JointVisit { example: i, rival, mistake, step, after }
}

/// A run over the examples from the hyperplanes `first`. `orders` has one order of visits for each epoch. The run ends as
/// that of one hyperplane.
///
/// Three points on a line, x = −1, 0 and 1, from zero.
/// ```
/// use rosenblatt_core::{reference::{Settings, joint::{ClassExample, predicted, train}}, space::Hyperplane};
/// let example = |class: usize| ClassExample { x: vec![class as f64 - 1.0], class, rate: 1.0 };
/// let examples = [0, 1, 2].map(example);
/// let run = train(&examples, &vec![Hyperplane::zero(1); 3], &Settings::default(), &vec![vec![0, 1, 2]; 100]);
/// assert!(run.converged);
/// assert_eq!(run.mistakes_per_epoch(), [3, 1, 2, 2, 1, 3, 1, 0]);
/// assert!(examples.iter().all(|example| predicted(run.last(), &example.x) == example.class));
/// ```
pub fn train(
    examples: &[ClassExample],
    first: &[Hyperplane],
    settings: &Settings,
    orders: &[Vec<usize>],
) -> JointHistory {
    let mut run = JointHistory { first: first.to_vec(), epochs: Vec::new(), converged: false };
    let mut now = first.to_vec();
    let features = first.first().map_or(0, |plane| plane.weights.len());
    let mut precisions =
        second_order::first(settings.update, features).map(|one| vec![one; first.len()]);
    for (order, number) in orders.iter().zip(1..) {
        let divisor = settings.divisor(number);
        let with_rate =
            |one: &ClassExample| ClassExample { rate: one.rate / divisor, ..one.clone() };
        let examples: Vec<ClassExample> = examples.iter().map(with_rate).collect();
        let mut epoch = Vec::new();
        for &i in order {
            let visit = visit(&examples, i, &now, &mut precisions, settings);
            now.clone_from(&visit.after);
            epoch.push(visit);
        }
        let mistakes = epoch.iter().filter(|visit| visit.mistake).count() as u64;
        let must_rest = !settings.update.rule().ends_despite_updates;
        let is_clean = |visit: &JointVisit| !(visit.mistake || (must_rest && visit.step.is_some()));
        run.converged = epoch.iter().all(is_clean);
        run.epochs.push(epoch);
        if run.converged || (1..=settings.allow_mistakes).contains(&mistakes) {
            break;
        }
    }
    run
}

/// The mean of each hyperplane after every visit, as [`primal::average`] of the visits whose updates moved it.
pub fn average(run: &JointHistory, examples: &[ClassExample]) -> Vec<Hyperplane> {
    let of_class = |class: usize| {
        let visit = |visit: &JointVisit| RecordedVisit {
            example: visit.example,
            mistake: visit.mistake,
            step: visit
                .step
                .filter(|_| [examples[visit.example].class, visit.rival].contains(&class)),
            after: visit.after[class].clone(),
        };
        let epochs = run.epochs.iter().map(|epoch| epoch.iter().map(visit).collect()).collect();
        let (first, mistakes) = (run.first[class].clone(), run.mistakes_per_epoch());
        RunHistory { first, epochs, mistakes, converged: run.converged }
    };
    let rows: Vec<Example> = examples
        .iter()
        .map(|example| Example { x: example.x.clone(), sign: Sign::Plus, rate: example.rate })
        .collect();
    (0..run.first.len()).map(|class| primal::average(&of_class(class), &rows)).collect()
}

//! Why a cell should be what it should be.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rosenblatt_core::{data::Sign, rules::Mistake, train::Bias};

use super::{
    number::{shown, vector},
    paper::{PaperRun, PaperVisit},
    reading::Reading,
};

/// The sentences about a visit; the weights of `run` are those after it.
pub(super) struct Reasons<'a> {
    pub(super) reading: &'a Reading,
    pub(super) run: &'a PaperRun<'a>,
    pub(super) visit: &'a PaperVisit,
    pub(super) example: usize,
}

impl Reasons<'_> {
    /// Longer vectors are not written out.
    const MOST_FEATURES: usize = 6;

    fn x(&self) -> &[BigRational] {
        &self.run.examples[self.example].x
    }

    fn sign(&self) -> &'static str {
        if self.run.examples[self.example].sign == Sign::Plus { "+1" } else { "−1" }
    }

    fn is_short(&self) -> bool {
        self.x().len() <= Self::MOST_FEATURES
    }

    /// The score of the notes: w·x + b, or w·x − b with a threshold.
    fn formula(&self) -> &'static str {
        if self.reading.conventions.has_threshold { "w·x − b" } else { "w·x + b" }
    }

    pub(super) fn score(&self) -> String {
        let (w, b) = &self.visit.before;
        let b = shown(&self.reading.conventions.told(b.clone()));
        let score = shown(&self.visit.score);
        if !self.is_short() {
            return format!("{} = {score} by the weights before the visit", self.formula());
        }
        let (w, x) = (vector(w), vector(self.x()));
        format!("{} = {score} with w = {w} and b = {b} before the visit, x = {x}", self.formula())
    }

    pub(super) fn score_after(&self) -> String {
        format!("{} by the weights after the visit", self.formula())
    }

    pub(super) fn alpha(&self) -> String {
        let number = self.example as u64 + self.reading.first_number;
        format!("the updates on example {number} so far")
    }

    pub(super) fn mistake(&self) -> String {
        let (score, y) = (&self.visit.score, self.sign());
        let outcome = if self.visit.mistake { "a mistake" } else { "no mistake" };
        let options = &self.reading.conventions.options;
        if options.mistake == Mistake::Margin {
            let margin = if y == "+1" { score.clone() } else { -score.clone() };
            let compared = if margin.is_positive() { "> 0" } else { "≤ 0" };
            return format!("y·s = {} {compared}: {outcome}", shown(&margin));
        }
        let predicted = match score {
            score if score.is_zero() => options.zero.sign(),
            score => Sign::from(score.is_positive()),
        };
        let predicted = if predicted == Sign::Plus { "+1" } else { "−1" };
        format!("the score {} predicts {predicted}, and y is {y}: {outcome}", shown(score))
    }

    pub(super) fn step(&self) -> String {
        let moved =
            if self.visit.mistake { ", so the weights move by y·η·x" } else { ", so they stay" };
        self.mistake() + moved
    }

    pub(super) fn weights(&self) -> String {
        if !self.is_short() {
            return self.step();
        }
        let after = vector(&self.run.w);
        if !self.visit.mistake {
            return format!("{}, so w stays {after}", self.mistake());
        }
        let before = vector(&self.visit.before.0);
        format!(
            "{}, so w ← {before} {} = {after}",
            self.mistake(),
            times(&self.visit.step, &vector(self.x()))
        )
    }

    pub(super) fn bias(&self) -> String {
        let told = |b: &BigRational| self.reading.conventions.told(b.clone());
        let after = shown(&told(&self.run.b));
        if !self.visit.mistake {
            return format!("{}, so b stays {after}", self.mistake());
        }
        let before = shown(&told(&self.visit.before.1));
        let step = told(&self.visit.step);
        let unit = match self.reading.conventions.options.bias {
            Bias::None => return "no bias is learned".to_owned(),
            Bias::Radius => format!("R² with R² = {}", shown(&self.run.bias_unit)),
            _ => shown(&self.run.bias_unit),
        };
        format!("{}, so b ← {before} {} = {after}", self.mistake(), times(&step, &unit))
    }
}

/// A product with a sign before it: `+ (1, 0)`, `− 0.5·(1, 0)`.
fn times(step: &BigRational, along: &str) -> String {
    let sign = if step.is_negative() { "−" } else { "+" };
    let size = step.abs();
    if size.is_one() {
        format!("{sign} {along}")
    } else {
        format!("{sign} {}·{along}", shown(&size))
    }
}

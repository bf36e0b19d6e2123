//! The second-order perceptron with a diagonal matrix: on a mistake each weight moves toward the class by the precision
//! that it has so far.
//!
//! N. Cesa-Bianchi, A. Conconi & C. Gentile, *SIAM J. Comput.* 34, 2005: w = A⁻¹v with v = Σ y·x and
//! A = aI + Σ xxᵀ over the rows of mistakes; here A keeps its diagonal alone. The paper adds the row of a visit to A before it
//! predicts. Here A has only the mistakes before, so that a model is a hyperplane.
//!
//! # The bound
//! Let y·(u·x) ≥ γ on the rows of all k mistakes of a run from zero, and let A be the last precisions. On a mistake
//! y·(v·A⁻¹x) ≤ 0, and precisions only grow, so v·A⁻¹v grows by at most x·A⁻¹x, with A as it was before the mistake. Let Q be
//! the sum of these. Then kγ ≤ u·v ≤ √(u·Au)·√(v·A⁻¹v), and k ≤ √(Q·Σ uⱼ²Aⱼ)/γ. If no entry of feature j is larger
//! than Xⱼ, Q is at most Σ (1 + Xⱼ²/a)·ln(Aⱼ/a).

use super::{Parameter, Precise, PreciseMove, Rule, Step, Update, precise};

pub(super) static RULE: Rule = Rule {
    name: "second-order",
    label: "second-order",
    words: precise::WORDS,
    parameter: Some(Parameter::Diagonal),
    step: Step::OnMistake,
    symbol: "c",
    precise: Some(&SecondOrder),
    inactive_above: |_| 0.0,
    ends_despite_updates: false,
    takes_learning_rate: false,
    keeps_last: false,
    takes_weights: true,
    novikoff: None,
    without_bound: Some(precise::WITHOUT_BOUND),
};

impl Update {
    /// On a mistake, w = v/A moves to (v + y·x)/(A + x²), feature by feature. Every A begins at `a` > 0.
    pub const fn second_order(a: f64) -> Self {
        Update::new(&RULE, a)
    }
}

/// An example of weight c adds c·y·x to v and c·x² to A.
#[derive(Debug)]
struct SecondOrder;

impl Precise for SecondOrder {
    fn formulas(&self) -> [&'static str; 2] {
        ["(a w + c y x)/(a + c x²)", "a + c x²"]
    }

    fn first(&self, a: f64) -> f64 {
        a
    }

    /// (v + cyx)/(A + cx²) − v/A = cyx/(A + cx²) − w·cx²/(A + cx²). No number becomes infinite for a finite entry.
    #[inline(always)]
    fn moved(&self, (w, a): (f64, f64), (x, square): (f64, f64), by: PreciseMove) -> (f64, f64) {
        let gain = (by.rate * square).min(f64::MAX);
        let precision = (a + gain).min(f64::MAX);
        (by.step * x / precision - w * (gain / precision), precision)
    }
}

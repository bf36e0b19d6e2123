//! Whether a run ends: which separability it needs, decided from the face of all weights without an error.
//!
//! The weights do not change in an epoch without updates. So a run of a rule that updates on every mistake ends at weights with
//! `w·zᵢ > 0` on the *strict* examples, for which a score of 0 is a mistake, and `w·zᵢ ≥ 0` on the others (∗). By Motzkin's
//! theorem (1936) either such weights exist, or some λ ≥ 0 with `Σλᵢzᵢ = 0` is positive for a strict example.
//!
//! If all examples are strict, (∗) is separability. So it is with a bias: the last coordinate of a positive combination that is
//! 0 has both signs, so it contains examples of both classes, and at least one class is strict. Otherwise let F be the face
//! of [`super::separation`]: the examples on which all weights without a negative product are 0. (∗) has a solution if and
//! only if F has no strict example: a solution plus a little of the weights that are positive outside F is positive there
//! too, and these weights are a solution themselves.
//!
//! # The run from zero
//! Let F have no strict example. Mistakes outside F are finitely many, as in Novikoff's proof, if the examples of F make none.
//! They make none if all are 0; and in a run from zero also if the examples outside F are orthogonal to those of F, since
//! the product of the weights with these stays 0. Otherwise clean weights are orthogonal to F, and whether a run
//! gets there depends on the examples, on their order and on the start.

//!
//! # A falling learning rate
//! In epoch t of a run over n examples let every step be between a/t and c/t, or a/√t and c/√t, with a > 0, and let weights u of norm
//! 1 have `u·zᵢ ≥ γ > 0`. A run that never ends makes a step in every epoch, so the sum S of its steps grows without bound: at least
//! as a·ln T, or a·√T, after T epochs. An epoch makes at most n steps, so the sum Q of their squares is at most n·c²·π²/6, or
//! n·c²·(1 + ln T). Now γS ≤ u·(w − w₀) ≤ ‖w‖ + ‖w₀‖, and for a step where y·s ≤ M, M ≥ 0, ‖w‖² ≤ ‖w₀‖² + R²Q + 2MS. So γ²S²
//! is at most of the order of Q + S, which it outgrows: the run ends. The proof for examples outside F is the same. It allows many
//! more epochs than that of one rate: S may grow up to about R√n·c/γ, with a/t as slowly as a·ln T.

use std::cmp::Ordering;

use super::{
    Certificate, Ended, SeparabilityOptions, SeparationCertificate, SeparationVerdict, Verdict,
    budget::Budget, gordan::with_row, integers::Combination,
};
use crate::check::{
    CONVERGENCE_VERSION, Convergence, ConvergenceCertificate, StrictClass,
    convergence::{are_orthogonal, is_zero, parse_weights, scores, zeros},
    verify_convergence,
};
use rosenblatt_core::{
    data::{Examples, Row, Sign},
    dynamics::Ending,
    schedule::Init,
    train::{Bias, Options},
};

/// The answer to whether a run ends with an epoch without mistakes.
#[derive(Clone, Debug, PartialEq)]
pub enum ConvergenceVerdict {
    /// A consequence of the verdict on separability, whose proof is this one's.
    Separability(Convergence),
    /// The answer for examples of which only one class is strict, with its verified proof.
    HalfOpen(ConvergenceCertificate),
    /// No theorem covers such a run.
    NoTheorem,
    /// The search ended without an answer, for this reason.
    Unknown(Ended),
}

impl ConvergenceVerdict {
    /// The answer, if there is one.
    pub fn convergence(&self) -> Option<Convergence> {
        match self {
            ConvergenceVerdict::Separability(convergence) => Some(*convergence),
            ConvergenceVerdict::HalfOpen(certificate) => Some(certificate.convergence),
            ConvergenceVerdict::NoTheorem | ConvergenceVerdict::Unknown(_) => None,
        }
    }

    /// The proof, if it is not that of the verdict on separability.
    pub fn certificate(&self) -> Option<&ConvergenceCertificate> {
        match self {
            ConvergenceVerdict::HalfOpen(certificate) => Some(certificate),
            _ => None,
        }
    }
}

/// Decides whether a run of one hyperplane in feature space ends with an epoch without mistakes.
///
/// `verdict` is that of [`separable`](super::separable) for the examples, with a bias unless the run has none.
/// Of `options`, `work` bounds the search. That a run ends is a statement about exact sums; that it never ends holds
/// with rounding as well.
///
/// Cost: nothing beyond the verdict, unless it is not *yes* and a score of 0 is right for one class in a run
/// without a bias: then that of `separation`, and up to a product of each row of the face with each
/// other row.
///
/// ```
/// use rosenblatt_core::{data::{Examples, Rows, Sign::{Minus, Plus}}, train::{Bias, Options}, rules::Mistake};
/// use rosenblatt_proofs::{Convergence, SeparabilityOptions, convergence, separable};
/// let rows = Rows::dense(vec![1.0, 0.0, -1.0, 0.0, 0.0, 1.0], 2)?;
/// let examples = Examples::new(&rows, &[Plus, Plus, Minus])?;
/// let search = SeparabilityOptions { with_bias: false, ..SeparabilityOptions::default() };
/// let verdict = separable(&examples, &search, &mut || false);
/// assert_eq!(verdict.is_separable(), Some(false));
/// // A score of 0 is right for the first two.
/// let run = Options { bias: Bias::None, mistake: Mistake::Label, ..Options::default() };
/// let found = convergence(&examples, &run, &verdict, &search, &mut || false);
/// assert_eq!(found.convergence(), Some(Convergence::FromZero));
/// # Ok::<(), rosenblatt_core::data::RowsError>(())
/// ```
pub fn convergence(
    examples: &Examples<'_>,
    run: &Options,
    verdict: &Verdict,
    options: &SeparabilityOptions,
    stop: &mut dyn FnMut() -> bool,
) -> ConvergenceVerdict {
    let Some(Ending { strict, is_certain }) = run.dynamics().ending else {
        return ConvergenceVerdict::NoTheorem;
    };
    let found = match verdict {
        _ if run.bias == Bias::Radius && examples.iter().all(|(row, _)| is_zero(row)) => {
            constant(examples, run, strict)
        }
        Verdict::Yes { .. } => ConvergenceVerdict::Separability(Convergence::Always),
        _ if run.bias != Bias::None || strict.is_none() => match verdict.ended() {
            Some(ended) => ConvergenceVerdict::Unknown(ended),
            None => ConvergenceVerdict::Separability(Convergence::Never),
        },
        _ => {
            let strict = StrictClass::of(strict.unwrap_or(Sign::Plus));
            let starts_at_zero = run.init == Init::Zero;
            HalfOpen { examples, strict, starts_at_zero }.decide(verdict, options, stop)
        }
    };
    match found.convergence() {
        Some(Convergence::Never) | None => found,
        Some(_) if is_certain => found,
        Some(_) => ConvergenceVerdict::NoTheorem,
    }
}

/// The answer for a run whose weights and bias never move: every row is 0, and so is the step of the bias.
fn constant(examples: &Examples<'_>, run: &Options, strict: Option<Sign>) -> ConvergenceVerdict {
    if run.init != Init::Zero {
        return ConvergenceVerdict::NoTheorem;
    }
    let is_mistake = |(_, sign): (Row<'_>, Sign)| strict.is_none_or(|strict| sign == strict);
    let never = examples.iter().any(is_mistake);
    ConvergenceVerdict::Separability(if never { Convergence::Never } else { Convergence::Always })
}

/// Examples without a bias, of which those of one class are strict.
struct HalfOpen<'e, 'a> {
    examples: &'e Examples<'a>,
    strict: StrictClass,
    starts_at_zero: bool,
}

impl HalfOpen<'_, '_> {
    fn decide(
        &self,
        verdict: &Verdict,
        options: &SeparabilityOptions,
        stop: &mut dyn FnMut() -> bool,
    ) -> ConvergenceVerdict {
        if let Verdict::No { certificate: Certificate::No { rows, multipliers, .. }, .. } = verdict
            && let Some(found) = self.never(rows.clone(), multipliers.clone())
        {
            return ConvergenceVerdict::HalfOpen(found);
        }
        let face = match verdict.separation(self.examples, options, stop) {
            SeparationVerdict::Known(known) => known.certificate,
            SeparationVerdict::Unknown(ended) => return ConvergenceVerdict::Unknown(ended),
        };
        let mut budget = Budget::new(options.work, stop);
        let found = self.of_face(face, &mut budget);
        let confirmed = found.filter(|found| verify_convergence(found, self.examples).is_ok());
        confirmed.map_or_else(
            || ConvergenceVerdict::Unknown(budget.ended()),
            ConvergenceVerdict::HalfOpen,
        )
    }

    /// The answer from the face that every hyperplane without an example on its wrong side contains.
    fn of_face(
        &self,
        face: SeparationCertificate,
        budget: &mut Budget<'_>,
    ) -> Option<ConvergenceCertificate> {
        let weights = parse_weights(&face.weights).ok()?;
        let scores = scores(&weights, self.examples);
        let on_face: Vec<usize> = (0..scores.len()).filter(|&i| scores[i].is_eq()).collect();
        if let Some(&row) = on_face.iter().find(|&&i| self.strict.contains(self.examples.get(i).1))
        {
            let (rows, multipliers) = self.through(&face, row, budget)?;
            return self.never(rows, multipliers);
        }
        let mut found = ConvergenceCertificate {
            convergence: shown(self.examples, &scores, budget)?,
            weights: face.weights,
            ..self.empty()
        };
        let is_certain = found.convergence == Convergence::Always;
        if !is_certain && !self.examples.iter().any(|(_, sign)| self.strict.contains(sign)) {
            // Weights of 0 make no mistake.
            found.convergence = Convergence::FromZero;
            found.weights.fill("0".to_owned());
        }
        if !is_certain && !self.starts_at_zero {
            found.convergence = Convergence::DependsOnOrder;
        }
        Some(found)
    }

    /// A proof that a run never ends, if one of the multipliers belongs to a strict row.
    fn never(&self, rows: Vec<usize>, multipliers: Vec<String>) -> Option<ConvergenceCertificate> {
        let convergence = Convergence::Never;
        let found = ConvergenceCertificate { convergence, rows, multipliers, ..self.empty() };
        verify_convergence(&found, self.examples).is_ok().then_some(found)
    }

    /// The multipliers of a proof of a face, and one for a row of the face.
    fn through(
        &self,
        face: &SeparationCertificate,
        row: usize,
        budget: &mut Budget<'_>,
    ) -> Option<(Vec<usize>, Vec<String>)> {
        let pairs = face.rows.iter().zip(&face.multipliers);
        let given: Option<Combination> =
            pairs.map(|(row, digits)| Some((row - 1, digits.parse().ok()?))).collect();
        let given = given?;
        let found = match given.iter().any(|&(other, _)| other == row) {
            true => given,
            false => with_row(self.examples, false, &given, row, budget)?,
        };
        Some(found.iter().map(|(row, part)| (row + 1, part.to_string())).unzip())
    }

    fn empty(&self) -> ConvergenceCertificate {
        ConvergenceCertificate {
            convergence: Convergence::Never,
            version: CONVERGENCE_VERSION,
            strict: self.strict,
            weights: vec![],
            rows: vec![],
            multipliers: vec![],
        }
    }
}

/// The ending that weights without a mistake show, from the signs of their products; `None` if the budget ends.
fn shown(
    examples: &Examples<'_>,
    scores: &[Ordering],
    budget: &mut Budget<'_>,
) -> Option<Convergence> {
    if zeros(scores).all(|row| is_zero(examples.get(row).0)) {
        return Some(Convergence::Always);
    }
    are_orthogonal(examples, scores, &mut |work| budget.spend(work)).map(|are_orthogonal| {
        match are_orthogonal {
            true => Convergence::FromZero,
            false => Convergence::DependsOnOrder,
        }
    })
}

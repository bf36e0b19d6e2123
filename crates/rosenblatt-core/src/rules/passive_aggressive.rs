//! The common step of the passive-aggressive rules (Crammer et al., *JMLR* 7, 2006). If the hinge loss `l = max(0, 1 −
//! y·s)` is positive, the step is `l / (‖x‖² + softness)`. Loss and ‖x‖² (with the bias feature) are correctly rounded.

use super::StepInput;

/// The kind of the rules, for people.
pub(super) const WORDS: &str = "passive-aggressive";

/// Why their runs have no bound by Novikoff's theorem.
pub(super) const WITHOUT_BOUND: &str =
    "Novikoff's theorem does not cover passive-aggressive updates";

/// The functional margin that the rules aim for.
pub(super) const MARGIN: f64 = 1.0;

/// The step if the loss is positive. `None` for a row of zeros without a bias, which cannot be learned, and for a step
/// that underflows.
pub(super) fn loss_over_norm(input: &StepInput<'_>, softness: f64) -> Option<f64> {
    let step = input.hinge_loss()? / input.squared_norm(softness);
    Some(step).filter(|&step| step > 0.0 && (step.is_finite() || !input.is_zero()))
}

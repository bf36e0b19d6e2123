//! The step that the passive-aggressive rules share (Crammer et al., *JMLR* 7, 2006): where the hinge loss
//! `l = max(0, 1 − y·s)` is positive, `l / (‖x‖² + softness)`. Loss and ‖x‖² (with the bias as a feature) are correctly
//! rounded.

use super::StepInput;

/// The functional margin that the rules bring an example to.
pub(super) const MARGIN: f64 = 1.0;

/// The step where the loss is positive. A row of zeros without a bias cannot be learned and gives `None`; so does a step
/// that underflows.
pub(super) fn loss_over_norm(input: &StepInput<'_>, softness: f64) -> Option<f64> {
    let step = input.hinge_loss()? / input.squared_norm(softness);
    Some(step).filter(|&step| step > 0.0 && (step.is_finite() || !input.is_zero()))
}

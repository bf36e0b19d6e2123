//! Novikoff's theorem in the words and symbols of all reports.

use rosenblatt::{train::Bias, update::Update};

/// The vectors or hyperplanes whose margin is meant, for the end of a sentence.
pub(super) fn space(bias: Bias) -> &'static str {
    match bias {
        Bias::Unit => " for the rows (x, 1)",
        Bias::None => " through the origin",
        Bias::Radius => " with a free bias",
    }
}

/// Novikoff's bound in symbols, of several classes that are learned together.
pub(super) fn joint_formula(update: Update, bias: Bias) -> &'static str {
    match (update == Update::PERCEPTRON, bias) {
        (true, Bias::Unit) => "2(R²+1)/γ²",
        (true, Bias::None) => "2(R/γ)²",
        (true, Bias::Radius) => "2(2R/γ)²",
        (_, Bias::Unit) => "2(R²+1+M/η)/γ²",
        (_, Bias::None) => "2(R²+M/η)/γ²",
        (_, Bias::Radius) => "4(2R²+M/η)/γ²",
    }
}

/// Novikoff's bound in symbols.
pub(super) fn formula(update: Update, bias: Bias) -> &'static str {
    match (update == Update::PERCEPTRON, bias) {
        (true, Bias::Unit) => "(R²+1)/γ²",
        (true, Bias::None) => "(R/γ)²",
        (true, Bias::Radius) => "(2R/γ)²",
        (_, Bias::Unit) => "(R²+1+2M/η)/γ²",
        (_, Bias::None) => "(R²+2M/η)/γ²",
        (_, Bias::Radius) => "4(R²+M/η)/γ²",
    }
}

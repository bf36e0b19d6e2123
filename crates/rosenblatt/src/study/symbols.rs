//! Novikoff's bound in symbols.

use rosenblatt_core::{rules::Rule, train::Bias};

/// Novikoff's bound on the updates of a run from zero, in symbols; `None` for a rule that the theorem does not cover. `square`
/// stands for S² of the bias `unit:S`. See [`margin`](rosenblatt_core::margin), also for several classes that are learned together.
pub fn bound_in_symbols(rule: &Rule, bias: Bias, square: &str, is_joint: bool) -> Option<String> {
    rule.novikoff?;
    let (times, margin) = match (rule.bound_has_margin(), is_joint) {
        (false, false) => ("", ""),
        (false, true) => ("2", ""),
        (true, false) => ("", "+2M/η"),
        (true, true) => ("2", "+M/η"),
    };
    Some(match (bias, margin) {
        (Bias::None, "") => format!("{times}(R/γ)²"),
        (Bias::None, _) => format!("{times}(R²{margin})/γ²"),
        (Bias::Radius, "") => format!("{times}(2R/γ)²"),
        (Bias::Radius, _) => format!("4({times}R²+M/η)/γ²"),
        (Bias::Unit, _) => format!("{times}(R²+1{margin})/γ²"),
        (Bias::Feature(_), _) => format!("{times}(R²+{square}{margin})/γ²"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rosenblatt_core::rules::Update;

    #[test]
    fn the_bound_has_the_terms_of_rule_bias_and_classes() {
        let perceptron = Update::PERCEPTRON.rule();
        let margin = Update::margin(0.0).rule();
        let of = |rule, bias, is_joint| bound_in_symbols(rule, bias, "S²", is_joint).unwrap();
        for (bias, single, joint, with_margin, joint_with_margin) in [
            (Bias::Unit, "(R²+1)/γ²", "2(R²+1)/γ²", "(R²+1+2M/η)/γ²", "2(R²+1+M/η)/γ²"),
            (Bias::Feature(3.0), "(R²+S²)/γ²", "2(R²+S²)/γ²", "(R²+S²+2M/η)/γ²", "2(R²+S²+M/η)/γ²"),
            (Bias::None, "(R/γ)²", "2(R/γ)²", "(R²+2M/η)/γ²", "2(R²+M/η)/γ²"),
            (Bias::Radius, "(2R/γ)²", "2(2R/γ)²", "4(R²+M/η)/γ²", "4(2R²+M/η)/γ²"),
        ] {
            assert_eq!(of(perceptron, bias, false), single);
            assert_eq!(of(perceptron, bias, true), joint);
            assert_eq!(of(margin, bias, false), with_margin);
            assert_eq!(of(margin, bias, true), joint_with_margin);
            assert_eq!(bound_in_symbols(Update::PA.rule(), bias, "", false), None);
        }
    }
}

//! The table of a sweep.

use rosenblatt::study::{Summary, Sweep, SweepPoint};
use rosenblatt_core::train::Bias;

use super::StudyOutcome;
use crate::{
    commands::theorem::formula,
    text::{amount, number, percent},
};

/// One line for each factor; empty without `--sweep`.
pub(super) fn table(outcome: &StudyOutcome<'_>) -> String {
    let Some((kind, points)) = &outcome.sweep else { return String::new() };
    let what = match (kind, outcome.options.bias) {
        (Sweep::Margin, Bias::None) => "each example moved along the normal: the margin times",
        (Sweep::Margin, _) => {
            "the classes moved along the normal of the widest separator: half their distance times"
        }
        (Sweep::Scale, _) => "every second feature times",
        (Sweep::Units, _) => "all features times",
        (Sweep::Outlier, _) => {
            "one example moved parallel to the widest separator: its distance along it times"
        }
    };
    let mut text = format!("\n{what} a factor; epochs are the median\n");
    let formula = formula(outcome.options.update, outcome.options.bias, false);
    let held_out = points.iter().any(|point| point.held_out_errors.is_some());
    text.push_str(&format!(
        "{:>8}  {:>9}  {:>9}  {formula:>12}  {:>9}  {:>8}  {:>8}  {:>8}  {:>8}",
        "factor", "γ ≥", "R", "converged", "min", "median", "max", "epochs"
    ));
    text.push_str(if held_out { "     R/γ ≤  held-out errors\n" } else { "\n" });
    points.iter().for_each(|point| text.push_str(&row(point)));
    text
}

fn row(point: &SweepPoint) -> String {
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    let of = |all: Option<Summary>, pick: fn(&Summary) -> f64| {
        or_none(all.map(|all| amount(pick(&all))))
    };
    let margin = point.theorem.margin.map(|margin| margin.lower);
    let mut text = format!(
        "{:>8}  {:>9}  {:>9}  {:>12}  {:>9}  {:>8}  {:>8}  {:>8}  {:>8}",
        factor(point.factor),
        or_none(margin.map(number)),
        number(point.theorem.radius),
        or_none(point.theorem.bound.map(crate::text::bound)),
        format!("{}/{}", point.converged, point.runs),
        of(point.updates, |all| all.min),
        of(point.updates, |all| all.median),
        of(point.updates, |all| all.max),
        of(point.epochs, |all| all.median),
    );
    if let Some(errors) = point.held_out_errors {
        let ratio = margin.filter(|&margin| margin > 0.0);
        let ratio = or_none(ratio.map(|margin| number(point.theorem.radius / margin)));
        text.push_str(&format!("  {ratio:>8}  {:>15}", percent(errors.mean)));
    }
    text + "\n"
}

/// A factor as text: 0.25, 1/64.
pub(super) fn factor(factor: f64) -> String {
    let inverse = 1.0 / factor;
    if factor < 0.1 && inverse == inverse.trunc() {
        format!("1/{}", number(inverse))
    } else {
        number(factor)
    }
}

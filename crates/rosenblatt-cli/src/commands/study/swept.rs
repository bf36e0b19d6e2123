//! The table of a sweep.

use rosenblatt::{
    study::{Summary, Sweep, SweepPoint},
    train::Bias,
};

use super::StudyOutcome;
use crate::{
    commands::theorem::formula,
    text::{amount, number},
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
    };
    let mut text = format!("\n{what} a factor\n");
    let formula = formula(outcome.options.update, outcome.options.bias);
    text.push_str(&format!(
        "{:>8}  {:>10}  {:>10}  {formula:>14}  {:>9}  {:>9}  {:>9}  {:>9}\n",
        "factor", "γ", "R", "converged", "min", "median", "max"
    ));
    points.iter().for_each(|point| text.push_str(&row(point)));
    text
}

fn row(point: &SweepPoint) -> String {
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    let updates = |pick: fn(&Summary) -> f64| or_none(point.updates.map(|all| amount(pick(&all))));
    format!(
        "{:>8}  {:>10}  {:>10}  {:>14}  {:>9}  {:>9}  {:>9}  {:>9}\n",
        factor(point.factor),
        or_none(point.theorem.margin.map(|margin| number(margin.lower))),
        number(point.theorem.radius),
        or_none(point.theorem.bound.map(crate::text::bound)),
        format!("{}/{}", point.converged, point.runs),
        updates(|all| all.min),
        updates(|all| all.median),
        updates(|all| all.max),
    )
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

//! Novikoff's theorem and the least errors, in the words and symbols of all reports.

use std::borrow::Cow;

use rosenblatt::study::bound_in_symbols;
use rosenblatt_core::{
    rules::Update,
    schedule::Init,
    train::{Bias, Options},
};
use rosenblatt_proofs::{Convergence, ErrorBounds};

use crate::text::{count, exact, number};

/// The vectors or hyperplanes whose margin is meant, for the end of a sentence.
pub(super) fn space(bias: Bias) -> Cow<'static, str> {
    match bias {
        Bias::Unit => " for the rows (x, 1)".into(),
        Bias::Feature(size) => format!(" for the rows (x, {})", exact(size)).into(),
        Bias::None => " through the origin".into(),
        Bias::Radius => " with a free bias".into(),
    }
}

/// The norm of the longest of these vectors in symbols, and as a number for the norm of the longest row.
pub(super) fn longest(bias: Bias, radius: f64) -> (Cow<'static, str>, f64) {
    match bias {
        Bias::Unit => ("√(R²+1)".into(), radius.hypot(1.0)),
        Bias::Feature(size) => {
            (format!("√(R²+{})", number(size * size)).into(), radius.hypot(size))
        }
        Bias::Radius | Bias::None => ("R".into(), radius),
    }
}

/// Novikoff's bound in symbols; `is_joint` for several classes that are learned together.
pub(super) fn formula(update: Update, bias: Bias, is_joint: bool) -> String {
    let square = match bias {
        Bias::Feature(size) => number(size * size),
        _ => String::new(),
    };
    bound_in_symbols(update.rule(), bias, &square, is_joint).unwrap_or_default()
}

/// Whether runs of these options end. Without a separator, weights are right by the way in which the rule counts a score of 0.
pub(super) fn ending(convergence: Convergence, is_separable: bool, options: &Options) -> String {
    let origin = if options.bias == Bias::None { " through the origin" } else { "" };
    let right = match is_separable {
        true => format!("a hyperplane{origin} separates the classes"),
        false => format!("a hyperplane{origin} is right on all rows by this rule"),
    };
    let start = if options.init == Init::Zero { "" } else { " and on the start" };
    match convergence {
        Convergence::Always => {
            format!("{right}: a run ends, in every order, unless updates are lost to rounding")
        }
        Convergence::FromZero => {
            format!("{right}: a run from zero ends in every order, if no update is rounded")
        }
        Convergence::DependsOnOrder => {
            format!("{right}, but whether a run finds one depends on the order{start}")
        }
        Convergence::Never => {
            let so = match options.update.moves_only_on_mistakes() {
                true => "every epoch has a mistake",
                false => "no run ends by itself",
            };
            format!("no hyperplane{origin} is right on all rows by this rule, so {so}")
        }
    }
}

/// The reason why more updates were made than a bound allows, which is about exact sums.
pub(super) const LOST: &str = ", because updates were lost to rounding";

/// Bounds on the least errors that any hyperplane makes, with a bias or through the origin.
pub(super) fn least_errors(bounds: ErrorBounds, with_bias: bool) -> String {
    let (lower, upper) = (count(bounds.lower as u64), count(bounds.upper as u64));
    let least = if with_bias {
        "least errors of any hyperplane"
    } else {
        "least errors of any hyperplane through the origin"
    };
    if bounds.lower == bounds.upper {
        return format!("{least} = {upper}");
    }
    format!("{lower} ≤ {least} ≤ {upper}")
}

/// The vectors of a proof in symbols.
pub(super) fn vector(with_bias: bool) -> &'static str {
    if with_bias { "(xᵢ, 1)" } else { "xᵢ" }
}

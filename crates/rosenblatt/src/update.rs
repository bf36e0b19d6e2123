//! When, and how far, the weights move; and what counts as a mistake.
//!
//! To add an update rule, add a value to [`Update`] and its lines to `Update::step` and to its text.

use std::{cmp::Ordering, fmt, str::FromStr};

use crate::{
    data::{Sign, ZeroScore},
    space::{Hyperplane, Seen},
};

/// Says when a visit of an example with score `s` and sign `y` is a mistake. The two differ only where
/// the score is exactly 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mistake {
    /// `y·s ≤ 0`: a score of 0 is a mistake for both classes.
    #[default]
    Margin,
    /// The predicted label is not `y`; what `s = 0` predicts is said by [`ZeroScore`].
    Label,
}

impl Mistake {
    /// Whether an example of class `sign` whose score compares to 0 as `score` is a mistake, where a score of 0
    /// predicts what `zero` says.
    #[inline]
    pub fn holds(self, score: Ordering, sign: Sign, zero: ZeroScore) -> bool {
        match (self, sign) {
            (Mistake::Label, _) => zero.predicts(score) != sign,
            (Mistake::Margin, Sign::Plus) => score != Ordering::Greater,
            (Mistake::Margin, Sign::Minus) => score != Ordering::Less,
        }
    }
}

/// When, and how far, the weights move: by `step · y · x`, the bias by `step · y · (bias unit)`.
///
/// In text: `perceptron`, `margin:M`, `pa`, `pa1:C`, `pa2:C`.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Update {
    /// Rosenblatt's rule: on a mistake, by the learning rate.
    #[default]
    Perceptron,
    /// While the functional margin is at most M ≥ 0, by the learning rate (the perceptron with margin;
    /// Krauth & Mézard 1987; Li et al., *The perceptron algorithm with uneven margins*, 2002).
    Margin(f64),
    /// Passive-aggressive (Crammer et al., *JMLR* 7, 2006): where the hinge loss `l = max(0, 1 − y·s)` is
    /// positive, by `l / ‖x‖²`, which brings the functional margin to 1.
    Pa,
    /// PA-I: by `min(C, l / ‖x‖²)`.
    Pa1(f64),
    /// PA-II: by `l / (‖x‖² + 1/(2C))`.
    Pa2(f64),
}

/// What a rule looks at: an example before the update, and the weights.
pub(crate) struct Sight<'a, S> {
    pub(crate) hyperplane: &'a Hyperplane,
    pub(crate) seen: &'a S,
    pub(crate) sign: Sign,
    pub(crate) mistake: bool,
    /// What ‖x‖² gains by the bias being a feature: the bias unit.
    pub(crate) bias_square: f64,
}

impl Update {
    /// The step of a visit, or `None` when the weights stay. `rate` is the learning rate times the
    /// weights of the example and its class; the passive-aggressive rules choose their step themselves, and
    /// these weights multiply their C. They take correctly rounded values of loss and ‖x‖²
    /// (with the bias as a feature).
    #[inline]
    pub(crate) fn step<S: Seen>(self, sight: &Sight<'_, S>, rate: f64) -> Option<f64> {
        match self {
            Update::Perceptron => sight.mistake.then_some(rate),
            Update::Margin(margin) => (sight.mistake || sight.is_within(margin)).then_some(rate),
            Update::Pa => sight.loss_over_norm(0.0),
            Update::Pa1(most) => sight.loss_over_norm(0.0).map(|step| step.min(most * rate)),
            Update::Pa2(c) => sight.loss_over_norm(1.0 / (2.0 * c * rate)),
        }
    }

    /// The functional margin, at least 0, beyond which there is no mistake and no step.
    pub(crate) fn rests_beyond(self) -> f64 {
        match self {
            Update::Perceptron => 0.0,
            Update::Margin(margin) => margin,
            Update::Pa | Update::Pa1(_) | Update::Pa2(_) => 1.0,
        }
    }

    /// Whether the rule chooses its own step. Such a rule may approach its margin of 1 for ever, so
    /// that an epoch without a mistake ends its run even if it made updates.
    pub(crate) fn is_passive_aggressive(self) -> bool {
        matches!(self, Update::Pa | Update::Pa1(_) | Update::Pa2(_))
    }

    /// The parameter, if the rule has one, and whether it may have that value.
    pub(crate) fn parameter(self) -> Option<(f64, bool)> {
        match self {
            Update::Perceptron | Update::Pa => None,
            Update::Margin(margin) => Some((margin, margin.is_finite() && margin >= 0.0)),
            Update::Pa1(c) | Update::Pa2(c) => Some((c, c.is_finite() && c > 0.0)),
        }
    }
}

impl<S: Seen> Sight<'_, S> {
    /// Whether `y·s ≤ margin`, exactly.
    fn is_within(&self, margin: f64) -> bool {
        let compared = self.seen.compare(self.hyperplane, self.sign * margin);
        match self.sign {
            Sign::Plus => compared != Ordering::Greater,
            Sign::Minus => compared != Ordering::Less,
        }
    }

    /// The hinge loss, rounded once, where it is positive: `1 − y·s = −y·(s − y)`.
    fn loss(&self) -> Option<f64> {
        if !self.mistake && !self.is_within(1.0) {
            return None;
        }
        let beyond = self.seen.score_beyond(self.hyperplane, self.sign.as_f64());
        Some(-(self.sign * beyond)).filter(|&loss| loss > 0.0)
    }

    /// `l / (‖x‖² + softness)` where the loss is positive. A row of zeros without a bias cannot be
    /// learned and gives `None`; so does a step that underflows.
    fn loss_over_norm(&self, softness: f64) -> Option<f64> {
        let step = self.loss()? / (self.seen.squared_norm(self.bias_square) + softness);
        Some(step).filter(|&step| step > 0.0 && (step.is_finite() || !self.is_zero()))
    }

    fn is_zero(&self) -> bool {
        self.bias_square == 0.0 && self.seen.is_zero()
    }
}

impl fmt::Display for Update {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Update::Perceptron => f.write_str("perceptron"),
            Update::Margin(margin) => write!(f, "margin:{margin}"),
            Update::Pa => f.write_str("pa"),
            Update::Pa1(c) => write!(f, "pa1:{c}"),
            Update::Pa2(c) => write!(f, "pa2:{c}"),
        }
    }
}

/// A text that names no update rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected perceptron, margin:M, pa, pa1:C or pa2:C, with M ≥ 0 and C > 0")]
pub struct UnknownUpdate;

impl FromStr for Update {
    type Err = UnknownUpdate;

    fn from_str(text: &str) -> Result<Self, UnknownUpdate> {
        let (name, parameter) = match text.split_once(':') {
            None => (text, None),
            Some((name, number)) => (name, Some(number.parse().map_err(|_| UnknownUpdate)?)),
        };
        let update = match (name, parameter) {
            ("perceptron", None) => Update::Perceptron,
            ("margin", Some(margin)) => Update::Margin(margin),
            ("pa", None) => Update::Pa,
            ("pa1", Some(c)) => Update::Pa1(c),
            ("pa2", Some(c)) => Update::Pa2(c),
            _ => return Err(UnknownUpdate),
        };
        update.parameter().is_none_or(|(_, good)| good).then_some(update).ok_or(UnknownUpdate)
    }
}

impl TryFrom<String> for Update {
    type Error = UnknownUpdate;

    fn try_from(text: String) -> Result<Self, UnknownUpdate> {
        text.parse()
    }
}

impl From<Update> for String {
    fn from(update: Update) -> Self {
        update.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Ordering::{Equal, Greater, Less};

    #[test]
    fn rules_have_names() {
        for text in ["perceptron", "margin:0", "margin:0.1", "pa", "pa1:1e300", "pa2:0.5"] {
            let update: Update = text.parse().unwrap();
            assert_eq!(update.to_string().parse(), Ok(update));
        }
        for text in ["", "Perceptron", "margin", "margin:-1", "margin:nan", "pa:1", "pa1:0", "pa2:"]
        {
            assert_eq!(text.parse::<Update>(), Err(UnknownUpdate), "{text}");
        }
    }

    #[test]
    fn the_rules_differ_only_at_zero_for_the_class_that_it_predicts() {
        for (zero, predicted) in
            [(ZeroScore::Positive, Sign::Plus), (ZeroScore::Negative, Sign::Minus)]
        {
            let both = |score, sign| {
                (Mistake::Margin.holds(score, sign, zero), Mistake::Label.holds(score, sign, zero))
            };
            assert_eq!(both(Equal, predicted), (true, false));
            assert_eq!(both(Equal, -predicted), (true, true));
            assert_eq!(both(Greater, Sign::Plus), (false, false));
            assert_eq!(both(Less, Sign::Plus), (true, true));
            assert_eq!(both(Greater, Sign::Minus), (true, true));
            assert_eq!(both(Less, Sign::Minus), (false, false));
        }
    }
}

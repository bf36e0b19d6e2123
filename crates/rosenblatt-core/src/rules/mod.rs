//! Update rules: when and how far the weights move, and the definition of a mistake.
//!
//! A rule is one file with its [`Rule`], a table of named properties, and one entry in [`ALL`]. Code of the engine that treats
//! rules differently depends on a property, never on a name. Only a rule whose [`Rule::step`] is the learning rate
//! reaches a loop that assumes it.

mod arow;
mod margin;
mod mistake;
mod pa;
mod pa1;
mod pa2;
mod passive_aggressive;
mod perceptron;
mod precise;
mod second_order;

pub use mistake::Mistake;
pub use precise::{Moved, Precise, PreciseMove};

use std::{cmp::Ordering, fmt, str::FromStr};

use crate::{data::Sign, hyperplane::Hyperplane};

/// All rules, in the order in which messages list them.
pub static ALL: [&Rule; 7] = [
    &perceptron::RULE,
    &margin::RULE,
    &pa::RULE,
    &pa1::RULE,
    &pa2::RULE,
    &arow::RULE,
    &second_order::RULE,
];

/// An update rule: its name and its properties.
#[derive(Debug)]
#[non_exhaustive]
pub struct Rule {
    /// The name in text.
    pub name: &'static str,
    /// The name for people, in a list of rules.
    pub label: &'static str,
    /// When it updates, or of what kind it is, in a list of rules.
    pub words: &'static str,
    /// The parameter, which follows the name after a colon.
    pub parameter: Option<Parameter>,
    /// When and how far the weights move.
    pub step: Step,
    /// The symbol of the length of a step.
    pub symbol: &'static str,
    /// For a second-order rule, how a step moves each weight and its precision; otherwise a step τ moves w by τ·y·x.
    pub precise: Option<&'static dyn Precise>,
    /// The functional margin, computed from the parameter, above which an example is neither a mistake nor a reason to
    /// update; at least 0.
    pub inactive_above: fn(f64) -> f64,
    /// Whether an epoch without mistakes ends the run even if it made updates. A rule that may approach its margin
    /// indefinitely needs this.
    pub ends_despite_updates: bool,
    /// Whether the learning rate η multiplies the steps; otherwise η must be 1.
    pub takes_learning_rate: bool,
    /// Whether the last weights usually predict better than their average, because the steps become small.
    pub keeps_last: bool,
    /// Whether weights of classes and examples have an effect.
    pub takes_weights: bool,
    /// The margin M, computed from the parameter, for which k ≤ (R² + 2M/η)/γ² bounds the updates of a run from zero.
    /// `None` for a rule that Novikoff's theorem does not cover.
    pub novikoff: Option<fn(f64) -> f64>,
    /// Why a run has no such bound, for a rule that the theorem does not cover.
    pub without_bound: Option<&'static str>,
}

/// The kind of a length of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepLength {
    /// The learning rate.
    Rate,
    /// Chosen by the rule.
    Own,
    /// Chosen by the rule, and divided among the weights by their precisions.
    OwnPerWeight,
}

/// The events of which the epoch that ends a run has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CleanOf {
    /// Mistakes.
    Mistake,
    /// Updates, mistakes or not.
    Update,
}

impl CleanOf {
    /// The word for one.
    pub fn noun(self) -> &'static str {
        match self {
            CleanOf::Mistake => "mistake",
            CleanOf::Update => "update",
        }
    }
}

impl Rule {
    /// The kind of the length of its steps.
    pub fn step_length(&self) -> StepLength {
        match (self.precise, self.step) {
            (Some(_), _) => StepLength::OwnPerWeight,
            (None, Step::Own(_)) => StepLength::Own,
            (None, _) => StepLength::Rate,
        }
    }

    /// The events of which the epoch that ends a run has none.
    pub fn clean_of(&self) -> CleanOf {
        let updates_on_mistakes = (self.inactive_above)(1.0) == 0.0;
        if updates_on_mistakes || self.ends_despite_updates {
            CleanOf::Mistake
        } else {
            CleanOf::Update
        }
    }

    /// Whether its bound is the perceptron's, from R and γ alone.
    pub fn has_perceptron_bound(&self) -> bool {
        self.novikoff.is_some() && !self.bound_has_margin()
    }

    /// Whether the margin M is a term of its bound.
    pub fn bound_has_margin(&self) -> bool {
        self.novikoff.is_some_and(|margin| margin(1.0) > 0.0)
    }

    /// Its name, with a letter for its parameter: `margin:M`.
    pub fn form(&self) -> String {
        let parameter = self.parameter.map(|parameter| format!(":{}", parameter.letter()));
        self.name.to_owned() + &parameter.unwrap_or_default()
    }
}

/// All rules for a sentence of help: each kind in its words, with the forms of its rules.
pub(crate) fn explained() -> String {
    let kinds = ALL.chunk_by(|one, next| one.words == next.words);
    let kinds = kinds.map(|kind| {
        let forms: Vec<String> = kind.iter().map(|rule| rule.form()).collect();
        format!("{} ({})", kind[0].words, forms.join(", "))
    });
    let kinds: Vec<String> = kinds.collect();
    let (last, others) =
        kinds.split_last().map_or(("", [].as_slice()), |(last, others)| (last, others));
    format!("{}, or {last}", others.join(", "))
}

/// The parameter of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// A functional margin M ≥ 0.
    Margin,
    /// An aggressiveness C > 0.
    Aggressiveness,
    /// A regularization R > 0.
    Regularization,
    /// The number A > 0 on the diagonal of the first matrix.
    Diagonal,
}

/// When a rule steps, and how far.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// The learning rate, on a mistake.
    OnMistake,
    /// The learning rate, on a mistake and if the functional margin is at most [`Rule::inactive_above`].
    WithinMargin,
    /// The value of this function of an example, the parameter and the learning rate; `None` for no update.
    Own(OwnStep),
}

/// The step of a rule that chooses its own.
pub type OwnStep = fn(&StepInput<'_>, f64, f64) -> Option<f64>;

/// The view of an example that a rule needs. Its scores are decided exactly.
pub trait ExampleView {
    /// Compares the score with `threshold`.
    fn compare(&self, hyperplane: &Hyperplane, threshold: f64) -> Ordering;
    /// The score minus `threshold`, rounded once.
    fn score_beyond(&self, hyperplane: &Hyperplane, threshold: f64) -> f64;
    /// `‖φ(x)‖² + extra`, rounded once.
    fn squared_norm(&self, extra: f64) -> f64;
    /// Whether φ(x) is 0.
    fn is_zero(&self) -> bool;
}

/// The input of a rule: an example before the update, and the weights.
pub struct StepInput<'a> {
    pub(crate) hyperplane: &'a Hyperplane,
    pub(crate) example: &'a dyn ExampleView,
    pub(crate) sign: Sign,
    pub(crate) mistake: bool,
    /// The bias unit, which the bias feature adds to ‖x‖².
    pub(crate) bias_square: f64,
    /// Computes [`StepInput::variance`].
    pub(crate) variance: &'a dyn Fn() -> f64,
}

impl StepInput<'_> {
    /// Whether the visit is a mistake.
    pub fn is_mistake(&self) -> bool {
        self.mistake
    }

    /// Whether the functional margin `y·s` is at most `margin`, exactly.
    pub fn is_within(&self, margin: f64) -> bool {
        let compared = self.example.compare(self.hyperplane, self.sign * margin);
        match self.sign {
            Sign::Plus => compared != Ordering::Greater,
            Sign::Minus => compared != Ordering::Less,
        }
    }

    /// The hinge loss `max(0, 1 − y·s)`, rounded once, if it is positive: `1 − y·s = −y·(s − y)`.
    pub fn hinge_loss(&self) -> Option<f64> {
        if !self.mistake && !self.is_within(1.0) {
            return None;
        }
        let beyond = self.example.score_beyond(self.hyperplane, self.sign.as_f64());
        Some(-(self.sign * beyond)).filter(|&loss| loss > 0.0)
    }

    /// ‖x‖² with the bias feature, rounded once, plus `extra`, rounded again.
    pub fn squared_norm(&self, extra: f64) -> f64 {
        self.example.squared_norm(self.bias_square) + extra
    }

    /// The variance of the score by the precisions a of the weights: Σ x·(x/a) from the first feature to the last, then B/a
    /// of the bias, each operation rounded. 0 without precisions.
    pub fn variance(&self) -> f64 {
        (self.variance)()
    }

    /// Whether no step along the example can move the weights or the bias.
    pub fn is_zero(&self) -> bool {
        self.bias_square == 0.0 && self.example.is_zero()
    }
}

/// An update rule with its parameter. The weights move by `step · y · x`, the bias by `step · y · (bias unit)`. With a
/// second-order rule each weight moves by its own part of this ([`Precise`]).
///
/// In text: `perceptron`, `margin:M`, `pa`, `pa1:C`, `pa2:C`, `arow:R`, `second-order:A`.
///
/// ```
/// use rosenblatt_core::rules::Update;
/// assert_eq!("margin:0.5".parse(), Ok(Update::margin(0.5)));
/// assert_eq!(Update::PERCEPTRON.to_string(), "perceptron");
/// ```
#[derive(Clone, Copy, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Update {
    rule: &'static Rule,
    /// The parameter; 0 for a rule without one.
    parameter: f64,
}

impl Update {
    const fn new(rule: &'static Rule, parameter: f64) -> Self {
        Update { rule, parameter }
    }

    /// The properties of the rule.
    pub fn rule(self) -> &'static Rule {
        self.rule
    }

    /// The parameter, if the rule has one.
    pub fn parameter(self) -> Option<f64> {
        self.rule.parameter.map(|_| self.parameter)
    }

    /// Whether the value of the parameter is allowed.
    pub fn is_sound(self) -> bool {
        self.rule.parameter.is_none_or(|parameter| parameter.allows(self.parameter))
    }

    /// The functional margin, at least 0, above which an example is neither a mistake nor a reason to update.
    pub(crate) fn inactive_above(self) -> f64 {
        (self.rule.inactive_above)(self.parameter)
    }

    /// Whether nothing but a mistake moves the weights, so that an epoch without one leaves them as they are.
    pub fn moves_only_on_mistakes(self) -> bool {
        matches!(self.rule.step, Step::OnMistake)
    }

    /// Whether every update adds the learning rate times a row.
    #[cfg(all(feature = "fast", target_arch = "x86_64"))]
    pub(crate) fn has_constant_step(self) -> bool {
        !matches!(self.rule.step, Step::Own(_)) && !self.has_precisions()
    }

    /// Whether each weight has a precision.
    pub(crate) fn has_precisions(self) -> bool {
        self.rule.precise.is_some()
    }

    /// The precision of every weight before its first update; `None` for a rule without precisions.
    pub fn first_precision(self) -> Option<f64> {
        self.rule.precise.map(|precise| precise.first(self.parameter))
    }

    /// The numbers of an update that all weights share; `step` has the sign of the example.
    pub(crate) fn precise_move(self, step: f64, rate: f64) -> PreciseMove {
        PreciseMove { step, rate, parameter: self.parameter }
    }

    /// The margin M of Novikoff's bound; see [`Rule::novikoff`].
    pub(crate) fn novikoff(self) -> Option<f64> {
        self.rule.novikoff.map(|margin| margin(self.parameter))
    }

    /// The step of a visit, or `None` for no update. `rate` is the learning rate times the weights of the example and
    /// its class.
    #[inline]
    pub(crate) fn step(self, input: &StepInput<'_>, rate: f64) -> Option<f64> {
        match self.rule.step {
            Step::OnMistake => input.mistake.then_some(rate),
            Step::WithinMargin => {
                (input.mistake || input.is_within(self.inactive_above())).then_some(rate)
            }
            Step::Own(step) => step(input, self.parameter, rate),
        }
    }
}

impl Parameter {
    /// The letter of the parameter in text.
    pub fn letter(self) -> char {
        match self {
            Parameter::Margin => 'M',
            Parameter::Aggressiveness => 'C',
            Parameter::Regularization => 'R',
            Parameter::Diagonal => 'A',
        }
    }

    /// Whether the parameter may have this value.
    pub fn allows(self, value: f64) -> bool {
        let least = match self {
            Parameter::Margin => 0.0,
            Parameter::Aggressiveness | Parameter::Regularization | Parameter::Diagonal => {
                f64::from_bits(1)
            }
        };
        value.is_finite() && value >= least
    }
}

impl Default for Update {
    fn default() -> Self {
        Update::PERCEPTRON
    }
}

impl PartialEq for Update {
    fn eq(&self, other: &Self) -> bool {
        self.rule.name == other.rule.name && self.parameter == other.parameter
    }
}

impl fmt::Debug for Update {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Update({self})")
    }
}

impl fmt::Display for Update {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rule.parameter {
            None => f.write_str(self.rule.name),
            // As decimals these numbers would have many zeros.
            Some(_)
                if self.parameter >= 1e21 || (0.0 < self.parameter && self.parameter < 1e-7) =>
            {
                write!(f, "{}:{:e}", self.rule.name, self.parameter)
            }
            Some(_) => write!(f, "{}:{}", self.rule.name, self.parameter),
        }
    }
}

/// A text that is not an update rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownUpdate;

impl std::error::Error for UnknownUpdate {}

impl fmt::Display for UnknownUpdate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected ")?;
        for (number, rule) in ALL.iter().enumerate() {
            f.write_str(match number {
                0 => "",
                _ if number + 1 == ALL.len() => " or ",
                _ => ", ",
            })?;
            f.write_str(&rule.form())?;
        }
        f.write_str(", with M ≥ 0 and C, R, A > 0")
    }
}

impl FromStr for Update {
    type Err = UnknownUpdate;

    fn from_str(text: &str) -> Result<Self, UnknownUpdate> {
        let (name, parameter) = match text.split_once(':') {
            None => (text, None),
            Some((name, number)) => (name, Some(number.parse().map_err(|_| UnknownUpdate)?)),
        };
        let rule = ALL.iter().copied().find(|rule| rule.name == name).ok_or(UnknownUpdate)?;
        if rule.parameter.is_some() != parameter.is_some() {
            return Err(UnknownUpdate);
        }
        let update = Update::new(rule, parameter.unwrap_or(0.0));
        if update.is_sound() { Ok(update) } else { Err(UnknownUpdate) }
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

    #[test]
    fn rules_have_names() {
        for text in [
            "perceptron",
            "margin:0",
            "margin:0.1",
            "pa",
            "pa1:1e300",
            "pa2:0.5",
            "arow:1",
            "second-order:2",
        ] {
            let update: Update = text.parse().unwrap();
            assert_eq!(update.to_string().parse(), Ok(update));
            assert!(update.to_string().len() < 17, "{update}");
        }
        for text in ["", "Perceptron", "margin", "margin:-1", "margin:nan", "pa:1", "pa1:0", "pa2:"]
        {
            assert_eq!(text.parse::<Update>(), Err(UnknownUpdate), "{text}");
        }
    }

    #[test]
    fn a_rule_has_a_bound_or_the_reason_why_not() {
        for rule in ALL {
            assert_ne!(rule.novikoff.is_some(), rule.without_bound.is_some(), "{}", rule.name);
        }
    }

    /// As the trainer ends a run: after an epoch without updates, and of some rules without mistakes.
    #[test]
    fn an_epoch_is_clean_of_mistakes_or_of_updates() {
        let clean_of = ALL.map(|rule| (rule.name, rule.clean_of().noun()));
        assert_eq!(
            clean_of,
            [
                ("perceptron", "mistake"),
                ("margin", "update"),
                ("pa", "mistake"),
                ("pa1", "mistake"),
                ("pa2", "mistake"),
                ("arow", "mistake"),
                ("second-order", "mistake"),
            ]
        );
    }

    #[test]
    fn the_message_lists_all_rules() {
        assert_eq!(
            UnknownUpdate.to_string(),
            "expected perceptron, margin:M, pa, pa1:C, pa2:C, arow:R or second-order:A, with M ≥ 0 and C, R, A > 0"
        );
    }

    /// A model file could not distinguish two rules with the same name.
    #[test]
    fn names_are_unique() {
        let names: std::collections::BTreeSet<&str> = ALL.iter().map(|rule| rule.name).collect();
        assert_eq!(names.len(), ALL.len());
    }
}

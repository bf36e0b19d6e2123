//! From the words of the command to the engine's options.

use rosenblatt::{
    data::Classes,
    schedule::Order,
    train::{ClassWeight, Options},
};

use crate::{args::LearnArgs, failure::Failure};

impl LearnArgs {
    /// The engine's options; the class weights wait for the classes.
    pub(in crate::commands) fn options(&self) -> Options {
        Options {
            update: self.update,
            keep: self.keep.into(),
            kernel: self.kernel,
            bias: self.bias.into(),
            mistake: self.mistake.into(),
            zero: self.zero.into(),
            order: self.order.map_or(Order::Shuffle, Into::into),
            init: self.init.into(),
            seed: self.seed,
            epochs: self.epochs,
            allow_mistakes: self.allow_mistakes,
            eta: self.eta,
            compare: !self.no_compare,
            ..Options::default()
        }
    }
}

/// The weights of the classes by their labels.
pub(in crate::commands) fn class_weight(
    text: &str,
    classes: &Classes,
) -> Result<ClassWeight, Failure> {
    match text {
        "uniform" => return Ok(ClassWeight::Uniform),
        "balanced" => return Ok(ClassWeight::Balanced),
        _ => {}
    }
    let bad = |what: String| {
        let example: Vec<String> = classes
            .names()
            .iter()
            .take(2)
            .zip(1..)
            .map(|(name, i)| format!("{name}={i}"))
            .collect();
        let hint = format!("`balanced`, `uniform`, or for example `{}`", example.join(","));
        Failure::usage(format!("--class-weight {what}"), hint)
    };
    let mut weights = vec![None; classes.names().len()];
    for part in text.split(',') {
        let (label, weight) =
            part.rsplit_once('=').ok_or_else(|| bad(format!("`{part}` is not LABEL=WEIGHT")))?;
        let number = weight.trim().parse().ok().filter(|w: &f64| w.is_finite() && *w > 0.0);
        let number = number.ok_or_else(|| bad(format!("`{weight}` is not a positive number")))?;
        let known = classes.names().iter().any(|name| name == label.trim())
            || !classes.is_one_against_rest();
        let Some(class) = classes.number(label.trim()).filter(|_| known) else {
            return Err(bad(format!("`{label}` is not a class")));
        };
        if weights[class].replace(number).is_some() {
            return Err(bad(format!("gives the class `{label}` two weights")));
        }
    }
    Ok(ClassWeight::Given(weights.into_iter().map(|weight| weight.unwrap_or(1.0)).collect()))
}

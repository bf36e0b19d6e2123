//! From the words of the command to the engine's options.

use rosenblatt::{
    data::{Classes, Sign},
    train::{ClassWeight, Options},
};

use crate::{args::LearnArgs, failure::Failure};

impl LearnArgs {
    /// The engine's options; the class weights wait for the classes.
    pub(super) fn options(&self) -> Options {
        Options {
            update: self.update,
            keep: self.keep.into(),
            bias: self.bias.into(),
            mistake: self.mistake.into(),
            order: self.order.into(),
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

/// The weights of the two classes by their labels.
pub(super) fn class_weight(text: &str, classes: &Classes) -> Result<ClassWeight, Failure> {
    match text {
        "uniform" => return Ok(ClassWeight::Uniform),
        "balanced" => return Ok(ClassWeight::Balanced),
        _ => {}
    }
    let bad = |what: String| {
        let [first, second] = classes.names();
        let hint = format!("`balanced`, `uniform`, or for example `{first}=1,{second}=2`");
        Failure::usage(format!("--class-weight {what}"), hint)
    };
    let (mut minus, mut plus) = (None, None);
    for part in text.split(',') {
        let (label, weight) =
            part.rsplit_once('=').ok_or_else(|| bad(format!("`{part}` is not LABEL=WEIGHT")))?;
        let number = weight.trim().parse().ok().filter(|w: &f64| w.is_finite() && *w > 0.0);
        let number = number.ok_or_else(|| bad(format!("`{weight}` is not a positive number")))?;
        let known = classes.names().iter().any(|name| name == label.trim())
            || !classes.is_one_against_rest();
        let earlier = match classes.sign(label.trim()).filter(|_| known) {
            Some(Sign::Plus) => plus.replace(number),
            Some(Sign::Minus) => minus.replace(number),
            None => return Err(bad(format!("`{label}` is not a class"))),
        };
        if earlier.is_some() {
            return Err(bad(format!("gives the class `{label}` two weights")));
        }
    }
    Ok(ClassWeight::Given { minus: minus.unwrap_or(1.0), plus: plus.unwrap_or(1.0) })
}

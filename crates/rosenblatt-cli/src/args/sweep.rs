//! `--sweep`: an option of the run and the values to compare.

use std::str::FromStr;

use rosenblatt::{LearningRate, Penalty};
use rosenblatt_core::{
    rules::Update,
    train::{OptionInfo, Options},
};
use serde_json::{Value, to_value};

/// An option of the run and its values, such as `C=0.01,0.1,1`.
#[derive(Clone, Debug)]
pub(crate) struct SweepValues {
    /// The name of the option, or of the parameter of the update rule or of the penalty.
    pub(crate) name: String,
    pub(crate) values: Vec<String>,
}

/// The options whose values are no alternatives: one belongs to the classes, the other would choose a lucky order.
const EXCLUDED: [&str; 2] = ["class_weight", "seed"];

impl FromStr for SweepValues {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let expected = || "expected OPTION=VALUE,VALUE,…, such as C=0.01,0.1,1".to_owned();
        let (name, values) = word.split_once('=').ok_or_else(expected)?;
        let values: Vec<String> = values.split(',').map(|value| value.trim().to_owned()).collect();
        let name = name.trim_start_matches("--").to_owned();
        let twice = (1..values.len()).find(|&i| values[..i].contains(&values[i]));
        match twice {
            _ if name.is_empty() || values.len() < 2 || values.contains(&String::new()) => {
                Err(expected())
            }
            Some(i) => Err(format!("the value {} is given twice", values[i])),
            None => Ok(SweepValues { name, values }),
        }
    }
}

impl SweepValues {
    /// The options of a run with one of the values; or what is wrong with it.
    pub(crate) fn options(&self, base: &Options, value: &str) -> Result<Options, String> {
        let number = || value.parse().map_err(|_| format!("`{value}` is not a number"));
        let rule = base.update.rule();
        if let Some(parameter) = rule.parameter
            && parameter.letter().to_string() == self.name
        {
            let update: Result<Update, _> = format!("{}:{value}", rule.name).parse();
            let update = update.map_err(|_| {
                format!("`{value}` is no value of {} of `--update {}`", self.name, rule.form())
            })?;
            return Ok(Options { update, ..base.clone() });
        }
        if let ("alpha", Some(penalty)) = (self.name.as_str(), base.penalty) {
            let penalty = Some(Penalty { alpha: number()?, ..penalty });
            return Ok(Options { penalty, ..base.clone() });
        }
        let key = self.name.replace('-', "_");
        let option = OptionInfo::named(&key).filter(|_| !EXCLUDED.contains(&key.as_str()));
        if option.is_none() {
            return Err(self.unknown());
        }
        if key == "eta" {
            let rate: LearningRate =
                value.parse().map_err(|error| format!("`{value}`: {error}"))?;
            return Ok(Options { eta: rate.eta, decay: rate.decay, ..base.clone() });
        }
        let wrong = |error: serde_json::Error| format!("`{value}`: {error}");
        let mut json = to_value(base).map_err(wrong)?;
        // A number where the value of the option is one.
        let is_number = json.get(&key).is_some_and(Value::is_number);
        json[&key] =
            match value.parse::<Value>().ok().filter(|value| is_number && value.is_number()) {
                Some(number) => number,
                None => value.into(),
            };
        let options: Options = serde_json::from_value(json).map_err(wrong)?;
        // As in a run that is given the value: with an end of its own it does not end at a plateau.
        let plateau = base.plateau && key != "epochs" && options.allow_mistakes == 0;
        // JSON does not have weights that are given.
        let init = if key == "init" { options.init } else { base.init.clone() };
        Ok(Options { compare: base.compare, plateau, init, ..options })
    }

    fn unknown(&self) -> String {
        let name = &self.name;
        match name.as_str() {
            "C" | "M" | "R" | "A" => format!("the update rule has no parameter {name}"),
            "alpha" => "there is no penalty, whose strength is alpha".to_owned(),
            _ => format!("`{name}` is no option of a run that can be swept"),
        }
    }
}

#[cfg(test)]
mod tests {
    use rosenblatt::Decay;

    use super::*;

    fn swept(word: &str, base: &Options) -> Result<Vec<Options>, String> {
        let sweep: SweepValues = word.parse()?;
        sweep.values.iter().map(|value| sweep.options(base, value)).collect()
    }

    #[test]
    fn values_become_options() {
        let base = Options {
            update: Update::pa1(1.0),
            penalty: "elasticnet:1:0.5".parse().ok(),
            plateau: true,
            compare: true,
            ..Options::default()
        };
        let two = swept("C=0.1,2", &base).unwrap();
        assert_eq!(two[0], Options { update: Update::pa1(0.1), ..base.clone() });
        let two = swept("alpha=0.1,2", &base).unwrap();
        assert_eq!(two[1].penalty.unwrap().to_string(), "elasticnet:2:0.5");
        let two = swept("--epochs=1,20", &base).unwrap();
        assert_eq!(two[1], Options { epochs: 20, plateau: false, ..base.clone() });
        let two = swept("allow-mistakes=0,3", &base).unwrap();
        assert_eq!(two[0], base);
        assert_eq!(two[1], Options { allow_mistakes: 3, plateau: false, ..base.clone() });
        let two = swept("update=perceptron,pa", &base).unwrap();
        assert_eq!(two[0], Options { update: Update::PERCEPTRON, ..base.clone() });
        assert_eq!(swept("eta=0.5,1", &base).unwrap()[0], Options { eta: 0.5, ..base.clone() });
        let two = swept("eta=1,1/t", &base).unwrap();
        assert_eq!(two[1], Options { decay: Some(Decay::Epoch), ..base.clone() });
        assert!(swept("bias=unit:0.1,radius", &base).is_ok());
        assert!(swept("kernel=poly:2,rbf:1", &Options::default()).is_ok());
    }

    #[test]
    fn what_is_no_sweep_is_refused() {
        let base = Options::default();
        for word in [
            "",
            "C",
            "C=1",
            "=1,2",
            "C=1,",
            "C=1,1",
            "C=1,2",
            "alpha=1,2",
            "seed=1,2",
            "x=1,2",
            "epochs=1,x",
            "epochs=1,1.5",
            "update=pa1:1,pa1:0",
            "class-weight=balanced,uniform",
        ] {
            assert!(swept(word, &base).is_err(), "{word}");
        }
    }
}

//! The list of the options of a run. The command, the page of the lab and the Python package take names, values,
//! defaults and help from it. A test compares it with [`Options`](super::Options).

use std::borrow::Cow;

use super::Penalty;
use crate::{kernel::Kernel, rules};

/// An option of a run, for people.
#[derive(Debug)]
pub struct OptionInfo {
    /// The key in JSON.
    pub name: &'static str,
    /// The sentence of the help, without a full stop. `{rules}` stands for the update rules.
    pub(crate) help: &'static str,
    /// The placeholder of the value in the help.
    pub placeholder: &'static str,
    /// The default as text, if the option has one.
    pub default: Option<&'static str>,
    /// The values that it may have.
    pub values: OptionValues,
}

/// The values that an option may have.
#[derive(Debug)]
pub enum OptionValues {
    /// One of these words.
    Words(&'static [Word]),
    /// One of these words, or a text of the form after them: a name, a colon and a letter for its number.
    WordsOrForm(&'static [Word], &'static str),
    /// A text of one of these forms: a name, with a letter for each parameter after colons.
    Forms(fn() -> Vec<String>),
    /// A whole number, at least this one.
    Whole(u64),
    /// A positive number; as text it may be followed by `/t` or `/sqrt(t)`, which is another key in JSON, `decay`.
    Rate,
    /// `uniform`, `balanced` or a weight for each class.
    ClassWeights,
}

/// A word that an option may have as its value.
#[derive(Debug)]
pub struct Word {
    /// The word in JSON.
    pub name: &'static str,
    /// Its own sentence of the help; empty if the help of the option explains it.
    pub help: &'static str,
}

/// A word that the help of its option explains.
pub(crate) const fn word(name: &'static str) -> Word {
    told(name, "")
}

/// A word with a sentence of its own.
pub(crate) const fn told(name: &'static str, help: &'static str) -> Word {
    Word { name, help }
}

/// All options of a run, in the order of the help.
pub static OPTIONS: [OptionInfo; 15] = [
    OptionInfo {
        name: "update",
        help: "The update rule: {rules}",
        placeholder: "RULE",
        default: Some("perceptron"),
        values: OptionValues::Forms(|| rules::ALL.map(|rule| rule.form()).into()),
    },
    OptionInfo {
        name: "keep",
        help: "The weights of the model",
        placeholder: "KEEP",
        default: Some("auto"),
        values: OptionValues::Words(&[
            Word {
                name: "auto",
                help: "The average; after a run that converged as if it had gone on until the average is right on all \
                       training examples, or the last weights if that takes too long; with `arow` the last weights",
            },
            Word { name: "last", help: "The last weights" },
            Word { name: "average", help: "The mean of the weights after every visit" },
            Word {
                name: "pocket",
                help: "The weights with the fewest training errors among those tried: the initial and the last ones, \
                       and, within a budget, those with a longer run of correct visits than the pocket's (pocket \
                       algorithm with ratchet)",
            },
            Word {
                name: "vote",
                help: "Voted perceptron: the weights after every visit vote, with one vote for each visit",
            },
        ]),
    },
    OptionInfo {
        name: "kernel",
        help: "Learn in the space of a kernel: linear, poly:D[:coef0[:gamma]] for (coef0 + gamma·x·z)^D with default \
               coef0 = gamma = 1, rbf:G for exp(−G‖x−z‖²)",
        placeholder: "KERNEL",
        default: None,
        values: OptionValues::Forms(|| Kernel::FORMS.map(str::to_owned).into()),
    },
    OptionInfo {
        name: "penalty",
        help: "A penalty on large weights: all shrink by the factor 1 − ηA at each example (l2:A), those of its features \
               towards 0 by ηA (l1:A), or both by their parts (elasticnet:A[:RATIO], RATIO of l1 0.15 by default)",
        placeholder: "PENALTY",
        default: None,
        values: OptionValues::Forms(|| Penalty::FORMS.map(str::to_owned).into()),
    },
    OptionInfo {
        name: "order",
        help: "The order of the examples in an epoch",
        placeholder: "ORDER",
        default: Some("shuffle"),
        values: OptionValues::Words(&[
            Word { name: "shuffle", help: "A new random order in each epoch" },
            Word { name: "given", help: "The order of the file" },
            Word {
                name: "mistaken",
                help: "Only one example, drawn at random from those that the weights misclassify: an epoch counts these and makes one \
                       update, so the epochs limit the updates (two classes)",
            },
        ]),
    },
    OptionInfo {
        name: "init",
        help: "The initial weights",
        placeholder: "INIT",
        default: Some("zero"),
        values: OptionValues::Words(&[word("zero"), word("random")]),
    },
    OptionInfo {
        name: "seed",
        help: "The seed of every random choice",
        placeholder: "N",
        default: Some("0"),
        values: OptionValues::Whole(0),
    },
    OptionInfo {
        name: "epochs",
        help: "Maximum number of epochs",
        placeholder: "N",
        default: Some("1000"),
        values: OptionValues::Whole(1),
    },
    OptionInfo {
        name: "allow_mistakes",
        help: "Stop after an epoch with mistakes, but at most N",
        placeholder: "N",
        default: Some("0"),
        values: OptionValues::Whole(0),
    },
    OptionInfo {
        name: "eta",
        help: "The learning rate η; RATE/t and RATE/sqrt(t) divide it by the number t of the epoch or by its root",
        placeholder: "RATE",
        default: Some("1"),
        values: OptionValues::Rate,
    },
    OptionInfo {
        name: "bias",
        help: "The update of the bias by the step τ (η for `perceptron`): b += τy (unit), b += τyS² for a bias feature of \
               the size S (unit:S) or for the norm R of the longest row (radius), or no bias (none)",
        placeholder: "BIAS",
        default: Some("unit"),
        values: OptionValues::WordsOrForm(&[word("unit"), word("none"), word("radius")], "unit:S"),
    },
    OptionInfo {
        name: "mistake",
        help: "Count a score of 0 as a mistake for both classes (margin), or only for the class that it does not \
               predict (label)",
        placeholder: "MISTAKE",
        default: Some("margin"),
        values: OptionValues::Words(&[word("margin"), word("label")]),
    },
    OptionInfo {
        name: "zero",
        help: "The class that a score of exactly 0 predicts, in training, report and model",
        placeholder: "CLASS",
        default: Some("positive"),
        values: OptionValues::Words(&[word("positive"), word("negative")]),
    },
    OptionInfo {
        name: "class_weight",
        help: "The weights of the classes: `uniform`, `balanced`, or `LABEL=WEIGHT,LABEL=WEIGHT`",
        placeholder: "WEIGHTS",
        default: Some("uniform"),
        values: OptionValues::ClassWeights,
    },
    OptionInfo {
        name: "classes",
        help: "How more than two classes are learned; with two classes it changes nothing",
        placeholder: "CLASSES",
        default: Some("auto"),
        values: OptionValues::Words(&[
            Word {
                name: "auto",
                help: "`joint` for linear models without penalty whose weights are chosen by `keep` auto, otherwise `one-vs-rest`",
            },
            Word { name: "one-vs-rest", help: "Each class against all others, by itself" },
            Word {
                name: "joint",
                help: "All together: a mistake moves the weights of the class and of its best rival",
            },
        ]),
    },
];

impl OptionInfo {
    /// The option of this name.
    pub fn named(name: &str) -> Option<&'static OptionInfo> {
        OPTIONS.iter().find(|option| option.name == name)
    }

    /// The name as people give it to the command, without the dashes before it.
    pub fn long(&self) -> String {
        self.name.replace('_', "-")
    }

    /// The sentence of the help, without a full stop.
    pub fn help(&self) -> Cow<'static, str> {
        match self.help.contains("{rules}") {
            true => self.help.replace("{rules}", &rules::explained()).into(),
            false => self.help.into(),
        }
    }

    /// The words that it accepts; empty for an option without words.
    pub fn words(&self) -> &'static [Word] {
        match self.values {
            OptionValues::Words(words) | OptionValues::WordsOrForm(words, _) => words,
            _ => &[],
        }
    }

    /// Their names.
    pub fn word_names(&self) -> Vec<&'static str> {
        self.words().iter().map(|word| word.name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{keep, options::Options};
    use serde_json::{Value, from_value, json, to_value};

    fn parse(name: &str, value: Value) -> Result<Options, String> {
        from_value(json!({ name: value })).map_err(|error| error.to_string())
    }

    #[test]
    fn names_and_defaults_are_those_of_the_options() {
        let defaults = to_value(Options::default()).unwrap();
        let mut rest = defaults.as_object().unwrap().clone();
        for option in &OPTIONS {
            let found = rest.remove(option.name);
            let text = |value: Value| match value {
                Value::String(text) => text,
                Value::Number(number) => number.as_f64().unwrap().to_string(),
                other => other.to_string(),
            };
            assert_eq!(found.map(text).as_deref(), option.default, "{}", option.name);
        }
        assert!(rest.is_empty(), "not in the list: {rest:?}");
    }

    /// The error of serde names all words of a type. `given` of `init` stands for weights that are not in JSON.
    #[test]
    fn words_are_those_of_the_types() {
        for option in &OPTIONS {
            let OptionValues::Words(_) = option.values else { continue };
            let message = parse(option.name, json!("?")).unwrap_err();
            let mut known: Vec<&str> = message.split('`').skip(1).step_by(2).skip(1).collect();
            known.retain(|&known| (option.name, known) != ("init", "given"));
            assert_eq!(option.word_names(), known, "{}", option.name);
        }
    }

    #[test]
    fn numbers_have_the_least_values_of_the_list() {
        for option in &OPTIONS {
            let check = |value: Value| parse(option.name, value).unwrap().check();
            match option.values {
                OptionValues::Whole(least) => {
                    assert_eq!(check(json!(least)), Ok(()));
                    assert!(least == 0 || check(json!(least - 1)).is_err(), "{}", option.name);
                    assert!(parse(option.name, json!(-1)).is_err());
                }
                OptionValues::Rate => {
                    assert_eq!(check(json!(5e-324)), Ok(()));
                    assert!(check(json!(0.0)).is_err(), "{}", option.name);
                }
                _ => {}
            }
        }
    }

    /// A form with a number in the place of each letter is a value, and without parameters of a form that has some it
    /// is none.
    #[test]
    fn forms_are_those_of_the_types() {
        for option in &OPTIONS {
            let OptionValues::Forms(forms) = option.values else { continue };
            for form in forms() {
                let (name, parameters) = form.split_once(':').unwrap_or((&form, ""));
                let value =
                    if parameters.is_empty() { name.to_owned() } else { format!("{name}:2") };
                assert!(parse(option.name, json!(value)).is_ok(), "{value}");
                assert_eq!(parse(option.name, json!(name)).is_ok(), parameters.is_empty());
            }
        }
    }

    #[test]
    fn words_beside_a_form_are_values() {
        for option in &OPTIONS {
            let OptionValues::WordsOrForm(words, form) = option.values else { continue };
            let (name, _) = form.split_once(':').unwrap();
            let number = format!("{name}:2");
            for text in words.iter().map(|word| word.name).chain([number.as_str()]) {
                assert!(parse(option.name, json!(text)).is_ok(), "{text}");
            }
            let message = parse(option.name, json!("?")).unwrap_err();
            assert!(words.iter().all(|word| message.contains(word.name)), "{message}");
            assert!(message.contains(form), "{message}");
        }
    }

    #[test]
    fn all_keeps_but_auto_are_kept_weights() {
        let mut kept = OptionInfo::named("keep").unwrap().word_names();
        kept.retain(|&name| name != "auto");
        assert_eq!(kept, keep::ALL.map(|keeper| keeper.name));
    }
}

//! `--sweep`: options and the values to compare. An alternative is the command with a value of each, read by the parser of commands.

use std::{ffi::OsString, slice::from_ref, str::FromStr};

use clap::{ArgMatches, Command as Definition, CommandFactory};
use rosenblatt::Penalty;
use rosenblatt_core::{
    rules,
    train::{OPTIONS, Options},
    transforms::PREPARE_OPTIONS,
};

use super::{Arguments, Command, TrainArgs, parsed, presets::is_given};
use crate::{error::CliError, text::count};

/// An option and its values, such as `C=0.01,0.1,1`.
#[derive(Clone, Debug)]
pub(crate) struct SweepValues {
    /// The name of the option, or of the parameter of the update rule or of the penalty.
    pub(crate) name: String,
    pub(crate) values: Vec<String>,
}

/// The command with one value of each option that is swept.
#[derive(Debug)]
pub(crate) struct Alternative {
    pub(crate) values: Vec<String>,
    pub(crate) arguments: TrainArgs,
}

/// The maximum number of alternatives.
const MOST: usize = 1000;

/// The options beside those of the run and of its preparation whose values can be compared.
const FURTHER: [&str; 3] = ["preset", "ngrams", "chars"];

/// An option of the run whose values are no alternatives.
const EXCLUDED: &str = "seed";

const USUAL: &str = "`--update pa1:1 --sweep C=0.01,0.1,1`, `--penalty l2:1 --sweep alpha=0.001,0.01` and `--sweep scale=standard,minmax` are sweeps";

impl FromStr for SweepValues {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let expected = || "expected OPTION=VALUE,VALUE,…, such as C=0.01,0.1,1".to_owned();
        let (name, values) = word.split_once('=').ok_or_else(expected)?;
        let values: Vec<String> = values.split(',').map(|value| value.trim().to_owned()).collect();
        let name = name.trim_start_matches("--").to_owned();
        let twice = (1..values.len()).find(|&i| values[..i].contains(&values[i]));
        let mut labels = values.iter().filter_map(|value| value.split_once('=')).map(|pair| pair.0);
        if let Some(first) = labels.next()
            && let Some(other) = labels.find(|label| *label != first)
        {
            return Err(format!(
                "weights of several classes cannot be swept; `{first}` and `{other}` are two"
            ));
        }
        match twice {
            _ if name.is_empty() || values.len() < 2 || values.contains(&String::new()) => {
                Err(expected())
            }
            Some(i) => Err(format!("the value {} is given twice", values[i])),
            None => Ok(SweepValues { name, values }),
        }
    }
}

/// What a sweep is about.
#[derive(PartialEq)]
enum Swept {
    /// An option, and whether `none` is one of its words. Where it is not, it is the command without the option.
    Option { long: String, has_none: bool },
    /// A parameter of the update rule or of the penalty.
    Parameter(String),
}

impl TrainArgs {
    /// The alternatives of `--sweep`: all combinations of the values, those of the first option slowest.
    pub(crate) fn alternatives(&self) -> Result<Vec<Alternative>, CliError> {
        let definition = Arguments::command();
        let swept: Vec<Swept> =
            self.sweep.iter().map(|one| one.swept(&definition)).collect::<Result<_, _>>()?;
        let matches = definition.get_matches_from(&self.words);
        self.check_once(&swept, &matches)?;
        let counts = self.sweep.iter().map(|one| one.values.len());
        let found = counts.fold(1, usize::saturating_mul);
        if found > MOST {
            let [found, most] = [found, MOST].map(|number| count(number as u64));
            return Err(CliError::usage(
                format!(
                    "`--sweep` compares up to {most} combinations of values, and there are {found}"
                ),
                "sweep fewer values, or one option after the other",
            ));
        }
        let combinations =
            self.sweep.iter().fold(vec![Vec::new()], |all: Vec<Vec<String>>, one| {
                let with = |values: &Vec<String>, value: &String| {
                    [values.as_slice(), from_ref(value)].concat()
                };
                all.iter()
                    .flat_map(|values| one.values.iter().map(move |value| with(values, value)))
                    .collect()
            });
        combinations.into_iter().map(|values| self.alternative(&swept, values)).collect()
    }

    /// Refuses an option that is swept twice, or given and swept.
    fn check_once(&self, swept: &[Swept], matches: &ArgMatches) -> Result<(), CliError> {
        for (place, one) in swept.iter().enumerate() {
            let (Swept::Option { long: name, .. } | Swept::Parameter(name)) = one;
            if swept[..place].contains(one) {
                return Err(CliError::usage(
                    format!("`--sweep {name}=…` is given twice"),
                    "write all values of an option after one `--sweep`",
                ));
            }
            let is_option = matches!(one, Swept::Option { .. });
            if is_option && is_given(matches, &name.replace('-', "_")) {
                return Err(CliError::usage(
                    format!("`--{name}` is given and swept"),
                    format!("leave out `--{name}`, or `--sweep {name}=…`"),
                ));
            }
        }
        Ok(())
    }

    fn alternative(&self, swept: &[Swept], values: Vec<String>) -> Result<Alternative, CliError> {
        let (command, rest) = self.words.split_at(2);
        let added = swept.iter().zip(&values).filter_map(|(one, value)| match one {
            Swept::Option { has_none: false, .. } if value == "none" => None,
            Swept::Option { long, .. } => Some(OsString::from(format!("--{long}={value}"))),
            Swept::Parameter(_) => None,
        });
        let words: Vec<OsString> =
            command.iter().cloned().chain(added).chain(rest.iter().cloned()).collect();
        let failed = |error| self.named(&values, error);
        let Command::Train(mut arguments) = parsed(&words).map_err(failed)? else {
            return Err(CliError::usage("`--sweep` is an option of `train`", USUAL));
        };
        for (one, value) in swept.iter().zip(&values) {
            if let Swept::Parameter(name) = one {
                let options = &mut arguments.learning.run.options;
                let found = with_parameter(options, name, value);
                found.map_err(|problem| failed(CliError::usage(problem, USUAL)))?;
            }
        }
        Ok(Alternative { values, arguments: *arguments })
    }

    /// The error of an alternative, with its values.
    pub(crate) fn named(&self, values: &[String], error: CliError) -> CliError {
        let CliError::Usage { message, hint } = error else { return error };
        let pairs = self.sweep.iter().zip(values);
        let pairs: Vec<String> =
            pairs.map(|(SweepValues { name, .. }, value)| format!("{name}={value}")).collect();
        CliError::Usage { message: format!("--sweep {}: {message}", pairs.join(" ")), hint }
    }

    /// Whether `--sweep` compares values of this option.
    pub(crate) fn sweeps(&self, name: &str) -> bool {
        self.sweep.iter().any(|one| one.name == name)
    }
}

impl SweepValues {
    fn swept(&self, definition: &Definition) -> Result<Swept, CliError> {
        let name = self.name.as_str();
        if name == "alpha" || rules::ALL.iter().any(|rule| has_parameter(rule, name)) {
            return Ok(Swept::Parameter(name.to_owned()));
        }
        let options = || OPTIONS.iter().chain(&PREPARE_OPTIONS);
        let is_known = |id: &str| {
            id != EXCLUDED && options().map(|one| one.name).chain(FURTHER).any(|known| known == id)
        };
        let train = definition.find_subcommand("train");
        let found = train.into_iter().flat_map(Definition::get_arguments).find(|argument| {
            let aliases = argument.get_visible_aliases().unwrap_or_default();
            argument.get_id() == name
                || argument.get_long() == Some(name)
                || aliases.contains(&name)
        });
        let found = found.filter(|argument| is_known(argument.get_id().as_str()));
        let Some((argument, long)) = found.and_then(|one| Some((one, one.get_long()?))) else {
            let why = if name == EXCLUDED { ": it would choose a lucky order" } else { "" };
            let message = format!("--sweep {name}: `{name}` is no option that can be swept{why}");
            return Err(CliError::usage(message, USUAL));
        };
        let mut words = options().filter(|one| argument.get_id() == one.name);
        let has_none = words.any(|one| one.word_names().contains(&"none"));
        Ok(Swept::Option { long: long.to_owned(), has_none })
    }
}

/// Whether a rule has a parameter of this letter.
fn has_parameter(rule: &rules::Rule, name: &str) -> bool {
    rule.parameter.is_some_and(|parameter| parameter.letter().to_string() == name)
}

/// Replaces a parameter of the update rule or of the penalty.
fn with_parameter(options: &mut Options, name: &str, value: &str) -> Result<(), String> {
    if name == "alpha" {
        let penalty = options.penalty.ok_or("there is no penalty, whose strength is alpha")?;
        let alpha = value.parse().map_err(|_| format!("`{value}` is not a number"))?;
        options.penalty = Some(Penalty { alpha, ..penalty });
        return Ok(());
    }
    let rule = options.update.rule();
    if !has_parameter(rule, name) {
        return Err(format!("the update rule has no parameter {name}"));
    }
    let update = format!("{}:{value}", rule.name).parse();
    options.update = update
        .map_err(|_| format!("`{value}` is no value of {name} of `--update {}`", rule.form()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use rosenblatt_core::rules::Update;

    use super::*;

    fn swept(words: &str) -> Result<Vec<Alternative>, String> {
        let words = format!("train a.csv --folds 3 {words}");
        let command = crate::args::parse(words.split(' ').map(OsString::from).collect());
        let told = |error: CliError| error.to_string();
        match command.map_err(told)? {
            Command::Train(train) => train.alternatives().map_err(told),
            _ => Err(words),
        }
    }

    fn updates(words: &str) -> Vec<Update> {
        let all = swept(words).unwrap();
        all.into_iter().map(|one| one.arguments.learning.run.options.update).collect()
    }

    #[test]
    fn parameters_take_the_place_of_those_that_are_given() {
        assert_eq!(updates("--update pa1:1 --sweep C=0.1,2"), [0.1, 2.0].map(Update::pa1));
        let all = "--sweep C=0.1,2 --sweep update=pa1:1,pa2:1 --sweep epochs=1,2";
        let [one, two] = [0.1, 2.0].map(|c| [Update::pa1(c), Update::pa2(c)]);
        assert_eq!(updates(all), [one[0], one[0], one[1], one[1], two[0], two[0], two[1], two[1]]);
        let penalised = swept("--penalty elasticnet:1:0.5 --sweep alpha=0.1,2").unwrap();
        let penalty = penalised[1].arguments.learning.run.options.penalty.unwrap();
        assert_eq!(penalty.to_string(), "elasticnet:2:0.5");
    }

    /// `none` is the command without the option, unless it is a word of the option; and given options win over those of a preset.
    #[test]
    fn values_are_those_of_the_command_line() {
        let all = swept("--sweep preset=text,none --sweep normalise=l1,none").unwrap();
        let normalise = |one: &Alternative| one.arguments.learning.prepare.0.normalise.name();
        assert_eq!(all.iter().map(normalise).collect::<Vec<_>>(), ["l1", "none", "l1", "none"]);
        assert_eq!(all[1].arguments.learning.run.options.update, Update::arow(1.0));
        assert!(all[2].arguments.preset.is_none());
        let all = swept("--text t --sweep preset=text,none --sweep chars=none,2:3").unwrap();
        assert_eq!(
            all.iter().map(|one| one.arguments.columns.ngrams).collect::<Vec<_>>(),
            [Some(2), None, None, None]
        );
        for word in ["allow-mistakes", "--allow-mistakes", "allow_mistakes"] {
            let all = swept(&format!("--sweep={word}=0,3")).unwrap();
            assert_eq!(all[1].arguments.learning.run.options.allow_mistakes, 3, "{word}");
        }
    }

    #[test]
    fn what_is_no_sweep_is_refused() {
        for words in [
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
            "features=a,b",
            "folds=2,3",
            "scale=none,x",
            "preset=text,x",
            "ngrams=1,2",
            "penalty=none,l2:-1",
        ] {
            assert!(swept(&format!("--sweep {words}")).is_err(), "{words}");
        }
        let numbers = |most: u32| (1..=most).map(|i| i.to_string()).collect::<Vec<_>>().join(",");
        let sweep =
            |most: u32| format!("--sweep epochs={} --sweep eta={}", numbers(25), numbers(most));
        assert_eq!(swept(&sweep(40)).unwrap().len(), 1000);
        assert!(swept(&sweep(41)).unwrap_err().contains("there are 1,025"));
    }
}

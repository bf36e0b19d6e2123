//! The options of a run as arguments, made from the engine's list of them.

use clap::{
    Arg, ArgMatches, Args, Command, FromArgMatches,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
    error::ErrorKind,
    parser::ValueSource,
    value_parser,
};
use rosenblatt::LearningRate;
use rosenblatt_core::{
    train::{OPTIONS, OptionInfo, OptionValues, Options, Word},
    transforms::{PREPARE_OPTIONS, PrepareOptions},
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, from_value, json};

/// The options of a run.
#[derive(Debug)]
pub(crate) struct OptionArgs {
    /// All but the class weights, which need the classes.
    pub(crate) options: Options,
    /// The text of `--class-weight`.
    pub(crate) class_weight: String,
    /// Whether `--order` was given.
    pub(crate) has_order: bool,
    /// Whether `--epochs` was given.
    pub(crate) has_epochs: bool,
}

impl Args for OptionArgs {
    fn augment_args(command: Command) -> Command {
        let places = OPTIONS.iter().enumerate();
        command.args(places.map(|(place, option)| argument::<Options>(option).display_order(place)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for OptionArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let value = |option: &OptionInfo| Some((option.name.to_owned(), json(option, matches)?));
        let json: Map<String, Value> = OPTIONS.iter().filter_map(value).collect();
        let options: Options = from_value(json.into())
            .map_err(|error| clap::Error::raw(ErrorKind::InvalidValue, error))?;
        Ok(OptionArgs {
            // JSON has no NaN and no ∞, for which the engine has a message.
            options: match matches.get_one("eta") {
                Some(&LearningRate { eta, decay }) => Options { eta, decay, ..options },
                None => options,
            },
            class_weight: matches.get_one::<String>("class_weight").cloned().unwrap_or_default(),
            has_order: matches.value_source("order") == Some(ValueSource::CommandLine),
            has_epochs: matches.value_source("epochs") == Some(ValueSource::CommandLine),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The options of the preparation of rows.
#[derive(Debug)]
pub(crate) struct PrepareArgs(pub(crate) PrepareOptions);

impl Args for PrepareArgs {
    fn augment_args(command: Command) -> Command {
        command.args(PREPARE_OPTIONS.iter().map(argument::<PrepareOptions>))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for PrepareArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let value = |option: &OptionInfo| Some((option.name.to_owned(), json(option, matches)?));
        let json: Map<String, Value> = PREPARE_OPTIONS.iter().filter_map(value).collect();
        let options = from_value(json.into());
        options.map(PrepareArgs).map_err(|error| clap::Error::raw(ErrorKind::InvalidValue, error))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The value of an option for the engine, except `eta` and the class weights.
fn json(option: &OptionInfo, matches: &ArgMatches) -> Option<Value> {
    let name = option.name;
    match option.values {
        OptionValues::Whole(_) => matches.get_one::<u64>(name).map(|&n| n.into()),
        OptionValues::Rate | OptionValues::ClassWeights => None,
        _ => matches.get_one::<String>(name).map(|text| text.as_str().into()),
    }
}

/// The argument of an option of `T`.
fn argument<T: DeserializeOwned>(option: &'static OptionInfo) -> Arg {
    let argument = Arg::new(option.name)
        .long(option.long())
        .value_name(option.placeholder)
        .help(option.help().into_owned())
        .default_value(option.default);
    match option.values {
        OptionValues::Words(words) => argument.value_parser(one_of(words)),
        OptionValues::Forms(_) | OptionValues::WordsOrForm(..) => {
            argument.value_parser(|text: &str| form::<T>(option, text))
        }
        OptionValues::Whole(_) => {
            argument.value_parser(value_parser!(u64)).allow_negative_numbers(true)
        }
        OptionValues::Rate => {
            argument.value_parser(value_parser!(LearningRate)).allow_hyphen_values(true)
        }
        OptionValues::ClassWeights => argument.allow_hyphen_values(true),
    }
}

/// Checks a value of an option with several forms.
fn form<T: DeserializeOwned>(option: &OptionInfo, text: &str) -> Result<String, serde_json::Error> {
    from_value::<T>(json!({ option.name: text })).map(|_| text.to_owned())
}

fn one_of(words: &'static [Word]) -> PossibleValuesParser {
    let value = |word: &'static Word| match word.help {
        "" => PossibleValue::new(word.name),
        help => PossibleValue::new(word.name).help(help),
    };
    words.iter().map(value).collect::<Vec<_>>().into()
}

/// Takes the words of an option of the list, for an argument of its own.
pub(super) fn word_parser<T>(name: &str) -> impl TypedValueParser<Value = T>
where
    T: DeserializeOwned + Clone + Send + Sync + 'static,
{
    let words = OptionInfo::named(name).map_or(&[][..], OptionInfo::words);
    one_of(words).try_map(|word| from_value::<T>(word.into()))
}

//! The options of a run and the limits of questions, as TypeScript for the page.

use std::{env, fmt::Debug, fs, path::Path};

use rosenblatt::{Bias, LectureNotes, study::bound_in_symbols};
use rosenblatt_core::{
    keep::{self, Keeper},
    rules::{self, CleanOf, Rule, StepLength},
    train::{OPTIONS, OptionInfo, OptionValues},
};
use serde::Serialize;

use crate::question::{
    ErrorsQuestion, FileQuestion, Grid, Points, StudyQuestion, TrainQuestion, Window,
};

const FILE: &str = "page/src/contract.generated.ts";
const COMMAND: &str = "UPDATE_CONTRACT=1 cargo test --package rosenblatt-lab --lib contract";

#[test]
fn the_page_has_the_options_of_the_engine() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let text = typescript();
    if env::var_os("UPDATE_CONTRACT").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(found == text, "{FILE} differs from the engine's list of options: run `{COMMAND}`");
}

fn typescript() -> String {
    let names = |wanted: fn(&OptionInfo) -> bool| {
        options().filter(move |option| wanted(option)).map(|option| option.name)
    };
    let kept = |wanted: fn(&Keeper) -> bool| {
        keep::ALL.into_iter().filter(move |keeper| wanted(keeper)).map(|keeper| keeper.name)
    };
    let titles = keep::ALL.into_iter().map(|keeper| (keeper.name, format!("{:?}", keeper.title)));
    let defaults = options().filter_map(|option| Some((option.name, literal(option)?)));
    [
        format!("// Generated from the engine's list of options and the limits of questions. To write it again:\n// {COMMAND}\n\nimport type {{ RuleInfo }} from \"./rule-info.js\";\n"),
        list("KEPT", "The weights that a run can keep.", kept(|_| true)),
        list("LINES", "The kept weights that are a line.", kept(Keeper::is_hyperplane)),
        list("SURFACES", "Those that are none.", kept(|keeper| !keeper.is_hyperplane())),
        object("KEPT_TITLES", "Their names in lists.", titles),
        rules(),
        list("KERNELS", "The names of the kernels.", forms("kernel")),
        list("TEXT_OPTIONS", "The options whose values are texts.", names(|option| !is_number(option))),
        list("NUMBER_OPTIONS", "The options whose values are numbers.", names(is_number)),
        interface(),
        object("DEFAULTS", "The defaults. By default there is no kernel.", defaults),
        notes(),
        object("LEAST", "The least value of each whole number.", options().filter_map(least)),
        object("LIMITS", "The limits of a question.", limits()),
    ]
    .concat()
}

/// The options that the page offers. It has no class weights and no penalty, and most of its points have two classes.
fn options() -> impl Iterator<Item = &'static OptionInfo> {
    let is_offered = |option: &&OptionInfo| {
        !matches!(option.values, OptionValues::ClassWeights)
            && !matches!(option.name, "classes" | "penalty")
    };
    OPTIONS.iter().filter(is_offered)
}

fn is_number(option: &OptionInfo) -> bool {
    matches!(option.values, OptionValues::Whole(_) | OptionValues::Rate)
}

/// The default as TypeScript.
fn literal(option: &OptionInfo) -> Option<String> {
    Some(value(option, option.default?))
}

/// A word as a value of TypeScript.
fn value(option: &OptionInfo, word: &str) -> String {
    if is_number(option) { word.to_owned() } else { format!("{word:?}") }
}

/// The lecture notes. Their options are without defaults.
fn notes() -> String {
    let option = |(name, word): (&str, &str)| {
        let info = OptionInfo::named(name).unwrap();
        (info.default != Some(word)).then(|| format!("{name}: {}", value(info, word)))
    };
    let entry = |notes: LectureNotes| {
        let options: Vec<String> = notes.words().into_iter().filter_map(option).collect();
        let (name, title, options) = (notes.name(), notes.title(), options.join(", "));
        let threshold = notes.has_threshold();
        format!(
            "  {{ name: {name:?}, title: {title:?}, options: {{ {options} }}, threshold: {threshold} }},\n"
        )
    };
    let entries: String = LectureNotes::ALL.into_iter().map(entry).collect();
    let comment = "The lecture notes: their options without defaults, and whether their b is a threshold, w·x ≥ b.";
    format!("\n/** {comment} */\nexport const NOTES = [\n{entries}] as const;\n")
}

fn least(option: &'static OptionInfo) -> Option<(&'static str, String)> {
    match option.values {
        OptionValues::Whole(least) => Some((option.name, least.to_string())),
        _ => None,
    }
}

fn limits() -> impl Iterator<Item = (&'static str, String)> {
    let limits = [
        ("points", Points::MOST),
        ("features", Points::MOST_FEATURES),
        ("epochs", TrainQuestion::MOST_EPOCHS),
        ("visits", Window::MOST),
        ("places", Grid::MOST),
        ("planes", ErrorsQuestion::MOST_PLANES),
        ("runs", StudyQuestion::MOST_RUNS),
        ("file_bytes", FileQuestion::MOST_BYTES),
    ];
    limits.into_iter().map(|(name, limit)| (name, limit.to_string()))
}

/// The properties of a rule that the page tells, as `rule-info.ts` describes them.
#[derive(Serialize)]
struct RuleInfo {
    label: &'static str,
    parameter: Option<char>,
    step: StepLength,
    symbol: &'static str,
    takes_rate: bool,
    clean_of: CleanOf,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<[&'static str; 2]>,
    has_margin: bool,
    bound: Bound,
}

impl RuleInfo {
    fn new(rule: &Rule) -> Self {
        RuleInfo {
            label: rule.label,
            parameter: rule.parameter.map(rules::Parameter::letter),
            step: rule.step_length(),
            symbol: rule.symbol,
            takes_rate: rule.takes_learning_rate,
            clean_of: rule.clean_of(),
            moves: rule.precise.map(|precise| precise.formulas()),
            has_margin: rule.bound_has_margin(),
            bound: Bound::new(rule),
        }
    }
}

/// Novikoff's bound in symbols for each bias, or why there is none.
#[derive(Serialize)]
#[serde(untagged)]
enum Bound {
    Of { unit: String, none: String, radius: String, size: String },
    None { none_because: &'static str },
}

impl Bound {
    fn new(rule: &Rule) -> Self {
        if let Some(none_because) = rule.without_bound {
            return Bound::None { none_because };
        }
        let of = |bias| bound_in_symbols(rule, bias, "S²", false).unwrap();
        let (unit, none, radius) = (of(Bias::Unit), of(Bias::None), of(Bias::Radius));
        Bound::Of { unit, none, radius, size: of(Bias::Feature(1.0)) }
    }
}

/// The update rules with their properties.
fn rules() -> String {
    let entry = |rule: &Rule| {
        format!("  {:?}: {},\n", rule.name, serde_json::to_string(&RuleInfo::new(rule)).unwrap())
    };
    let entries: String = rules::ALL.into_iter().map(entry).collect();
    format!(
        "\n/** The update rules by name. */\nexport const RULES: Readonly<Record<string, RuleInfo>> = {{\n{entries}}};\n"
    )
}

/// The names of an option's forms, without parameters.
fn forms(option: &str) -> impl Iterator<Item = String> {
    let forms = match OptionInfo::named(option).unwrap().values {
        OptionValues::Forms(forms) => forms(),
        _ => Vec::new(),
    };
    forms.into_iter().map(|form| form.split(':').take(1).collect())
}

fn list(name: &str, comment: &str, words: impl Iterator<Item = impl Debug>) -> String {
    let words: Vec<_> = words.collect();
    format!("\n/** {comment} */\nexport const {name} = {words:?} as const;\n")
}

fn object(
    name: &str,
    comment: &str,
    entries: impl Iterator<Item = (&'static str, String)>,
) -> String {
    let entries: String = entries.map(|(key, value)| format!("  {key}: {value},\n")).collect();
    format!("\n/** {comment} */\nexport const {name} = {{\n{entries}}} as const;\n")
}

fn interface() -> String {
    let line = |option: &OptionInfo| {
        // The page shows epochs that visit every point.
        let offered = option.word_names().into_iter().filter(|&name| name != "mistaken");
        let words: Vec<String> = offered.map(|name| format!("{name:?}")).collect();
        let values = match option.values {
            OptionValues::Words(_) => &words.join(" | "),
            OptionValues::WordsOrForm(_, form) => {
                let (name, _) = form.split_once(':').unwrap();
                &format!("{} | `{name}:${{number}}`", words.join(" | "))
            }
            _ if is_number(option) => "number",
            _ => "string",
        };
        format!("  /** {}. */\n  {}?: {values};\n", option.help(), option.name)
    };
    let lines: String = options().map(line).collect();
    format!(
        "\n/** The options of a run, with the defaults of the command. */\nexport interface RunOptions {{\n{lines}}}\n"
    )
}

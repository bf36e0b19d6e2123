//! The cases in `cases/`, which other front ends run too, give the stated results. `cases/README.md` describes the
//! format. An unknown key is rejected, so that a typing error cannot remove a check.

use std::{collections::BTreeMap, fs, path::PathBuf};

use rosenblatt_core::{
    data::{Classes, Examples, Rows, Sign, Spellings, ZeroScore},
    keep::{Keep, Kept},
    options::{LearningRate, Penalty},
    report::Report,
    rules::{Mistake, Update},
    schedule::{Init, Order},
    train::{Bias, ClassWeight, Options, TrainedHyperplane, train},
};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    source: String,
    rows: Vec<Vec<f64>>,
    labels: Vec<String>,
    positive: Option<String>,
    #[serde(default)]
    options: Chosen,
    expect: Expected,
}

/// The options of a case; the others have their defaults.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Chosen {
    update: Option<Update>,
    keep: Option<Keep>,
    penalty: Option<Penalty>,
    bias: Option<Bias>,
    mistake: Option<Mistake>,
    zero: Option<ZeroScore>,
    order: Option<Order>,
    init: Option<Init>,
    seed: Option<u64>,
    epochs: Option<u64>,
    allow_mistakes: Option<u64>,
    eta: Option<Rate>,
    class_weight: Option<Weighting>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Rate {
    Number(f64),
    Text(String),
}

impl Rate {
    fn read(&self) -> LearningRate {
        match self {
            Rate::Number(eta) => LearningRate { eta: *eta, decay: None },
            Rate::Text(text) => text.parse().unwrap(),
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Weighting {
    Word(ClassWeight),
    Labels(BTreeMap<String, f64>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    epochs: Option<u64>,
    updates: Option<u64>,
    converged: Option<bool>,
    mistakes_per_epoch: Option<Vec<u64>>,
    weights: Option<Vec<f64>>,
    bias: Option<f64>,
    training_errors: Option<usize>,
    errors: Option<ExpectedErrors>,
    kept: Option<Kept>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedErrors {
    last: Option<usize>,
    average: Option<usize>,
    pocket: Option<usize>,
}

impl Case {
    fn read(path: &PathBuf) -> Self {
        let text = fs::read_to_string(path).unwrap();
        let case: Case =
            toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert_eq!(path.file_stem().unwrap().to_str(), Some(case.name.as_str()));
        assert!(case.source.ends_with('.'), "{}: the source is a sentence", case.name);
        case
    }

    fn run(&self) -> TrainedHyperplane {
        let (classes, signs) = self.classes();
        let features = self.rows[0].len();
        assert!(self.rows.iter().all(|row| row.len() == features), "{}: ragged rows", self.name);
        let rows = Rows::dense(self.rows.concat(), features).unwrap();
        let examples = Examples::new(&rows, &signs).unwrap();
        train(&examples, &self.options(&classes), &mut ()).unwrap()
    }

    fn classes(&self) -> (Classes, Vec<Sign>) {
        let mut counts = BTreeMap::new();
        self.labels.iter().for_each(|label| *counts.entry(label.clone()).or_insert(0) += 1);
        let (labels, counts) = counts.into_iter().unzip();
        let spellings = Spellings { labels, counts };
        let (classes, _) = spellings.classes(self.positive.as_deref()).unwrap();
        let signs = self.labels.iter().map(|label| classes.sign(label).unwrap()).collect();
        (classes, signs)
    }

    fn options(&self, classes: &Classes) -> Options {
        let (chosen, default) = (&self.options, Options::default());
        let rate = chosen.eta.as_ref().map_or(default.learning_rate(), Rate::read);
        Options {
            update: chosen.update.unwrap_or(default.update),
            keep: chosen.keep.unwrap_or(default.keep),
            bias: chosen.bias.unwrap_or(default.bias),
            mistake: chosen.mistake.unwrap_or(default.mistake),
            zero: chosen.zero.unwrap_or(default.zero),
            order: chosen.order.unwrap_or(default.order),
            init: chosen.init.clone().unwrap_or(default.init),
            seed: chosen.seed.unwrap_or(default.seed),
            epochs: chosen.epochs.unwrap_or(default.epochs),
            allow_mistakes: chosen.allow_mistakes.unwrap_or(default.allow_mistakes),
            eta: rate.eta,
            decay: rate.decay,
            class_weight: chosen
                .class_weight
                .as_ref()
                .map_or(default.class_weight, |weighting| weighting.of(classes)),
            kernel: None,
            penalty: chosen.penalty,
            classes: default.classes,
            compare: self.expect.errors.is_some(),
            plateau: false,
        }
    }
}

impl Weighting {
    fn of(&self, classes: &Classes) -> ClassWeight {
        match self {
            Weighting::Word(word) => word.clone(),
            Weighting::Labels(weights) => {
                assert_eq!(weights.len(), 2, "one weight a class");
                let (minus, plus) = classes.pair().unwrap();
                ClassWeight::Given(vec![weights[minus], weights[plus]])
            }
        }
    }
}

impl Expected {
    /// Compares the results that the case states, and returns their number.
    fn check(&self, name: &str, run: &TrainedHyperplane) -> usize {
        let Report { epochs, updates, converged, training_errors, kept, .. } = run.report;
        let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<u64>>();
        let mistakes = run.report.mistakes_per_epoch.clone();
        check(name, "epochs", self.epochs, epochs)
            + check(name, "updates", self.updates, updates)
            + check(name, "converged", self.converged, converged)
            + check(name, "mistakes_per_epoch", self.mistakes_per_epoch.clone(), mistakes)
            + check(
                name,
                "weights",
                self.weights.as_deref().map(bits),
                bits(&run.hyperplane.weights),
            )
            + check(name, "bias", self.bias.map(f64::to_bits), run.hyperplane.bias.to_bits())
            + check(name, "training_errors", self.training_errors, training_errors.unwrap())
            + check(name, "kept", self.kept, kept)
            + self.errors.as_ref().map_or(0, |errors| errors.check(name, run))
    }
}

impl ExpectedErrors {
    fn check(&self, name: &str, run: &TrainedHyperplane) -> usize {
        let errors = &run.report.errors;
        check(name, "errors.last", self.last, errors.of(Kept::Last).unwrap())
            + check(name, "errors.average", self.average.map(Some), errors.of(Kept::Average))
            + check(name, "errors.pocket", self.pocket.map(Some), errors.of(Kept::Pocket))
    }
}

fn check<T: PartialEq + std::fmt::Debug>(
    name: &str,
    what: &str,
    expected: Option<T>,
    found: T,
) -> usize {
    let Some(expected) = expected else { return 0 };
    assert_eq!(found, expected, "{name}: {what}");
    1
}

fn paths() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "toml")).collect()
}

#[test]
fn every_case_comes_out_as_it_says() {
    let paths = paths();
    assert!(paths.len() >= 12, "only {} cases were found", paths.len());
    for path in paths {
        let case = Case::read(&path);
        let checks = case.expect.check(&case.name, &case.run());
        assert!(checks >= 3, "{}: only {checks} checks", case.name);
    }
}

const MINIMAL: &str =
    "name = 'a'\nsource = 'b.'\nrows = [[0], [1]]\nlabels = ['0', '1']\n[expect]\n";

#[test]
fn unknown_keys_are_refused() {
    assert!(toml::from_str::<Case>(MINIMAL).is_ok());
    let with = |key: &str| toml::from_str::<Case>(&format!("{key}\n{MINIMAL}")).is_ok();
    assert!(with("positive = '0'") && !with("postive = '0'"));
    for table in ["expect", "options", "expect.errors"] {
        let header = if table == "expect" { String::new() } else { format!("[{table}]\n") };
        assert!(
            toml::from_str::<Case>(&format!("{MINIMAL}{header}update = 1\n")).is_err(),
            "{table}"
        );
    }
}

#[test]
fn a_wrong_expectation_is_detected() {
    let case: Case = toml::from_str(&format!("{MINIMAL}updates = 1000000\n")).unwrap();
    let run = case.run();
    assert!(std::panic::catch_unwind(|| case.expect.check("wrong", &run)).is_err());
}

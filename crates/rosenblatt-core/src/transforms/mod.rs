//! Preparation of rows: a sequence of steps, each of which makes rows of rows. Part of the model, applied again at every
//! prediction.
//!
//! A step is one file with its [`RowTransform`], a variant of [`Step`], and its place in [`PrepareOptions`]. Report, model
//! files, exports, guarantee and distances ask its properties, never its name.

mod document_frequency;
mod normalise;
mod scale;
mod weighting;

pub use document_frequency::{DocumentFrequency, UnknownDocumentFrequency};
pub use normalise::Normalise;
pub use weighting::{CountWeights, Weighting};

use std::{borrow::Cow, ops::Deref};

use crate::{
    data::{Rows, Scale, ScaleError, Scaling},
    options::{Bias, OptionInfo},
    schedule::Init,
};

/// All options of a preparation, in the order of the help. The command and the Python package take names, values, defaults and help
/// from them; a test compares them with [`PrepareOptions`].
pub static PREPARE_OPTIONS: [OptionInfo; 4] =
    [scale::OPTION, weighting::OPTION, document_frequency::OPTION, normalise::OPTION];

/// The options of the steps that do more than scale, as people give them.
pub fn options_beyond_scaling() -> impl Iterator<Item = String> {
    let beyond = PREPARE_OPTIONS.iter().filter(|option| option.name != scale::OPTION.name);
    beyond.map(OptionInfo::long)
}

/// A fitted step of a preparation. It prepares each row by itself.
pub trait RowTransform {
    /// Prepares all rows, a copy. In training sparse rows may become dense with at most `limit` values; without one the rows
    /// are those of a prediction.
    ///
    /// # Errors
    /// [`ScaleError`], of a prediction with the first row that cannot be prepared.
    fn apply(&self, rows: &Rows<'_>, limit: Option<usize>) -> Result<Rows<'static>, ScaleError>;

    /// Checks that it is a step for rows with this many features.
    ///
    /// # Errors
    /// What is wrong, for the reader of a file.
    fn check(&self, _features: usize) -> Result<(), &'static str> {
        Ok(())
    }

    /// The shift and the divisor of each feature, if that is all that it does; then weights have a meaning for the
    /// features before it.
    fn scaling(&self) -> Option<&Scaling> {
        None
    }

    /// What it has learned from all training rows. Then the weights before a visit depend on the rows after it.
    fn learned(&self) -> Option<Learned> {
        None
    }

    /// The number of features that remain, if some could be left out.
    fn kept_features(&self) -> Option<usize> {
        None
    }

    /// A factor for each feature, which files have as an array of its own.
    fn factors(&self) -> Option<&[f64]> {
        None
    }

    /// What people are told.
    fn words(&self) -> StepWords;

    /// The oldest formats of files whose programs know it.
    fn format(&self) -> Format;
}

/// What a step has learned from the training rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learned {
    /// The scaling of the features.
    Scaling,
    /// The factors of counts.
    CountWeights,
}

/// A step in words.
#[derive(Clone, Debug, PartialEq)]
pub struct StepWords {
    /// What the model does, after "the model".
    pub does: &'static str,
    /// What a report says of it, if anything.
    pub report: Option<String>,
    /// What it makes of what: "scaled", "features".
    pub makes: (&'static str, &'static str),
    /// The options that ask for it.
    pub options: &'static [&'static str],
    /// Why a list of weights cannot stand for the model, after the name of its format.
    pub beyond_weights: String,
}

impl StepWords {
    /// The rows that it makes: "scaled features".
    pub fn rows(&self) -> String {
        format!("{} {}", self.makes.0, self.makes.1)
    }
}

/// Versions of the formats of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Format {
    /// Of models.
    pub model: u64,
    /// Of checkpoints.
    pub checkpoint: u64,
}

impl Format {
    /// Those without any step but a scaling.
    pub const PLAIN: Format = Format { model: 2, checkpoint: 1 };

    /// The newest of all steps.
    pub const NEWEST: Format = Format { model: 6, checkpoint: 4 };

    fn later(self, other: Format) -> Format {
        Format {
            model: self.model.max(other.model),
            checkpoint: self.checkpoint.max(other.checkpoint),
        }
    }
}

/// A fitted step: the list of all.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Counts are weighted.
    Weights(CountWeights),
    /// Features are scaled.
    Scaling(Scaling),
    /// Rows are normalised.
    Normalise(Normalise),
}

impl Deref for Step {
    type Target = dyn RowTransform;

    fn deref(&self) -> &(dyn RowTransform + 'static) {
        match self {
            Step::Weights(step) => step,
            Step::Scaling(step) => step,
            Step::Normalise(step) => step,
        }
    }
}

/// The preparation that is asked for. A field that is missing in JSON gets its default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PrepareOptions {
    /// How counts are weighted.
    pub weighting: Weighting,
    /// The limits on the rows in which a feature is, if there are any.
    #[serde(rename = "document_frequency")]
    pub frequency: Option<DocumentFrequency>,
    /// How features are scaled after that; by default as [`Self::scaling`] says.
    pub scale: Option<Scale>,
    /// How rows are normalised after that.
    pub normalise: Normalise,
}

impl PrepareOptions {
    /// Whether nothing but a scaling is asked for.
    pub fn is_only_scaled(&self) -> bool {
        let PrepareOptions { weighting, frequency, scale: _, normalise } = self;
        weighting.is_count() && frequency.is_none() && normalise.is_none()
    }

    /// The scaling: where none is asked for, [`Scale::Auto`]; but none beside other steps, because it would undo the weights of
    /// counts and change the proportions of normalised rows.
    pub fn scaling(&self) -> Scale {
        self.scale.unwrap_or(if self.is_only_scaled() { Scale::Auto } else { Scale::None })
    }

    /// The words of files and reports for it.
    pub fn named(&self) -> NamedSteps {
        let PrepareOptions { weighting, frequency, scale: _, normalise } = *self;
        let scale = self.scaling();
        NamedSteps { scale, normalise, weighting, document_frequency: frequency }
    }
}

/// The names of the steps, as files and reports have them; by default there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct NamedSteps {
    /// The scaling.
    pub scale: Scale,
    /// The normalising of rows.
    #[serde(skip_serializing_if = "Normalise::is_none", default)]
    pub normalise: Normalise,
    /// The weighting of counts.
    #[serde(skip_serializing_if = "Weighting::is_count", default)]
    pub weighting: Weighting,
    /// The limits on the rows in which a feature is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub document_frequency: Option<DocumentFrequency>,
}

impl NamedSteps {
    /// The option of each step with its value; `None` for one that is not there.
    pub fn options(&self) -> [(&'static str, Option<String>); 4] {
        let NamedSteps { scale, normalise, weighting, document_frequency } = self;
        let weighting = Some(weighting).filter(|one| !one.is_count());
        let normalise = Some(normalise).filter(|one| !one.is_none());
        [
            ("scale", Some(scale.name().to_owned())),
            ("weighting", weighting.map(|one| one.name().to_owned())),
            ("document-frequency", document_frequency.map(|one| one.to_string())),
            ("normalise", normalise.map(|one| one.name().to_owned())),
        ]
    }

    /// The options of the steps that are there and do more than scale.
    pub fn beyond_scaling(&self) -> Vec<&'static str> {
        let there = self.options().into_iter().filter(|(_, value)| value.is_some());
        there.map(|(name, _)| name).filter(|&name| name != scale::OPTION.name).collect()
    }

    /// The oldest formats of files whose programs know the steps.
    pub fn format(&self) -> Format {
        let NamedSteps { scale: _, normalise, weighting, document_frequency } = *self;
        let weights = CountWeights { weighting, frequency: document_frequency, factors: vec![] };
        let weights = Some(weights).filter(|weights| !weights.is_none());
        let normalise = Some(normalise).filter(|one| !one.is_none());
        let formats = [weights.map(|it| it.format()), normalise.map(|it| it.format())];
        formats.into_iter().flatten().fold(Format::PLAIN, Format::later)
    }
}

/// The examples to which steps are fitted.
struct Sample<'s> {
    /// A weight for each row, where they differ.
    row_weights: Option<&'s [f64]>,
    /// Whether a scaling that chooses moves no zero.
    keeps_origin: bool,
}

/// Applies a fitted step to all rows to learn from; see [`RowTransform::apply`].
pub type ApplyStep<'a> = &'a dyn Fn(&Step, &Rows<'_>) -> Result<Rows<'static>, ScaleError>;

/// Fits a step, if it is asked for and changes anything.
type FitStep = fn(&PrepareOptions, &Rows<'_>, &Sample<'_>) -> Result<Option<Step>, ScaleError>;

/// All steps, in the order in which rows go through them.
const FITS: [FitStep; 3] = [
    |options, rows, _| {
        let weights = CountWeights::fit(options.weighting, options.frequency, rows)?;
        Ok((!weights.is_none()).then_some(Step::Weights(weights)))
    },
    |options, rows, Sample { row_weights, keeps_origin }| {
        let scaling = Scaling::fit(options.scaling(), rows, *row_weights, *keeps_origin)?;
        Ok(scaling.map(Step::Scaling))
    },
    |options, _, _| Ok((!options.normalise.is_none()).then_some(Step::Normalise(options.normalise))),
];

/// A fitted preparation. The default leaves rows as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preparation {
    steps: Vec<Step>,
}

impl Preparation {
    /// Fits a preparation to rows, and returns the prepared rows with it; `None` for rows that stay as they are. `row_weights`
    /// has a weight for each row, where they differ. Without a bias [`Scale::Auto`] moves no zero. Sparse rows may become
    /// dense with at most `limit` values.
    ///
    /// # Errors
    /// [`ScaleError`], as of each step.
    pub fn fit(
        options: PrepareOptions,
        rows: &Rows<'_>,
        row_weights: Option<&[f64]>,
        bias: Bias,
        limit: usize,
    ) -> Result<(Self, Option<Rows<'static>>), ScaleError> {
        let apply = |step: &Step, rows: &Rows<'_>| step.apply(rows, Some(limit));
        Self::fit_by(options, rows, row_weights, bias, &apply)
    }

    /// Fits a preparation as [`Self::fit`] does, with another place for the prepared rows: what `apply` returns.
    ///
    /// # Errors
    /// [`ScaleError`], as of each step.
    pub fn fit_by(
        options: PrepareOptions,
        rows: &Rows<'_>,
        row_weights: Option<&[f64]>,
        bias: Bias,
        apply: ApplyStep<'_>,
    ) -> Result<(Self, Option<Rows<'static>>), ScaleError> {
        let sample = Sample { row_weights, keeps_origin: bias == Bias::None };
        let (mut steps, mut prepared) = (Vec::new(), None);
        for fit in FITS {
            let now = prepared.as_ref().unwrap_or(rows);
            if let Some(step) = fit(&options, now, &sample)? {
                prepared = Some(apply(&step, now)?);
                steps.push(step);
            }
        }
        Ok((Preparation { steps }, prepared))
    }

    /// The preparation by these steps.
    pub fn new(steps: Vec<Step>) -> Self {
        Preparation { steps }
    }

    /// The preparation by a scaling, if there is one.
    pub fn scaled(scaling: Option<Scaling>) -> Self {
        Preparation { steps: scaling.into_iter().map(Step::Scaling).collect() }
    }

    /// Prepares a batch of rows for predictions.
    ///
    /// # Errors
    /// [`ScaleError`], as of each step.
    pub fn batch<'r>(&self, rows: &'r Rows<'r>) -> Result<Cow<'r, Rows<'r>>, ScaleError> {
        let mut prepared = None;
        for step in &self.steps {
            prepared = Some(step.apply(prepared.as_ref().unwrap_or(rows), None)?);
        }
        Ok(prepared.map_or(Cow::Borrowed(rows), Cow::Owned))
    }

    /// The steps, in their order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Checks that it can prepare rows with this many features.
    ///
    /// # Errors
    /// What is wrong, for the reader of a file.
    pub fn check(&self, features: usize) -> Result<(), &'static str> {
        self.steps.iter().try_for_each(|step| step.check(features))
    }

    /// The scaling, if there is one.
    pub fn scaling(&self) -> Option<&Scaling> {
        self.steps.iter().find_map(|step| step.scaling())
    }

    /// The first step that is more than a scaling.
    pub fn beyond_scaling(&self) -> Option<&Step> {
        self.steps.iter().find(|step| step.scaling().is_none())
    }

    /// Whether rows stay as they are.
    pub fn is_none(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether rows are scaled at most, so that weights can be given for the features of the data.
    pub fn is_only_scaled(&self) -> bool {
        self.beyond_scaling().is_none()
    }

    /// What was learned from all training rows, if anything: that of the last step that learns.
    pub fn learned(&self) -> Option<Learned> {
        self.steps.iter().rev().find_map(|step| step.learned())
    }

    /// The number of features that remain, if some could be left out.
    pub fn kept_features(&self) -> Option<usize> {
        self.steps.iter().find_map(|step| step.kept_features())
    }

    /// The initial weights of a run on prepared rows. Given weights are those of the features of the data where rows are
    /// only scaled, else those of prepared rows.
    pub fn initial(&self, init: &Init) -> Init {
        match self.scaling() {
            Some(scaling) if self.is_only_scaled() => init.scaled(scaling),
            _ => init.clone(),
        }
    }

    /// The names of the steps.
    pub fn named(&self) -> NamedSteps {
        let PreparationText { scaling, normalise, weighting, document_frequency } = self.text();
        let scale = scaling.map_or(Scale::None, |scaling| scaling.scale);
        NamedSteps { scale, normalise, weighting, document_frequency }
    }

    /// What a model file has of it in its text.
    pub fn text(&self) -> PreparationText<'_> {
        let mut text = PreparationText::default();
        for step in &self.steps {
            match step {
                Step::Weights(weights) => {
                    text.weighting = weights.weighting;
                    text.document_frequency = weights.frequency;
                }
                Step::Scaling(scaling) => text.scaling = Some(Cow::Borrowed(scaling)),
                Step::Normalise(normalise) => text.normalise = *normalise,
            }
        }
        text
    }

    /// The numbers that a model file has beside the text: one for each feature, or none.
    pub fn factors(&self) -> &[f64] {
        self.steps.iter().find_map(|step| step.factors()).unwrap_or_default()
    }
}

/// What a model file has of a preparation in its text. Beside it there can be a factor for each feature.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PreparationText<'s> {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    scaling: Option<Cow<'s, Scaling>>,
    #[serde(skip_serializing_if = "Normalise::is_none", default)]
    normalise: Normalise,
    #[serde(skip_serializing_if = "Weighting::is_count", default)]
    weighting: Weighting,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    document_frequency: Option<DocumentFrequency>,
}

impl PreparationText<'_> {
    /// The preparation for rows with this many features; `factors` reads the factors, where there are some.
    ///
    /// # Errors
    /// Those of `factors`, and what is wrong, for the reader of a file.
    pub fn read<E>(
        self,
        features: usize,
        factors: impl FnOnce() -> Result<Vec<f64>, E>,
    ) -> Result<Result<Preparation, &'static str>, E> {
        let PreparationText { scaling, normalise, weighting, document_frequency } = self;
        let mut weights =
            CountWeights { weighting, frequency: document_frequency, factors: Vec::new() };
        if weights.has_factors() {
            weights.factors = factors()?;
        }
        let steps = [
            (!weights.is_none()).then_some(Step::Weights(weights)),
            scaling.map(|scaling| Step::Scaling(scaling.into_owned())),
            (!normalise.is_none()).then_some(Step::Normalise(normalise)),
        ];
        let preparation = Preparation { steps: steps.into_iter().flatten().collect() };
        Ok(preparation.check(features).map(|()| preparation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Row;

    pub(super) fn values(rows: &Rows<'_>) -> Vec<Vec<f64>> {
        let one = |row: Row<'_>| {
            let mut values = vec![0.0; rows.features()];
            row.for_each(|j, x| values[j] = x);
            values
        };
        rows.iter().map(one).collect()
    }

    /// Columns of largest size 4 and 3 give (4, 0) / (4, 3) = (1, 0) and (2, 3) / (4, 3) = (½, 1), whose sum is 3/2.
    #[test]
    fn features_are_scaled_before_rows() {
        let rows = Rows::dense(&[4.0, 0.0, 2.0, 3.0], 2).unwrap();
        let options = PrepareOptions {
            scale: Some(Scale::Maxabs),
            normalise: Normalise::L1,
            ..PrepareOptions::default()
        };
        let (preparation, prepared) =
            Preparation::fit(options, &rows, None, Bias::Unit, usize::MAX).unwrap();
        let expected = [[1.0, 0.0], [0.5 / 1.5, 1.0 / 1.5]];
        assert_eq!(values(&prepared.unwrap()), expected);
        assert_eq!(values(&preparation.batch(&rows).unwrap()), expected);
    }

    /// The text of a file and its factors give the same steps in the same order. No format is newer than a step needs.
    #[test]
    fn steps_are_read_as_they_were_fitted() {
        let rows = Rows::dense(&[4.0, 0.0, 2.0, 3.0, 0.0, 7.0], 2).unwrap();
        let mut newest = Format::PLAIN;
        for weighting in Weighting::ALL {
            let options = PrepareOptions {
                weighting,
                frequency: "1:".parse().ok(),
                scale: Some(Scale::Standard),
                normalise: Normalise::L2,
            };
            let (fitted, _) =
                Preparation::fit(options, &rows, None, Bias::Unit, usize::MAX).unwrap();
            assert_eq!(fitted.steps().len(), FITS.len());
            let factors = || Ok::<_, ()>(fitted.factors().to_vec());
            assert_eq!(fitted.text().read(2, factors), Ok(Ok(fitted.clone())));
            assert_eq!(fitted.named(), options.named());
            newest = newest.later(fitted.named().format());
        }
        assert_eq!(newest, Format::NEWEST);
    }

    /// The list and the struct have the same names and defaults, and the words are those of the types.
    #[test]
    fn the_list_is_that_of_the_options() {
        let serde_json::Value::Object(defaults) =
            serde_json::to_value(PrepareOptions::default()).unwrap()
        else {
            panic!("no object")
        };
        assert_eq!(defaults.len(), PREPARE_OPTIONS.len());
        for option in &PREPARE_OPTIONS {
            let text = defaults[option.name].as_str();
            assert_eq!(text.filter(|&text| text != "none"), option.default, "{}", option.name);
            let read = |text: &str| {
                let json = serde_json::json!({ option.name: text });
                serde_json::from_value::<PrepareOptions>(json).map_err(|error| error.to_string())
            };
            let message = read("?").unwrap_err();
            for word in option.word_names() {
                assert!(read(word).is_ok() && message.contains(&format!("`{word}`")), "{word}");
            }
        }
    }
}

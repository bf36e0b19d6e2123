//! Folds that nobody asked for: where they take little work, a report can begin with the accuracy on rows that the model did not
//! learn from. They change no bit of the model.

use super::{MakeRun, Part, Recipe, Table};
use crate::{Result, error::Error};
use rosenblatt_core::{
    data::Classes,
    keep::Keep,
    options::{ClassWeight, Options},
    report::Report,
    split::Splitter,
    validation::{ClassWeightTrial, Folds},
};

/// The number of folds.
pub const FOLDS: usize = 5;
/// The accuracy on fewer examples says little.
pub const FEWEST_EXAMPLES: usize = 20;
/// The maximum of [`fold_work`]: at most about half a second.
const MOST_WORK: u64 = 100_000_000;

/// Why a run makes no folds of its own, whatever the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoFolds {
    /// A kernel or a vote.
    Costly,
    /// The last weights, which are a lecture's.
    KeepLast,
    /// One pass.
    OnePass,
}

impl NoFolds {
    /// The reason for these options; `None` if there is none.
    pub fn of(options: &Options) -> Option<Self> {
        if options.kernel.is_some() || !options.keep.kept().keeper().is_hyperplane() {
            return Some(NoFolds::Costly);
        }
        if options.keep == Keep::Last {
            return Some(NoFolds::KeepLast);
        }
        (options.epochs == 1).then_some(NoFolds::OnePass)
    }
}

/// How the rows of a table are dealt out to folds after the run of `report`, if each class has two examples and the folds take
/// little work.
pub fn own_folds<'a>(table: Table<'a>, options: &Options, report: &Report) -> Option<Splitter<'a>> {
    if NoFolds::of(options).is_some() {
        return None;
    }
    let sizes = Part::whole(table).class_sizes();
    let suffice = table.rows.len() >= FEWEST_EXAMPLES && sizes.iter().all(|&size| size >= 2);
    let suits = suffice && fold_work(table, options, report) <= MOST_WORK;
    suits.then(|| Splitter::new(table.rows, table.numbers, None))
}

/// The work of the folds, in units of about the time in which a stored value is looked at. It is counted, so that a run makes
/// the same folds on every machine: the visits of as many epochs as the run made, and for each fold the copy, the scaling, the
/// predictions and the weights.
fn fold_work(table: Table<'_>, options: &Options, report: &Report) -> u64 {
    /// Passes over the rows besides the epochs.
    const OTHER_PASSES: u64 = 12;
    /// The work of a visit besides the values of its row.
    const VISIT: u64 = 16;
    /// The work for each weight of the folds: to be made, averaged and compared.
    const WEIGHT: u64 = 120;
    let Table { rows, scheme, .. } = table;
    let planes = scheme.hyperplanes() as u64;
    let (stored, examples) = (rows.stored() as u64, rows.len() as u64);
    let pass = stored.saturating_add(examples.saturating_mul(VISIT));
    let update = match (options.penalty, options.update.rule().precise.is_some()) {
        (Some(_), _) => 3,
        (None, true) => 2,
        (None, false) => 1,
    };
    let epochs = report.epochs.saturating_mul(planes).saturating_mul(update);
    let visits = pass.saturating_mul(epochs.saturating_add(OTHER_PASSES));
    let weights = (rows.features() as u64).saturating_mul(planes).saturating_mul(WEIGHT);
    visits.saturating_mul(FOLDS as u64 - 1).saturating_add(weights)
}

impl Recipe<'_> {
    /// Tries balanced class weights on the same folds if a class is never predicted, and both trials together take little work.
    /// `None` if they predict none of these classes either. An error of the trial's runs is none of the caller's; `is_over`
    /// tells those that end everything.
    ///
    /// # Errors
    /// An error of a run that ends everything.
    pub fn try_class_weights<E: From<Error> + Send>(
        &self,
        (table, classes): (Table<'_>, &Classes),
        (splitter, folds): (&Splitter<'_>, &Folds),
        report: &Report,
        make_run: MakeRun<'_, E>,
        is_over: impl Fn(&E) -> bool,
    ) -> Result<Option<ClassWeightTrial>, E> {
        let work = fold_work(table, self.options, report).saturating_mul(2);
        let is_little = work <= MOST_WORK && NoFolds::of(self.options).is_none();
        let is_weighted = self.options.class_weight != ClassWeight::Uniform;
        let balanced = Options { class_weight: ClassWeight::Balanced, ..self.options.clone() };
        if folds.rates.never_predicted().is_empty()
            || is_weighted
            || !is_little
            || balanced.check().is_err()
        {
            return Ok(None);
        }
        let by = (splitter, folds.k_fold());
        let recipe = Recipe { options: &balanced, ..*self };
        let trial = match recipe.cross_validate(table, by, make_run) {
            Err(error) if is_over(&error) => return Err(error),
            trial => trial.ok().and_then(|trial| trial.folds(classes).ok()),
        };
        let trial = trial.map(|trial| ClassWeightTrial {
            class_weight: "balanced",
            mean: trial.mean,
            per_class: trial.rates.per_class,
        });
        Ok(trial.filter(|trial| trial.found(folds).0 > 0))
    }
}

//! One epoch over examples that come in batches and are not kept.

use std::{ops::ControlFlow, sync::Arc};

use super::{
    Fit,
    trainer::{Training, stop_after},
};
use crate::{
    data::{Labelled, Row, Scheme},
    dynamics::CleanEpoch,
    events::{Epoch, Stop, Visit},
    hyperplane::Hyperplane,
    keep::{Keep, Kept},
    learner::{
        BinaryTrainer, Learner, Observer, Rates, TrainError, bias_unit, check_sizes, rates, sized,
    },
    margin::{UpdateTotals, bias_in_theorem, joint_upper_bound, margin_upper_bound},
    model::Classifier,
    options::{OptionError, Options},
    prototype::{Baseline, Sums},
    radius::Radius,
    report::{Candidate, ClassReport, Errors, MarginBracket, Report},
    schedule::Init,
    space::{PrimalSpace, Space},
};

/// Learns from examples batch by batch without keeping them: one epoch in the given order. Its memory does not grow
/// with their number.
///
/// The weights are bit-for-bit those of `fit` on all batches together with the same options. The report
/// leaves out what needs the examples twice: training errors, the margin of a separator, the pocket.
///
/// Cost: for each example one visit, and two passes over its features while they are in the cache.
///
/// ```
/// use rosenblatt_core::{data::{Labelled, Rows, Scheme}, schedule::Order, train::{Options, Stream}};
/// let options = Options { epochs: 1, order: Order::Given, ..Options::default() };
/// let scheme = Scheme::Two { positive: 1 };
/// let mut stream = Stream::new(&options, scheme)?;
/// for (row, class) in [(vec![0.0, 1.0], 0), (vec![1.0, 0.0], 1)] {
///     let rows = Rows::dense(row, 2)?;
///     let _ = stream.learn(&Labelled::new(&rows, &[class], scheme)?, &mut ())?;
/// }
/// let (fit, _) = stream.finish()?;
/// // The first example is a mistake: its score is 0. The second has score −1.
/// assert_eq!(fit.report.mistakes_per_epoch, [2]);
/// assert_eq!(fit.report.training_errors, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Stream {
    pub(super) options: Options,
    pub(super) scheme: Scheme,
    /// The learner of each hyperplane.
    pub(super) learners: Vec<Learner>,
    pub(super) mistakes: Vec<u64>,
    /// The learning rate times the weight of each class.
    pub(super) rates: Arc<[f64]>,
    /// The largest learning rate of an example so far.
    pub(super) largest_rate: f64,
    pub(super) epoch: Epoch,
    pub(super) features: usize,
    pub(super) radius: Radius,
    pub(super) sums: Sums,
    /// 0, 1, 2, …
    pub(super) order: Vec<usize>,
    /// The error after which the stream is unusable.
    pub(super) failed: Option<TrainError>,
}

impl Stream {
    /// A stream before its first example.
    ///
    /// # Errors
    /// [`TrainError::Option`] for options that are no [single pass](crate::train::Dynamics::is_one_pass), and for initial weights that do not fit;
    /// [`TrainError::Scheme`]; [`TrainError::TooLarge`].
    pub fn new(options: &Options, scheme: Scheme) -> Result<Self, TrainError> {
        options.check()?;
        scheme.check()?;
        options.check_classes(scheme)?;
        if !options.dynamics().is_one_pass {
            return Err(OptionError::NotOnePass.into());
        }
        options.check_first(scheme.hyperplanes(), None)?;
        let features = options.given_features().unwrap_or(0);
        sized(features, scheme.hyperplanes())?;
        let bias_unit = bias_unit(options.bias, Radius::default())?;
        let learner = |number| {
            let mut learner = Learner::for_run(options, features, bias_unit);
            if number > 0 && options.init != Init::Zero {
                learner.start_from(options, features, number);
            }
            learner
        };
        Ok(Stream {
            options: options.clone(),
            scheme,
            learners: (0..scheme.hyperplanes()).map(learner).collect(),
            mistakes: vec![0; scheme.hyperplanes()],
            rates: rates(options, &vec![0; scheme.classes()])?.into(),
            largest_rate: 0.0,
            epoch: Epoch::new(1),
            features,
            radius: Radius::default(),
            sums: Sums::new(scheme),
            order: Vec::new(),
            failed: None,
        })
    }

    /// Learns the next examples, whose classes must be those of the scheme. `observer` sees every visit, with examples
    /// counted from 0 in this batch. A batch may have more features than the batches before, whose values are then 0;
    /// with given initial weights the number is fixed. A sparse batch may have fewer features; a dense one has a value
    /// for every feature.
    ///
    /// Breaks when the observer does; the rest of the batch is then skipped.
    ///
    /// # Errors
    /// [`TrainError::Option`] for features or weights of examples that do not fit the options,
    /// [`TrainError::OtherClasses`], [`TrainError::OtherFeatures`] for dense rows with fewer features, and
    /// [`TrainError::TooLarge`]: the stream is then unchanged. [`TrainError::Overflow`]: the stream is then unusable
    /// and always returns this error.
    pub fn learn(
        &mut self,
        batch: &Labelled<'_>,
        observer: &mut impl Observer,
    ) -> Result<ControlFlow<()>, TrainError> {
        self.usable()?;
        let rows = batch.rows();
        self.check(batch)?;
        let rates = Rates::new(batch, &self.rates, &self.options)?;
        if let Some(found) = self.options.given_features().filter(|&own| own != rows.features()) {
            let (hyperplane, expected) = (0, rows.features());
            return Err(OptionError::GivenWeights { hyperplane, found, expected }.into());
        }
        sized(rows.features(), self.scheme.hyperplanes())?;
        self.features = self.features.max(rows.features());
        self.largest_rate = self.largest_rate.max(rates.largest());
        self.order.extend(self.order.len()..rows.len());
        let trainer = |(examples, mut learner): (_, Learner)| {
            learner.grow_to(self.features);
            BinaryTrainer::resume(examples, rates.clone(), learner)
        };
        let trainers =
            batch.problems().into_iter().zip(self.learners.drain(..)).map(trainer).collect();
        let (options, scheme, space) = (&self.options, self.scheme, PrimalSpace::new(rows));
        let mut training = Training { options, scheme, space, trainers };
        let passed = training.next_epoch(self.epoch.number, &self.order[..rows.len()], observer);
        let Training { space, trainers, .. } = training;
        for (trainer, mistakes) in trainers.into_iter().zip(&mut self.mistakes) {
            *mistakes += trainer.mistakes_per_epoch.iter().sum::<u64>();
            self.learners.push(trainer.learner);
        }
        let passed = passed.map_err(|error| {
            let error = error.after(self.epoch.visits as usize);
            self.failed = Some(error.clone());
            error
        })?;
        let epoch = passed.epoch;
        self.sums.add(batch, epoch.visits as usize);
        self.epoch.visits += epoch.visits;
        self.epoch.mistakes += epoch.mistakes;
        self.epoch.updates += epoch.updates;
        let radius = space.radius();
        self.radius.length = self.radius.length.max(radius.length);
        self.radius.square = self.radius.square.max(radius.square);
        Ok(passed.flow)
    }

    /// Learns a batch of one example and returns its visit; with several hyperplanes, that of its own class.
    ///
    /// # Errors
    /// As for [`Self::learn`].
    pub fn learn_one(&mut self, example: &Labelled<'_>) -> Result<Visit, TrainError> {
        let class = example.classes().first().map_or(0, |&class| class as usize);
        let plane = if self.learners.len() == 1 { 0 } else { class };
        let mut last = LastVisit { plane, visit: None };
        let _: ControlFlow<()> = self.learn(example, &mut last)?;
        let features = example.rows().features();
        last.visit.ok_or(TrainError::Empty { examples: 0, features })
    }

    /// The number of features so far.
    pub fn features(&self) -> usize {
        self.features
    }

    /// The error that made the stream unusable.
    pub(super) fn usable(&self) -> Result<(), TrainError> {
        self.failed.clone().map_or(Ok(()), Err)
    }

    /// Checks that a batch fits this stream.
    fn check(&self, batch: &Labelled<'_>) -> Result<(), TrainError> {
        let (found, expected) = (batch.rows().features(), self.features);
        if batch.scheme() != self.scheme {
            let (found, expected) = (batch.scheme(), self.scheme);
            return Err(TrainError::OtherClasses { found, expected });
        }
        if found < expected && !batch.rows().is_sparse() && !batch.rows().is_empty() {
            return Err(TrainError::OtherFeatures { found, expected });
        }
        Ok(())
    }

    /// The number of examples so far.
    pub fn examples(&self) -> u64 {
        self.epoch.visits
    }

    /// The counts of the epoch so far.
    pub fn epoch(&self) -> Epoch {
        self.epoch
    }

    /// Returns the weights that would be kept if the epoch ended now, one per hyperplane of the scheme: the last or
    /// the average weights; [`Keep::Auto`] chooses between them. Before the first example these are the initial weights.
    ///
    /// # Errors
    /// [`TrainError::AverageOverflow`]; the error that ended the stream.
    pub fn planes(&self) -> Result<Vec<Hyperplane>, TrainError> {
        self.usable()?;
        self.means(self.kept()).unwrap_or_else(|| Ok(self.last()))
    }

    /// Returns the score of each hyperplane for a row, by the weights that [`Self::planes`] would return.
    ///
    /// Cost: proportional to the entries of the row.
    ///
    /// # Errors
    /// [`TrainError`] if an earlier example failed or the average of a weight overflows.
    pub fn scores(&self, row: Row<'_>) -> Result<Vec<f64>, TrainError> {
        self.usable()?;
        let kept = self.kept();
        self.learners.iter().map(|learner| learner.score(row, kept)).collect()
    }

    /// The reason for which the epoch would end now.
    fn stop(&self) -> Stop {
        stop_after(self.epoch, &self.options).unwrap_or(Stop::MaxEpochs)
    }

    /// The weights that the options choose if the epoch ends now. After a single epoch without mistakes, whose examples
    /// cannot be read again, `Auto` is the last weights; but for passive-aggressive rules no other were visited.
    fn kept(&self) -> Kept {
        match self.stop() {
            Stop::CleanEpoch if self.options.keep == Keep::Auto => Kept::Last,
            _ => self.options.dynamics().kept,
        }
    }

    /// Returns the current weights, one hyperplane per hyperplane of the scheme, whatever the stream keeps. Another
    /// stream can start from them ([`Init::Given`]).
    pub fn last(&self) -> Vec<Hyperplane> {
        self.learners.iter().map(|learner| learner.hyperplane().into_owned()).collect()
    }

    /// The means of all hyperplanes, if they are kept.
    fn means(&self, kept: Kept) -> Option<Result<Vec<Hyperplane>, TrainError>> {
        let means = self.learners.iter().map(|learner| learner.mean(kept));
        means.collect::<Option<Vec<_>>>().map(|planes| planes.into_iter().collect())
    }

    /// Ends the epoch.
    ///
    /// # Errors
    /// [`TrainError`], also without any example.
    pub fn finish(self) -> Result<(Fit, Baseline), TrainError> {
        self.usable()?;
        let examples = self.epoch.visits as usize;
        check_sizes(examples, self.features, self.sums.class_sizes(), &self.options.class_weight)?;
        let (kept, planes) = (self.kept(), self.planes()?);
        let candidate = |kept, planes| Candidate {
            kept,
            planes,
            is_present: kept == Kept::Last,
            extra_epochs: 0,
        };
        // A mean that is only compared may be missing.
        let mean = |(kept, _)| Some(candidate(kept, self.means(kept)?.ok()?));
        let last = candidate(Kept::Last, self.last());
        let all = [last].into_iter().chain(Kept::means().filter_map(mean));
        let others = all.filter(|other| other.kept != kept).collect();
        let report = self.report();
        let fit = Fit { classifier: Classifier::Linear(planes), report, others };
        Ok((fit, self.sums.baseline()))
    }

    /// Returns the report as if the epoch ended now, even if a class has no examples.
    pub fn report(&self) -> Report {
        let (stop, kept) = (self.stop(), self.kept());
        let one = self.scheme.hyperplanes() == 1;
        let is_joint = self.options.is_joint(self.scheme);
        let converged = stop == Stop::CleanEpoch;
        let class = |plane: usize| ClassReport {
            examples: self.sums.class_sizes()[plane],
            updates: self.learners[plane].updates(),
            mistakes_per_epoch: vec![self.mistakes[plane]],
            converged: converged
                || (self.mistakes[plane] == 0
                    && self.options.dynamics().clean_epoch != CleanEpoch::GoesOn),
            errors: Errors::default(),
            min_margin: None,
            separator: None,
            margin: if is_joint { MarginBracket::default() } else { self.margin(plane) },
            novikoff_bound: None,
        };
        Report {
            examples: self.epoch.visits as usize,
            features: self.features,
            epochs: 1,
            updates: self.epoch.updates,
            converged,
            stopped_by: stop,
            mistakes_per_epoch: vec![self.epoch.mistakes],
            kept,
            extra_epochs: None,
            errors: Errors::default(),
            training_errors: None,
            training_error_rate: None,
            sampled_errors: None,
            radius: self.radius.length,
            min_margin: None,
            separator: None,
            margin: match one {
                true => self.margin(0),
                false if is_joint => self.joint_margin(),
                false => MarginBracket::default(),
            },
            novikoff_bound: None,
            support: None,
            best_epoch: None,
            per_class: (!one).then(|| (0..self.learners.len()).map(class).collect()),
            seed: self.options.seed,
        }
    }

    /// The upper bound on the margin of the data that the norm of the last weights proves.
    fn margin(&self, plane: usize) -> MarginBracket {
        let learner = &self.learners[plane];
        let radius = self.radius.length;
        let last = bias_in_theorem(learner.stored(), self.options.bias, radius);
        let length = learner.stored().norm_bounds_with(last);
        let rate = self.largest_rate;
        let totals = UpdateTotals::of(learner, rate);
        let upper = margin_upper_bound(totals, &self.options, radius, length);
        self.bracket(totals, upper)
    }

    /// The upper bound of all hyperplanes, which learn together.
    fn joint_margin(&self) -> MarginBracket {
        let totals = UpdateTotals::joint(self.learners.iter(), self.largest_rate);
        let planes = self.learners.iter().map(Learner::stored);
        let upper = joint_upper_bound(totals, &self.options, self.radius.length, planes);
        self.bracket(totals, upper)
    }

    /// The bound, if a run from zero made an update.
    fn bracket(&self, totals: UpdateTotals, upper: f64) -> MarginBracket {
        let is_proven = self.options.dynamics().sums_rows() && totals.updates > 0;
        let upper = Some(upper).filter(|upper| is_proven && upper.is_finite());
        MarginBracket { lower: None, upper }
    }
}

/// Records the last visit of one hyperplane.
struct LastVisit {
    plane: usize,
    visit: Option<Visit>,
}

impl Observer for LastVisit {
    fn visited(&mut self, _: usize, visit: Visit, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        if visit.hyperplane == self.plane {
            self.visit = Some(visit);
        }
        ControlFlow::Continue(())
    }
}

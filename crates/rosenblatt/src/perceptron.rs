//! The perceptron as a value: options that train models.

mod fit;
mod saved;

use fit::Judging;
use saved::SavedPerceptron;

use crate::{Result, online::Online};
use rosenblatt_core::{
    calibration::CalibrationMethod,
    data::{Label, Rows, Scale, ZeroScore, classes_of},
    keep::Keep,
    kernel::Kernel,
    learner::{Checkpoint, Observer},
    model::Model,
    options::{
        Bias, ClassWeight, Decay, LectureNotes, Multiclass, OptionError, Options, Penalty,
        Resources,
    },
    rules::{Mistake, Update},
    schedule::{Init, Order},
    train::StreamScaling,
    transforms::{DocumentFrequency, Normalise, PrepareOptions, Weighting},
};

/// A perceptron before training: its options. [`fit`](Self::fit) trains a [`Model`].
///
/// Two classes get one hyperplane, and more classes get one each ([`Multiclass`]). The same rows, labels and options give
/// an identical model on every machine.
///
/// ```
/// use rosenblatt::{Keep, Perceptron, Rows, Scale};
/// // The logical AND.
/// let rows = Rows::dense(&[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], 2)?;
/// let model = Perceptron::new().keep(Keep::Last).fit(&rows, &[false, false, false, true])?;
/// assert!(model.report().converged);
/// assert_eq!(model.predict(&[1.0, 1.0])?.label(), "true");
/// # Ok::<(), rosenblatt::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(from = "SavedPerceptron", into = "SavedPerceptron")]
pub struct Perceptron {
    options: Options,
    prepare: PrepareOptions,
    positive: Option<String>,
    judging: Judging,
}

/// Optional inputs of a run. `Run::default()` trains on one thread without an observer.
#[derive(Default)]
pub struct Run<'a> {
    /// Observes the run and can stop it.
    pub observer: Option<&'a mut dyn Observer>,
    /// A positive weight for each example, which multiplies the learning rate.
    pub weights: Option<&'a [f64]>,
    /// Limits on threads and memory; they change no bit of the model.
    pub resources: Resources,
    /// The checkpoint of an earlier run on the same examples, which this run continues.
    pub resume: Option<&'a Checkpoint>,
}

impl Default for Perceptron {
    fn default() -> Self {
        Perceptron::with_options(Options { plateau: true, ..Options::default() })
    }
}

impl Perceptron {
    /// Returns a perceptron with the default options: those of [`Options::default`], and training that also ends when
    /// the mistakes no longer become fewer.
    pub fn new() -> Self {
        Perceptron::default()
    }

    /// Returns a perceptron with these options.
    pub fn with_options(options: Options) -> Self {
        Perceptron {
            options,
            prepare: PrepareOptions::default(),
            positive: None,
            judging: Judging::default(),
        }
    }

    /// Returns the perceptron of these lecture notes: their options, at most 1000 epochs, and the features as they are.
    pub fn notes(notes: LectureNotes) -> Self {
        Perceptron::with_options(notes.options()).scale(Scale::None)
    }

    /// When and how far the weights move; the default is Rosenblatt's rule.
    #[must_use]
    pub fn update(mut self, update: Update) -> Self {
        self.options.update = update;
        self
    }

    /// Which of the visited weights become the model; the default is their average. After an epoch without a mistake
    /// the last weights separate the examples ([`Keep::Last`]).
    #[must_use]
    pub fn keep(mut self, keep: Keep) -> Self {
        self.options.keep = keep;
        self
    }

    /// Makes large weights smaller at every visit; the default is no penalty. It excludes a kernel, the pocket, a vote, joint
    /// learning of several classes and the second-order rules.
    #[must_use]
    pub fn penalty(mut self, penalty: Penalty) -> Self {
        self.options.penalty = Some(penalty);
        self
    }

    /// Trains in the space of this kernel; the default is feature space.
    #[must_use]
    pub fn kernel(mut self, kernel: Kernel) -> Self {
        self.options.kernel = Some(kernel);
        self
    }

    /// How the bias is learned; the default is the weight of a feature that is always 1.
    #[must_use]
    pub fn bias(mut self, bias: Bias) -> Self {
        self.options.bias = bias;
        self
    }

    /// Which scores of exactly 0 count as mistakes; by default all do.
    #[must_use]
    pub fn mistake(mut self, mistake: Mistake) -> Self {
        self.options.mistake = mistake;
        self
    }

    /// The class that a score of exactly 0 predicts; the default is the positive class.
    #[must_use]
    pub fn zero(mut self, zero: ZeroScore) -> Self {
        self.options.zero = zero;
        self
    }

    /// The order of the examples; the default is a new random order in each epoch. [`Order::Mistaken`] is for two classes.
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        self.options.order = order;
        self
    }

    /// The initial weights; the default is 0.
    #[must_use]
    pub fn init(mut self, init: Init) -> Self {
        self.options.init = init;
        self
    }

    /// The seed of the random order and the random initial weights; the default is 0.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.options.seed = seed;
        self
    }

    /// The maximum number of epochs. By default training ends where more epochs rarely help ([`Options::plateau`]), at
    /// most after 1000.
    #[must_use]
    pub fn epochs(mut self, epochs: u64) -> Self {
        self.options.epochs = epochs;
        self.options.plateau = false;
        self
    }

    /// Ends training after an epoch with mistakes, but at most this many; the default is 0.
    #[must_use]
    pub fn allow_mistakes(mut self, allow_mistakes: u64) -> Self {
        self.options.allow_mistakes = allow_mistakes;
        self
    }

    /// The learning rate η > 0; the default is 1.
    #[must_use]
    pub fn eta(mut self, eta: f64) -> Self {
        self.options.eta = eta;
        self
    }

    /// Lets the learning rate fall: η/t or η/√t in epoch t; the default is one rate. It excludes a penalty, rules without a
    /// learning rate, and learning one example at a time.
    #[must_use]
    pub fn decay(mut self, decay: Decay) -> Self {
        self.options.decay = Some(decay);
        self
    }

    /// The weight of each class; by default all are 1.
    #[must_use]
    pub fn class_weight(mut self, class_weight: ClassWeight) -> Self {
        self.options.class_weight = class_weight;
        self
    }

    /// How more than two classes are learned; by default each against the rest, by itself.
    #[must_use]
    pub fn classes(mut self, classes: Multiclass) -> Self {
        self.options.classes = classes;
        self
    }

    /// How the features are scaled before training; by default as [`PrepareOptions::scaling`] says. The model applies
    /// the same scaling to the rows that it classifies.
    #[must_use]
    pub fn scale(mut self, scale: Scale) -> Self {
        self.prepare.scale = Some(scale);
        self
    }

    /// The length by which each row is divided after the scaling; the default is rows as they are. The model divides
    /// the rows that it classifies in the same way.
    ///
    /// ```
    /// use rosenblatt::{Normalise, Perceptron, Rows};
    /// // Two texts of one subject, the second ten times as long, and one of another.
    /// let rows = Rows::dense(&[3.0, 1.0, 30.0, 10.0, 1.0, 3.0], 2)?;
    /// let model = Perceptron::new().normalise(Normalise::L2).fit(&rows, &["a", "a", "b"])?;
    /// assert_eq!(model.predict(&[300.0, 100.0])?.score(), model.predict(&[3.0, 1.0])?.score());
    /// # Ok::<(), rosenblatt::Error>(())
    /// ```
    #[must_use]
    pub fn normalise(mut self, normalise: Normalise) -> Self {
        self.prepare.normalise = normalise;
        self
    }

    /// How counts, such as those of words, are weighted before the scaling; the default is counts as they are. The model
    /// weights the rows that it classifies in the same way.
    ///
    /// ```
    /// use rosenblatt::{Perceptron, Rows, Weighting};
    /// let rows = Rows::dense(&[3.0, 1.0, 1.0, 0.0, 0.0, 2.0], 2)?;
    /// let model = Perceptron::new().weighting(Weighting::Binary).fit(&rows, &["a", "a", "b"])?;
    /// assert_eq!(model.predict(&[9.0, 2.0])?.score(), model.predict(&[1.0, 1.0])?.score());
    /// # Ok::<(), rosenblatt::Error>(())
    /// ```
    #[must_use]
    pub fn weighting(mut self, weighting: Weighting) -> Self {
        self.prepare.weighting = weighting;
        self
    }

    /// Leaves out the features that are in too few or too many of the training rows, such as rare words; the model leaves them
    /// out of the rows that it classifies. A fit fails if no feature remains.
    ///
    /// ```
    /// use rosenblatt::{Perceptron, Rows};
    /// let rows = Rows::dense(&[3.0, 1.0, 1.0, 0.0, 0.0, 2.0, 0.0, 1.0], 2)?;
    /// let model = Perceptron::new().document_frequency("3:".parse()?).fit(&rows, &["a", "a", "b", "b"])?;
    /// assert_eq!(model.predict(&[9.0, 2.0])?.score(), model.predict(&[0.0, 2.0])?.score());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn document_frequency(mut self, frequency: DocumentFrequency) -> Self {
        self.prepare.frequency = Some(frequency);
        self
    }

    /// The label of the positive class. All other labels together become the negative one.
    #[must_use]
    pub fn positive(mut self, label: impl Into<String>) -> Self {
        self.positive = Some(label.into());
        self
    }

    /// Holds out this share of the examples (above 0 and below 1), drawn whatever their classes; copies of rows stay on one side
    /// ([`Splitter`](crate::Splitter)). Training stops when the held-out errors have not fallen for `patience` epochs, and the weights of the
    /// best epoch become the model. Of each class, one example at least is learned from.
    #[must_use]
    pub fn early_stopping(mut self, share: f64, patience: u64) -> Self {
        self.judging.early_stopping = Some((share, patience));
        self
    }

    /// Holds out this share of the examples (above 0 and below 1), drawn whatever their classes, and compares the model's predictions
    /// of them with their labels: [`Model::validation`]. A class of which all examples are held out is not learned, and its examples
    /// count as wrong.
    ///
    /// ```
    /// use rosenblatt::{Perceptron, Rows};
    /// let rows = Rows::dense(&[-4.0, -3.0, -2.0, -1.0, 1.0, 2.0, 3.0, 4.0], 1)?;
    /// let signs = [false, false, false, false, true, true, true, true];
    /// let model = Perceptron::new().hold_out(0.25).fit(&rows, &signs)?;
    /// let holdout = model.validation().holdout.as_ref().expect("examples were held out");
    /// assert_eq!((holdout.examples, holdout.errors), (2, 0));
    /// # Ok::<(), rosenblatt::Error>(())
    /// ```
    #[must_use]
    pub fn hold_out(mut self, share: f64) -> Self {
        self.judging.hold_out = Some(share);
        self
    }

    /// Deals the examples out to `k` ≥ 2 folds and judges each by a run on the others: [`Model::validation`]. The model learns from
    /// all examples. Where rows were copied, copies stay in one fold
    /// ([`Splitter`](crate::Splitter)).
    ///
    /// Cost: that of k more runs.
    ///
    /// ```
    /// use rosenblatt::{Perceptron, Rows};
    /// let rows = Rows::dense(&[-4.0, -3.0, -2.0, -1.0, 1.0, 2.0, 3.0, 4.0], 1)?;
    /// let signs = [false, false, false, false, true, true, true, true];
    /// let model = Perceptron::new().folds(4).fit(&rows, &signs)?;
    /// let folds = model.validation().folds.as_ref().expect("folds were made");
    /// assert_eq!((folds.mean, folds.sd), (1.0, 0.0));
    /// assert_eq!(model, Perceptron::new().fit(&rows, &signs)?);
    /// # Ok::<(), rosenblatt::Error>(())
    /// ```
    #[must_use]
    pub fn folds(self, k: usize) -> Self {
        self.repeated_folds(k, 1)
    }

    /// Deals the examples out to `k` ≥ 2 folds, `repeats` ≥ 1 times with the seed of the run and those after it, and judges each fold
    /// as [`Self::folds`] does. More repeats show how much of a difference is the luck of the draw; they are not independent of one
    /// another.
    ///
    /// Cost: that of k · `repeats` more runs.
    ///
    /// ```
    /// use rosenblatt::{Perceptron, Rows};
    /// let rows = Rows::dense(&[-4.0, -3.0, -2.0, -1.0, 1.0, 2.0, 3.0, 4.0], 1)?;
    /// let signs = [false, false, false, false, true, true, true, true];
    /// let model = Perceptron::new().repeated_folds(4, 3).fit(&rows, &signs)?;
    /// let folds = model.validation().folds.as_ref().expect("folds were made");
    /// assert_eq!((folds.repeats, folds.accuracies.len()), (3, 12));
    /// # Ok::<(), rosenblatt::Error>(())
    /// ```
    #[must_use]
    pub fn repeated_folds(mut self, k: usize, repeats: usize) -> Self {
        self.judging.folds = Some((k, repeats));
        self
    }

    /// Calibrates the model, so that it has probabilities, by the scores of examples that it did not learn from: those of
    /// [`Self::hold_out`], or those of the folds. A fit fails without either.
    ///
    /// ```
    /// use rosenblatt::{Perceptron, Rows, calibration::CalibrationMethod};
    /// let rows = Rows::dense(&[-4.0, -3.0, -2.0, 1.0, -1.0, 2.0, 3.0, 4.0], 1)?;
    /// let signs = [false, false, false, false, true, true, true, true];
    /// let model = Perceptron::new().folds(4).calibrate(CalibrationMethod::Platt).fit(&rows, &signs)?;
    /// let scores = model.predict_rows(&Rows::dense(&[-9.0, 9.0], 1)?)?.scores;
    /// let probabilities = model.probabilities(&scores).expect("the model is calibrated");
    /// assert!(probabilities[0] > 0.5 && probabilities[3] > 0.5);
    /// # Ok::<(), rosenblatt::Error>(())
    /// ```
    #[must_use]
    pub fn calibrate(mut self, method: CalibrationMethod) -> Self {
        self.judging.calibrate = Some(method);
        self
    }

    /// Learns with each of these options, and takes those with the highest accuracy on examples that are held out
    /// ([`Self::hold_out`], [`Self::folds`]), the first of equal ones; they replace the options of this perceptron.
    /// [`Validation::swept`](crate::validation::Validation::swept) has the accuracies. As the examples chose, the accuracy of the
    /// best is no estimate for new ones.
    ///
    /// ```
    /// use rosenblatt::{Options, Perceptron, Rows};
    /// let rows = Rows::dense(&[-4.0, -3.0, -2.0, -1.0, 1.0, 2.0, 3.0, 4.0], 1)?;
    /// let signs = [false, false, false, false, true, true, true, true];
    /// let rules = ["perceptron", "pa1:0.1"].map(|rule| rule.parse().map(|update| Options { update, ..Options::default() }));
    /// let rules: Vec<Options> = rules.into_iter().collect::<Result<_, _>>()?;
    /// let model = Perceptron::new().folds(4).sweep(rules).fit(&rows, &signs)?;
    /// assert_eq!(model.validation().swept.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn sweep(mut self, options: impl IntoIterator<Item = Options>) -> Self {
        self.judging.sweep = options.into_iter().collect();
        self.judging.best = false;
        self
    }

    /// Learns with the best of a short list of settings: rules, scalings, penalties and weights of counts in place of those of
    /// this perceptron, whose other options stay. They are compared by rows that are held out of those to learn from
    /// ([`Chooser::choose`](crate::recipe::Chooser::choose)). With [`Self::folds`] or [`Self::hold_out`] the model is judged by
    /// rows that did not choose: each fold by the setting that the others choose. It takes the place of [`Self::sweep`], and
    /// excludes [`Self::early_stopping`].
    ///
    /// [`Validation::swept`](crate::validation::Validation::swept) has the accuracy of each of [`settings`](crate::recipe::settings).
    ///
    /// Cost: for each setting three runs, of up to 500 rows nine, of 20,000 or more one; with folds as much again for each of them.
    ///
    /// ```
    /// use rosenblatt::{Perceptron, Rows};
    /// let numbers: Vec<f64> = (0..60).map(f64::from).collect();
    /// let labels: Vec<bool> = numbers.iter().map(|&number| number > 29.0).collect();
    /// let model = Perceptron::new().folds(5).best().fit(&Rows::dense(&numbers, 1)?, &labels)?;
    /// assert!(model.validation().swept.len() > 5);
    /// assert!(model.validation().folds.as_ref().is_some_and(|folds| folds.mean > 0.9));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn best(mut self) -> Self {
        self.judging.best = true;
        self.judging.sweep = Vec::new();
        self
    }

    /// The label of the positive class, if one was set.
    pub fn positive_label(&self) -> Option<&str> {
        self.positive.as_deref()
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Trains a model on rows and the label of each.
    ///
    /// Cost: one pass over the rows for each epoch, and a few more for the report.
    ///
    /// # Errors
    /// [`Error`](crate::Error): labels that form fewer than two classes, options that contradict each other, numbers
    /// that leave the range of `f64`.
    pub fn fit<L: Label>(&self, rows: &Rows<'_>, labels: &[L]) -> Result<Model> {
        self.fit_with(rows, labels, Run::default())
    }

    /// Trains a model with an observer, weights of examples, more threads, or from a checkpoint.
    ///
    /// # Errors
    /// [`Error`](crate::Error), as for [`Self::fit`].
    pub fn fit_with<L: Label>(&self, rows: &Rows<'_>, labels: &[L], run: Run<'_>) -> Result<Model> {
        let (classes, numbers) = classes_of(labels, self.positive.as_deref())?;
        self.fit_classes(rows, classes, &numbers, run)
    }

    /// Returns a learner for examples that come one by one, each learned once. Name all classes, two or more: a class
    /// added later would have missed the earlier examples.
    ///
    /// # Errors
    /// [`Error`](crate::Error) for options that need all examples at once: a kernel, a pocket or a vote, the bias R²,
    /// balanced class weights, random initial weights, weighted counts, normalising or early stopping. An order and a number of epochs are
    /// errors too.
    ///
    /// ```
    /// use rosenblatt::{Keep, Perceptron};
    /// let mut online = Perceptron::new().keep(Keep::Average).online(&["ham", "spam"])?;
    /// let mut mistakes = 0;
    /// for (row, label) in [([1.0, 0.0], "spam"), ([0.0, 1.0], "ham"), ([2.0, 1.0], "spam")] {
    ///     mistakes += usize::from(online.predict(&row)?.label() != label);
    ///     online.learn(&row, label)?;
    /// }
    /// assert_eq!(online.finish()?.predict(&[3.0, 0.0])?.label(), "spam");
    /// # Ok::<(), rosenblatt::Error>(())
    /// ```
    pub fn online<L: Label>(&self, classes: &[L]) -> Result<Online> {
        let (classes, _) = classes_of(classes, self.positive.as_deref())?;
        let defaults = Options::default();
        let is_one_pass = self.options.order == defaults.order
            && self.options.epochs == defaults.epochs
            && self.prepare.is_only_scaled()
            && self.judging == Judging::default();
        if !is_one_pass {
            return Err(OptionError::NotOnePass.into());
        }
        let options =
            Options { epochs: 1, plateau: false, order: Order::Given, ..self.options.clone() };
        let scaling = match self.prepare.scaling() {
            Scale::None => StreamScaling::default(),
            scale => StreamScaling::First(scale),
        };
        Online::new(options, classes, scaling)
    }
}

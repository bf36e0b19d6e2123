//! Learning from examples that come one by one.

use crate::{
    Error, Result,
    data::{Classes, Decision, Label, Labelled, Row, Rows},
    events::{Epoch, Visit},
    hyperplane::Hyperplane,
    model::{Model, ModelParts, Prediction},
    options::Options,
    preparation::Preparation,
    train::{Fit, Stream, StreamState},
};

/// A learner for examples that come one by one; made by [`Perceptron::online`](crate::Perceptron::online).
///
/// Sparse rows can increase the number of features. Dense rows must be as wide as the widest row before.
#[derive(Clone, Debug)]
pub struct Online {
    stream: Stream,
    options: Options,
    classes: Classes,
}

/// The state of an [`Online`] learner, which can be serialized; [`Online::from_state`] restores it.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct OnlineState {
    options: Options,
    classes: Classes,
    stream: StreamState,
}

impl Online {
    pub(crate) fn new(options: Options, classes: Classes) -> Result<Self> {
        let stream = Stream::new(&options, classes.scheme())?;
        Ok(Online { stream, options, classes })
    }

    /// Restores a learner from its state.
    ///
    /// # Errors
    /// [`Error`] if the state is inconsistent.
    pub fn from_state(state: OnlineState) -> Result<Self> {
        let OnlineState { options, classes, stream } = state;
        if !classes.is_sound() {
            let problem = "its classes are not two or more different names";
            return Err(crate::learner::TrainError::Checkpoint { problem }.into());
        }
        let stream = Stream::of_state(&options, classes.scheme(), stream)?;
        Ok(Online { stream, options, classes })
    }

    /// Returns the state of the learner. Cost: a copy of all weights.
    pub fn state(&self) -> OnlineState {
        let (options, classes) = (self.options.clone(), self.classes.clone());
        OnlineState { options, classes, stream: self.stream.state() }
    }

    /// Learns one example and returns the visit; with more than two classes, that of the hyperplane of its own class.
    ///
    /// Cost: one score and, on a mistake, one update for each hyperplane.
    ///
    /// # Errors
    /// [`Error::UnknownLabel`]. [`Error::Row`] for a row that does not fit; it is not learned. [`Error::Train`] if a
    /// weight leaves the range of `f64`; the learner is then unusable.
    pub fn learn<'r>(&mut self, row: impl Into<Row<'r>>, label: impl Label) -> Result<Visit> {
        let label = label.text();
        let class = self.classes.number(&label).ok_or_else(|| Error::UnknownLabel {
            label: label.clone().into_owned(),
            known: self.classes.shown(),
        })?;
        let rows = self.one_row(row.into())?;
        let class = [class as u32];
        let labelled = Labelled::new(&rows, &class, self.classes.scheme())?;
        Ok(self.stream.learn_one(&labelled)?)
    }

    /// Classifies a row with the weights that would be the model now. No weight is copied.
    ///
    /// Cost: one score per hyperplane, proportional to the entries of the row.
    ///
    /// # Errors
    /// [`Error::Row`] for a row that does not fit; [`Error::Train`] after a weight left the range of `f64`.
    pub fn predict<'r>(&self, row: impl Into<Row<'r>>) -> Result<Prediction<'_>> {
        let rows = self.one_row(row.into())?;
        let scores = self.stream.scores(rows.row(0))?;
        let decision = Decision { scheme: self.classes.scheme(), zero: self.options.zero };
        Ok(Prediction::new(decision.class(&scores), &self.classes, scores))
    }

    /// Returns the current weights, one hyperplane, or one per class with more than two classes, whatever the learner
    /// keeps. [`mix`](crate::mix) takes those of several machines, and [`Init::Given`](crate::Init::Given) starts from
    /// them.
    ///
    /// ```
    /// use rosenblatt::{Init, Keep, Perceptron, mix};
    /// let perceptron = Perceptron::new().keep(Keep::Last).init(Init::Zero);
    /// let mut machines = Vec::new();
    /// for (x, label) in [(2.0, "up"), (-1.0, "down")] {
    ///     let mut machine = perceptron.online(&["down", "up"])?;
    ///     machine.learn(&[x], label)?;
    ///     machines.push(machine.current_weights().remove(0));
    /// }
    /// let mixed = mix(&machines, &[1, 1])?;
    /// assert_eq!((&*mixed.weights, mixed.bias), (&[1.5][..], 0.0));
    /// let mut next = perceptron.init(Init::Given(vec![mixed].into())).online(&["down", "up"])?;
    /// assert!(!next.learn(&[1.0], "up")?.mistake);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn current_weights(&self) -> Vec<Hyperplane> {
        self.stream.last()
    }

    /// Returns the weights that would be the model now: the average, or the current weights.
    ///
    /// # Errors
    /// [`Error::Train`] if a weight left the range of `f64`.
    pub fn kept_weights(&self) -> Result<Vec<Hyperplane>> {
        Ok(self.stream.planes()?)
    }

    /// The numbers of visits, mistakes and updates so far.
    pub fn counts(&self) -> Epoch {
        self.stream.epoch()
    }

    /// Returns the model of the examples so far.
    ///
    /// # Errors
    /// [`Error::Train`] if a class has had no example, or if a weight left the range of `f64`.
    pub fn finish(self) -> Result<Model> {
        let Online { stream, options, classes } = self;
        let (Fit { classifier, report, .. }, baseline) = stream.finish()?;
        let parts = ModelParts {
            classifier,
            preparation: Preparation::default(),
            classes,
            baseline,
            calibration: None,
            options,
            report,
        };
        Ok(Model::new(parts)?)
    }

    /// The number of examples learned.
    pub fn examples(&self) -> u64 {
        self.stream.examples()
    }

    /// Returns a row as a matrix of one row, widened to the features of the learner.
    fn one_row<'r>(&self, row: Row<'r>) -> Result<Rows<'r>> {
        let known = self.stream.features();
        let features = match row.indices() {
            None if known == 0 => row.values().len(),
            None => known,
            Some(indices) => indices.last().map_or(known, |&last| known.max(last as usize + 1)),
        };
        Ok(Rows::of_row(row, features)?)
    }
}

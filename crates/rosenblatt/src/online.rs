//! Learning from examples that come one by one, or block by block.

use std::ops::ControlFlow;

use crate::{Error, Result};
use rosenblatt_core::{
    data::{Classes, Decision, Label, Labelled, Row, Rows},
    events::{Epoch, Visit},
    hyperplane::Hyperplane,
    model::{Model, ModelParts, Prediction},
    options::Options,
    train::{Fit, ScaledStream, Stream, StreamScaling, StreamState},
};

/// A learner for examples that come one by one; made by [`Perceptron::online`](crate::Perceptron::online).
///
/// Sparse rows can increase the number of features. Dense rows must be as wide as the widest row before.
///
/// Features are scaled by the statistics of the examples of the first call, if it is [`Self::learn_rows`] with two or
/// more; then the model has this scaling. A first call of [`Self::learn`] leaves features as they are.
#[derive(Clone, Debug)]
pub struct Online {
    stream: ScaledStream,
    options: Options,
    classes: Classes,
}

/// The state of an [`Online`] learner, which can be serialized; [`Online::from_state`] restores it.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct OnlineState {
    options: Options,
    classes: Classes,
    stream: StreamState,
    /// States of older versions scale nothing.
    #[serde(default)]
    scaling: StreamScaling,
}

impl Online {
    pub(crate) fn new(options: Options, classes: Classes, scaling: StreamScaling) -> Result<Self> {
        let stream = ScaledStream::new(&options, classes.scheme(), scaling)?;
        Ok(Online { stream, options, classes })
    }

    /// Restores a learner from its state.
    ///
    /// # Errors
    /// [`Error`] if the state is inconsistent.
    pub fn from_state(state: OnlineState) -> Result<Self> {
        let OnlineState { options, classes, stream, scaling } = state;
        if !classes.is_sound() {
            let problem = "its classes are not two or more different names";
            return Err(rosenblatt_core::learner::TrainError::Checkpoint { problem }.into());
        }
        let stream = Stream::of_state(&options, classes.scheme(), stream)?;
        let stream = ScaledStream::restored(stream, scaling)?;
        Ok(Online { stream, options, classes })
    }

    /// Returns the state of the learner. Cost: a copy of all weights.
    pub fn state(&self) -> OnlineState {
        let (options, classes) = (self.options.clone(), self.classes.clone());
        let (stream, scaling) = (self.stream.stream().state(), self.stream.scaling().clone());
        OnlineState { options, classes, stream, scaling }
    }

    /// Learns one example and returns the visit; with more than two classes, that of the hyperplane of its own class.
    ///
    /// Cost: one score and, on a mistake, one update for each hyperplane.
    ///
    /// # Errors
    /// [`Error::UnknownLabel`]. [`Error::Row`] for a row that does not fit; it is not learned. [`Error::Train`] if a
    /// weight leaves the range of `f64`; the learner is then unusable.
    pub fn learn<'r>(&mut self, row: impl Into<Row<'r>>, label: impl Label) -> Result<Visit> {
        let rows = self.one_row(row.into())?;
        let class = [self.class(&label)?];
        let labelled = Labelled::new(&rows, &class, self.classes.scheme())?;
        Ok(self.stream.learn_one(&labelled)?)
    }

    /// Learns each row and its label once, in order; an error leaves the learner unchanged.
    ///
    /// Cost: that of as many calls of [`Self::learn`]; the first call also reads the rows for their statistics.
    ///
    /// # Errors
    /// [`Error::UnknownLabel`]; [`Error::Rows`] for rows or labels that do not fit; [`Error::Scale`]; [`Error::Train`].
    ///
    /// ```
    /// use rosenblatt::{Perceptron, Rows};
    /// let mut online = Perceptron::new().online(&["hot", "cold"])?;
    /// let years = Rows::dense(&[1999.0, 2001.0, 2003.0, 2005.0], 1)?;
    /// online.learn_rows(&years, &["cold", "hot", "cold", "hot"])?;
    /// // Scaled by these examples: (2007 − 2002) / √5.
    /// let model = online.finish()?;
    /// let scaling = model.scaling().unwrap();
    /// assert_eq!((scaling.shift[0], scaling.first), (2002.0, Some(4)));
    /// # Ok::<(), rosenblatt::Error>(())
    /// ```
    pub fn learn_rows<L: Label>(&mut self, rows: &Rows<'_>, labels: &[L]) -> Result<()> {
        let classes = labels.iter().map(|label| self.class(label)).collect::<Result<Vec<_>>>()?;
        let labelled = Labelled::new(rows, &classes, self.classes.scheme())?;
        let _: ControlFlow<()> = self.stream.learn_whole(&labelled, &mut ())?;
        Ok(())
    }

    fn class(&self, label: &impl Label) -> Result<u32> {
        let label = label.text();
        let class = self.classes.number(&label).ok_or_else(|| Error::UnknownLabel {
            label: label.clone().into_owned(),
            known: self.classes.shown(),
        })?;
        Ok(class as u32)
    }

    /// Classifies a row with the weights that would be the model now. No weight is copied.
    ///
    /// Cost: one score per hyperplane, proportional to the entries of the row.
    ///
    /// # Errors
    /// [`Error::Row`] for a row that does not fit; [`Error::Train`] after a weight left the range of `f64`.
    pub fn predict<'r>(&self, row: impl Into<Row<'r>>) -> Result<Prediction<'_>> {
        let rows = self.one_row(row.into())?;
        let scaled = self.stream.scaled(&rows)?;
        let scores = self.stream.stream().scores(scaled.row(0))?;
        let decision = Decision { scheme: self.classes.scheme(), zero: self.options.zero };
        Ok(Prediction::new(decision.class(&scores), &self.classes, scores))
    }

    /// Returns the current weights, those of scaled features: one hyperplane, or one per class with more than two
    /// classes, whatever the learner keeps. [`mix`](crate::mix) takes those of several machines, and [`Init::Given`](crate::Init::Given) starts from
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
        self.stream.stream().last()
    }

    /// Returns the weights that would be the model now, those of scaled features: the average, or the current weights.
    ///
    /// # Errors
    /// [`Error::Train`] if a weight left the range of `f64`.
    pub fn kept_weights(&self) -> Result<Vec<Hyperplane>> {
        Ok(self.stream.stream().planes()?)
    }

    /// The numbers of visits, mistakes and updates so far.
    pub fn counts(&self) -> Epoch {
        self.stream.stream().epoch()
    }

    /// Returns the model of the examples so far.
    ///
    /// # Errors
    /// [`Error::Train`] if a class has had no example, or if a weight left the range of `f64`.
    pub fn finish(self) -> Result<Model> {
        let Online { stream, options, classes } = self;
        let (Fit { classifier, report, .. }, preparation, baseline) = stream.finish()?;
        let calibration = None;
        let parts =
            ModelParts { classifier, preparation, classes, baseline, calibration, options, report };
        Ok(Model::new(parts)?)
    }

    /// The number of examples learned.
    pub fn examples(&self) -> u64 {
        self.stream.stream().examples()
    }

    /// Returns a row as a matrix of one row, widened to the features of the learner.
    fn one_row<'r>(&self, row: Row<'r>) -> Result<Rows<'r>> {
        let known = self.stream.stream().features();
        let features = match row.indices() {
            None if known == 0 => row.values().len(),
            None => known,
            Some(indices) => indices.last().map_or(known, |&last| known.max(last as usize + 1)),
        };
        Ok(Rows::of_row(row, features)?)
    }
}

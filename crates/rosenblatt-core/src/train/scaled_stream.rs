//! A stream whose examples are scaled, by the statistics of its first batch or by a scaling that is known.

use std::{borrow::Cow, ops::ControlFlow};

use super::{Fit, Stream};
use crate::{
    data::{Labelled, Rows, Scale, ScaleError, Scaling, Scheme},
    events::Visit,
    learner::{Observer, TrainError},
    options::{Bias, Options},
    prototype::Baseline,
    transforms::Preparation,
};

/// How a stream scales its examples.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StreamScaling {
    /// By the statistics of the first batch. One example alone says nothing of its features, so that a first batch of
    /// one leaves all as they are.
    First(Scale),
    /// As it is known; `None` leaves examples as they are.
    Known(Option<Scaling>),
}

impl Default for StreamScaling {
    fn default() -> Self {
        StreamScaling::Known(None)
    }
}

/// A [`Stream`] of examples that are scaled first. Given initial weights are those of features before scaling.
///
/// ```
/// use rosenblatt_core::{data::{Labelled, Rows, Scale, Scheme}, schedule::Order};
/// use rosenblatt_core::train::{Options, ScaledStream, StreamScaling};
/// let options = Options { epochs: 1, order: Order::Given, ..Options::default() };
/// let scheme = Scheme::Two { positive: 1 };
/// let mut stream = ScaledStream::new(&options, scheme, StreamScaling::First(Scale::Auto))?;
/// let rows = Rows::dense(&[1999.0, 2001.0], 1)?;
/// let _ = stream.learn(&Labelled::new(&rows, &[0, 1], scheme)?, &mut ())?;
/// assert_eq!(stream.known_scaling().unwrap().shift, [2000.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ScaledStream {
    stream: Stream,
    scaling: StreamScaling,
    /// The features that the scaling shifts.
    shifted: Vec<usize>,
}

impl ScaledStream {
    /// A stream before its first example.
    ///
    /// # Errors
    /// As for [`Stream::new`].
    pub fn new(
        options: &Options,
        scheme: Scheme,
        scaling: StreamScaling,
    ) -> Result<Self, TrainError> {
        let (known, shifted) = match &scaling {
            StreamScaling::Known(Some(known)) => (Some(known), known.shifted()),
            _ => (None, Vec::new()),
        };
        let stream = started(options, scheme, known)?;
        Ok(ScaledStream { stream, scaling, shifted })
    }

    /// Joins a stream that [`Stream::of_state`] restored and its scaling.
    ///
    /// # Errors
    /// [`TrainError::Checkpoint`] for a scaling that is not yet known after examples, or that has more features.
    pub fn restored(stream: Stream, scaling: StreamScaling) -> Result<Self, TrainError> {
        let (fits, shifted) = match &scaling {
            StreamScaling::First(_) => (stream.examples() == 0, Vec::new()),
            StreamScaling::Known(None) => (true, Vec::new()),
            StreamScaling::Known(Some(known)) => {
                (known.fits_into(stream.features()), known.shifted())
            }
        };
        match fits {
            true => Ok(ScaledStream { stream, scaling, shifted }),
            false => {
                let problem = "its scaling does not fit";
                Err(TrainError::Checkpoint { problem })
            }
        }
    }

    /// The stream of the scaled examples. Its weights are those of scaled features.
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// How examples are scaled.
    pub fn scaling(&self) -> &StreamScaling {
        &self.scaling
    }

    /// The scaling of all features so far; `None` if rows stay as they are.
    pub fn known_scaling(&self) -> Option<Scaling> {
        match &self.scaling {
            StreamScaling::Known(Some(known)) => {
                let mut known = known.clone();
                known.resize(self.stream.features());
                Some(known)
            }
            _ => None,
        }
    }

    /// Learns the next examples, as [`Stream::learn`] does.
    ///
    /// # Errors
    /// As for [`Stream::learn`]; [`TrainError::Scale`].
    pub fn learn(
        &mut self,
        batch: &Labelled<'_>,
        observer: &mut impl Observer,
    ) -> Result<ControlFlow<()>, TrainError> {
        self.visit(batch, |stream, batch| stream.learn(batch, observer))
    }

    /// Learns a batch of one example and returns its visit; with several hyperplanes, that of its own class.
    ///
    /// # Errors
    /// As for [`Self::learn`].
    pub fn learn_one(&mut self, example: &Labelled<'_>) -> Result<Visit, TrainError> {
        self.visit(example, Stream::learn_one)
    }

    /// Learns like [`learn`](Self::learn), but an error or a break leaves the stream unchanged.
    ///
    /// # Errors
    /// As for [`Self::learn`].
    pub fn learn_whole(
        &mut self,
        batch: &Labelled<'_>,
        observer: &mut impl Observer,
    ) -> Result<ControlFlow<()>, TrainError> {
        self.visit(batch, |stream, batch| stream.learn_whole(batch, observer))
    }

    /// Scales rows by what is known so far. Features that came after the first batch stay as they are.
    ///
    /// # Errors
    /// [`ScaleError::Row`] for the first row whose scaled values are not finite; [`ScaleError::Features`] for dense rows
    /// that lack features.
    pub fn scaled<'r>(&self, rows: &'r Rows<'r>) -> Result<Cow<'r, Rows<'r>>, ScaleError> {
        match &self.scaling {
            StreamScaling::Known(Some(known)) if !rows.is_empty() => {
                known.streamed(rows, &self.shifted).map(Cow::Owned)
            }
            _ => Ok(Cow::Borrowed(rows)),
        }
    }

    /// Ends the epoch, and returns the preparation of rows with the run.
    ///
    /// # Errors
    /// As for [`Stream::finish`].
    pub fn finish(self) -> Result<(Fit, Preparation, Baseline), TrainError> {
        let scaling = self.known_scaling();
        let (fit, baseline) = self.stream.finish()?;
        Ok((fit, Preparation::scaled(scaling), baseline))
    }

    /// Visits the scaled examples of a batch. A first batch that is not learned leaves the stream before its first example.
    fn visit<T>(
        &mut self,
        batch: &Labelled<'_>,
        visit: impl FnOnce(&mut Stream, &Labelled<'_>) -> Result<T, TrainError>,
    ) -> Result<T, TrainError> {
        let before = matches!(self.scaling, StreamScaling::First(_)).then(|| self.clone());
        let scaled = self.scaled_features();
        let visited = self.begin(batch).and_then(|()| {
            self.resize(self.scaled_features().max(batch.rows().features()));
            let rows = self.scaled(batch.rows())?;
            visit(&mut self.stream, &batch.with_rows(&rows))
        });
        match before {
            Some(before) if self.stream.examples() == 0 => *self = before,
            // A batch that was not learned adds no feature, and a known scaling may be of features that come later.
            _ => self.resize(self.stream.features().max(scaled)),
        }
        visited
    }

    /// Takes the statistics of the first examples.
    fn begin(&mut self, batch: &Labelled<'_>) -> Result<(), TrainError> {
        let (StreamScaling::First(scale), count @ 1..) = (&self.scaling, batch.rows().len()) else {
            return Ok(());
        };
        let options = self.stream.options.clone();
        let keeps_origin = options.bias == Bias::None;
        let fitted = match count {
            1 => None,
            _ => Scaling::fit(*scale, batch.rows(), batch.weights(), keeps_origin)?,
        };
        let known = fitted.map(|scaling| Scaling { first: Some(count as u64), ..scaling });
        *self = Self::new(&options, self.stream.scheme, StreamScaling::Known(known))?;
        Ok(())
    }

    fn scaled_features(&self) -> usize {
        match &self.scaling {
            StreamScaling::Known(Some(known)) => known.features(),
            _ => 0,
        }
    }

    fn resize(&mut self, features: usize) {
        if let StreamScaling::Known(Some(known)) = &mut self.scaling {
            known.resize(features);
        }
    }
}

/// A stream that starts from the initial weights of scaled features.
fn started(
    options: &Options,
    scheme: Scheme,
    scaling: Option<&Scaling>,
) -> Result<Stream, TrainError> {
    let init = scaling.map_or_else(|| options.init.clone(), |scaling| options.init.scaled(scaling));
    Stream::new(&Options { init, ..options.clone() }, scheme)
}

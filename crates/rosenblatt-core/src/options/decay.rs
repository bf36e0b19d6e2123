//! The learning rate of an epoch.

use std::{fmt, str::FromStr};

/// How the learning rate falls from epoch to epoch: in epoch t, counted from 1, every step is that of the rate η, rounded,
/// divided by t or √t. As text: `t` or `sqrt(t)`.
///
/// Perceptron and margin rule converge on separable data with either; the proof is in
/// `rosenblatt-proofs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub enum Decay {
    /// η/t.
    #[serde(rename = "t")]
    Epoch,
    /// η/√t.
    #[serde(rename = "sqrt(t)")]
    SquareRoot,
}

impl Decay {
    /// The divisor of the rate in an epoch, counted from 1: t or √t, rounded to the nearest number.
    pub fn divisor(self, epoch: u64) -> f64 {
        match self {
            Decay::Epoch => epoch as f64,
            Decay::SquareRoot => (epoch as f64).sqrt(),
        }
    }
}

impl fmt::Display for Decay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Decay::Epoch => "t",
            Decay::SquareRoot => "sqrt(t)",
        })
    }
}

/// A learning rate and its decay. As text: `RATE`, `RATE/t` or `RATE/sqrt(t)`.
///
/// ```
/// use rosenblatt_core::options::{Decay, LearningRate};
/// let rate: LearningRate = "0.5/t".parse()?;
/// assert_eq!((rate.eta, rate.decay), (0.5, Some(Decay::Epoch)));
/// assert_eq!("2".parse(), Ok(LearningRate { eta: 2.0, decay: None }));
/// # Ok::<(), rosenblatt_core::train::UnknownRate>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearningRate {
    /// The rate of the first epoch; any number, which [`Options::check`](super::Options::check) checks.
    pub eta: f64,
    /// How it falls, if it does.
    pub decay: Option<Decay>,
}

impl fmt::Display for LearningRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.decay {
            None => write!(f, "{}", self.eta),
            Some(decay) => write!(f, "{}/{decay}", self.eta),
        }
    }
}

/// A text that is not a learning rate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRate;

impl std::error::Error for UnknownRate {}

impl fmt::Display for UnknownRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "expected RATE, RATE/t or RATE/sqrt(t), with a positive number RATE and the epoch t",
        )
    }
}

impl FromStr for LearningRate {
    type Err = UnknownRate;

    fn from_str(text: &str) -> Result<Self, UnknownRate> {
        let (eta, decay) = match text.split_once('/') {
            None => (text, None),
            Some((eta, "t")) => (eta, Some(Decay::Epoch)),
            Some((eta, "sqrt(t)")) => (eta, Some(Decay::SquareRoot)),
            Some(_) => return Err(UnknownRate),
        };
        let eta = eta.trim().parse().map_err(|_| UnknownRate)?;
        Ok(LearningRate { eta, decay })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_they_are_written() {
        for text in ["1", "0.1", "1/t", "0.5/sqrt(t)"] {
            let rate: LearningRate = text.parse().unwrap();
            assert_eq!(rate.to_string(), text);
        }
        for text in ["", "x", "1/", "/t", "1/T", "1/2", "1/sqrt", "1/t/t"] {
            assert_eq!(text.parse::<LearningRate>(), Err(UnknownRate), "{text}");
        }
    }

    #[test]
    fn divisors_are_the_epoch_and_its_root() {
        assert_eq!([1, 2, 9].map(|epoch| Decay::Epoch.divisor(epoch)), [1.0, 2.0, 9.0]);
        assert_eq!([1, 4, 9].map(|epoch| Decay::SquareRoot.divisor(epoch)), [1.0, 2.0, 3.0]);
    }
}

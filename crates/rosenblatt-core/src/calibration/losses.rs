//! How good probabilities are: Brier score and log loss.

/// Sums of the losses of probabilities. Both are proper: the expected loss is least for the true probabilities.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Losses {
    rows: u64,
    brier: f64,
    log: f64,
    /// The rows whose class had the probability 0.
    refuted: u64,
}

impl Losses {
    /// Adds a row with the probability of each class, and its class.
    pub fn add(&mut self, probabilities: &[f64], class: usize) {
        let square = |(c, p): (usize, &f64)| {
            let difference = if c == class { 1.0 - p } else { *p };
            difference * difference
        };
        let squares = probabilities.iter().enumerate().map(square).sum::<f64>();
        self.rows += 1;
        // Of two classes both squares are the same, and one of them is the score.
        self.brier += if probabilities.len() == 2 { squares / 2.0 } else { squares };
        match probabilities[class] {
            0.0 => self.refuted += 1,
            probability => self.log -= libm::log(probability),
        }
    }

    /// The Brier score (1950): the mean of (p − y)² of the positive class, y being 1 for it and 0 otherwise; with more
    /// than two classes, of the sum of these squares over all classes. `None` without rows.
    pub fn brier(&self) -> Option<f64> {
        (self.rows > 0).then(|| self.brier / self.rows as f64)
    }

    /// The mean of −ln p of each row's class. `None` without rows, or if it is infinite because of [`Self::refuted`].
    /// No probability is changed to avoid that.
    pub fn log(&self) -> Option<f64> {
        (self.rows > 0 && self.refuted == 0).then(|| self.log / self.rows as f64)
    }

    /// The number of rows whose class had the probability 0.
    pub fn refuted(&self) -> u64 {
        self.refuted
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }
}

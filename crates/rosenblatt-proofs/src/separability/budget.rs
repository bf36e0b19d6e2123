//! The budget of a search: counted work, and the caller's request to stop.
//!
//! Work is counted in products of two numbers, each about a nanosecond on a current core. A clock would give another
//! answer on a busy machine; a count is the same on every machine.

/// The reason for which a search ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    /// All the work that the options allow was done.
    Work,
    /// The caller stopped the search.
    Stopped,
    /// The numbers are too close for the precision of the search.
    Precision,
    /// The decimals of a column differ too much in size: as integers they would have more than 624 digits.
    Length,
}

impl Ended {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Ended::Work => "work",
            Ended::Stopped => "stopped",
            Ended::Precision => "precision",
            Ended::Length => "length",
        }
    }
}

/// The remaining budget.
pub(super) struct Budget<'s> {
    left: u64,
    stop: &'s mut dyn FnMut() -> bool,
    over: Option<Ended>,
}

impl<'s> Budget<'s> {
    pub(super) fn new(work: u64, stop: &'s mut dyn FnMut() -> bool) -> Self {
        Budget { left: work, stop, over: None }
    }

    /// Charges work, done or to come. Returns whether the search must end; once true, it stays true.
    pub(super) fn spend(&mut self, work: u64) -> bool {
        if self.over.is_none() && (self.stop)() {
            self.over = Some(Ended::Stopped);
        }
        if self.over.is_none() && work > self.left {
            self.over = Some(Ended::Work);
        }
        self.left = self.left.saturating_sub(work);
        self.over.is_some()
    }

    /// The reason for which the budget ended; otherwise the precision.
    pub(super) fn ended(&self) -> Ended {
        self.over.unwrap_or(Ended::Precision)
    }

    /// The work that is left.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Leaves at most this much.
    pub(super) fn limit(&mut self, most: u64) {
        self.left = self.left.min(most);
    }

    /// A part of the remaining budget, for a step that may fail without ending the whole.
    pub(super) fn part(&mut self, most: u64) -> Budget<'_> {
        Budget { left: self.left.min(most), stop: &mut *self.stop, over: self.over }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_counted() {
        let mut never = || false;
        let mut budget = Budget::new(10, &mut never);
        assert!(!budget.spend(4) && !budget.spend(6));
        assert_eq!(budget.ended(), Ended::Precision);
        assert!(budget.spend(1) && budget.spend(0));
        assert_eq!(budget.ended(), Ended::Work);
        let mut asked = 0;
        let mut second = || {
            asked += 1;
            asked > 1
        };
        let mut budget = Budget::new(10, &mut second);
        assert!(!budget.spend(1) && budget.spend(1));
        assert_eq!(budget.ended(), Ended::Stopped);
    }
}

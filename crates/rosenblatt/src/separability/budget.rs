//! How long a search may go on: counted work, and the caller's wish.
//!
//! Work is counted in products of two numbers, each about a nanosecond on a core of today. A clock would give
//! another answer on a machine that is busy; a count is the same everywhere.

/// Why a search ended before it was content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    /// All the work that the options allow is done.
    Work,
    /// The caller asked to stop.
    Stopped,
    /// The numbers are too close for the precision of the search.
    Precision,
}

impl Ended {
    /// One word, as it stands in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Ended::Work => "work",
            Ended::Stopped => "stopped",
            Ended::Precision => "precision",
        }
    }
}

/// A product of two numbers of twice the precision, in ordinary products.
pub(super) const DOUBLE: u64 = 4;

/// What is left.
pub(super) struct Budget<'s> {
    left: u64,
    stop: &'s mut dyn FnMut() -> bool,
    over: Option<Ended>,
}

impl<'s> Budget<'s> {
    pub(super) fn new(work: u64, stop: &'s mut dyn FnMut() -> bool) -> Self {
        Budget { left: work, stop, over: None }
    }

    /// Pays for some work, done or to come. Gives whether it is time to end; once it is, it remains so.
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

    /// Why it is over; the precision if it is not.
    pub(super) fn ended(&self) -> Ended {
        self.over.unwrap_or(Ended::Precision)
    }

    /// A part of what is left for something that may fail without an end of the whole.
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

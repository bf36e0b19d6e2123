//! Rows of one score.

/// The rows with one score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Group {
    pub(super) score: f64,
    /// The number of positive rows.
    pub(super) positives: u64,
    /// The number of rows, at least 1.
    pub(super) rows: u64,
}

/// Finite scores with whether the row is positive, as groups of rising score. Equal scores are one group, −0 and 0 too.
pub(super) fn groups(scored: impl Iterator<Item = (f64, bool)>) -> Vec<Group> {
    // The sum makes −0 to 0.
    let mut all: Vec<(f64, bool)> = scored.map(|(score, sign)| (score + 0.0, sign)).collect();
    all.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let group = |rows: &[(f64, bool)]| Group {
        score: rows[0].0,
        positives: rows.iter().filter(|row| row.1).count() as u64,
        rows: rows.len() as u64,
    };
    all.chunk_by(|a, b| a.0 == b.0).map(group).collect()
}

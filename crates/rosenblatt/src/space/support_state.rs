//! What a checkpoint holds of the dual form.

/// The rows that the coefficients of the dual form belong to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SupportState {
    /// The examples, in the order of their first mistakes.
    pub examples: Vec<usize>,
    /// For each hyperplane and example the number of updates.
    pub counts: Vec<Vec<u64>>,
}

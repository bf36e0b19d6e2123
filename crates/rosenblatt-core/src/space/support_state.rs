//! The state of the dual form in a checkpoint.

/// The rows that the coefficients of the dual form belong to.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct SupportState {
    /// The examples, in the order of their first mistakes.
    pub examples: Vec<usize>,
    /// The number of updates for each hyperplane and example.
    pub counts: Vec<Vec<u64>>,
}

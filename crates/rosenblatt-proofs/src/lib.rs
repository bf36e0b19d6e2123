//! Whether two classes are linearly separable, how they lie if not, the least errors of a hyperplane, and whether a run of
//! the perceptron ends: answers with proofs that are checked in exact arithmetic.
//!
//! The module [`check`] verifies proofs; it shares no code with the search, and without the feature `search` it is the whole
//! crate. The search may change in any release: the crate to use is `rosenblatt`, which re-exports what it covers by its promises.

pub mod check;
#[cfg(feature = "search")]
mod separability;

#[cfg(feature = "search")]
pub use separability::{
    Bracket, Compression, ConvergenceVerdict, Decimals, Ended, FreeBias, Interval, KnownSeparation,
    LEAST_ERRORS_WORK, LeastErrors, LeastErrorsStatement, MOST_WORK, MarginBounds, Margins, Named,
    Numbers, OtherDecimal, SeparabilityOptions, SeparationCase, SeparationStatement,
    SeparationSummary, SeparationVerdict, Statement, Verdict, Written, WrittenVerdict, compress,
    convergence, least_errors, separable, separation,
};

pub use check::*;

/// The README, whose program is tested.
#[cfg(all(doctest, feature = "search"))]
#[doc = include_str!("../README.md")]
mod readme {}

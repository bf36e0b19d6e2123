//! The checkers of proofs.
//!
//! They share no code with the search: this module imports none of it, and compiles without the feature `search`, on
//! `rosenblatt-exact` alone. Examples of any kind are checked, if they are [`SignedRows`].

mod certificate;
mod certificate_error;
pub(crate) mod convergence;
pub(crate) mod least_errors;
pub(crate) mod separation;
mod signed_rows;
pub(crate) mod verify;

pub use certificate::{CERTIFICATE_VERSION, Certificate};
pub use certificate_error::{CertificateError, MOST_DIGITS};
pub use convergence::{
    CONVERGENCE_VERSION, Convergence, ConvergenceCertificate, ConvergenceError, StrictClass,
    verify_convergence,
};
pub use least_errors::{
    Conflict, ErrorBounds, LEAST_ERRORS_VERSION, LeastErrorsCertificate, LeastErrorsError,
    verify_least_errors,
};
pub use separation::{
    Relation, SEPARATION_VERSION, Separation, SeparationCertificate, SeparationError,
    verify_separation,
};
pub use signed_rows::SignedRows;
pub use verify::verify;

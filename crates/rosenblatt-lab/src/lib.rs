//! The lab: a page on which points are clicked and a perceptron is watched as it learns.
//!
//! The engine's side is one pure function, [`answer`]: a question in JSON (points, options, what to do)
//! becomes an answer in JSON (a trace of the run, the weights, a verdict, a study). It touches no file, no
//! clock and no thread, and nothing is remembered between two questions: what the page shows at a step of
//! a run is the answer to "train until there". So a link with the page's state restores all of it.
//!
//! `server` is the other half: it serves the page, which is inside the binary, and passes questions on.

mod answer;
mod question;
#[cfg(feature = "server")]
pub mod server;

pub use answer::{Refusal, Stop, answer};
pub use question::{
    Choices, ErrorsQuestion, Grid, PatternQuestion, Points, Question, SeparableQuestion,
    StudyQuestion, Surfaces, TrainQuestion, Window,
};

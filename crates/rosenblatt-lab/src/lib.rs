//! The lab: a page on which the user places points and watches a perceptron learn.
//!
//! One pure function, [`answer`], connects the page with the engine: it turns a question in JSON (points, options,
//! a task) into an answer in JSON (a trace of the run, weights, a verdict, a study). It uses no file, no clock and no
//! thread, and keeps no state between two questions: at each step of a run the page asks to train up to that step. A
//! link with the state of the page therefore restores all of it.
//!
//! `server` serves the page, which is inside the binary, and passes its questions to [`answer`].

mod answer;
#[cfg(test)]
mod contract;
mod question;
#[cfg(feature = "server")]
pub mod server;

pub use answer::{Refusal, Stop, answer};
pub use question::{
    ErrorsQuestion, Grid, PatternQuestion, Points, Question, SeparableQuestion, StudyQuestion,
    Surfaces, TrainQuestion, Window,
};

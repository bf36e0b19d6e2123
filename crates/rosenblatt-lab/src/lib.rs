//! The lab: a page on which the user places points and watches a perceptron learn.
//!
//! One pure function, [`answer`], connects the page with the engine: it turns a question in JSON (points, options,
//! a task) into an answer in JSON (a trace of the run, weights, a verdict, a study). It uses no file, no clock and no
//! thread, and keeps no state between two questions: at each step of a run the page asks to train up to that step. A
//! link with the state of the page therefore restores all of it.
//!
//! `server` serves the page, which is inside the binary, and passes its questions to [`answer`]. `standalone` has the page
//! with the engine inside, as WebAssembly: static files for any server of files, and one file for a notebook.

#![cfg_attr(not(feature = "server"), allow(dead_code, unreachable_pub))] // tables are those of the server

mod answer;
mod base64;
#[cfg(test)]
mod contract;
mod error_body;
mod pairs;
mod question;
#[cfg(feature = "server")]
pub mod server;
#[cfg(feature = "standalone")]
pub mod standalone;
mod table;

pub use answer::{Refusal, Stop, answer};
pub use question::{
    ErrorsQuestion, FileEncoding, FileQuestion, FileText, Grid, InseparableQuestion,
    PatternQuestion, Points, Question, SeparableQuestion, StudyQuestion, Surfaces, TraceQuestion,
    TrainQuestion, Window,
};
pub use table::TableError;

//! From a path or stream to batches of parsed rows, in order; no format is known here.

pub(crate) mod blocks;
mod encoding;
pub(crate) mod parallel;
pub(crate) mod parser;
pub(crate) mod pipeline;
pub(crate) mod quotes;
pub(crate) mod reader;
pub(crate) mod source;
pub(crate) mod text;

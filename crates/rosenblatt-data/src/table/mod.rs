//! Rows and columns: what parsers make of a file, and how it becomes the rows of features of a model.

pub mod batch;
pub(crate) mod dataset;
pub(crate) mod dictionary;
mod distinct;
pub mod encode;
pub(crate) mod encoded_cells;
pub(crate) mod gathered;
pub(crate) mod identifier;
pub(crate) mod interactions;
pub(crate) mod kinds;
pub(crate) mod layout;
pub(crate) mod missing;
pub(crate) mod row_reader;
pub(crate) mod rows;
pub mod schema;
pub(crate) mod shape;
pub(crate) mod survey;
pub(crate) mod target;
pub(crate) mod words;

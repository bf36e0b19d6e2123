//! The page of the lab with the engine inside.

use pyo3::prelude::*;
use rosenblatt_lab::standalone::{Content, one_file};

/// Returns the page as one HTML text, with a question that reads a file (JSON) and the state of the page (a link from
/// the `#` on).
#[pyfunction]
pub(crate) fn lab_page(py: Python<'_>, file: &str, link: &str) -> String {
    py.detach(|| one_file(Content { file: Some(file), link: Some(link) }))
}

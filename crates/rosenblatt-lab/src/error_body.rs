//! An error as the page reads it.

use serde::Serialize;

#[derive(Serialize)]
struct Body<'a> {
    error: Error<'a>,
}

#[derive(Serialize)]
struct Error<'a> {
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}

/// `{"error": {"message", "hint"?}}`.
pub(crate) fn error_body(message: &str, hint: Option<&str>) -> Vec<u8> {
    // Texts always are JSON.
    serde_json::to_vec(&Body { error: Error { message, hint } }).unwrap_or_default()
}

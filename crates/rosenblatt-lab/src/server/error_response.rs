//! An error as the page reads it: a status and `{"error": {"message", "hint"?}}`.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use crate::{Refusal, error_body::error_body};

/// The response to a request that has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ErrorResponse {
    pub(super) status: StatusCode,
    message: String,
    hint: Option<&'static str>,
}

impl ErrorResponse {
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        ErrorResponse { status, message: message.into(), hint: None }
    }

    pub(super) fn hint(self, hint: &'static str) -> Self {
        ErrorResponse { hint: Some(hint), ..self }
    }
}

impl From<Refusal> for ErrorResponse {
    fn from(refusal: Refusal) -> Self {
        let status = StatusCode::from_u16(refusal.status());
        let status = status.unwrap_or(StatusCode::UNPROCESSABLE_ENTITY);
        ErrorResponse { status, message: refusal.to_string(), hint: refusal.hint() }
    }
}

impl IntoResponse for ErrorResponse {
    fn into_response(self) -> Response {
        let body = error_body(&self.message, self.hint);
        let json = HeaderValue::from_static("application/json");
        let mut response = (self.status, [(header::CONTENT_TYPE, json)], body).into_response();
        let headers = response.headers_mut();
        match self.status {
            StatusCode::UNAUTHORIZED => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            StatusCode::SERVICE_UNAVAILABLE => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            }
            _ => {}
        }
        response
    }
}

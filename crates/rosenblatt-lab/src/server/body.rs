//! The body of a request, with limits on its length and its time.

use std::{future::poll_fn, pin::Pin, time::Duration};

use axum::{
    body::{Body, HttpBody},
    http::StatusCode,
};
use tokio::time::timeout;

use super::{Limits, error_response::ErrorResponse};

/// A body of up to this many times the limit is read and discarded before the error response: a client that still
/// writes when the connection is closed reports a broken connection instead of the response.
const PATIENCE: usize = 8;

/// Returns the whole body.
pub(super) async fn receive(body: Body, limits: &Limits) -> Result<Vec<u8>, ErrorResponse> {
    let most = limits.question_bytes;
    match read(body, most, limits.reading).await? {
        Some(bytes) => Ok(bytes),
        None => {
            let message = format!("the question is longer than {most} bytes");
            let hint = "use fewer points; the command `rosenblatt` has no such limit";
            Err(ErrorResponse::new(StatusCode::PAYLOAD_TOO_LARGE, message).hint(hint))
        }
    }
}

/// Reads a body that is not needed, so that the client receives the error response.
pub(super) async fn discard(body: Body, limits: &Limits) {
    // The error response is already known.
    let _ = read(body, 0, limits.reading).await;
}

/// Returns the body if it has at most `most` bytes.
async fn read(body: Body, most: usize, time: Duration) -> Result<Option<Vec<u8>>, ErrorResponse> {
    timeout(time, collect(body, most)).await.unwrap_or_else(|_| {
        let message = "the question did not come in time";
        Err(ErrorResponse::new(StatusCode::REQUEST_TIMEOUT, message))
    })
}

async fn collect(mut body: Body, most: usize) -> Result<Option<Vec<u8>>, ErrorResponse> {
    let (mut bytes, mut length) = (Vec::new(), 0usize);
    let enough = most.max(1 << 16) * PATIENCE;
    while length <= enough {
        let next = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await;
        let Some(frame) = next else { break };
        let broken = |_| ErrorResponse::new(StatusCode::BAD_REQUEST, "the question broke off");
        // Frames without data are trailers, which are not used.
        let Ok(data) = frame.map_err(broken)?.into_data() else { continue };
        length += data.len();
        if length <= most {
            bytes.extend_from_slice(&data);
        } else {
            bytes = Vec::new();
        }
    }
    Ok((length <= most).then_some(bytes))
}

//! The body of a request: small, and in time.

use std::{future::poll_fn, pin::Pin, time::Duration};

use axum::{
    body::{Body, HttpBody},
    http::StatusCode,
};
use tokio::time::timeout;

use super::{Limits, refused::Refused};

/// So many times the limit are read and thrown away before a refusal: a client that still writes when the
/// connection is closed sees a broken connection and not the refusal.
const PATIENCE: usize = 8;

/// The whole body.
pub(super) async fn receive(body: Body, limits: &Limits) -> Result<Vec<u8>, Refused> {
    let most = limits.question_bytes;
    match read(body, most, limits.reading).await? {
        Some(bytes) => Ok(bytes),
        None => {
            let message = format!("the question is longer than {most} bytes");
            let hint = "fewer points; the command `rosenblatt` has no such limit";
            Err(Refused::new(StatusCode::PAYLOAD_TOO_LARGE, message).hint(hint))
        }
    }
}

/// Reads a body that nobody wants, so that the refusal arrives.
pub(super) async fn discard(body: Body, limits: &Limits) {
    // The refusal is already known.
    let _ = read(body, 0, limits.reading).await;
}

/// The body if it has at most so many bytes.
async fn read(body: Body, most: usize, time: Duration) -> Result<Option<Vec<u8>>, Refused> {
    timeout(time, collect(body, most)).await.unwrap_or_else(|_| {
        let message = "the question did not come in time";
        Err(Refused::new(StatusCode::REQUEST_TIMEOUT, message))
    })
}

async fn collect(mut body: Body, most: usize) -> Result<Option<Vec<u8>>, Refused> {
    let (mut bytes, mut length) = (Vec::new(), 0usize);
    let enough = most.max(1 << 16) * PATIENCE;
    while length <= enough {
        let next = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await;
        let Some(frame) = next else { break };
        let broken = |_| Refused::new(StatusCode::BAD_REQUEST, "the question broke off");
        // What is no data are trailers, which nobody reads.
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

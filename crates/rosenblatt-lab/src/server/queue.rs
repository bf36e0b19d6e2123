//! The queue of questions: it bounds how many are answered at a time, how many wait, and the time of each.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use axum::{body::Bytes, http::StatusCode};
use tokio::{sync::OwnedSemaphorePermit, task::spawn_blocking};

use super::{
    Limits,
    error_response::ErrorResponse,
    turns::{Client, Turn, Turns},
};
use crate::{Refusal, Stop};

/// The function that answers: [`answer`](crate::answer()), or in tests one that misbehaves.
pub(super) type Engine = fn(&[u8], Stop<'_>) -> Result<Vec<u8>, Refusal>;

pub(super) struct Queue {
    engine: Engine,
    limits: Limits,
    turns: Arc<Turns>,
}

/// An answer keeps its place until the client has received it, so that answers of clients that do not read
/// do not pile up.
struct QueuedAnswer {
    bytes: Vec<u8>,
    _place: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for QueuedAnswer {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Sets its flag when the client no longer waits for the answer.
struct Left(Arc<AtomicBool>);

impl Drop for Left {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Queue {
    pub(super) fn new(engine: Engine, limits: Limits) -> Self {
        Queue { engine, limits, turns: Turns::new(limits.answers.max(1), limits.waiting) }
    }

    /// Answers a question of a client. The work ends if the caller stops waiting.
    pub(super) async fn ask(
        &self,
        client: Client,
        question: Vec<u8>,
    ) -> Result<Bytes, ErrorResponse> {
        let Turn { worker, place } = self.turns.wait(client).await.ok_or_else(busy)?;
        let left = Left(Arc::default());
        let (engine, time, gone) = (self.engine, self.limits.answering, Arc::clone(&left.0));
        let work = spawn_blocking(move || {
            // Released when the work has ended, even if it panics or the client has left.
            let _worker = worker;
            let start = Instant::now();
            let stop = || gone.load(Ordering::Relaxed) || start.elapsed() >= time;
            engine(&question, &stop).map(|bytes| QueuedAnswer { bytes, _place: place })
        });
        match work.await {
            Ok(answer) => Ok(Bytes::from_owner(answer?)),
            Err(_) => Err(broken()),
        }
    }
}

fn busy() -> ErrorResponse {
    let message = "the lab is busy";
    ErrorResponse::new(StatusCode::SERVICE_UNAVAILABLE, message).hint("ask again in a moment")
}

/// The engine panicked.
fn broken() -> ErrorResponse {
    let message = "the lab could not answer this; this is a bug in the lab";
    ErrorResponse::new(StatusCode::INTERNAL_SERVER_ERROR, message)
        .hint("see its messages in the terminal where it was started")
}

#[cfg(test)]
mod tests {
    use std::{net::Ipv4Addr, thread, time::Duration};

    use super::*;

    fn run<T>(work: impl Future<Output = T>) -> T {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_time().build().unwrap().block_on(work)
    }

    fn queue(engine: Engine) -> Queue {
        Queue::new(engine, Limits { answers: 1, waiting: 1, ..Limits::default() })
    }

    /// Asks as a client on this machine.
    async fn ask(queue: &Queue, question: &[u8]) -> Result<Bytes, ErrorResponse> {
        let client = std::net::IpAddr::from(Ipv4Addr::LOCALHOST).into();
        queue.ask(client, question.to_vec()).await
    }

    fn status<T>(answer: Result<T, ErrorResponse>) -> u16 {
        answer.map_or_else(|refused| refused.status.as_u16(), |_| 200)
    }

    #[test]
    fn a_panic_is_a_refusal_and_the_queue_goes_on() {
        let queue = queue(|question, _| {
            assert!(question != b"bug", "a bug, on purpose");
            Ok(question.to_vec())
        });
        for _ in 0..3 {
            assert_eq!(status(run(ask(&queue, b"bug"))), 500);
        }
        assert_eq!(run(ask(&queue, b"fine")).unwrap(), "fine");
    }

    #[test]
    fn an_answer_keeps_its_place_until_it_is_taken() {
        let queue = queue(|question, _| Ok(question.to_vec()));
        let asked = || run(ask(&queue, b"a"));
        let (first, second) = (asked().unwrap(), asked().unwrap());
        assert_eq!(status(asked()), 503);
        drop(first);
        assert_eq!(asked().unwrap(), second);
    }

    /// The engine works until it is told to stop, which only happens when its client has left.
    #[test]
    fn nobody_works_for_a_client_that_left() {
        let queue = queue(|_, stop| {
            while !stop() {
                thread::yield_now();
            }
            Err(Refusal::Stopped)
        });
        let queue = Queue { limits: Limits { answering: Duration::MAX, ..queue.limits }, ..queue };
        run(async {
            let (asked, leaves) = (ask(&queue, b""), tokio::time::sleep(Duration::from_millis(1)));
            let (mut asked, mut leaves) = (Box::pin(asked), Box::pin(leaves));
            std::future::poll_fn(|context| {
                assert!(asked.as_mut().poll(context).is_pending());
                leaves.as_mut().poll(context)
            })
            .await;
            drop(asked);
            // The worker is free again once the engine has stopped: the next question has its turn.
            let client = std::net::IpAddr::from(Ipv4Addr::LOCALHOST).into();
            assert!(queue.turns.wait(client).await.is_some());
        });
    }

    #[test]
    fn an_answer_has_its_time() {
        let queue = queue(|_, stop| if stop() { Err(Refusal::Stopped) } else { Ok(Vec::new()) });
        let hurried =
            Queue { limits: Limits { answering: Duration::ZERO, ..queue.limits }, ..queue };
        assert_eq!(status(run(ask(&hurried, b""))), 422);
    }
}

//! Where questions are answered: so many at a time, so many waiting, each in a bounded time.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use axum::{body::Bytes, http::StatusCode};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    task::spawn_blocking,
};

use super::{Limits, refused::Refused};
use crate::{Refusal, Stop};

/// What answers: [`answer`](crate::answer()), or in tests something that misbehaves.
pub(super) type Engine = fn(&[u8], Stop<'_>) -> Result<Vec<u8>, Refusal>;

pub(super) struct Desk {
    engine: Engine,
    limits: Limits,
    /// Questions that are answered or wait, and answers that are not yet taken.
    places: Arc<Semaphore>,
    /// Questions that are answered.
    workers: Arc<Semaphore>,
}

/// An answer keeps its place until the client has taken it, so that answers that nobody takes do not
/// pile up.
struct Answer {
    bytes: Vec<u8>,
    _place: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Answer {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Set when nobody waits for the answer any more.
struct Left(Arc<AtomicBool>);

impl Drop for Left {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Desk {
    pub(super) fn new(engine: Engine, limits: Limits) -> Self {
        let answers = limits.answers.max(1);
        let places = Arc::new(Semaphore::new(answers + limits.waiting));
        Desk { engine, limits, places, workers: Arc::new(Semaphore::new(answers)) }
    }

    /// The answer to a question. When it is not waited for, work on it ends.
    pub(super) async fn ask(&self, question: Vec<u8>) -> Result<Bytes, Refused> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| busy())?;
        let worker = Arc::clone(&self.workers).acquire_owned().await.map_err(|_| busy())?;
        let left = Left(Arc::default());
        let (engine, time, gone) = (self.engine, self.limits.answering, Arc::clone(&left.0));
        let work = spawn_blocking(move || {
            // Given back when the work has ended, also where nobody waits for it or it panics.
            let _worker = worker;
            let start = Instant::now();
            let stop = || gone.load(Ordering::Relaxed) || start.elapsed() >= time;
            engine(&question, &stop).map(|bytes| Answer { bytes, _place: place })
        });
        match work.await {
            Ok(answer) => Ok(Bytes::from_owner(answer?)),
            Err(_) => Err(broken()),
        }
    }
}

fn busy() -> Refused {
    let message = "the lab has its hands full";
    Refused::new(StatusCode::SERVICE_UNAVAILABLE, message).hint("ask again in a moment")
}

/// The engine panicked.
fn broken() -> Refused {
    let message = "the lab could not answer this; that is a mistake of the lab";
    Refused::new(StatusCode::INTERNAL_SERVER_ERROR, message)
        .hint("its messages, where it was started, say more")
}

#[cfg(test)]
mod tests {
    use std::{thread, time::Duration};

    use super::*;

    fn run<T>(work: impl Future<Output = T>) -> T {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_time().build().unwrap().block_on(work)
    }

    fn desk(engine: Engine) -> Desk {
        Desk::new(engine, Limits { answers: 1, waiting: 1, ..Limits::default() })
    }

    fn status<T>(answer: Result<T, Refused>) -> u16 {
        answer.map_or_else(|refused| refused.status.as_u16(), |_| 200)
    }

    #[test]
    fn a_panic_is_a_refusal_and_the_desk_goes_on() {
        let desk = desk(|question, _| {
            assert!(question != b"bug", "a bug, on purpose");
            Ok(question.to_vec())
        });
        for _ in 0..3 {
            assert_eq!(status(run(desk.ask(b"bug".to_vec()))), 500);
        }
        assert_eq!(run(desk.ask(b"fine".to_vec())).unwrap(), "fine");
    }

    #[test]
    fn an_answer_keeps_its_place_until_it_is_taken() {
        let desk = desk(|question, _| Ok(question.to_vec()));
        let ask = || run(desk.ask(b"a".to_vec()));
        let (first, second) = (ask().unwrap(), ask().unwrap());
        assert_eq!(status(ask()), 503);
        drop(first);
        assert_eq!(ask().unwrap(), second);
    }

    /// The engine works until it is told to stop, which only happens when its client has left.
    #[test]
    fn nobody_works_for_a_client_that_left() {
        let desk = desk(|_, stop| {
            while !stop() {
                thread::yield_now();
            }
            Err(Refusal::Stopped)
        });
        let desk = Desk { limits: Limits { answering: Duration::MAX, ..desk.limits }, ..desk };
        run(async {
            let (asked, leaves) =
                (desk.ask(Vec::new()), tokio::time::sleep(Duration::from_millis(1)));
            let (mut asked, mut leaves) = (Box::pin(asked), Box::pin(leaves));
            std::future::poll_fn(|context| {
                assert!(asked.as_mut().poll(context).is_pending());
                leaves.as_mut().poll(context)
            })
            .await;
            drop(asked);
            // The worker is free again once the engine has stopped.
            drop(desk.workers.acquire().await.unwrap());
        });
        assert_eq!((desk.workers.available_permits(), desk.places.available_permits()), (1, 2));
    }

    #[test]
    fn an_answer_has_its_time() {
        let desk = desk(|_, stop| if stop() { Err(Refusal::Stopped) } else { Ok(Vec::new()) });
        let hurried = Desk { limits: Limits { answering: Duration::ZERO, ..desk.limits }, ..desk };
        assert_eq!(status(run(hurried.ask(Vec::new()))), 422);
    }
}

//! A few pieces of work at once.

use std::{panic::resume_unwind, thread};

/// The outcome of `work` for each item, in order: each in a thread of its own, the last in this one.
pub(crate) fn in_parallel<T: Send, R: Send>(
    mut items: Vec<T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let Some(last) = items.pop() else { return Vec::new() };
    thread::scope(|scope| {
        let work = &work;
        let others: Vec<_> =
            items.into_iter().map(|item| scope.spawn(move || work(item))).collect();
        let last = work(last);
        let ended = |thread: thread::ScopedJoinHandle<'_, R>| {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        others.into_iter().map(ended).chain([last]).collect()
    })
}

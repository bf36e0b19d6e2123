//! Work on several threads, with results that depend neither on their number nor on the order in which they end.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use rosenblatt_core::options::Resources;

/// The resources of each of so many workers that share these.
pub(super) fn shared(Resources { threads, memory, block }: Resources, workers: usize) -> Resources {
    Resources { threads: (threads / workers).max(1), memory: memory / workers, block }
}

/// Calls `work` with each number below `items`, in their order, on so many threads, of which this is one. Returns what it returned, in
/// the order of the numbers. After a result that `ends` the work no other is begun; those before it are all there.
pub(super) fn in_order<T: Send>(
    items: usize,
    workers: usize,
    work: impl Fn(usize) -> T + Sync,
    ends: impl Fn(&T) -> bool + Sync,
) -> Vec<T> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(items)));
    let worker = || {
        loop {
            let item = next.fetch_add(1, Ordering::Relaxed);
            if item >= items {
                break;
            }
            let result = work(item);
            if ends(&result) {
                next.store(items, Ordering::Relaxed);
            }
            found.lock().unwrap_or_else(PoisonError::into_inner).push((item, result));
        }
    };
    thread::scope(|scope| {
        for _ in 1..workers.min(items) {
            scope.spawn(worker);
        }
        worker();
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by_key(|(item, _)| *item);
    found.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order() {
        for (items, workers) in [(0, 3), (1, 1), (7, 1), (7, 3), (3, 9), (500, 4)] {
            let found = in_order(items, workers, |item| 3 * item, |_| false);
            assert_eq!(found, (0..items).map(|item| 3 * item).collect::<Vec<_>>());
        }
    }

    /// The item that ends the work is begun last or beside others; those before it are all there.
    #[test]
    fn an_end_keeps_what_is_before_it() {
        for workers in [1, 2, 5] {
            let work = |item: usize| if item % 10 == 7 { Err(item) } else { Ok(item) };
            let found = in_order(1000, workers, work, Result::is_err);
            assert_eq!(found[..8], (0..8).map(work).collect::<Vec<_>>(), "{workers}");
            assert!(found.len() < 8 + workers, "{workers}: {}", found.len());
        }
    }

    #[test]
    fn resources_are_shared() {
        let all = Resources { threads: 7, memory: 100, block: Some(3) };
        assert_eq!(shared(all, 2), Resources { threads: 3, memory: 50, block: Some(3) });
        assert_eq!(shared(all, 9), Resources { threads: 1, memory: 11, block: Some(3) });
    }
}

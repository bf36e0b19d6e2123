//! Distribution of rows to threads.

use std::{ops::Range, panic::resume_unwind, thread};

/// Divides `results`, of which each row has `width`, into one share per thread. Calls `work` with each share and the
/// range of its rows. Returns the results of the shares in order. With one thread, or few rows, it starts no thread.
pub(crate) fn in_shares<T: Send, R: Send>(
    results: &mut [T],
    width: usize,
    threads: usize,
    work: impl Fn(Range<usize>, &mut [T]) -> R + Sync,
) -> Vec<R> {
    /// Fewer rows are not worth a thread.
    const LEAST: usize = 64;
    let rows = results.len().checked_div(width).unwrap_or(0);
    let share = rows.div_ceil(threads.max(1)).max(LEAST);
    if share >= rows {
        return vec![work(0..rows, results)];
    }
    thread::scope(|scope| {
        let parts = results.chunks_mut(share * width).enumerate();
        let workers: Vec<_> = parts
            .map(|(i, part)| {
                let (work, start) = (&work, i * share);
                scope.spawn(move || work(start..start + part.len() / width, part))
            })
            .collect();
        let results = workers.into_iter().map(thread::ScopedJoinHandle::join);
        results.map(|result| result.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_in_one_share() {
        for (rows, threads) in [(0, 2), (1, 4), (64, 2), (130, 3), (1000, 7), (65, 1)] {
            let mut seen = vec![0; 3 * rows];
            let ranges = in_shares(&mut seen, 3, threads, |range, part| {
                assert_eq!(part.len(), 3 * range.len());
                part.iter_mut().for_each(|count| *count += 1);
                range
            });
            assert!(seen.iter().all(|&count| count == 1));
            assert_eq!(ranges.iter().map(Range::len).sum::<usize>(), rows);
            assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
            assert!(ranges.len() <= threads);
        }
    }
}

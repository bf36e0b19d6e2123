//! The time of the processor.

use std::time::Instant;

/// The CPU time of this process, all threads together; the wall-clock time if it is not available.
pub(crate) fn processor(start: Instant) -> f64 {
    #[cfg(unix)]
    {
        use nix::time::{ClockId, clock_gettime};
        if let Ok(time) = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID) {
            return time.tv_sec() as f64 + time.tv_nsec() as f64 * 1e-9;
        }
    }
    start.elapsed().as_secs_f64()
}

//! A search for a separator that Ctrl-C or the clock can stop.

use std::time::{Duration, Instant};

use crate::{error::CliError, interrupt};

/// Runs a search, which asks the function it is given whether to stop: after `time`, if there is a limit, and after
/// Ctrl-C.
///
/// # Errors
/// [`CliError::Interrupted`] after Ctrl-C.
pub(super) fn within<T>(
    time: Option<Duration>,
    search: impl FnOnce(&mut dyn FnMut() -> bool) -> T,
) -> Result<T, CliError> {
    let start = Instant::now();
    let mut stop = || interrupt::requested() || time.is_some_and(|time| start.elapsed() >= time);
    let found = interrupt::guarded(|| search(&mut stop));
    if interrupt::requested() { Err(CliError::Interrupted) } else { Ok(found) }
}

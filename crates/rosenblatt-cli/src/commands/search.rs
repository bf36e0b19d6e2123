//! A search for a separator that Ctrl-C or the clock can stop.

use std::time::{Duration, Instant};

use crate::{error::CliError, interrupt, progress::waiting};

/// Runs a search, which asks the function it is given whether to stop: after `time`, if there is a limit, and after
/// Ctrl-C. A stopped search has what is proven by then. A terminal shows how long it takes, unless it is quiet.
pub(super) fn within<T>(
    time: Option<Duration>,
    quiet: bool,
    search: impl FnOnce(&mut dyn FnMut() -> bool) -> T,
) -> T {
    let start = Instant::now();
    let bar = waiting("searching", quiet);
    let mut stop = || interrupt::requested() || time.is_some_and(|time| start.elapsed() >= time);
    let found = interrupt::guarded(|| search(&mut stop));
    bar.finish_and_clear();
    found
}

/// The result of a search that no clock stops, and no line shows.
///
/// # Errors
/// [`CliError::Interrupted`] after Ctrl-C.
pub(super) fn whole<T>(search: impl FnOnce(&mut dyn FnMut() -> bool) -> T) -> Result<T, CliError> {
    let found = within(None, true, search);
    if interrupt::requested() { Err(CliError::Interrupted) } else { Ok(found) }
}

/// What stopped a search, as in `ended_by`.
pub(super) fn stopped_by() -> &'static str {
    if interrupt::requested() { "interrupt" } else { "clock" }
}

/// The same in words.
pub(super) fn stopped_words(seconds: Option<f64>) -> String {
    match seconds {
        Some(seconds) if !interrupt::requested() => {
            format!("the clock ended the search, after `--seconds {seconds}`")
        }
        _ => "Ctrl-C ended the search".to_owned(),
    }
}

//! The ten slowest tests: programs of Rust tests with their time, and single tests as pytest (`--durations`) and node say.

use std::sync::{Mutex, PoisonError};

/// How many are named.
const NAMED: usize = 10;

#[derive(Default)]
struct Times {
    /// The program of tests that cargo names before it runs.
    program: String,
    all: Vec<(f64, String)>,
}

static TIMES: Mutex<Times> = Mutex::new(Times { program: String::new(), all: Vec::new() });

/// Takes the time from a line of output that has one.
pub(crate) fn note(line: &str) {
    let mut times = TIMES.lock().unwrap_or_else(PoisonError::into_inner);
    let line = line.trim();
    if let Some(program) = line.strip_prefix("Running ").or(line.strip_prefix("Doc-tests ")) {
        program.clone_into(&mut times.program);
    }
    let found = rust(line).map(|seconds| (seconds, times.program.clone()));
    times.all.extend(found.or_else(|| pytest(line)).or_else(|| node(line)));
}

/// `test result: ok. 3 passed; …; finished in 1.25s`
fn rust(line: &str) -> Option<f64> {
    let result = line.strip_prefix("test result:")?;
    result.split_once("finished in ")?.1.strip_suffix('s')?.parse().ok()
}

/// `1.25s call     tests/test_package.py::test_name`
fn pytest(line: &str) -> Option<(f64, String)> {
    let (seconds, rest) = line.split_once("s call ")?;
    Some((seconds.parse().ok()?, rest.trim().to_owned()))
}

/// `✔ the name of the test (1250.5ms)`
fn node(line: &str) -> Option<(f64, String)> {
    let (name, time) = line.strip_prefix('✔')?.rsplit_once(" (")?;
    let milliseconds: f64 = time.strip_suffix("ms)")?.parse().ok()?;
    Some((milliseconds / 1000.0, name.trim().to_owned()))
}

/// Prints the slowest.
pub(crate) fn show() {
    let times = &mut *TIMES.lock().unwrap_or_else(PoisonError::into_inner);
    times.all.sort_by(|a, b| b.0.total_cmp(&a.0));
    if !times.all.is_empty() {
        println!("\n== the slowest tests (of Rust: programs of tests)");
    }
    times.all.iter().take(NAMED).for_each(|(seconds, name)| println!("{seconds:7.1} s  {name}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        assert_eq!(rust("test result: ok. 3 passed; 0 failed; finished in 1.25s"), Some(1.25));
        assert_eq!(rust("test a ... ok"), None);
        let named = |name: &str| Some((1.25, name.to_owned()));
        assert_eq!(pytest("1.25s call     tests/a.py::b"), named("tests/a.py::b"));
        assert_eq!(pytest("1.25s setup    tests/a.py::b"), None);
        assert_eq!(node("✔ a link (of two) (1250ms)"), named("a link (of two)"));
        assert_eq!(node("✔ no time"), None);
    }
}

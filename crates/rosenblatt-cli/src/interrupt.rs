//! Ctrl-C (and a request to terminate).
//!
//! During training, the first Ctrl-C asks the run to stop: after the current epoch where its model is written, else after the
//! current example, and the command writes nothing. At any other time, and after a second Ctrl-C, the command ends at once and removes
//! incomplete files. The exit code is
//! 130, except for the lab: Ctrl-C is its only end, so its exit code is 0.

use std::{
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering},
    },
};

use crate::output;

static REQUESTED: AtomicBool = AtomicBool::new(false);
/// The number of threads whose work checks [`requested`].
static GUARDED: AtomicUsize = AtomicUsize::new(0);
static KEPT: AtomicBool = AtomicBool::new(false);
static EXIT_CODE: AtomicI32 = AtomicI32::new(130);
/// Files to remove at the end of the process.
static AT_END: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Installs the handler. If that fails, Ctrl-C ends the process without cleaning up.
pub(crate) fn install() {
    ignore_file_limit();
    let _ = ctrlc::set_handler(|| {
        let again = REQUESTED.swap(true, Ordering::Relaxed);
        if again || GUARDED.load(Ordering::Relaxed) == 0 {
            rosenblatt_data::discard_unfinished();
            for path in AT_END.lock().unwrap_or_else(PoisonError::into_inner).iter() {
                // It may not exist any more.
                let _ = std::fs::remove_file(path);
            }
            std::process::exit(EXIT_CODE.load(Ordering::Relaxed));
        }
        if KEPT.load(Ordering::Relaxed) {
            let words = "the run ends after this epoch, and its model is kept; Ctrl-C again ends at once, without a model";
            output::message("note", words);
        }
    });
}

/// Turns a file that grows past the limit of the process (`ulimit -f`) into an error of the write, which is reported
/// and leaves no file, instead of ending the process.
fn ignore_file_limit() {
    #[cfg(unix)]
    #[allow(unsafe_code)] // what a signal does can only be changed so
    {
        use nix::sys::signal::{SigHandler, Signal, signal};
        // SAFETY: this installs no handler and replaces none of the process.
        let _ = unsafe { signal(Signal::SIGXFSZ, SigHandler::SigIgn) };
    }
}

/// Runs work that checks [`requested`] and stops by itself.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> T {
    GUARDED.fetch_add(1, Ordering::Relaxed);
    let done = work();
    GUARDED.fetch_sub(1, Ordering::Relaxed);
    done
}

/// Runs work that checks [`requested`] after each epoch and stops by itself; what it has done is kept.
pub(crate) fn guarded_and_kept<T>(work: impl FnOnce() -> T) -> T {
    KEPT.store(true, Ordering::Relaxed);
    let done = guarded(work);
    KEPT.store(false, Ordering::Relaxed);
    done
}

/// From here on Ctrl-C is the normal end of the command.
pub(crate) fn ends_well() {
    EXIT_CODE.store(0, Ordering::Relaxed);
}

/// Registers a file to be removed when Ctrl-C ends the process at once.
pub(crate) fn remove_at_end(path: &Path) {
    AT_END.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
}

/// Whether Ctrl-C was pressed.
#[inline]
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

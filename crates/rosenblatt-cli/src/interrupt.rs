//! Ctrl-C (and a request to terminate).
//!
//! While the weights learn, the first Ctrl-C asks to stop after the present example, and nothing is
//! written. At any other time, and for the second Ctrl-C, the command ends at once; files that are not
//! complete are removed. Exit code 130 in every case but one: the lab has no other end than Ctrl-C, so there
//! it is no interruption, and the exit code is 0.

use std::{
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicI32, Ordering},
    },
};

static REQUESTED: AtomicBool = AtomicBool::new(false);
static GUARDED: AtomicBool = AtomicBool::new(false);
static EXIT_CODE: AtomicI32 = AtomicI32::new(130);
/// Files that are not needed when the process has ended.
static AT_END: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Installs the handler. Where that fails, Ctrl-C simply ends the process.
pub(crate) fn install() {
    ignore_file_limit();
    let _ = ctrlc::set_handler(|| {
        let again = REQUESTED.swap(true, Ordering::Relaxed);
        if again || !GUARDED.load(Ordering::Relaxed) {
            rosenblatt_data::discard_unfinished();
            for path in AT_END.lock().unwrap_or_else(PoisonError::into_inner).iter() {
                // It may be gone.
                let _ = std::fs::remove_file(path);
            }
            std::process::exit(EXIT_CODE.load(Ordering::Relaxed));
        }
    });
}

/// A file that grows past the limit of the process (`ulimit -f`) is then an error of the write, which is said and
/// leaves nothing behind, and does not end the process.
fn ignore_file_limit() {
    #[cfg(unix)]
    #[allow(unsafe_code)] // what a signal does can only be changed so
    {
        use nix::sys::signal::{SigHandler, Signal, signal};
        // SAFETY: no handler is installed, and none of the process's own was there before.
        let _ = unsafe { signal(Signal::SIGXFSZ, SigHandler::SigIgn) };
    }
}

/// Does work that stops by asking [`requested`], however it ends.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> T {
    GUARDED.store(true, Ordering::Relaxed);
    let done = work();
    GUARDED.store(false, Ordering::Relaxed);
    done
}

/// From here on Ctrl-C is how the command is meant to end.
pub(crate) fn ends_well() {
    EXIT_CODE.store(0, Ordering::Relaxed);
}

/// Has a file removed when Ctrl-C ends the process at once.
pub(crate) fn remove_at_end(path: &Path) {
    AT_END.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
}

/// Whether Ctrl-C was pressed.
#[inline]
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

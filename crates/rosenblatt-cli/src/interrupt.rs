//! Ctrl-C (and a request to terminate).
//!
//! While the weights learn, the first Ctrl-C asks to stop after the present example, and nothing is
//! written. At any other time, and for the second Ctrl-C, the command ends at once; files that are not
//! complete are removed. Exit code 130 in every case but one: the lab has no other end than Ctrl-C, so there
//! it is no interruption, and the exit code is 0.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);
static GUARDED: AtomicBool = AtomicBool::new(false);
static EXIT_CODE: AtomicI32 = AtomicI32::new(130);

/// Installs the handler. Where that fails, Ctrl-C simply ends the process.
pub(crate) fn install() {
    let _ = ctrlc::set_handler(|| {
        let again = REQUESTED.swap(true, Ordering::Relaxed);
        if again || !GUARDED.load(Ordering::Relaxed) {
            rosenblatt_data::discard_unfinished();
            std::process::exit(EXIT_CODE.load(Ordering::Relaxed));
        }
    });
}

/// Whether work is under way that stops by asking [`requested`].
pub(crate) fn guard(on: bool) {
    GUARDED.store(on, Ordering::Relaxed);
}

/// From here on Ctrl-C is how the command is meant to end.
pub(crate) fn ends_well() {
    EXIT_CODE.store(0, Ordering::Relaxed);
}

/// Whether Ctrl-C was pressed.
#[inline]
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

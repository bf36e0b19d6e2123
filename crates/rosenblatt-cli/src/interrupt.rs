//! Ctrl-C (and a request to terminate).
//!
//! While the weights learn, the first Ctrl-C asks to stop after the present example, and nothing is
//! written. At any other time, and for the second Ctrl-C, the command ends at once; files that are not
//! complete are removed. Exit code 130 in every case.

use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);
static GUARDED: AtomicBool = AtomicBool::new(false);

/// Installs the handler. Where that fails, Ctrl-C simply ends the process.
pub(crate) fn install() {
    let _ = ctrlc::set_handler(|| {
        let again = REQUESTED.swap(true, Ordering::Relaxed);
        if again || !GUARDED.load(Ordering::Relaxed) {
            rosenblatt_data::discard_unfinished();
            std::process::exit(130);
        }
    });
}

/// Whether work is under way that stops by asking [`requested`].
pub(crate) fn guard(on: bool) {
    GUARDED.store(on, Ordering::Relaxed);
}

/// Whether Ctrl-C was pressed.
#[inline]
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

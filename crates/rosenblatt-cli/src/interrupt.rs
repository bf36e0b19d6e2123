//! Ctrl-C.
//!
//! While work is under way that must end in good order, the first Ctrl-C asks it to stop after the
//! present example (or batch), and nothing is written. At any other time, and for the second Ctrl-C,
//! the command ends at once. Exit code 130 in every case.

use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);
static GUARDED: AtomicBool = AtomicBool::new(false);

/// Installs the handler. Where that fails, Ctrl-C simply ends the process.
pub(crate) fn install() {
    let _ = ctrlc::set_handler(|| {
        let again = REQUESTED.swap(true, Ordering::Relaxed);
        if again || !GUARDED.load(Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
}

/// From now on work stops by asking [`requested`].
pub(crate) fn guard() {
    GUARDED.store(true, Ordering::Relaxed);
}

/// Whether Ctrl-C was pressed.
#[inline]
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

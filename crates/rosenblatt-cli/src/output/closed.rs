//! Whether the process was started without a standard output, as by `>&-`.
//!
//! Before `main`, the standard library opens `/dev/null` in place of a closed output, which then looks like an output
//! that the user redirected there. A function that the loader calls therefore checks the descriptor earlier.

use std::sync::atomic::{AtomicBool, Ordering};

static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether there is no standard output.
pub(crate) fn is_closed() -> bool {
    IS_CLOSED.load(Ordering::Relaxed)
}

#[cfg(unix)]
#[allow(unsafe_code)] // there is no safe way to run before `main`
mod early {
    use std::sync::atomic::Ordering;

    use nix::libc::{F_GETFD, STDOUT_FILENO, fcntl};

    // SAFETY: the loader calls the entries of this section as functions of the C calling convention. `look` is one, and
    // it uses nothing that the standard library sets up before `main`.
    #[used]
    #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
    #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
    static LOOK: extern "C" fn() = look;

    extern "C" fn look() {
        // SAFETY: this reads a flag of a descriptor, open or not, and writes to no memory.
        let flags = unsafe { fcntl(STDOUT_FILENO, F_GETFD) };
        super::IS_CLOSED.store(flags == -1, Ordering::Relaxed);
    }
}

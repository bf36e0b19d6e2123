//! The message when a mapped file is cut off while it is read.
//!
//! The system answers a read behind the end of a mapped file with the signal SIGBUS, which ends the process without a
//! word. A command that calls [`report_cut_off_files`] ends with one line that names the file, and the exit code 2.
#![allow(unsafe_code)] // a signal handler: POSIX lists what it may call, see each SAFETY

#[cfg(unix)]
pub(super) use handler::remember;
#[cfg(unix)]
pub use handler::report_cut_off_files;

/// Does nothing on a system without the signal.
#[cfg(not(unix))]
pub fn report_cut_off_files() {}

#[cfg(not(unix))]
pub(super) fn remember(_: &'static [u8], _: &str) {}

#[cfg(unix)]
mod handler {
    use std::{
        ops::Range,
        ptr,
        sync::{
            OnceLock,
            atomic::{AtomicPtr, Ordering},
        },
    };

    use nix::{
        libc,
        sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction},
    };

    /// A mapped file. Mapped files are never removed, and form a list.
    struct Mapped {
        addresses: Range<usize>,
        message: String,
        next: *const Mapped,
    }

    /// The last file that was mapped. A handler can take no lock, so the list is one of pointers.
    static LAST: AtomicPtr<Mapped> = AtomicPtr::new(ptr::null_mut());

    /// The action for the signal before ours.
    static BEFORE: OnceLock<SigAction> = OnceLock::new();

    /// Notes the addresses of a file that stays mapped.
    pub(crate) fn remember(bytes: &'static [u8], name: &str) {
        let start = bytes.as_ptr().addr();
        let name = crate::escape::escaped(name);
        let message = format!("error: {name}: this packed file was cut off while it was read\n");
        let addresses = start..start + bytes.len();
        let next = ptr::null();
        let mapped = Box::leak(Box::new(Mapped { addresses, message, next }));
        let mut last = LAST.load(Ordering::Acquire);
        loop {
            mapped.next = last;
            match LAST.compare_exchange(last, mapped, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return,
                Err(other) => last = other,
            }
        }
    }

    /// From here on a mapped file that is cut off ends the process with a message on standard error and the exit
    /// code 2. For commands: it is theirs to decide what a signal does to the process.
    pub fn report_cut_off_files() {
        let flags = SaFlags::SA_SIGINFO | SaFlags::SA_ONSTACK;
        let action = SigAction::new(SigHandler::SigAction(answer), flags, SigSet::empty());
        // SAFETY: the handler calls nothing but what POSIX allows in one. Where it cannot be installed, the system
        // ends the process as before.
        if let Ok(before) = unsafe { sigaction(Signal::SIGBUS, &action) } {
            let _ = BEFORE.set(before);
        }
    }

    extern "C" fn answer(_: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: the system gives the information of this signal, which has an address.
        let address = unsafe { (*info).si_addr() }.addr();
        match mapped_at(address) {
            // SAFETY: POSIX allows both in a handler; the message is never freed.
            Some(message) => unsafe {
                libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), message.len());
                libc::_exit(2);
            },
            // The access comes again, and is answered as before.
            None => restore(),
        }
    }

    /// The message about the file at this address.
    fn mapped_at(address: usize) -> Option<&'static str> {
        let mut next: *const Mapped = LAST.load(Ordering::Acquire);
        // SAFETY: every entry of the list was leaked, and is not changed once it is on the list.
        while let Some(mapped) = unsafe { next.as_ref() } {
            if mapped.addresses.contains(&address) {
                return Some(&mapped.message);
            }
            next = mapped.next;
        }
        None
    }

    fn restore() {
        let default = SigAction::new(SigHandler::SigDfl, SaFlags::empty(), SigSet::empty());
        let before = BEFORE.get().unwrap_or(&default);
        // SAFETY: POSIX allows it in a handler; the other handler was installed before.
        let _ = unsafe { sigaction(Signal::SIGBUS, before) };
    }
}

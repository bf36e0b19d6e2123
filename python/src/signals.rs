//! Ctrl-C while the engine works.

use std::{
    cell::{Cell, RefCell},
    ops::ControlFlow,
    panic::resume_unwind,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use pyo3::{exceptions::PyKeyboardInterrupt, prelude::*};
use rosenblatt::study::Watcher;
use rosenblatt_core::train::Observer;

/// Stops all threads of a call.
pub(crate) struct StopFlag(AtomicBool);

impl StopFlag {
    #[inline]
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    #[inline]
    fn control(&self) -> ControlFlow<()> {
        if self.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Watcher for StopFlag {
    #[inline]
    fn poll(&self) -> ControlFlow<()> {
        self.control()
    }
}

impl Observer for &StopFlag {
    fn watches_visits(&self) -> bool {
        false
    }

    #[inline]
    fn poll(&self) -> ControlFlow<()> {
        self.control()
    }
}

/// Works until Ctrl-C, on any number of threads. Python's signal handler runs in this thread, so others do the work.
///
/// # Errors
/// What the signal handler raised.
pub(crate) fn stoppable<T: Send>(work: impl FnOnce(&StopFlag) -> T + Send) -> PyResult<T> {
    let (stop, signals) = (&StopFlag(AtomicBool::new(false)), Signals::new());
    let caller = thread::current();
    let done = thread::scope(|scope| {
        let worker = scope.spawn(move || {
            let done = work(stop);
            caller.unpark();
            done
        });
        while !worker.is_finished() {
            thread::park_timeout(Signals::PAUSE / 25);
            if signals.poll_now() {
                stop.0.store(true, Ordering::Relaxed);
            }
        }
        worker.join().unwrap_or_else(|panic| resume_unwind(panic))
    });
    signals.into_error().map_or(Ok(done), Err)
}

/// Polls for Ctrl-C. Python's signal handler runs only when the interpreter checks for signals.
pub(crate) struct Signals {
    /// The clock is read at every call of this number; the number is small where calls are slow.
    calls_per_reading: Cell<u32>,
    calls: Cell<u32>,
    last_reading: Cell<Instant>,
    last_check: Cell<Instant>,
    is_raised: Cell<bool>,
    error: RefCell<Option<PyErr>>,
}

impl Signals {
    /// The time between two checks for signals.
    pub(crate) const PAUSE: Duration = Duration::from_millis(50);
    /// The maximum of `calls_per_reading`.
    const MAX_CALLS: u32 = 64;

    pub(crate) fn new() -> Self {
        let now = Instant::now();
        Signals {
            calls_per_reading: Cell::new(1),
            calls: Cell::new(0),
            last_reading: Cell::new(now),
            last_check: Cell::new(now),
            is_raised: Cell::new(false),
            error: RefCell::new(None),
        }
    }

    /// Whether to stop. Most calls do not read the clock.
    #[inline]
    pub(crate) fn should_stop(&self) -> bool {
        let calls = self.calls.get() + 1;
        self.calls.set(calls);
        self.is_raised() || (calls >= self.calls_per_reading.get() && self.poll_now())
    }

    /// Whether to stop, after a reading of the clock.
    #[cold]
    pub(crate) fn poll_now(&self) -> bool {
        let now = Instant::now();
        let is_slow = now - self.last_reading.replace(now) > Self::PAUSE / 5;
        let calls =
            if is_slow { 1 } else { (2 * self.calls_per_reading.get()).min(Self::MAX_CALLS) };
        self.calls_per_reading.set(calls);
        self.calls.set(0);
        if now - self.last_check.get() >= Self::PAUSE {
            self.last_check.set(now);
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                self.raise(error);
            }
        }
        self.is_raised()
    }

    pub(crate) fn is_raised(&self) -> bool {
        self.is_raised.get()
    }

    /// Stops the run with an error; the first one is kept.
    pub(crate) fn raise(&self, error: PyErr) {
        self.is_raised.set(true);
        self.error.borrow_mut().get_or_insert(error);
    }

    pub(crate) fn into_error(self) -> Option<PyErr> {
        self.error.into_inner()
    }

    /// The error of a run that was stopped.
    pub(crate) fn into_interrupt(self) -> PyErr {
        self.into_error().unwrap_or_else(|| PyKeyboardInterrupt::new_err(()))
    }
}

impl Observer for Signals {
    fn watches_visits(&self) -> bool {
        false
    }

    #[inline]
    fn poll(&self) -> ControlFlow<()> {
        if self.should_stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

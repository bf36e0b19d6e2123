//! Blocks parsed ahead by several threads and handed out in order.
//!
//! A thread that is free takes the next block from the stream and parses it: the helper threads all the time, and the
//! consumer's thread whenever the next batch is not there yet. So reading and parsing go on while the consumer learns,
//! and no thread waits for another without need. The batches do not depend on the number of threads.
//!
//! Memory: a block and its batch for each thread, and for two more.

use std::{
    any::Any,
    collections::VecDeque,
    io,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

use memchr::memchr_iter;

use super::{blocks::Blocks, parser::BlockParser};
use crate::{fault::Fault, table::batch::Batch};

/// A block and the outcome of parsing it.
pub(crate) struct ParsedBlock {
    /// The bytes, where a message may need them.
    pub(crate) block: Vec<u8>,
    /// The number of bytes, and of line breaks.
    pub(crate) length: usize,
    pub(crate) lines: u64,
    pub(crate) outcome: Outcome,
}

pub(crate) enum Outcome {
    Batch(Box<Batch>),
    Fault(Fault),
    /// The stream broke off within the block.
    Broken(io::Error),
}

/// Parses the blocks of a stream.
pub(crate) struct Pipeline {
    shared: Arc<Shared>,
    helpers: usize,
    has_helpers: bool,
    /// The block of the consumer's thread.
    buffer: Vec<u8>,
}

struct Shared {
    parser: Box<dyn BlockParser>,
    stream: Mutex<Stream>,
    queue: Mutex<Queue>,
    /// Something was put into the queue or taken from it, or the stream is free.
    changed: Condvar,
    /// The largest number of blocks ahead of the one that is wanted.
    window: u64,
}

struct Stream {
    blocks: Blocks,
    /// The number of the next block.
    next: u64,
    ended: bool,
}

/// The blocks from number `wanted` on.
#[derive(Default)]
struct Queue {
    wanted: u64,
    parsed: VecDeque<Option<Result<ParsedBlock, Box<dyn Any + Send>>>>,
    /// The number of blocks, once it is known.
    end: Option<u64>,
    /// The consumer is gone.
    closed: bool,
}

/// A piece that was taken from the stream.
enum Claim {
    Block {
        number: u64,
        is_last: bool,
        /// The stream broke off within it.
        broken: Option<io::Error>,
    },
    /// The end, after this many blocks.
    End { blocks: u64 },
}

impl Pipeline {
    /// A pipeline of `threads` threads; the consumer's thread is one of them.
    pub(crate) fn new(blocks: Blocks, parser: Box<dyn BlockParser>, threads: usize) -> Self {
        let helpers = threads.saturating_sub(1);
        let shared = Shared {
            parser,
            stream: Mutex::new(Stream { blocks, next: 0, ended: false }),
            queue: Mutex::new(Queue::default()),
            changed: Condvar::new(),
            window: helpers as u64 + 2,
        };
        let (shared, has_helpers) = (Arc::new(shared), helpers == 0);
        Pipeline { shared, helpers, has_helpers, buffer: Vec::new() }
    }

    /// The next block, parsed; `None` after the last.
    pub(crate) fn next(&mut self) -> Option<ParsedBlock> {
        let shared = Arc::clone(&self.shared);
        loop {
            let queue = lock(&shared.queue);
            let (queue, found) = take(queue);
            if let Some(parsed) = found {
                drop(queue);
                shared.changed.notify_all();
                return Some(parsed.unwrap_or_else(|panic| resume_unwind(panic)));
            }
            if queue.end == Some(queue.wanted) {
                return None;
            }
            let may_claim = queue.end.is_none();
            if may_claim
                && let Ok(mut stream) = shared.stream.try_lock()
                && stream.may_be_claimed_from(queue.wanted, shared.window)
            {
                drop(queue);
                let claim = stream.claim(&mut self.buffer);
                let goes_on = !stream.blocks.is_finished();
                drop(stream);
                if goes_on {
                    self.start_helpers();
                }
                shared.finish(claim, &mut self.buffer);
                continue;
            }
            // Another thread has the stream or the block that is wanted: it will say when that changes.
            drop(wait(&shared.changed, queue));
        }
    }

    /// Helpers begin when there is a second block.
    fn start_helpers(&mut self) {
        if std::mem::replace(&mut self.has_helpers, true) {
            return;
        }
        for _ in 0..self.helpers {
            let shared = Arc::clone(&self.shared);
            // If the system gives no more threads, the consumer's thread does all the work.
            let _ = thread::Builder::new().spawn(move || shared.help());
        }
    }
}

impl Drop for Pipeline {
    /// Helpers end by themselves. One that waits for a slow stream is not waited for.
    fn drop(&mut self) {
        lock(&self.shared.queue).closed = true;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    /// Parses blocks until there are no more, or the consumer is gone.
    fn help(&self) {
        let mut buffer = Vec::new();
        loop {
            let mut stream = lock(&self.stream);
            if stream.ended {
                return;
            }
            let queue = lock(&self.queue);
            if queue.closed {
                return;
            }
            if stream.next >= queue.wanted + self.window {
                drop(stream);
                drop(wait(&self.changed, queue));
                continue;
            }
            drop(queue);
            let claim = stream.claim(&mut buffer);
            drop(stream);
            self.changed.notify_all();
            self.finish(claim, &mut buffer);
        }
    }

    /// Parses the block that was claimed, or notes the end.
    fn finish(&self, claim: Claim, buffer: &mut Vec<u8>) {
        let (number, is_last, broken) = match claim {
            Claim::Block { number, is_last, broken } => (number, is_last, broken),
            Claim::End { blocks } => {
                lock(&self.queue).end = Some(blocks);
                self.changed.notify_all();
                return;
            }
        };
        let is_end = broken.is_some();
        let parsed = catch_unwind(AssertUnwindSafe(|| self.parse(buffer, is_last, broken)));
        let mut queue = lock(&self.queue);
        if is_end {
            queue.end = Some(number + 1);
        }
        let place = (number - queue.wanted) as usize;
        if queue.parsed.len() <= place {
            queue.parsed.resize_with(place + 1, || None);
        }
        queue.parsed[place] = Some(parsed);
        drop(queue);
        self.changed.notify_all();
    }

    fn parse(&self, buffer: &mut Vec<u8>, is_last: bool, broken: Option<io::Error>) -> ParsedBlock {
        let outcome = match broken {
            Some(error) => Outcome::Broken(error),
            None => match self.parser.parse(buffer, is_last) {
                Ok(batch) => Outcome::Batch(Box::new(batch)),
                Err(fault) => Outcome::Fault(fault),
            },
        };
        let (length, lines) = (buffer.len(), newlines(buffer));
        let is_clean = matches!(&outcome, Outcome::Batch(batch) if batch.skipped.is_empty());
        let block = if is_clean { Vec::new() } else { std::mem::take(buffer) };
        ParsedBlock { block, length, lines, outcome }
    }
}

impl Stream {
    /// Whether the consumer's thread may take the next block while it waits for the block `wanted`. If a block comes as
    /// it arrives, the thread must not wait for a later one: that may only be written after the answer to `wanted`.
    fn may_be_claimed_from(&self, wanted: u64, window: u64) -> bool {
        if self.blocks.is_unbuffered() { self.next == wanted } else { self.next < wanted + window }
    }

    /// Takes the next block into `buffer`.
    fn claim(&mut self, buffer: &mut Vec<u8>) -> Claim {
        let number = self.next;
        let broken = match self.blocks.next_into(buffer) {
            Ok(true) => None,
            Ok(false) => {
                self.ended = true;
                return Claim::End { blocks: number };
            }
            Err(error) => Some(error),
        };
        self.ended = broken.is_some();
        self.next += 1;
        Claim::Block { number, is_last: self.blocks.is_finished(), broken }
    }
}

type Found<'q> = (MutexGuard<'q, Queue>, Option<Result<ParsedBlock, Box<dyn Any + Send>>>);

/// Takes the block that is wanted, if it is there.
fn take(mut queue: MutexGuard<'_, Queue>) -> Found<'_> {
    let found = queue.parsed.front_mut().and_then(Option::take);
    if found.is_some() {
        queue.parsed.pop_front();
        queue.wanted += 1;
    }
    (queue, found)
}

/// No thread panics while it holds a lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn wait<'q>(changed: &Condvar, queue: MutexGuard<'q, Queue>) -> MutexGuard<'q, Queue> {
    changed.wait(queue).unwrap_or_else(PoisonError::into_inner)
}

/// The number of line breaks.
pub(crate) fn newlines(bytes: &[u8]) -> u64 {
    memchr_iter(b'\n', bytes).count() as u64
}

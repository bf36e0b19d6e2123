//! A file as memory.
#![allow(unsafe_code)] // the two things that a borrowed file needs; see each SAFETY

use std::{fs::File, io, ops::Range};

use memmap2::Mmap;

use super::cut_off;

/// The bytes of a file, mapped until the process ends.
///
/// So what is borrowed from it lives as long as owned data: a data set need not hold the file too. It costs addresses
/// and no memory, and a process opens few such files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MappedFile {
    bytes: &'static [u8],
}

impl MappedFile {
    /// Maps a whole file, called `name` in messages.
    pub(crate) fn of(file: &File, name: &str) -> io::Result<Self> {
        // SAFETY: the memory is that of the file as long as no program changes the file in place. This program
        // never does: a packed file is written whole under another name and then renamed, so an open one
        // keeps its bytes, even when it is replaced or removed. Rust cannot keep others from it. Were the
        // file written over by another program while it is mapped, values would change under the reader
        // (after they were checked): no memory but the file's is read then, and the work ends with an error
        // (`Seal`). Were it cut off, the system would end this process, with a message (`cut_off`). A lock
        // would stop no program but this one.
        let map = unsafe { Mmap::map(file)? };
        let bytes: &'static [u8] = Box::leak(Box::new(map));
        cut_off::remember(bytes, name);
        Ok(MappedFile { bytes })
    }

    /// The number of bytes.
    pub(crate) fn length(self) -> usize {
        self.bytes.len()
    }

    /// The bytes in this range, if it is within the file.
    pub(crate) fn bytes(self, range: Range<usize>) -> Option<&'static [u8]> {
        self.bytes.get(range)
    }

    /// The numbers in this range; `None` if it is not within the file, or holds parts of numbers.
    pub(crate) fn numbers<T: Plain>(self, range: Range<usize>) -> Option<&'static [T]> {
        let bytes = self.bytes.get(range)?;
        // SAFETY: `Plain` types hold any bits, and the memory is shared and lives to the end.
        let (before, numbers, after) = unsafe { bytes.align_to::<T>() };
        (before.is_empty() && after.is_empty()).then_some(numbers)
    }
}

/// Numbers of which any bits are one, without padding.
pub(crate) trait Plain: sealed::Sealed {}

impl Plain for f64 {}
impl Plain for u32 {}
impl Plain for u64 {}
impl Plain for usize {}

mod sealed {
    pub(crate) trait Sealed {}
    impl Sealed for f64 {}
    impl Sealed for u32 {}
    impl Sealed for u64 {}
    impl Sealed for usize {}
}

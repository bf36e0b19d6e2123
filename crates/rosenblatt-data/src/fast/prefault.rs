//! Memory for the numbers of a large file.
//!
//! A page of new memory is zeroed by the system when it is first written to, after an interruption of its own. Where
//! the system can, many pages are asked for at once.

/// Appends numbers.
pub(crate) fn append<T: Copy>(all: &mut Vec<T>, more: &[T]) {
    all.reserve(more.len());
    prepare(all, more.len());
    all.extend_from_slice(more);
}

/// The number of bytes that are asked for at once.
const STEP: usize = 4 << 20;

/// Asks for the pages of the next steps, where the next `more` numbers reach a step that none reached before.
#[cfg(all(target_os = "linux", feature = "files"))]
fn prepare<T>(all: &mut Vec<T>, more: usize) {
    let (length, size) = (all.len() * size_of::<T>(), more * size_of::<T>());
    let (from, until) = (length.div_ceil(STEP) * STEP, (length + size).div_ceil(STEP) * STEP);
    let room = all.spare_capacity_mut();
    let (start, bytes) = (room.as_mut_ptr().cast::<u8>(), size_of_val(room));
    // Relative to the room: what lies between two steps and within the room.
    let (from, until) = (from - length, (until - length).min(bytes));
    if from < until {
        pages(start.wrapping_add(from), until - from);
    }
}

#[cfg(not(all(target_os = "linux", feature = "files")))]
fn prepare<T>(_: &mut Vec<T>, _: usize) {}

/// Brings whole pages within this memory, or none.
#[cfg(all(target_os = "linux", feature = "files"))]
#[allow(unsafe_code)] // a call of the system
fn pages(start: *mut u8, bytes: usize) {
    use std::{ffi::c_void, ptr::NonNull};

    use nix::sys::mman::{MmapAdvise, madvise};

    const PAGE: usize = 4096;
    let skipped = start.align_offset(PAGE);
    if skipped >= bytes {
        return;
    }
    let whole = (bytes - skipped) / PAGE * PAGE;
    if let Some(first) = NonNull::new(start.wrapping_add(skipped).cast::<c_void>()) {
        // SAFETY: the pages lie within the spare room of a vector; being brought in changes no byte of them. A system
        // that cannot do it says so, and the pages come when they are written to.
        let _ = unsafe { madvise(first, whole, MmapAdvise::MADV_POPULATE_WRITE) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_appended_whatever_their_number() {
        let mut all: Vec<f64> = Vec::new();
        let mut expected = 0;
        for length in [0, 1, 1000, 524_288, 3, 524_287, 2_000_000, 1] {
            let more: Vec<f64> = (expected..expected + length).map(|i| i as f64).collect();
            append(&mut all, &more);
            expected += length;
        }
        assert!(all.iter().enumerate().all(|(i, &x)| x == i as f64));
        assert_eq!(all.len(), expected);
    }
}

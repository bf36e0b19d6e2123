//! Prefetching of memory. It affects nothing but time.

/// The number of bytes in a cache line.
const LINE: usize = 64;

/// Prefetches a whole slice. The number of steps depends only on its length, not on its address, so that the processor
/// can predict the end of the loop for rows of one length.
#[inline(always)]
pub fn all<T>(slice: &[T]) {
    let (start, bytes) = (slice.as_ptr().cast::<u8>(), size_of_val(slice));
    for at in (0..bytes).step_by(LINE) {
        line(start.wrapping_add(at));
    }
    line(start.wrapping_add(bytes.saturating_sub(1)));
}

/// Prefetches `count` elements of a slice from `first` on, even past its end.
#[inline(always)]
pub fn some<T>(slice: &[T], first: usize, count: usize) {
    let start = slice.as_ptr().wrapping_add(first).cast::<u8>();
    for at in (0..count * size_of::<T>()).step_by(LINE) {
        line(start.wrapping_add(at));
    }
}

#[inline(always)]
fn line(place: *const u8) {
    #[cfg(all(feature = "fast", target_arch = "x86_64"))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch is a hint that reads nothing and accepts any address.
        #[allow(unsafe_code)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(place.cast::<i8>());
        }
    }
    #[cfg(not(all(feature = "fast", target_arch = "x86_64")))]
    let _ = place;
}

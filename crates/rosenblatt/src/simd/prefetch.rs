//! Asking for memory before it is needed. It changes nothing but the time.

/// Bytes that come at once.
const LINE: usize = 64;

/// Asks for all of a slice. In how many steps depends on its length alone and not on where it lies, so that for
/// rows of one length the processor can foretell the end.
#[inline(always)]
pub(crate) fn all<T>(slice: &[T]) {
    let (start, bytes) = (slice.as_ptr().cast::<u8>(), size_of_val(slice));
    for at in (0..bytes).step_by(LINE) {
        line(start.wrapping_add(at));
    }
    line(start.wrapping_add(bytes.saturating_sub(1)));
}

/// Asks for `count` elements of a slice from `first` on, or those after its end.
#[inline(always)]
pub(crate) fn some<T>(slice: &[T], first: usize, count: usize) {
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

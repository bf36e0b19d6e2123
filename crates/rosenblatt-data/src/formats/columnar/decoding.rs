//! The boundary around the decoders of Parquet, Arrow and workbooks.
//!
//! They take much on trust. What is known to make them panic is checked before ([`pages`](super::pages),
//! [`thrift`](super::thrift), [`arrow`](super::arrow)); where one of them panics all the same, the file is damaged and nothing is
//! wrong with the program.

use std::{
    any::Any,
    cell::Cell,
    panic::{self, AssertUnwindSafe},
    sync::Once,
};

use super::error::Complaint;

thread_local! {
    static IS_DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Calls a decoder. Its panic is a complaint, of which nothing is printed; what it was called on must not be used again.
///
/// Panics are printed by a hook of the whole program. It is wrapped once, and passed over in a thread that decodes.
pub(in crate::formats) fn decode<T, E: From<Complaint>>(
    call: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    static WRAPPED: Once = Once::new();
    WRAPPED.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_DECODING.get() {
                print(panic);
            }
        }));
    });
    let before = IS_DECODING.replace(true);
    let called = panic::catch_unwind(AssertUnwindSafe(call));
    IS_DECODING.set(before);
    called.unwrap_or_else(|panic| Err(format!("damaged: {}", message(&*panic)).into()))
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("its decoder gave up")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_damage() {
        let index = std::hint::black_box(3);
        let of = |call: &dyn Fn() -> usize| decode(|| Ok::<_, Complaint>(call()));
        let expected = "damaged: index out of bounds: the len is 2 but the index is 3";
        assert_eq!(of(&|| [1, 2][index]), Err(expected.to_owned()));
        assert_eq!(of(&|| index), Ok(3));
        assert_eq!(of(&|| panic!("the {index}")), Err("damaged: the 3".to_owned()));
        assert_eq!(of(&|| panic::panic_any(7)), Err("damaged: its decoder gave up".to_owned()));
    }

    /// Of a panic elsewhere the hook that was there before hears, also while another thread decodes.
    #[test]
    fn other_panics_are_printed() {
        let during = decode(|| {
            let other = std::thread::spawn(|| IS_DECODING.get()).join();
            Ok::<_, Complaint>((IS_DECODING.get(), other.unwrap()))
        });
        assert_eq!((during, IS_DECODING.get()), (Ok((true, false)), false));
    }
}

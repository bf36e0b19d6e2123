//! The lab's answers as a WebAssembly module: the bytes of a question become the bytes of an answer.
//!
//! The interface is four functions and the memory, so that no generated code stands between the page and the engine:
//!
//! 1. `question(length)` makes room for a question and returns its place; the caller writes the bytes there.
//! 2. `answer()` answers it and returns a status, as the server's: 200, or 400 and 422 for an error.
//! 3. `answer_place()` and `answer_length()` tell where the bytes of the answer are, until the next question.
//!
//! The module has no clock, and a question is not interrupted. The page runs it in a Web Worker, which it can end.
#![allow(unsafe_code)] // the names of the functions of the module

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The bytes that pass between the caller and the engine.
struct Exchange {
    question: Vec<u8>,
    answer: Vec<u8>,
}

static EXCHANGE: Mutex<Exchange> =
    Mutex::new(Exchange { question: Vec::new(), answer: Vec::new() });

fn exchange() -> MutexGuard<'static, Exchange> {
    EXCHANGE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for a question of `length` bytes and returns its place.
#[unsafe(no_mangle)]
pub extern "C" fn question(length: usize) -> *mut u8 {
    let mut exchange = exchange();
    exchange.question = vec![0; length];
    exchange.question.as_mut_ptr()
}

/// Answers the question and returns the status of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> u32 {
    let mut exchange = exchange();
    let question = std::mem::take(&mut exchange.question);
    // The old answer makes room for the new one.
    exchange.answer = Vec::new();
    let (status, answer) = match rosenblatt_lab::answer(&question, &|| false) {
        Ok(answer) => (200, answer),
        Err(refusal) => (refusal.status(), refusal.json()),
    };
    exchange.answer = answer;
    u32::from(status)
}

/// Returns the place of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer_place() -> *const u8 {
    exchange().answer.as_ptr()
}

/// Returns the length of the last answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    exchange().answer.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(text: &str) -> (u32, String) {
        let place = question(text.len());
        // SAFETY: `question` has made room for that many bytes.
        unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), place, text.len()) };
        let status = answer();
        // SAFETY: the answer stays until the next question.
        let bytes = unsafe { std::slice::from_raw_parts(answer_place(), answer_length()) };
        (status, String::from_utf8(bytes.to_vec()).unwrap())
    }

    #[test]
    fn questions_are_answered_one_after_the_other() {
        let points = r#"{"rows": [[0], [1], [2]], "signs": [1, -1, 1]}"#;
        let (status, text) = ask(&format!(r#"{{"separable": {{"points": {points}}}}}"#));
        assert_eq!(status, 200);
        assert!(text.contains(r#""separable":"no""#), "{text}");
        let (status, text) = ask("");
        assert_eq!(status, 400);
        assert!(text.starts_with(r#"{"error":{"message":"question: EOF"#), "{text}");
        let (status, text) = ask(r#"{"separable": {"points": {"rows": [[0]], "signs": [2]}}}"#);
        assert_eq!(
            (status, text.as_str()),
            (422, r#"{"error":{"message":"points.signs[0]: 2, expected 1 or -1"}}"#)
        );
    }
}

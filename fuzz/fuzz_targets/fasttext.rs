//! Any bytes as lines of fastText.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rosenblatt_probes::run("fasttext", bytes));

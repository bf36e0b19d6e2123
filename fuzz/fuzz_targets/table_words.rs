//! Any bytes as a table whose first column is text.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rosenblatt_probes::run("table_words", bytes));

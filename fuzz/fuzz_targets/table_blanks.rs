//! Any bytes as values separated by blanks.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rosenblatt_probes::run("table_blanks", bytes));

//! Any bytes as IDX data and their labels.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rosenblatt_probes::run("idx", bytes));

//! Any bytes as comma-separated values without a header.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rosenblatt_probes::run("table_comma", bytes));

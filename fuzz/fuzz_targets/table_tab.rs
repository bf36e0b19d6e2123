//! Any bytes as tab-separated values with a header.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rosenblatt_probes::run("table_tab", bytes));

//! Any bytes as an Arrow file or stream.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rosenblatt_probes::run("arrow", bytes));

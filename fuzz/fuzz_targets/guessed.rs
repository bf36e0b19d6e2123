//! Any bytes as data of a format that is guessed, plain or compressed.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rosenblatt_probes::run("guessed", bytes));

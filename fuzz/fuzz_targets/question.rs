//! Any bytes as a question to the lab, whose answer is checked.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rosenblatt_probes::run("question", bytes));

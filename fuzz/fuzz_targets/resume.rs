//! Any bytes as a checkpoint that a run goes on from.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rosenblatt_probes::run("resume", bytes));

//! Any bytes as a packed file, with digests that match.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rosenblatt_probes::run("packed", bytes));

//! Any bytes as LIBSVM data.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rosenblatt_probes::run("libsvm", bytes));

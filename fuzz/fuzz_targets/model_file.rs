//! Any bytes as a model file; what is accepted must come back the same when it is written again.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rosenblatt_probes::run("model_file", bytes));

//! Any bytes as a model file; what is accepted must predict.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rosenblatt_probes::run("model_predicts", bytes));

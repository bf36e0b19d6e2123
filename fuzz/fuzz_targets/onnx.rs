//! A linear model drawn from any bytes, exported to every format.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rosenblatt_probes::run("onnx", bytes));

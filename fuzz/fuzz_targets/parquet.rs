//! Any bytes as a Parquet file.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rosenblatt_probes::run("parquet", bytes));

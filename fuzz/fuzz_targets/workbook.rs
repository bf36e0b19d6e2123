//! Any bytes as a workbook.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rosenblatt_probes::run("workbook", bytes));

//! Any bytes as a table, by several options; what is read must also be readable for its own model.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rosenblatt_data::probe::table(bytes));

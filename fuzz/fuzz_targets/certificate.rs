//! Any bytes as points and a certificate: the checker says yes to proofs and to nothing else.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rosenblatt_probes::run("certificate", bytes));

//! Inputs that the fuzz targets once found wanting, or that look like trouble, replayed for ever.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

use std::{fs, path::Path};

use rosenblatt_data::probe;

/// Replays every file of a folder; there is at least one.
fn replay(target: &str, probe: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/found_inputs").join(target);
    let mut replayed = 0;
    for entry in fs::read_dir(folder).unwrap() {
        probe(&fs::read(entry.unwrap().path()).unwrap());
        replayed += 1;
    }
    assert!(replayed > 0, "no input for {target}");
}

#[test]
fn tables() {
    replay("table", probe::table);
}

#[test]
fn libsvm() {
    replay("libsvm", probe::libsvm);
}

#[test]
fn idx() {
    replay("idx", probe::idx);
}

#[test]
fn checkpoints() {
    replay("checkpoint", probe::checkpoint);
}

#[test]
fn model_files() {
    replay("model_file", probe::model_file);
}

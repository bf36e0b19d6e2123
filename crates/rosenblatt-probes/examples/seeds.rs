//! Writes the inputs with which fuzzing begins: `seeds ROOT FOLDER [SUITES]`.

use std::{env, io, path::PathBuf};

fn main() -> io::Result<()> {
    let mut paths = env::args_os().skip(1).map(PathBuf::from);
    let [Some(root), Some(folder)] = [paths.next(), paths.next()] else {
        return Err(io::Error::other("seeds ROOT FOLDER [SUITES]"));
    };
    rosenblatt_probes::seeds::write(&root, paths.next().as_deref(), &folder)
}

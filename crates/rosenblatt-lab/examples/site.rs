//! Writes the lab as static files: `site FOLDER`.

use std::{env, fs, io, path::PathBuf};

use rosenblatt_lab::standalone;

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args_os().nth(1).unwrap_or_else(|| "target/site/lab".into()));
    fs::create_dir_all(&folder)?;
    standalone::files().iter().try_for_each(|file| fs::write(folder.join(file.name), &file.bytes))
}

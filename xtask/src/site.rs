//! The static site: files that any server of files can serve, under `target/site`.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use rosenblatt_lab::standalone;

use crate::{Outcome, command::failed, root};

/// A part of the site.
struct Part {
    /// Its folder in the site.
    folder: &'static str,
    write: fn(&Path) -> Outcome,
}

/// The parts that this file writes. The book, which embeds the lab, is written beside them.
const PARTS: [Part; 1] = [Part { folder: "lab", write: write_lab }];

/// The folder of the site.
pub(crate) fn folder() -> PathBuf {
    root().join("target/site")
}

/// `cargo xtask site`: writes all parts.
pub(crate) fn write() -> Outcome {
    if let Err(error) = fs::create_dir_all(folder()).and_then(|()| write_entry(&folder())) {
        return failed(&format!("{}: {error}", folder().display()));
    }
    for part in &PARTS {
        match (part.write)(&folder().join(part.folder)) {
            Outcome::Passed => {}
            other => return other,
        }
    }
    println!("the site is in {}", folder().display());
    Outcome::Passed
}

/// The page at the address of the site: it leads to the lab.
fn write_entry(folder: &Path) -> io::Result<()> {
    let html = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Rosenblatt</title>\n\
        <link rel=\"icon\" href=\"data:,\">\n\
        <meta http-equiv=\"refresh\" content=\"0; url=lab/\">\n<a href=\"lab/\">The lab</a>\n<a href=\"book/\">The book</a>\n</html>\n";
    fs::write(folder.join("index.html"), html)
}

/// The lab, with the engine in the browser.
fn write_lab(folder: &Path) -> Outcome {
    let write = || {
        fs::create_dir_all(folder)?;
        standalone::files()
            .iter()
            .try_for_each(|file| fs::write(folder.join(file.name), &file.bytes))
    };
    write().map_or_else(
        |error| failed(&format!("{}: {error}", folder.display())),
        |()| Outcome::Passed,
    )
}

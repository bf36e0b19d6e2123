//! The static site: files that any server of files can serve, under `target/site`. The book is written beside the lab.

use std::{fs, path::PathBuf};

use crate::{
    Outcome,
    command::{self, failed},
    example, root,
};

/// The page at the address of the site: it leads to the lab.
const ENTRY: &str = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Rosenblatt</title>\n\
    <link rel=\"icon\" href=\"data:,\">\n\
    <meta http-equiv=\"refresh\" content=\"0; url=lab/\">\n<a href=\"lab/\">The lab</a>\n<a href=\"book/\">The book</a>\n</html>\n";

fn folder() -> PathBuf {
    root().join("target/site")
}

/// Writes the entry, and the lab with the engine in the browser.
pub(crate) fn write() -> Outcome {
    let folder = folder();
    let written =
        fs::create_dir_all(&folder).and_then(|()| fs::write(folder.join("index.html"), ENTRY));
    if let Err(error) = written {
        return failed(&format!("{}: {error}", folder.display()));
    }
    command::say(&format!("the site is in {}", folder.display()));
    example("site", &[folder.join("lab").as_os_str()])
}

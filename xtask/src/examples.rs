//! The example programs of the libraries run to their ends.

use std::{fs, path::Path};

use crate::{Outcome, cargo, root};

/// The libraries that have examples.
const LIBRARIES: [&str; 2] = ["rosenblatt", "rosenblatt-data"];

/// Runs every example of every library. Each checks its own results and fails by a panic or an error.
pub(crate) fn check() -> Outcome {
    let names = |library: &str| {
        let mut names: Vec<String> =
            fs::read_dir(root().join("crates").join(library).join("examples"))
                .into_iter()
                .flatten()
                .filter_map(|entry| example(&entry.ok()?.path()))
                .collect();
        names.sort();
        names
    };
    let run = |library: &&str| {
        let names = names(library);
        println!("{library}: {}", names.join(", "));
        let runs = |name: &String| {
            let arguments = ["run", "--quiet", "--package", library, "--example", name];
            matches!(cargo(&arguments, &[]), Outcome::Passed)
        };
        !names.is_empty() && names.iter().all(runs)
    };
    if LIBRARIES.iter().all(run) { Outcome::Passed } else { Outcome::Failed }
}

fn example(path: &Path) -> Option<String> {
    let is_rust = path.extension().is_some_and(|ending| ending == "rs");
    is_rust.then(|| path.file_stem()?.to_str().map(str::to_owned)).flatten()
}

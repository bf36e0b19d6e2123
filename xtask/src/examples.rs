//! The example programs of the libraries run to their ends.

use std::{env, fs, path::Path, process::Command};

use crate::{Outcome, TESTS, cargo, command, root};

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
    // As the tests are built, which builds the examples too.
    let build = [&["build"], &TESTS[1..], &["--examples"]].concat();
    let Ok(xtask) = env::current_exe() else { return Outcome::Failed };
    if !matches!(cargo(&build, &[]), Outcome::Passed) {
        return Outcome::Failed;
    }
    let run = |library: &&str| {
        let names = names(library);
        println!("{library}: {}", names.join(", "));
        let runs = |name: &String| {
            let file = format!("examples/{name}{}", env::consts::EXE_SUFFIX);
            let mut example = Command::new(xtask.with_file_name(file));
            matches!(command::run(example.current_dir(root())), Outcome::Passed)
        };
        !names.is_empty() && names.iter().all(runs)
    };
    if LIBRARIES.iter().all(run) { Outcome::Passed } else { Outcome::Failed }
}

fn example(path: &Path) -> Option<String> {
    let is_rust = path.extension().is_some_and(|ending| ending == "rs");
    is_rust.then(|| path.file_stem()?.to_str().map(str::to_owned)).flatten()
}

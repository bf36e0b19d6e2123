//! No modules depend on one another in a ring: Rust crates, the lab's page and the Python package.
//!
//! A node is a source file; a link says that a file uses a name that another file defines. Re-exports are followed,
//! tests are left out, and so are links between a module and its descendants. Neither the files nor the children of
//! a folder, each taken as a whole, may form a cycle.

mod graph;
mod names;
mod paths;
mod python;
mod rust;
mod typescript;

use crate::{
    Outcome,
    command::failed,
    root,
    rust_source::{crate_folders, read_sources},
};
use graph::{Cycle, Graph};

const PAGE: &str = "crates/rosenblatt-lab/page";
const PACKAGE: &str = "python/rosenblatt";

/// The step of the check.
pub(crate) fn check() -> Outcome {
    run(&[])
}

/// Checks all graphs, or the `named` ones, and shows their cycles.
pub(crate) fn run(named: &[&str]) -> Outcome {
    let folders = folders();
    if let Some(unknown) = named.iter().find(|name| !folders.contains(&(**name).to_owned())) {
        return failed(&format!("there is no `{unknown}`; there are {}", folders.join(", ")));
    }
    let mut good = true;
    for folder in folders.iter().filter(|f| named.is_empty() || named.contains(&f.as_str())) {
        let verdict = match graph(folder) {
            Ok(graph) => verdict(graph.cycles()),
            Err(problem) => Verdict { good: false, text: problem, cycles: Vec::new() },
        };
        let shown: String = verdict.cycles.iter().map(Cycle::to_string).collect();
        let text = format!("{folder}: {}\n{shown}", verdict.text);
        if verdict.good {
            print!("{text}");
        } else {
            failed(text.trim_end());
            good = false;
        }
    }
    if good { Outcome::Passed } else { Outcome::Failed }
}

/// All folders whose graph is checked.
fn folders() -> Vec<String> {
    let mut folders = crate_folders();
    folders.extend([PAGE, PACKAGE].map(str::to_owned));
    folders
}

fn graph(folder: &str) -> Result<Graph, String> {
    let path = root().join(folder);
    match folder {
        PAGE => Ok(typescript::graph(&read_sources(&path.join("src"), &[".ts"])?)),
        PACKAGE => Ok(python::graph("rosenblatt", &read_sources(&path, &[".py", ".pyi"])?)),
        _ => rust::graph(&read_sources(&path.join("src"), &[".rs"])?),
    }
}

/// The result for one folder.
struct Verdict {
    good: bool,
    text: String,
    cycles: Vec<Cycle>,
}

fn verdict(cycles: Vec<Cycle>) -> Verdict {
    let links: usize = cycles.iter().map(|cycle| cycle.links.len()).sum();
    let text = match cycles.len() {
        0 => "no cycle".to_owned(),
        count => format!("cycles: {count}, with {links} links"),
    };
    Verdict { good: cycles.is_empty(), text, cycles }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_is_a_failure() {
        let cycle = Cycle { among: String::new(), links: vec![String::new(), String::new()] };
        let found = verdict(vec![cycle]);
        assert!(!found.good);
        assert_eq!(found.text, "cycles: 1, with 2 links");
        assert!(verdict(Vec::new()).good);
    }
}

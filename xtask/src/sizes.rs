//! How large the functions of each crate are, without tests, compared with limits that only fall.

mod measure;

use std::{collections::BTreeMap, fs};

use crate::{
    Outcome,
    command::failed,
    root,
    rust_source::{crate_folders, module_trees, read_sources},
};
use measure::{Sizes, functions};

const FILE: &str = "xtask/sizes.toml";

const HEAD: &str = "\
# Limits for the functions of each crate, without tests: lines of the longest, the median and the 90th percentile,
# the most arguments, parameters that are tuples of three or more. `cargo xtask sizes --lower` lowers them to what is
# there. Raise one only by hand and with a reason.
";

/// The sizes, or the limits of sizes, of crates by their folders.
type Table = BTreeMap<String, Sizes>;

/// The step of the check: prints the sizes and fails above a limit.
pub(crate) fn check() -> Outcome {
    let (sizes, limits) = match measured().and_then(|sizes| Ok((sizes, limits()?))) {
        Ok(tables) => tables,
        Err(problem) => return failed(&problem),
    };
    print!("{}", table(&sizes));
    let problems = problems(&sizes, &limits);
    if problems.is_empty() { Outcome::Passed } else { failed(&problems.join("\n")) }
}

/// Lowers the limits to the sizes; new crates get their sizes as limits.
pub(crate) fn lower() -> Outcome {
    let old = if root().join(FILE).exists() { limits() } else { Ok(Table::new()) };
    let done = measured().and_then(|sizes| {
        let text = written(&lowered(&sizes, &old?));
        fs::write(root().join(FILE), text).map_err(|error| format!("{FILE}: {error}"))
    });
    match done {
        Ok(()) => check(),
        Err(problem) => failed(&problem),
    }
}

fn limits() -> Result<Table, String> {
    let text = fs::read_to_string(root().join(FILE)).map_err(|error| format!("{FILE}: {error}"))?;
    toml::from_str(&text).map_err(|error| format!("{FILE}: {error}"))
}

fn measured() -> Result<Table, String> {
    let size = |folder: String| {
        let sources = read_sources(&root().join(&folder).join("src"), &[".rs"])?;
        let trees = module_trees(&sources).map_err(|error| format!("{folder}: {error}"))?;
        let found: Vec<_> = trees.iter().flatten().flat_map(|m| functions(&m.items)).collect();
        Ok((folder, Sizes::of(&found)))
    };
    crate_folders().into_iter().map(size).collect()
}

/// Everything that is above its limit, or has none.
fn problems(sizes: &Table, limits: &Table) -> Vec<String> {
    let mut problems = Vec::new();
    for (folder, sizes) in sizes {
        match limits.get(folder) {
            None => problems.push(format!(
                "{folder}: {FILE} has no limits for it: run `cargo xtask sizes --lower`"
            )),
            Some(limits) => {
                let above =
                    |(name, size, limit)| format!("{folder}: {name}: {size}, the limit is {limit}");
                problems.extend(sizes.above(limits).into_iter().map(above));
            }
        }
    }
    let gone = limits.keys().filter(|folder| !sizes.contains_key(*folder));
    problems
        .extend(gone.map(|folder| format!("{folder}: {FILE} has limits for it, but it is gone")));
    problems
}

fn lowered(sizes: &Table, old: &Table) -> Table {
    let limit = |(folder, sizes): (&String, &Sizes)| {
        let limit = old.get(folder).map_or(*sizes, |old| sizes.least(old));
        (folder.clone(), limit)
    };
    sizes.iter().map(limit).collect()
}

/// The text of the file with these limits.
fn written(limits: &Table) -> String {
    let line = |(name, limit)| format!("{name} = {limit}\n");
    let part = |(folder, limits): (&String, &Sizes)| {
        let lines: String = limits.named().map(line).concat();
        format!("\n[\"{folder}\"]\n{lines}")
    };
    limits.iter().map(part).fold(HEAD.to_owned(), |text, part| text + &part)
}

fn table(sizes: &Table) -> String {
    let head = "lines of functions           longest  median  90th percentile  most arguments  tuples of three\n";
    let row = |(folder, s): (&String, &Sizes)| {
        format!(
            "{folder:28} {:7}  {:6}  {:15}  {:14}  {:15}\n",
            s.longest, s.median, s.ninetieth_percentile, s.most_arguments, s.tuple_parameters
        )
    };
    sizes.iter().map(row).fold(head.to_owned(), |text, row| text + &row)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(folder: &str, longest: usize, most_arguments: usize) -> Table {
        let sizes = Sizes { longest, most_arguments, ..Sizes::of(&[]) };
        Table::from([(folder.to_owned(), sizes)])
    }

    #[test]
    fn sizes_above_a_limit_are_problems() {
        assert_eq!(problems(&of("a", 9, 3), &of("a", 9, 4)), <[&str; 0]>::default());
        let expected = ["a: longest: 10, the limit is 9", "a: most_arguments: 5, the limit is 4"];
        assert_eq!(problems(&of("a", 10, 5), &of("a", 9, 4)), expected);
    }

    #[test]
    fn crates_and_limits_belong_together() {
        let problems = problems(&of("a", 1, 1), &of("b", 1, 1));
        assert_eq!(problems.len(), 2);
        assert!(problems[0].starts_with("a: ") && problems[1].starts_with("b: "));
    }

    #[test]
    fn limits_are_read_as_they_are_written() {
        let limits = of("crates/a", 8, 5);
        assert_eq!(toml::from_str::<Table>(&written(&limits)).unwrap(), limits);
    }

    #[test]
    fn limits_fall_and_never_rise() {
        assert_eq!(lowered(&of("a", 8, 5), &of("a", 9, 4)), of("a", 8, 4));
        assert_eq!(lowered(&of("a", 8, 5), &of("b", 1, 1)), of("a", 8, 5));
    }
}

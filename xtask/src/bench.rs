//! Speed: ours, that of other tools and the machine's own, on the same work in one run.
//!
//! Data and other tools are made once, under `target/bench`. Every figure is a median of several runs, in which all
//! contenders take turns. A model that is wrong about too many rows fails the bench. A whole run writes the
//! figures into docs/performance.md, between two marks, and into the file of its processor in record/; with `--quick` (a
//! tenth of the rows, one round) or with names of works nothing is written. Nor is it if a goal is missed that the last run
//! on this kind of processor reached, unless `--accept-losses` is given.

use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

mod data;
mod growth;
mod machine;
mod measure;
mod memory;
mod page;
mod peers;
mod picture;
mod python;
mod record;
mod row;
mod works;

pub(crate) use measure::measure;

use data::Data;
use peers::Peers;
use row::Row;

/// A tenth of the rows, one round.
const QUICK: &str = "--quick";

/// Goals may be missed that the last run reached.
const ACCEPT: &str = "--accept-losses";

/// The word by which the bench calls itself to measure a child.
pub(crate) const MEASURE: &str = "bench-measure";

type Failure = Box<dyn std::error::Error>;

/// All that a work needs.
struct Bench {
    root: PathBuf,
    data: Data,
    peers: Peers,
    /// The released command.
    command: PathBuf,
    /// How often each contender runs.
    rounds: usize,
}

/// A name, and what is measured.
type Work = (&'static str, fn(&Bench) -> Result<Vec<Row>, Failure>);

const WORKS: [Work; 11] = [
    ("text", works::text),
    ("table", works::table),
    ("forms", works::forms),
    ("wide", memory::wide),
    ("long", memory::long),
    ("sparse", memory::sparse),
    ("separable", memory::separable),
    ("kernel", memory::kernel),
    ("python", python::rows),
    ("cold", works::cold),
    ("growth", growth::rows),
];

/// Runs the works named, or all.
pub(crate) fn run(words: &[&str], root: &Path) -> ExitCode {
    let (flags, names): (Vec<&str>, Vec<&str>) =
        words.iter().partition(|word| word.starts_with('-'));
    let known = |name: &&&str| WORKS.iter().any(|(work, _)| work == *name);
    if flags.iter().any(|flag| ![QUICK, ACCEPT].contains(flag))
        || names.iter().any(|name| !known(&name))
    {
        let all: Vec<&str> = WORKS.iter().map(|(name, _)| *name).collect();
        eprintln!(
            "usage: cargo xtask bench [{QUICK}] [{ACCEPT}] [NAME…], with names of: {}",
            all.join(" ")
        );
        return ExitCode::from(2);
    }
    match measured(&names, &flags, root) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether the models are sound and no goal is lost.
fn measured(names: &[&str], flags: &[&str], root: &Path) -> Result<bool, Failure> {
    let quick = flags.contains(&QUICK);
    let bench = Bench::prepare(root, quick)?;
    let limits = machine::Limits::measure(&bench)?;
    let mut rows = Vec::new();
    for (name, work) in WORKS.iter().filter(|(name, _)| names.is_empty() || names.contains(name)) {
        println!("\n== {name}");
        let new = work(&bench)?;
        println!("{}", page::figures(&new));
        println!("{}", page::goals(&new));
        rows.extend(new);
    }
    let complaints: Vec<String> = rows.iter().flat_map(Row::complaints).collect();
    complaints.iter().for_each(|complaint| eprintln!("nonsense: {complaint}"));
    if quick || !names.is_empty() {
        println!("a part of the bench, or a quick one: nothing is written");
    } else if complaints.is_empty() {
        let machine = machine::Machine::here(&bench);
        let lost = record::lost(root, &machine, &rows)?;
        lost.iter().for_each(|goal| eprintln!("lost: {goal}"));
        if !(lost.is_empty() || flags.contains(&ACCEPT)) {
            eprintln!("nothing is written; with {ACCEPT} these figures become the record");
            return Ok(false);
        }
        record::write(root, &machine, &limits, &rows)?;
        page::write(root, &machine, &limits, &rows)?;
        picture::write(root, &rows)?;
        println!(
            "written to docs/performance.md, docs/images/growth.svg and {}",
            record::file(&machine)
        );
    }
    Ok(complaints.is_empty())
}

impl Bench {
    /// The largest share of wrong rows that is no nonsense: of a part of the data less is learned.
    fn worst(&self, share: f64) -> Option<f64> {
        Some(if self.data.smaller > 1 { share.max(0.45) } else { share })
    }

    /// So many rows, or the part of them that there is, as text.
    fn rows(&self, rows: usize) -> String {
        page::thousands(rows / self.data.smaller)
    }

    /// Builds ours, makes the data, installs the others.
    fn prepare(root: &Path, quick: bool) -> Result<Self, Failure> {
        let of_target = std::env::current_exe()?;
        let target = of_target.parent().and_then(Path::parent).ok_or("no folder for the build")?;
        cargo(root, &["build", "--release", "--package", "rosenblatt-cli"])?;
        cargo(root, &["bench", "--no-run", "--package", "rosenblatt", "--bench", "epochs"])?;
        let folder = if quick { "target/bench/data-quick" } else { "target/bench/data" };
        let data = Data { folder: root.join(folder), smaller: if quick { 10 } else { 1 } };
        data.make()?;
        Ok(Bench {
            root: root.to_owned(),
            data,
            peers: Peers::install(root),
            command: target.join("release/rosenblatt"),
            rounds: if quick { 1 } else { 5 },
        })
    }
}

fn cargo(root: &Path, words: &[&str]) -> Result<(), Failure> {
    let status = Command::new(super::cargo_path()).current_dir(root).args(words).status()?;
    if status.success() { Ok(()) } else { Err(format!("cargo {} failed", words[0]).into()) }
}

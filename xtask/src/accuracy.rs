//! The accuracy and the CPU time of the command on real tables, beside other linear learners: `docs/accuracy.md`.
//!
//! Python programs run the command and the other learners, because these are Python's: one for the defaults of the
//! command, one for its other rules.

use std::{fs, path::Path, process::Command};

use serde::Deserialize;

use crate::{cargo_path, data_folder, python, root};

/// A program that measures, and the table of its results on the page.
struct Measurement {
    program: &'static str,
    /// The marks around the table.
    marks: [&'static str; 2],
    table: fn(&[Measured]) -> String,
}

const DEFAULTS: Measurement = Measurement {
    program: "xtask/src/accuracy/measure.py",
    marks: ["<!-- measured -->\n", "<!-- end -->\n"],
    table: defaults_table,
};
const MEMBERS: Measurement = Measurement {
    program: "xtask/src/accuracy/members.py",
    marks: ["<!-- members -->\n", "<!-- end of members -->\n"],
    table: members_tables,
};

/// The package of Vowpal Wabbit, which only these programs need.
const VOWPAL_WABBIT: &str = "vowpalwabbit==9.11.9";

/// The results for one set, as the program prints them.
#[derive(Deserialize)]
struct Measured {
    set: String,
    rows: u64,
    features: u64,
    /// Accuracy in per cent, CPU seconds of training and the number of epochs, of each way in its order.
    results: Vec<(String, f64, f64, f64)>,
}

/// Measures all sets, or those that are named, and writes the page for all. With `members` first, it measures the other
/// rules instead of the defaults.
pub(crate) fn run(words: &[&str]) -> Result<(), String> {
    let (measurement, names) = match words {
        ["members", names @ ..] => (MEMBERS, names),
        names => (DEFAULTS, names),
    };
    let built = Command::new(cargo_path())
        .args(["build", "--release", "--package", "rosenblatt-cli"])
        .current_dir(root())
        .status();
    if !built.is_ok_and(|status| status.success()) {
        return Err("the command cannot be built".to_owned());
    }
    let python = python::ready().ok_or("there is no environment with scikit-learn")?;
    let install = ["-m", "pip", "install", "--quiet", VOWPAL_WABBIT];
    let data = data_folder().ok_or("ROSENBLATT_DATA names no folder with the data sets")?;
    let binary = root().join("target/release/rosenblatt");
    output(Command::new(&python).args(install))?;
    let mut measure = Command::new(&python);
    measure.arg(measurement.program).arg(binary).arg(data).args(names).current_dir(root());
    measure.env("OMP_NUM_THREADS", "1"); // Threads that wait for one another take CPU time, too.
    let lines = output(&mut measure)?;
    let measured = lines.lines().map(serde_json::from_str);
    let measured: Vec<Measured> =
        measured.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    let table = (measurement.table)(&measured);
    print!("{table}");
    if names.is_empty() {
        let page = root().join("docs/accuracy.md");
        write(&page, measurement.marks, &table).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Runs a command; its output, or what it says of its failure.
fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

/// A table for each group of sets that were learned in the same ways: a column for each set, a row for each way.
fn members_tables(measured: &[Measured]) -> String {
    let ways = |set: &Measured| set.results.iter().map(|it| it.0.clone()).collect::<Vec<_>>();
    let tables = measured.chunk_by(|one, next| ways(one) == ways(next)).map(members_table);
    tables.collect::<Vec<_>>().join("\n")
}

fn members_table(sets: &[Measured]) -> String {
    let heads = sets.iter().map(|it| format!(" {}, {} × {} |", it.set, it.rows, it.features));
    let mut text =
        format!("| |{}\n|---|{}\n", heads.collect::<String>(), "---|".repeat(sets.len()));
    for (way, (name, ..)) in sets[0].results.iter().enumerate() {
        let cells = sets.iter().map(|set| {
            let (_, accuracy, seconds, _) = set.results[way];
            format!(" {accuracy:.2} ({seconds:.3} s) |")
        });
        text += &format!("| {name} |{}\n", cells.collect::<String>());
    }
    text
}

/// A row for each set: of each way the accuracy and the CPU seconds.
fn defaults_table(measured: &[Measured]) -> String {
    let Some(first) = measured.first() else { return String::new() };
    let ways = first.results.iter().map(|(way, ..)| way.as_str()).collect::<Vec<_>>();
    let mut text = format!("| set | {} |\n|---|{}\n", ways.join(" | "), "---|".repeat(ways.len()));
    for Measured { set, rows, features, results } in measured {
        let cells = results.iter().map(|(_, accuracy, seconds, epochs)| {
            let epochs =
                if *epochs > 0.0 { format!(", {epochs:.0} epochs") } else { String::new() };
            format!("{accuracy:.2} ({seconds:.3} s{epochs})")
        });
        let cells = cells.collect::<Vec<_>>().join(" | ");
        text += &format!("| {set}, {rows} × {features} | {cells} |\n");
    }
    let n = measured.len() as f64;
    let mean = |way: usize| {
        let of = |part: fn(&(String, f64, f64, f64)) -> f64| {
            measured.iter().map(|set| part(&set.results[way])).sum::<f64>()
        };
        format!("{:.2} ({:.3} s)", of(|it| it.1) / n, of(|it| it.2))
    };
    let near = |way: usize| {
        let is_near = |set: &&Measured| {
            let best = set.results[1..].iter().map(|it| it.1).fold(0.0, f64::max);
            set.results[way].1 >= best - 1.0
        };
        format!("{} of {n}", measured.iter().filter(is_near).count())
    };
    let row =
        |of: &dyn Fn(usize) -> String| (0..ways.len()).map(of).collect::<Vec<_>>().join(" | ");
    text += &format!("| mean accuracy, sum of seconds | {} |\n", row(&mean));
    text + &format!(
        "| sets within a point of the best of the last {} | {} |\n",
        ways.len() - 1,
        row(&near)
    )
}

/// Replaces a table of the page, which stands between its two marks.
fn write(page: &Path, marks: [&str; 2], table: &str) -> std::io::Result<()> {
    let text = fs::read_to_string(page)?;
    let parts = text.split_once(marks[0]).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(marks[1])?;
        Some(format!("{before}{}{table}{}{after}", marks[0], marks[1]))
    });
    fs::write(page, parts.unwrap_or(text))
}

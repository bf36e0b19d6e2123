//! The accuracy and the CPU time of the command's defaults on real tables, beside other linear learners:
//! `docs/accuracy.md`.
//!
//! A Python program ([`MEASURE`]) runs the command and the other learners, because these are Python's.

use std::{fs, path::Path, process::Command};

use serde::Deserialize;

use crate::{cargo_path, data_folder, python, root};

/// The program that measures.
const MEASURE: &str = "xtask/src/accuracy/measure.py";

/// The results for one set, as the program prints them.
#[derive(Deserialize)]
struct Measured {
    set: String,
    rows: u64,
    features: u64,
    /// Accuracy in per cent, CPU seconds of training and the number of epochs, of each way in its order.
    results: Vec<(String, f64, f64, f64)>,
}

/// Measures all sets, or those that are named, and writes the page for all.
pub(crate) fn run(names: &[&str]) -> Result<(), String> {
    let built = Command::new(cargo_path())
        .args(["build", "--release", "--package", "rosenblatt-cli"])
        .current_dir(root())
        .status();
    if !built.is_ok_and(|status| status.success()) {
        return Err("the command cannot be built".to_owned());
    }
    let python = python::ready().ok_or("there is no environment with scikit-learn")?;
    let data = data_folder().ok_or("ROSENBLATT_DATA names no folder with the data sets")?;
    let output = Command::new(python)
        .arg(MEASURE)
        .arg(root().join("target/release/rosenblatt"))
        .arg(data)
        .args(names)
        .current_dir(root())
        .output()
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let lines = String::from_utf8_lossy(&output.stdout);
    let measured = lines.lines().map(serde_json::from_str);
    let measured: Vec<Measured> =
        measured.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    let table = table(&measured);
    print!("{table}");
    if names.is_empty() {
        let page = root().join("docs/accuracy.md");
        write(&page, &table).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// A row for each set: of each way the accuracy and the CPU seconds.
fn table(measured: &[Measured]) -> String {
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
    let means = (0..ways.len()).map(mean).collect::<Vec<_>>().join(" | ");
    text + &format!("| mean accuracy, sum of seconds | {means} |\n")
}

/// Replaces the table of the page, which stands between its two marks.
fn write(page: &Path, table: &str) -> std::io::Result<()> {
    const MARKS: [&str; 2] = ["<!-- measured -->\n", "<!-- end -->\n"];
    let text = fs::read_to_string(page)?;
    let parts = text.split_once(MARKS[0]).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(MARKS[1])?;
        Some(format!("{before}{}{table}{}{after}", MARKS[0], MARKS[1]))
    });
    fs::write(page, parts.unwrap_or(text))
}

//! Every command that a hint proposes for a table does what the hint says: it reads the table, and examples are left.
//!
//! `ROSENBLATT_SEARCH=N` draws N damaged tables instead of 60.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use std::{env, fs, process::Command};

use common::{Desk, root};
use serde_json::Value;

/// The whole command in a hint, if it gives one.
fn proposed(stderr: &str) -> Option<&str> {
    let hint = stderr.lines().find_map(|line| line.strip_prefix("hint: "))?;
    let rest = hint.strip_prefix("`rosenblatt ")?;
    Some(&rest[..rest.rfind("` reads")?])
}

/// Runs `train` on a file, and what its hint proposes; returns whether it proposed something.
fn follow(desk: &Desk, file: &str, options: &str, table: &str) -> bool {
    let done = desk.run(&format!("train {file} --epochs 2 {options}"));
    assert!(matches!(done.code, 0 | 2), "{table}\n{}", done.stderr);
    let Some(command) = proposed(&done.stderr).filter(|_| done.code == 2) else { return false };
    let script = format!("'{}' {command} --json -q", env!("CARGO_BIN_EXE_rosenblatt"));
    let followed =
        Command::new("sh").args(["-c", &script]).current_dir(desk.path("")).output().unwrap();
    let stderr = String::from_utf8_lossy(&followed.stderr);
    assert!(followed.status.success(), "{command}\n{stderr}\n{table}");
    let report: Value = serde_json::from_slice(&followed.stdout).unwrap();
    assert!(report["examples"].as_u64().unwrap() > 0, "{command}");
    true
}

/// A small generator of random numbers: the same tables on every machine.
struct Draw(u64);

impl Draw {
    fn below(&mut self, most: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn one<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize].clone()
    }

    fn chance(&mut self, one_in: u64) -> bool {
        self.below(one_in) == 0
    }

    /// The cell of a column of this kind in row `i`.
    fn cell(&mut self, kind: u64, i: u64) -> String {
        match kind {
            0 => self.below(90).to_string(),
            1 => format!("{}.{}", self.below(9), self.below(100)),
            2 => format!("{},{}", self.below(9), self.below(100)),
            3 => format!("2024-0{}-1{}", 1 + self.below(9), self.below(9)),
            4 => self.one(&["red", "nan", "inf", "Paris", "-"]).to_owned(),
            5 => format!("id{i}"),
            6 => i.to_string(),
            7 => format!("{}%", self.below(100)),
            _ => String::new(),
        }
    }

    /// A table as a person might save it, with one or more faults.
    fn table(&mut self) -> String {
        let separator = self.one(&[",", ",", ";", "\t"]);
        let mut kinds: Vec<u64> = (0..2 + self.below(4)).map(|_| self.below(9)).collect();
        kinds.push(0);
        let label = self.below(1 + kinds.len() as u64) as usize;
        let names = ["a", "pid", "len", "wid", "day", "id", "x y", "n"];
        let mut header: Vec<String> =
            kinds.iter().zip(names).map(|(_, name)| name.to_owned()).collect();
        header.insert(label, self.one(&["diagnosis", "class", "kind"]).to_owned());
        match self.below(6) {
            0 => header.push(String::new()),
            1 => header.insert(0, String::new()),
            2 => header.iter_mut().take(1).for_each(String::clear),
            _ => {}
        }
        let (gaps, odd, ragged) = (self.chance(3), self.chance(3), self.chance(3));
        let (ends_with_separator, unlabeled) = (self.chance(8), self.chance(6));
        let mut lines = vec![header.join(separator)];
        if self.chance(8) {
            lines.clear();
        }
        for i in 0..30 + self.below(30) {
            let mut cells: Vec<String> = kinds.iter().map(|&kind| self.cell(kind, i)).collect();
            cells.insert(label, self.one(&["M", "B"]).to_owned());
            if gaps && self.chance(9) {
                let at = self.below(cells.len() as u64) as usize;
                if at != label || unlabeled {
                    cells[at] = self.one(&["", "NA", "unknown"]).to_owned();
                }
            }
            if odd && self.chance(30) {
                let at = self.below(cells.len() as u64) as usize;
                cells[at] = "oops".to_owned();
            }
            if ragged && self.chance(25) {
                cells.pop();
            }
            if ends_with_separator {
                cells.push(String::new());
            }
            lines.push(cells.join(separator));
        }
        lines.join("\n") + "\n"
    }
}

#[test]
fn messy_tables() {
    let tables = root().join("crates/rosenblatt-cli/tests/messy");
    let mut proposals = 0;
    for entry in fs::read_dir(tables).unwrap() {
        let path = entry.unwrap().path();
        let ending = path.extension().unwrap_or_default().to_str().unwrap();
        if ending == "toml" || ending == "md" {
            continue;
        }
        let desk = Desk::new();
        let file = format!("data.{ending}");
        desk.write(&file, fs::read(&path).unwrap());
        for options in ["", "--on-error skip"] {
            proposals += usize::from(follow(&desk, &file, options, &path.display().to_string()));
        }
    }
    assert!(proposals > 2, "{proposals}");
}

#[test]
fn damaged_tables() {
    let cases = env::var("ROSENBLATT_SEARCH").map_or(60, |cases| cases.parse().unwrap());
    let (mut draw, mut proposals) = (Draw(34), 0);
    for _ in 0..cases {
        let table = draw.table();
        let desk = Desk::with(&[("data.csv", &table)]);
        proposals += usize::from(follow(&desk, "data.csv", "", &table));
    }
    assert!(proposals > cases / 20, "{proposals} of {cases}");
}

/// Where no row has as many cells as the header, no row would be left.
#[test]
fn a_header_of_another_length() {
    let rows: String =
        (0..6).map(|i| format!("p{i},{},{i},{}\n", ["B", "M"][i % 2], 7 * i % 5)).collect();
    let refused = |header: &str, which: &str, place: &str| {
        let desk = Desk::with(&[("data.csv", &format!("{header}\n{rows}"))]);
        let error = format!(
            "error: data.csv:1:1: the first row has 5 cells{which}, but line 2 has 4\nhint: {place}"
        );
        let done = desk.run("train data.csv");
        assert!(done.stderr.starts_with(&error), "{}", done.stderr);
        assert!(!done.stderr.contains("reads this table"), "{}", done.stderr);
    };
    let remove = "remove the empty cell at the beginning of the first row\n";
    refused(",pid,diagnosis,len,wid", ", the first one empty", remove);
    refused("pid,diagnosis,len,wid,rest", "", "the first row names each column");
}

/// A file is looked through to its end before something is said of all of its rows.
#[test]
fn what_is_said_of_a_column_is_true_of_the_whole_file() {
    let pad = "x".repeat(40);
    let row =
        |i: usize, extra: &str, town: &str| format!("{},{town}{pad},{extra},{}\n", i % 9, i % 2);
    let empty: String = (0..30_000).map(|i| row(i, "", "a")).collect();
    let filled: String = (0..10_000).map(|i| row(i, &(i % 7).to_string(), "b")).collect();
    let table = format!("n,town,extra,y\n{empty}{filled}");
    let desk = Desk::with(&[("data.csv", &table)]);
    let said = desk.run("train data.csv --epochs 2").stderr;
    assert_eq!(said, "note: filled 30,000 missing cells of `extra` with the median\n");
    // A stream is not read twice: what its first rows show is said of them.
    let done = desk.run_with_input("train - --epochs 1", table.as_bytes());
    let note = "note: left out `extra`: every cell is missing in the first ";
    assert!(done.stderr.contains(note), "{}", done.stderr);

    // A column that numbers the first rows, and not the others.
    let rows: String =
        (0..60_000).map(|i| format!("{},{pad},{}\n", i.min(50_000), i % 2)).collect();
    let table = format!("row,town,y\n{rows}");
    desk.write("data.csv", table.as_bytes());
    let done = desk.run("train data.csv --epochs 1");
    assert!(!done.stderr.contains("row"), "{}", done.stderr);
    let done = desk.run_with_input("train - --epochs 1", table.as_bytes());
    let note =
        "note: left out `row`: identifiers of rows, or of what they are about in the first 2";
    assert!(done.stderr.contains(note), "{}", done.stderr);
}

/// Words for missing values and for numbers that are not finite are categories in a column of text.
#[test]
fn words_for_numbers_in_a_column_of_text() {
    let towns = ["Rome", "nan", "Nan", "inf", "-Infinity", "NA"];
    let rows: String = (0..48).map(|i| format!("{},{},{}\n", i % 5, towns[i % 6], i % 2)).collect();
    let desk = Desk::with(&[("data.csv", &format!("n,town,y\n{rows}"))]);
    assert_eq!(desk.report("train data.csv --epochs 2")["features"], 7);
    let rows: String = (0..48)
        .map(|i| {
            format!(
                "{},{},{}\n",
                i % 5,
                if i == 7 { "inf".to_owned() } else { i.to_string() },
                i % 2
            )
        })
        .collect();
    desk.write("data.csv", format!("n,town,y\n{rows}"));
    let done = desk.run("train data.csv");
    assert!(
        done.stderr.starts_with("error: data.csv:9:3: `inf` in column `town` is not a finite"),
        "{}",
        done.stderr
    );
}

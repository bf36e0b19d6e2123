//! The answers of `separable` about the numbers as written, held against exact arithmetic.

use serde_json::Value;

use crate::{
    circuits::{Circuits, Vector, members, rank},
    common::Desk,
    draw::Table,
};

/// The names of the columns, the constant last as in the vectors.
const NAMES: [&str; 3] = ["a", "b", "c"];

/// Checks the three decisions, with a bias and without one.
pub(crate) fn check(desk: &Desk, table: &Table) -> Result<(), String> {
    for (bias, with_bias) in [("unit", true), ("none", false)] {
        let positive = table.labels.iter().max().unwrap();
        let vectors = table.vectors(positive, with_bias);
        let circuits = Circuits::of(&vectors);
        let answer = |options: &str| -> Value {
            let done = desk.run(&format!("separable d.csv --json --bias {bias}{options}"));
            serde_json::from_str(&done.stdout).unwrap_or_else(|_| panic!("{}", done.stderr))
        };
        let truth = Truth::of(&vectors, &circuits, with_bias);
        let (found, report) = (answer(""), desk.run(&format!("separable d.csv --bias {bias}")));
        truth.statement(&found).map_err(|problem| format!("separable, bias {bias}: {problem}"))?;
        for line in report.stdout.lines() {
            let failed = |problem| format!("separable, bias {bias}: {problem} in {line}");
            truth.sentence(line, &found).map_err(failed)?;
        }
        let least = circuits.least_errors();
        let found = answer(" --least-errors");
        let (lower, upper) = (&found["least_errors"]["lower"], &found["least_errors"]["upper"]);
        if !(lower.as_u64() <= Some(least.into()) && Some(u64::from(least)) <= upper.as_u64()) {
            return Err(format!("least errors, bias {bias}: {found}, not {least}"));
        }
        let found = answer(" --weak");
        truth.case(&found).map_err(|problem| format!("--weak, bias {bias}: {problem}"))?;
        same("rank", &found["rank"], &truth.rank.into())?;
        same("rank_on_hyperplane", &found["rank_on_hyperplane"], &truth.face_rank.into())?;
    }
    Ok(())
}

/// The true answers about some vectors.
struct Truth<'a> {
    vectors: &'a [Vector],
    with_bias: bool,
    is_separable: bool,
    face: u32,
    rank: usize,
    face_rank: usize,
}

impl<'a> Truth<'a> {
    fn of(vectors: &'a [Vector], circuits: &Circuits, with_bias: bool) -> Self {
        let face = circuits.face();
        let on_it: Vec<_> = members(face).map(|row| vectors[row].clone()).collect();
        let face_rank = if on_it.is_empty() { 0 } else { rank(&on_it) };
        let (is_separable, rank) = (circuits.is_separable(), rank(vectors));
        Truth { vectors, with_bias, is_separable, face, rank, face_rank }
    }

    fn case_name(&self) -> &'static str {
        match self.face.count_ones() as usize {
            0 => "complete",
            all if all == self.vectors.len() => "overlap",
            _ => "quasi-complete",
        }
    }

    /// The answer of `separable --json`.
    fn statement(&self, found: &Value) -> Result<(), String> {
        let expected = if self.is_separable { "yes" } else { "no" };
        same("separable", &found["separable"], &expected.into())?;
        self.case(found)
    }

    /// The case, and a direction with these signs that has no row on the wrong side and only the face on the hyperplane.
    fn case(&self, found: &Value) -> Result<(), String> {
        same("separation", &found["separation"], &self.case_name().into())?;
        same("on_hyperplane", &found["on_hyperplane"], &self.face.count_ones().into())?;
        same("unique", &found["unique"], &(self.rank == self.face_rank + 1).into())?;
        let diverging: Vec<(usize, i128)> =
            serde_json::from_value(found["diverging"].clone()).unwrap();
        same("diverging", &diverging.is_empty().into(), &(self.case_name() == "overlap").into())?;
        // The constant is column 0 there and last here. Columns with another sign have the weight 0.
        let place = |k: usize| if k == 0 { self.vectors[0].len() } else { k } - 1;
        let row = |vector: &Vector| -> Vector {
            diverging.iter().map(|&(k, sign)| sign * vector[place(k)]).collect()
        };
        let unit = |k| (0..diverging.len()).map(|j| i128::from(j == k)).collect();
        let all: Vec<Vector> =
            self.vectors.iter().map(row).chain((0..diverging.len()).map(unit)).collect();
        let is_strict = |row: usize| row >= self.vectors.len() || self.face >> row & 1 == 0;
        if !diverging.is_empty() && !Circuits::of(&all).is_half_open(is_strict) {
            return Err(format!("no direction has the signs {diverging:?}"));
        }
        Ok(())
    }

    /// A line of the report, which has the title in its first columns.
    fn sentence(&self, line: &str, json: &Value) -> Result<(), String> {
        let case = self.case_name();
        let (title, sentence) = line.split_once("  ").unwrap();
        let sentence = sentence.trim_start();
        let begins = |with: &str| holds(sentence.starts_with(with));
        let rows = self.vectors.len() as u64;
        match title {
            "data" | "classes" => Ok(()),
            "answer" => begins(if self.is_separable { "yes: " } else { "no: " }),
            "margin" | "radius" | "Novikoff" | "guarantee" => holds(self.is_separable),
            "proof" => self.proof(sentence),
            "case" if case == "complete" => {
                begins("complete, or perfect separation: ")?;
                holds(sentence.ends_with("diverge"))
            }
            "case" => {
                begins(case)?;
                holds(
                    sentence.contains("through the origin") != self.with_bias || case == "complete",
                )?;
                let is_full = self.rank == self.vectors[0].len();
                holds(
                    sentence.contains("that does not contain all")
                        != (is_full || case != "overlap"),
                )?;
                let on = u64::from(self.face.count_ones());
                holds(case != "quasi-complete" || sentence.contains(&format!(" but {on} example")))
            }
            "meaning" => {
                let others = rows - u64::from(self.face.count_ones());
                begins(&match case {
                    "overlap" => "no perfect separation: ".to_owned(),
                    _ => format!("perfect separation of the other {others} example"),
                })?;
                holds(sentence.ends_with("diverge") != sentence.ends_with("finite"))?;
                holds(sentence.ends_with("diverge") == (case != "overlap"))
            }
            "direction" => {
                let name = |pair: &Value| {
                    let k = pair[0].as_u64().unwrap() as usize;
                    let name = if k == 0 { "bias" } else { NAMES[k - 1] };
                    let to = if pair[1] == 1 { "+∞" } else { "−∞" };
                    format!("{name} → {to}")
                };
                let all: Vec<String> =
                    json["diverging"].as_array().unwrap().iter().map(name).collect();
                holds(sentence == all.join(", "))
            }
            "floats" => holds(json["separable_in_floats"].is_string()),
            "" if sentence.ends_with("`--weak` has the proof") => {
                let is_only = self.rank == self.face_rank + 1;
                begins(if is_only { "no other direction; " } else { "one of several directions; " })
            }
            "" => holds(self.is_separable),
            _ => Err("a sentence without a check".to_owned()),
        }
    }

    /// The multipliers of a proof of *no*, which are all shown for so few rows.
    fn proof(&self, sentence: &str) -> Result<(), String> {
        let Some((_, lists)) = sentence.split_once("λ = ") else { return holds(false) };
        let Some((multipliers, rows)) = lists.split_once(" for the example") else {
            return holds(false);
        };
        let numbers = |list: &str| -> Vec<i128> {
            list.trim_start_matches('s').split(", ").map(|n| n.trim().parse().unwrap()).collect()
        };
        if multipliers.starts_with("numbers") {
            return Ok(());
        }
        let (multipliers, rows) = (numbers(multipliers), numbers(rows));
        let sum = |column: usize| -> i128 {
            let pairs = multipliers.iter().zip(&rows);
            pairs.map(|(part, row)| part * self.vectors[*row as usize - 1][column]).sum()
        };
        let width = self.vectors[0].len();
        holds(multipliers.len() == rows.len() && (0..width).all(|column| sum(column) == 0))
    }
}

fn holds(condition: bool) -> Result<(), String> {
    if condition { Ok(()) } else { Err("it does not hold".to_owned()) }
}

fn same(what: &str, found: &Value, expected: &Value) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found}, not {expected}")) }
}

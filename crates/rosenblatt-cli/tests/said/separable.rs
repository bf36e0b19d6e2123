//! The answers of `separable` about the numbers as written, held against exact arithmetic.

use serde_json::Value;

use crate::{
    circuits::{Circuits, members, rank},
    common::Desk,
    draw::Table,
};

/// Checks the three decisions, with a bias and without one.
pub(crate) fn check(desk: &Desk, table: &Table) -> Result<(), String> {
    for (bias, with_bias) in [("unit", true), ("none", false)] {
        let vectors = table.vectors(table.labels[0], with_bias);
        let circuits = Circuits::of(&vectors);
        let answer = |options: &str| -> Value {
            let done = desk.run(&format!("separable d.csv --json --bias {bias}{options}"));
            serde_json::from_str(&done.stdout).unwrap_or_else(|_| panic!("{}", done.stderr))
        };
        let expected = if circuits.is_separable() { "yes" } else { "no" };
        let found = answer("");
        same(&format!("separable, bias {bias}"), &found["separable"], &expected.into())?;
        let least = circuits.least_errors();
        let found = answer(" --least-errors");
        let (lower, upper) = (&found["least_errors"]["lower"], &found["least_errors"]["upper"]);
        if !(lower.as_u64() <= Some(least.into()) && Some(u64::from(least)) <= upper.as_u64()) {
            return Err(format!("least errors, bias {bias}: {found}, not {least}"));
        }
        if with_bias {
            let found = answer(" --weak");
            let face = circuits.face();
            let case = match face.count_ones() as usize {
                0 => "complete",
                all if all == vectors.len() => "overlap",
                _ => "quasi-complete",
            };
            same("separation", &found["separation"], &case.into())?;
            same("on_hyperplane", &found["on_hyperplane"], &face.count_ones().into())?;
            same("rank", &found["rank"], &rank(&vectors).into())?;
            let on_it: Vec<_> = members(face).map(|row| vectors[row].clone()).collect();
            let expected = if on_it.is_empty() { 0 } else { rank(&on_it) };
            same("rank_on_hyperplane", &found["rank_on_hyperplane"], &expected.into())?;
        }
    }
    Ok(())
}

fn same(what: &str, found: &Value, expected: &Value) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found}, not {expected}")) }
}

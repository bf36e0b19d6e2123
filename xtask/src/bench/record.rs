//! The raw figures of a run, in one file for each kind of processor.

use std::{fs, io::ErrorKind, path::Path};

use serde_json::{Value, json};

use super::{
    Failure,
    machine::{Limits, Machine},
    row::Row,
};

/// The file with the figures of this kind of processor, below the root of the project.
pub(super) fn file(machine: &Machine) -> String {
    let words = machine.processor.to_ascii_lowercase();
    let words = words.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    format!("record/{}.json", words.collect::<Vec<_>>().join("-"))
}

/// The goals that the last run on this kind of processor reached and these figures miss, in words.
///
/// # Errors
/// If there is a file of the last run and it cannot be read.
pub(super) fn lost(root: &Path, machine: &Machine, rows: &[Row]) -> Result<Vec<String>, Failure> {
    let text = match fs::read_to_string(root.join(file(machine))) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    Ok(lost_since(&serde_json::from_str(&text)?, rows))
}

fn lost_since(last: &Value, rows: &[Row]) -> Vec<String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let was_reached = |row: &Row, text: &str| {
        let of_row = list(&last["rows"]).into_iter().filter(|old| old["id"] == row.id.as_str());
        of_row
            .flat_map(|old| list(&old["goals"]))
            .any(|old| old["goal"] == text && old["reached"] == true)
    };
    let mut lost = Vec::new();
    for row in rows {
        let missed = row.goals.iter().filter(|goal| goal.reached() == Some(false));
        let missed = missed.filter(|goal| was_reached(row, &goal.text));
        lost.extend(missed.map(|goal| {
            let value = goal.value.unwrap_or(f64::NAN);
            format!("{}: {}: now {value:.3} {}", row.work, goal.text, goal.unit)
        }));
    }
    lost
}

pub(super) fn write(
    root: &Path,
    machine: &Machine,
    limits: &Limits,
    rows: &[Row],
) -> Result<(), Failure> {
    let rows: Vec<Value> = rows.iter().map(Row::json).collect();
    let record = json!({
        "date": machine.date, "machine": machine.json(), "limits": limits.json(), "rows": rows,
    });
    fs::create_dir_all(root.join("record"))?;
    let text = serde_json::to_string_pretty(&record)? + "\n";
    Ok(fs::write(root.join(file(machine)), text)?)
}

#[cfg(test)]
mod tests {
    use super::{super::row::Goal, *};

    #[test]
    fn a_goal_is_lost_only_if_it_was_reached() {
        let row = |values: [Option<f64>; 3]| {
            let goal = |(text, value): (&str, Option<f64>)| Goal::at_most(2.0, "×", text, value);
            let goals = ["one", "two", "three"].into_iter().zip(values).map(goal).collect();
            Row { id: "work".to_owned(), work: "The work".to_owned(), goals, ..Row::default() }
        };
        let last = json!({"rows": [row([Some(1.0), Some(3.0), Some(2.0)]).json()]});
        assert!(lost_since(&last, &[row([Some(2.0), Some(4.0), None])]).is_empty());
        let lost = lost_since(&last, &[row([Some(2.5), Some(4.0), Some(1.0)])]);
        assert_eq!(lost, ["The work: one: now 2.500 ×"]);
        let other = Row { id: "other".to_owned(), ..row([Some(2.5); 3]) };
        assert!(lost_since(&last, &[other]).is_empty());
    }
}

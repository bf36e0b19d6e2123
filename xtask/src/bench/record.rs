//! The raw figures of a run, in a file of its day.

use std::{fs, path::Path};

use serde_json::{Value, json};

use super::{
    Failure,
    machine::{Limits, Machine},
    row::Row,
};

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
    let folder = root.join("record");
    fs::create_dir_all(&folder)?;
    let text = serde_json::to_string_pretty(&record)? + "\n";
    Ok(fs::write(folder.join(format!("{}.json", machine.date)), text)?)
}

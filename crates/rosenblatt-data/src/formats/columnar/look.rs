//! What the cells of a file of columns are, counted as those of text are.

use arrow_schema::Schema;

use super::{
    cells::{Names, each_number, is_missing, is_number, is_text},
    error::ColumnarProblem,
    input::OpenFile,
};
use crate::{
    fault::Problem,
    options::ReadOptions,
    read_error::ReadError,
    table::{
        missing::MissingSpellings,
        survey::{Counting, Survey},
    },
};

/// The counts of all cells of a file. Columns of other types than numbers and text have none.
pub(super) fn survey(
    file: &str,
    input: OpenFile,
    options: &ReadOptions,
) -> Result<Survey, ReadError> {
    const ROWS: usize = 1 << 14;
    let fields = input.schema();
    let readable: Vec<usize> =
        (0..fields.fields().len()).filter(|&column| is_readable(&fields, column)).collect();
    let missing = MissingSpellings { chosen: options.missing_values.clone() };
    let form = options.number_form();
    let counting = Counting::new(&form, &missing);
    let mut survey = Survey::new(fields.fields().len());
    let rows = (ROWS / readable.len().max(1)).max(1 << 8);
    let damaged = |rows, message| ColumnarProblem::Damaged { rows, message }.of(file);
    let mut batches =
        input.batches(readable.clone(), rows).map_err(|message| damaged(0, message))?;
    while let Some(batch) = batches.next() {
        let batch = batch.map_err(|message| damaged(survey.rows, message))?;
        for (array, &column) in batch.columns().iter().zip(&readable) {
            let before = survey.rows;
            if is_text(array.data_type()) {
                let names = Names::of(array);
                for row in 0..batch.num_rows() {
                    let cell = names.get(row).unwrap_or_default().as_bytes();
                    survey.add_cell(before + row as u64, column, cell, &counting);
                }
                continue;
            }
            each_number(array, "", |row, number| {
                let row = before + row as u64;
                match number {
                    Ok(number) => survey.add_number(row, column, number),
                    Err(problem) if is_missing(&problem) => survey.add_absent(row, column, 1),
                    Err(Problem::NotExact { text, .. }) => {
                        survey.add_cell(row, column, text.to_string().as_bytes(), &counting);
                    }
                    // It is refused with its place where it is read.
                    Err(_) => survey.add_number(row, column, 0.0),
                }
            });
        }
        survey.rows += batch.num_rows() as u64;
    }
    Ok(survey)
}

/// Whether something can be learned from values of this column's type.
pub(super) fn is_readable(fields: &Schema, column: usize) -> bool {
    let data_type = fields.field(column).data_type();
    is_number(data_type) || is_text(data_type)
}

/// The columns that name the rows, as pandas says in the metadata of a file.
pub(super) fn row_names(fields: &Schema) -> Vec<String> {
    let metadata = fields.metadata().get("pandas");
    let parsed = metadata.and_then(|text| serde_json::from_str::<serde_json::Value>(text).ok());
    let names = parsed.as_ref().and_then(|value| value["index_columns"].as_array());
    // What is no name is a range of numbers, which is no column.
    names.into_iter().flatten().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

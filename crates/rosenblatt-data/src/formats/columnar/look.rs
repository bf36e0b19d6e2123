//! What the cells of a file of columns are, counted as those of text are.

use arrow_array::{Array, ArrayRef};
use arrow_schema::Schema;

use super::{
    cells::{Names, each_number, is_missing, is_number, is_text},
    error::ColumnarProblem,
    input::OpenFile,
};
use crate::{
    fault::Problem,
    input::parallel::in_parallel,
    options::ReadOptions,
    read_error::ReadError,
    table::{
        missing::MissingSpellings,
        survey::{ColumnSurvey, Counting, Survey},
    },
};

/// The counts of all cells of a file. Columns of other types than numbers and text have none.
pub(super) fn survey(
    file: &str,
    input: OpenFile,
    options: &ReadOptions,
) -> Result<Survey, ReadError> {
    /// So many numbers are 2 MiB.
    const CELLS: usize = 1 << 18;
    let fields = input.schema();
    let readable: Vec<usize> =
        (0..fields.fields().len()).filter(|&column| is_readable(&fields, column)).collect();
    let missing = MissingSpellings { chosen: options.missing_values.clone() };
    let form = options.number_form();
    let counting = Counting::new(&form, &missing);
    let mut survey = Survey::new(fields.fields().len());
    let rows = (CELLS / readable.len().max(1)).max(1 << 8);
    let share = readable.len().div_ceil(options.threads.max(1)).max(1);
    let damaged = |rows, message| ColumnarProblem::Damaged { rows, message }.of(file);
    let mut batches =
        input.batches(readable.clone(), rows).map_err(|message| damaged(0, message))?;
    while let Some(batch) = batches.next() {
        let batch = batch.map_err(|message| damaged(survey.rows, message))?;
        let is_readable = |(column, _): &(usize, _)| readable.binary_search(column).is_ok();
        let columns = survey.columns.iter_mut().enumerate().filter(is_readable);
        let mut columns = columns.map(|(_, column)| column).zip(batch.columns());
        let shares = std::iter::from_fn(|| {
            let share: Vec<_> = columns.by_ref().take(share).collect();
            (!share.is_empty()).then_some(share)
        });
        let before = survey.rows;
        in_parallel(shares.collect(), |share| {
            for (column, array) in share {
                add_cells(column, array, before, &counting);
            }
        });
        survey.rows += batch.num_rows() as u64;
    }
    Ok(survey)
}

/// Counts the cells of a column that has `before` rows before them.
fn add_cells(column: &mut ColumnSurvey, array: &ArrayRef, before: u64, counting: &Counting<'_>) {
    if is_text(array.data_type()) {
        let names = Names::of(array);
        for row in 0..array.len() {
            let cell = names.get(row).unwrap_or_default().as_bytes();
            column.add(before + row as u64, cell, counting);
        }
        return;
    }
    each_number(array, "", |row, number| {
        let row = before + row as u64;
        match number {
            Ok(number) => column.add_typed(row, number),
            Err(problem) if is_missing(&problem) => column.add_absent(row, 1),
            Err(Problem::NotExact { text, .. }) => {
                column.add(row, text.to_string().trim_ascii().as_bytes(), counting);
            }
            // It is refused with its place where it is read.
            Err(_) => column.add_typed(row, 0.0),
        }
    });
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

//! The cells of each row that the model knows no category for, or that another value stands in for.

use rosenblatt_data::{
    encode::{CellPlace, Encoded},
    schema::{Inputs, Schema},
};

/// The columns of the cells of one row.
#[derive(Clone, Debug, Default)]
pub(super) struct RowCells {
    /// Those with a category that the model does not know.
    pub(super) unknown: Vec<String>,
    /// Those with a missing cell that another value stands in for.
    pub(super) filled: Vec<String>,
}

/// The cells of each row of a batch.
pub(super) fn by_row(schema: &Schema, encoded: &Encoded) -> Vec<RowCells> {
    let mut rows = vec![RowCells::default(); encoded.rows.len()];
    let Inputs::Columns(columns) = &schema.inputs else { return rows };
    let name = |cell: &CellPlace| columns.features[cell.column].name.clone();
    encoded.unknown.iter().for_each(|cell| rows[cell.row].unknown.push(name(cell)));
    encoded.filled.iter().for_each(|cell| rows[cell.row].filled.push(name(cell)));
    rows
}

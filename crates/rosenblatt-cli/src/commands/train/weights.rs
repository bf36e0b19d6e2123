//! The weights of the rows, for `--weight`.

use rosenblatt_data::Dataset;
use serde::Serialize;

use crate::{
    args::TrainArgs,
    error::CliError,
    text::{name, number},
};

/// The column of the weights, with the least and the largest.
#[derive(Serialize)]
pub(super) struct Weighted {
    column: String,
    least: f64,
    largest: f64,
}

impl Weighted {
    pub(super) fn new(arguments: &TrainArgs, weights: &[f64]) -> Self {
        Weighted {
            column: arguments.weight.clone().unwrap_or_default(),
            least: weights.iter().copied().fold(f64::INFINITY, f64::min),
            largest: weights.iter().copied().fold(0.0, f64::max),
        }
    }

    /// The line of the report.
    pub(super) fn text(&self) -> String {
        let Weighted { column, least, largest } = self;
        format!(
            "rows are weighted by column `{}`: {} to {}",
            name(column),
            number(*least),
            number(*largest)
        )
    }
}

/// The weight of each row, if a column has them.
pub(super) fn of_rows(
    arguments: &TrainArgs,
    dataset: &Dataset,
) -> Result<Option<Vec<f64>>, CliError> {
    let Some(column) = &arguments.weight else { return Ok(None) };
    if dataset.ids.len() != dataset.rows.len() {
        return Err(CliError::usage(
            "the rows exceed `--memory` and were packed, which keeps no weights",
            "raise `--memory`",
        ));
    }
    let weight = |(row, cell): (usize, &String)| {
        let weight =
            cell.trim().parse().ok().filter(|weight: &f64| *weight > 0.0 && weight.is_finite());
        weight.ok_or_else(|| {
            let (file, row) = (&dataset.file, row + 1);
            CliError::usage(
                format!(
                    "{file}: example {row}: `{}` in column `{}` is no weight",
                    name(cell),
                    name(column)
                ),
                "weights are numbers above 0; leave rows of weight 0 out of the file",
            )
        })
    };
    dataset.ids.iter().enumerate().map(weight).collect::<Result<_, _>>().map(Some)
}

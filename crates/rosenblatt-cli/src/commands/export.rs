//! `rosenblatt export`: a model for other programs.

use rosenblatt_data::{ExportFormat, Schema, export, schema::Inputs};

use super::{
    models::load_model,
    notes::NoteLog,
    outputs::{prepare, write},
};
use crate::{args::ExportArgs, error::CliError, output, text::counted};

pub(crate) fn run(arguments: &ExportArgs) -> Result<(), CliError> {
    let shown = || arguments.output.display().to_string();
    let format = ExportFormat::of(&arguments.output).ok_or_else(|| {
        let problem = "cannot tell the format from the name";
        let hint = "use a name that ends in .onnx, .json or .csv";
        CliError::usage(format!("{}: {problem}", shown()), hint)
    })?;
    let format = match (arguments.columns, format) {
        (false, format) => format,
        (true, ExportFormat::Onnx) => ExportFormat::OnnxOfColumns,
        (true, _) => {
            let problem = "--columns is for ONNX graphs";
            let hint = "use a name that ends in .onnx, or leave out `--columns`";
            return Err(CliError::usage(format!("{}: {problem}", shown()), hint));
        }
    };
    prepare("-o", &arguments.output, &[&arguments.model])?;
    let model = load_model(&arguments.model, &NoteLog::with_quiet(false))?;
    let bytes = export(&model, format)
        .map_err(|error| CliError::Export { file: arguments.model.display().to_string(), error })?;
    write(&arguments.output, &bytes)?;
    if let (ExportFormat::Onnx, Some(columns)) = (format, encoded_columns(&model.schema)) {
        let features = counted(model.model.features() as u64, "feature");
        let columns = counted(columns as u64, "column");
        let names = "the metadata of the file has their names";
        let text = format!(
            "the input X has {features}, encoded from {columns}; {names}. `--columns` makes an input of each column"
        );
        output::message("note", &text);
    }
    Ok(())
}

/// The number of feature columns, if some of them are not numbers.
fn encoded_columns(schema: &Schema) -> Option<usize> {
    let Inputs::Columns(columns) = &schema.inputs else { return None };
    let mut columns = columns.features.iter();
    let count = columns.len();
    columns.any(|column| column.categories.is_some() || column.words.is_some()).then_some(count)
}

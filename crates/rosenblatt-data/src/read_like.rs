//! Reading the rows of data by the columns that a model knows.

use rosenblatt_core::data::Rows;

use crate::{
    input::{
        reader::{ReadFile, Reader},
        source::Source,
    },
    note::Note,
    options::ReadOptions,
    read_error::ReadError,
    table::{
        batch::{Batch, Labels},
        encode::Encoder,
        encoded_cells::EncodedCells,
        schema::Schema,
    },
};

/// Rows of the features of a schema that was there before them.
#[derive(Clone, Debug)]
pub struct RowsLike {
    /// The rows, in the order of the data.
    pub rows: Rows<'static>,
    /// The number of the label of each row, and the labels as spelt; `None` where they were not asked for.
    pub labels: Option<(Vec<u32>, Vec<String>)>,
    /// The notes of reading, and those on categories that the schema does not know and on missing cells.
    pub notes: Vec<Note>,
    /// The number of rows that were left out.
    pub skipped: u64,
}

/// Reads all rows of data by a schema: columns are found by their names, or by their positions where the training file had
/// none, and cells become features as in `predict`. With `labels`, each row has one, of any class.
///
/// # Errors
/// [`ReadError`]; [`ReadError::NoLabels`] if labels are asked for and their column is not there.
///
/// ```
/// use rosenblatt_data::{ReadOptions, Source, read, read_like};
/// let options = ReadOptions::default().of_plain_csv();
/// let table = |text: &str| Source::text("table", text);
/// let train = read(table("size,colour,y\n1,red,0\n2,blue,1\n"), &options)?;
/// let test = read_like(table("colour,size\nred,3\ngreen,4\n"), &options, &train.schema, false)?;
/// assert_eq!(train.schema.feature_names(), ["size", "colour=blue", "colour=red"]);
/// assert_eq!(test.rows.stored(), 3); // 3 and red, 4 and nothing: `green` is new
/// assert_eq!(test.notes[0].columns, ["colour"]);
/// # Ok::<(), rosenblatt_data::ReadError>(())
/// ```
pub fn read_like(
    source: Source,
    options: &ReadOptions,
    schema: &Schema,
    labels: bool,
) -> Result<RowsLike, ReadError> {
    let mut reader = match labels {
        true => Reader::for_evaluation(source, options, schema)?,
        false => Reader::for_model(source, options, schema, None)?,
    };
    let mut all: Option<Batch> = None;
    for batch in reader.by_ref() {
        match &mut all {
            None => all = Some(batch?),
            Some(all) => all.join(batch?),
        }
    }
    let ReadFile { file, notes, .. } = reader.into_file();
    let Some(mut all) = all.filter(|all| !all.is_empty()) else {
        let (skipped, first, header) = (notes.skipped, notes.first_skipped, schema.has_header());
        return Err(ReadError::NoExamples { file, skipped, first, header });
    };
    let Labels { codes, dictionary } = std::mem::take(&mut all.labels);
    let encoded = Encoder::new(schema).encode_batch(all);
    let mut cells = EncodedCells::new(schema);
    cells.add(&encoded);
    let skipped = notes.skipped;
    let notes = notes.list(schema).into_iter().chain(cells.notes()).collect();
    let labels = labels.then(|| (codes, dictionary.names().to_vec()));
    Ok(RowsLike { rows: encoded.rows, labels, notes, skipped })
}

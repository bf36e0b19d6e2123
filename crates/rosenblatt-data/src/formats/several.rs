//! Several files as one data set: their rows follow one another, and each file must have the columns of the first.

use std::{
    collections::VecDeque,
    path::{Path, PathBuf},
};

use rosenblatt_core::data::excerpt;

use crate::{
    input::{
        reader::{BatchSource, LeftOut, ReadFile, Reader},
        source::Source,
    },
    read_error::ReadError,
    table::{
        batch::Batch,
        schema::{Column, Columns, Inputs, Schema},
    },
};

type Open = Box<dyn Fn(Source) -> Result<Reader, ReadError> + Send>;

/// Opens a source with `open`, and after its last row each of the files that follow it.
pub(super) fn open_all(
    mut source: Source,
    open: impl Fn(Source) -> Result<Reader, ReadError> + Send + 'static,
) -> Result<Reader, ReadError> {
    let more = std::mem::take(&mut source.more);
    if more.is_empty() {
        return open(source);
    }
    for path in &more {
        Source::check_exists(path)?;
    }
    let mut first = open(source)?;
    check_not_packed(&mut first)?;
    let ReadFile { file, schema, notes } = first.file_without_rows();
    let files = match more.len() {
        1 => "1 more file".to_owned(),
        count => format!("{count} more files"),
    };
    let rows =
        Several { first: file.clone(), current: first, more: more.into(), open: Box::new(open) };
    let file = format!("{file} and {files}");
    Ok(Reader::new(ReadFile { file, schema, notes }, Box::new(rows)))
}

/// The rows of several files.
struct Several {
    /// The name of the first file.
    first: String,
    current: Reader,
    more: VecDeque<PathBuf>,
    open: Open,
}

impl BatchSource for Several {
    fn next_batch(&mut self) -> Option<Result<(Batch, LeftOut), ReadError>> {
        loop {
            if let Some(batch) = self.current.next_with_left_out() {
                return Some(batch);
            }
            let path = self.more.pop_front()?;
            match self.opened(&path) {
                Ok(next) => self.current = next,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl Several {
    fn opened(&self, path: &Path) -> Result<Reader, ReadError> {
        let mut next = (self.open)(Source::open(path)?)?;
        check_not_packed(&mut next)?;
        match difference(self.current.schema(), next.schema()) {
            None => Ok(next),
            Some(difference) => {
                let (file, first) = (next.file().to_owned(), self.first.clone());
                Err(ReadError::OtherColumns { file, first, difference })
            }
        }
    }
}

/// A mapped file is a data set of its own.
fn check_not_packed(reader: &mut Reader) -> Result<(), ReadError> {
    match reader.take_seal() {
        None => Ok(()),
        Some(_) => Err(ReadError::PackedOfSeveral { file: reader.file().to_owned() }),
    }
}

/// The first difference between how two files become features, in words.
fn difference(first: &Schema, other: &Schema) -> Option<String> {
    match (&first.inputs, &other.inputs) {
        (Inputs::Columns(first), Inputs::Columns(other)) => column_difference(first, other),
        (Inputs::Indexed { .. }, Inputs::Indexed { .. }) if first.format == other.format => None,
        _ => Some(format!("it is {}, not {}", other.format.noun(), first.format.noun())),
    }
}

fn column_difference(first: &Columns, other: &Columns) -> Option<String> {
    if first == other {
        return None;
    }
    for (one, two) in first.features.iter().zip(&other.features) {
        let (position, name) = (two.position, excerpt(&two.name));
        if one.name == two.name && one.position != position {
            return Some(format!("`{name}` is column {position}, expected {}", one.position));
        }
        if one.name != two.name {
            let expected = excerpt(&one.name);
            return Some(format!("column {position} is `{name}`, expected `{expected}`"));
        }
        // A file without missing cells has no rule for them.
        let rule = two.missing.or(one.missing);
        if *one != (Column { missing: rule, ..two.clone() }) {
            if one.missing.is_none() && *one == (Column { missing: None, ..two.clone() }) {
                return Some(format!("column `{name}` has missing cells, expected none"));
            }
            let kind = |is_text: bool| if is_text { "text or categories" } else { "numbers" };
            let [one, two] = [one, two]
                .map(|column| kind(column.categories.is_some() || column.words.is_some()));
            return Some(match one == two {
                true => format!("the cells of column `{name}` are read in another way"),
                false => format!("column `{name}` has {two}, expected {one}"),
            });
        }
    }
    let are_alike = first.features.len() == other.features.len() && first.count == other.count;
    if are_alike && first.target == other.target {
        return None;
    }
    if first.count == other.count && first.target == other.target {
        return Some("other columns are features".to_owned());
    }
    Some(match first.count == other.count {
        true => {
            let [other, first] = [other, first].map(|columns| excerpt(&columns.target));
            format!("the labels are in column `{other}`, expected `{first}`")
        }
        false => format!("it has {} columns, expected {}", other.count, first.count),
    })
}

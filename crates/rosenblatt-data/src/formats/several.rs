//! Several files as one data set: their rows follow one another, and each file must have the columns of the first.

use std::{
    collections::VecDeque,
    iter,
    path::{Path, PathBuf},
    sync::Arc,
};

use rosenblatt_core::data::excerpt;

use super::format::Counted;
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

/// The counts of the rows of several files together, which `count` has of each, so that the columns of each are decided by all
/// rows; `None` for one file, for streams, and where the files do not have the same columns.
pub(super) fn counted(
    source: &Source,
    count: impl Fn(Source) -> Result<Option<Counted>, ReadError>,
) -> Option<Arc<Counted>> {
    let first =
        source.path.as_ref().filter(|_| source.sheet.is_none() && !source.more.is_empty())?;
    let mut all: Option<Counted> = None;
    for path in iter::once(first).chain(&source.more) {
        let is_regular = path.is_file();
        // What is wrong with a file is told when it is read.
        let counted = is_regular.then(|| count(Source::open(path).ok()?).ok()?)??;
        match &mut all {
            None => all = Some(counted),
            Some(all) if all.names == counted.names => all.survey.join(counted.survey),
            Some(_) => return None,
        }
    }
    all.map(Arc::new)
}

/// Opens a source with `open`, and after its last row each of the files that follow it. The counts of all rows decide the columns
/// of each; where they decide nothing, those of each file do.
pub(super) fn open_all(
    mut source: Source,
    counted: Option<Arc<Counted>>,
    open: impl Fn(Source, Option<&Arc<Counted>>) -> Result<Reader, ReadError> + Send + 'static,
) -> Result<Reader, ReadError> {
    let more = std::mem::take(&mut source.more);
    if more.is_empty() {
        return open(source, None);
    }
    for path in &more {
        Source::check_exists(path)?;
    }
    let by_all = source.path.as_deref().zip(counted.as_ref());
    let by_all =
        by_all.and_then(|(path, counted)| open(Source::open(path).ok()?, Some(counted)).ok());
    let counted = counted.filter(|_| by_all.is_some());
    let mut first = by_all.map_or_else(|| open(source, None), Ok)?;
    let open = move |source| open(source, counted.as_ref());
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

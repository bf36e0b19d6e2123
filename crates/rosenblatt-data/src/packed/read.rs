//! A packed file → rows that lie in it.

use std::{
    borrow::Cow,
    fs::File,
    io::{Read, Seek, SeekFrom},
    ops::Range,
    path::Path,
    sync::Arc,
};

use rosenblatt::data::{Rows, RowsError};

use super::{
    AnyHeader, Header, Key, Place, Seal, VERSION, WITH_CHECKSUM, map::Map, metadata, seal,
};
use crate::{
    batch::{Batch, Body, LabelUse, Labels},
    columnar::ColumnarProblem,
    dataset::{Dataset, check_complete},
    dictionary::Dictionary,
    error::{Problem, ReadError},
    idx::LeftOut,
    options::{FormatKind, OnError, ReadOptions},
    reader::{Made, Reader},
    schema::Schema,
    source::Source,
};

/// A packed file, mapped and checked.
pub(crate) struct Packed {
    file: String,
    header: Header,
    map: Map,
    opened: Arc<File>,
}

impl Packed {
    /// Opens what a source leads to, if that is a packed file.
    pub(crate) fn of(
        source: &mut Source,
        options: &ReadOptions,
    ) -> Result<Option<Self>, ReadError> {
        let kind = options.format.or(source.kind);
        let by_options = options.delimiter.is_some() && options.format.is_none();
        if by_options || !matches!(kind, None | Some(FormatKind::Arrow)) {
            return Ok(None);
        }
        let Some(path) = source.path.clone().filter(|path| path.is_file()) else { return Ok(None) };
        if !source.peek(metadata::MAGIC.len())?.starts_with(metadata::MAGIC) {
            return Ok(None);
        }
        let packed = Self::open(&path, &source.name)?;
        match (packed, &source.labels) {
            (Some(packed), Some(labels)) => {
                Err(ReadError::LabelsBeside { file: packed.file, labels: labels.name.clone() })
            }
            (packed, _) => Ok(packed),
        }
    }

    /// Opens a file, if it is a packed one.
    pub(crate) fn open(path: &Path, name: &str) -> Result<Option<Self>, ReadError> {
        let failed = |error| ReadError::Open { file: name.to_owned(), error };
        Self::of_file(File::open(path).map_err(failed)?, name)
    }

    /// Takes an open file, if it is a packed one.
    pub(super) fn of_file(mut file: File, name: &str) -> Result<Option<Self>, ReadError> {
        let failed = |error| ReadError::Open { file: name.to_owned(), error };
        let Some(Texts { header, checksum }) = texts(&mut file).map_err(failed)? else {
            return Ok(None);
        };
        let damaged = |what| ColumnarProblem::PackedDamaged { what }.of(name);
        let no_header = |_| damaged("its header is none");
        let any: AnyHeader = serde_json::from_str(&header).map_err(no_header)?;
        if !(1..=VERSION).contains(&any.version) {
            let (found, known) = (any.version, VERSION);
            return Err(ColumnarProblem::PackedVersion { found, known }.of(name));
        }
        let mut header: Header = serde_json::from_str(&header).map_err(no_header)?;
        if cfg!(target_endian = "big") {
            return Err(damaged("its numbers are in the other order of bytes"));
        }
        let map = Map::of(&file, name).map_err(failed)?;
        match checksum {
            Some(place) if is_right(map, header.body, &place) => {}
            Some(_) => return Err(damaged("its header is not the one that was written")),
            None if any.version >= WITH_CHECKSUM => return Err(damaged("it has no checksum")),
            None => header.notes.no_checksum = true,
        }
        Ok(Some(Packed { file: name.to_owned(), header, map, opened: Arc::new(file) }))
    }

    /// Whether damage to its header would show.
    pub(super) fn has_checksum(&self) -> bool {
        !self.header.notes.no_checksum
    }

    fn seal(&self) -> Seal {
        let (name, file, map) = (self.file.clone(), self.opened.clone(), self.map);
        Seal { name, file, map, body: self.header.body, hash: self.header.hash.clone() }
    }

    /// Whether it stands for the source of this key.
    pub(crate) fn is_of(&self, key: &Key) -> bool {
        self.header.key.as_ref() == Some(key)
    }

    /// Columns were chosen when it was packed.
    fn check_options(&self, options: &ReadOptions) -> Result<(), ReadError> {
        let other_target =
            options.target.as_deref().filter(|&t| Some(t) != self.header.schema.target());
        let lists = [&options.ignore, &options.categorical, &options.text, &options.features];
        match other_target.or(lists.into_iter().flatten().next().map(String::as_str)) {
            None => Ok(()),
            Some(column) => {
                Err(ColumnarProblem::PackedColumn { column: column.to_owned() }.of(&self.file))
            }
        }
    }

    /// All of it, to learn from.
    pub(crate) fn dataset(self, options: &ReadOptions) -> Result<Dataset, ReadError> {
        self.check_options(options)?;
        check_complete(&self.header.schema, &self.file, options)?;
        self.own()
    }

    /// All of it, for options that were those of packing it.
    pub(crate) fn own(self) -> Result<Dataset, ReadError> {
        let (rows, labels) = self.contents()?;
        let seal = Some(self.seal());
        let Packed { file, header: Header { schema, notes, .. }, .. } = self;
        Ok(Dataset { file, rows, schema, notes, labels, seal })
    }

    /// The same as a reader of one batch.
    pub(crate) fn for_training(self, options: &ReadOptions) -> Result<Reader, ReadError> {
        let seal = self.seal();
        let Dataset { file, rows, schema, notes, labels, .. } = self.dataset(options)?;
        let batch = Batch { labels, body: Body::Encoded(rows), ..Batch::default() };
        let made = once(batch, LeftOut::default(), seal);
        Ok(Reader::of_batches(file, made, schema, notes))
    }

    /// A reader for a model, whose columns must be these.
    pub(crate) fn for_model(
        self,
        options: &ReadOptions,
        schema: &Schema,
        labels: &LabelUse,
    ) -> Result<Reader, ReadError> {
        let own = &self.header.schema;
        if own.inputs != schema.inputs {
            return Err(ColumnarProblem::PackedForOther.of(&self.file));
        }
        let (mut rows, mut found) = self.contents()?;
        let mut left_out = LeftOut::default();
        let refused = |name: &String| labels.allows(name).err();
        let problems: Vec<Option<Problem>> = found.dictionary.names().iter().map(refused).collect();
        if problems.iter().any(Option::is_some) {
            let problem = |row: &usize| problems[found.codes[*row] as usize].as_ref();
            let (bad, kept): (Vec<usize>, Vec<usize>) =
                (0..rows.len()).partition(|row| problem(row).is_some());
            if let Some((&first, problem)) = bad.first().and_then(|row| Some((row, problem(row)?)))
            {
                let (row, problem) = (first as u64 + 1, problem.clone());
                let error = ColumnarProblem::Cell { row, problem }.of(&self.file);
                if options.on_error == OnError::Stop {
                    return Err(error);
                }
                left_out = LeftOut { count: bad.len() as u64, first: Some((row, error)) };
                rows = rows.select(&kept);
                found.codes = kept.iter().map(|&row| found.codes[row]).collect();
            }
        }
        let batch = Batch { labels: found, body: Body::Encoded(rows), ..Batch::default() };
        let made = once(batch, left_out, self.seal());
        Ok(Reader::of_batches(self.file, made, schema.clone(), self.header.notes))
    }

    /// Rows and labels, checked.
    fn contents(&self) -> Result<(Rows<'static>, Labels), ReadError> {
        let damaged = |what| ColumnarProblem::PackedDamaged { what }.of(&self.file);
        let header = &self.header;
        let features =
            usize::try_from(header.features).map_err(|_| damaged("too many features"))?;
        if !header.schema.is_sound() || header.schema.features() != features {
            return Err(damaged("its schema does not fit"));
        }
        let cut = || damaged("it is cut off");
        if seal::hash(self.map, header.body).ok_or_else(cut)? != header.hash {
            return Err(damaged("its rows are not those that were written"));
        }
        let values: &[f64] = self.numbers(header.values).ok_or_else(cut)?;
        let codes: &[u32] = self.numbers(header.codes).ok_or_else(cut)?;
        let rows = match (header.offsets, header.indices) {
            (None, None) => Rows::dense(values, features),
            (Some(offsets), Some(indices)) => {
                let offsets = self.offsets(offsets).ok_or_else(cut)?;
                let indices: &[u32] = self.numbers(indices).ok_or_else(cut)?;
                Rows::sparse(offsets, indices, values, features)
            }
            _ => return Err(damaged("its rows are neither dense nor sparse")),
        };
        let rows = rows.map_err(|error| match error {
            RowsError::NotFinite { .. } => damaged("a value is no finite number"),
            _ => damaged("its rows do not fit together"),
        })?;
        let n = header.labels.len();
        if codes.len() != rows.len() || codes.iter().any(|&code| code as usize >= n) {
            return Err(damaged("its labels do not fit its rows"));
        }
        let (mut dictionary, mut counts) = (Dictionary::default(), vec![0; n]);
        codes.iter().for_each(|&code| counts[code as usize] += 1);
        for ((name, said), found) in header.labels.iter().zip(counts) {
            if *said != found || dictionary.contains(name) {
                return Err(damaged("its labels do not fit its rows"));
            }
            dictionary.insert_counted(name, found as usize);
        }
        Ok((rows, Labels { codes: codes.to_vec(), dictionary }))
    }

    fn numbers<T: super::map::Plain>(&self, place: Place) -> Option<&'static [T]> {
        self.map.numbers(place.range()?)
    }

    #[cfg(target_pointer_width = "64")]
    fn offsets(&self, place: Place) -> Option<Cow<'static, [usize]>> {
        self.numbers(place).map(Cow::Borrowed)
    }

    #[cfg(not(target_pointer_width = "64"))]
    fn offsets(&self, place: Place) -> Option<Cow<'static, [usize]>> {
        let offsets: &[u64] = self.numbers(place)?;
        offsets.iter().map(|&offset| usize::try_from(offset).ok()).collect()
    }
}

/// A batch, and after it an error where its file changed meanwhile: the next batch is asked for when this one was
/// used.
fn once(batch: Batch, left_out: LeftOut, seal: Seal) -> Made {
    let at_the_end = std::iter::once_with(move || seal.check());
    let changed = at_the_end.filter_map(|checked| checked.err().map(Err));
    Box::new(std::iter::once(Ok((batch, left_out))).chain(changed))
}

/// Whether the checksum at this place is that of the bytes around the body.
fn is_right(map: Map, body: Place, place: &Range<usize>) -> bool {
    let parts = || {
        let body = body.range()?;
        let before = map.bytes(0..body.start)?;
        let between = map.bytes(body.end..place.start)?;
        let after = map.bytes(place.end..map.length())?;
        Some(metadata::checksum(&[before, between, after]))
    };
    let found = map.bytes(place.clone());
    found.is_some() && parts().as_ref().map(String::as_bytes) == found
}

/// What a packed file says of itself.
struct Texts {
    header: String,
    /// Where the checksum is in the file.
    checksum: Option<Range<usize>>,
}

/// The header of a file, if it is a packed one.
fn texts(file: &mut File) -> std::io::Result<Option<Texts>> {
    let length = file.metadata()?.len();
    let Some(tail) = length.checked_sub(metadata::TAIL as u64) else { return Ok(None) };
    let mut bytes = vec![0; metadata::TAIL];
    file.seek(SeekFrom::Start(tail))?;
    file.read_exact(&mut bytes)?;
    let Some(footer) = metadata::footer_length(&bytes) else { return Ok(None) };
    let Some(start) = tail.checked_sub(footer as u64) else { return Ok(None) };
    file.seek(SeekFrom::Start(start))?;
    bytes.resize(footer, 0);
    file.read_exact(&mut bytes)?;
    let Some(header) = metadata::header(&bytes).map(str::to_owned) else { return Ok(None) };
    let start = usize::try_from(start).map_err(std::io::Error::other)?;
    let checksum = metadata::checksum_place(&bytes);
    let checksum = checksum.map(|place| start + place.start..start + place.end);
    Ok(Some(Texts { header, checksum }))
}

//! A packed file → rows that lie in it.

use std::{
    borrow::Cow,
    fs::File,
    io::{Read, Seek, SeekFrom},
    ops::Range,
    path::Path,
    sync::Arc,
};

use rosenblatt_core::data::{Rows, RowsError};

use super::{
    error::PackedProblem,
    header::{AnyVersion, PACKED_VERSION, PackedHeader, Place, WITH_CHECKSUM},
    key::Key,
    metadata,
};
use crate::{
    digest,
    fault::Problem,
    input::reader::{BatchSource, LeftOut, ReadFile, Reader},
    mapped_file::{MappedFile, Plain, Seal},
    options::{OnError, ReadOptions},
    read_error::ReadError,
    table::{
        batch::{Batch, Body, LabelUse, Labels},
        dataset::Dataset,
        dictionary::Dictionary,
        gathered::check_features,
        schema::Schema,
    },
};

/// A packed file, mapped, whose header is checked.
pub(crate) struct PackedFile {
    file: String,
    header: PackedHeader,
    map: MappedFile,
    opened: Arc<File>,
}

impl PackedFile {
    /// Whether a file is a packed one, damaged or not.
    pub(super) fn is_one(path: &Path, name: &str) -> Result<bool, ReadError> {
        let failed = |error| ReadError::Open { file: name.to_owned(), error };
        let mut file = File::open(path).map_err(failed)?;
        Ok(FooterTexts::read(&mut file).map_err(failed)?.is_some())
    }

    /// Opens a file that [is one](Self::is_one).
    pub(super) fn open(path: Option<&Path>, name: &str) -> Result<Self, ReadError> {
        let failed = |error| ReadError::Open { file: name.to_owned(), error };
        let file = File::open(path.unwrap_or(Path::new(""))).map_err(failed)?;
        let gone = || PackedProblem::Damaged { what: "its header cannot be read" }.of(name);
        Self::of_file(file, name)?.ok_or_else(gone)
    }

    /// Takes an open file, if it is a packed one.
    pub(crate) fn of_file(mut file: File, name: &str) -> Result<Option<Self>, ReadError> {
        let failed = |error| ReadError::Open { file: name.to_owned(), error };
        let Some(FooterTexts { header, checksum }) =
            FooterTexts::read(&mut file).map_err(failed)?
        else {
            return Ok(None);
        };
        let damaged = |what| PackedProblem::Damaged { what }.of(name);
        let no_header = |_| damaged("its header cannot be read");
        let any: AnyVersion = serde_json::from_str(&header).map_err(no_header)?;
        if !(1..=PACKED_VERSION).contains(&any.version) {
            let (found, known) = (any.version, PACKED_VERSION);
            return Err(PackedProblem::Version { found, known }.of(name));
        }
        let mut header: PackedHeader = serde_json::from_str(&header).map_err(no_header)?;
        if cfg!(target_endian = "big") {
            return Err(damaged("its numbers are in the other order of bytes"));
        }
        let map = MappedFile::of(&file, name).map_err(failed)?;
        match checksum {
            Some(place) if is_right(map, header.body, &place) => {}
            Some(_) => return Err(damaged("its header is not as it was written")),
            None if any.version >= WITH_CHECKSUM => return Err(damaged("it has no checksum")),
            None => header.notes.no_checksum = true,
        }
        Ok(Some(PackedFile { file: name.to_owned(), header, map, opened: Arc::new(file) }))
    }

    /// Whether damage to its header would show.
    pub(crate) fn has_checksum(&self) -> bool {
        !self.header.notes.no_checksum
    }

    /// Whether it stands for the source of this key.
    pub(crate) fn is_of(&self, key: &Key) -> bool {
        self.header.key.as_ref() == Some(key)
    }

    /// All of it, for the options with which it was packed.
    pub(crate) fn dataset(self) -> Result<Dataset, ReadError> {
        let LabelledRows { rows, labels } = self.contents()?;
        let seal = Some(self.seal()?);
        let PackedFile { file, header: PackedHeader { schema, notes, .. }, .. } = self;
        let missing = Vec::new();
        let (ids, decimals) = (Vec::new(), None);
        Ok(Dataset { file, rows, schema, notes, ids, decimals, labels, missing, seal })
    }

    /// A reader of one batch, to learn from.
    pub(super) fn for_training(self, options: &ReadOptions) -> Result<Reader, ReadError> {
        if let Some(id) = &options.id {
            return Err(ReadError::IdNeedsText { file: self.file, name: id.clone() });
        }
        self.check_options(options)?;
        check_features(&self.header.schema, &self.file, options)?;
        let rows = self.contents()?;
        let schema = self.header.schema.clone();
        self.reader(rows, LeftOut::default(), schema)
    }

    /// A reader of one batch for a model, whose columns must be those of this file.
    pub(super) fn for_model(
        self,
        options: &ReadOptions,
        schema: &Schema,
        labels: &LabelUse,
    ) -> Result<Reader, ReadError> {
        if let Some(id) = &options.id {
            return Err(ReadError::IdNeedsText { file: self.file, name: id.clone() });
        }
        if self.header.schema.inputs != schema.inputs {
            return Err(PackedProblem::ForOther.of(&self.file));
        }
        let mut rows = self.contents()?;
        let left_out = self.refuse_labels(&mut rows, labels, options.on_error)?;
        self.reader(rows, left_out, schema.clone())
    }

    /// Leaves out the rows whose label is refused, or stops at the first one.
    fn refuse_labels(
        &self,
        rows: &mut LabelledRows,
        labels: &LabelUse,
        on_error: OnError,
    ) -> Result<LeftOut, ReadError> {
        let refused = |name: &String| labels.allows(name).err();
        let names = rows.labels.dictionary.names();
        let problems: Vec<Option<Problem>> = names.iter().map(refused).collect();
        let problem = |&row: &usize| problems[rows.labels.codes[row] as usize].as_ref();
        let (bad, kept): (Vec<usize>, Vec<usize>) = match problems.iter().all(Option::is_none) {
            true => return Ok(LeftOut::default()),
            false => (0..rows.rows.len()).partition(|row| problem(row).is_some()),
        };
        let first = bad.first().and_then(|row| Some((*row as u64 + 1, problem(row)?.clone())));
        let Some((row, problem)) = first else { return Ok(LeftOut::default()) };
        let error = PackedProblem::Row { row, problem }.of(&self.file);
        if on_error == OnError::Stop {
            return Err(error);
        }
        rows.rows = rows.rows.select(&kept);
        rows.labels.codes = kept.iter().map(|&row| rows.labels.codes[row]).collect();
        Ok(LeftOut { count: bad.len() as u64, first: Some(error), ..LeftOut::default() })
    }

    fn reader(
        self,
        rows: LabelledRows,
        left_out: LeftOut,
        schema: Schema,
    ) -> Result<Reader, ReadError> {
        let LabelledRows { rows, labels } = rows;
        let batch = Batch { labels, body: Body::Encoded(rows), ..Batch::default() };
        let batches = MappedRows { batch: Some((batch, left_out)), seal: Some(self.seal()?) };
        let file = ReadFile { file: self.file, schema, notes: self.header.notes };
        Ok(Reader::new(file, Box::new(batches)))
    }

    fn seal(&self) -> Result<Seal, ReadError> {
        Ok(Seal {
            name: self.file.clone(),
            file: self.opened.clone(),
            map: self.map,
            range: self.body()?,
            hash: self.header.hash.clone(),
        })
    }

    /// Refuses to choose columns, which were chosen when it was packed.
    fn check_options(&self, options: &ReadOptions) -> Result<(), ReadError> {
        let other_target =
            options.target.as_deref().filter(|&t| Some(t) != self.header.schema.target());
        let lists = [&options.ignore, &options.categorical, &options.text, &options.features];
        match other_target.or(lists.into_iter().flatten().next().map(String::as_str)) {
            None => Ok(()),
            Some(column) => {
                Err(PackedProblem::ColumnChosen { column: column.to_owned() }.of(&self.file))
            }
        }
    }

    fn damaged(&self, what: &'static str) -> ReadError {
        PackedProblem::Damaged { what }.of(&self.file)
    }

    /// Where the bytes of the rows are.
    fn body(&self) -> Result<Range<usize>, ReadError> {
        self.header.body.range().ok_or_else(|| self.damaged("it is cut off"))
    }

    /// Rows and labels, checked.
    fn contents(&self) -> Result<LabelledRows, ReadError> {
        let header = &self.header;
        let too_many = |_| self.damaged("too many features");
        let features = usize::try_from(header.features).map_err(too_many)?;
        if !header.schema.is_sound() || header.schema.features() != features {
            return Err(self.damaged("its schema does not fit"));
        }
        let cut = || self.damaged("it is cut off");
        let body = self.map.bytes(self.body()?).ok_or_else(cut)?;
        if digest::of(&[body]) != header.hash {
            return Err(self.damaged("its rows are not as they were written"));
        }
        let rows = self.rows(features)?;
        let codes: &[u32] = self.numbers(header.codes).ok_or_else(cut)?;
        if codes.len() != rows.len() {
            return Err(self.damaged(WRONG_LABELS));
        }
        let dictionary = self.dictionary(codes).ok_or_else(|| self.damaged(WRONG_LABELS))?;
        Ok(LabelledRows { rows, labels: Labels { codes: codes.to_vec(), dictionary } })
    }

    fn rows(&self, features: usize) -> Result<Rows<'static>, ReadError> {
        let cut = || self.damaged("it is cut off");
        let values: &[f64] = self.numbers(self.header.values).ok_or_else(cut)?;
        let rows = match (self.header.offsets, self.header.indices) {
            (None, None) => Rows::dense(values, features),
            (Some(offsets), Some(indices)) => {
                let offsets = self.offsets(offsets).ok_or_else(cut)?;
                let indices: &[u32] = self.numbers(indices).ok_or_else(cut)?;
                Rows::sparse(offsets, indices, values, features)
            }
            _ => return Err(self.damaged("its rows are neither dense nor sparse")),
        };
        rows.map_err(|error| match error {
            RowsError::NotFinite { .. } => self.damaged("a value is not a finite number"),
            _ => self.damaged("its rows do not fit together"),
        })
    }

    /// The labels, if they are those that the header names and counts.
    fn dictionary(&self, codes: &[u32]) -> Option<Dictionary> {
        let labels = &self.header.labels;
        let (mut dictionary, mut counts) = (Dictionary::default(), vec![0; labels.len()]);
        for &code in codes {
            *counts.get_mut(code as usize)? += 1;
        }
        for ((name, said), found) in labels.iter().zip(counts) {
            if *said != found || dictionary.contains(name) {
                return None;
            }
            dictionary.insert_counted(name, found as usize);
        }
        Some(dictionary)
    }

    fn numbers<T: Plain>(&self, place: Place) -> Option<&'static [T]> {
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

/// The message of labels that do not belong to the rows.
const WRONG_LABELS: &str = "its labels do not fit its rows";

/// Rows and their labels.
struct LabelledRows {
    rows: Rows<'static>,
    labels: Labels,
}

/// All rows of a mapped file as one batch.
struct MappedRows {
    batch: Option<(Batch, LeftOut)>,
    /// Present until it was checked, or taken.
    seal: Option<Seal>,
}

impl BatchSource for MappedRows {
    /// After the batch, an error where the file changed meanwhile: the next batch is asked for when this one was used.
    fn next_batch(&mut self) -> Option<Result<(Batch, LeftOut), ReadError>> {
        match self.batch.take() {
            Some(batch) => Some(Ok(batch)),
            None => self.seal.take()?.check().err().map(Err),
        }
    }

    fn take_seal(&mut self) -> Option<Seal> {
        self.seal.take()
    }
}

/// Whether the checksum at this place is that of the bytes around the body.
fn is_right(map: MappedFile, body: Place, place: &Range<usize>) -> bool {
    let parts = || {
        let body = body.range()?;
        let before = map.bytes(0..body.start)?;
        let between = map.bytes(body.end..place.start)?;
        let after = map.bytes(place.end..map.length())?;
        Some(digest::of(&[before, between, after]))
    };
    let found = map.bytes(place.clone());
    found.is_some() && parts().as_ref().map(String::as_bytes) == found
}

/// The texts in the footer of a packed file.
struct FooterTexts {
    header: String,
    /// Where the checksum is in the file.
    checksum: Option<Range<usize>>,
}

impl FooterTexts {
    /// Reads the footer of a file, if it is a packed one.
    fn read(file: &mut File) -> std::io::Result<Option<Self>> {
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
        Ok(Some(FooterTexts { header, checksum }))
    }
}

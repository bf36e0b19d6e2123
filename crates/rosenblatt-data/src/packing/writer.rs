//! A packed file, written in one pass over the rows.

use std::{
    fs::File,
    io::{self, BufWriter, Read as _, Seek, Write},
    path::Path,
};

use rosenblatt_core::data::{Rows, Values};
use twox_hash::XxHash3_128;

use crate::{
    digest,
    files::atomic_file::AtomicFile,
    formats::packed::{
        header::{ALIGNMENT, PackedHeader, Place},
        key::Key,
        metadata::{self, Counts, RowForm},
    },
    notes::Notes,
    read_error::ReadError,
    table::{
        batch::Labels,
        schema::{Inputs, Schema},
    },
};

/// Why a file could not be packed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// Reading the source.
    #[error("{0}")]
    Read(#[from] ReadError),
    /// Writing the packed file.
    #[error("{file}: {error}")]
    Write {
        /// The packed file.
        file: String,
        /// The error of the system.
        error: io::Error,
    },
    /// The packed file would replace its source.
    #[error("{file}: the output would replace the input")]
    OverSource {
        /// The source.
        file: String,
    },
    /// The source is not the same as it was when packing began.
    #[error("{file}: the file changed while it was packed")]
    Changed {
        /// The source.
        file: String,
    },
}

/// A file that was packed.
#[derive(Clone, Debug)]
pub struct Packing {
    /// The number of rows.
    pub rows: u64,
    /// How a file becomes such rows.
    pub schema: Schema,
    /// The notes of reading.
    pub notes: Notes,
    /// The bytes of the packed file.
    pub bytes: u64,
    pub(super) key: Key,
}

/// Whether there are names that only the whole file shows.
pub(super) fn has_names(schema: &Schema) -> bool {
    let Inputs::Columns(columns) = &schema.inputs else { return false };
    columns.features.iter().any(|column| column.categories.is_some() || column.words.is_some())
}

/// The place of a packed file that is to be written.
#[derive(Clone, Copy)]
pub(super) struct Output<'p> {
    pub(super) path: &'p Path,
    /// Its permissions, if they are not the usual ones.
    pub(super) mode: Option<u32>,
}

impl Output<'_> {
    pub(super) fn failed(self, error: io::Error) -> PackError {
        PackError::Write { file: self.path.display().to_string(), error }
    }
}

/// A packed file that grows.
pub(super) struct PackedWriter {
    file: BufWriter<Hashed>,
    form: RowForm,
    counts: Counts,
    labels: Labels,
    codes: Spool,
    /// Of sparse rows.
    offsets: Spool,
    indices: Spool,
}

impl PackedWriter {
    pub(super) fn create(output: Output<'_>, schema: &Schema) -> io::Result<Self> {
        let Output { path, mode } = output;
        let sparse = !matches!(schema.inputs, Inputs::Columns(_)) || has_names(schema);
        let form = match i32::try_from(schema.features()) {
            _ if sparse => RowForm::Sparse,
            Ok(width) => RowForm::Dense(width),
            Err(_) => return Err(io::Error::other("more features than an Arrow list can have")),
        };
        let mut file = AtomicFile::create_with_mode(path, mode)?;
        // Written again with the counts at the end.
        let (beginning, _) = metadata::beginning(form, &Counts::default());
        file.write_all(&beginning)?;
        let file = BufWriter::with_capacity(1 << 16, Hashed { file, hasher: XxHash3_128::new() });
        let mut counts = Counts::default();
        counts.values.start = beginning.len() as u64;
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let spool = || Spool::create(folder.unwrap_or(Path::new(".")));
        let (codes, mut offsets, indices) = (spool()?, spool()?, spool()?);
        offsets.write(&0u64.to_le_bytes())?;
        Ok(PackedWriter { file, form, counts, labels: Labels::default(), codes, offsets, indices })
    }

    /// Whether no row was written.
    pub(super) fn is_empty(&self) -> bool {
        self.counts.rows == 0
    }

    /// All labels so far.
    pub(super) fn labels(&self) -> &Labels {
        &self.labels
    }

    pub(super) fn write(&mut self, rows: &Rows<'_>, labels: &Labels) -> io::Result<()> {
        let map = self.labels.dictionary.merge(&labels.dictionary);
        for &code in &labels.codes {
            self.codes.write(&map[code as usize].to_le_bytes())?;
        }
        for row in rows.iter() {
            match row.values() {
                Values::F64(values) => {
                    for value in values {
                        self.file.write_all(&value.to_le_bytes())?;
                    }
                }
                Values::F32(values) => {
                    for &value in values {
                        self.file.write_all(&f64::from(value).to_le_bytes())?;
                    }
                }
            }
            self.counts.stored += row.stored() as u64;
            for index in row.indices().unwrap_or_default() {
                self.indices.write(&index.to_le_bytes())?;
            }
            if self.form == RowForm::Sparse {
                self.offsets.write(&self.counts.stored.to_le_bytes())?;
            }
        }
        self.counts.rows += rows.len() as u64;
        Ok(())
    }

    /// Appends the other buffers, labels and metadata, and puts the file in its place.
    pub(super) fn finish(self, schema: Schema, notes: Notes, key: Key) -> io::Result<Packing> {
        let PackedWriter { mut file, form, mut counts, labels, codes, offsets, indices } = self;
        counts.values.length = counts.stored * 8;
        let mut end = counts.values.start + counts.values.length;
        let sparse = form == RowForm::Sparse;
        if sparse {
            counts.offsets = offsets.append_to(&mut file, &mut end)?;
            counts.indices = indices.append_to(&mut file, &mut end)?;
        }
        counts.codes = codes.append_to(&mut file, &mut end)?;
        fill_up(&mut file, &mut end)?;
        counts.body = end - counts.values.start;
        let Hashed { mut file, hasher } =
            file.into_inner().map_err(io::IntoInnerError::into_error)?;
        let (message, dictionary) = metadata::dictionary(labels.dictionary.names(), end);
        let (beginning, batch) = metadata::beginning(form, &counts);
        let n = labels.dictionary.counts().iter().map(|&count| count as u64);
        let header = PackedHeader {
            version: PackedHeader::version_of(&schema),
            key: Some(key.clone()),
            rows: counts.rows,
            features: schema.features() as u64,
            schema: schema.clone(),
            notes: notes.clone(),
            labels: labels.dictionary.names().iter().cloned().zip(n).collect(),
            body: Place { start: counts.values.start, length: counts.body },
            hash: digest::hex(&hasher),
            values: counts.values,
            codes: counts.codes,
            offsets: sparse.then_some(counts.offsets),
            indices: sparse.then_some(counts.indices),
        };
        let text = serde_json::to_string(&header)?;
        let mut footer = metadata::footer(form, &text, batch, dictionary);
        let place = metadata::checksum_place(&footer)
            .ok_or_else(|| io::Error::other("the checksum has no place"))?;
        let (before, after) = (&footer[..place.start], &footer[place.end..]);
        let sum = digest::of(&[&beginning, &message, &metadata::END, before, after]);
        footer[place].copy_from_slice(sum.as_bytes());
        for part in [&message[..], &metadata::END, &footer] {
            file.write_all(part)?;
        }
        let bytes = file.stream_position()?;
        file.rewind()?;
        file.write_all(&beginning)?;
        file.commit()?;
        Ok(Packing { rows: counts.rows, schema, notes, bytes, key })
    }
}

/// A file whose bytes are hashed as they come.
struct Hashed {
    file: AtomicFile,
    hasher: XxHash3_128,
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hasher.write(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Zeros up to the next multiple of the alignment.
fn fill_up(file: &mut impl Write, end: &mut u64) -> io::Result<()> {
    let aligned = end.next_multiple_of(ALIGNMENT);
    file.write_all(&vec![0; (aligned - *end) as usize])?;
    *end = aligned;
    Ok(())
}

/// A buffer that waits in a file of its own, which has no name.
struct Spool {
    file: BufWriter<File>,
    length: u64,
}

impl Spool {
    fn create(folder: &Path) -> io::Result<Self> {
        let file = BufWriter::with_capacity(1 << 16, tempfile::tempfile_in(folder)?);
        Ok(Spool { file, length: 0 })
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.length += bytes.len() as u64;
        self.file.write_all(bytes)
    }

    fn append_to(self, file: &mut impl Write, end: &mut u64) -> io::Result<Place> {
        fill_up(file, end)?;
        let place = Place { start: *end, length: self.length };
        let mut bytes = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        bytes.rewind()?;
        let copied = io::copy(&mut bytes.take(self.length), file)?;
        *end += copied;
        if copied < self.length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(place) }
    }
}

//! The rows of a file → a packed file.

use std::{
    fs::File,
    io::{self, BufWriter, Read as _, Seek, Write},
    path::Path,
};

use rosenblatt::data::{Rows, Values};
use twox_hash::XxHash3_128;

use super::{
    ALIGNMENT, Header, Key, Place, VERSION,
    key::hex,
    metadata::{self, Counts, Form},
};
use crate::{
    atomic_file::{AtomicFile, prepare},
    batch::{Batch, Body, Labels},
    dataset::{Gathered, Limits, check_complete, complete},
    encode::Encoder,
    error::ReadError,
    options::{Format, ReadOptions},
    reader::{Notes, Reader},
    schema::{Inputs, Schema},
    source::Source,
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
        /// What the system says.
        error: io::Error,
    },
    /// The packed file would replace what it is made of.
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

/// What was packed.
#[derive(Clone, Debug)]
pub struct Packing {
    /// How many rows.
    pub rows: u64,
    /// How a file becomes such rows.
    pub schema: Schema,
    /// What was come across beside the data.
    pub notes: Notes,
    /// The bytes of the packed file.
    pub bytes: u64,
    key: Key,
}

impl Packing {
    pub(super) fn key(&self) -> &Key {
        &self.key
    }
}

/// Packs the rows of `data`, with the labels of IDX data in a second file, into the file `output`, which is
/// written whole or not at all. Memory does not grow with the rows.
///
/// # Errors
/// [`PackError`].
pub fn pack(
    files: (&Path, Option<&Path>),
    options: &ReadOptions,
    output: &Path,
) -> Result<Packing, PackError> {
    pack_for(files, options, (output, None))
}

/// The same with these permissions of the packed file, instead of the usual ones.
pub(super) fn pack_for(
    (data, labels): (&Path, Option<&Path>),
    options: &ReadOptions,
    (output, mode): (&Path, Option<u32>),
) -> Result<Packing, PackError> {
    let open = || Reader::for_training(Source::open_labelled(data, labels)?, options);
    let mut reader = open()?;
    let beside = reader.notes().labels_beside.clone();
    let sources: Vec<&Path> =
        [Some(data), labels.or(beside.as_deref().map(Path::new))].into_iter().flatten().collect();
    let key = |file: &Path| {
        Key::of(&sources, options)
            .map_err(|error| ReadError::Open { file: file.display().to_string(), error })
    };
    let same = |source: &Path| {
        let places = (source.canonicalize().ok(), output.canonicalize().ok());
        matches!(places, (Some(source), Some(output)) if source == output)
    };
    if let Some(source) = sources.iter().find(|source| same(source)) {
        return Err(PackError::OverSource { file: source.display().to_string() });
    }
    let failed = |error| PackError::Write { file: output.display().to_string(), error };
    prepare(output).map_err(failed)?;
    let before = key(data)?;
    let mut schema = reader.schema().clone();
    if has_names(&schema) {
        complete(&mut schema, &names(reader, options)?, options);
        check_complete(&schema, &data.display().to_string(), options)?;
        reader = open()?;
    }
    let failed = |error| PackError::Write { file: output.display().to_string(), error };
    let mut writer = Writer::create((output, mode), &schema).map_err(failed)?;
    let mut limits = Limits::of(options);
    while let Some(batch) = reader.next() {
        let Batch { labels, body, .. } = batch?;
        if let (Inputs::Indexed { features }, Body::Sparse { features: found, .. }) =
            (&mut schema.inputs, &body)
        {
            *features = (*features).max(*found);
        }
        let rows = Encoder::new(&schema).encode(body).rows;
        writer.write(&rows, &labels).map_err(failed)?;
        limits.check_labels(&writer.labels, &reader)?;
    }
    let (file, _, notes) = reader.into_parts();
    if writer.counts.rows == 0 {
        let header = matches!(schema.format, Format::Table { header: true, .. });
        return Err(ReadError::NoExamples { file, skipped: notes.skipped, header }.into());
    }
    // What is packed is then that of the key, unless the file changed and changed back meanwhile.
    if key(data)? != before {
        return Err(PackError::Changed { file });
    }
    writer.finish((schema, notes), before).map_err(failed)
}

/// Whether there are names that only the whole file shows.
fn has_names(schema: &Schema) -> bool {
    let Inputs::Columns(columns) = &schema.inputs else { return false };
    columns.features.iter().any(|column| column.categories.is_some() || column.words.is_some())
}

/// All categories and words of a file, without its rows.
fn names(mut reader: Reader, options: &ReadOptions) -> Result<Body, ReadError> {
    let mut all = Gathered::new(options);
    while let Some(batch) = reader.next() {
        let mut batch = batch?;
        if let Body::Table { numbers, codes, texts, .. } = &mut batch.body {
            numbers.clear();
            codes.clear();
            texts.iter_mut().for_each(|text| text.forget_rows());
        }
        batch.labels = Labels::default();
        all.add(batch, &reader)?;
    }
    Ok(all.all.unwrap_or_default().body)
}

/// A packed file that grows.
struct Writer {
    file: BufWriter<Hashed>,
    form: Form,
    counts: Counts,
    labels: Labels,
    codes: Spool,
    /// Of sparse rows.
    offsets: Spool,
    indices: Spool,
}

impl Writer {
    fn create((output, mode): (&Path, Option<u32>), schema: &Schema) -> io::Result<Self> {
        let sparse = !matches!(schema.inputs, Inputs::Columns(_)) || has_names(schema);
        let form = match i32::try_from(schema.features()) {
            _ if sparse => Form::Sparse,
            Ok(width) => Form::Dense(width),
            Err(_) => return Err(io::Error::other("more features than an Arrow list can have")),
        };
        let mut file = AtomicFile::create_with_mode(output, mode)?;
        // Written again with the counts at the end.
        let (beginning, _) = metadata::beginning(form, &Counts::default());
        file.write_all(&beginning)?;
        let file = BufWriter::with_capacity(1 << 16, Hashed { file, hasher: XxHash3_128::new() });
        let mut counts = Counts::default();
        counts.values.start = beginning.len() as u64;
        let folder = output.parent().filter(|folder| *folder != Path::new(""));
        let spool = || Spool::create(folder.unwrap_or(Path::new(".")));
        let (codes, mut offsets, indices) = (spool()?, spool()?, spool()?);
        offsets.write(&0u64.to_le_bytes())?;
        Ok(Writer { file, form, counts, labels: Labels::default(), codes, offsets, indices })
    }

    fn write(&mut self, rows: &Rows<'_>, labels: &Labels) -> io::Result<()> {
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
            if self.form == Form::Sparse {
                self.offsets.write(&self.counts.stored.to_le_bytes())?;
            }
        }
        self.counts.rows += rows.len() as u64;
        Ok(())
    }

    /// Appends the other buffers, labels and metadata, and puts the file in its place.
    fn finish(self, (schema, notes): (Schema, Notes), key: Key) -> io::Result<Packing> {
        let Writer { mut file, form, mut counts, labels, codes, offsets, indices } = self;
        counts.values.length = counts.stored * 8;
        let mut end = counts.values.start + counts.values.length;
        let sparse = form == Form::Sparse;
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
        let header = Header {
            version: VERSION,
            key: Some(key.clone()),
            rows: counts.rows,
            features: schema.features() as u64,
            schema: schema.clone(),
            notes: notes.clone(),
            labels: labels.dictionary.names().iter().cloned().zip(n).collect(),
            body: Place { start: counts.values.start, length: counts.body },
            hash: hex(&hasher),
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
        let sum = metadata::checksum(&[&beginning, &message, &metadata::END, before, after]);
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

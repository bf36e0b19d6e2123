//! Bytes from a path or standard input, with gzip and zstd undone.

use std::{
    fs::File,
    io::{self, BufReader, Cursor, Read},
    path::{Path, PathBuf},
};

use flate2::bufread::MultiGzDecoder;

use crate::{error::ReadError, options::FormatKind};

/// A stream of plain bytes, its name for messages, and what the name's ending says of the format.
pub struct Source {
    pub(crate) name: String,
    pub(crate) bytes: Box<dyn Read + Send>,
    pub(crate) kind: Option<FormatKind>,
    /// What an error of reading means here.
    pub(crate) reading: &'static str,
    /// Where the bytes come from, if that is a path.
    pub(crate) path: Option<PathBuf>,
    /// The labels, where they come in a file of their own.
    pub(crate) labels: Option<Box<Source>>,
}

const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

impl Source {
    /// Opens `path`, where `-` is standard input. A compression is told by its first bytes.
    ///
    /// # Errors
    /// [`ReadError::Open`].
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let name = name_of(path);
        if path == Path::new("-") {
            return Self::stream(&name, io::stdin());
        }
        let file =
            File::open(path).map_err(|error| ReadError::Open { file: name.clone(), error })?;
        let (kind, path) = (by_ending(path), Some(path.to_owned()));
        Ok(Source { kind, path, ..Self::stream(&name, file)? })
    }

    /// Opens `path`, and the labels of its examples in a file of their own where one is named.
    ///
    /// # Errors
    /// [`ReadError::Open`]; [`ReadError::BothStandardInput`].
    pub fn open_labelled(path: &Path, labels: Option<&Path>) -> Result<Self, ReadError> {
        let Some(labels) = labels else { return Self::open(path) };
        if path == labels && path == Path::new("-") {
            return Err(ReadError::BothStandardInput);
        }
        Ok(Self::open(path)?.with_labels(Self::open(labels)?))
    }

    /// The same source, with the labels of its examples from another one.
    pub fn with_labels(self, labels: Source) -> Self {
        Source { labels: Some(Box::new(labels)), ..self }
    }

    /// Any stream, called `name` in messages.
    ///
    /// # Errors
    /// [`ReadError::Open`] when not even its first bytes can be read.
    pub fn stream(name: &str, bytes: impl Read + Send + 'static) -> Result<Self, ReadError> {
        let open = |error| ReadError::Open { file: name.to_owned(), error };
        let (bytes, reading) = decompressed(bytes).map_err(open)?;
        let name = name.to_owned();
        Ok(Source { name, bytes, kind: None, reading, path: None, labels: None })
    }

    /// The first bytes, at most so many, which remain the first.
    ///
    /// # Errors
    /// [`ReadError::Read`].
    pub(crate) fn peek(&mut self, most: usize) -> Result<Vec<u8>, ReadError> {
        let mut start = Vec::new();
        if let Err(error) = self.bytes.by_ref().take(most as u64).read_to_end(&mut start) {
            return Err(ReadError::of_block(self.name.clone(), (0, 0), self.reading, error));
        }
        let rest = std::mem::replace(&mut self.bytes, Box::new(io::empty()));
        self.bytes = Box::new(Cursor::new(start.clone()).chain(rest));
        Ok(start)
    }
}

/// What an error means where an error of reading means `reading`: what the system says is not about the bytes.
pub(crate) fn meaning(reading: &'static str, error: &io::Error) -> &'static str {
    if error.raw_os_error().is_some() { READING } else { reading }
}

/// Reading itself failed.
const READING: &str = "reading failed";

type Decompressed = (Box<dyn Read + Send>, &'static str);

fn decompressed(mut raw: impl Read + Send + 'static) -> io::Result<Decompressed> {
    const READ_AHEAD: usize = 1 << 18;
    let mut start = Vec::new();
    raw.by_ref().take(ZSTD.len() as u64).read_to_end(&mut start)?;
    let (gzip, zstd) = (start.starts_with(&GZIP), start.starts_with(&ZSTD));
    let whole = Cursor::new(start).chain(raw);
    if gzip {
        let buffered = BufReader::with_capacity(READ_AHEAD, whole);
        return Ok((
            Box::new(MultiGzDecoder::new(buffered)),
            "the gzip data are cut off or damaged",
        ));
    }
    if zstd {
        let buffered = BufReader::with_capacity(READ_AHEAD, whole);
        let decoder = zstd::stream::read::Decoder::with_buffer(buffered)?;
        return Ok((Box::new(decoder), "the zstd data are cut off or damaged"));
    }
    Ok((Box::new(whole), READING))
}

/// The kind that the ending of the name tells; `.gz` and `.zst` are looked through.
fn by_ending(path: &Path) -> Option<FormatKind> {
    let ending = |path: &Path| path.extension()?.to_str().map(str::to_ascii_lowercase);
    let mut plain = path.to_owned();
    if ending(path).is_some_and(|ending| ending == "gz" || ending == "zst") {
        plain.set_extension("");
    }
    if is_named_like_mnist(&plain) {
        return Some(FormatKind::Idx);
    }
    match ending(&plain)?.as_str() {
        "idx" => Some(FormatKind::Idx),
        "csv" => Some(FormatKind::Csv),
        "parquet" | "pq" => Some(FormatKind::Parquet),
        "arrow" | "arrows" | "feather" | "ipc" => Some(FormatKind::Arrow),
        "tsv" | "tab" => Some(FormatKind::Tsv),
        "libsvm" | "svmlight" | "svm" => Some(FormatKind::Libsvm),
        _ => None,
    }
}

/// Whether the name ends like `train-images-idx3-ubyte`, with any digit.
fn is_named_like_mnist(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let digit = name.strip_suffix("-ubyte").and_then(|name| name.strip_suffix(char::is_numeric));
    digit.is_some_and(|name| name.ends_with("idx"))
}

/// The name of an input in messages.
fn name_of(path: &Path) -> String {
    if path == Path::new("-") { "stdin".to_owned() } else { path.display().to_string() }
}

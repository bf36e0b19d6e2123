//! Bytes from a path or standard input, with gzip and zstd undone.

use std::{
    fs::File,
    io::{self, BufReader, Cursor, Read},
    path::Path,
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
        Ok(Source { kind: by_ending(path), ..Self::stream(&name, file)? })
    }

    /// Any stream, called `name` in messages.
    ///
    /// # Errors
    /// [`ReadError::Open`] when not even its first bytes can be read.
    pub fn stream(name: &str, bytes: impl Read + Send + 'static) -> Result<Self, ReadError> {
        let open = |error| ReadError::Open { file: name.to_owned(), error };
        let (bytes, reading) = decompressed(bytes).map_err(open)?;
        Ok(Source { name: name.to_owned(), bytes, kind: None, reading })
    }
}

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
    Ok((Box::new(whole), "reading failed"))
}

/// The kind that the ending of the name tells; `.gz` and `.zst` are looked through.
fn by_ending(path: &Path) -> Option<FormatKind> {
    let ending = |path: &Path| path.extension()?.to_str().map(str::to_ascii_lowercase);
    let stem = path.with_extension("");
    let ending = match ending(path)?.as_str() {
        "gz" | "zst" => ending(&stem)?,
        other => other.to_owned(),
    };
    match ending.as_str() {
        "csv" => Some(FormatKind::Csv),
        "tsv" | "tab" => Some(FormatKind::Tsv),
        "libsvm" | "svmlight" | "svm" => Some(FormatKind::Libsvm),
        _ => None,
    }
}

/// The name of an input in messages.
fn name_of(path: &Path) -> String {
    if path == Path::new("-") { "stdin".to_owned() } else { path.display().to_string() }
}

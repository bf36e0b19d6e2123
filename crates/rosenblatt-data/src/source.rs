//! Bytes from a path or standard input, with gzip and zstd undone.

use std::{
    fs::File,
    io::{self, BufReader, Cursor, Read},
    path::Path,
};

use flate2::bufread::MultiGzDecoder;

use crate::error::ReadError;

/// A stream of plain bytes and the name for messages.
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) bytes: Box<dyn Read + Send>,
    /// What an error of reading means here.
    pub(crate) reading: &'static str,
}

const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

impl Source {
    /// Opens `path`, where `-` is standard input. A compression is told by its first bytes.
    pub(crate) fn open(path: &Path) -> Result<Self, ReadError> {
        let name = name_of(path);
        let file = |error| ReadError::Open { file: name.clone(), error };
        if path == Path::new("-") {
            Self::decompress(name.clone(), io::stdin()).map_err(file)
        } else {
            File::open(path).and_then(|open| Self::decompress(name.clone(), open)).map_err(file)
        }
    }

    /// Wraps any stream.
    pub(crate) fn decompress(name: String, raw: impl Read + Send + 'static) -> io::Result<Self> {
        const READ_AHEAD: usize = 1 << 18;
        let mut raw = raw;
        let mut start = Vec::new();
        raw.by_ref().take(ZSTD.len() as u64).read_to_end(&mut start)?;
        let (gzip, zstd) = (start.starts_with(&GZIP), start.starts_with(&ZSTD));
        let whole = Cursor::new(start).chain(raw);
        let (bytes, reading): (Box<dyn Read + Send>, _) = if gzip {
            let buffered = BufReader::with_capacity(READ_AHEAD, whole);
            (Box::new(MultiGzDecoder::new(buffered)), "the gzip data are cut off or damaged")
        } else if zstd {
            let buffered = BufReader::with_capacity(READ_AHEAD, whole);
            let decoder = zstd::stream::read::Decoder::with_buffer(buffered)?;
            (Box::new(decoder), "the zstd data are cut off or damaged")
        } else {
            (Box::new(whole), "reading failed")
        };
        Ok(Source { name, bytes, reading })
    }
}

/// The name of an input in messages.
pub(crate) fn name_of(path: &Path) -> String {
    if path == Path::new("-") { "stdin".to_owned() } else { path.display().to_string() }
}

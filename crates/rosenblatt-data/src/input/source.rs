//! Bytes from a path or standard input, with gzip and zstd undone.

use std::{
    fs::File,
    io::{self, Cursor, Read},
    path::{Path, PathBuf},
};

use super::encoding::{self, Decoder};
use crate::{notes::TableNote, options::Encoding, read_error::ReadError};

/// A stream of plain bytes, and its name for messages.
pub struct Source {
    pub(crate) name: String,
    pub(crate) bytes: Box<dyn Read + Send>,
    /// The compression that is undone.
    pub(crate) compression: Compression,
    /// Where the bytes come from, if that is a path.
    pub(crate) path: Option<PathBuf>,
    /// The labels, where they come in a file of their own.
    pub(crate) labels: Option<Box<Source>>,
    /// Whether rows are wanted as soon as they arrive.
    pub(crate) unbuffered: bool,
    /// Whether all of it is read before its columns are decided.
    pub(crate) in_one_block: bool,
    /// The sheet of a workbook that is named after the path.
    pub(crate) sheet: Option<String>,
    /// The files whose rows follow.
    pub(crate) more: Vec<PathBuf>,
    /// Whether only formats of text come into question. The name then tells the format as that of a file does.
    pub(crate) is_text: bool,
    /// What is to be said about the encoding of the text.
    pub(crate) noted_encoding: Option<TableNote>,
}

impl Source {
    /// Opens `path`, where `-` is standard input. A compression is told by its first bytes.
    ///
    /// # Errors
    /// [`ReadError::Open`]; [`ReadError::Address`].
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let name = name_of(path);
        if path == Path::new("-") {
            return Self::stream(&name, io::stdin());
        }
        if let Some((scheme, _)) = name.split_once("://")
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && !path.exists()
        {
            return Err(ReadError::Address { file: name });
        }
        if let Some((workbook, sheet)) = sheet_of(path) {
            let source = Self::open(&workbook)?;
            return Ok(Source { name, sheet: Some(sheet), ..source });
        }
        let file =
            File::open(path).map_err(|error| ReadError::Open { file: name.clone(), error })?;
        Ok(Source { path: Some(path.to_owned()), ..Self::stream(&name, file)? })
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

    /// Takes the labels of the examples from another source.
    pub fn with_labels(self, labels: Source) -> Self {
        Source { labels: Some(Box::new(labels)), ..self }
    }

    /// Lets the rows of more files follow, which must have the columns of this one.
    pub fn with_more(self, more: &[PathBuf]) -> Self {
        Source { more: more.to_vec(), ..self }
    }

    /// Whether a file can be opened, as far as can be told without reading it.
    pub(crate) fn check_exists(path: &Path) -> Result<(), ReadError> {
        if path == Path::new("-") || path.exists() {
            return Ok(());
        }
        Self::open(path).map(|_| ())
    }

    /// Any stream, called `name` in messages.
    ///
    /// # Errors
    /// [`ReadError::Open`] when not even its first bytes can be read.
    pub fn stream(name: &str, bytes: impl Read + Send + 'static) -> Result<Self, ReadError> {
        let open = |error| ReadError::Open { file: name.to_owned(), error };
        let (bytes, compression) = decompressed(bytes).map_err(open)?;
        Ok(Source { compression, ..Self::plain(name, bytes) })
    }

    /// The bytes of a text that is in memory, with the name of the file from which they come. No file is opened and no
    /// compression undone: a name that ends like that of Parquet data, say, does not make the bytes such data. All rows
    /// decide what the columns are.
    pub fn text(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Source {
            is_text: true,
            in_one_block: true,
            ..Self::plain(name, Box::new(Cursor::new(bytes.into())))
        }
    }

    /// A stream of bytes without a compression.
    pub(super) fn plain(name: impl Into<String>, bytes: Box<dyn Read + Send>) -> Self {
        Source {
            name: name.into(),
            bytes,
            compression: Compression::None,
            path: None,
            labels: None,
            unbuffered: false,
            in_one_block: false,
            sheet: None,
            more: Vec::new(),
            is_text: false,
            noted_encoding: None,
        }
    }

    /// The encoding of a file that is clearly not UTF-8. It is read whole for that, or its first bytes if it is compressed.
    ///
    /// # Errors
    /// [`ReadError`] of the file.
    pub(crate) fn evident_encoding(&self) -> Result<Option<Encoding>, ReadError> {
        const COMPRESSED: u64 = 1 << 26;
        let path = self.path.as_ref().filter(|path| path.is_file());
        let Some(path) = path else { return Ok(None) };
        let again = Source::open(path)?;
        let most = if self.compression == Compression::None { u64::MAX } else { COMPRESSED };
        // What cannot be read has an error of its own later.
        Ok(encoding::evident(again.bytes.take(most)).unwrap_or(None))
    }

    /// Reads the bytes as text in this encoding, or in UTF-16 if they begin with its byte order mark.
    ///
    /// # Errors
    /// [`ReadError::Read`].
    pub(crate) fn decoded(mut self, encoding: Encoding) -> Result<Self, ReadError> {
        let is_marked =
            encoding == Encoding::Utf8 && matches!(&self.peek(2)?[..], [0xff, 0xfe] | [0xfe, 0xff]);
        let encoding = if is_marked { Encoding::Utf16 } else { encoding };
        Ok(match encoding {
            Encoding::Utf8 => self,
            _ => Source {
                bytes: Box::new(Decoder::new(self.bytes, encoding)),
                noted_encoding: is_marked.then_some(TableNote::Utf16).or(self.noted_encoding),
                ..self
            },
        })
    }

    /// The first bytes, at most `most`, and if rows are wanted as soon as they arrive, at most the first line. They
    /// remain the first bytes of the source.
    ///
    /// # Errors
    /// [`ReadError::Read`].
    pub(crate) fn peek(&mut self, most: usize) -> Result<Vec<u8>, ReadError> {
        let mut start = vec![0; most];
        let mut filled = 0;
        while filled < most && !(self.unbuffered && start[..filled].contains(&b'\n')) {
            match self.bytes.read(&mut start[filled..]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let (file, what) = (self.name.clone(), self.compression.failure(&error));
                    return Err(ReadError::Read { file, line: 0, what, error });
                }
            }
        }
        start.truncate(filled);
        let rest = std::mem::replace(&mut self.bytes, Box::new(io::empty()));
        self.bytes = Box::new(Cursor::new(start.clone()).chain(rest));
        Ok(start)
    }
}

/// How a source was compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    None,
    Gzip,
    Zstd,
}

impl Compression {
    /// The meaning of an error of reading, in words. An error of the system is never about the compressed bytes.
    pub(crate) fn failure(self, error: &io::Error) -> &'static str {
        match self {
            Compression::Gzip if error.raw_os_error().is_none() => {
                "the gzip data are damaged or incomplete"
            }
            Compression::Zstd if error.raw_os_error().is_none() => {
                "the zstd data are damaged or incomplete"
            }
            Compression::None if error.kind() == io::ErrorKind::InvalidData => {
                "the bytes that follow are not text in this encoding"
            }
            _ => "reading failed",
        }
    }
}

type Decompressed = (Box<dyn Read + Send>, Compression);

/// A program without decoders gives compressed bytes as they are, which are no text.
#[cfg(not(feature = "compression"))]
fn decompressed(raw: impl Read + Send + 'static) -> io::Result<Decompressed> {
    Ok((Box::new(raw), Compression::None))
}

#[cfg(feature = "compression")]
fn decompressed(mut raw: impl Read + Send + 'static) -> io::Result<Decompressed> {
    use std::io::BufReader;

    use flate2::bufread::MultiGzDecoder;

    const GZIP: [u8; 2] = [0x1f, 0x8b];
    const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
    const READ_AHEAD: usize = 1 << 18;
    let mut start = Vec::new();
    // No more bytes than needed: the rest may come only after an answer to these.
    let may_be = |start: &[u8]| GZIP.starts_with(start) || ZSTD.starts_with(start);
    while may_be(&start) && raw.by_ref().take(1).read_to_end(&mut start)? > 0 {}
    let (gzip, zstd) = (start.starts_with(&GZIP), start.starts_with(&ZSTD));
    let whole = Cursor::new(start).chain(raw);
    if gzip {
        let buffered = BufReader::with_capacity(READ_AHEAD, whole);
        return Ok((Box::new(MultiGzDecoder::new(buffered)), Compression::Gzip));
    }
    if zstd {
        let buffered = BufReader::with_capacity(READ_AHEAD, whole);
        let decoder = zstd::stream::read::Decoder::with_buffer(buffered)?;
        return Ok((Box::new(decoder), Compression::Zstd));
    }
    Ok((Box::new(whole), Compression::None))
}

/// A workbook and its sheet, as in `data.xlsx#Sheet2`.
fn sheet_of(path: &Path) -> Option<(PathBuf, String)> {
    let (workbook, sheet) = path.to_str()?.rsplit_once('#')?;
    let is_workbook = workbook.to_ascii_lowercase().ends_with(".xlsx");
    (is_workbook && !path.exists()).then(|| (PathBuf::from(workbook), sheet.to_owned()))
}

/// The name of an input in messages.
fn name_of(path: &Path) -> String {
    if path == Path::new("-") { "stdin".to_owned() } else { path.display().to_string() }
}

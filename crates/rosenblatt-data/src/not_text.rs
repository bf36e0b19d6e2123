//! Files of other programs, told by their first bytes.

use std::fmt;

/// A kind of file that is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotText {
    /// Text in UTF-16.
    Utf16,
    /// Excel's `.xlsx`.
    Workbook,
    /// Excel's `.xls`.
    OldWorkbook,
    /// NumPy's `.npz`.
    NumpyArchive,
    /// NumPy's `.npy`.
    NumpyArray,
    /// Another zip archive.
    Zip,
    /// A bzip2, xz or 7z archive.
    Archive,
    /// HDF5, and MATLAB's files since version 7.3.
    Hdf5,
    /// MATLAB's files of version 5.
    Matlab,
    /// An SQLite database.
    Sqlite,
    /// A Python pickle.
    Pickle,
    /// A PDF document.
    Pdf,
    /// A page of the web.
    Html,
    /// The few lines that stand for a large file in a Git repository.
    LfsPointer,
    /// Other bytes that are not text.
    Binary,
}

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotText::Utf16 => "text in UTF-16",
            NotText::Workbook => "an Excel workbook (.xlsx)",
            NotText::OldWorkbook => "an Excel workbook (.xls)",
            NotText::NumpyArchive => "an archive of NumPy arrays (.npz)",
            NotText::NumpyArray => "a NumPy array (.npy)",
            NotText::Zip => "a zip archive",
            NotText::Archive => "an archive (bzip2, xz or 7z)",
            NotText::Hdf5 => "an HDF5 file",
            NotText::Matlab => "a MATLAB file (.mat)",
            NotText::Sqlite => "an SQLite database",
            NotText::Pickle => "a Python pickle",
            NotText::Pdf => "a PDF document",
            NotText::Html => "an HTML page",
            NotText::LfsPointer => "a pointer of Git LFS to a file",
            NotText::Binary => "binary data",
        })
    }
}

impl NotText {
    /// The kind of a file that begins with these bytes; `None` for text.
    pub(crate) fn of(block: &[u8]) -> Option<Self> {
        let has = |text: &[u8]| memchr::memmem::find(block, text).is_some();
        let known: [(&[u8], NotText); 16] = [
            (b"version https://git-lfs.github.com/spec/", NotText::LfsPointer),
            (b"\xff\xfe", NotText::Utf16),
            (b"\xfe\xff", NotText::Utf16),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", NotText::OldWorkbook),
            (b"\x93NUMPY", NotText::NumpyArray),
            (b"BZh91AY&SY", NotText::Archive),
            (b"\xfd7zXZ\0", NotText::Archive),
            (b"7z\xbc\xaf\x27\x1c", NotText::Archive),
            (b"\x89HDF\r\n\x1a\n", NotText::Hdf5),
            (b"MATLAB 5.0 MAT-file", NotText::Matlab),
            (b"SQLite format 3\0", NotText::Sqlite),
            (b"%PDF-", NotText::Pdf),
            (b"<!DOCTYPE html", NotText::Html),
            (b"<!doctype html", NotText::Html),
            (b"<html", NotText::Html),
            (b"\x80\x04\x95", NotText::Pickle),
        ];
        if block.starts_with(b"PK\x03\x04") {
            return Some(match (has(b"[Content_Types].xml") || has(b"xl/"), has(b".npy")) {
                (true, _) => NotText::Workbook,
                (false, true) => NotText::NumpyArchive,
                (false, false) => NotText::Zip,
            });
        }
        if let [0x80, 2..=5, ..] = block {
            return Some(NotText::Pickle);
        }
        let known = known.iter().find(|(start, _)| block.starts_with(start));
        known.map(|(_, kind)| *kind).or_else(|| block.contains(&0).then_some(NotText::Binary))
    }
}

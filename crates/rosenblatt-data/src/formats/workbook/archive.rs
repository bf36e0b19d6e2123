//! The bytes of a workbook, which is a zip archive, and the check that it is not out of proportion.

use std::io::{self, Cursor, Read};

use zip::ZipArchive;

use super::WorkbookProblem;

/// The most bytes of a workbook, and of its parts when they are decompressed.
const MOST: u64 = 1 << 28;
const MOST_IN_ALL: u64 = 1 << 30;

/// Reads a workbook, of which every part has been decompressed once: what a part says of its size is not believed.
pub(super) fn read(bytes: Box<dyn Read + Send>) -> Result<Vec<u8>, WorkbookProblem> {
    let damaged =
        |error: &dyn std::error::Error| WorkbookProblem::Damaged { message: error.to_string() };
    let mut workbook = Vec::new();
    bytes.take(MOST + 1).read_to_end(&mut workbook).map_err(|error| damaged(&error))?;
    if workbook.len() as u64 > MOST {
        return Err(WorkbookProblem::TooLarge { most: MOST, what: "compressed data" });
    }
    let mut archive = ZipArchive::new(Cursor::new(&workbook)).map_err(|error| damaged(&error))?;
    let mut left = MOST_IN_ALL;
    for i in 0..archive.len() {
        let part = archive.by_index(i).map_err(|error| damaged(&error))?;
        let size = io::copy(&mut part.take(left + 1), &mut io::sink());
        let size = size.map_err(|error| damaged(&error))?;
        left = left
            .checked_sub(size)
            .ok_or(WorkbookProblem::TooLarge { most: MOST_IN_ALL, what: "data" })?;
    }
    drop(archive);
    Ok(workbook)
}

//! The headers of a column's pages, each checked before the decoder reads it.

use std::{fs::File, sync::Arc};

use parquet::{
    errors::{ParquetError, Result},
    file::{
        metadata::ColumnChunkMetaData,
        reader::{ChunkReader, Length},
    },
};

use super::{LARGEST_RATIO, thrift::page_header};

/// Where the pages of a chunk are.
pub(super) struct PageHeaders {
    file: Arc<File>,
    /// The first byte of the next page.
    next: u64,
    /// The first byte after the chunk.
    end: u64,
}

impl PageHeaders {
    /// The pages of a chunk whose place and length are not below 0.
    pub(super) fn new(file: Arc<File>, chunk: &ColumnChunkMetaData) -> Result<Self> {
        let (next, length) = chunk.byte_range();
        match next.checked_add(length).filter(|&end| end <= file.len()) {
            Some(end) => Ok(PageHeaders { file, next, end }),
            None => Err(damaged("a column beyond the end of the file")),
        }
    }

    /// Checks the header of the next page, and of those that the decoder passes over before it.
    pub(super) fn pass(&mut self) -> Result<()> {
        while self.next < self.end {
            let bytes = self.file.get_read(self.next)?;
            let page = page_header(bytes, self.next).map_err(ParquetError::General)?;
            self.next += page.header + page.compressed;
            if self.next > self.end {
                return Err(damaged("a page beyond the end of its column"));
            }
            if page.is_index {
                continue;
            }
            return match page.uncompressed > LARGEST_RATIO as u64 * page.compressed {
                true => Err(damaged("a page of an impossible length")),
                false => Ok(()),
            };
        }
        Ok(())
    }
}

pub(super) fn damaged(what: &str) -> ParquetError {
    ParquetError::General(format!("damaged: {what}"))
}

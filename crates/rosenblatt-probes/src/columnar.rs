//! Any bytes as a Parquet or Arrow file.

use rosenblatt_data::{FormatKind, ReadOptions};

use crate::readers::learned;

/// Parquet.
pub(crate) fn parquet(bytes: &[u8]) {
    learned(bytes, &ReadOptions { format: Some(FormatKind::PARQUET), ..ReadOptions::default() });
}

/// Arrow, as a file or a stream.
pub(crate) fn arrow(bytes: &[u8]) {
    learned(bytes, &ReadOptions { format: Some(FormatKind::ARROW), ..ReadOptions::default() });
}

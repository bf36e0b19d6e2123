//! Any bytes as a Parquet or Arrow file.

use rosenblatt_data::{FormatKind, ReadOptions};

use crate::readers::learned;

/// Parquet.
pub(crate) fn parquet(bytes: &[u8]) {
    learned(bytes, &ReadOptions { format: Some(FormatKind::Parquet), ..ReadOptions::default() });
}

/// Arrow, as a file or a stream.
pub(crate) fn arrow(bytes: &[u8]) {
    learned(bytes, &ReadOptions { format: Some(FormatKind::Arrow), ..ReadOptions::default() });
}

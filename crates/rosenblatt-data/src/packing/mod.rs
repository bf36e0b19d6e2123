//! Packing: the encoded rows of a file, written once as a [packed file](crate::formats::packed) and then mapped.
//!
//! [`pack`] writes a packed file where the user wants it; [`read_within`] keeps one next to data that are larger than the
//! memory for them.

mod cache;
mod data_files;
mod pack;
mod trust;
mod writer;

pub use cache::{Before, CacheUse, read_within};
pub use data_files::DataFiles;
pub use pack::pack;
pub use trust::Distrust;
pub use writer::{PackError, Packing};

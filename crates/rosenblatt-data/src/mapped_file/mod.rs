//! Files as memory, and what happens when another program changes one meanwhile.

mod cut_off;
mod map;
mod seal;

pub use cut_off::report_cut_off_files;
pub(crate) use map::{MappedFile, Plain};
pub(crate) use seal::Seal;

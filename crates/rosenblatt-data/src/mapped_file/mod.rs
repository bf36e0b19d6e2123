//! Files as memory, and what happens when another program changes one meanwhile.

#[cfg(feature = "files")]
mod cut_off;
#[cfg(feature = "files")]
mod map;
#[cfg(not(feature = "files"))]
mod not_built;
#[cfg(feature = "files")]
mod prepared;
#[cfg(feature = "files")]
mod seal;

#[cfg(feature = "files")]
pub use cut_off::report_cut_off_files;
#[cfg(feature = "files")]
pub(crate) use map::{MappedFile, Plain};
#[cfg(not(feature = "files"))]
pub(crate) use not_built::Seal;
#[cfg(feature = "files")]
pub use prepared::prepare_on_disk;
#[cfg(feature = "files")]
pub(crate) use seal::Seal;

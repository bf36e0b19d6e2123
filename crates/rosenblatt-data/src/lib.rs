//! Files and streams become data; models become files.
//!
//! The path of a file to examples, from the bottom up:
//!
//! ```text
//! input     bytes of a path or standard input, gzip and zstd undone; blocks that end where a record ends, of about a
//!           mebibyte; each block parsed on its own, by several threads, into a batch; batches in order
//! formats   CSV, TSV, LIBSVM, IDX, Parquet, Arrow, packed files: one folder each, and one list
//! table     batches, the layout of columns, the schema of a model, batches joined or encoded as rows of features
//! read, training_input, packing
//!           a file whole in memory; a file from which each example is learned once; encoded rows that are mapped
//! files     models and checkpoints, written whole or not at all
//! export    models for other programs
//! fast      what exists only for speed
//! ```
//!
//! Every error names its file, line and column. Nothing is coerced: a cell that is not what its column
//! holds is an error, or, on request, a row that is counted and left out.
//!
//! To add a format: a folder in `formats` with a `FileFormat`, and its entry in the list in `formats/mod.rs`. A text
//! format is a [`Batch`](batch::Batch) for each block of lines.

mod digest;
mod error;
mod escape;
pub mod export;
mod fast;
mod fault;
mod files;
mod formats;
mod input;
mod mapped_file;
mod notes;
mod number;
mod options;
mod packing;
mod read;
mod sealed;
mod table;
mod training_input;

pub use error::{MostFeatures, ReadError};
pub use escape::{escaped, is_hidden};
pub use export::{ExportError, ExportFormat, export};
pub use fault::{Excerpt, FormatProblem, Problem};
pub use files::{
    atomic_file::{AtomicFile, discard_unfinished, prepare},
    checkpoint::{self, CheckpointFile, CheckpointFileError},
    model::{self as model_file, LoadedModel, ModelFile, ModelFileError},
};
pub use formats::{
    columnar::ColumnarProblem, csv::CsvProblem, idx::IdxProblem, libsvm::LibsvmProblem,
    packed::PackedProblem,
};
pub use input::{reader::Reader, source::Source};
pub use mapped_file::report_cut_off_files;
pub use notes::Notes;
pub use options::{Delimiter, FormatKind, Hashing, Header, OnError, ReadOptions};
pub use packing::{Before, CacheUse, DataFiles, Distrust, PackError, Packing, pack, read_within};
pub use read::read;
#[doc(hidden)]
pub use sealed::sealed;
pub use table::{
    batch,
    dataset::Dataset,
    encode::{self, Encoder},
    schema::{self, Format, Schema},
    shape::Shape,
};
pub use training_input::{BatchError, Batches, TrainingBatch, TrainingInput};

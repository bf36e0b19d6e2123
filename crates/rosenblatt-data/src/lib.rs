//! Files and streams become data; models become files.
//!
//! A file flows through four stages, in this order:
//!
//! ```text
//! source   bytes from a path or standard input, gzip and zstd undone
//! blocks   pieces that end at the end of a record, of about a mebibyte
//! csv, libsvm, idx   each piece parsed on its own (so pieces can be parsed in parallel) into a batch
//! columnar   Parquet and Arrow have no such pieces: their columns are read into batches
//! dataset  batches joined, in order; or encoded one by one for a model that is already there
//! ```
//!
//! Every error names its file, line and column. Nothing is coerced: a cell that is not what its column
//! holds is an error, or, on request, a row that is counted and left out.
//!
//! To add a format: a parser from a piece to a [`Batch`](batch::Batch), and a value of
//! [`Format`].

pub mod atomic_file;
pub mod batch;
mod blocks;
pub mod checkpoint;
mod columnar;
mod csv;
pub mod dataset;
mod dictionary;
pub mod encode;
pub mod error;
pub mod export;
pub mod feed;
mod idx;
mod libsvm;
mod marks;
pub mod model_file;
mod number;
mod open;
pub mod options;
mod packed;
mod pipeline;
pub mod reader;
mod room;
pub mod schema;
mod sealed;
mod shown;
mod source;
mod tensor_file;
pub mod words;

pub use atomic_file::{AtomicFile, discard_unfinished, prepare};
pub use checkpoint::{CheckpointFile, CheckpointFileError};
pub use columnar::ColumnarProblem;
pub use dataset::{Dataset, read};
pub use encode::Encoder;
pub use error::{Problem, ReadError};
pub use export::{ExportError, ExportFormat, export};
pub use feed::{Batches, Feed, FeedError};
pub use idx::{IdxProblem, Shape};
pub use model_file::{LoadedModel, ModelFile, ModelFileError};
pub use options::{Delimiter, Format, FormatKind, Header, OnError, ReadOptions};
pub use packed::{
    Before, Beside, Distrust, PackError, Packing, pack, read_within, report_cut_off_files,
};
pub use reader::Reader;
pub use schema::Schema;
#[doc(hidden)]
pub use sealed::sealed;
pub use shown::{escaped, is_hidden};
pub use source::Source;
pub use words::Hashing;

//! Files and streams become data; models become files.
//!
//! A file passes through these modules, from the bottom up:
//!
//! ```text
//! input      bytes from a path or standard input, with gzip and zstd undone; blocks of about a mebibyte that end
//!            where a record ends; several threads, each parsing a block into a batch; batches in order
//! formats    CSV, TSV, LIBSVM, JSON, IDX, Parquet, Arrow and packed files: one folder each, and one list of all
//! table      batches, the layout of columns, the schema of a model; batches joined, or encoded as rows of features
//! read       a whole file in memory; read_like, by the columns that a model knows
//! training_input
//!            a file from which each example is learned once, batch by batch
//! packing    encoded rows written to a file that is mapped instead of read
//! files      models and checkpoints, written whole or not at all
//! export     models for other programs, and explain: what each feature adds to a score, by name
//! trace      a run visit by visit as a table, and sheet: such a table, checked
//! fast       what exists only for speed
//! ```
//!
//! Without the features `files` and `compression` only the readers of text remain, without C, maps and temporary files: they
//! compile to WebAssembly.
//!
//! Every error names its file, line and column. Nothing is coerced: a cell that does not fit its column is an error, or,
//! on request, a row that is left out and counted.
//!
//! To add a format, add a folder to `formats` that implements `FileFormat`, and an entry to the list in
//! `formats/mod.rs`.

#![cfg_attr(not(feature = "files"), allow(dead_code, unreachable_pub, unused_imports))] // what only `files` uses

#[cfg(feature = "files")]
mod digest;
#[cfg(feature = "files")]
mod error;
mod escape;
pub mod explain;
#[cfg(feature = "files")]
pub mod export;
mod fast;
mod fault;
#[cfg(feature = "files")]
mod files;
mod formats;
mod input;
#[cfg(feature = "files")]
mod learn_file;
mod mapped_file;
mod not_text;
mod note;
mod notes;
mod number;
mod number_form;
mod options;
#[cfg(feature = "files")]
mod packing;
#[cfg(feature = "files")]
mod predict_file;
mod read;
mod read_error;
mod read_like;
mod remedy;
mod room;
#[cfg(feature = "files")]
mod sealed;
#[cfg(feature = "files")]
pub mod sheet;
mod similar;
mod table;
pub mod text;
mod trace;
mod training_input;
mod vowpal_wabbit;

#[cfg(feature = "files")]
pub use error::{Error, Result};
pub use escape::{escaped, is_hidden};
#[cfg(feature = "files")]
pub use export::{ExportError, ExportFormat, export};
pub use fault::{CellCounts, Excerpt, FormatProblem, Problem};
#[cfg(feature = "files")]
pub use files::{
    atomic_file::{AtomicFile, discard_unfinished, prepare},
    checkpoint::{self, CheckpointFile, CheckpointFileError},
    model::{self as model_file, LoadedModel, ModelFile, ModelFileError, NamesError},
};
#[cfg(feature = "files")]
pub use formats::packed::PackedProblem;
pub use formats::{
    arff::ArffProblem, columnar::ColumnarProblem, csv::CsvProblem, fasttext::FastTextProblem,
    idx::IdxProblem, json::JsonProblem, libsvm::LibsvmProblem, workbook::WorkbookProblem,
};
pub use input::{reader::Reader, source::Source};
#[cfg(feature = "files")]
pub use mapped_file::{prepare_on_disk, report_cut_off_files};
pub use not_text::NotText;
pub use note::{Note, NoteCode, NoteJson, Severity, categories_by_case, classes_by_case};
pub use notes::{
    Decisions, Doubt, DoubtfulValues, Filled, LeftOutBecause, LeftOutColumn, Notes, ReadAs,
    ReadKind, TableNote,
};
pub use number_form::{DateOrder, Decimal, NumberForm};
pub use options::{
    CharNgrams, Cut, Delimiter, Encoding, FormatKind, Hashing, Header, MissingOption, MissingRule,
    OnError, Quoting, ReadOptions, TextNumbers, UnknownCharNgrams, UnknownMissingRule,
};
#[cfg(feature = "files")]
pub use packing::{Before, CacheUse, DataFiles, Distrust, PackError, Packing, pack, read_within};
#[cfg(feature = "files")]
pub use predict_file::FilePredictions;
pub use read::read;

pub use read_error::{Candidate, MostFeatures, ReadError, TargetDoubt};
pub use read_like::{RowsLike, read_like};
pub use remedy::Remedy;
pub use room::{NoRoom, is_asking_for_room};
#[cfg(feature = "files")]
pub use sealed::sealed;
pub use similar::similar;
pub use table::{
    batch,
    dataset::Dataset,
    encode::{self, Encoder},
    encoded_cells::EncodedCells,
    schema::{self, Format, Schema},
    shape::Shape,
};
pub use trace::{TraceFormat, TraceTable};
pub use training_input::{BatchError, Batches, TrainingBatch, TrainingInput};
pub use vowpal_wabbit::VowpalWabbitLines;

/// The README, whose program is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

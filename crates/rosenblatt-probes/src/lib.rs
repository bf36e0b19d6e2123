//! What must hold for any bytes whatever.
//!
//! A probe is a function of bytes. One that returns is content; one that panics has found a bug. The fuzz
//! targets (`fuzz/fuzz_targets`) call probes with bytes that libFuzzer makes, the tests of this crate with the seeds
//! ([`seeds`]) and with what was ever found (`tests/found_inputs`).
//!
//! A hostile input is small here, and the work that it may ask for is bounded, so that a probe takes
//! less than a millisecond for most bytes.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a probe that panics has found a bug

mod certificate;
mod checkpoints;
#[cfg(feature = "columnar")]
mod columnar;
mod digest;
mod draw;
mod exact;
mod models;
mod onnx;
mod packed;
mod question;
mod readers;
pub mod seeds;

/// A probe and its name, which is that of its fuzz target.
pub struct Probe {
    /// The name.
    pub name: &'static str,
    /// Panics where something does not hold.
    pub run: fn(&[u8]),
}

/// All probes that are built.
pub const PROBES: &[Probe] = &[
    Probe { name: "question", run: question::question },
    Probe { name: "certificate", run: certificate::certificate },
    Probe { name: "table_comma", run: readers::table_comma },
    Probe { name: "table_tab", run: readers::table_tab },
    Probe { name: "table_blanks", run: readers::table_blanks },
    Probe { name: "table_words", run: readers::table_words },
    Probe { name: "libsvm", run: readers::libsvm },
    Probe { name: "json", run: readers::json },
    Probe { name: "arff", run: readers::arff },
    Probe { name: "fasttext", run: readers::fasttext },
    Probe { name: "idx", run: readers::idx },
    Probe { name: "guessed", run: readers::guessed },
    #[cfg(feature = "columnar")]
    Probe { name: "parquet", run: columnar::parquet },
    #[cfg(feature = "columnar")]
    Probe { name: "arrow", run: columnar::arrow },
    #[cfg(feature = "columnar")]
    Probe { name: "workbook", run: readers::workbook },
    Probe { name: "onnx", run: onnx::onnx },
    Probe { name: "packed", run: packed::packed },
    Probe { name: "model_file", run: models::model_file },
    Probe { name: "model_predicts", run: models::model_predicts },
    Probe { name: "checkpoint", run: checkpoints::checkpoint },
    Probe { name: "resume", run: checkpoints::resume },
];

/// Runs the probe of this name.
///
/// # Panics
/// Where something does not hold that must, and when there is no such probe.
pub fn run(name: &str, bytes: &[u8]) {
    let Some(probe) = PROBES.iter().find(|probe| probe.name == name) else {
        panic!("there is no probe `{name}`")
    };
    (probe.run)(bytes);
}

/// The README and the pages of `docs` with Rust, which runs as tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../README.md")]
    pub struct Readme;
    #[doc = include_str!("../../../docs/rust.md")]
    pub struct Rust;
    #[doc = include_str!("../../../docs/lectures/varner.md")]
    pub struct Varner;
    #[doc = include_str!("../../../docs/lectures/lauer.md")]
    pub struct Lauer;
    #[doc = include_str!("../../../docs/lectures/shalizi.md")]
    pub struct Shalizi;
    #[doc = include_str!("../../../docs/lectures/dsc255.md")]
    pub struct Dsc255;
    #[doc = include_str!("../../../docs/lectures/carson.md")]
    pub struct Carson;
}

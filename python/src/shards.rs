//! Hashes of rows, which say to which shard a row belongs and where in it.

use numpy::PyArray1;
use pyo3::prelude::*;
use rosenblatt_core::data::Row;

use crate::{
    errors::{detached, value_error},
    matrix::Matrix,
};

/// A hash of each row that follows from the seed and the numbers that are not 0: equal for dense and sparse rows, and for
/// 32-bit and 64-bit values.
#[pyfunction]
pub(crate) fn row_hashes<'py>(
    py: Python<'py>,
    matrix: Matrix<'py>,
    seed: u64,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let view = matrix.view()?;
    let hashes: Vec<u64> = detached(py, || {
        let rows = view.rows().map_err(value_error)?;
        Ok((0..rows.len()).map(|i| hash(&rows.row(i), seed)).collect())
    })?;
    Ok(PyArray1::from_vec(py, hashes))
}

fn hash(row: &Row, seed: u64) -> u64 {
    let mut sum = 0_u64;
    row.for_each(|feature, value| sum = sum.wrapping_add(entry(feature, value, seed)));
    scrambled(sum)
}

/// A number for a value at its feature; 0 for the value 0.
fn entry(feature: usize, value: f64, seed: u64) -> u64 {
    if value == 0.0 { 0 } else { scrambled(value.to_bits().wrapping_add(place(feature, seed))) }
}

fn place(feature: usize, seed: u64) -> u64 {
    scrambled((feature as u64).wrapping_add(seed))
}

/// The finalizer of `SplitMix64` (Steele, Lea & Flood 2014).
fn scrambled(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

//! Matrices of NumPy and SciPy, borrowed.

use std::{borrow::Cow, slice};

use numpy::{
    Element, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArrayDyn, PyUntypedArrayMethods,
};
use pyo3::{exceptions::PyTypeError, prelude::*};
use rosenblatt::data::{Rows, RowsError, Storage};

use crate::failure::value;

/// Values in one of the two widths that are learned from.
enum Values<'py> {
    F32(PyReadonlyArrayDyn<'py, f32>),
    F64(PyReadonlyArrayDyn<'py, f64>),
}

/// Integers as SciPy has them.
enum Integers<'py> {
    I32(PyReadonlyArray1<'py, i32>),
    I64(PyReadonlyArray1<'py, i64>),
}

/// A matrix: a two-dimensional array in C order, or `(data, indices, indptr, features)` of a CSR matrix.
pub(crate) struct Matrix<'py> {
    values: Values<'py>,
    layout: Layout<'py>,
}

enum Layout<'py> {
    Dense { features: usize },
    Sparse { indices: Integers<'py>, offsets: Integers<'py>, features: usize },
}

/// The same without the interpreter.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    values: ViewValues<'a>,
    layout: ViewLayout<'a>,
}

#[derive(Clone, Copy)]
enum ViewValues<'a> {
    F32(&'a [f32]),
    F64(&'a [f64]),
}

#[derive(Clone, Copy)]
enum ViewLayout<'a> {
    Dense { features: usize },
    Sparse { indices: ViewIntegers<'a>, offsets: ViewIntegers<'a>, features: usize },
}

#[derive(Clone, Copy)]
enum ViewIntegers<'a> {
    I32(&'a [i32]),
    I64(&'a [i64]),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Matrix<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok((data, indices, offsets, features)) = object.extract::<SparseParts<'py>>() {
            if features > i32::MAX as usize {
                return Err(value(format!(
                    "{features} features are too many, the limit is {}",
                    i32::MAX
                )));
            }
            let layout = Layout::Sparse {
                indices: integers(&indices)?,
                offsets: integers(&offsets)?,
                features,
            };
            return Ok(Matrix { values: values(&data)?, layout });
        }
        let features = match object.extract::<PyReadonlyArray2<'py, f32>>() {
            Ok(array) => array.shape()[1],
            Err(_) => object
                .extract::<PyReadonlyArray2<'py, f64>>()
                .map_err(|_| {
                    PyTypeError::new_err(
                        "expected an array of float32 or float64 with two dimensions",
                    )
                })?
                .shape()[1],
        };
        Ok(Matrix { values: values(&object)?, layout: Layout::Dense { features } })
    }
}

type SparseParts<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>, usize);

fn values<'py>(object: &Bound<'py, PyAny>) -> PyResult<Values<'py>> {
    if let Ok(array) = object.extract() {
        return Ok(Values::F32(array));
    }
    object
        .extract()
        .map(Values::F64)
        .map_err(|_| PyTypeError::new_err("expected an array of float32 or float64"))
}

fn integers<'py>(object: &Bound<'py, PyAny>) -> PyResult<Integers<'py>> {
    if let Ok(array) = object.extract() {
        return Ok(Integers::I32(array));
    }
    object
        .extract()
        .map(Integers::I64)
        .map_err(|_| PyTypeError::new_err("expected an array of int32 or int64"))
}

/// The numbers of an array in C order.
pub(crate) fn numbers<'a, T: Element, D: numpy::ndarray::Dimension>(
    array: &'a numpy::PyReadonlyArray<'_, T, D>,
) -> PyResult<&'a [T]> {
    if !array.is_c_contiguous() {
        return Err(PyTypeError::new_err("expected an array in C order"));
    }
    array.as_slice().map_err(value)
}

impl Integers<'_> {
    fn view(&self) -> PyResult<ViewIntegers<'_>> {
        Ok(match self {
            Integers::I32(array) => ViewIntegers::I32(numbers(array)?),
            Integers::I64(array) => ViewIntegers::I64(numbers(array)?),
        })
    }
}

impl Matrix<'_> {
    /// What the engine sees of it.
    pub(crate) fn view(&self) -> PyResult<View<'_>> {
        let values = match &self.values {
            Values::F32(array) => ViewValues::F32(numbers(array)?),
            Values::F64(array) => ViewValues::F64(numbers(array)?),
        };
        let layout = match &self.layout {
            Layout::Dense { features } => ViewLayout::Dense { features: *features },
            Layout::Sparse { indices, offsets, features } => ViewLayout::Sparse {
                indices: indices.view()?,
                offsets: offsets.view()?,
                features: *features,
            },
        };
        Ok(View { values, layout })
    }
}

impl<'a> View<'a> {
    /// The rows; values are not copied, nor are indices of 32 bits.
    ///
    /// Cost: one pass, which checks them.
    pub(crate) fn rows(self) -> Result<Rows<'a>, RowsError> {
        let values: Storage<'a> = match self.values {
            ViewValues::F32(values) => values.into(),
            ViewValues::F64(values) => values.into(),
        };
        match self.layout {
            ViewLayout::Dense { features } => Rows::dense(values, features),
            ViewLayout::Sparse { indices, offsets, features } => {
                Rows::sparse(offsets.widened(), indices.as_indices(), values, features)
            }
        }
    }
}

impl<'a> ViewIntegers<'a> {
    /// As offsets; a negative one becomes one past every array.
    fn widened(self) -> Vec<usize> {
        match self {
            ViewIntegers::I32(numbers) => {
                numbers.iter().map(|&n| usize::try_from(n).unwrap_or(usize::MAX)).collect()
            }
            ViewIntegers::I64(numbers) => {
                numbers.iter().map(|&n| usize::try_from(n).unwrap_or(usize::MAX)).collect()
            }
        }
    }

    /// As indices; one that is negative or too large becomes one past every feature.
    fn as_indices(self) -> Cow<'a, [u32]> {
        match self {
            ViewIntegers::I32(numbers) => Cow::Borrowed(unsigned(numbers)),
            ViewIntegers::I64(numbers) => {
                numbers.iter().map(|&n| u32::try_from(n).unwrap_or(u32::MAX)).collect()
            }
        }
    }
}

/// The same bits without a sign: what was negative is 2³¹ or more.
#[allow(unsafe_code)] // no safe way to see a slice as one of another type
fn unsigned(numbers: &[i32]) -> &[u32] {
    // SAFETY: `u32` has the size and alignment of `i32`, and every pattern of bits is one of its values.
    unsafe { slice::from_raw_parts(numbers.as_ptr().cast(), numbers.len()) }
}

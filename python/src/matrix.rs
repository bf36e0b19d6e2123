//! Borrowed matrices of NumPy and SciPy.

use std::{borrow::Cow, slice};

use numpy::{Element, PyReadonlyArray1, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::{exceptions::PyTypeError, prelude::*};
use rosenblatt_core::data::{Rows, RowsError, Storage};

use crate::errors::value_error;

/// The first type is tried first, and the error of a type that does not fit takes long to make.
#[derive(FromPyObject)]
enum Values<'py> {
    F64(PyReadonlyArrayDyn<'py, f64>),
    F32(PyReadonlyArrayDyn<'py, f32>),
}

/// Indices or offsets of SciPy.
#[derive(FromPyObject)]
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

/// A [`Matrix`] that can be read without the interpreter.
pub(crate) struct MatrixView<'a> {
    values: Storage<'a>,
    layout: LayoutView<'a>,
}

enum LayoutView<'a> {
    Dense { features: usize },
    Sparse { indices: IntegersView<'a>, offsets: IntegersView<'a>, features: usize },
}

enum IntegersView<'a> {
    I32(&'a [i32]),
    I64(&'a [i64]),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Matrix<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok((values, indices, offsets, features)) = object.extract() {
            if features > i32::MAX as usize {
                let (found, limit) = (features, i32::MAX);
                let message = format!("{found} features are too many, the limit is {limit}");
                return Err(value_error(message));
            }
            let layout = Layout::Sparse { indices, offsets, features };
            return Ok(Matrix { values, layout });
        }
        let type_error =
            || PyTypeError::new_err("expected an array of float32 or float64 with two dimensions");
        let values: Values<'py> = object.extract().map_err(|_| type_error())?;
        let shape = match &values {
            Values::F32(array) => array.shape(),
            Values::F64(array) => array.shape(),
        };
        let &[_, features] = shape else { return Err(type_error()) };
        Ok(Matrix { values, layout: Layout::Dense { features } })
    }
}

/// The numbers of an array in C order.
pub(crate) fn numbers<'a, T: Element, D: numpy::ndarray::Dimension>(
    array: &'a numpy::PyReadonlyArray<'_, T, D>,
) -> PyResult<&'a [T]> {
    if !array.is_c_contiguous() {
        return Err(PyTypeError::new_err("expected an array in C order"));
    }
    array.as_slice().map_err(value_error)
}

impl Integers<'_> {
    fn view(&self) -> PyResult<IntegersView<'_>> {
        Ok(match self {
            Integers::I32(array) => IntegersView::I32(numbers(array)?),
            Integers::I64(array) => IntegersView::I64(numbers(array)?),
        })
    }
}

impl Matrix<'_> {
    pub(crate) fn view(&self) -> PyResult<MatrixView<'_>> {
        let values = match &self.values {
            Values::F32(array) => numbers(array)?.into(),
            Values::F64(array) => numbers(array)?.into(),
        };
        let layout = match &self.layout {
            Layout::Dense { features } => LayoutView::Dense { features: *features },
            Layout::Sparse { indices, offsets, features } => LayoutView::Sparse {
                indices: indices.view()?,
                offsets: offsets.view()?,
                features: *features,
            },
        };
        Ok(MatrixView { values, layout })
    }
}

impl<'a> MatrixView<'a> {
    /// The rows, checked in one pass. Values and 32-bit indices are not copied.
    pub(crate) fn rows(self) -> Result<Rows<'a>, RowsError> {
        match self.layout {
            LayoutView::Dense { features } => Rows::dense(self.values, features),
            LayoutView::Sparse { indices, offsets, features } => {
                Rows::sparse(offsets.into_offsets(), indices.into_indices(), self.values, features)
            }
        }
    }
}

impl<'a> IntegersView<'a> {
    /// A negative offset becomes one past every array, which the engine refuses.
    fn into_offsets(self) -> Vec<usize> {
        match self {
            IntegersView::I32(numbers) => {
                numbers.iter().map(|&n| usize::try_from(n).unwrap_or(usize::MAX)).collect()
            }
            IntegersView::I64(numbers) => {
                numbers.iter().map(|&n| usize::try_from(n).unwrap_or(usize::MAX)).collect()
            }
        }
    }

    /// A negative or too large index becomes one past every feature, which the engine refuses.
    fn into_indices(self) -> Cow<'a, [u32]> {
        match self {
            IntegersView::I32(numbers) => Cow::Borrowed(unsigned(numbers)),
            IntegersView::I64(numbers) => {
                numbers.iter().map(|&n| u32::try_from(n).unwrap_or(u32::MAX)).collect()
            }
        }
    }
}

/// The bits as unsigned numbers; a negative number becomes 2³¹ or more.
#[allow(unsafe_code)] // no safe way to see a slice as one of another type
fn unsigned(numbers: &[i32]) -> &[u32] {
    // SAFETY: `u32` has the size and alignment of `i32`, and every bit pattern is a valid value.
    unsafe { slice::from_raw_parts(numbers.as_ptr().cast(), numbers.len()) }
}

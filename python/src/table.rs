//! Tables of pandas, polars, pyarrow and others, read through the Arrow C stream interface.

use std::ffi::CStr;

use arrow_array::{
    Array, RecordBatch, RecordBatchReader,
    cast::AsArray,
    ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader},
    types::{
        ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
        UInt8Type, UInt16Type, UInt32Type, UInt64Type,
    },
};
use arrow_schema::DataType;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::{
    exceptions::{PyException, PyTypeError},
    prelude::*,
    types::{PyCapsule, PyCapsuleMethods},
};

use crate::errors::value_error;

const STREAM: &CStr = c"arrow_array_stream";

/// Copies a table of numbers into an array in C order, and returns it with the names of the columns. The array is float32
/// if all columns are, otherwise float64. Raises `TypeError` for a table that does not consist of numbers, and
/// `ValueError` for a missing value, or, if `exact`, for an integer that would be rounded.
#[pyfunction]
pub(crate) fn table<'py>(
    py: Python<'py>,
    object: &Bound<'py, PyAny>,
    exact: bool,
) -> PyResult<(Bound<'py, PyAny>, Vec<String>)> {
    let capsule =
        object.call_method0("__arrow_c_stream__").map_err(|error| type_error(py, error))?;
    let reader = open(capsule.cast::<PyCapsule>()?)?;
    let schema = reader.schema();
    let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    if let Some(field) = schema.fields().iter().find(|field| !is_number(field.data_type())) {
        let (name, kind) = (field.name(), field.data_type());
        return Err(PyTypeError::new_err(format!("column `{name}` is {kind}, expected numbers")));
    }
    let is_single = schema.fields().iter().all(|field| *field.data_type() == DataType::Float32);
    let batches: Vec<RecordBatch> =
        py.detach(|| reader.collect::<Result<_, _>>()).map_err(value_error)?;
    if let Some((name, value)) = batches.iter().filter(|_| exact).find_map(rounded_integer) {
        return Err(value_error(format!(
            "the integer {value} of column `{name}` has more digits than a 64-bit float"
        )));
    }
    let array = if is_single {
        concatenate::<f32>(py, &batches, names.len(), |value| value as f32)?
    } else {
        concatenate::<f64>(py, &batches, names.len(), |value| value)?
    };
    Ok((array, names))
}

/// Moves the stream out of its capsule.
#[allow(unsafe_code)] // the interface is one of C
fn open(capsule: &Bound<'_, PyCapsule>) -> PyResult<RecordBatchStreamReader> {
    let pointer = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: by the Arrow PyCapsule interface, a capsule of this name holds a stream. `from_raw` moves it out and
    // leaves a released stream, which the capsule's destructor ignores.
    let reader = unsafe { RecordBatchStreamReader::from_raw(pointer.as_ptr()) };
    reader.map_err(|error| PyTypeError::new_err(error.to_string()))
}

/// A table that cannot be exported to Arrow is a `TypeError`. Ctrl-C stays `KeyboardInterrupt`.
fn type_error(py: Python<'_>, error: PyErr) -> PyErr {
    if error.is_instance_of::<PyException>(py) {
        PyTypeError::new_err(error.to_string())
    } else {
        error
    }
}

fn is_number(kind: &DataType) -> bool {
    kind.is_integer() || matches!(kind, DataType::Float32 | DataType::Float64 | DataType::Boolean)
}

/// The first integer that is no 64-bit float, with the name of its column.
fn rounded_integer(batch: &RecordBatch) -> Option<(String, i128)> {
    batch.columns().iter().enumerate().find_map(|(feature, column)| {
        let value = match column.data_type() {
            DataType::Int64 => rounded::<Int64Type>(column),
            DataType::UInt64 => rounded::<UInt64Type>(column),
            _ => None,
        };
        Some((batch.schema_ref().field(feature).name().clone(), value?))
    })
}

fn rounded<T: ArrowPrimitiveType<Native: Into<i128>>>(column: &dyn Array) -> Option<i128> {
    let mut values = column.as_primitive::<T>().iter().flatten().map(Into::into);
    values.find(|value| *value as f64 as i128 != *value)
}

/// The rows of all batches.
fn concatenate<'py, T: numpy::Element + Copy + Default + Send>(
    py: Python<'py>,
    batches: &[RecordBatch],
    features: usize,
    convert: impl Fn(f64) -> T + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
    let fill = || -> PyResult<Vec<T>> {
        let mut all = vec![T::default(); rows * features];
        let mut first = 0;
        // In a batch without rows, the slice of a column would begin past the end.
        for batch in batches.iter().filter(|batch| batch.num_rows() > 0) {
            let target = &mut all[first * features..(first + batch.num_rows()) * features];
            for (feature, column) in batch.columns().iter().enumerate() {
                if let Some(row) = (0..column.len()).find(|&row| column.is_null(row)) {
                    let name = batch.schema_ref().field(feature).name().clone();
                    let row = first + row;
                    return Err(value_error(format!(
                        "Input X contains NaN: column `{name}`, row {row} is missing"
                    )));
                }
                write_column(column.as_ref(), &mut target[feature..], features, &convert);
            }
            first += batch.num_rows();
        }
        Ok(all)
    };
    let all = py.detach(fill)?;
    Ok(PyArray1::from_vec(py, all).reshape([rows, features])?.into_any())
}

/// Writes a column to every `features`-th element of `target`, rounded to `f64` as in NumPy.
#[allow(clippy::unnecessary_cast)] // one macro for all types
fn write_column<T>(
    column: &dyn Array,
    target: &mut [T],
    features: usize,
    convert: impl Fn(f64) -> T,
) {
    macro_rules! numbers {
        ($($kind:pat => $type:ty),*) => {
            match column.data_type() {
                $($kind => {
                    let values = column.as_primitive::<$type>().values();
                    for (element, &value) in target.iter_mut().step_by(features).zip(values) {
                        *element = convert(value as f64);
                    }
                })*
                // The only other type is boolean.
                _ => for (element, value) in target.iter_mut().step_by(features).zip(column.as_boolean()) {
                    *element = convert(f64::from(u8::from(value == Some(true))));
                }
            }
        };
    }
    numbers!(
        DataType::Int8 => Int8Type, DataType::Int16 => Int16Type, DataType::Int32 => Int32Type,
        DataType::Int64 => Int64Type, DataType::UInt8 => UInt8Type, DataType::UInt16 => UInt16Type,
        DataType::UInt32 => UInt32Type, DataType::UInt64 => UInt64Type,
        DataType::Float32 => Float32Type, DataType::Float64 => Float64Type
    );
}

//! Tables through the Arrow C stream interface: pandas, polars, pyarrow and whoever else speaks it.

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

use crate::failure::value;

const STREAM: &CStr = c"arrow_array_stream";

/// A table of numbers as an array in C order, and the names of its columns: float32 where all columns are, else
/// float64. Raises `TypeError` where it is no table of numbers, `ValueError` where a value is missing.
#[pyfunction]
pub(crate) fn table<'py>(
    py: Python<'py>,
    object: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, Vec<String>)> {
    let capsule = object.call_method0("__arrow_c_stream__").map_err(|error| unfit(py, error))?;
    let reader = open(capsule.cast::<PyCapsule>()?)?;
    let schema = reader.schema();
    let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    if let Some(field) = schema.fields().iter().find(|field| !is_number(field.data_type())) {
        let (name, kind) = (field.name(), field.data_type());
        return Err(PyTypeError::new_err(format!("column `{name}` is {kind}, expected numbers")));
    }
    let is_single = schema.fields().iter().all(|field| *field.data_type() == DataType::Float32);
    let batches: Vec<RecordBatch> =
        py.detach(|| reader.collect::<Result<_, _>>()).map_err(value)?;
    let array = if is_single {
        joined::<f32>(py, &batches, names.len(), |value| value as f32)?
    } else {
        joined::<f64>(py, &batches, names.len(), |value| value)?
    };
    Ok((array, names))
}

/// Takes the stream over from its capsule.
#[allow(unsafe_code)] // the interface is one of C
fn open(capsule: &Bound<'_, PyCapsule>) -> PyResult<RecordBatchStreamReader> {
    let pointer = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name holds a stream by the Arrow PyCapsule interface; `from_raw` moves it
    // out and leaves a released one behind, which the capsule's destructor must then leave alone.
    let reader = unsafe { RecordBatchStreamReader::from_raw(pointer.as_ptr()) };
    reader.map_err(|error| PyTypeError::new_err(error.to_string()))
}

/// What its owner cannot say in Arrow is no table of numbers; Ctrl-C remains what it is.
fn unfit(py: Python<'_>, error: PyErr) -> PyErr {
    if error.is_instance_of::<PyException>(py) {
        PyTypeError::new_err(error.to_string())
    } else {
        error
    }
}

fn is_number(kind: &DataType) -> bool {
    kind.is_integer() || matches!(kind, DataType::Float32 | DataType::Float64 | DataType::Boolean)
}

/// All batches, row after row.
fn joined<'py, T: numpy::Element + Copy + Default + Send>(
    py: Python<'py>,
    batches: &[RecordBatch],
    features: usize,
    narrowed: impl Fn(f64) -> T + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
    let fill = || -> PyResult<Vec<T>> {
        let mut all = vec![T::default(); rows * features];
        let mut first = 0;
        // A batch without rows has no places to begin at.
        for batch in batches.iter().filter(|batch| batch.num_rows() > 0) {
            let part = &mut all[first * features..(first + batch.num_rows()) * features];
            for (feature, column) in batch.columns().iter().enumerate() {
                if let Some(row) = (0..column.len()).find(|&row| column.is_null(row)) {
                    let name = batch.schema_ref().field(feature).name().clone();
                    let row = first + row;
                    return Err(value(format!(
                        "Input X contains NaN: column `{name}`, row {row} is missing"
                    )));
                }
                spread(column.as_ref(), &mut part[feature..], features, &narrowed);
            }
            first += batch.num_rows();
        }
        Ok(all)
    };
    let all = py.detach(fill)?;
    Ok(PyArray1::from_vec(py, all).reshape([rows, features])?.into_any())
}

/// Writes a column to every `features`-th place.
fn spread<T>(column: &dyn Array, places: &mut [T], features: usize, narrowed: impl Fn(f64) -> T) {
    macro_rules! numbers {
        ($($kind:pat => $type:ty),*) => {
            match column.data_type() {
                $($kind => {
                    let values = column.as_primitive::<$type>().values();
                    for (place, &value) in places.iter_mut().step_by(features).zip(values) {
                        *place = narrowed(<$type as Number>::of(value));
                    }
                })*
                // What is left is a column of truth values.
                _ => for (place, value) in places.iter_mut().step_by(features).zip(column.as_boolean()) {
                    *place = narrowed(f64::from(u8::from(value == Some(true))));
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

/// To the nearest `f64`, as NumPy does.
trait Number: ArrowPrimitiveType {
    fn of(value: Self::Native) -> f64;
}

macro_rules! number {
    ($($type:ty),*) => {$(
        impl Number for $type {
            fn of(value: Self::Native) -> f64 {
                value as f64
            }
        }
    )*};
}
number!(
    Int8Type,
    Int16Type,
    Int32Type,
    Int64Type,
    UInt8Type,
    UInt16Type,
    UInt32Type,
    UInt64Type,
    Float32Type,
    Float64Type
);

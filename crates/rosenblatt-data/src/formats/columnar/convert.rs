//! Values that are numbers of another type: dates, times and decimals become 64-bit floats.
//!
//! A date or a point in time is the number of days since 1970-01-01, as in text; a time of day and a duration are shares of days.

use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, Float64Array, RecordBatch,
    cast::AsArray,
    types::{
        ArrowPrimitiveType, Date32Type, Date64Type, Decimal128Type, DurationMicrosecondType,
        DurationMillisecondType, DurationNanosecondType, DurationSecondType, Time32MillisecondType,
        Time32SecondType, Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType,
        TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
    },
};
use arrow_schema::{DataType, Field, Schema, TimeUnit};

const SECONDS: f64 = 86_400.0;

/// Whether values of the type become floats.
fn is_converted(data_type: &DataType) -> bool {
    use DataType::{Date32, Date64, Decimal128, Duration, Time32, Time64, Timestamp};
    matches!(
        data_type,
        Date32 | Date64 | Timestamp(..) | Time32(_) | Time64(_) | Duration(_) | Decimal128(..)
    )
}

/// The columns as they are after [`batch`].
pub(super) fn schema(schema: &Schema) -> Schema {
    let field = |field: &Arc<Field>| match is_converted(field.data_type()) {
        true => Arc::new(field.as_ref().clone().with_data_type(DataType::Float64)),
        false => field.clone(),
    };
    let fields: Vec<Arc<Field>> = schema.fields().iter().map(field).collect();
    Schema::new_with_metadata(fields, schema.metadata().clone())
}

/// The batch with converted columns.
pub(super) fn batch(batch: RecordBatch) -> Result<RecordBatch, String> {
    if !batch.columns().iter().any(|array| is_converted(array.data_type())) {
        return Ok(batch);
    }
    let fields = Arc::new(schema(&batch.schema()));
    let columns = batch.columns().iter().map(floats).collect();
    RecordBatch::try_new(fields, columns).map_err(|error| error.to_string())
}

fn floats(array: &ArrayRef) -> ArrayRef {
    match array.data_type() {
        DataType::Date32 => each::<Date32Type>(array, f64::from),
        DataType::Date64 => each::<Date64Type>(array, |value| days(value, 1000)),
        DataType::Timestamp(TimeUnit::Second, _) => {
            each::<TimestampSecondType>(array, |value| days(value, 1))
        }
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            each::<TimestampMillisecondType>(array, |value| days(value, 1000))
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            each::<TimestampMicrosecondType>(array, |value| days(value, 1_000_000))
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            each::<TimestampNanosecondType>(array, |value| days(value, 1_000_000_000))
        }
        DataType::Time32(TimeUnit::Second) => {
            each::<Time32SecondType>(array, |value| days(value.into(), 1))
        }
        DataType::Time32(_) => {
            each::<Time32MillisecondType>(array, |value| days(value.into(), 1000))
        }
        DataType::Time64(TimeUnit::Microsecond) => {
            each::<Time64MicrosecondType>(array, |value| days(value, 1_000_000))
        }
        DataType::Time64(_) => {
            each::<Time64NanosecondType>(array, |value| days(value, 1_000_000_000))
        }
        DataType::Duration(TimeUnit::Second) => {
            each::<DurationSecondType>(array, |value| days(value, 1))
        }
        DataType::Duration(TimeUnit::Millisecond) => {
            each::<DurationMillisecondType>(array, |value| days(value, 1000))
        }
        DataType::Duration(TimeUnit::Microsecond) => {
            each::<DurationMicrosecondType>(array, |value| days(value, 1_000_000))
        }
        DataType::Duration(TimeUnit::Nanosecond) => {
            each::<DurationNanosecondType>(array, |value| days(value, 1_000_000_000))
        }
        DataType::Decimal128(_, scale) => each::<Decimal128Type>(array, |value| {
            // Rounded once, as the same digits in text are.
            format!("{value}e{}", -i32::from(*scale)).parse().unwrap_or(f64::NAN)
        }),
        _ => array.clone(),
    }
}

fn each<T: ArrowPrimitiveType>(array: &dyn Array, value: impl Fn(T::Native) -> f64) -> ArrayRef {
    let values = array.as_primitive::<T>().iter().map(|native| native.map(&value));
    Arc::new(values.collect::<Float64Array>())
}

/// Days of which `value` counts the parts, so many in a second. The day and the share of the day are what they are in text.
fn days(value: i64, parts: i64) -> f64 {
    let day = 86_400 * parts;
    let (days, rest) = (value.div_euclid(day), value.rem_euclid(day));
    days as f64 + rest as f64 / parts as f64 / SECONDS
}

#[cfg(test)]
mod tests {
    use arrow_array::{
        Date32Array, Decimal128Array, DurationMillisecondArray, TimestampMillisecondArray,
    };

    use super::*;

    #[test]
    fn dates_times_and_decimals_are_floats() {
        let dates = Arc::new(Date32Array::from(vec![Some(0), None, Some(19_782)])) as ArrayRef;
        let times = Arc::new(TimestampMillisecondArray::from(vec![
            Some(-43_200_000),
            Some(129_600_000),
            None,
        ]));
        let decimals = Decimal128Array::from(vec![Some(-12_345), Some(1), None]);
        let decimals = Arc::new(decimals.with_precision_and_scale(9, 2).unwrap());
        let durations = Arc::new(DurationMillisecondArray::from(vec![
            Some(43_200_000),
            None,
            Some(-86_400_000),
        ]));
        let names = ["d", "t", "p", "l"];
        let columns = [dates, times as ArrayRef, decimals as ArrayRef, durations as ArrayRef];
        let all = names.into_iter().zip(columns);
        let converted = batch(
            RecordBatch::try_from_iter_with_nullable(all.map(|(name, array)| (name, array, true)))
                .unwrap(),
        )
        .unwrap();
        let column = |i: usize| -> Vec<Option<f64>> {
            converted.column(i).as_primitive::<arrow_array::types::Float64Type>().iter().collect()
        };
        assert_eq!(column(0), [Some(0.0), None, Some(19_782.0)]);
        assert_eq!(column(1), [Some(-0.5), Some(1.5), None]);
        assert_eq!(column(2), [Some(-123.45), Some(0.01), None]);
        assert_eq!(column(3), [Some(0.5), None, Some(-1.0)]);
    }
}

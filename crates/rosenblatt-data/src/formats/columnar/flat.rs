//! Columns within columns: the fields of a struct and the places of a list are columns of their own.
//!
//! `person` with the fields `age` and `city` is `person.age` and `person.city`, as in JSON; `at`, in which every cell is a list of
//! two numbers, is `at.0` and `at.1`. What is missing as a whole is missing in each of them.

use std::{collections::HashMap, sync::Arc};

use arrow_array::{
    Array, ArrayRef, BooleanArray, RecordBatch, RecordBatchOptions, UInt64Array, cast::AsArray,
};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use arrow_select::{nullif::nullif, take::take};

use super::error::Complaint;

/// The most places of a list that become columns.
const MOST_PLACES: usize = 1 << 16;

/// The columns of a file without any in others.
#[derive(Clone)]
pub(super) struct Flat {
    columns: Vec<FlatColumn>,
    schema: Arc<Schema>,
}

/// The column of the file that it is in, and the steps from there.
#[derive(Clone)]
struct FlatColumn {
    root: usize,
    steps: Vec<Step>,
}

#[derive(Clone, Copy)]
enum Step {
    Field(usize),
    Place { place: usize, of: usize },
}

impl Flat {
    /// Of a file with this schema. In the columns of `lengths` every list has so many values.
    pub(super) fn new(schema: &Schema, lengths: &HashMap<usize, usize>) -> Self {
        let (mut columns, mut fields) = (Vec::new(), Vec::new());
        for (root, field) in schema.fields().iter().enumerate() {
            let mut add = |steps: &[Step], field: Field| {
                columns.push(FlatColumn { root, steps: steps.to_vec() });
                fields.push(field);
            };
            let length = lengths.get(&root).copied();
            flatten(&mut Vec::new(), field.as_ref().clone(), length, &mut add);
        }
        let schema = Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()));
        Flat { columns, schema }
    }

    pub(super) fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The columns of the file that these are in. Both ascend.
    pub(super) fn roots(&self, columns: &[usize]) -> Vec<usize> {
        let mut roots: Vec<usize> = columns.iter().map(|&c| self.columns[c].root).collect();
        roots.dedup();
        roots
    }

    /// These columns, which ascend, of a batch of the columns of the file that they are in.
    pub(super) fn batch(
        &self,
        columns: &[usize],
        batch: &RecordBatch,
    ) -> Result<RecordBatch, Complaint> {
        let roots = self.roots(columns);
        let array = |&column: &usize| {
            let FlatColumn { root, steps } = &self.columns[column];
            let place = roots.binary_search(root).map_err(|_| "a column is not there")?;
            let mut array = batch.column(place).clone();
            for step in steps {
                let failed =
                    |error| format!("column `{}`: {error}", batch.schema_ref().field(place).name());
                array = within(&array, *step).map_err(failed)?;
            }
            Ok::<_, Complaint>(array)
        };
        let arrays = columns.iter().map(array).collect::<Result<Vec<_>, _>>()?;
        let schema = self.schema.project(columns).map_err(said)?;
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        RecordBatch::try_new_with_options(Arc::new(schema), arrays, &options).map_err(said)
    }
}

/// Gives the columns that a field is made of. If it is a list of any length, it has `length` places.
fn flatten(
    steps: &mut Vec<Step>,
    field: Field,
    length: Option<usize>,
    add: &mut impl FnMut(&[Step], Field),
) {
    let parts: Vec<(Step, String, Arc<Field>)> = match (field.data_type(), length) {
        (DataType::Struct(fields), _) if !fields.is_empty() => {
            let part = |(i, inner): (usize, &Arc<Field>)| {
                (Step::Field(i), inner.name().clone(), inner.clone())
            };
            fields.iter().enumerate().map(part).collect()
        }
        (DataType::FixedSizeList(inner, of), _) => places(inner, usize::try_from(*of).unwrap_or(0)),
        (DataType::List(inner) | DataType::LargeList(inner), Some(of)) => places(inner, of),
        _ => Vec::new(),
    };
    if parts.is_empty() {
        return add(steps, field);
    }
    for (step, name, inner) in parts {
        let name = format!("{}.{name}", field.name());
        let is_nullable = field.is_nullable() || inner.is_nullable();
        let inner = inner.as_ref().clone().with_name(name).with_nullable(is_nullable);
        steps.push(step);
        flatten(steps, inner, None, add);
        steps.pop();
    }
}

fn places(inner: &Arc<Field>, of: usize) -> Vec<(Step, String, Arc<Field>)> {
    let part = |place: usize| (Step::Place { place, of }, place.to_string(), inner.clone());
    if of <= MOST_PLACES { (0..of).map(part).collect() } else { Vec::new() }
}

/// A field of each struct, or a value of each list.
fn within(array: &ArrayRef, step: Step) -> Result<ArrayRef, Complaint> {
    match step {
        Step::Field(field) => {
            let part = array.as_struct_opt().ok_or("it is no struct")?.column(field);
            let Some(nulls) = array.nulls() else { return Ok(part.clone()) };
            nullif(part, &BooleanArray::new(!nulls.inner(), None)).map_err(said)
        }
        Step::Place { place, of } => {
            let (values, starts) = lists(array, of)?;
            let at = |row: usize| array.is_valid(row).then(|| (starts[row] + place) as u64);
            let places: UInt64Array = (0..array.len()).map(at).collect();
            take(values, &places, None).map_err(said)
        }
    }
}

/// The number of values of each list that is not missing.
pub(super) fn lengths_of(array: &ArrayRef) -> Vec<usize> {
    let starts = starts(array).unwrap_or_default();
    let present = (0..array.len()).filter(|&row| array.is_valid(row));
    present.filter_map(|row| Some(starts.get(row + 1)? - starts.get(row)?)).collect()
}

/// The values of all lists, and where each list begins; a list has `of` values or is missing.
fn lists(array: &ArrayRef, of: usize) -> Result<(&ArrayRef, Vec<usize>), Complaint> {
    if let Some(other) = lengths_of(array).into_iter().find(|&length| length != of) {
        return Err(format!("a list of {other} values, expected {of} in each"));
    }
    let values = match array.data_type() {
        DataType::List(_) => array.as_list::<i32>().values(),
        DataType::LargeList(_) => array.as_list::<i64>().values(),
        _ => array.as_fixed_size_list_opt().ok_or("it is no list")?.values(),
    };
    Ok((values, starts(array).unwrap_or_default()))
}

/// Where each list begins among the values, and where the last one ends.
fn starts(array: &ArrayRef) -> Option<Vec<usize>> {
    Some(match array.data_type() {
        DataType::List(_) => {
            array.as_list::<i32>().value_offsets().iter().map(|&start| start as usize).collect()
        }
        DataType::LargeList(_) => {
            array.as_list::<i64>().value_offsets().iter().map(|&start| start as usize).collect()
        }
        _ => {
            let of = array.as_fixed_size_list_opt()?.value_length() as usize;
            (0..=array.len()).map(|row| row * of).collect()
        }
    })
}

#[allow(clippy::needless_pass_by_value)] // for `map_err`
fn said(error: ArrowError) -> Complaint {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use arrow_array::{
        Float64Array, Int32Array, ListArray, StringArray, StructArray,
        types::{Float64Type, Int32Type},
    };
    use arrow_buffer::NullBuffer;

    use super::*;

    fn flat(columns: Vec<(&str, ArrayRef)>, lengths: &[(usize, usize)]) -> (Flat, RecordBatch) {
        let columns = columns.into_iter().map(|(name, array)| (name, array, true));
        let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
        (Flat::new(&batch.schema(), &lengths.iter().copied().collect()), batch)
    }

    fn names(flat: &Flat) -> Vec<&str> {
        flat.schema().fields().iter().map(|field| field.name().as_str()).collect()
    }

    #[test]
    fn structs_are_columns_and_what_is_missing_is_missing_in_each() {
        let age = Arc::new(Int32Array::from(vec![Some(31), None, Some(9)])) as ArrayRef;
        let city = Arc::new(StringArray::from(vec!["Rome", "Lima", "Oslo"])) as ArrayRef;
        let fields = vec![
            Field::new("age", DataType::Int32, true),
            Field::new("city", DataType::Utf8, true),
        ];
        let nulls = Some(NullBuffer::from(vec![true, true, false]));
        let person = StructArray::try_new(fields.into(), vec![age, city], nulls).unwrap();
        let last = Arc::new(Float64Array::from(vec![0.5, 1.5, 2.5])) as ArrayRef;
        let (flat, batch) = flat(vec![("person", Arc::new(person)), ("x", last)], &[]);
        assert_eq!(names(&flat), ["person.age", "person.city", "x"]);
        assert_eq!((flat.roots(&[0, 1]), flat.roots(&[1, 2])), (vec![0], vec![0, 1]));
        let part = flat.batch(&[0, 1, 2], &batch).unwrap();
        let ages: Vec<_> = part.column(0).as_primitive::<Int32Type>().iter().collect();
        assert_eq!(ages, [Some(31), None, None]);
        let cities: Vec<_> = part.column(1).as_string::<i32>().iter().collect();
        assert_eq!(cities, [Some("Rome"), Some("Lima"), None]);
        let only = flat.batch(&[2], &batch.project(&[1]).unwrap()).unwrap();
        assert_eq!(only.column(0).as_primitive::<Float64Type>().value(2), 2.5);
    }

    #[test]
    fn places_of_lists_are_columns_where_all_are_equally_long() {
        let list = |rows: Vec<Option<Vec<Option<f64>>>>| {
            Arc::new(ListArray::from_iter_primitive::<Float64Type, _, _>(rows)) as ArrayRef
        };
        let pairs = list(vec![Some(vec![Some(1.0), Some(2.0)]), None, Some(vec![None, Some(4.0)])]);
        let (flat_pairs, batch) = flat(vec![("at", pairs)], &[(0, 2)]);
        assert_eq!(names(&flat_pairs), ["at.0", "at.1"]);
        // Also where the array is a part of a longer one.
        let part = flat_pairs.batch(&[0, 1], &batch.slice(1, 2)).unwrap();
        let column =
            |i: usize| part.column(i).as_primitive::<Float64Type>().iter().collect::<Vec<_>>();
        assert_eq!((column(0), column(1)), (vec![None, None], vec![None, Some(4.0)]));
        let ragged = list(vec![Some(vec![Some(1.0)]), Some(vec![Some(1.0); 3])]);
        let (flat_ragged, batch) = flat(vec![("at", ragged)], &[(0, 2)]);
        let error = flat_ragged.batch(&[0], &batch).unwrap_err();
        assert_eq!(error, "column `at`: a list of 1 values, expected 2 in each");
        // Nothing says how long they are.
        assert_eq!(names(&flat(vec![("at", batch.column(0).clone())], &[]).0), ["at"]);
    }
}

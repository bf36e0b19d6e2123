//! Prepared rows in a file.

use std::{
    io::{self, BufWriter, Write},
    path::Path,
};

use rosenblatt_core::{
    data::{Parts, Rows, Storage},
    transforms::Step,
};

use super::MappedFile;
use crate::files::atomic_file::folder;

/// The dense rows that a step makes of `rows`, in a file without a name beside another one. It is mapped, and ends with the
/// process. The rows have the bits of a copy in memory.
///
/// Cost: a batch of rows in memory, and 8 bytes for each value on the disk.
///
/// # Errors
/// If the file cannot be written or mapped, a row cannot be prepared, or prepared rows are not dense.
pub fn prepare_on_disk(step: &Step, rows: &Rows<'_>, beside: &Path) -> io::Result<Rows<'static>> {
    /// So many numbers are 2 MiB.
    const NUMBERS: usize = 1 << 18;
    let mut file = BufWriter::with_capacity(1 << 20, tempfile::tempfile_in(folder(beside))?);
    let batch = (NUMBERS / rows.features().max(1)).max(1);
    let mut dense = None;
    for first in (0..rows.len()).step_by(batch) {
        let places: Vec<usize> = (first..rows.len().min(first + batch)).collect();
        let made = step.apply(&rows.select(&places), None).map_err(io::Error::other)?;
        let Parts::Dense { values: Storage::F64(values), features } = made.into_parts() else {
            return Err(io::ErrorKind::Unsupported.into());
        };
        dense = Some(features);
        values.iter().try_for_each(|value| file.write_all(&value.to_ne_bytes()))?;
    }
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    let features = dense.ok_or(io::ErrorKind::InvalidInput)?;
    let map = MappedFile::of(&file, "the file of the prepared rows")?;
    let values: &'static [f64] = map.numbers(0..map.length()).ok_or(io::ErrorKind::InvalidData)?;
    Rows::dense(values, features).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use rosenblatt_core::{
        data::{Scale, Scaling},
        transforms::Normalise,
    };

    use super::*;

    /// Several batches, the last one short: the bits are those of the copy in memory.
    #[test]
    fn rows_on_disk_are_those_in_memory() {
        const FEATURES: usize = 700;
        let numbers = (0..1_000 * FEATURES).map(|i| (i * i % 1_013) as f32 / 7.0 - 30.0);
        let rows = Rows::dense(numbers.collect::<Vec<f32>>(), FEATURES).unwrap();
        let scaling = Scaling::fit(Scale::Standard, &rows, None, false).unwrap().unwrap();
        let folder = tempfile::tempdir().unwrap();
        for step in [Step::Scaling(scaling), Step::Normalise(Normalise::L2)] {
            let found = prepare_on_disk(&step, &rows, &folder.path().join("data")).unwrap();
            let expected = step.apply(&rows, None).unwrap();
            let bits = |rows: &Rows<'_>, i: usize| -> Vec<(usize, u64)> {
                let mut bits = Vec::new();
                rows.row(i).for_each(|j, x| bits.push((j, x.to_bits())));
                bits
            };
            assert_eq!((found.len(), found.features()), (1_000, FEATURES));
            assert!((0..1_000).all(|i| bits(&found, i) == bits(&expected, i)));
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let gone = folder.path().join("gone/data");
        assert!(prepare_on_disk(&Step::Normalise(Normalise::L2), &rows, &gone).is_err());
    }
}

//! Which rows a run learned from, as one number.

use rosenblatt_core::data::Rows;

use crate::files::safetensors_file::Sum;

/// A summary that differs where labelled rows differ: their number, the number of features, and a sum of all entries
/// that are not 0 and all classes, in their order. It does not depend on how the rows are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Fingerprint {
    /// The number of examples.
    pub examples: usize,
    /// The number of features.
    pub features: usize,
    /// The sum.
    pub sum: u64,
}

impl Fingerprint {
    /// That of rows with the numbers of their classes. Cost: a pass over the rows.
    pub fn of(rows: &Rows<'_>, classes: &[u32]) -> Self {
        let mut sum = Sum::new();
        for (row, &class) in rows.iter().zip(classes) {
            row.for_each(|j, x| {
                if x != 0.0 {
                    sum.word(j as u64);
                    sum.word(x.to_bits());
                }
            });
            // No feature has such a number.
            sum.word(!u64::from(class));
        }
        Fingerprint { examples: rows.len(), features: rows.features(), sum: sum.total() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_shows() {
        let values = [1.0, 0.0, 2.0, 0.0, 0.0, -3.0];
        let of = |values: &[f64], classes: &[u32]| {
            Fingerprint::of(&Rows::dense(values.to_vec(), 2).unwrap(), classes)
        };
        let first = of(&values, &[0, 1, 1]);
        for place in 0..values.len() {
            let mut other = values;
            other[place] += 0.5;
            assert_ne!(first, of(&other, &[0, 1, 1]));
        }
        assert_ne!(first, of(&values, &[1, 1, 1]));
        assert_ne!(first, of(&[1.0, 0.0, 0.0, -3.0, 2.0, 0.0], &[0, 1, 1]));
        // A zero is an absent entry, whatever its sign.
        assert_eq!(first, of(&[1.0, -0.0, 2.0, 0.0, 0.0, -3.0], &[0, 1, 1]));
        let sparse = Rows::sparse(vec![0, 1, 2, 3], vec![0, 0, 1], vec![1.0f32, 2.0, -3.0], 2);
        assert_eq!(first, Fingerprint::of(&sparse.unwrap(), &[0, 1, 1]));
    }
}

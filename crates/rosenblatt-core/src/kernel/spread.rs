//! Products of one row with many others.

use super::{CanonicalRows, Kernel};

/// One row spread over all features, to be multiplied with many rows.
#[derive(Clone, Debug)]
pub(crate) struct Spread {
    values: Vec<f64>,
}

impl Spread {
    pub(crate) fn new(features: usize) -> Self {
        Spread { values: vec![0.0; features] }
    }

    /// Calls `f` with the products of row `i` of `rows` with rows `others` of `with`, in their order.
    pub(crate) fn products(
        &mut self,
        (rows, i): (&CanonicalRows, usize),
        with: &CanonicalRows,
        others: impl Iterator<Item = usize>,
        mut f: impl FnMut(usize, f64),
    ) {
        const AT_ONCE: usize = 4;
        let (indices, values) = rows.entries(i);
        indices.iter().zip(values).for_each(|(&j, &x)| self.values[j as usize] = x);
        let mut others = others.peekable();
        let mut several = Vec::with_capacity(AT_ONCE);
        while others.peek().is_some() {
            several.clear();
            several.extend(others.by_ref().take(AT_ONCE).map(|other| (other, with.entries(other))));
            match <&[_; AT_ONCE]>::try_from(several.as_slice()) {
                Ok(all) => {
                    let sums = self.sums(all.map(|(_, entries)| entries));
                    all.iter().zip(sums).for_each(|(&(other, _), sum)| f(other, sum));
                }
                Err(_) => {
                    for &(other, entries) in &several {
                        f(other, self.sum(0.0, entries));
                    }
                }
            }
        }
        indices.iter().for_each(|&j| self.values[j as usize] = 0.0);
    }

    /// The kernel values of row `i` of `rows` with all rows of `others`.
    pub(crate) fn kernel_row(
        &mut self,
        kernel: Kernel,
        (rows, i): (&CanonicalRows, usize),
        others: &CanonicalRows,
    ) -> Vec<f64> {
        let mut values = Vec::with_capacity(others.len());
        let square = rows.square(i);
        self.products((rows, i), others, 0..others.len(), |j, product| {
            values.push(kernel.value(product, (square, others.square(j))));
        });
        values
    }

    /// The products of several rows with the spread row, computed together so that their additions do not depend on
    /// each other.
    fn sums<const N: usize>(&self, rows: [(&[u32], &[f64]); N]) -> [f64; N] {
        let shortest = rows.iter().map(|(indices, _)| indices.len()).min().unwrap_or(0);
        let firsts = rows.map(|(indices, values)| (&indices[..shortest], &values[..shortest]));
        let mut sums = [0.0; N];
        for k in 0..shortest {
            for (sum, (indices, values)) in sums.iter_mut().zip(&firsts) {
                *sum += self.values[indices[k] as usize] * values[k];
            }
        }
        for (sum, (indices, values)) in sums.iter_mut().zip(rows) {
            *sum = self.sum(*sum, (&indices[shortest..], &values[shortest..]));
        }
        sums
    }

    /// Adds the products of these entries to a sum, in ascending order of the features. A product with 0 changes
    /// nothing.
    fn sum(&self, sum: f64, (indices, values): (&[u32], &[f64])) -> f64 {
        let add = |sum: f64, (&j, &z): (&u32, &f64)| sum + self.values[j as usize] * z;
        indices.iter().zip(values).fold(sum, add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{data::Rows, kernel::inner_product};

    /// Rows of many lengths, including empty rows, in all groupings.
    #[test]
    fn products_side_by_side_are_those_of_pairs() {
        let cell = |place: usize| match place % 40 < place / 40 * 3 % 41 {
            true => ((place * 7_919 + 13) % 1_009) as f64 / 100.0 - 5.0,
            false => 0.0,
        };
        let values: Vec<f64> = (0..40 * 23).map(cell).collect();
        let rows = CanonicalRows::new(&Rows::dense(values, 40).unwrap());
        let mut spread = Spread::new(40);
        for number in 0..rows.len() {
            for i in 0..rows.len() {
                let mut found = Vec::new();
                spread.products((&rows, i), &rows, 0..number, |j, product| {
                    found.push((j, product.to_bits()));
                });
                let pair = |j| (j, inner_product(rows.row(i), rows.row(j)).to_bits());
                assert_eq!(found, (0..number).map(pair).collect::<Vec<_>>());
            }
        }
        for i in 0..rows.len() {
            assert_eq!(rows.square(i).to_bits(), inner_product(rows.row(i), rows.row(i)).to_bits());
        }
    }
}

//! Interactions: products of the features of two columns, as further features.
//!
//! An interaction of two columns has a feature for each feature of the first column times each of the second: the
//! product of two numbers, a number for each category, or 1 for each pair of categories. They follow the features of all
//! columns. Where there would be more than 2ᴮ, they are hashed to 2ᴮ features, with a sign as words are (see
//! [`words`](super::words)): the product of feature i of the first column and j of the second has the number i·n + j,
//! where n is the number of features of the second, and the hash is that of the number's 8 bytes, the lowest first.

use std::ops::Range;

use rosenblatt_core::data::Rows;

use crate::options::Hashing;

/// Two columns whose features are multiplied with one another.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Interaction {
    /// The names of the columns, in the order of the training file.
    pub columns: [String; 2],
    /// B: more than 2ᴮ products are hashed to 2ᴮ features.
    pub bits: u8,
}

impl Interaction {
    /// Whether it multiplies a column of these with a later one.
    pub(super) fn is_sound<'n>(&self, names: impl Iterator<Item = &'n String> + Clone) -> bool {
        let [first, second] =
            self.columns.each_ref().map(|name| names.clone().position(|one| one == name));
        (1..=Hashing::MAX_BITS).contains(&self.bits) && first.is_some() && first < second
    }
}

/// The largest absolute value of a number in a column of an interaction: 2⁴⁹⁰. The product of two is then at most 2⁹⁸⁰, and
/// a sum of fewer than 2⁴³ of them, as a hashed feature may be, is finite.
pub(crate) const LARGEST_FACTOR: f64 = f64::from_bits((1023 + 490) << 52);

/// Where the factors and the products of an interaction stand among the features.
#[derive(Clone, Debug)]
pub(crate) struct Products {
    first: Range<usize>,
    second: Range<usize>,
    /// The first feature that is a product.
    start: usize,
    /// How the products are hashed, where there are too many.
    hashing: Option<Hashing>,
}

impl Products {
    /// The products of the features `first` and `second` of the two columns, the first of which is the feature `start`.
    pub(super) fn new(
        interaction: &Interaction,
        [first, second]: [Range<usize>; 2],
        start: usize,
    ) -> Self {
        let hashing = Hashing { bits: interaction.bits, ngrams: 1, chars: None };
        let fits = first.len() <= hashing.buckets() / second.len().max(1);
        Products { first, second, start, hashing: (!fits).then_some(hashing) }
    }

    /// The number of features.
    pub(super) fn features(&self) -> usize {
        self.hashing.map_or(self.first.len() * self.second.len(), Hashing::buckets)
    }

    /// The feature of the product of two features, and its sign.
    fn place(&self, i: usize, j: usize) -> (usize, f64) {
        let [i, j] = [i - self.first.start, j - self.second.start];
        match self.hashing {
            None => (self.start + i * self.second.len() + j, 1.0),
            Some(hashing) => {
                let number = i as u64 * self.second.len() as u64 + j as u64;
                let (bucket, sign) = hashing.place_of(&number.to_le_bytes());
                (self.start + bucket as usize, sign)
            }
        }
    }

    /// Appends the products of a row, whose entries ascend; so do those that are appended.
    fn append(&self, row: &mut Vec<(usize, f64)>) {
        let within = |range: &Range<usize>| {
            let start = row.partition_point(|(j, _)| *j < range.start);
            start..row.partition_point(|(j, _)| *j < range.end)
        };
        let (first, second) =
            (row[within(&self.first)].to_vec(), row[within(&self.second)].to_vec());
        let before = row.len();
        for &(i, x) in &first {
            row.extend(second.iter().map(|&(j, y)| {
                let (feature, sign) = self.place(i, j);
                // A product of 0 and a negative number is 0, too.
                (feature, sign * (x * y) + 0.0)
            }));
        }
        if self.hashing.is_some() {
            let mut products = row.split_off(before);
            products.sort_by_key(|(feature, _)| *feature);
            row.extend(products.chunk_by(|a, b| a.0 == b.0).map(|of_bucket| {
                (of_bucket[0].0, of_bucket.iter().map(|(_, value)| value).sum::<f64>())
            }));
        }
    }

    /// The features of both columns; `None` if the products are hashed.
    pub(crate) fn factors(&self) -> Option<[Range<usize>; 2]> {
        self.hashing.is_none().then(|| [self.first.clone(), self.second.clone()])
    }

    /// The names of the products, by those of the features of all columns.
    pub(super) fn names(&self, interaction: &Interaction, of_columns: &[String]) -> Vec<String> {
        let [first, second] = &interaction.columns;
        match self.hashing {
            None => self.pairs(of_columns, |one, other| format!("{one} * {other}")),
            Some(hashing) => (0..hashing.buckets())
                .map(|bucket| format!("{first} * {second}#{bucket}"))
                .collect(),
        }
    }

    /// For each product the value that stands for its name, by those of the features of all columns.
    pub(super) fn directions(&self, of_columns: &[f64]) -> Vec<f64> {
        match self.hashing {
            None => self.pairs(of_columns, |one, other| one * other),
            Some(hashing) => vec![1.0; hashing.buckets()],
        }
    }

    /// For each product whether both of its factors say that something is there.
    pub(super) fn presences(&self, of_columns: &[bool]) -> Vec<bool> {
        match self.hashing {
            None => self.pairs(of_columns, |&one, &other| one && other),
            Some(hashing) => vec![false; hashing.buckets()],
        }
    }

    fn pairs<T, U>(&self, of_columns: &[T], pair: impl Fn(&T, &T) -> U) -> Vec<U> {
        let (first, second) = (&of_columns[self.first.clone()], &of_columns[self.second.clone()]);
        first.iter().flat_map(|one| second.iter().map(|other| pair(one, other))).collect()
    }
}

/// The rows of the features of columns, with the products of `products` as further features.
pub(crate) fn with_products(rows: Rows<'static>, products: &[Products]) -> Rows<'static> {
    if products.is_empty() {
        return rows;
    }
    let more: usize = products.iter().map(Products::features).sum();
    let features = rows.features() + more;
    let (mut offsets, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    let mut entries = Vec::new();
    for row in rows.iter() {
        entries.clear();
        row.for_each(|j, x| entries.push((j, x)));
        products.iter().for_each(|products| products.append(&mut entries));
        if rows.is_sparse() {
            entries.retain(|(_, value)| *value != 0.0);
            indices.extend(entries.iter().map(|(j, _)| *j as u32));
            values.extend(entries.iter().map(|(_, value)| *value));
        } else {
            let start = values.len();
            values.resize(start + features, 0.0);
            entries.iter().for_each(|&(j, value)| values[start + j] = value);
        }
        offsets.push(values.len());
    }
    let rows = match rows.is_sparse() {
        true => Rows::sparse(offsets, indices, values, features),
        false => Rows::dense(values, features),
    };
    // Entries ascend, and products of numbers up to `LARGEST_FACTOR` and sums of these are finite.
    #[allow(clippy::expect_used)]
    rows.expect("rows with products are rows")
}

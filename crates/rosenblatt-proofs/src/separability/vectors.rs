//! The vectors of the theorems: zᵢ = yᵢ(xᵢ, c), scaled.
//!
//! The constant c is 1 for the unit bias, 0 for none, and large for a bias that should cost nothing. All coordinates
//! are multiplied by powers of two. Either one power makes the longest vector about 1 long, so that lengths keep their
//! proportions. Or each coordinate has its own power, so that features of very different sizes have equal influence.
//! Neither changes separability: λ with Σλᵢzᵢ = 0 keep this property, and a separator's weights are multiplied by the
//! same powers.

use rosenblatt_core::{data::Examples, space::Hyperplane};

use super::{double_double::Number, sums};

/// The examples as vectors of one space.
#[derive(Clone, Debug)]
pub(super) struct Points<'a> {
    pub(super) examples: Examples<'a>,
    /// The constant feature c.
    pub(super) constant: f64,
    /// The power of two of each feature, and of the constant at the end.
    scales: Vec<f64>,
}

/// One vector: its coordinates that may differ from 0, ascending.
#[derive(Clone, Debug)]
pub(super) struct Point {
    /// The row of the vector.
    pub(super) row: usize,
    pub(super) entries: Vec<(usize, f64)>,
    /// ‖z‖².
    pub(super) square: f64,
}

impl<'a> Points<'a> {
    /// Scales all features by one power, which keeps the proportions of the lengths.
    pub(super) fn in_proportion(examples: Examples<'a>, constant: f64, radius: f64) -> Self {
        let scale = inverse_power(radius.max(constant));
        Points { examples, constant, scales: vec![scale; examples.features() + 1] }
    }

    /// Scales each feature by its largest value.
    pub(super) fn by_feature(examples: Examples<'a>, constant: f64) -> Self {
        let mut largest = vec![0.0f64; examples.features()];
        for row in examples.rows().iter() {
            row.for_each(|j, x| largest[j] = largest[j].max(x.abs()));
        }
        largest.push(constant);
        let scales = largest.into_iter().map(inverse_power).collect();
        Points { examples, constant, scales }
    }

    /// The number of coordinates: d + 1.
    pub(super) fn dimension(&self) -> usize {
        self.scales.len()
    }

    /// The vector of one row.
    pub(super) fn load(&self, row: usize) -> Point {
        let (x, sign) = self.examples.get(row);
        let mut entries = Vec::with_capacity(x.stored() + 1);
        x.for_each(|j, x| entries.push((j, sign * (x * self.scales[j]))));
        let last = self.dimension() - 1;
        entries.push((last, sign * (self.constant * self.scales[last])));
        entries.retain(|&(_, value)| value != 0.0);
        // A number that is a sum of entries is rounded here.
        entries.dedup_by(|later, sum| {
            let is_same = later.0 == sum.0;
            sum.1 += if is_same { later.1 } else { 0.0 };
            is_same
        });
        let square = entries.iter().map(|&(_, z)| z * z).sum();
        Point { row, entries, square }
    }

    /// The hyperplane whose score times the sign is p·z.
    pub(super) fn hyperplane(&self, p: &[f64]) -> Hyperplane {
        let mut weights: Vec<f64> =
            p.iter().zip(&self.scales).map(|(&p, &scale)| p * scale + 0.0).collect();
        let bias = weights.pop().unwrap_or(0.0) * self.constant + 0.0;
        Hyperplane { weights, bias }
    }

    /// Adds a multiple of a row's vector to `p`.
    pub(super) fn add(&self, row: usize, factor: f64, p: &mut [f64]) {
        let (x, sign) = self.examples.get(row);
        let factor = sign * factor;
        x.for_each(|j, x| p[j] += factor * (x * self.scales[j]));
        let last = self.dimension() - 1;
        p[last] += factor * (self.constant * self.scales[last]);
    }

    /// Makes `hyperplane` that of `p`, which differs from the `p` before only in the coordinates of a row's vector.
    pub(super) fn update_hyperplane(&self, row: usize, p: &[f64], hyperplane: &mut Hyperplane) {
        let (weights, last) = (&mut hyperplane.weights, self.dimension() - 1);
        self.examples.get(row).0.for_each(|j, _| weights[j] = p[j] * self.scales[j] + 0.0);
        hyperplane.bias = p[last] * self.scales[last] * self.constant + 0.0;
    }

    /// p·z for a row's vector and the hyperplane of p, in plain precision.
    pub(super) fn score(&self, row: usize, hyperplane: &Hyperplane) -> f64 {
        let (x, sign) = self.examples.get(row);
        sign * (sums::of_row(x, &hyperplane.weights, 0.0, |w, x| w * x) + hyperplane.bias)
    }

    /// The mean of all vectors, where the search begins.
    pub(super) fn mean(&self) -> Vec<f64> {
        let share = 1.0 / (self.examples.len() as f64);
        let mut mean = vec![0.0; self.dimension()];
        (0..self.examples.len()).for_each(|row| self.add(row, share, &mut mean));
        mean
    }
}

impl Point {
    /// p·z.
    #[inline]
    pub(super) fn score<N: Number>(&self, p: &[N]) -> N {
        self.sum(|j, z| p[j].times(z))
    }

    /// z·a for a vector of plain floats.
    #[inline]
    pub(super) fn product<N: Number>(&self, a: &[f64]) -> N {
        self.sum(|j, z| N::product(a[j], z))
    }

    /// ‖z‖².
    pub(super) fn squared_length<N: Number>(&self) -> N {
        self.sum(|_, z| N::product(z, z))
    }

    /// The sum of a number for each entry.
    #[inline]
    fn sum<N: Number>(&self, of_entry: impl Fn(usize, f64) -> N) -> N {
        sums::of_each(&self.entries, N::ZERO, |&(j, z)| of_entry(j, z))
    }
}

/// A power of two that brings `a` into [1, 2); 1 for 0. At both ends of the range it stops where the power is still a
/// normal number with room above it.
pub(super) fn inverse_power(a: f64) -> f64 {
    if a == 0.0 {
        return 1.0;
    }
    let exponent = (a.to_bits() >> 52) & 0x7ff;
    // 2 to the power 1023 − exponent, whose own exponent field is 2046 − exponent.
    f64::from_bits(2046u64.saturating_sub(exponent).clamp(1, 2000) << 52)
}

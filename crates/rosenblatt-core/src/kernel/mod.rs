//! Kernels: inner products in an implicit feature space.
//!
//! | in text | K(x, z) | φ(x) |
//! |---|---|---|
//! | `linear` | x·z | x |
//! | `poly:D[:coef0[:gamma]]` | (coef0 + gamma·x·z)^D, otherwise (1 + x·z)^D | all products of up to D features |
//! | `rbf:G` | exp(−G·‖x − z‖²) | infinitely many features |
//!
//! # Reproducible values
//! A kernel value is the same float for every layout of the rows, every grouping of the work and every machine:
//!
//! - x·z is the sum of the products in ascending order of the features, with one rounding per product and one per sum
//!   ([`inner_product`]); a feature that is 0 in either row changes nothing;
//! - powers are taken by squaring;
//! - ‖x − z‖² is (x·x + z·z) − 2x·z, and at least 0;
//! - the exponential is that of the `libm` crate, not of the platform.
//!
//! All kernels are inner products (Mercer's condition), so `gamma` > 0 and `coef0` ≥ 0.

mod canonical_rows;
#[cfg(feature = "fast")]
pub(crate) mod panel;
#[cfg(feature = "fast")]
pub(crate) mod spread;
#[cfg(feature = "fast")]
pub(crate) mod tile;
mod values;

pub use canonical_rows::{CanonicalRows, Support};
pub(crate) use values::{for_each_group, kernel_row, pair_value};

use std::{fmt, str::FromStr};

use crate::data::Row;

/// The number of rows whose kernel values are passed on together.
pub(crate) const GROUP: usize = 8;

/// Cached kernel values: for each supporting row those with all other rows, if cached. Rows past the end of the list
/// are not cached.
pub(crate) type KernelCache = [Option<Vec<f64>>];

/// A kernel: an inner product in an implicit feature space. Each value is the same float for every layout of the rows
/// and on every machine. Products are added in ascending order of the features, powers are taken by squaring, and the
/// exponential is that of the `libm` crate.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
#[non_exhaustive]
pub enum Kernel {
    /// x·z: feature space, in the dual form.
    Linear,
    /// (coef0 + gamma·x·z)^degree.
    Poly {
        /// The degree D, 1 to [`Kernel::HIGHEST_DEGREE`].
        degree: u32,
        /// The constant added to the product, at least 0.
        coef0: f64,
        /// The factor of the product, positive.
        gamma: f64,
    },
    /// exp(−gamma·‖x − z‖²).
    Rbf {
        /// The factor of the squared distance, positive.
        gamma: f64,
    },
}

impl Kernel {
    /// The highest degree of a polynomial kernel.
    pub const HIGHEST_DEGREE: u32 = 100;

    /// Their forms in text.
    pub const FORMS: [&str; 3] = ["linear", "poly:D[:coef0[:gamma]]", "rbf:G"];

    /// (1 + x·z)^degree; the degree is 1 to [`Self::HIGHEST_DEGREE`].
    pub const fn poly(degree: u32) -> Self {
        Kernel::Poly { degree, coef0: 1.0, gamma: 1.0 }
    }

    /// exp(−gamma·‖x − z‖²); gamma is positive.
    pub const fn rbf(gamma: f64) -> Self {
        Kernel::Rbf { gamma }
    }

    /// The kernel value, from x·z and the pair x·x, z·z.
    #[inline]
    pub fn value(self, product: f64, squares: (f64, f64)) -> f64 {
        match self {
            Kernel::Linear => product,
            Kernel::Poly { degree, coef0, gamma } => power(coef0 + gamma * product, degree),
            Kernel::Rbf { gamma } => {
                let distance = (squares.0 + squares.1) - 2.0 * product;
                // If a square overflows, ∞ − ∞ stands for a distance past the range.
                if distance.is_nan() { 0.0 } else { libm::exp(-gamma * distance.max(0.0)) }
            }
        }
    }

    /// Replaces the products of a row with others by kernel values. `squares` are the inner products of the others with
    /// themselves.
    pub(crate) fn values(self, products: &mut [f64], square: f64, squares: &[f64]) {
        /// The number of powers computed at once, which fit the registers of every processor.
        const AT_ONCE: usize = 8;
        let (chunks, rest) = products.as_chunks_mut::<AT_ONCE>();
        match self {
            Kernel::Poly { degree, coef0, gamma } => {
                let of = |product: f64| coef0 + gamma * product;
                chunks.iter_mut().for_each(|chunk| *chunk = powers(chunk.map(of), degree));
                rest.iter_mut().for_each(|product| *product = power(of(*product), degree));
            }
            _ => {
                for (product, &other) in products.iter_mut().zip(squares) {
                    *product = self.value(*product, (square, other));
                }
            }
        }
    }

    /// Whether no kernel value of rows with these squared norms, nor a sum of many, leaves the range of `f64`
    /// (Cauchy–Schwarz).
    pub(crate) fn stays_in_range(self, squares: (f64, f64)) -> bool {
        const LARGEST: f64 = 1e300;
        let product = squares.0.sqrt() * squares.1.sqrt();
        match self {
            Kernel::Linear | Kernel::Poly { .. } => self.value(product, squares) <= LARGEST,
            Kernel::Rbf { .. } => true,
        }
    }

    /// Whether the parameters are allowed.
    pub fn is_sound(self) -> bool {
        let positive = |a: f64| a.is_finite() && a > 0.0;
        match self {
            Kernel::Linear => true,
            Kernel::Poly { degree, coef0, gamma } => {
                (1..=Self::HIGHEST_DEGREE).contains(&degree)
                    && coef0.is_finite()
                    && coef0 >= 0.0
                    && positive(gamma)
            }
            Kernel::Rbf { gamma } => positive(gamma),
        }
    }

    /// A bound on |computed − true| / (‖φ(x)‖·‖φ(z)‖) of a kernel value, for rows of up to `entries`
    /// entries with x·x up to `square`.
    ///
    /// With u = 2⁻⁵³ a product of m entries is off by at most γₘ‖x‖‖z‖, γₘ = mu/(1−mu). For `poly` let
    /// T = coef0 + gamma‖x‖‖z‖, so that T^D ≤ ‖φ(x)‖‖φ(z)‖ (Cauchy–Schwarz): base and power
    /// are off by at most T^D((1+γ)^{D(m+2)+2D} − 1). For `rbf`, whose φ(x) have length 1, the squared
    /// distance is off by γ₍ₘ₊₃₎·4·square, and `exp` by less than 2u. Each line below is at least twice
    /// that as long as it is below 1/10; otherwise nothing is known.
    pub(crate) fn uncertainty(self, entries: usize, square: f64) -> f64 {
        let entries = entries as f64 + 8.0;
        let bound = match self {
            Kernel::Linear => entries * f64::EPSILON,
            Kernel::Poly { degree, .. } => f64::from(degree) * entries * f64::EPSILON,
            Kernel::Rbf { gamma } => (4.0 * gamma * square * entries + 4.0) * f64::EPSILON,
        };
        if bound < 0.1 { bound } else { f64::INFINITY }
    }
}

/// `base^degree` by squaring from the lowest bit of the degree, with each product rounded.
#[inline]
fn power(base: f64, degree: u32) -> f64 {
    let [power] = powers([base], degree);
    power
}

/// [`power`] of several bases.
#[inline]
fn powers<const N: usize>(bases: [f64; N], degree: u32) -> [f64; N] {
    let (mut powers, mut squares, mut left) = ([1.0; N], bases, degree);
    loop {
        if left & 1 == 1 {
            powers.iter_mut().zip(&squares).for_each(|(power, square)| *power *= square);
        }
        left >>= 1;
        if left == 0 {
            return powers;
        }
        squares.iter_mut().for_each(|square| *square *= *square);
    }
}

/// x·z: adds the products of the entries one by one in ascending order of the features.
pub fn inner_product(x: Row<'_>, z: Row<'_>) -> f64 {
    let (mut sum, mut others) = (0.0, Vec::with_capacity(z.stored()));
    z.for_each(|j, z| others.push((j, z)));
    let mut others = others.into_iter().peekable();
    x.for_each(|j, x| {
        while others.next_if(|other| other.0 < j).is_some() {}
        if let Some((_, z)) = others.next_if(|other| other.0 == j) {
            sum += x * z;
        }
    });
    sum
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Kernel::Linear => f.write_str("linear"),
            Kernel::Poly { degree, coef0: 1.0, gamma: 1.0 } => write!(f, "poly:{degree}"),
            Kernel::Poly { degree, coef0, gamma: 1.0 } => write!(f, "poly:{degree}:{coef0}"),
            Kernel::Poly { degree, coef0, gamma } => write!(f, "poly:{degree}:{coef0}:{gamma}"),
            Kernel::Rbf { gamma } => write!(f, "rbf:{gamma}"),
        }
    }
}

/// A text that is not a kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected {}, {} or {}, with D from 1 to {}, coef0 ≥ 0, gamma > 0 and G > 0",
    Kernel::FORMS[0], Kernel::FORMS[1], Kernel::FORMS[2], Kernel::HIGHEST_DEGREE
)]
pub struct UnknownKernel;

impl FromStr for Kernel {
    type Err = UnknownKernel;

    fn from_str(text: &str) -> Result<Self, UnknownKernel> {
        let mut words = text.split(':');
        let name = words.next().unwrap_or_default();
        let words: Vec<&str> = words.collect();
        let number = |word: &str| word.parse::<f64>().map_err(|_| UnknownKernel);
        let kernel = match (name, words.as_slice()) {
            ("linear", []) => Kernel::Linear,
            ("poly", [degree, rest @ ..]) if rest.len() <= 2 => Kernel::Poly {
                degree: degree.parse().map_err(|_| UnknownKernel)?,
                coef0: rest.first().map_or(Ok(1.0), |word| number(word))?,
                gamma: rest.get(1).map_or(Ok(1.0), |word| number(word))?,
            },
            ("rbf", [gamma]) => Kernel::Rbf { gamma: number(gamma)? },
            _ => return Err(UnknownKernel),
        };
        kernel.is_sound().then_some(kernel).ok_or(UnknownKernel)
    }
}

impl TryFrom<String> for Kernel {
    type Error = UnknownKernel;

    fn try_from(text: String) -> Result<Self, UnknownKernel> {
        text.parse()
    }
}

impl From<Kernel> for String {
    fn from(kernel: Kernel) -> Self {
        kernel.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Values;

    #[test]
    fn kernels_have_names() {
        for text in ["linear", "poly:1", "poly:4", "poly:2:0", "poly:3:1:0.5", "rbf:0.1"] {
            let kernel: Kernel = text.parse().unwrap();
            assert_eq!(kernel.to_string(), text);
        }
        let bad = ["", "poly", "poly:0", "poly:101", "poly:2:-1", "poly:2:1:0", "poly:2:1:1:1"];
        for text in bad.into_iter().chain(["rbf", "rbf:0", "rbf:nan", "rbf:inf", "linear:1"]) {
            assert_eq!(text.parse::<Kernel>(), Err(UnknownKernel), "{text}");
        }
    }

    /// x = (1, 2), z = (3, −1): x·z = 1, ‖x − z‖² = 4 + 9 = 13.
    #[test]
    fn values_by_hand() {
        let (x, z) = ([1.0, 2.0], [3.0, -1.0]);
        let row = |x| Row::dense(Values::F64(x));
        let product = inner_product(row(&x), row(&z));
        assert_eq!(product, 1.0);
        let squares = (5.0, 10.0);
        let value = |text: &str| text.parse::<Kernel>().unwrap().value(product, squares);
        assert_eq!(value("linear"), 1.0);
        assert_eq!(value("poly:5"), 32.0);
        assert_eq!(value("poly:3:0.5:2"), 15.625);
        // e^{−13/2} to 17 digits.
        assert_eq!(value("rbf:0.5"), 1.503_439_192_977_572_4e-3);
        assert_eq!("rbf:3".parse::<Kernel>().unwrap().value(5.0, (5.0, 5.0)), 1.0);
    }

    #[test]
    fn several_values_are_those_of_each() {
        let products: Vec<f64> = (0..21).map(|i| f64::from(i) / 7.0 - 1.3).collect();
        let squares: Vec<f64> = (0..21).map(|i| 2.0 + f64::from(i) / 3.0).collect();
        for text in ["linear", "poly:1", "poly:4", "poly:7:0.1:0.3", "rbf:0.7"] {
            let kernel: Kernel = text.parse().unwrap();
            let mut values = products.clone();
            kernel.values(&mut values, 2.2, &squares);
            for ((value, product), square) in values.iter().zip(&products).zip(&squares) {
                assert_eq!(value.to_bits(), kernel.value(*product, (2.2, *square)).to_bits());
            }
        }
    }

    #[test]
    fn products_of_sparse_rows() {
        let sparse = Row::sparse(&[0, 3, 7], Values::F64(&[2.0, 5.0, 1.0]));
        let other = Row::sparse(&[3, 4, 7], Values::F32(&[10.0, 1.0, 0.5]));
        assert_eq!(inner_product(sparse, other), 50.5);
        assert_eq!(inner_product(other, sparse), 50.5);
    }
}

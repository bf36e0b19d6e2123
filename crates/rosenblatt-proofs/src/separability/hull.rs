//! The examples as integer vectors, whose hull the exact search uses.
//!
//! Every finite float is an integer times a power of two, so all values are integers in one unit 2^u. Nothing is
//! rounded, and lengths keep their proportions.

use num_bigint::BigInt;
use num_traits::Zero;

use rosenblatt_core::data::{Examples, Sign};

use super::integers::dyadic;

/// The vectors that span the hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Span {
    /// The yᵢxᵢ: hyperplanes through the origin.
    Rows,
    /// The yᵢ(xᵢ, 1): hyperplanes with a bias.
    WithConstant,
    /// All differences of a positive and a negative row. Half the length of the shortest vector of their hull is the
    /// geometric margin with a free bias. Both classes must occur.
    Differences,
}

/// A hull in integers.
#[derive(Clone, Debug)]
pub(super) struct Hull<'a> {
    pub(super) examples: Examples<'a>,
    pub(super) span: Span,
    /// The exponent u of the unit; at most 0, so that 1 is an integral number of units.
    pub(super) unit: i32,
}

/// A vector of the hull, and its row or two rows.
#[derive(Clone, Debug)]
pub(super) struct Vertex {
    pub(super) rows: Vec<usize>,
    pub(super) vector: Vec<BigInt>,
}

/// The rows with the smallest scores, and their sum.
pub(super) struct Lowest {
    pub(super) rows: Vec<usize>,
    pub(super) score: BigInt,
}

impl<'a> Hull<'a> {
    /// Cost: one pass.
    pub(super) fn new(examples: Examples<'a>, span: Span) -> Self {
        let mut unit = 0;
        for row in examples.rows().iter() {
            row.for_each(|_, x| {
                let (mantissa, exponent) = dyadic(x);
                if mantissa != 0 {
                    unit = unit.min(exponent);
                }
            });
        }
        Hull { examples, span, unit }
    }

    /// The number of coordinates.
    pub(super) fn dimension(&self) -> usize {
        self.examples.features() + usize::from(self.span == Span::WithConstant)
    }

    /// A vector to start from.
    pub(super) fn first(&self) -> Vertex {
        let of = |sign: Sign| (0..self.examples.len()).find(|&i| self.examples.sign(i) == sign);
        self.vertex(match self.span {
            Span::Differences => of(Sign::Plus).into_iter().chain(of(Sign::Minus)).collect(),
            Span::Rows | Span::WithConstant => vec![0],
        })
    }

    /// The sum of the vectors of some rows.
    pub(super) fn vertex(&self, rows: Vec<usize>) -> Vertex {
        let mut vector = vec![BigInt::zero(); self.dimension()];
        for &row in &rows {
            let (x, sign) = self.examples.get(row);
            x.for_each(|j, x| vector[j] += self.units(sign * x, &BigInt::from(1)));
            if self.span == Span::WithConstant
                && let Some(constant) = vector.last_mut()
            {
                *constant += self.units(sign.as_f64(), &BigInt::from(1));
            }
        }
        Vertex { rows, vector }
    }

    /// `x·factor` in units.
    fn units(&self, x: f64, factor: &BigInt) -> BigInt {
        let (mantissa, exponent) = dyadic(x);
        if mantissa == 0 {
            return BigInt::zero();
        }
        (factor * mantissa) << (exponent - self.unit) as usize
    }

    /// p·z for the vector of one row.
    fn score(&self, row: usize, p: &[BigInt]) -> BigInt {
        let (x, sign) = self.examples.get(row);
        let mut sum = BigInt::zero();
        x.for_each(|j, x| sum += self.units(sign * x, &p[j]));
        if self.span == Span::WithConstant {
            sum += p.last().map(|p| self.units(sign.as_f64(), p)).unwrap_or_default();
        }
        sum
    }

    /// The row with the smallest score of each class, or of both together: one for each vector of a vertex.
    pub(super) fn lowest(&self, p: &[BigInt]) -> Lowest {
        let parts = match self.span {
            Span::Differences => {
                vec![self.lowest_of(Some(Sign::Plus), p), self.lowest_of(Some(Sign::Minus), p)]
            }
            Span::Rows | Span::WithConstant => vec![self.lowest_of(None, p)],
        };
        let score = parts.iter().flatten().map(|(_, score)| score).sum();
        Lowest { rows: parts.iter().flatten().map(|&(row, _)| row).collect(), score }
    }

    /// The first row of a class with the smallest score.
    pub(super) fn lowest_of(&self, class: Option<Sign>, p: &[BigInt]) -> Option<(usize, BigInt)> {
        let is_of = |&row: &usize| class.is_none_or(|class| self.examples.sign(row) == class);
        let rows = (0..self.examples.len()).filter(is_of);
        rows.map(|row| (row, self.score(row, p))).min_by(|(_, a), (_, b)| a.cmp(b))
    }
}

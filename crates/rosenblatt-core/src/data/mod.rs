//! The training data: rows of numbers and the sign or class of each row.
//!
//! [`Rows`] is a matrix, dense or sparse (CSR), in `f32` or `f64`, owned or borrowed. The rest of the engine sees data
//! only as a [`Row`], so that no layout changes a result. An absent entry of a sparse row is the number 0.
//!
//! All values are finite. The constructors of [`Rows`] check this once, so that no rule must check it again. Code that
//! accepts rows for an existing model checks their width once per batch. Code that accepts a single [`Row`], which may
//! consist of any slices, calls [`Row::check`].

mod classes;
mod decimal;
mod decision;
mod excerpt;
mod label;
mod prefetch;
mod reported;
mod rows;
mod rows_builder;
mod scaling;
mod statistics;

pub(crate) use prefetch::{Prefetch, VisitOrder};

pub use classes::{ClassError, Classes, Scheme, SchemeError, Spellings, same_label};
pub use decimal::Decimal;
pub use decision::{Decision, ZeroScore};
pub use excerpt::{LONGEST_EXCERPT, beginning, excerpt};
pub use label::{Label, classes_of};
pub use rows::{Parts, Rows, RowsError, Storage};
pub use rows_builder::RowsBuilder;
pub use scaling::{Scale, ScaleError, Scaling};
pub use statistics::FeatureStatistics;

pub use rosenblatt_exact::{Row, RowError, Sign, Values};

use crate::simd;

/// Rows and their signs: a training set of two classes.
///
/// ```
/// use rosenblatt_core::data::{Examples, Rows, Sign};
/// let rows = Rows::dense(vec![0.0, 0.0, 1.0, 1.0], 2)?;
/// let examples = Examples::new(&rows, &[Sign::Minus, Sign::Plus])?;
/// assert_eq!(examples.len(), 2);
/// # Ok::<(), rosenblatt_core::data::RowsError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Examples<'a> {
    rows: &'a Rows<'a>,
    signs: Signs<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Signs<'a> {
    Given(&'a [Sign]),
    /// Plus where the class is `positive`.
    OneVsRest {
        classes: &'a [u32],
        positive: u32,
    },
}

impl<'a> Examples<'a> {
    /// Joins rows and signs.
    ///
    /// # Errors
    /// [`RowsError::Signs`] unless there is exactly one sign per row.
    pub fn new(rows: &'a Rows<'a>, signs: &'a [Sign]) -> Result<Self, RowsError> {
        if rows.len() != signs.len() {
            return Err(RowsError::Signs { rows: rows.len(), signs: signs.len() });
        }
        Ok(Examples { rows, signs: Signs::Given(signs) })
    }

    /// Joins rows and as many signs.
    pub fn of_as_many(rows: &'a Rows<'a>, signs: &'a [Sign]) -> Self {
        Examples { rows, signs: Signs::Given(signs) }
    }

    /// The number of examples.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no examples.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The number of features of every row.
    pub fn features(&self) -> usize {
        self.rows.features()
    }

    /// The rows.
    pub fn rows(&self) -> &'a Rows<'a> {
        self.rows
    }

    /// The sign of example `i`, counted from 0.
    ///
    /// # Panics
    /// If `i` is not less than the number of examples.
    #[inline]
    pub fn sign(&self, i: usize) -> Sign {
        match self.signs {
            Signs::Given(signs) => signs[i],
            Signs::OneVsRest { classes, positive } if classes[i] == positive => Sign::Plus,
            Signs::OneVsRest { .. } => Sign::Minus,
        }
    }

    /// The class of each example; `None` if signs were given.
    pub(crate) fn classes(&self) -> Option<&'a [u32]> {
        match self.signs {
            Signs::Given(_) => None,
            Signs::OneVsRest { classes, .. } => Some(classes),
        }
    }

    /// Prefetches the sign of example `i`.
    #[inline(always)]
    pub(crate) fn prefetch_sign(&self, i: usize) {
        match self.signs {
            Signs::Given(signs) => simd::prefetch::some(signs, i, 1),
            Signs::OneVsRest { classes, .. } => simd::prefetch::some(classes, i, 1),
        }
    }

    /// Example `i`, counted from 0.
    ///
    /// # Panics
    /// If `i` is not less than the number of examples.
    #[inline]
    pub fn get(&self, i: usize) -> (Row<'a>, Sign) {
        (self.rows.row(i), self.sign(i))
    }

    /// The examples in the order in which they were given.
    pub fn iter(&self) -> impl Iterator<Item = (Row<'a>, Sign)> + use<'a> {
        let this = *self;
        (0..this.len()).map(move |i| this.get(i))
    }

    /// The number of examples of each sign, as (minus, plus).
    pub fn class_sizes(&self) -> (usize, usize) {
        let plus = (0..self.len()).filter(|&i| self.sign(i) == Sign::Plus).count();
        (self.len() - plus, plus)
    }
}

/// Rows and their classes: a training set of two or more classes.
#[derive(Clone, Copy, Debug)]
pub struct Labelled<'a> {
    rows: &'a Rows<'a>,
    classes: &'a [u32],
    scheme: Scheme,
    weights: Option<&'a [f64]>,
}

impl<'a> Labelled<'a> {
    /// Joins rows and the numbers of their classes.
    ///
    /// # Errors
    /// [`RowsError::Scheme`]. [`RowsError::Signs`] unless there is exactly one class per row. [`RowsError::Class`] for
    /// a number that is not a class of the scheme.
    pub fn new(rows: &'a Rows<'a>, classes: &'a [u32], scheme: Scheme) -> Result<Self, RowsError> {
        scheme.check()?;
        if rows.len() != classes.len() {
            return Err(RowsError::Signs { rows: rows.len(), signs: classes.len() });
        }
        if let Some(row) = classes.iter().position(|&class| class as usize >= scheme.classes()) {
            return Err(RowsError::Class { row, class: classes[row] });
        }
        Ok(Labelled { rows, classes, scheme, weights: None })
    }

    /// Sets the weight of each example, which multiplies the learning rate together with the weight of its class. An
    /// example of weight 2 moves the weights of a hyperplane twice as far. Counts of classes and errors ignore the
    /// weights.
    ///
    /// # Errors
    /// [`RowsError::Weights`] unless there is exactly one weight per row. [`RowsError::Weight`] for a weight that is
    /// not a positive finite number.
    pub fn weighted(self, weights: &'a [f64]) -> Result<Labelled<'a>, RowsError> {
        if self.rows.len() != weights.len() {
            return Err(RowsError::Weights { rows: self.rows.len(), weights: weights.len() });
        }
        let is_good = |weight: f64| weight > 0.0 && weight.is_finite();
        if let Some(row) = weights.iter().position(|&weight| !is_good(weight)) {
            return Err(RowsError::Weight { row, weight: weights[row] });
        }
        Ok(Labelled { weights: Some(weights), ..self })
    }

    /// Its classes and weights with other rows, as many.
    ///
    /// # Panics
    /// If there are more rows or fewer.
    pub(crate) fn with_rows<'r>(&self, rows: &'r Rows<'r>) -> Labelled<'r>
    where
        'a: 'r,
    {
        assert_eq!(rows.len(), self.classes.len(), "each row has a class");
        Labelled { rows, ..*self }
    }

    /// The weight of each example, if set.
    pub fn weights(&self) -> Option<&'a [f64]> {
        self.weights
    }

    /// The rows.
    pub fn rows(&self) -> &'a Rows<'a> {
        self.rows
    }

    /// The number of the class of each row.
    pub fn classes(&self) -> &'a [u32] {
        self.classes
    }

    /// How scores become a class.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The binary problem of each hyperplane: its class against all others.
    pub fn problems(&self) -> Vec<Examples<'a>> {
        let one = |number| {
            let positive = self.scheme.class_of(number) as u32;
            let signs = Signs::OneVsRest { classes: self.classes, positive };
            Examples { rows: self.rows, signs }
        };
        (0..self.scheme.hyperplanes()).map(one).collect()
    }

    /// The number of examples of each class.
    pub fn class_sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.scheme.classes()];
        if let [zeros, ones] = sizes.as_mut_slice() {
            // Counts in a register, without a dependency through memory.
            *ones = self.classes.iter().filter(|&&class| class == 1).count();
            *zeros = self.classes.len() - *ones;
            return sizes;
        }
        self.classes.iter().for_each(|&class| sizes[class as usize] += 1);
        sizes
    }
}

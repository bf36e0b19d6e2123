//! The decision of a model in a plane of two features, with the others at their means.

use rosenblatt_core::{
    data::{Row, Rows, RowsError, Scheme},
    keep::Tally,
    model::{Classifier, Model, PredictOptions},
};
use rosenblatt_plot::Decided;

/// The number of values that are scored at once: 32 megabytes.
const BATCH: usize = 1 << 22;
/// The number of products of two values that take a moment.
const AFFORDABLE: usize = 1 << 28;

/// The features along the two axes of a plane, or along a number line.
#[derive(Clone, Copy)]
pub(super) struct Axes {
    /// Along the horizontal axis.
    pub(super) x: usize,
    /// Along the vertical axis, if there is one.
    pub(super) y: Option<usize>,
}

/// A plane through the feature space.
pub(super) struct Slice<'m> {
    pub(super) model: &'m Model,
    pub(super) predict_options: PredictOptions,
    /// The features that are drawn.
    pub(super) axes: Axes,
    /// The means of all features.
    pub(super) means: Vec<f64>,
    /// Whether the rows are stored sparse.
    pub(super) sparse: bool,
}

/// The index of a class in a picture: the number of the class, but with two classes 0 for the negative one.
pub(super) fn class_index(scheme: Scheme, class: u32) -> usize {
    match scheme {
        Scheme::Two { positive } => usize::from(class as usize == positive),
        Scheme::OneVsRest { .. } => class as usize,
    }
}

impl Slice<'_> {
    /// The number of places that the model can classify in a moment.
    pub(super) fn affordable(&self) -> usize {
        let products = |rows: usize| rows * self.stored();
        let cost = match self.model.classifier() {
            Classifier::Linear(planes) => products(planes.len()),
            Classifier::Dual(dual) => products(dual.support.rows.len()),
            // Each move of a path takes as long as a few products.
            Classifier::Voted(voted) => {
                let moves = voted.paths.iter().map(|path| path.moves.len()).sum::<usize>();
                products(voted.support.rows.len()) + 8 * moves
            }
        };
        AFFORDABLE / cost.max(1)
    }

    /// Returns the classes and scores of places; `None` if scaling or scores overflow.
    pub(super) fn decide(&self, places: &[(f64, f64)]) -> Option<Decided> {
        let scheme = self.model.classes().scheme();
        let shaded = self.has_shades();
        let mut decided = Decided { classes: Vec::new(), scores: Vec::new() };
        for places in places.chunks((BATCH / self.stored().max(1)).max(1)) {
            let rows = self.rows(places).ok()?;
            if self.overflows(&rows) {
                return None;
            }
            let predictions = self.model.classify(&rows, self.predict_options, shaded).ok()?;
            decided
                .classes
                .extend(predictions.classes.iter().map(|&class| class_index(scheme, class)));
            decided.scores.extend(predictions.scores);
        }
        let whole = decided.scores.iter().all(|score| score.is_finite());
        decided.scores.truncate(if whole { places.len() } else { 0 });
        Some(decided)
    }

    /// Whether a kernel value with a support row might overflow: by the Cauchy–Schwarz inequality, with a millionth of
    /// the range for rounding.
    fn overflows(&self, rows: &Rows<'_>) -> bool {
        let (kernel, support) = match self.model.classifier() {
            Classifier::Linear(_) => return false,
            Classifier::Dual(dual) => (dual.kernel, &dual.support.rows),
            Classifier::Voted(voted) => (voted.kernel, &voted.support.rows),
        };
        let prepared = self.model.preparation().batch(rows);
        let largest = prepared.map_or(f64::INFINITY, |prepared| largest_square(prepared.iter()));
        let squares = (largest, largest_square((0..support.len()).map(|i| support.row(i))));
        let product = squares.0.sqrt() * squares.1.sqrt();
        let value = |product: f64| kernel.value(product, squares).abs();
        let largest = [squares.0, squares.1, value(product), value(-product)];
        !largest.iter().all(|size| (size * 1e6).is_finite())
    }

    /// Whether there is one score and it changes gradually.
    fn has_shades(&self) -> bool {
        let voted = matches!(self.model.classifier(), Classifier::Voted(_));
        let stepped = voted && self.predict_options.tally == Tally::Vote;
        self.model.classes().pair().is_some() && !stepped
    }

    /// The number of values that a row stores.
    fn stored(&self) -> usize {
        if self.sparse { self.entries((1.0, 1.0)).count() } else { self.means.len() }
    }

    fn rows(&self, places: &[(f64, f64)]) -> Result<Rows<'static>, RowsError> {
        let features = self.means.len();
        if !self.sparse {
            let values: Vec<f64> = places
                .iter()
                .flat_map(|&place| (0..features).map(move |feature| self.value(feature, place)))
                .collect();
            return Rows::dense(values, features);
        }
        let (mut offsets, mut indices, mut values) = (vec![0], Vec::new(), Vec::<f64>::new());
        for &place in places {
            for (feature, value) in self.entries(place) {
                indices.push(feature as u32);
                values.push(value);
            }
            offsets.push(values.len());
        }
        Rows::sparse(offsets, indices, values, features)
    }

    /// The features at a place that are not 0.
    fn entries(&self, place: (f64, f64)) -> impl Iterator<Item = (usize, f64)> {
        let all = (0..self.means.len()).map(move |feature| (feature, self.value(feature, place)));
        all.filter(|&(_, value)| value != 0.0)
    }

    fn value(&self, feature: usize, (x, y): (f64, f64)) -> f64 {
        match feature {
            feature if feature == self.axes.x => x,
            feature if Some(feature) == self.axes.y => y,
            feature => self.means[feature],
        }
    }
}

/// The largest sum of squares of a row.
fn largest_square<'r>(rows: impl Iterator<Item = Row<'r>>) -> f64 {
    let square = |row: Row<'_>| {
        let mut sum = 0.0;
        row.for_each(|_, value| sum += value * value);
        sum
    };
    rows.map(square).fold(0.0, f64::max)
}

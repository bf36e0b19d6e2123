//! The contents of a picture: plain data, no drawing.

use std::{fmt, rc::Rc};

/// One picture.
#[derive(Clone, Debug)]
pub struct Figure<'a> {
    /// The panels, side by side, left to right.
    pub panels: Vec<Panel<'a>>,
}

/// One part of a picture.
#[derive(Clone, Debug)]
pub enum Panel<'a> {
    /// Examples in a plane, and the decision of a model there.
    Boundary(Boundary<'a>),
    /// Mistakes per epoch.
    Curve(Curve),
    /// Weights.
    Bars(Bars),
    /// A distribution of counts.
    Histogram(Histogram),
    /// Updates against their bound.
    Trend(Trend),
    /// Predicted probabilities against shares.
    Reliability(Reliability),
    /// Numbers of alternatives.
    Comparison(Comparison),
    /// Two rates at each threshold.
    Rates(RateCurve),
}

/// One or two features of the examples, and the decision of a model there.
#[derive(Clone, Debug)]
pub struct Boundary<'a> {
    /// The finding.
    pub title: String,
    /// The data and the run; may be empty.
    pub note: String,
    /// The name of the feature along the horizontal axis.
    pub x_name: String,
    /// The name of the feature along the vertical axis; without one, a number line shows one feature.
    pub y_name: Option<String>,
    /// The examples; those with a coordinate that is not finite are not drawn.
    pub examples: Vec<Example>,
    /// The names of the classes; of two classes the negative one comes first.
    pub classes: Vec<String>,
    /// The decision of the model, if there is a model.
    pub decision: Option<Decision<'a>>,
    /// Whether the model has more features than the plane.
    pub is_slice: bool,
}

/// An example in the plane of two features.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Example {
    /// The horizontal feature.
    pub x: f64,
    /// The vertical feature; 0 on a number line.
    pub y: f64,
    /// The index of its class in [`Boundary::classes`].
    pub class: usize,
}

/// The decision of a model in the plane.
#[derive(Clone, Debug)]
pub enum Decision<'a> {
    /// The separator of a linear model of two classes.
    Line(Line),
    /// The regions of the classes, for any model.
    Regions(Regions<'a>),
}

/// Classifies places `(x, y)` of the plane; `None` if that overflows.
pub type Decide<'a> = dyn Fn(&[(f64, f64)]) -> Option<Decided> + 'a;

/// The regions of the classes.
#[derive(Clone)]
pub struct Regions<'a> {
    /// The model.
    pub decide: Rc<Decide<'a>>,
    /// The number of places that the model can classify in a moment; the mesh has at most this many if
    /// there is one so coarse.
    pub most_places: usize,
    /// A remark on the regions, shown behind the note.
    pub note: Option<String>,
}

impl fmt::Debug for Regions<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Regions").field("note", &self.note).finish_non_exhaustive()
    }
}

/// The decision of a model at some places.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    /// The index of the class of each place.
    pub classes: Vec<usize>,
    /// The score of each place, positive for class 1, which is drawn as shades. Empty if the model has
    /// more than two classes or if its scores change in steps.
    pub scores: Vec<f64>,
}

/// The line `a·x + b·y + c = 0`; its positive side is where the left side is above 0.
///
/// With `a = b = 0` there is no line, and a note in the picture says so.
#[derive(Clone, Debug)]
pub struct Line {
    /// The weight of the horizontal feature.
    pub a: f64,
    /// The weight of the vertical feature.
    pub b: f64,
    /// The constant term.
    pub c: f64,
    /// The distance of the closest example if the line separates the classes. The picture then shows the
    /// edges of the margin, `a·x + b·y + c = ±margin·hypot(a, b)`.
    pub margin: Option<f64>,
    /// The points whose distances are drawn.
    pub distances: Vec<Distance>,
    /// Whether it is where labels change, and not where the score of the model is 0.
    pub is_moved: bool,
    /// A remark on the line, shown behind the note.
    pub note: Option<String>,
}

/// A point, and its distance from a line, drawn as a dashed segment.
#[derive(Clone, Debug, PartialEq)]
pub struct Distance {
    /// The point.
    pub point: (f64, f64),
    /// The label of the point.
    pub name: String,
    /// The label of the segment.
    pub length: String,
    /// The label of its end on the line.
    pub foot: Option<String>,
}

/// Mistakes per epoch.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The finding.
    pub title: String,
    /// The data and the run; may be empty.
    pub note: String,
    /// The mistakes of each epoch, from the first.
    pub mistakes_per_epoch: Vec<u64>,
    /// Whether the last epoch made no mistake.
    pub converged: bool,
}

/// The largest weights.
#[derive(Clone, Debug)]
pub struct Bars {
    /// The finding.
    pub title: String,
    /// The weights, from the top of the panel to its bottom.
    pub weights: Vec<Weight>,
    /// The data and the run; may be empty.
    pub note: String,
    /// The classes that negative and positive weights speak for.
    pub sides: [String; 2],
}

/// The weight of a feature.
#[derive(Clone, Debug, PartialEq)]
pub struct Weight {
    /// The name of the feature.
    pub name: String,
    /// Its weight.
    pub value: f64,
}

/// A distribution of counts.
#[derive(Clone, Debug)]
pub struct Histogram {
    /// The finding.
    pub title: String,
    /// The data and the run; may be empty.
    pub note: String,
    /// The name of the values, along the horizontal axis.
    pub value_name: String,
    /// The name of the counts, along the vertical axis.
    pub count_name: String,
    /// The bins, in ascending order.
    pub bins: Vec<Bin>,
    /// The first quartile, the median and the third quartile of the values; bars between the quartiles are darker.
    pub quartiles: Option<[f64; 3]>,
    /// An upper bound on the values; an arrow shows one that is far away from them.
    pub bound: Option<f64>,
}

/// A bin of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    /// Its first value.
    pub from: u64,
    /// Its last value.
    pub to: u64,
    /// The number of values in it.
    pub count: u64,
}

/// Updates against their bound, on logarithmic axes.
#[derive(Clone, Debug)]
pub struct Trend {
    /// The finding.
    pub title: String,
    /// The data and the run; may be empty.
    pub note: String,
    /// The points.
    pub points: Vec<TrendPoint>,
}

/// The updates of several runs, and their bound.
#[derive(Clone, Debug)]
pub struct TrendPoint {
    /// The name of the point.
    pub name: String,
    /// The bound on the updates.
    pub bound: f64,
    /// The minimum of the updates.
    pub least: f64,
    /// The median of the updates.
    pub median: f64,
    /// The maximum of the updates.
    pub most: f64,
}

/// Predicted probabilities of a class against its shares.
#[derive(Clone, Debug)]
pub struct Reliability {
    /// The finding.
    pub title: String,
    /// The data and the model; may be empty.
    pub note: String,
    /// The name of the probabilities, along the horizontal axis.
    pub x_name: String,
    /// The name of the shares, along the vertical axis.
    pub y_name: String,
    /// Groups of examples, by rising probability. The one that is off most is named.
    pub groups: Vec<ReliabilityGroup>,
}

/// Numbers of alternatives, side by side, or one below the other if their names are long.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The finding.
    pub title: String,
    /// The data and the runs; may be empty.
    pub note: String,
    /// The name of the alternatives.
    pub x_name: String,
    /// The name of the numbers.
    pub y_name: String,
    /// The alternatives, from left to right or from the top to the bottom.
    pub alternatives: Vec<Alternative>,
    /// The index of the chosen one.
    pub chosen: usize,
    /// The label beside the chosen one.
    pub label: String,
}

/// One alternative.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// Its name.
    pub name: String,
    /// Its number.
    pub number: f64,
    /// The lower end of the line through it.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Examples of neighbouring probabilities.
#[derive(Clone, Debug, PartialEq)]
pub struct ReliabilityGroup {
    /// The label beside it.
    pub name: String,
    /// The mean of the probabilities.
    pub probability: f64,
    /// The share of the class.
    pub share: f64,
    /// The lower end of the interval of the share.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// Two rates at each threshold of a ranking: the ROC curve, or precision against recall.
#[derive(Clone, Debug)]
pub struct RateCurve {
    /// The finding.
    pub title: String,
    /// The data and the model; may be empty.
    pub note: String,
    /// The name of the rate along the horizontal axis.
    pub x_name: String,
    /// The name of the rate along the vertical axis.
    pub y_name: String,
    /// The points `(x, y)`, from the highest threshold to the lowest, with rising `x`.
    pub points: Vec<(f64, f64)>,
    /// Whether the curve is level up to each point, as no point between two is attained; otherwise it is straight.
    pub is_stepped: bool,
    /// The ends of the line of a ranking by chance.
    pub chance: [(f64, f64); 2],
    /// The label beside that line.
    pub chance_name: String,
    /// The point of the predicted labels.
    pub decided: Option<RatePoint>,
}

/// A marked point of a [`RateCurve`].
#[derive(Clone, Debug, PartialEq)]
pub struct RatePoint {
    /// The point.
    pub at: (f64, f64),
    /// What it is.
    pub name: String,
    /// Both rates, in words.
    pub rates: [String; 2],
}

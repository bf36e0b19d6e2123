//! Pictures of a model, as SVG or PNG by the ending of the file's name.
//!
//! A [`Figure`] says what to show; [`render`] gives the picture's bytes and touches no file. Each
//! panel draws itself on a [`Canvas`](canvas::Canvas), a list of shapes in the points of one panel
//! (760 × 560); the list is then played back as SVG text or as pixels, twice as many each way. So both
//! kinds of picture come from the same shapes, and the same figure always gives the same bytes.
//!
//! No input fails because of its values: numbers that are not finite are left out, ranges of no
//! length are widened, names that are too long end in `…`.

mod arrow;
mod axes;
mod bars;
mod boundary;
mod canvas;
mod contour;
mod curve;
mod half_plane;
mod histogram;
mod legend;
mod marks;
mod mesh;
mod paper;
mod range;
mod regions;
mod separator;
#[cfg(test)]
mod tests;
mod trend;
mod truetype;
mod typeface;

use std::{fmt, path::Path, rc::Rc};

use canvas::Canvas;
use typeface::Typeface;

/// One picture.
#[derive(Clone, Debug)]
pub(crate) struct Figure<'a> {
    /// What it shows, side by side, left to right.
    pub(crate) panels: Vec<Panel<'a>>,
}

/// One part of a picture.
#[derive(Clone, Debug)]
pub(crate) enum Panel<'a> {
    /// Examples in a plane, and what the model decides there.
    Boundary(Boundary<'a>),
    /// Mistakes per epoch.
    Curve(Curve),
    /// Weights.
    Bars(Bars),
    /// A distribution of counts.
    Histogram(Histogram),
    /// Updates against their bound.
    Trend(Trend),
}

/// Two features of the examples, and what the model decides in their plane.
#[derive(Clone, Debug)]
pub(crate) struct Boundary<'a> {
    /// The heading.
    pub(crate) title: String,
    /// The feature along the horizontal axis.
    pub(crate) x_name: String,
    /// The feature along the vertical axis.
    pub(crate) y_name: String,
    /// Both features of each example, and the number of its class.
    pub(crate) points: Vec<(f64, f64, usize)>,
    /// What the classes are called; of two, the negative one first.
    pub(crate) classes: Vec<String>,
    /// What the model decides, if there is one.
    pub(crate) decision: Option<Decision<'a>>,
}

/// What a model decides in the plane.
#[derive(Clone, Debug)]
pub(crate) enum Decision<'a> {
    /// The separator of a linear model of two classes.
    Line(Line),
    /// The regions of the classes of any model.
    Regions(Regions<'a>),
}

/// Classifies places of the plane; None when that overflows.
pub(crate) type Decide<'a> = dyn Fn(&[(f64, f64)]) -> Option<Decided> + 'a;

/// The regions of the classes.
#[derive(Clone)]
pub(crate) struct Regions<'a> {
    /// The model.
    pub(crate) decide: Rc<Decide<'a>>,
    /// For how many places at once that takes no more than moments.
    pub(crate) most_places: usize,
    /// What the reader has to know about the regions, for below the title.
    pub(crate) note: Option<String>,
}

/// What a model decides at some places.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Decided {
    /// The number of the class of each place.
    pub(crate) classes: Vec<usize>,
    /// For shades, the score of each place, positive for class 1; empty where scores are not of two
    /// classes or change in steps.
    pub(crate) scores: Vec<f64>,
}

impl fmt::Debug for Regions<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Regions").field("note", &self.note).finish_non_exhaustive()
    }
}

/// The line `a·x + b·y + c = 0`; the positive side is where it is > 0. With `a = b = 0` it is no line
/// and only said to be none.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The weight of the horizontal feature.
    pub(crate) a: f64,
    /// The weight of the vertical feature.
    pub(crate) b: f64,
    /// The constant term.
    pub(crate) c: f64,
    /// The distance of the closest example, when the line separates all of them: the edges of the
    /// band `a·x + b·y + c = ±margin·hypot(a, b)` are drawn.
    pub(crate) margin: Option<f64>,
    /// What the reader has to know about the line, for below the title.
    pub(crate) note: Option<String>,
}

/// Mistakes per epoch.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    /// The heading.
    pub(crate) title: String,
    /// The mistakes of each epoch, from the first.
    pub(crate) mistakes_per_epoch: Vec<u64>,
    /// Whether the last epoch made no mistake.
    pub(crate) converged: bool,
}

/// The largest weights.
#[derive(Clone, Debug)]
pub(crate) struct Bars {
    /// The heading.
    pub(crate) title: String,
    /// Name and weight of each feature, in the order to be shown, top first.
    pub(crate) weights: Vec<(String, f64)>,
    /// What the reader has to know about the weights, for below the title; or nothing.
    pub(crate) note: String,
    /// Whether each weight belongs to a class against the rest, which its name says.
    pub(crate) against_rest: bool,
}

/// A distribution of counts.
#[derive(Clone, Debug)]
pub(crate) struct Histogram {
    /// The heading.
    pub(crate) title: String,
    /// What the reader has to know, for below the title.
    pub(crate) note: String,
    /// What is counted.
    pub(crate) value_name: String,
    /// What has such a value.
    pub(crate) count_name: String,
    /// First and last value of each bin, and how many are in it.
    pub(crate) bins: Vec<(u64, u64, u64)>,
    /// The median of the values.
    pub(crate) median: Option<f64>,
    /// What no value can exceed; drawn where it is not far away.
    pub(crate) bound: Option<f64>,
}

/// Updates against their bound, on logarithmic axes.
#[derive(Clone, Debug)]
pub(crate) struct Trend {
    /// The heading.
    pub(crate) title: String,
    /// What the reader has to know, for below the title.
    pub(crate) note: String,
    /// The points.
    pub(crate) points: Vec<TrendPoint>,
}

/// The updates of some runs, and their bound.
#[derive(Clone, Debug)]
pub(crate) struct TrendPoint {
    /// What it is called.
    pub(crate) name: String,
    /// The bound.
    pub(crate) bound: f64,
    /// The fewest updates.
    pub(crate) least: f64,
    /// Their median.
    pub(crate) median: f64,
    /// The most updates.
    pub(crate) most: f64,
}

/// The format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Scalable vector graphics: text.
    Svg,
    /// Portable network graphics: pixels.
    Png,
}

impl Kind {
    /// The kind of the picture to be written to `path`, by the ending of its name in any case.
    ///
    /// # Errors
    /// [`PlotError::UnknownEnding`] for any other ending, or none.
    pub(crate) fn of(path: &Path) -> Result<Kind, PlotError> {
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        match ending.as_ref().and_then(|ending| ending.to_str()) {
            Some("svg") => Ok(Kind::Svg),
            Some("png") => Ok(Kind::Png),
            _ => Err(PlotError::UnknownEnding { file: path.display().to_string() }),
        }
    }
}

/// A picture could not be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlotError {
    /// The name of the file does not say what kind of picture to make.
    #[error("{file}: cannot tell the kind of picture from the name, expected .svg or .png")]
    UnknownEnding {
        /// The file.
        file: String,
    },
    /// The picture could not be drawn.
    #[error("{file}: the picture cannot be drawn: {problem}")]
    Draw {
        /// The file.
        file: String,
        /// What the drawing library says.
        problem: String,
    },
}

/// The most panels of one figure; more would be an image wider than viewers open.
const MOST_PANELS: usize = 8;

/// The bytes of the picture: text in UTF-8 or a PNG file.
///
/// # Errors
/// What is wrong, in words for [`PlotError::Draw`]: there is no panel, there are too many, or the
/// drawing library fails.
pub(crate) fn render(figure: &Figure<'_>, kind: Kind) -> Result<Vec<u8>, String> {
    let found = figure.panels.len();
    if !(1..=MOST_PANELS).contains(&found) {
        return Err(format!("found {found} panels, expected 1 to {MOST_PANELS}"));
    }
    let typeface = Typeface::new()?;
    let canvases: Vec<Canvas<'_>> =
        figure.panels.iter().map(|panel| draw(panel, kind, &typeface)).collect();
    match kind {
        Kind::Svg => paper::svg(&canvases),
        Kind::Png => paper::png(&canvases),
    }
}

fn draw<'a>(panel: &Panel<'_>, kind: Kind, typeface: &'a Typeface) -> Canvas<'a> {
    let mut canvas = Canvas::new(typeface);
    match panel {
        Panel::Boundary(boundary) => boundary::draw(&mut canvas, boundary, kind),
        Panel::Curve(curve) => curve::draw(&mut canvas, curve),
        Panel::Bars(bars) => bars::draw(&mut canvas, bars),
        Panel::Histogram(histogram) => histogram::draw(&mut canvas, histogram),
        Panel::Trend(trend) => trend::draw(&mut canvas, trend),
    }
    canvas
}

//! Pictures of a model, as SVG or PNG.
//!
//! A [`Figure`] is plain data: one to eight panels, side by side. [`render`] returns the bytes of the
//! picture and touches no file; [`Format::of`] chooses the format by the ending of a file name.
//!
//! ```
//! use rosenblatt_plot::{Curve, Figure, Format, Panel, render};
//!
//! let curve = Curve {
//!     title: "Epoch 3 makes no mistake".to_owned(),
//!     note: "three epochs".to_owned(),
//!     mistakes_per_epoch: vec![5, 2, 0],
//!     converged: true,
//! };
//! let svg = render(&Figure { panels: vec![Panel::Curve(curve)] }, Format::Svg)?;
//! assert!(svg.starts_with(b"<svg "));
//! # Ok::<(), rosenblatt_plot::PlotError>(())
//! ```
//!
//! Each panel draws itself on a canvas, a list of shapes in points (560 × 384 for one panel). The list
//! is then played back as SVG text or as pixels, two for each point in each direction. Both formats
//! therefore come from one list of shapes, and a figure always gives the same bytes: the typeface is part of the crate.
//!
//! The title of a panel is what was found, with its number; the note below it is what it was found in. There is no
//! legend: a label stands next to what it names, in its color. Blue and orange are the positive and the negative class,
//! magenta is a mistake or a bound on mistakes, green is the weight vector.
//!
//! No figure fails because of its numbers or names: numbers that are not finite are left out, ranges of
//! length zero are widened, and long names are shortened with `…`.
//!
//! Deliberately absent: interaction, themes, other fonts, reading of files.

mod arrow;
mod axes;
mod bars;
mod boundary;
mod canvas;
mod comparison;
mod contour;
mod curve;
mod distances;
mod figure;
mod format;
mod half_plane;
mod histogram;
mod label;
mod marks;
mod mesh;
mod paper;
mod places;
mod range;
mod rates;
mod regions;
mod reliability;
mod separator;
#[cfg(test)]
mod tests;
mod trend;
mod truetype;
mod typeface;
mod view;

use canvas::Canvas;
pub use figure::{
    Alternative, Bars, Bin, Boundary, Comparison, Curve, Decide, Decided, Decision, Distance,
    Example, Figure, Histogram, Line, Panel, RateCurve, RatePoint, Regions, Reliability,
    ReliabilityGroup, Trend, TrendPoint, Weight,
};
use format::MAX_PANELS;
pub use format::{Format, PlotError};
use typeface::Typeface;

/// Returns the bytes of the picture: SVG text in UTF-8, or a PNG file.
///
/// # Errors
/// [`PlotError::Panels`] if the figure has no panel or more than eight; [`PlotError::Backend`] if the
/// drawing library fails.
pub fn render(figure: &Figure<'_>, format: Format) -> Result<Vec<u8>, PlotError> {
    let found = figure.panels.len();
    if !(1..=MAX_PANELS).contains(&found) {
        return Err(PlotError::Panels { found });
    }
    let typeface = Typeface::new()?;
    let canvases: Vec<Canvas<'_>> =
        figure.panels.iter().map(|panel| draw(panel, format, &typeface)).collect();
    match format {
        Format::Svg => paper::svg(&canvases),
        Format::Png => paper::png(&canvases),
    }
}

fn draw<'a>(panel: &Panel<'_>, format: Format, typeface: &'a Typeface) -> Canvas<'a> {
    let mut canvas = Canvas::new(typeface);
    match panel {
        Panel::Boundary(boundary) => boundary::draw(&mut canvas, boundary, format),
        Panel::Curve(curve) => curve::draw(&mut canvas, curve),
        Panel::Bars(bars) => bars::draw(&mut canvas, bars),
        Panel::Histogram(histogram) => histogram::draw(&mut canvas, histogram),
        Panel::Trend(trend) => trend::draw(&mut canvas, trend),
        Panel::Comparison(comparison) => comparison::draw(&mut canvas, comparison),
        Panel::Rates(curve) => rates::draw(&mut canvas, curve),
        Panel::Reliability(reliability) => reliability::draw(&mut canvas, reliability),
    }
    canvas
}

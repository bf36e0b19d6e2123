//! The part of the plane that a plot shows, and the place of an example on the panel.

use crate::{
    axes::{Area, Axis},
    canvas::Point,
    figure::{Boundary, Example},
    range::Range,
    typeface::Typeface,
};

/// Both axes have one scale unless one range is this many times the other.
const MOST_ALIKE: f64 = 4.0;
/// Empty space around the examples, as a share of their range.
const PADDING: f64 = 0.07;

/// The ranges of a plot and its area on the panel.
pub(crate) struct View {
    /// The rectangle that it fills.
    pub(crate) area: Area,
    /// The horizontal axis.
    pub(crate) x: Axis,
    /// The vertical axis.
    pub(crate) y: Axis,
}

impl View {
    /// The view of all examples, with some space around them.
    pub(crate) fn new(boundary: &Boundary<'_>, typeface: &Typeface) -> Self {
        let shown = || boundary.examples.iter().filter(|example| is_finite(example));
        let axis = |name: &String, range: Range| Axis { name: name.clone(), range, whole: false };
        let mut view = View {
            area: Area::from_left(0.0),
            x: axis(&boundary.x_name, Range::of(shown().map(|example| example.x))),
            y: axis(&boundary.y_name, Range::of(shown().map(|example| example.y))),
        };
        view.x.range = view.x.range.padded(PADDING, PADDING);
        view.y.range = view.y.range.padded(PADDING, PADDING);
        view.area = Area::beside(&view.y, typeface);
        view.equalize();
        view.area = Area::beside(&view.y, typeface);
        view.equalize();
        view
    }

    /// Gives both axes one scale if their ranges are of one order, so that right angles look like right angles.
    fn equalize(&mut self) {
        let (x, y) = (self.x.range.length(), self.y.range.length());
        if x / y >= MOST_ALIKE || y / x >= MOST_ALIKE {
            return;
        }
        let (width, height) = (self.area.width(), self.area.height());
        let unit = (x / width).max(y / height);
        self.x.range = self.x.range.widened(unit * width);
        self.y.range = self.y.range.widened(unit * height);
    }

    /// The marks of every `every`-th example; of those only the ones with finite coordinates.
    pub(crate) fn marks(&self, examples: &[Example], every: usize) -> Vec<ClassMark> {
        let mark = |example: &Example| {
            let (u, v) = (self.x.range.place(example.x), self.y.range.place(example.y));
            let at = self.area.point((u.clamp(0.0, 1.0), v.clamp(0.0, 1.0)));
            ClassMark { at, class: example.class }
        };
        examples.iter().step_by(every).filter(|example| is_finite(example)).map(mark).collect()
    }
}

/// The mark of an example on the panel.
pub(crate) struct ClassMark {
    /// Its place.
    pub(crate) at: Point,
    /// The index of its class.
    pub(crate) class: usize,
}

fn is_finite(example: &Example) -> bool {
    example.x.is_finite() && example.y.is_finite()
}

//! The part of the plane that a plot shows, and the place of an example on the panel.

use std::collections::HashMap;

use crate::{
    axes::{Area, Axis, Heading},
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
    pub(crate) fn new(boundary: &Boundary<'_>, heading: &Heading, typeface: &Typeface) -> Self {
        let shown = || boundary.examples.iter().filter(|example| is_finite(example));
        let axis = |name: &String, range: Range| Axis { name: name.clone(), range, whole: false };
        let mut view = View {
            area: Area::from(0.0, heading.bottom_with_name()),
            x: axis(&boundary.x_name, Range::of(shown().map(|example| example.x))),
            y: axis(&boundary.y_name, Range::of(shown().map(|example| example.y))),
        };
        view.x.range = view.x.range.padded(PADDING, PADDING);
        view.y.range = view.y.range.padded(PADDING, PADDING);
        view.area = Area::beside(&view.y, heading, typeface);
        view.equalize();
        view.area = Area::beside(&view.y, heading, typeface);
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

    /// Whether both axes have one scale.
    pub(crate) fn is_square(&self) -> bool {
        let across = self.area.width() / self.x.range.length();
        let up = self.area.height() / self.y.range.length();
        (across / up - 1.0).abs() < 1e-6
    }

    /// The marks of every `every`-th example with finite coordinates, one for all of a class at one place.
    pub(crate) fn marks(&self, examples: &[Example], every: usize) -> Vec<ClassMark> {
        let place = |example: &Example| {
            let (u, v) = (self.x.range.place(example.x), self.y.range.place(example.y));
            self.area.point((u.clamp(0.0, 1.0), v.clamp(0.0, 1.0)))
        };
        let mut marks: Vec<ClassMark> = Vec::new();
        let mut known: HashMap<(u64, u64, usize), usize> = HashMap::new();
        for example in examples.iter().step_by(every).filter(|example| is_finite(example)) {
            let at = place(example);
            let key = (at.0.to_bits(), at.1.to_bits(), example.class);
            let next = marks.len();
            match *known.entry(key).or_insert(next) {
                old if old < next => marks[old].count += 1,
                _ => marks.push(ClassMark { at, class: example.class, count: 1 }),
            }
        }
        marks
    }
}

/// The mark of examples on the panel.
pub(crate) struct ClassMark {
    /// Its place.
    pub(crate) at: Point,
    /// The index of its class.
    pub(crate) class: usize,
    /// The number of examples there.
    pub(crate) count: u32,
}

fn is_finite(example: &Example) -> bool {
    example.x.is_finite() && example.y.is_finite()
}

//! The part of the plane, or of the number line, that a plot shows, and the place of an example on the panel.

use std::collections::HashMap;

use crate::{
    axes::{Area, Axis, Heading},
    canvas::Point,
    figure::{Boundary, Decision, Distance, Example},
    range::Range,
    typeface::Typeface,
};

/// Both axes have one scale unless one range is this many times the other.
const MOST_ALIKE: f64 = 4.0;
/// Empty space around the examples, as a share of their range.
const PADDING: f64 = 0.07;
/// The height of a number line.
const NUMBER_LINE: f64 = 170.0;

/// The ranges of a plot and its area on the panel.
pub(crate) struct View {
    /// The rectangle that it fills.
    pub(crate) area: Area,
    /// The horizontal axis.
    pub(crate) x: Axis,
    /// The vertical axis.
    pub(crate) y: Axis,
    /// Whether there is no vertical axis.
    pub(crate) is_number_line: bool,
}

impl View {
    /// The view of all examples and of the distances that are drawn, with some space around them.
    pub(crate) fn new(boundary: &Boundary<'_>, heading: &Heading, typeface: &Typeface) -> Self {
        let shown = shown(boundary);
        let axis = |name: &str, values: fn(&Point) -> f64| {
            let range = Range::of(shown.iter().map(values)).padded(PADDING, PADDING);
            Axis { name: name.to_owned(), range, whole: false }
        };
        let mut view = View {
            area: Area::from(0.0, heading.bottom()),
            x: axis(&boundary.x_name, |at| at.0),
            y: axis(boundary.y_name.as_deref().unwrap_or_default(), |at| at.1),
            is_number_line: boundary.y_name.is_none(),
        };
        if view.is_number_line {
            view.area = view.area.lowered_to(NUMBER_LINE);
        } else {
            for _ in 0..2 {
                view.area = Area::beside(&view.y, heading, typeface);
                view.equalize();
            }
        }
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

    /// Whether a right angle looks like one: both axes have one scale, or there is only one.
    pub(crate) fn is_square(&self) -> bool {
        if self.is_number_line {
            return true;
        }
        let across = self.area.width() / self.x.range.length();
        let up = self.area.height() / self.y.range.length();
        (across / up - 1.0).abs() < 1e-6
    }

    /// The place of a point on the panel; of one outside the view, the nearest place on its edge.
    pub(crate) fn place(&self, (x, y): (f64, f64)) -> Point {
        let (u, v) = (self.x.range.place(x), self.y.range.place(y));
        self.area.point((u.clamp(0.0, 1.0), v.clamp(0.0, 1.0)))
    }

    /// The marks of every `every`-th example with finite coordinates, one for all of a class at one place.
    pub(crate) fn marks(&self, examples: &[Example], every: usize) -> Vec<ClassMark> {
        let mut marks: Vec<ClassMark> = Vec::new();
        let mut known: HashMap<(u64, u64, usize), usize> = HashMap::new();
        for example in examples.iter().step_by(every).filter(|example| is_finite(example)) {
            let at = self.place((example.x, example.y));
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

/// The examples, and the ends of the distances.
fn shown(boundary: &Boundary<'_>) -> Vec<Point> {
    let examples = boundary.examples.iter().filter(|example| is_finite(example));
    let mut shown: Vec<Point> = examples.map(|example| (example.x, example.y)).collect();
    if let Some(Decision::Line(line)) = &boundary.decision {
        let ends = |distance: &Distance| [distance.point, line.foot(distance.point)];
        shown.extend(line.distances.iter().flat_map(ends));
    }
    shown
}

fn is_finite(example: &Example) -> bool {
    example.x.is_finite() && example.y.is_finite()
}

//! The names of the classes, each near its examples, on its own side of the boundary and away from the marks.

use super::Drawing;
use crate::{
    axes::STRONG,
    canvas::{Canvas, Point},
    figure::Boundary,
    marks,
    places::{Frame, Places, Words},
    view::ClassMark,
};

/// The maximum width of a name.
const WIDEST: f64 = 190.0;
/// The maximum number of names; the marks of more classes repeat.
pub(super) const MOST: usize = 12;
/// The maximum number of places of a class that are compared with a label.
const COMPARED: usize = 100;
/// The cost, in points, of a label on a side that is not its own.
const WRONG_SIDE: f64 = 120.0;

/// The marks that the names belong to.
pub(super) struct Named<'a> {
    pub(super) boundary: &'a Boundary<'a>,
    pub(super) marks: &'a [ClassMark],
    pub(super) decided: Option<&'a Drawing>,
}

/// Writes the names of the classes that have examples in the view.
pub(super) fn write(canvas: &mut Canvas<'_>, places: &mut Places, named: &Named<'_>) {
    for (class, name) in named.boundary.classes.iter().enumerate().take(MOST) {
        let own = named.sample(|mark| mark.class == class);
        if own.is_empty() {
            continue;
        }
        let others = named.sample(|mark| mark.class != class);
        let text = canvas.typeface.shortened(name, STRONG, WIDEST) + named.sign(class);
        let area = places.area();
        let words = Words::strong(&text, marks::color(class));
        places.write(canvas, &[words], |frame| {
            let nearest = distance(frame, &own);
            // A name belongs to what is closest.
            let astray = (nearest + 8.0 - distance(frame, &others)).max(0.0);
            let side = named.decided.map(|decided| decided.class_at(area.share(frame.middle)));
            let wrong = side.is_some_and(|side| side != class);
            nearest + 2.0 * astray + if wrong { WRONG_SIDE } else { 0.0 }
        });
    }
}

impl Named<'_> {
    /// The places of some marks: all, or every nth.
    fn sample(&self, chosen: impl Fn(&&ClassMark) -> bool) -> Vec<Point> {
        let count = self.marks.iter().filter(&chosen).count();
        let every = count.div_ceil(COMPARED).max(1);
        self.marks.iter().filter(&chosen).step_by(every).map(|mark| mark.at).collect()
    }

    /// The sign of a class of two, to be written behind its name.
    fn sign(&self, class: usize) -> &'static str {
        let named = self.boundary.classes.iter().any(|name| name.parse::<f64>().is_ok());
        match (self.boundary.classes.len(), class) {
            // A number beside a name that is a number would be read as part of it.
            _ if named => "",
            (2, 0) => ", −1",
            (2, 1) => ", +1",
            _ => "",
        }
    }
}

fn distance(frame: &Frame, places: &[Point]) -> f64 {
    places.iter().map(|&place| frame.distance(place)).fold(f64::INFINITY, f64::min)
}

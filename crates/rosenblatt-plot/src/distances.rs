//! Distances from the line: a dashed segment from a point to its foot, the nearest point of the line.

use crate::{
    axes::SMALL,
    canvas::{Canvas, Color, Point},
    figure::{Distance, Line},
    places::{Places, Words},
    view::View,
};

/// The radius of the ring around a point.
const RING: f64 = 6.5;
/// The radius of the mark of a foot.
const FOOT: f64 = 3.0;
/// The side of the mark of a right angle, and the shortest segment that has one.
const ANGLE: f64 = 8.0;
const LONG: f64 = 24.0;
/// The height of a segment above the number line, and above the one before.
const LEVEL: f64 = 32.0;

impl Line {
    /// The distance of a point, negative on the negative side; NaN without a line.
    pub fn signed_distance(&self, (x, y): (f64, f64)) -> f64 {
        (self.a * x + self.b * y + self.c) / self.a.hypot(self.b)
    }

    /// The foot of a point, its projection on the line: the point of the line that is nearest to it. NaN without a line.
    pub fn foot(&self, (x, y): (f64, f64)) -> (f64, f64) {
        // The largest coefficient becomes 1, so that squares stay in range.
        let largest = self.a.abs().max(self.b.abs());
        let (a, b, c) = (self.a / largest, self.b / largest, self.c / largest);
        let share = (a * x + b * y + c) / (a * a + b * b);
        (x - share * a, y - share * b)
    }
}

/// A distance on the panel.
struct Segment<'a> {
    distance: &'a Distance,
    /// The point itself, which a level above the number line is away from the segment.
    at: Point,
    from: Point,
    foot: Point,
}

impl Segment<'_> {
    fn draw(&self, canvas: &mut Canvas<'_>, places: &mut Places) {
        canvas.path(vec![self.at, self.from], Color::GREY, 1.0);
        canvas.dashes(self.beside_mark(), self.foot, Color::INK, 1.5);
        places.line(self.at, self.from);
        places.line(self.from, self.foot);
        canvas.disc(self.foot, FOOT, Color::INK);
        places.mark(self.foot, FOOT + 1.0);
        canvas.ring(self.at, RING, Color::INK, 1.5);
        places.mark(self.at, RING + 1.0);
    }

    /// Marks the right angle between the segment and the line.
    fn draw_angle(&self, canvas: &mut Canvas<'_>) {
        let ((x, y), (dx, dy)) = (self.foot, self.direction());
        let length = dx.hypot(dy);
        if length < LONG {
            return;
        }
        let (along, down) = (dx / length * ANGLE, dy / length * ANGLE);
        let corners = [(along, down), (along - down, down + along), (-down, along)]
            .map(|(u, v)| (x + u, y + v));
        canvas.path(corners.to_vec(), Color::INK, 1.0);
    }

    /// Where the dashes begin: at the edge of the mark of the point.
    fn beside_mark(&self) -> Point {
        let ((x, y), (dx, dy)) = (self.from, self.direction());
        let share = if self.at == self.from { RING / dx.hypot(dy).max(RING) } else { 0.0 };
        (x - share * dx, y - share * dy)
    }

    fn direction(&self) -> Point {
        (self.from.0 - self.foot.0, self.from.1 - self.foot.1)
    }

    fn write(&self, canvas: &mut Canvas<'_>, places: &mut Places) {
        let small = |text| Words { font: SMALL, ..Words::strong(text, Color::INK) };
        let (dx, dy) = self.direction();
        let at = |share: f64| (self.foot.0 + share * dx, self.foot.1 + share * dy);
        places.write(canvas, &[small(&self.distance.length)], |frame| {
            [0.35, 0.5, 0.65]
                .map(|share| frame.distance(at(share)))
                .into_iter()
                .fold(f64::INFINITY, f64::min)
        });
        places.beside(canvas, small(&self.distance.name), self.at);
        if let Some(name) = &self.distance.foot {
            places.beside(canvas, small(name), self.foot);
        }
    }
}

/// Draws the distances of a line, and returns what [`write`] names.
pub(crate) fn draw(canvas: &mut Canvas<'_>, places: &mut Places, line: &Line, view: &View) {
    let segments: Vec<Segment<'_>> = segments(line, view).collect();
    for segment in &segments {
        segment.draw(canvas, places);
        if view.is_square() && !view.is_number_line {
            segment.draw_angle(canvas);
        }
    }
    segments.iter().for_each(|segment| segment.write(canvas, places));
}

/// The segments; on the number line each has a level of its own above it.
fn segments<'a>(line: &'a Line, view: &'a View) -> impl Iterator<Item = Segment<'a>> {
    line.distances.iter().enumerate().filter_map(|(i, distance)| {
        let foot = line.foot(distance.point);
        if !(foot.0.is_finite() && foot.1.is_finite()) {
            return None;
        }
        let (at, foot) = (view.place(distance.point), view.place(foot));
        let is_raised = view.is_number_line && at != foot;
        let raised = if is_raised { LEVEL * (i + 1) as f64 } else { 0.0 };
        let up = |(x, y): Point| (x, y - raised);
        Some(Segment { distance, at, from: up(at), foot: up(foot) })
    })
}

//! A line in the view: the part of the view on each side of it, and the places where it enters and leaves.
//! Coordinates are those of the unit square, with (0, 0) at the lower left of the view.

use crate::{canvas::Point, figure::Line, range::Range};

/// The corners of the view, in order.
pub(crate) const VIEW: [Point; 4] = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];

/// The points with `a·u + b·v + c ≥ 0`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfPlane {
    a: f64,
    b: f64,
    c: f64,
}

impl HalfPlane {
    /// Returns the positive side of `line` in the view of two ranges, and the change of its constant term for the edges
    /// of the margin. Returns `None` if the line has no direction.
    ///
    /// All coefficients are first divided by the largest, so that none overflows.
    pub(crate) fn new(line: &Line, x: Range, y: Range) -> Option<(Self, Option<f64>)> {
        let largest = line.a.abs().max(line.b.abs());
        if largest == 0.0 || !(largest.is_finite() && line.c.is_finite()) {
            return None;
        }
        let (a, b, c) = (line.a / largest, line.b / largest, line.c / largest);
        let plane = HalfPlane {
            a: a * x.length(),
            b: b * y.length(),
            c: (a * x.low + b * y.low + c).clamp(-f64::MAX, f64::MAX),
        };
        let scale = plane.a.abs().max(plane.b.abs()).max(plane.c.abs());
        if scale == 0.0 {
            return None;
        }
        let plane = HalfPlane { a: plane.a / scale, b: plane.b / scale, c: plane.c / scale };
        let margin = line.margin.map(|margin| margin.abs() * a.hypot(b) / scale);
        Some((plane, margin.filter(|margin| margin.is_finite())))
    }

    /// The half-plane with another constant term; a positive `by` makes it larger.
    pub(crate) fn moved(self, by: f64) -> Self {
        HalfPlane { c: self.c + by, ..self }
    }

    /// The other side.
    pub(crate) fn opposite(self) -> Self {
        HalfPlane { a: -self.a, b: -self.b, c: -self.c }
    }

    /// Whether a place is on this side.
    pub(crate) fn holds(self, place: Point) -> bool {
        self.value(place) >= 0.0
    }

    fn value(self, (u, v): Point) -> f64 {
        self.a * u + self.b * v + self.c
    }

    /// The part of a convex polygon inside.
    pub(crate) fn clip(self, corners: &[Point]) -> Vec<Point> {
        let mut inside = Vec::with_capacity(corners.len() + 1);
        for (i, &from) in corners.iter().enumerate() {
            let to = corners[(i + 1) % corners.len()];
            if self.value(from) >= 0.0 {
                inside.push(from);
            }
            inside.extend(self.crossing(from, to));
        }
        inside
    }

    /// The place between two points where the line crosses, if they are on different sides.
    fn crossing(self, from: Point, to: Point) -> Option<Point> {
        let (start, end) = (self.value(from), self.value(to));
        if (start < 0.0) == (end < 0.0) {
            return None;
        }
        let share = start / (start - end);
        Some((from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1)))
    }

    /// The places where the line enters and leaves the view; `None` if it misses the view or only touches a corner.
    pub(crate) fn edge(self) -> Option<(Point, Point)> {
        let sides = (0..4).map(|i| (VIEW[i], VIEW[(i + 1) % 4]));
        let found: Vec<Point> = sides.filter_map(|(from, to)| self.crossing(from, to)).collect();
        let (&from, &to) = (found.first()?, found.last()?);
        let apart = (from.0 - to.0).abs().max((from.1 - to.1).abs()) > 1e-9;
        apart.then_some((from, to))
    }
}

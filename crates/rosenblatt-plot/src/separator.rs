//! The separator of a linear model of two classes: a line with its margin and its normal vector.

use crate::{
    arrow,
    axes::Area,
    canvas::{Canvas, Color, Point},
    figure::Line,
    half_plane::{HalfPlane, VIEW},
    places::Places,
    view::View,
};

/// The line as seen in the view.
pub(crate) struct Separator {
    plus: HalfPlane,
    /// The half-planes beyond the edges of the margin: of the positive and the negative class.
    margin: Option<(HalfPlane, HalfPlane)>,
    /// The normal vector on the panel.
    normal: Point,
    /// Whether a right angle looks like one.
    square: bool,
}

impl Separator {
    /// Returns `None` if the line has no direction.
    pub(crate) fn new(line: &Line, view: &View) -> Option<Self> {
        let (plus, margin) = HalfPlane::new(line, view.x.range, view.y.range)?;
        let largest = line.a.abs().max(line.b.abs());
        let across = line.a / largest * (view.area.width() / view.x.range.length());
        let up = line.b / largest * (view.area.height() / view.y.range.length());
        let longest = across.abs().max(up.abs());
        let edges = |by: f64| (plus.moved(-by), plus.opposite().moved(-by));
        let normal = (across / longest, -up / longest);
        Some(Separator { plus, margin: margin.map(edges), normal, square: view.is_square() })
    }

    /// Whether the line crosses the view.
    pub(crate) fn is_in_view(&self) -> bool {
        self.plus.edge().is_some()
    }

    /// Tints both sides, less between the edges of the margin.
    pub(crate) fn fill(&self, canvas: &mut Canvas<'_>, area: &Area) {
        let mut fill = |corners: Vec<Point>, color: Color| {
            canvas.polygon(corners.iter().map(|&corner| area.point(corner)).collect(), color);
        };
        let minus = self.plus.opposite();
        fill(self.plus.clip(&VIEW), Color::PLUS.faded(0.12));
        fill(minus.clip(&VIEW), Color::MINUS.faded(0.12));
        if let Some((plus_edge, minus_edge)) = self.margin {
            let band = plus_edge.opposite().clip(&VIEW);
            fill(minus_edge.opposite().clip(&band), Color::WHITE);
        }
    }

    /// Draws the edges of the margin.
    pub(crate) fn stroke_margin(&self, canvas: &mut Canvas<'_>, places: &mut Places) {
        let edges = self.margin.map(|(plus, minus)| [plus, minus]);
        for side in edges.into_iter().flatten() {
            if let Some((from, to)) = ends(side, &places.area()) {
                canvas.dashes(from, to, Color::GREY, 1.0);
                places.line(from, to);
            }
        }
    }

    /// Draws the line, and the normal vector, which makes way for examples. Without one scale for both axes there is no
    /// direction that would look like a normal.
    pub(crate) fn stroke(
        &self,
        canvas: &mut Canvas<'_>,
        places: &mut Places,
        examples: &[Point],
    ) -> Option<(Point, Point)> {
        let (from, to) = ends(self.plus, &places.area())?;
        canvas.path(vec![from, to], Color::INK, 3.0);
        places.line(from, to);
        if self.square {
            arrow::draw(canvas, places, (from, to), self.normal, examples);
        }
        Some((from, to))
    }

    /// The class on the side of a place of the unit square.
    pub(crate) fn class_at(&self, place: Point) -> usize {
        usize::from(self.plus.holds(place))
    }

    /// Whether a right angle looks like one.
    pub(crate) fn is_square(&self) -> bool {
        self.square
    }

    /// Whether the edges of the margin are drawn.
    pub(crate) fn has_margin(&self) -> bool {
        self.margin.is_some()
    }
}

fn ends(side: HalfPlane, area: &Area) -> Option<(Point, Point)> {
    side.edge().map(|(from, to)| (area.point(from), area.point(to)))
}

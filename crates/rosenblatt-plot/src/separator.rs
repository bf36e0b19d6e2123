//! The separator of a linear model of two classes: a line with its margin and its normal vector.

use crate::{
    arrow,
    axes::Area,
    canvas::{Canvas, Color, Point},
    figure::Line,
    half_plane::{HalfPlane, VIEW},
    view::View,
};

/// The line as seen in the view.
pub(crate) struct Separator {
    plus: HalfPlane,
    /// The half-planes beyond the edges of the margin: of the positive and the negative class.
    margin: Option<(HalfPlane, HalfPlane)>,
    /// The normal vector on the panel.
    normal: Point,
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
        Some(Separator { plus, margin: margin.map(edges), normal })
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
        fill(self.plus.clip(&VIEW), Color::PLUS.faded(0.09));
        fill(minus.clip(&VIEW), Color::MINUS.faded(0.09));
        if let Some((plus_edge, minus_edge)) = self.margin {
            let band = plus_edge.opposite().clip(&VIEW);
            fill(minus_edge.opposite().clip(&band), Color::WHITE.faded(0.6));
        }
    }

    /// Draws the line, the edges of the margin and the normal vector, which makes way for examples.
    pub(crate) fn stroke(&self, canvas: &mut Canvas<'_>, area: &Area, examples: &[Point]) {
        let ends =
            |side: HalfPlane| side.edge().map(|(from, to)| (area.point(from), area.point(to)));
        let edges = self.margin.map(|(plus, minus)| [plus, minus]);
        for (from, to) in edges.into_iter().flatten().filter_map(ends) {
            canvas.dashes(from, to, Color::GREY, 1.4);
        }
        if let Some((from, to)) = ends(self.plus) {
            canvas.path(vec![from, to], Color::INK, 2.2);
            arrow::draw(canvas, area, (from, to), self.normal, examples);
        }
    }

    /// Whether the edges of the margin are drawn.
    pub(crate) fn has_margin(&self) -> bool {
        self.margin.is_some()
    }
}

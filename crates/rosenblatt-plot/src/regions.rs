//! The regions of the classes in the plane, for models whose boundary is not a line.
//!
//! The model classifies a mesh over the view. Bisection finds the boundary between two neighbors of different classes.
//! With scores of two classes, each region is also shaded in steps by the size of the score.

#[cfg(test)]
mod tests;

use crate::{
    axes::Area,
    canvas::{Canvas, Color, Point},
    contour::{Outline, outlines, simplified},
    figure::{Decided, Regions},
    marks,
    mesh::{Edge, Labelled, Mesh, OUTSIDE, along},
    places::Places,
    range::Range,
};

/// From fine to coarse. The first is taken that the model can afford and that is not mostly boundary.
const MESHES: [Mesh; 4] = [
    Mesh { across: 320, up: 192 },
    Mesh { across: 160, up: 96 },
    Mesh { across: 80, up: 48 },
    Mesh { across: 40, up: 24 },
];
/// More crossings than this make a large file and no picture.
const MOST_CROSSINGS: usize = 6_000;
/// From a side of a cell to a tenth of a point.
const HALVINGS: usize = 6;
/// Shades begin at these shares of the largest score in the view.
const SHADES: [f64; 4] = [0.1, 0.25, 0.5, 0.75];
/// The share of the class's color in the lightest shade, and its increase in each next one.
const LIGHTEST: f64 = 0.12;
const DARKER: f64 = 0.06;
/// The tolerance of simplified lines in points, too small to see.
const TOLERANCE: f64 = 0.12;

/// Regions as seen in a view.
pub(crate) struct ColoredRegions {
    /// Outlines with their colors; later ones cover earlier ones.
    fills: Vec<(Outline, Color)>,
    /// The lines between classes.
    lines: Vec<Vec<Point>>,
    /// Whether shades show the size of the score.
    pub(crate) shaded: bool,
    /// The mesh and the class of each vertex.
    mesh: Mesh,
    labels: Vec<usize>,
}

/// The mesh with the decisions of the model.
struct Decisions {
    labelled: Labelled,
    /// The score at each vertex, or nothing.
    scores: Vec<f64>,
}

impl ColoredRegions {
    /// Returns `None` if the model overflows in this view.
    pub(crate) fn new(regions: &Regions<'_>, x: Range, y: Range) -> Option<Self> {
        let decisions = Decisions::new(&Sampler { regions, x, y })?;
        let mut classes: Vec<usize> = decisions.labelled.labels.clone();
        classes.sort_unstable();
        classes.dedup();
        classes.retain(|&class| class != OUTSIDE);
        let (mut fills, mut lines) = (Vec::new(), Vec::new());
        for class in classes {
            let outlines = outlines(&decisions.labelled, class);
            // Each line lies between two classes and is drawn for the first of them.
            let parts = outlines.iter().flat_map(Outline::parts);
            let own = parts.filter(|&(_, beyond)| beyond > class && beyond != OUTSIDE);
            lines.extend(own.map(|(line, _)| line));
            let regions = outlines.into_iter().filter(|outline| outline.area() > 0.0);
            fills.extend(regions.map(|outline| (outline, shade(class, 0))));
        }
        let shades = decisions.shades();
        let shaded = !shades.is_empty();
        fills.extend(shades);
        // A region inside another is smaller, so it comes later.
        fills.sort_by(|(a, _), (b, _)| b.area().abs().total_cmp(&a.area().abs()));
        let Labelled { mesh, labels, .. } = decisions.labelled;
        Some(ColoredRegions { fills, lines, shaded, mesh, labels })
    }

    /// The class at the vertex nearest to a place of the unit square.
    pub(crate) fn class_at(&self, place: Point) -> usize {
        self.labels[self.mesh.nearest(place)]
    }

    /// Whether there is a boundary in the view.
    pub(crate) fn is_in_view(&self) -> bool {
        !self.lines.is_empty()
    }

    /// Tints the regions.
    pub(crate) fn fill(&self, canvas: &mut Canvas<'_>, area: &Area) {
        for (outline, color) in &self.fills {
            let places = outline.places.iter().chain(outline.places.first());
            let line: Vec<Point> = places.map(|&(place, _)| area.point(place)).collect();
            canvas.region(simplified(&line, TOLERANCE), *color);
        }
    }

    /// Draws the lines between the regions.
    pub(crate) fn stroke(&self, canvas: &mut Canvas<'_>, places: &mut Places) {
        let area = places.area();
        for line in &self.lines {
            let line: Vec<Point> = line.iter().map(|&place| area.point(place)).collect();
            let line = simplified(&line, TOLERANCE);
            line.windows(2).for_each(|ends| places.line(ends[0], ends[1]));
            canvas.path(line, Color::INK, 2.25);
        }
    }
}

/// The tint of a class at a step of the shades, opaque.
fn shade(class: usize, step: usize) -> Color {
    marks::color(class).tint(LIGHTEST + DARKER * step as f64)
}

/// Classifies places of the unit square.
struct Sampler<'a> {
    regions: &'a Regions<'a>,
    x: Range,
    y: Range,
}

impl Sampler<'_> {
    fn decide(&self, places: &[Point]) -> Option<Decided> {
        let at = |range: Range, share: f64| range.low + share * range.length();
        let point = |&(u, v): &Point| (at(self.x, u), at(self.y, v));
        let points: Vec<Point> = places.iter().map(point).collect();
        (self.regions.decide)(&points).filter(|decided| decided.classes.len() == points.len())
    }

    /// The place on each edge where the class changes.
    fn halve(&self, mesh: Mesh, labels: &[usize], edges: &[Edge]) -> Option<Vec<Point>> {
        let place = |&(from, to): &Edge| (mesh.place(from), mesh.place(to));
        let mut ends: Vec<(Point, Point)> = edges.iter().map(place).collect();
        let middle = |&(from, to): &(Point, Point)| along(from, to, 0.5);
        for _ in 0..HALVINGS {
            let middles: Vec<Point> = ends.iter().map(middle).collect();
            let classes = self.decide(&middles)?.classes;
            for (i, ends) in ends.iter_mut().enumerate() {
                let side = if classes[i] == labels[edges[i].0] { &mut ends.0 } else { &mut ends.1 };
                *side = middles[i];
            }
        }
        Some(ends.iter().map(middle).collect())
    }
}

impl Decisions {
    fn new(sampler: &Sampler<'_>) -> Option<Self> {
        let [finer @ .., coarsest] = MESHES;
        let affordable = finer.iter().filter(|mesh| mesh.len() <= sampler.regions.most_places);
        for &mesh in affordable.chain([&coarsest]) {
            let decided = sampler.decide(&mesh.places())?;
            let labels = mesh.with_ring(&decided.classes, OUTSIDE);
            let edges = mesh.edges_between(&labels);
            if mesh != coarsest && edges.len() > MOST_CROSSINGS {
                continue;
            }
            let found = sampler.halve(mesh, &labels, &edges)?;
            let labelled = Labelled::new(mesh, labels, edges.into_iter().zip(found));
            let scores = Some(decided.scores).filter(|scores| !scores.is_empty());
            let scores = scores.map_or(Vec::new(), |scores| mesh.with_ring(&scores, 0.0));
            return Some(Decisions { labelled, scores });
        }
        None
    }

    /// The outlines of the places above each step of the score, for each class. A hole has the color of the step before.
    fn shades(&self) -> Vec<(Outline, Color)> {
        let largest = self.scores.iter().fold(0.0, |most: f64, score| most.max(score.abs()));
        if !(largest > 0.0 && largest.is_finite()) {
            return Vec::new();
        }
        let steps = [(0, -1.0), (1, 1.0)].into_iter().flat_map(|(class, sign)| {
            (1..).zip(SHADES).map(move |(step, share)| (class, step, sign, share))
        });
        let of_step = |(class, step, sign, share): (usize, usize, f64, f64)| {
            let above = |score: f64| sign * (score / largest) - share;
            let color = move |outline: Outline| {
                let hole = outline.area() < 0.0;
                (outline, shade(class, if hole { step - 1 } else { step }))
            };
            outlines(&self.labelled_by(above), 1).into_iter().map(color)
        };
        steps.flat_map(of_step).collect()
    }

    /// This mesh with class 1 for each vertex where a function of the score is not negative, else class 0.
    fn labelled_by(&self, height: impl Fn(f64) -> f64) -> Labelled {
        let mesh = self.labelled.mesh;
        let label = |vertex: usize| match mesh.is_outside(vertex) {
            true => OUTSIDE,
            false => usize::from(height(self.scores[vertex]) >= 0.0),
        };
        let labels: Vec<usize> = (0..mesh.len()).map(label).collect();
        let crossing = |&(from, to): &Edge| {
            let (start, end) = (height(self.scores[from]), height(self.scores[to]));
            along(mesh.place(from), mesh.place(to), start / (start - end))
        };
        let edges = mesh.edges_between(&labels);
        let crossings: Vec<_> = edges.iter().map(|edge| (*edge, crossing(edge))).collect();
        Labelled::new(mesh, labels, crossings)
    }
}

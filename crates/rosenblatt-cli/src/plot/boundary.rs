//! Examples in the plane of two features, with the separator, its margin and its normal vector.

use rosenblatt::data::Sign;

use super::{
    Boundary, Kind, Line, arrow,
    axes::{self, Area, Axis},
    canvas::{Canvas, Colour, Point},
    half_plane::{HalfPlane, VIEW},
    legend::{self, Mark},
    range::{Range, count, number},
    typeface::Typeface,
};

/// An SVG with more marks than this is slow to open.
const MOST_SVG_MARKS: usize = 20_000;
/// Axes are drawn to the same scale unless one range is so many times the other.
const MOST_ALIKE: f64 = 4.0;
/// Empty space around the examples, as a share of their range.
const PADDING: f64 = 0.07;

/// Draws the panel.
pub(super) fn draw(canvas: &mut Canvas<'_>, boundary: &Boundary, kind: Kind) {
    let view = View::new(boundary, canvas.typeface);
    let line = boundary.line.as_ref().and_then(|line| Separator::new(line, &view));
    if let Some(line) = &line {
        line.fill(canvas, &view.area);
    }
    axes::frame(canvas, &view.area, &view.x, &view.y);
    let every = thinning(boundary.points.len(), kind);
    let marks = view.marks(&boundary.points, every);
    let radius = radius(marks.len());
    for (place, sign) in &marks {
        canvas.mark(*sign, *place, radius);
    }
    if let Some(line) = &line {
        let places: Vec<Point> = marks.iter().map(|mark| mark.0).collect();
        line.stroke(canvas, &view.area, &places);
    }
    axes::heading(canvas, &view.area, &boundary.title, &note(boundary, line.as_ref(), every));
    legend::draw(canvas, &view.area, &entries(boundary, line.as_ref()));
}

/// Of how many examples one is drawn.
pub(super) fn thinning(examples: usize, kind: Kind) -> usize {
    match kind {
        Kind::Svg => examples.div_ceil(MOST_SVG_MARKS).max(1),
        Kind::Png => 1,
    }
}

fn radius(marks: usize) -> f64 {
    match marks {
        0..=150 => 5.0,
        151..=600 => 4.2,
        601..=2_000 => 3.4,
        2_001..=8_000 => 2.6,
        _ => 2.0,
    }
}

/// What the plot shows, and where it is on the panel.
struct View {
    area: Area,
    x: Axis,
    y: Axis,
}

impl View {
    fn new(boundary: &Boundary, typeface: &Typeface) -> Self {
        let points = || boundary.points.iter().filter(|point| is_somewhere(point));
        let axis = |name: &String, range: Range| Axis { name: name.clone(), range, whole: false };
        let mut view = View {
            area: Area::from_left(0.0),
            x: axis(&boundary.x_name, Range::of(points().map(|point| point.0))),
            y: axis(&boundary.y_name, Range::of(points().map(|point| point.1))),
        };
        view.x.range = view.x.range.padded(PADDING, PADDING);
        view.y.range = view.y.range.padded(PADDING, PADDING);
        view.area = Area::beside(&view.y, typeface);
        view.equalise();
        view.area = Area::beside(&view.y, typeface);
        view.equalise();
        view
    }

    /// Gives both axes the same scale if their ranges are of one order, so that right angles look it.
    fn equalise(&mut self) {
        let (x, y) = (self.x.range.length(), self.y.range.length());
        if x / y >= MOST_ALIKE || y / x >= MOST_ALIKE {
            return;
        }
        let (width, height) = (self.area.width(), self.area.height());
        let unit = (x / width).max(y / height);
        self.x.range = self.x.range.widened(unit * width);
        self.y.range = self.y.range.widened(unit * height);
    }

    /// Where the examples are, each `every`-th of them; without those that are nowhere.
    fn marks(&self, points: &[(f64, f64, Sign)], every: usize) -> Vec<(Point, Sign)> {
        let place = |&(x, y, sign): &(f64, f64, Sign)| {
            let (u, v) = (self.x.range.place(x), self.y.range.place(y));
            (self.area.point((u.clamp(0.0, 1.0), v.clamp(0.0, 1.0))), sign)
        };
        points.iter().step_by(every).filter(|point| is_somewhere(point)).map(place).collect()
    }
}

fn is_somewhere((x, y, _): &(f64, f64, Sign)) -> bool {
    x.is_finite() && y.is_finite()
}

/// The line as seen in the view.
struct Separator {
    plus: HalfPlane,
    /// The half-planes beyond the edges of the margin: of the positive and the negative class.
    margin: Option<(HalfPlane, HalfPlane)>,
    /// The normal vector on the panel.
    normal: Point,
}

impl Separator {
    fn new(line: &Line, view: &View) -> Option<Self> {
        let (plus, margin) = HalfPlane::new(line, view.x.range, view.y.range)?;
        let largest = line.a.abs().max(line.b.abs());
        let across = line.a / largest * (view.area.width() / view.x.range.length());
        let up = line.b / largest * (view.area.height() / view.y.range.length());
        let longest = across.abs().max(up.abs());
        let edges = |by: f64| (plus.moved(-by), plus.opposite().moved(-by));
        let normal = (across / longest, -up / longest);
        Some(Separator { plus, margin: margin.map(edges), normal })
    }

    fn is_in_view(&self) -> bool {
        self.plus.edge().is_some()
    }

    /// Tints both sides, less between the edges of the margin.
    fn fill(&self, canvas: &mut Canvas<'_>, area: &Area) {
        let mut fill = |corners: Vec<Point>, colour: Colour| {
            canvas.polygon(corners.iter().map(|&corner| area.point(corner)).collect(), colour);
        };
        let minus = self.plus.opposite();
        fill(self.plus.clip(&VIEW), Colour::PLUS.faded(0.09));
        fill(minus.clip(&VIEW), Colour::MINUS.faded(0.09));
        if let Some((plus_edge, minus_edge)) = self.margin {
            let band = plus_edge.opposite().clip(&VIEW);
            fill(minus_edge.opposite().clip(&band), Colour::WHITE.faded(0.6));
        }
    }

    /// Draws the line, the edges of the margin and the normal vector, which makes way for examples.
    fn stroke(&self, canvas: &mut Canvas<'_>, area: &Area, examples: &[Point]) {
        let ends =
            |side: HalfPlane| side.edge().map(|(from, to)| (area.point(from), area.point(to)));
        let edges = self.margin.map(|(plus, minus)| [plus, minus]);
        for (from, to) in edges.into_iter().flatten().filter_map(ends) {
            canvas.dashes(from, to, Colour::GREY, 1.4);
        }
        if let Some((from, to)) = ends(self.plus) {
            canvas.path(vec![from, to], Colour::INK, 2.2);
            arrow::draw(canvas, area, (from, to), self.normal, examples);
        }
    }
}

fn entries(boundary: &Boundary, line: Option<&Separator>) -> Vec<(Mark, String)> {
    let (minus, plus) = &boundary.classes;
    let mut entries =
        vec![(Mark::Class(Sign::Minus), minus.clone()), (Mark::Class(Sign::Plus), plus.clone())];
    let Some(line) = line.filter(|line| line.is_in_view()) else { return entries };
    let margin = boundary.line.as_ref().and_then(|line| line.margin);
    let name = if margin.is_some() { "separator" } else { "boundary" };
    entries.push((Mark::Line, name.to_owned()));
    if let (Some(margin), Some(_)) = (margin, line.margin) {
        entries.push((Mark::Dashes, format!("nearest example {}", number(margin))));
    }
    entries
}

fn note(boundary: &Boundary, separator: Option<&Separator>, every: usize) -> String {
    let mut notes = Vec::new();
    if let Some(line) = &boundary.line {
        notes.extend(line.note.clone());
        match separator {
            None => notes.push("both weights are 0: there is no line".to_owned()),
            Some(separator) if !separator.is_in_view() => {
                notes.push("the line is outside this view".to_owned());
            }
            Some(_) => {}
        }
    }
    if every > 1 {
        let all = count(boundary.points.len() as u64);
        notes.push(format!("1 in {every} of {all} examples is drawn"));
    }
    notes.join(" · ")
}

//! Examples in the plane of two features, with what the model decides there.

use super::{
    Boundary, Decision, Kind,
    axes::{self, Area, Axis},
    canvas::{Canvas, Point},
    legend::{self, Mark, Room},
    marks,
    range::{Range, count, number},
    regions::Seen,
    separator::Separator,
    typeface::Typeface,
};

/// An SVG with more marks than this is slow to open.
const MOST_SVG_MARKS: usize = 20_000;
/// Axes are drawn to the same scale unless one range is so many times the other.
const MOST_ALIKE: f64 = 4.0;
/// Empty space around the examples, as a share of their range.
const PADDING: f64 = 0.07;

/// Draws the panel.
pub(super) fn draw(canvas: &mut Canvas<'_>, boundary: &Boundary<'_>, kind: Kind) {
    let view = View::new(boundary, canvas.typeface);
    let decided = boundary.decision.as_ref().and_then(|decision| Shown::new(decision, &view));
    if let Some(decided) = &decided {
        decided.fill(canvas, &view.area);
    }
    axes::frame(canvas, &view.area, &view.x, &view.y);
    let every = thinning(boundary.points.len(), kind);
    let examples = view.marks(&boundary.points, every);
    let radius = radius(examples.len());
    for (place, class) in &examples {
        marks::draw(canvas, *class, *place, radius);
    }
    if let Some(decided) = &decided {
        decided.stroke(canvas, &view.area, &examples);
    }
    axes::heading(canvas, &view.area, &boundary.title, &note(boundary, decided.as_ref(), every));
    let room = Room { typeface: canvas.typeface, width: view.area.width() };
    legend::draw(canvas, &view.area, &entries(boundary, decided.as_ref(), &room));
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
pub(super) struct View {
    /// The rectangle that it fills.
    pub(super) area: Area,
    /// Across.
    pub(super) x: Axis,
    /// Up.
    pub(super) y: Axis,
}

impl View {
    fn new(boundary: &Boundary<'_>, typeface: &Typeface) -> Self {
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
    fn marks(&self, points: &[(f64, f64, usize)], every: usize) -> Vec<(Point, usize)> {
        let place = |&(x, y, class): &(f64, f64, usize)| {
            let (u, v) = (self.x.range.place(x), self.y.range.place(y));
            (self.area.point((u.clamp(0.0, 1.0), v.clamp(0.0, 1.0))), class)
        };
        points.iter().step_by(every).filter(|point| is_somewhere(point)).map(place).collect()
    }
}

fn is_somewhere((x, y, _): &(f64, f64, usize)) -> bool {
    x.is_finite() && y.is_finite()
}

/// What the model adds to the picture.
enum Shown {
    Line(Separator),
    Regions(Seen),
}

impl Shown {
    /// None when there is nothing to be shown.
    fn new(decision: &Decision<'_>, view: &View) -> Option<Self> {
        match decision {
            Decision::Line(line) => Separator::new(line, view).map(Shown::Line),
            Decision::Regions(regions) => {
                Seen::new(regions, view.x.range, view.y.range).map(Shown::Regions)
            }
        }
    }

    fn fill(&self, canvas: &mut Canvas<'_>, area: &Area) {
        match self {
            Shown::Line(line) => line.fill(canvas, area),
            Shown::Regions(regions) => regions.fill(canvas, area),
        }
    }

    fn stroke(&self, canvas: &mut Canvas<'_>, area: &Area, marks: &[(Point, usize)]) {
        match self {
            Shown::Line(line) => {
                let places: Vec<Point> = marks.iter().map(|mark| mark.0).collect();
                line.stroke(canvas, area, &places);
            }
            Shown::Regions(regions) => regions.stroke(canvas, area),
        }
    }

    fn is_in_view(&self) -> bool {
        match self {
            Shown::Line(line) => line.is_in_view(),
            Shown::Regions(regions) => regions.is_in_view(),
        }
    }
}

/// The classes, as many as have room, and the lines.
fn entries(
    boundary: &Boundary<'_>,
    decided: Option<&Shown>,
    room: &Room<'_>,
) -> Vec<(Mark, String)> {
    let classes = boundary.classes.iter().enumerate();
    let classes = classes.map(|(class, name)| (Mark::Class(class), name.clone())).collect();
    let lines = lines(boundary, decided);
    let mut entries = room.cut(classes, &lines);
    entries.extend(lines);
    entries
}

fn lines(boundary: &Boundary<'_>, decided: Option<&Shown>) -> Vec<(Mark, String)> {
    let Some(decided) = decided.filter(|decided| decided.is_in_view()) else { return Vec::new() };
    let margin = match &boundary.decision {
        Some(Decision::Line(line)) => line.margin,
        _ => None,
    };
    let name = if margin.is_some() { "separator" } else { "boundary" };
    let mut entries = vec![(Mark::Line, name.to_owned())];
    let drawn = matches!(decided, Shown::Line(line) if line.has_margin());
    if let Some(margin) = margin.filter(|_| drawn) {
        entries.push((Mark::Dashes, format!("nearest example {}", number(margin))));
    }
    entries
}

fn note(boundary: &Boundary<'_>, decided: Option<&Shown>, every: usize) -> String {
    let mut notes = Vec::new();
    match &boundary.decision {
        Some(Decision::Line(line)) => {
            notes.extend(line.note.clone());
            notes.extend(line_note(decided).map(str::to_owned));
        }
        Some(Decision::Regions(regions)) => {
            notes.extend(regions.note.clone());
            notes.extend(regions_note(decided).map(str::to_owned));
        }
        None => {}
    }
    if every > 1 {
        let all = count(boundary.points.len() as u64);
        notes.push(format!("1 in {every} of {all} examples is drawn"));
    }
    if boundary.classes.len() > marks::DISTINCT {
        notes.push(format!("marks repeat after {} classes", marks::DISTINCT));
    }
    notes.join(" · ")
}

fn line_note(decided: Option<&Shown>) -> Option<&'static str> {
    match decided {
        None => Some("both weights are 0: there is no line"),
        Some(decided) => (!decided.is_in_view()).then_some("the line is outside this view"),
    }
}

fn regions_note(decided: Option<&Shown>) -> Option<&'static str> {
    match decided {
        None => Some("the numbers of this view overflow in the model: no regions are drawn"),
        Some(decided) if !decided.is_in_view() => {
            Some("the model decides alike in all of this view")
        }
        Some(Shown::Regions(Seen { shaded: true, .. })) => Some("the darker, the larger the score"),
        Some(_) => None,
    }
}

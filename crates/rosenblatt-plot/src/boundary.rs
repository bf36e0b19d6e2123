//! Examples in the plane of two features, with the decision of the model there.

use crate::{
    axes::{self, Area},
    canvas::{Canvas, Point},
    figure::{Boundary, Decision},
    format::Format,
    legend::{self, Entry, Mark, Room},
    marks,
    range::{count, number},
    regions::ColoredRegions,
    separator::Separator,
    view::{ClassMark, View},
};

/// The maximum number of marks in an SVG; more are slow to open.
const MOST_SVG_MARKS: usize = 20_000;

/// Draws the panel.
pub(crate) fn draw(canvas: &mut Canvas<'_>, boundary: &Boundary<'_>, format: Format) {
    let view = View::new(boundary, canvas.typeface);
    let decided = boundary.decision.as_ref().and_then(|decision| Drawing::new(decision, &view));
    if let Some(decided) = &decided {
        decided.fill(canvas, &view.area);
    }
    axes::frame(canvas, &view.area, &view.x, &view.y);
    let every = thinning(boundary.examples.len(), format);
    let marks = view.marks(&boundary.examples, every);
    let radius = radius(marks.len());
    for mark in &marks {
        marks::draw(canvas, mark.class, mark.at, radius);
    }
    if let Some(decided) = &decided {
        decided.stroke(canvas, &view.area, &marks);
    }
    axes::heading(canvas, &view.area, &boundary.title, &note(boundary, decided.as_ref(), every));
    let room = Room { typeface: canvas.typeface, width: view.area.width() };
    legend::draw(canvas, &view.area, &entries(boundary, decided.as_ref(), &room));
}

/// Returns `n` if one in `n` examples is drawn.
pub(crate) fn thinning(examples: usize, format: Format) -> usize {
    match format {
        Format::Svg => examples.div_ceil(MOST_SVG_MARKS).max(1),
        Format::Png => 1,
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

/// The part of the picture that the model adds.
enum Drawing {
    Line(Separator),
    Regions(ColoredRegions),
}

impl Drawing {
    /// Returns `None` if the line has no direction or the model overflows.
    fn new(decision: &Decision<'_>, view: &View) -> Option<Self> {
        match decision {
            Decision::Line(line) => Separator::new(line, view).map(Drawing::Line),
            Decision::Regions(regions) => {
                ColoredRegions::new(regions, view.x.range, view.y.range).map(Drawing::Regions)
            }
        }
    }

    fn fill(&self, canvas: &mut Canvas<'_>, area: &Area) {
        match self {
            Drawing::Line(line) => line.fill(canvas, area),
            Drawing::Regions(regions) => regions.fill(canvas, area),
        }
    }

    fn stroke(&self, canvas: &mut Canvas<'_>, area: &Area, marks: &[ClassMark]) {
        match self {
            Drawing::Line(line) => {
                let places: Vec<Point> = marks.iter().map(|mark| mark.at).collect();
                line.stroke(canvas, area, &places);
            }
            Drawing::Regions(regions) => regions.stroke(canvas, area),
        }
    }

    fn is_in_view(&self) -> bool {
        match self {
            Drawing::Line(line) => line.is_in_view(),
            Drawing::Regions(regions) => regions.is_in_view(),
        }
    }
}

/// The entries of the classes, as many as have room, and of the lines.
fn entries(boundary: &Boundary<'_>, decided: Option<&Drawing>, room: &Room<'_>) -> Vec<Entry> {
    let classes = boundary.classes.iter().enumerate();
    let classes = classes.map(|(class, name)| Entry::new(Mark::Class(class), name)).collect();
    let lines = lines(boundary, decided);
    let mut entries = room.cut(classes, &lines);
    entries.extend(lines);
    entries
}

fn lines(boundary: &Boundary<'_>, decided: Option<&Drawing>) -> Vec<Entry> {
    let Some(decided) = decided.filter(|decided| decided.is_in_view()) else { return Vec::new() };
    let margin = match &boundary.decision {
        Some(Decision::Line(line)) => line.margin,
        _ => None,
    };
    let name = if margin.is_some() { "separator" } else { "boundary" };
    let mut entries = vec![Entry::new(Mark::Line, name)];
    let drawn = matches!(decided, Drawing::Line(line) if line.has_margin());
    if let Some(margin) = margin.filter(|_| drawn) {
        entries.push(Entry::new(Mark::Dashes, format!("nearest example {}", number(margin))));
    }
    entries
}

fn note(boundary: &Boundary<'_>, decided: Option<&Drawing>, every: usize) -> String {
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
        let all = count(boundary.examples.len() as u64);
        notes.push(format!("1 in {every} of {all} examples is drawn"));
    }
    if boundary.classes.len() > marks::DISTINCT {
        notes.push(format!("marks repeat after {} classes", marks::DISTINCT));
    }
    notes.join(" · ")
}

fn line_note(decided: Option<&Drawing>) -> Option<&'static str> {
    match decided {
        None => Some("both weights are 0: there is no line"),
        Some(decided) => (!decided.is_in_view()).then_some("the line is outside this view"),
    }
}

fn regions_note(decided: Option<&Drawing>) -> Option<&'static str> {
    match decided {
        None => Some("the numbers of this view overflow in the model: no regions are drawn"),
        Some(decided) if !decided.is_in_view() => {
            Some("the model decides alike in all of this view")
        }
        Some(Drawing::Regions(ColoredRegions { shaded: true, .. })) => {
            Some("the darker, the larger the score")
        }
        Some(_) => None,
    }
}

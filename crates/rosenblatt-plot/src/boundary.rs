//! Examples in the plane of two features, or on the number line of one, with the decision of the model there.

mod names;

use crate::{
    axes::{self, Area, Heading},
    canvas::{Canvas, Color, Point},
    distances,
    figure::{Boundary, Decision, Example},
    format::Format,
    marks,
    places::{Places, Words},
    range::{count, number},
    regions::ColoredRegions,
    separator::Separator,
    view::{ClassMark, View},
};

/// The maximum number of marks in an SVG; more are slow to open.
const MOST_SVG_MARKS: usize = 20_000;
/// A mark of many examples is at most this many times as large as one.
const LARGEST: f64 = 2.4;

/// Draws the panel.
pub(crate) fn draw(canvas: &mut Canvas<'_>, boundary: &Boundary<'_>, format: Format) {
    let every = thinning(boundary.examples.len(), format);
    let Plan { heading, view, decided } = Plan::new(canvas, boundary, every);
    let mut places = ground(canvas, &view, decided.as_ref());
    let marks = view.marks(&boundary.examples, every);
    let radius = radius(marks.len());
    for mark in &marks {
        let radius = radius * f64::from(mark.count).sqrt().min(LARGEST);
        marks::draw(canvas, mark.class, mark.at, radius);
        places.mark(mark.at, radius + 1.0);
    }
    let line = decided.as_ref().and_then(|decided| decided.stroke(canvas, &mut places, &marks));
    if let Some(nearest) = nearest(boundary, &view, decided.as_ref()) {
        canvas.ring(nearest, radius + 5.0, Color::INK, 1.5);
        places.mark(nearest, radius + 6.0);
    }
    heading.draw(canvas);
    if let (Some(Decision::Line(measured)), Some(_)) = (&boundary.decision, &decided) {
        distances::draw(canvas, &mut places, measured, &view);
    }
    let named = names::Named { boundary, marks: &marks, decided: decided.as_ref() };
    names::write(canvas, &mut places, &named);
    if let Some(line) = line {
        name_line(canvas, &mut places, line, boundary);
    }
}

/// Draws the sides, the axes and the edges of the margin; returns the places that they leave.
fn ground(canvas: &mut Canvas<'_>, view: &View, decided: Option<&Drawing>) -> Places {
    if let Some(decided) = decided {
        decided.fill(canvas, &view.area);
    }
    let mut places = Places::new(view.area);
    if view.is_number_line {
        axes::number_line(canvas, &view.area, &view.x);
        places.line(view.area.point((0.0, 0.5)), view.area.point((1.0, 0.5)));
    } else {
        axes::plane(canvas, &view.area, &view.x, &view.y);
    }
    if let Some(Drawing::Line(line)) = decided {
        line.stroke_margin(canvas, &mut places);
    }
    places
}

/// The heading, which has a remark on what is seen, and what is seen, whose place depends on the lines of the heading.
struct Plan {
    heading: Heading,
    view: View,
    decided: Option<Drawing>,
}

impl Plan {
    fn new(canvas: &Canvas<'_>, boundary: &Boundary<'_>, every: usize) -> Self {
        let typeface = canvas.typeface;
        let mut heading = Heading::new(typeface, &boundary.title, &note(boundary, None, every));
        loop {
            let view = View::new(boundary, &heading, typeface);
            let decided =
                boundary.decision.as_ref().and_then(|decision| Drawing::new(decision, &view));
            let note = note(boundary, Some(decided.as_ref()), every);
            let next = Heading::new(typeface, &boundary.title, &note);
            let same = next.note_lines() <= heading.note_lines();
            heading = next;
            if same {
                return Plan { heading, view, decided };
            }
        }
    }
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
        0..=150 => 4.2,
        151..=600 => 3.4,
        601..=2_000 => 2.6,
        2_001..=8_000 => 2.0,
        _ => 1.5,
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

    /// Returns the ends of a straight line.
    fn stroke(
        &self,
        canvas: &mut Canvas<'_>,
        places: &mut Places,
        marks: &[ClassMark],
    ) -> Option<(Point, Point)> {
        match self {
            Drawing::Line(line) => {
                let examples: Vec<Point> = marks.iter().map(|mark| mark.at).collect();
                line.stroke(canvas, places, &examples)
            }
            Drawing::Regions(regions) => {
                regions.stroke(canvas, places);
                None
            }
        }
    }

    fn is_in_view(&self) -> bool {
        match self {
            Drawing::Line(line) => line.is_in_view(),
            Drawing::Regions(regions) => regions.is_in_view(),
        }
    }

    /// Whether a right angle does not look like one.
    fn is_skewed(&self) -> bool {
        matches!(self, Drawing::Line(line) if !line.is_square())
    }

    fn class_at(&self, place: Point) -> usize {
        match self {
            Drawing::Line(line) => line.class_at(place),
            Drawing::Regions(regions) => regions.class_at(place),
        }
    }
}

/// Writes what the line is, close to it.
fn name_line(
    canvas: &mut Canvas<'_>,
    places: &mut Places,
    (from, to): (Point, Point),
    boundary: &Boundary<'_>,
) {
    let text = match &boundary.decision {
        _ if boundary.is_slice => "boundary".to_owned(),
        Some(Decision::Line(line)) if line.is_moved => "where the label changes".to_owned(),
        Some(Decision::Line(line)) if boundary.y_name.is_none() => {
            format!("−b/w = {}", number(line.foot((0.0, 0.0)).0))
        }
        _ => "w·x + b = 0".to_owned(),
    };
    let at = |i: u32| {
        let share = 0.08 + 0.84 * f64::from(i) / 20.0;
        (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1))
    };
    let along: Vec<Point> = (0..=20).map(at).collect();
    places.write(
        canvas,
        &[Words { font: axes::SMALL, ..Words::strong(&text, Color::INK) }],
        |frame| along.iter().map(|&at| frame.distance(at)).fold(f64::INFINITY, f64::min),
    );
}

/// The example that is nearest to the line, if its margin is drawn.
fn nearest(boundary: &Boundary<'_>, view: &View, decided: Option<&Drawing>) -> Option<Point> {
    let (Some(Decision::Line(line)), Some(Drawing::Line(drawn))) = (&boundary.decision, decided)
    else {
        return None;
    };
    line.margin.filter(|_| drawn.has_margin())?;
    let distance = |example: &&Example| line.signed_distance((example.x, example.y)).abs();
    let finite = boundary.examples.iter().filter(|example| distance(example).is_finite());
    let nearest = finite.min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    view.marks(&[*nearest], 1).first().map(|mark| mark.at)
}

/// The note, with remarks on what is drawn if that is known.
fn note(boundary: &Boundary<'_>, decided: Option<Option<&Drawing>>, every: usize) -> String {
    let mut notes: Vec<String> =
        Some(boundary.note.clone()).filter(|note| !note.is_empty()).into_iter().collect();
    if let Some(decided) = decided {
        match &boundary.decision {
            Some(Decision::Line(line)) => {
                notes.extend(line.note.clone());
                notes.extend(line_note(line.margin, decided));
                let is_skewed = decided.is_some_and(Drawing::is_skewed);
                if is_skewed && !line.distances.is_empty() {
                    notes.push(
                        "the axes have different scales, so right angles are skewed".to_owned(),
                    );
                }
            }
            Some(Decision::Regions(regions)) => {
                notes.extend(regions.note.clone());
                notes.extend(regions_note(decided).map(str::to_owned));
            }
            None => {}
        }
    }
    if every > 1 {
        let all = count(boundary.examples.len() as u64);
        notes.push(format!("1 in {every} of {all} examples is drawn"));
    }
    if boundary.classes.len() > marks::DISTINCT {
        notes.push(format!("marks repeat after {} classes", marks::DISTINCT));
    }
    if boundary.classes.len() > names::MOST {
        notes.push(format!("{} of {} classes are named", names::MOST, boundary.classes.len()));
    }
    notes.join("; ")
}

fn line_note(margin: Option<f64>, decided: Option<&Drawing>) -> Option<String> {
    match decided {
        None => Some("every weight is 0: there is no line".to_owned()),
        Some(decided) if !decided.is_in_view() => Some("the line is outside this view".to_owned()),
        Some(Drawing::Line(line)) if line.has_margin() => {
            margin.map(|margin| format!("ringed: the nearest example, {} away", number(margin)))
        }
        Some(_) => None,
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

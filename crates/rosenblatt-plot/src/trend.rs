//! Updates against their bound, both on logarithmic axes.

use crate::{
    axes::{self, Area, GRID, small},
    canvas::{Align, Canvas, Color, Label, Point},
    figure::Trend,
    legend::{self, Entry, Mark},
    range::{Range, number},
};

/// Draws the panel.
pub(crate) fn draw(canvas: &mut Canvas<'_>, trend: &Trend) {
    let points = &trend.points;
    let bounds = || points.iter().map(|point| point.bound);
    let x = Decades::of(bounds());
    let y = Decades::of(points.iter().flat_map(|point| [point.least, point.most]).chain(bounds()));
    let widths = y.ticks().into_iter().map(|tick| canvas.typeface.width(&tick.1, axes::SMALL));
    let area = Area::from_left(52.0 + widths.fold(0.0, f64::max));
    frame(canvas, &area, &x, &y);
    let place = |bound: f64, updates: f64| area.point((x.place(bound), y.place(updates)));
    let (low, high) = (x.range.low.max(y.range.low), x.range.high.min(y.range.high));
    if low < high {
        let (low, high) = (10f64.powf(low), 10f64.powf(high));
        canvas.dashes(place(low, low), place(high, high), Color::GREY, 1.4);
    }
    for point in points {
        let whisker = vec![place(point.bound, point.least), place(point.bound, point.most)];
        canvas.path(whisker, Color::CURVE.tint(0.5), 3.0);
    }
    let medians: Vec<Point> = points.iter().map(|point| place(point.bound, point.median)).collect();
    medians.iter().for_each(|&median| canvas.disc(median, 4.2, Color::CURVE));
    let mut names = Names { area, taken: Vec::new() };
    for point in points {
        let (x, bottom) = place(point.bound, point.least);
        let top = place(point.bound, point.most).1;
        names.write(canvas, &point.name, Whisker { x, top, bottom });
    }
    axes::outline(canvas, &area);
    axes::heading(canvas, &area, &trend.title, &trend.note);
    let median = Entry::new(Mark::Mistakes, "median, least and most");
    let bound = Entry::new(Mark::Dashes, "as many as the bound");
    legend::draw(canvas, &area, &[median, bound]);
}

/// The names of the points, which must not overlap.
struct Names {
    area: Area,
    /// Middle and width of each.
    taken: Vec<(Point, f64)>,
}

/// The line from the least to the most updates of a point.
struct Whisker {
    x: f64,
    top: f64,
    bottom: f64,
}

impl Names {
    /// Writes a name below or above a whisker, at the nearest free place.
    fn write(&mut self, canvas: &mut Canvas<'_>, name: &str, whisker: Whisker) {
        let Whisker { x, top, bottom } = whisker;
        const LINE: f64 = 15.0;
        let width = canvas.typeface.width(name, axes::SMALL) + 6.0;
        let places = (1..8).flat_map(|line| {
            let distance = f64::from(line) * LINE;
            [bottom + distance, top - distance]
        });
        let free = |y: &f64| {
            let apart = |&((other, line), length): &(Point, f64)| {
                (other - x).abs() >= (width + length) / 2.0 || (line - y).abs() >= LINE
            };
            (self.area.top + LINE..=self.area.bottom - LINE / 2.0).contains(y)
                && self.taken.iter().all(apart)
        };
        let Some(y) = places.into_iter().find(free) else { return };
        self.taken.push(((x, y), width));
        canvas.label(small(name.to_owned(), (x, y), Align::Middle));
    }
}

/// A logarithmic axis; the range is of the powers of ten.
struct Decades {
    range: Range,
}

impl Decades {
    /// The range of the positive values.
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let powers = values.filter(|&value| value > 0.0).map(f64::log10);
        Decades { range: Range::of(powers).padded(0.08, 0.06) }
    }

    fn place(&self, value: f64) -> f64 {
        self.range.place(value.max(f64::MIN_POSITIVE).log10()).clamp(0.0, 1.0)
    }

    /// Positions and texts of the ticks: powers of ten, and on a short axis also twice and five times each.
    fn ticks(&self) -> Vec<(f64, String)> {
        const MOST: f64 = 8.0;
        let (low, high) = (self.range.low.floor() as i32, self.range.high.ceil() as i32);
        let step = (self.range.length() / MOST).ceil().max(1.0) as usize;
        let digits: &[f64] = if self.range.length() < 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let powers = (low..=high).filter(|power| power.rem_euclid(step as i32) == 0);
        let ticks = powers.flat_map(|power| {
            digits.iter().map(move |digit| (digit.log10() + f64::from(power), power, digit))
        });
        let inside = |power: f64| (self.range.low..=self.range.high).contains(&power);
        let text = |power: i32, digit: f64| {
            let text = number(digit * 10f64.powi(power));
            text.strip_prefix("1 × ").map_or(text.clone(), str::to_owned)
        };
        ticks
            .filter(|&(at, ..)| inside(at))
            .map(|(at, power, &digit)| (self.range.place(at), text(power, digit)))
            .collect()
    }
}

fn frame(canvas: &mut Canvas<'_>, area: &Area, x: &Decades, y: &Decades) {
    for (place, text) in x.ticks() {
        let across = area.point((place, 0.0)).0;
        canvas.rule((across, area.top), (across, area.bottom), GRID);
        canvas.label(small(text, (across, area.bottom + 16.0), Align::Middle));
    }
    for (place, text) in y.ticks() {
        let up = area.point((0.0, place)).1;
        canvas.rule((area.left, up), (area.right, up), GRID);
        canvas.label(small(text, (area.left - 9.0, up), Align::Right));
    }
    let mut name = |text: &str, at: Point, upwards: bool| {
        let (text, size, color) = (text.to_owned(), axes::NAME, Color::INK);
        canvas.label(Label { text, at, size, color, align: Align::Middle, upwards });
    };
    name("Novikoff's bound", (area.left + area.width() / 2.0, area.bottom + 44.0), false);
    name("updates", (20.0, area.top + area.height() / 2.0), true);
}

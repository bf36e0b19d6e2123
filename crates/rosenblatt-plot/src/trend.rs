//! Updates against their bound, both on logarithmic axes.

use crate::{
    axes::{self, Area, Heading, LEFT, SMALL, small},
    canvas::{Align, Canvas, Color, Point},
    figure::Trend,
    places::{Places, Words},
    range::{Range, number},
};

/// Draws the panel.
pub(crate) fn draw(canvas: &mut Canvas<'_>, trend: &Trend) {
    let points = &trend.points;
    let bounds = || points.iter().map(|point| point.bound);
    let x = Decades::of(bounds());
    let y = Decades::of(points.iter().flat_map(|point| [point.least, point.most]).chain(bounds()));
    let widths = y.ticks().into_iter().map(|tick| canvas.typeface.width(&tick.1, SMALL));
    let heading = Heading::new(canvas.typeface, &trend.title, &trend.note);
    let left = LEFT + 10.0 + widths.fold(0.0, f64::max);
    let area = Area::from(left, heading.bottom_with_name());
    heading.draw(canvas);
    frame(canvas, &area, &x, &y);
    let mut places = Places::new(area);
    let place = |bound: f64, updates: f64| area.point((x.place(bound), y.place(updates)));
    let (low, high) = (x.range.low.max(y.range.low), x.range.high.min(y.range.high));
    let ends = [low, high].map(|power| place(10f64.powf(power), 10f64.powf(power)));
    if low < high {
        canvas.dashes(ends[0], ends[1], Color::BAD, 1.5);
        places.line(ends[0], ends[1]);
    }
    for point in points {
        let whisker = [place(point.bound, point.least), place(point.bound, point.most)];
        canvas.path(whisker.to_vec(), Color::INK.tint(0.35), 3.0);
        places.line(whisker[0], whisker[1]);
    }
    let medians: Vec<Point> = points.iter().map(|point| place(point.bound, point.median)).collect();
    for &median in &medians {
        canvas.disc(median, 4.2, Color::INK);
        places.mark(median, 5.0);
    }
    write_names(canvas, &mut places, trend, &medians);
    if low < high {
        let text = "as many updates as Novikoff’s bound";
        let middle = ((ends[0].0 + ends[1].0) / 2.0, (ends[0].1 + ends[1].1) / 2.0);
        places.beside(canvas, Words::strong(text, Color::BAD), middle);
    }
}

/// Names each point, and says at the longest line what a point and its line are.
fn write_names(canvas: &mut Canvas<'_>, places: &mut Places, trend: &Trend, medians: &[Point]) {
    for (point, &median) in trend.points.iter().zip(medians) {
        let words = Words { font: SMALL, ..Words::strong(&point.name, Color::INK) };
        places.beside(canvas, words, median);
    }
    let length = |i: &usize| trend.points[*i].most / trend.points[*i].least;
    let longest = (0..medians.len()).max_by(|a, b| length(a).total_cmp(&length(b)));
    if let Some(i) = longest {
        places.beside(
            canvas,
            Words::strong("median, least and most updates", Color::INK),
            medians[i],
        );
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
    for (place, text) in y.ticks() {
        let up = area.point((0.0, place)).1;
        canvas.rule((area.left, up), (area.right, up), Color::GRID);
        canvas.label(small(&text, (area.left - 8.0, up), Align::Right));
    }
    canvas.rule((area.left, area.bottom), (area.right, area.bottom), Color::BASE);
    for (place, text) in x.ticks() {
        let across = area.point((place, 0.0)).0;
        canvas.label(small(&text, (across, area.bottom + 16.0), Align::Middle));
    }
    axes::level_name(canvas, area, "Novikoff’s bound", "");
    axes::upright_name(canvas, area, "updates until an epoch without a mistake", "");
}

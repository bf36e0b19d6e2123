//! One panel as a list of shapes.

use plotters_backend::BackendColor;
use rosenblatt_data::is_hidden;

use crate::typeface::{Font, Typeface};

/// The width of a panel in points.
pub(crate) const WIDTH: u32 = 560;
/// The height of a panel in points.
pub(crate) const HEIGHT: u32 = 384;

/// A place on a panel, in points from the upper left corner.
pub(crate) type Point = (f64, f64);

/// The colors that the pictures share with the lab's page.
const TOKENS: &str = include_str!("../assets/tokens.css");

/// Whether the declaration of a color by this name begins at `start`.
const fn declares(text: &[u8], start: usize, name: &[u8]) -> bool {
    let mut i = 0;
    while i < name.len() {
        if text[start + 2 + i] != name[i] {
            return false;
        }
        i += 1;
    }
    let end = start + 2 + name.len();
    text[start] == b'-' && text[start + 1] == b'-' && text[end] == b':' && text[end + 2] == b'#'
}

/// A number of two hexadecimal digits in lower case.
const fn byte(text: &[u8], start: usize) -> u8 {
    16 * digit(text[start]) + digit(text[start + 1])
}

const fn digit(character: u8) -> u8 {
    match character {
        b'0'..=b'9' => character - b'0',
        b'a'..=b'f' => character - b'a' + 10,
        _ => panic!("a color has hexadecimal digits in lower case"),
    }
}

/// A color; `alpha` from 0 (nothing) to 1 (opaque).
#[derive(Clone, Copy)]
pub(crate) struct Color {
    rgb: (u8, u8, u8),
    alpha: f64,
}

impl Color {
    /// Titles and the separator.
    pub(crate) const INK: Color = Color::token("ink");
    /// Numbers and notes.
    pub(crate) const GREY: Color = Color::token("mut");
    /// The base of a plot, and quiet bars.
    pub(crate) const BASE: Color = Color::token("line");
    /// Grid lines, across only.
    pub(crate) const GRID: Color = Color::of(0xE6, 0xE2, 0xD8);
    /// The negative class.
    pub(crate) const MINUS: Color = Color::token("minus");
    /// The positive class.
    pub(crate) const PLUS: Color = Color::token("plus");
    /// Mistakes and bounds on them.
    pub(crate) const BAD: Color = Color::token("bad");
    /// The weight vector.
    pub(crate) const NORMAL: Color = Color::token("w");
    /// Further classes; each has a contrast of at least 4.5 with white.
    pub(crate) const TEAL: Color = Color::of(0x00, 0x78, 0x5E);
    pub(crate) const PURPLE: Color = Color::of(0x85, 0x46, 0x92);
    pub(crate) const OLIVE: Color = Color::of(0x73, 0x67, 0x00);
    pub(crate) const SLATE: Color = Color::of(0x2B, 0x76, 0x8A);
    pub(crate) const ROSE: Color = Color::of(0xB0, 0x3C, 0x6E);
    /// The background.
    pub(crate) const WHITE: Color = Color::of(0xFF, 0xFF, 0xFF);

    const fn of(red: u8, green: u8, blue: u8) -> Self {
        Color { rgb: (red, green, blue), alpha: 1.0 }
    }

    /// A light color of `tokens.css`, by its name.
    const fn token(name: &str) -> Self {
        let (text, name) = (TOKENS.as_bytes(), name.as_bytes());
        let mut start = 0;
        while !declares(text, start, name) {
            start += 1;
        }
        let first = start + name.len() + "--: #".len();
        Color::of(byte(text, first), byte(text, first + 2), byte(text, first + 4))
    }

    /// This color, less opaque.
    pub(crate) const fn faded(self, alpha: f64) -> Self {
        Color { alpha, ..self }
    }

    /// Red, green, blue.
    #[cfg(test)]
    pub(crate) const fn bytes(self) -> (u8, u8, u8) {
        self.rgb
    }

    /// White with this share of the color, opaque.
    pub(crate) fn tint(self, share: f64) -> Self {
        let mixed = |part: u8| (255.0 - share * (255.0 - f64::from(part))).round() as u8;
        let (red, green, blue) = self.rgb;
        Color::of(mixed(red), mixed(green), mixed(blue))
    }
}

impl From<Color> for BackendColor {
    fn from(color: Color) -> Self {
        BackendColor { alpha: color.alpha, rgb: color.rgb }
    }
}

/// The part of a text that is at its place.
#[derive(Clone, Copy)]
pub(crate) enum Align {
    /// Its beginning.
    Left,
    /// Its middle.
    Middle,
    /// Its end.
    Right,
}

/// A line of text; `at` is its beginning, middle or end, half-way up a capital letter.
#[derive(Clone)]
pub(crate) struct Label {
    /// The text.
    pub(crate) text: String,
    /// The place.
    pub(crate) at: Point,
    /// Its face and size.
    pub(crate) font: Font,
    /// Its color.
    pub(crate) color: Color,
    /// The part of the text that is at `at`.
    pub(crate) align: Align,
}

/// One thing on a panel.
pub(crate) enum Shape {
    /// A convex polygon, filled.
    Polygon(Vec<Point>, Color),
    /// Any polygon that does not cross itself, filled.
    Region(Vec<Point>, Color),
    /// A rectangle between two opposite corners, filled.
    Rectangle(Point, Point, Color),
    /// A line through the places, with its width in points.
    Path(Vec<Point>, Color, f64),
    /// A circle with its radius, filled.
    Disc(Point, f64, Color),
    /// A circle whose stroke is centered on the radius, with its width in points.
    Ring(Point, f64, Color, f64),
    /// A line of text.
    Label(Label),
}

/// The shapes of a panel; later shapes cover earlier ones.
pub(crate) struct Canvas<'a> {
    /// The typeface, for the widths of texts.
    pub(crate) typeface: &'a Typeface,
    /// From the bottom to the top.
    pub(crate) shapes: Vec<Shape>,
}

impl<'a> Canvas<'a> {
    /// An empty panel.
    pub(crate) fn new(typeface: &'a Typeface) -> Self {
        Canvas { typeface, shapes: Vec::new() }
    }

    /// Fills a convex polygon.
    pub(crate) fn polygon(&mut self, corners: Vec<Point>, color: Color) {
        if corners.len() > 2 {
            self.shapes.push(Shape::Polygon(corners, color));
        }
    }

    /// Fills any polygon that does not cross itself.
    pub(crate) fn region(&mut self, corners: Vec<Point>, color: Color) {
        if corners.len() > 2 {
            self.shapes.push(Shape::Region(corners, color));
        }
    }

    /// Fills a rectangle between two opposite corners: upper left, lower right.
    pub(crate) fn rectangle(&mut self, from: Point, to: Point, color: Color) {
        self.shapes.push(Shape::Rectangle(from, to, color));
    }

    /// Draws a level or upright line, one point wide and sharp on a screen.
    pub(crate) fn rule(&mut self, from: Point, to: Point, color: Color) {
        let whole = |(x, y): Point| (x.floor(), y.floor());
        let (from, to) = (whole(from), whole(to));
        self.rectangle(from, (to.0.max(from.0 + 1.0), to.1.max(from.1 + 1.0)), color);
    }

    /// Draws a line through the points.
    pub(crate) fn path(&mut self, points: Vec<Point>, color: Color, width: f64) {
        if points.len() > 1 {
            self.shapes.push(Shape::Path(points, color, width));
        }
    }

    /// Draws a straight line of dashes.
    pub(crate) fn dashes(&mut self, from: Point, to: Point, color: Color, width: f64) {
        const DASH: f64 = 7.0;
        const PERIOD: f64 = 12.0;
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let along = |distance: f64| {
            let share = (distance / length).min(1.0);
            (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1))
        };
        for i in 0..(length / PERIOD).ceil() as u32 {
            let start = f64::from(i) * PERIOD;
            self.path(vec![along(start), along(start + DASH)], color, width);
        }
    }

    /// Fills a circle.
    pub(crate) fn disc(&mut self, center: Point, radius: f64, color: Color) {
        self.shapes.push(Shape::Disc(center, radius, color));
    }

    /// Draws a circle whose stroke is centered on the radius.
    pub(crate) fn ring(&mut self, center: Point, radius: f64, color: Color, width: f64) {
        self.shapes.push(Shape::Ring(center, radius, color, width));
    }

    /// Writes a text.
    pub(crate) fn label(&mut self, mut label: Label) {
        label.text = label.text.chars().map(printable).collect();
        // From the middle of a capital letter to the middle of an x, which the backends expect.
        label.at.1 += label.font.face.rise() * label.font.size;
        self.shapes.push(Shape::Label(label));
    }
}

/// Replaces characters that XML cannot contain, even escaped, and those that would reverse the direction of a label.
fn printable(letter: char) -> char {
    match letter {
        '\t' | '\n' | '\r' => ' ',
        '\u{FFFE}' | '\u{FFFF}' => '\u{FFFD}',
        letter if is_hidden(letter) => '\u{FFFD}',
        letter => letter,
    }
}

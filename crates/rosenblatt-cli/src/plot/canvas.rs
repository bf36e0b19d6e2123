//! One panel as a list of shapes.

use plotters_backend::BackendColor;
use rosenblatt::data::Sign;
use rosenblatt_data::is_hidden;

use super::typeface::Typeface;

/// The width of a panel in points.
pub(super) const WIDTH: u32 = 760;
/// The height of a panel in points.
pub(super) const HEIGHT: u32 = 560;

/// A place on a panel, in points from the upper left corner.
pub(super) type Point = (f64, f64);

/// A colour; `alpha` from 0 (nothing) to 1 (opaque).
#[derive(Clone, Copy)]
pub(super) struct Colour {
    rgb: (u8, u8, u8),
    alpha: f64,
}

impl Colour {
    /// Titles and the separator.
    pub(super) const INK: Colour = Colour::of(0x22, 0x26, 0x2B);
    /// Numbers, names and notes.
    pub(super) const GREY: Colour = Colour::of(0x55, 0x5B, 0x63);
    /// The frame of a plot.
    pub(super) const FRAME: Colour = Colour::of(0xA8, 0xAD, 0xB4);
    /// The negative class; with the next, distinct to every kind of colour vision.
    pub(super) const MINUS: Colour = Colour::of(0x00, 0x72, 0xB2);
    /// The positive class.
    pub(super) const PLUS: Colour = Colour::of(0xD5, 0x5E, 0x00);
    /// Mistakes per epoch, which belong to no class.
    pub(super) const CURVE: Colour = Colour::of(0x3B, 0x4C, 0x63);
    /// Convergence.
    pub(super) const GOOD: Colour = Colour::of(0x00, 0x9E, 0x73);
    /// Further classes.
    pub(super) const PURPLE: Colour = Colour::of(0xCC, 0x79, 0xA7);
    pub(super) const ORANGE: Colour = Colour::of(0xE6, 0x9F, 0x00);
    pub(super) const SKY: Colour = Colour::of(0x56, 0xB4, 0xE9);
    pub(super) const OLIVE: Colour = Colour::of(0x8F, 0x7E, 0x00);
    /// The background.
    pub(super) const WHITE: Colour = Colour::of(0xFF, 0xFF, 0xFF);

    const fn of(red: u8, green: u8, blue: u8) -> Self {
        Colour { rgb: (red, green, blue), alpha: 1.0 }
    }

    /// The colour of a side.
    pub(super) fn of_sign(sign: Sign) -> Self {
        match sign {
            Sign::Minus => Colour::MINUS,
            Sign::Plus => Colour::PLUS,
        }
    }

    /// The same colour, less opaque.
    pub(super) const fn faded(self, alpha: f64) -> Self {
        Colour { alpha, ..self }
    }

    /// Red, green, blue.
    #[cfg(test)]
    pub(super) const fn bytes(self) -> (u8, u8, u8) {
        self.rgb
    }

    /// White with this share of the colour, opaque.
    pub(super) fn tint(self, share: f64) -> Self {
        let mixed = |part: u8| (255.0 - share * (255.0 - f64::from(part))).round() as u8;
        let (red, green, blue) = self.rgb;
        Colour::of(mixed(red), mixed(green), mixed(blue))
    }
}

impl From<Colour> for BackendColor {
    fn from(colour: Colour) -> Self {
        BackendColor { alpha: colour.alpha, rgb: colour.rgb }
    }
}

/// Which part of a text its place says.
#[derive(Clone, Copy)]
pub(super) enum Align {
    /// Its beginning.
    Left,
    /// Its middle.
    Middle,
    /// Its end.
    Right,
}

/// A line of text; `at` is its beginning, middle or end, half-way up a capital letter.
#[derive(Clone)]
pub(super) struct Label {
    /// What it says.
    pub(super) text: String,
    /// Where.
    pub(super) at: Point,
    /// The size of the type, in points.
    pub(super) size: f64,
    /// Its colour.
    pub(super) colour: Colour,
    /// Which part of it is at `at`.
    pub(super) align: Align,
    /// Written from below, turned to the left.
    pub(super) upwards: bool,
}

/// One thing on a panel.
pub(super) enum Shape {
    /// A convex polygon, filled.
    Polygon(Vec<Point>, Colour),
    /// Any polygon that does not cross itself, filled.
    Region(Vec<Point>, Colour),
    /// A rectangle between two opposite corners, filled.
    Rectangle(Point, Point, Colour),
    /// A line through the places, so many points wide.
    Path(Vec<Point>, Colour, f64),
    /// A circle with its radius, filled.
    Disc(Point, f64, Colour),
    /// A circle whose stroke, so many points wide, has its middle at the radius.
    Ring(Point, f64, Colour, f64),
    /// A line of text.
    Label(Label),
}

/// What a panel has drawn so far; later shapes cover earlier ones.
pub(super) struct Canvas<'a> {
    /// For the widths of texts.
    pub(super) typeface: &'a Typeface,
    /// From the bottom to the top.
    pub(super) shapes: Vec<Shape>,
}

impl<'a> Canvas<'a> {
    /// An empty panel.
    pub(super) fn new(typeface: &'a Typeface) -> Self {
        Canvas { typeface, shapes: Vec::new() }
    }

    /// Fills a convex polygon.
    pub(super) fn polygon(&mut self, corners: Vec<Point>, colour: Colour) {
        if corners.len() > 2 {
            self.shapes.push(Shape::Polygon(corners, colour));
        }
    }

    /// Fills any polygon that does not cross itself.
    pub(super) fn region(&mut self, corners: Vec<Point>, colour: Colour) {
        if corners.len() > 2 {
            self.shapes.push(Shape::Region(corners, colour));
        }
    }

    /// Fills a rectangle between two opposite corners: upper left, lower right.
    pub(super) fn rectangle(&mut self, from: Point, to: Point, colour: Colour) {
        self.shapes.push(Shape::Rectangle(from, to, colour));
    }

    /// Draws a level or upright line, one point wide and sharp on a screen.
    pub(super) fn rule(&mut self, from: Point, to: Point, colour: Colour) {
        let whole = |(x, y): Point| (x.floor(), y.floor());
        let (from, to) = (whole(from), whole(to));
        self.rectangle(from, (to.0.max(from.0 + 1.0), to.1.max(from.1 + 1.0)), colour);
    }

    /// Draws a line through the points.
    pub(super) fn path(&mut self, points: Vec<Point>, colour: Colour, width: f64) {
        if points.len() > 1 {
            self.shapes.push(Shape::Path(points, colour, width));
        }
    }

    /// Draws a straight line of dashes.
    pub(super) fn dashes(&mut self, from: Point, to: Point, colour: Colour, width: f64) {
        const DASH: f64 = 7.0;
        const PERIOD: f64 = 12.0;
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let along = |distance: f64| {
            let share = (distance / length).min(1.0);
            (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1))
        };
        for i in 0..(length / PERIOD).ceil() as u32 {
            let start = f64::from(i) * PERIOD;
            self.path(vec![along(start), along(start + DASH)], colour, width);
        }
    }

    /// Fills a circle.
    pub(super) fn disc(&mut self, centre: Point, radius: f64, colour: Colour) {
        self.shapes.push(Shape::Disc(centre, radius, colour));
    }

    /// Draws a circle whose stroke has its middle at the radius.
    pub(super) fn ring(&mut self, centre: Point, radius: f64, colour: Colour, width: f64) {
        self.shapes.push(Shape::Ring(centre, radius, colour, width));
    }

    /// Writes a text.
    pub(super) fn label(&mut self, mut label: Label) {
        label.text = label.text.chars().map(printable).collect();
        // From the middle of a capital letter to that of an x, as the backends want it.
        let lift = 0.091 * label.size;
        let shift = if label.upwards { (lift, 0.0) } else { (0.0, lift) };
        label.at = (label.at.0 + shift.0, label.at.1 + shift.1);
        self.shapes.push(Shape::Label(label));
    }
}

/// XML has no way to write control characters, not even escaped, and those that turn the direction of writing would
/// change how a label reads.
fn printable(letter: char) -> char {
    match letter {
        '\t' | '\n' | '\r' => ' ',
        '\u{FFFE}' | '\u{FFFF}' => '\u{FFFD}',
        letter if is_hidden(letter) => '\u{FFFD}',
        letter => letter,
    }
}

//! The outline of a glyph: contours of points on and off the curve, as lines and parabolas.

use ab_glyph_rasterizer::{Point, point};

use super::table::Table;

/// A segment of an outline, in units; y grows upwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Segment {
    /// Straight.
    Line(Point, Point),
    /// A parabola, with its control point in the middle.
    Quad(Point, Point, Point),
}

/// The placement of a part of a glyph: the images of the directions x and y, and of the origin.
pub(super) struct Placing {
    pub(super) x: Point,
    pub(super) y: Point,
    pub(super) shift: Point,
}

impl Default for Placing {
    fn default() -> Self {
        Placing { x: point(1.0, 0.0), y: point(0.0, 1.0), shift: point(0.0, 0.0) }
    }
}

impl Placing {
    fn of(&self, p: Point) -> Point {
        let along = |x: f32, y: f32, shift: f32| p.x * x + p.y * y + shift;
        point(along(self.x.x, self.y.x, self.shift.x), along(self.x.y, self.y.y, self.shift.y))
    }

    /// The composition: first `part`, then this placement.
    pub(super) fn after(&self, part: &Placing) -> Placing {
        let turned = |p: Point| self.of(p) - self.shift;
        Placing { x: turned(part.x), y: turned(part.y), shift: self.of(part.shift) }
    }
}

/// A point of a contour, and whether the curve goes through it.
type Corner = (Point, bool);

/// Ends of contours, instructions, flags, all x, all y, each as the difference from the one before.
pub(super) fn simple(
    table: Table<'_>,
    contours: usize,
    placing: &Placing,
    segments: &mut Vec<Segment>,
) -> Option<()> {
    let ends: Vec<usize> =
        (0..contours).map(|i| table.u16(10 + 2 * i).map(usize::from)).collect::<Option<_>>()?;
    let Some(last) = ends.last() else { return Some(()) };
    let mut at = 10 + 2 * contours;
    at += 2 + usize::from(table.u16(at)?);
    let mut flags = Vec::with_capacity(last + 1);
    while flags.len() <= *last {
        let flag = table.u8(at)?;
        let repeats = if flag & 8 != 0 { table.u8(at + 1)? } else { 0 };
        at += if flag & 8 != 0 { 2 } else { 1 };
        flags.extend(std::iter::repeat_n(flag, 1 + usize::from(repeats)));
    }
    let xs = coordinates(table, &mut at, &flags, CoordinateBits { short: 2, same: 16 })?;
    let ys = coordinates(table, &mut at, &flags, CoordinateBits { short: 4, same: 32 })?;
    let corner = |i: usize| (placing.of(point(xs[i].into(), ys[i].into())), flags[i] & 1 != 0);
    let mut start = 0;
    for end in ends {
        let corners: Vec<Corner> = (start..=end).filter(|&i| i < xs.len()).map(corner).collect();
        contour(&corners, segments);
        start = end + 1;
    }
    Some(())
}

/// The bits of a flag for one coordinate.
#[derive(Clone, Copy)]
struct CoordinateBits {
    /// The coordinate has one byte.
    short: u8,
    /// A short one is positive; any other is that of the point before.
    same: u8,
}

/// One coordinate of all points: a byte with its sign among the flags, two bytes, or that of the point before.
fn coordinates(
    table: Table<'_>,
    at: &mut usize,
    flags: &[u8],
    bits: CoordinateBits,
) -> Option<Vec<i16>> {
    let mut value = 0i16;
    let coordinate = |flag: &u8| {
        let step = match (flag & bits.short != 0, flag & bits.same != 0) {
            (true, is_positive) => {
                let size = i16::from(table.u8(*at)?);
                *at += 1;
                if is_positive { size } else { -size }
            }
            (false, true) => 0,
            (false, false) => {
                *at += 2;
                table.i16(*at - 2)?
            }
        };
        value = value.wrapping_add(step);
        Some(value)
    };
    flags.iter().map(coordinate).collect()
}

/// A closed contour. Between two points off the curve there is one on it, in the middle.
fn contour(corners: &[Corner], segments: &mut Vec<Segment>) {
    let Some(&(last, _)) = corners.last() else { return };
    let on = corners.iter().position(|corner| corner.1);
    let first = on.map_or_else(|| middle(last, corners[0].0), |on| corners[on].0);
    let after = on.map_or(0, |on| on + 1);
    let (mut from, mut control) = (first, None);
    let rest = corners[after..].iter().chain(&corners[..on.unwrap_or(0)]);
    for &(to, is_on) in rest.chain([&(first, true)]) {
        match (control, is_on) {
            (None, true) => segments.push(Segment::Line(from, to)),
            (None, false) => {}
            (Some(control), true) => segments.push(Segment::Quad(from, control, to)),
            (Some(control), false) => {
                let halfway = middle(control, to);
                segments.push(Segment::Quad(from, control, halfway));
                from = halfway;
            }
        }
        control = (!is_on).then_some(to);
        if is_on {
            from = to;
        }
    }
}

fn middle(a: Point, b: Point) -> Point {
    point(0.5 * (a.x + b.x), 0.5 * (a.y + b.y))
}

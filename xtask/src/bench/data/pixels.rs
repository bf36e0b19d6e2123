//! Pictures like handwritten figures: ten shapes of strokes, each time bent, shifted and noisy; the class is whether
//! the number of the shape is even. Of 784 pixels about a third are not 0.

use std::io;

use super::{Data, Draw};

const SHAPES: usize = 10;
/// Corners of a shape.
const CORNERS: usize = 6;
/// Pixels of a side, of which a figure fills most.
const SIDE: usize = 28;
const FIGURE: f64 = 24.0;

type Point = (f64, f64);

/// Writes so many pictures. Every set has the same shapes.
pub(super) fn write(data: &Data, name: &str, rows: usize, seed: u64) -> io::Result<()> {
    let mut draw = Draw::new(6);
    let mut corner = |_| (0.15 + 0.7 * draw.uniform(), 0.08 + 0.84 * draw.uniform());
    let shapes: Vec<Vec<Point>> =
        (0..SHAPES).map(|_| (0..CORNERS).map(&mut corner).collect()).collect();
    let mut draw = Draw::new(seed);
    let (mut x, mut y) = (Vec::with_capacity(rows * SIDE * SIDE), Vec::with_capacity(rows));
    for _ in 0..rows {
        let shape = draw.below(SHAPES);
        x.extend(picture(&shapes[shape], &mut draw));
        y.push(if shape.is_multiple_of(2) { 1.0f64 } else { -1.0 });
    }
    let shape = [rows, SIDE * SIDE];
    data.array(&format!("{name}-x"), "<f4", &shape, x.iter().map(|x| x.to_le_bytes()))?;
    data.array(&format!("{name}-y"), "<f8", &shape[..1], y.iter().map(|y| y.to_le_bytes()))
}

fn picture(shape: &[Point], draw: &mut Draw) -> Vec<f32> {
    const BENT: f64 = 0.07;
    const WIDTH: f64 = 2.8;
    let shift = (4.0 * draw.uniform(), 4.0 * draw.uniform());
    let corners: Vec<Point> = shape
        .iter()
        .map(|&(x, y)| (x + BENT * draw.normal(), y + BENT * draw.normal()))
        .map(|(x, y)| (FIGURE * x + shift.0, FIGURE * y + shift.1))
        .collect();
    let mut pixel = |place: usize| {
        let at = ((place % SIDE) as f64, (place / SIDE) as f64);
        let distance =
            corners.windows(2).map(|ends| to_line(at, ends[0], ends[1])).fold(f64::MAX, f64::min);
        let ink = (1.5 - distance / WIDTH).min(1.0);
        let ink = if ink > 0.0 { (ink + 0.15 * draw.normal()).clamp(0.0, 1.0) } else { 0.0 };
        ((ink * 1e4).round() / 1e4) as f32
    };
    (0..SIDE * SIDE).map(&mut pixel).collect()
}

/// The distance of a point from the line between two others.
fn to_line(at: Point, from: Point, to: Point) -> f64 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let along = ((at.0 - from.0) * dx + (at.1 - from.1) * dy) / (dx * dx + dy * dy).max(1e-9);
    let along = along.clamp(0.0, 1.0);
    (at.0 - from.0 - along * dx).hypot(at.1 - from.1 - along * dy)
}

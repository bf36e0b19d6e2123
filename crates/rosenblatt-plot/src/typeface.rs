//! The typeface inside the binary: how wide text is, and its pixels.

use ab_glyph_rasterizer::{Point, Rasterizer, point};

use crate::{
    format::PlotError,
    truetype::{Glyph, Segment, TrueType},
};

const BYTES: &[u8] = include_bytes!("../assets/DejaVuSans-subset.ttf");
/// The font families of an SVG, which uses the fonts of the reader.
pub(crate) const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

/// DejaVu Sans.
pub(crate) struct Typeface {
    font: TrueType<'static>,
}

impl Typeface {
    /// Reads the typeface.
    pub(crate) fn new() -> Result<Self, PlotError> {
        let font = TrueType::new(BYTES).ok_or(PlotError::Typeface)?;
        Ok(Typeface { font })
    }

    /// The width of `text` when an em is `size` points.
    pub(crate) fn width(&self, text: &str, size: f64) -> f64 {
        self.layout(text, size as f32).1.into()
    }

    /// `text`, or as much of its beginning as fits into `width` and a `…`.
    pub(crate) fn shortened(&self, text: &str, size: f64, width: f64) -> String {
        if self.width(text, size) <= width {
            return text.to_owned();
        }
        // No text of more than a thousand letters fits anywhere.
        let mut letters: Vec<char> = text.chars().take(1000).collect();
        loop {
            letters.pop();
            let shorter = letters.iter().collect::<String>().trim_end().to_owned() + "…";
            if letters.is_empty() || self.width(&shorter, size) <= width {
                return shorter;
            }
        }
    }

    /// The size of a unit when an em is `size`. The order of these operations fixes the rounding, and with it the bytes
    /// of all pictures.
    fn unit(&self, size: f32) -> f32 {
        size * (self.font.height / self.font.units_per_em) / self.font.height
    }

    /// Returns the glyphs of `text`, each with its start on the base line, and the width of the text.
    pub(crate) fn layout(&self, text: &str, size: f32) -> (Vec<(Glyph, f32)>, f32) {
        let unit = self.unit(size);
        let mut caret = 0.0;
        let mut glyphs: Vec<(Glyph, f32)> = Vec::new();
        for letter in text.chars() {
            let glyph = self.font.glyph(letter);
            caret += glyphs.last().map_or(0.0, |&(last, _)| unit * self.font.kern(last, glyph));
            glyphs.push((glyph, caret));
            caret += unit * self.font.advance(glyph);
        }
        (glyphs, caret)
    }

    /// Passes the coverage of each pixel by a glyph that starts at `origin` to `put`, from 0 to 1.
    pub(crate) fn cover(
        &self,
        glyph: Glyph,
        size: f32,
        origin: Point,
        mut put: impl FnMut(i32, i32, f32),
    ) {
        let unit = self.unit(size);
        let place = |p: Point| point(origin.x + p.x * unit, origin.y - p.y * unit);
        let placed = |segment: Segment| match segment {
            Segment::Line(a, b) => [place(a), place(a), place(b)],
            Segment::Quad(a, control, b) => [place(a), place(control), place(b)],
        };
        let segments = self.font.outline(glyph);
        let points = || segments.iter().copied().flat_map(placed);
        let least = |a: Point, b: Point| point(a.x.min(b.x), a.y.min(b.y));
        let most = |a: Point, b: Point| point(a.x.max(b.x), a.y.max(b.y));
        let (Some(from), Some(to)) = (points().reduce(least), points().reduce(most)) else {
            return;
        };
        let corner = point(from.x.floor(), from.y.floor());
        let (width, height) = ((to.x - corner.x).ceil(), (to.y - corner.y).ceil());
        let mut pixels = Rasterizer::new(width as usize, height as usize);
        for &segment in &segments {
            let [a, control, b] = placed(segment).map(|p| p - corner);
            match segment {
                Segment::Line(..) => pixels.draw_line(a, b),
                Segment::Quad(..) => pixels.draw_quad(a, control, b),
            }
        }
        pixels.for_each_pixel_2d(|x, y, cover| {
            put(corner.x as i32 + x as i32, corner.y as i32 + y as i32, cover.min(1.0));
        });
    }
}

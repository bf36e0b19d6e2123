//! The typeface inside the binary: how wide text is, and its pixels.

use std::convert::Infallible;

use ab_glyph_rasterizer::{Point, Rasterizer, point};
use plotters_backend::{
    BackendColor, BackendCoord, BackendTextStyle, FontFamily, FontTransform,
    text_anchor::{HPos, Pos, VPos},
};

use super::{
    canvas::{Align, Label},
    truetype::{Curve, Glyph, TrueType},
};

const BYTES: &[u8] = include_bytes!("../../assets/DejaVuSans-subset.ttf");
const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";
/// Half the height of the letter x, in ems. Text is placed by the middle of that letter, because SVG
/// can say so (`dy="0.5ex"`) for whatever font the reader has.
const HALF_X: f32 = 0.2735;
/// The SVG backend divides sizes by this to get ems.
const SIZE_PER_EM: f64 = 1.24;

/// DejaVu Sans.
pub(super) struct Typeface {
    font: TrueType,
}

impl Typeface {
    /// Reads the typeface.
    pub(super) fn new() -> Result<Self, String> {
        let font = TrueType::new(BYTES).ok_or_else(|| "the typeface is damaged".to_owned())?;
        Ok(Typeface { font })
    }

    /// The width of `text` when an em is `size` points.
    pub(super) fn width(&self, text: &str, size: f64) -> f64 {
        self.layout(text, size as f32).1.into()
    }

    /// `text`, or as much of its beginning as fits into `width` and a `…`.
    pub(super) fn shortened(&self, text: &str, size: f64, width: f64) -> String {
        if self.width(text, size) <= width {
            return text.to_owned();
        }
        // Nothing wider than a thousand narrow letters fits anywhere.
        let mut letters: Vec<char> = text.chars().take(1000).collect();
        loop {
            letters.pop();
            let shorter = letters.iter().collect::<String>().trim_end().to_owned() + "…";
            if letters.is_empty() || self.width(&shorter, size) <= width {
                return shorter;
            }
        }
    }

    /// The size of a unit when an em is `size`. It is rounded where that of the height is: widths of all pictures so far
    /// came from it.
    fn unit(&self, size: f32) -> f32 {
        size * (self.font.height / self.font.units_per_em) / self.font.height
    }

    /// The glyphs of `text` and where on the base line each begins, from 0, and where the next one would begin.
    fn layout(&self, text: &str, size: f32) -> (Vec<(Glyph, f32)>, f32) {
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

    /// Gives how much of each pixel a glyph covers, from 0 to 1, when it begins at `origin`.
    fn cover(&self, glyph: Glyph, size: f32, origin: Point, mut put: impl FnMut(i32, i32, f32)) {
        let unit = self.unit(size);
        let place = |p: Point| point(origin.x + p.x * unit, origin.y - p.y * unit);
        let placed = |curve: Curve| match curve {
            Curve::Line(a, b) => [place(a), place(a), place(b)],
            Curve::Quad(a, control, b) => [place(a), place(control), place(b)],
        };
        let curves = self.font.outline(glyph);
        let points = || curves.iter().copied().flat_map(placed);
        let least = |a: Point, b: Point| point(a.x.min(b.x), a.y.min(b.y));
        let most = |a: Point, b: Point| point(a.x.max(b.x), a.y.max(b.y));
        let (Some(from), Some(to)) = (points().reduce(least), points().reduce(most)) else {
            return;
        };
        let corner = point(from.x.floor(), from.y.floor());
        let (width, height) = ((to.x - corner.x).ceil(), (to.y - corner.y).ceil());
        let mut pixels = Rasterizer::new(width as usize, height as usize);
        for &curve in &curves {
            let [a, control, b] = placed(curve).map(|p| p - corner);
            match curve {
                Curve::Line(..) => pixels.draw_line(a, b),
                Curve::Quad(..) => pixels.draw_quad(a, control, b),
            }
        }
        pixels.for_each_pixel_2d(|x, y, cover| {
            put(corner.x as i32 + x as i32, corner.y as i32 + y as i32, cover.min(1.0));
        });
    }
}

/// A label as the backends want it. They place text by its middle, so the pixels are drawn with the
/// base line half an x below 0.
pub(super) struct BackendLabel<'a> {
    /// The text, its place and its looks.
    pub(super) label: &'a Label,
    /// For its pixels.
    pub(super) typeface: &'a Typeface,
    /// Coordinates of the backend per point.
    pub(super) scale: f64,
}

impl BackendLabel<'_> {
    fn em(&self) -> f64 {
        self.label.size * self.scale
    }
}

impl BackendTextStyle for BackendLabel<'_> {
    type FontError = Infallible;

    fn color(&self) -> BackendColor {
        self.label.colour.into()
    }

    fn size(&self) -> f64 {
        self.em() * SIZE_PER_EM
    }

    fn transform(&self) -> FontTransform {
        if self.label.upwards { FontTransform::Rotate270 } else { FontTransform::None }
    }

    fn anchor(&self) -> Pos {
        let h_pos = match self.label.align {
            Align::Left => HPos::Left,
            Align::Middle => HPos::Center,
            Align::Right => HPos::Right,
        };
        Pos::new(h_pos, VPos::Center)
    }

    fn family(&self) -> FontFamily<'_> {
        FontFamily::Name(FAMILY)
    }

    fn layout_box(&self, text: &str) -> Result<(BackendCoord, BackendCoord), Infallible> {
        Ok(((0, 0), (self.typeface.width(text, self.em()).round() as i32, 0)))
    }

    fn draw<E, Put: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        text: &str,
        (left, middle): BackendCoord,
        mut put: Put,
    ) -> Result<Result<(), E>, Infallible> {
        let em = self.em() as f32;
        let colour = self.color();
        let mut result = Ok(());
        for (glyph, start) in self.typeface.layout(text, em).0 {
            self.typeface.cover(glyph, em, point(start, HALF_X * em), |x, y, cover| {
                if result.is_ok() && cover > 0.0 {
                    result = put(left + x, middle + y, colour.mix(cover.into()));
                }
            });
        }
        Ok(result)
    }
}

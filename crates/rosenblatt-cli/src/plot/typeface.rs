//! The typeface inside the binary: how wide text is, and its pixels.

use std::convert::Infallible;

use ab_glyph::{Font, FontRef, Glyph, PxScale, ScaleFont, point};
use plotters_backend::{
    BackendColor, BackendCoord, BackendTextStyle, FontFamily, FontTransform,
    text_anchor::{HPos, Pos, VPos},
};

use super::canvas::{Align, Label};

const BYTES: &[u8] = include_bytes!("../../assets/DejaVuSans-subset.ttf");
const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";
/// Half the height of the letter x, in ems. Text is placed by the middle of that letter, because SVG
/// can say so (`dy="0.5ex"`) for whatever font the reader has.
const HALF_X: f32 = 0.2735;
/// The SVG backend divides sizes by this to get ems.
const SIZE_PER_EM: f64 = 1.24;

/// DejaVu Sans.
pub(super) struct Typeface {
    font: FontRef<'static>,
    /// Height of the font (ascent to descent) in ems, the unit of [`PxScale`].
    height_per_em: f32,
}

impl Typeface {
    /// Reads the typeface.
    pub(super) fn new() -> Result<Self, String> {
        let font =
            FontRef::try_from_slice(BYTES).map_err(|_| "the typeface is damaged".to_owned())?;
        let ems = font.units_per_em().unwrap_or(font.height_unscaled());
        Ok(Typeface { height_per_em: font.height_unscaled() / ems, font })
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

    /// The glyphs of `text` from (0, 0) along the base line, and where the next one would begin.
    fn layout(&self, text: &str, size: f32) -> (Vec<Glyph>, f32) {
        let scale = PxScale::from(size * self.height_per_em);
        let font = self.font.as_scaled(scale);
        let mut caret = 0.0;
        let mut glyphs: Vec<Glyph> = Vec::new();
        for letter in text.chars() {
            let id = font.glyph_id(letter);
            caret += glyphs.last().map_or(0.0, |last| font.kern(last.id, id));
            glyphs.push(id.with_scale_and_position(scale, point(caret, 0.0)));
            caret += font.h_advance(id);
        }
        (glyphs, caret)
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
        for mut glyph in self.typeface.layout(text, em).0 {
            glyph.position.y = HALF_X * em;
            let Some(outline) = self.typeface.font.outline_glyph(glyph) else { continue };
            let corner = outline.px_bounds().min;
            outline.draw(|x, y, cover| {
                let at = (left + corner.x as i32 + x as i32, middle + corner.y as i32 + y as i32);
                if result.is_ok() && cover > 0.0 {
                    result = put(at.0, at.1, colour.mix(cover.min(1.0).into()));
                }
            });
        }
        Ok(result)
    }
}

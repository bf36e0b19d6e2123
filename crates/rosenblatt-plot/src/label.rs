//! A label of a canvas, in the form that the drawing backends take.

use std::convert::Infallible;

use ab_glyph_rasterizer::point;
use plotters_backend::{
    BackendColor, BackendCoord, BackendTextStyle, FontFamily, FontTransform,
    text_anchor::{HPos, Pos, VPos},
};

use crate::{
    canvas::{Align, Label},
    typeface::{FAMILY, Typeface},
};

/// Half the height of the letter x, in ems. Text is placed by the middle of that letter, because SVG
/// can state it (`dy="0.5ex"`) for any font of the reader.
const HALF_X: f32 = 0.2735;
/// The SVG backend divides sizes by this to get ems.
const SIZE_PER_EM: f64 = 1.24;

/// A label in the form of the backends. They place text by its middle, so the pixels are drawn with the base line half
/// an x below 0.
pub(crate) struct BackendLabel<'a> {
    /// The text, its place and its looks.
    pub(crate) label: &'a Label,
    /// The typeface, for its pixels.
    pub(crate) typeface: &'a Typeface,
    /// The coordinates of the backend per point.
    pub(crate) scale: f64,
}

impl BackendLabel<'_> {
    fn em(&self) -> f64 {
        self.label.size * self.scale
    }
}

impl BackendTextStyle for BackendLabel<'_> {
    type FontError = Infallible;

    fn color(&self) -> BackendColor {
        self.label.color.into()
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
        let color = self.color();
        let mut result = Ok(());
        for (glyph, start) in self.typeface.layout(text, em).0 {
            self.typeface.cover(glyph, em, point(start, HALF_X * em), |x, y, cover| {
                if result.is_ok() && cover > 0.0 {
                    result = put(left + x, middle + y, color.mix(cover.into()));
                }
            });
        }
        Ok(result)
    }
}

//! A label of a canvas, in the form that the drawing backends take.

use std::convert::Infallible;

use ab_glyph_rasterizer::point;
use plotters_backend::{
    BackendColor, BackendCoord, BackendTextStyle, FontFamily, FontStyle, FontTransform,
    text_anchor::{HPos, Pos, VPos},
};

use crate::{
    canvas::{Align, Label},
    typeface::{Face, Font, Typeface},
};

/// The SVG backend divides sizes by this to get ems.
const SIZE_PER_EM: f64 = 1.24;

/// A label in the form of the backends. They place text by its middle, so the pixels are drawn with the base line half
/// an x below 0. The middle of an x is what SVG can state (`dy="0.5ex"`) for any font of the reader.
pub(crate) struct BackendLabel<'a> {
    /// The text, its place and its looks.
    pub(crate) label: &'a Label,
    /// The typeface, for its pixels.
    pub(crate) typeface: &'a Typeface,
    /// The coordinates of the backend per point.
    pub(crate) scale: f64,
}

impl BackendLabel<'_> {
    fn font(&self) -> Font {
        let Font { face, size } = self.label.font;
        Font { face, size: size * self.scale }
    }
}

impl BackendTextStyle for BackendLabel<'_> {
    type FontError = Infallible;

    fn color(&self) -> BackendColor {
        self.label.color.into()
    }

    fn size(&self) -> f64 {
        self.font().size * SIZE_PER_EM
    }

    fn transform(&self) -> FontTransform {
        FontTransform::None
    }

    fn style(&self) -> FontStyle {
        match self.label.font.face {
            Face::Sans => FontStyle::Normal,
            Face::Strong | Face::Serif => FontStyle::Bold,
        }
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
        FontFamily::Name(self.label.font.face.family())
    }

    fn layout_box(&self, text: &str) -> Result<(BackendCoord, BackendCoord), Infallible> {
        Ok(((0, 0), (self.typeface.width(text, self.font()).round() as i32, 0)))
    }

    fn draw<E, Put: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        text: &str,
        (left, middle): BackendCoord,
        mut put: Put,
    ) -> Result<Result<(), E>, Infallible> {
        let (font, color) = (self.font(), self.color());
        let half_x = (font.face.half_x() * font.size) as f32;
        let mut result = Ok(());
        for (letter, start) in self.typeface.layout(text, font).0 {
            self.typeface.cover(font, letter, point(start, half_x), |x, y, cover| {
                if result.is_ok() && cover > 0.0 {
                    result = put(left + x, middle + y, color.mix(cover.into()));
                }
            });
        }
        Ok(result)
    }
}

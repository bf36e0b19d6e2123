//! The typeface inside the binary: how wide text is, and its pixels.

use ab_glyph_rasterizer::{Point, Rasterizer, point};

use crate::{
    format::PlotError,
    truetype::{Glyph, Segment, TrueType},
};

const SANS: &[u8] = include_bytes!("../assets/Sans.ttf");
const STRONG: &[u8] = include_bytes!("../assets/SansSemibold.ttf");
const SERIF: &[u8] = include_bytes!("../assets/SerifSemibold.ttf");
/// Has the letters that the others lack.
const REST: &[u8] = include_bytes!("../assets/DejaVuSans-subset.ttf");

/// A face of the pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Face {
    /// Inter: notes, numbers and names of axes.
    Sans,
    /// Inter, semibold: labels of the data.
    Strong,
    /// Source Serif, semibold: the title.
    Serif,
}

impl Face {
    /// The font families of an SVG, which uses the fonts of the reader.
    pub(crate) fn family(self) -> &'static str {
        match self {
            Face::Sans | Face::Strong => "Inter, Helvetica, Arial, sans-serif",
            Face::Serif => "Source Serif 4, Charter, Georgia, serif",
        }
    }

    /// Half the height of the letter x, in ems.
    pub(crate) fn half_x(self) -> f64 {
        match self {
            Face::Sans | Face::Strong => 0.273,
            Face::Serif => 0.2375,
        }
    }

    /// From the middle of an x up to the middle of a capital letter, in ems.
    pub(crate) fn rise(self) -> f64 {
        match self {
            Face::Sans | Face::Strong => 0.091,
            Face::Serif => 0.0975,
        }
    }
}

/// A face and its size: the points of an em.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Font {
    /// The face.
    pub(crate) face: Face,
    /// The size.
    pub(crate) size: f64,
}

/// A glyph, and the typeface that has it.
#[derive(Clone, Copy)]
pub(crate) struct Letter {
    glyph: Glyph,
    rest: bool,
}

/// The faces, and one with all other letters.
pub(crate) struct Typeface {
    sans: TrueType<'static>,
    strong: TrueType<'static>,
    serif: TrueType<'static>,
    rest: TrueType<'static>,
}

impl Typeface {
    /// Reads the typefaces.
    pub(crate) fn new() -> Result<Self, PlotError> {
        let read = |bytes| TrueType::new(bytes).ok_or(PlotError::Typeface);
        Ok(Typeface {
            sans: read(SANS)?,
            strong: read(STRONG)?,
            serif: read(SERIF)?,
            rest: read(REST)?,
        })
    }

    fn font(&self, face: Face, letter: Letter) -> &TrueType<'static> {
        match face {
            _ if letter.rest => &self.rest,
            Face::Sans => &self.sans,
            Face::Strong => &self.strong,
            Face::Serif => &self.serif,
        }
    }

    fn letter(&self, face: Face, character: char) -> Letter {
        let own = Letter { glyph: 0, rest: false };
        match self.font(face, own).glyph(character) {
            0 => Letter { glyph: self.rest.glyph(character), rest: true },
            glyph => Letter { glyph, rest: false },
        }
    }

    /// The width of `text`.
    pub(crate) fn width(&self, text: &str, font: Font) -> f64 {
        self.layout(text, font).1.into()
    }

    /// `text`, or as much of its beginning as fits into `width` and a `…`.
    pub(crate) fn shortened(&self, text: &str, font: Font, width: f64) -> String {
        if self.width(text, font) <= width {
            return text.to_owned();
        }
        // No text of more than a thousand letters fits anywhere.
        let mut letters: Vec<char> = text.chars().take(1000).collect();
        loop {
            letters.pop();
            let shorter = letters.iter().collect::<String>().trim_end().to_owned() + "…";
            if letters.is_empty() || self.width(&shorter, font) <= width {
                return shorter;
            }
        }
    }

    /// `text` in lines of at most this width, at most two; the second is shortened.
    pub(crate) fn lines(&self, text: &str, font: Font, width: f64) -> Vec<String> {
        if text.is_empty() || self.width(text, font) <= width {
            return [text].into_iter().filter(|line| !line.is_empty()).map(str::to_owned).collect();
        }
        let breaks = text.char_indices().filter(|&(_, letter)| letter == ' ').take(300);
        let fits = |&(at, _): &(usize, char)| at > 0 && self.width(&text[..at], font) <= width;
        match breaks.filter(fits).last() {
            Some((at, _)) => {
                vec![text[..at].to_owned(), self.shortened(&text[at + 1..], font, width)]
            }
            None => vec![self.shortened(text, font, width)],
        }
    }

    /// The size of a unit of a typeface when an em is `size`.
    fn unit(typeface: &TrueType<'_>, size: f32) -> f32 {
        size / typeface.units_per_em
    }

    /// Returns the letters of `text`, each with its start on the base line, and the width of the text.
    pub(crate) fn layout(&self, text: &str, font: Font) -> (Vec<(Letter, f32)>, f32) {
        let mut caret = 0.0;
        let mut letters: Vec<(Letter, f32)> = Vec::new();
        for character in text.chars() {
            let letter = self.letter(font.face, character);
            let typeface = self.font(font.face, letter);
            let unit = Self::unit(typeface, font.size as f32);
            let before = letters.last().filter(|(last, _)| last.rest == letter.rest);
            caret += before.map_or(0.0, |(last, _)| unit * typeface.kern(last.glyph, letter.glyph));
            letters.push((letter, caret));
            caret += unit * typeface.advance(letter.glyph);
        }
        (letters, caret)
    }

    /// Passes the coverage of each pixel by a letter that starts at `origin` to `put`, from 0 to 1.
    pub(crate) fn cover(
        &self,
        font: Font,
        letter: Letter,
        origin: Point,
        mut put: impl FnMut(i32, i32, f32),
    ) {
        let typeface = self.font(font.face, letter);
        let unit = Self::unit(typeface, font.size as f32);
        let place = |p: Point| point(origin.x + p.x * unit, origin.y - p.y * unit);
        let placed = |segment: Segment| match segment {
            Segment::Line(a, b) => [place(a), place(a), place(b)],
            Segment::Quad(a, control, b) => [place(a), place(control), place(b)],
        };
        let segments = typeface.outline(letter.glyph);
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

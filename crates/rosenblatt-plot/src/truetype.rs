//! The part of TrueType that the built-in typeface needs: the glyph of a letter, its width and its outline.
//!
//! Numbers are big-endian; a table of all tables is at the front. `cmap` has letters → glyphs (format 4), `hmtx` widths,
//! `kern` pairs that stand closer (format 0), `loca` and `glyf` outlines: contours of points on and off the curve, or a glyph made of others.
//! <https://learn.microsoft.com/typography/opentype/spec/otff>. Deliberately absent: everything that other typefaces have.

mod outline;
mod table;
#[cfg(test)]
mod tests;

use ab_glyph_rasterizer::point;

pub(crate) use outline::Segment;
use outline::{Placing, simple};
use table::Table;

/// The tables of a typeface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrueType<'a> {
    /// Units of an em.
    pub(crate) units_per_em: f32,
    /// The number of glyphs with a width of their own.
    widths: u16,
    has_long_offsets: bool,
    /// The subtable of Unicode.
    letters: Table<'a>,
    hmtx: Table<'a>,
    /// The pairs.
    kern: Table<'a>,
    loca: Table<'a>,
    glyf: Table<'a>,
}

/// The number of a glyph; 0 for letters that the typeface does not have.
pub(crate) type Glyph = u16;

impl<'a> TrueType<'a> {
    /// Finds the tables; returns `None` if one is missing or damaged.
    pub(crate) fn new(bytes: &'a [u8]) -> Option<Self> {
        let file = Table(bytes);
        let tables = usize::from(file.u16(4)?);
        let record = |name: &[u8; 4]| {
            let records = (0..tables).map(|i| 12 + 16 * i);
            { records }.find(|&at| bytes.get(at..at + 4) == Some(name))
        };
        let table = |name: &[u8; 4]| {
            let record = record(name)?;
            let start = file.u32(record + 8)? as usize;
            bytes.get(start..start.checked_add(file.u32(record + 12)? as usize)?).map(Table)
        };
        let (head, hhea, cmap) = (table(b"head")?, table(b"hhea")?, table(b"cmap")?);
        // Without the table, no pair is kerned.
        let kern = match record(b"kern") {
            Some(_) => Some(table(b"kern")?),
            None => None,
        };
        let subtables = (0..usize::from(cmap.u16(2)?)).map(|i| 4 + 8 * i);
        let windows = { subtables }.find(|&at| cmap.u32(at) == Some(3 << 16 | 1))?;
        let letters = cmap.from(cmap.u32(windows + 4)? as usize)?;
        // One subtable of pairs, and one of letters, of the only formats that are known here.
        let known = |kern: Table<'_>| Some((kern.u16(2)?, kern.u16(8)? >> 8) == (1, 0));
        if letters.u16(0)? != 4 || kern.is_some_and(|kern| known(kern) != Some(true)) {
            return None;
        }
        Some(TrueType {
            units_per_em: head.u16(18)?.into(),
            widths: hhea.u16(34)?,
            has_long_offsets: head.i16(50)? == 1,
            letters,
            hmtx: table(b"hmtx")?,
            kern: kern.map_or(Some(Table(&[])), |kern| kern.from(10))?,
            loca: table(b"loca")?,
            glyf: table(b"glyf")?,
        })
    }

    /// The glyph of a letter.
    pub(crate) fn glyph(&self, letter: char) -> Glyph {
        u16::try_from(u32::from(letter)).ok().and_then(|code| self.find(code)).unwrap_or(0)
    }

    /// Searches the segments of codes: tables of their ends, starts, deltas, and offsets into a list of glyphs.
    fn find(&self, code: u16) -> Option<Glyph> {
        let twice = usize::from(self.letters.u16(6)?);
        let ends = (0..twice).step_by(2);
        let segment =
            { ends }.find(|&i| self.letters.u16(14 + i).is_some_and(|end| end >= code))?;
        let [starts, deltas, ranges] =
            [16 + twice, 16 + 2 * twice, 16 + 3 * twice].map(|at| at + segment);
        let (start, delta) = (self.letters.u16(starts)?, self.letters.u16(deltas)?);
        let within = usize::from(code.checked_sub(start)?);
        match self.letters.u16(ranges)? {
            0 => Some(code.wrapping_add(delta)),
            range => {
                let glyph = self.letters.u16(ranges + usize::from(range) + 2 * within)?;
                Some(if glyph == 0 { 0 } else { glyph.wrapping_add(delta) })
            }
        }
    }

    /// The distance to the next glyph, in units.
    pub(crate) fn advance(&self, glyph: Glyph) -> f32 {
        let place = usize::from(glyph.min(self.widths.saturating_sub(1)));
        self.hmtx.u16(4 * place).unwrap_or(0).into()
    }

    /// The correction of this distance for two glyphs, in units; negative if they stand closer.
    pub(crate) fn kern(&self, left: Glyph, right: Glyph) -> f32 {
        let pair = u32::from(left) << 16 | u32::from(right);
        let at = |i: usize| 8 + 6 * i;
        // Pairs ascend.
        let (mut from, mut to) = (0, usize::from(self.kern.u16(0).unwrap_or(0)));
        while from < to {
            let middle = from.midpoint(to);
            match self.kern.u32(at(middle)).map(|found| found.cmp(&pair)) {
                Some(std::cmp::Ordering::Less) => from = middle + 1,
                Some(std::cmp::Ordering::Greater) => to = middle,
                Some(std::cmp::Ordering::Equal) => {
                    return self.kern.i16(at(middle) + 4).unwrap_or(0).into();
                }
                None => return 0.0,
            }
        }
        0.0
    }

    /// The outline of a glyph; empty for a blank.
    pub(crate) fn outline(&self, glyph: Glyph) -> Vec<Segment> {
        let mut segments = Vec::new();
        // A damaged outline is drawn up to the damage.
        let _ = self.draw(glyph, &Placing::default(), 0, &mut segments);
        segments
    }

    fn draw(
        &self,
        glyph: Glyph,
        placing: &Placing,
        depth: u8,
        segments: &mut Vec<Segment>,
    ) -> Option<()> {
        const DEEPEST: u8 = 4;
        let offset = |i: usize| match self.has_long_offsets {
            true => self.loca.u32(4 * i).map(|offset| offset as usize),
            false => self.loca.u16(2 * i).map(|half| 2 * usize::from(half)),
        };
        let (start, end) = (offset(usize::from(glyph))?, offset(usize::from(glyph) + 1)?);
        let table = Table(self.glyf.0.get(start..end)?);
        match table.i16(0)? {
            contours @ 0.. => simple(table, contours as usize, placing, segments),
            _ if depth < DEEPEST => self.composite(table, placing, depth, segments),
            _ => None,
        }
    }

    /// A glyph made of others, each shifted and perhaps scaled.
    fn composite(
        &self,
        table: Table<'_>,
        placing: &Placing,
        depth: u8,
        segments: &mut Vec<Segment>,
    ) -> Option<()> {
        let mut at = 10;
        loop {
            let (flags, glyph) = (table.u16(at)?, table.u16(at + 2)?);
            let has = |flag: u16| flags & flag != 0;
            at += 4;
            // By matching points instead of by a distance, words or bytes.
            let (x, y) = match (has(2), has(1)) {
                (false, _) => return None,
                (_, true) => (table.i16(at)?, table.i16(at + 2)?),
                (_, false) => ((table.u8(at)? as i8).into(), (table.u8(at + 1)? as i8).into()),
            };
            at += if has(1) { 4 } else { 2 };
            let scale = |at: usize| table.i16(at).map(|scale| f32::from(scale) / 16_384.0);
            let mut part = Placing { shift: point(x.into(), y.into()), ..Placing::default() };
            if has(8) {
                part.x.x = scale(at)?;
                part.y.y = part.x.x;
                at += 2;
            } else if has(0x40) {
                (part.x.x, part.y.y) = (scale(at)?, scale(at + 2)?);
                at += 4;
            } else if has(0x80) {
                part.x = point(scale(at)?, scale(at + 2)?);
                part.y = point(scale(at + 4)?, scale(at + 6)?);
                at += 8;
            }
            self.draw(glyph, &placing.after(&part), depth + 1, segments)?;
            if !has(0x20) {
                return Some(());
            }
        }
    }
}

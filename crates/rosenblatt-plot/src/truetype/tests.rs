//! Figures in these tests were read from the tables of the file by hand, not by the code under test.

use ab_glyph_rasterizer::Point;

use super::*;

const BYTES: &[u8] = include_bytes!("../../assets/DejaVuSans-subset.ttf");
/// The end of `kern`, the last table of the file that is used.
const END_OF_TABLES: usize = 86_048;
const GLYPHS: Glyph = 1_021;

fn font() -> TrueType<'static> {
    TrueType::new(BYTES).expect("a typeface")
}

fn outline(letter: char) -> Vec<Segment> {
    let font = font();
    font.outline(font.glyph(letter))
}

fn ends(segment: &Segment) -> (Point, Point) {
    match *segment {
        Segment::Line(from, to) | Segment::Quad(from, _, to) => (from, to),
    }
}

fn moved(segment: &Segment, by: Point) -> Segment {
    match *segment {
        Segment::Line(from, to) => Segment::Line(from + by, to + by),
        Segment::Quad(from, control, to) => Segment::Quad(from + by, control + by, to + by),
    }
}

#[test]
fn the_measures_are_those_of_the_file() {
    let font = font();
    assert_eq!(font.units_per_em, 2048.0);
    let letters = ['L', 'o', ' ', 'é', '’', '日'];
    assert_eq!(letters.map(|letter| font.glyph(letter)), [45, 80, 1, 169, 574, 0]);
    assert_eq!([45, 80, 1, 169].map(|glyph| font.advance(glyph)), [1141.0, 1253.0, 651.0, 1260.0]);
}

#[test]
fn pairs_are_kerned() {
    let font = font();
    let kern = |left, right| font.kern(font.glyph(left), font.glyph(right));
    assert_eq!((kern('A', 'V'), kern('L', 'T'), kern('o', 'o')), (-131.0, -282.0, 0.0));
}

/// `L` is one contour of six corners, each on the curve.
#[test]
fn straight_letters_are_lines() {
    let corners = [(201, 1493), (403, 1493), (403, 170), (1130, 170), (1130, 0), (201, 0)];
    let corners = corners.map(|(x, y)| point(x as f32, y as f32));
    let next = corners.iter().cycle().skip(1);
    let lines: Vec<Segment> =
        corners.iter().zip(next).map(|(&from, &to)| Segment::Line(from, to)).collect();
    assert_eq!(outline('L'), lines);
}

/// `o` has two contours of 12 points, of which 8 are control points: as many parabolas. The first
/// three points are (627, 991), on the curve, and the control points (479, 991) and (307, 760).
#[test]
fn round_letters_are_parabolas() {
    let segments = outline('o');
    assert_eq!(segments.len(), 16);
    assert!(segments.iter().all(|segment| matches!(segment, Segment::Quad(..))));
    let halfway = point(393.0, 875.5);
    assert_eq!(segments[0], Segment::Quad(point(627.0, 991.0), point(479.0, 991.0), halfway));
    let second = Segment::Quad(halfway, point(307.0, 760.0), point(307.0, 559.0));
    assert_eq!(segments[1], second);
}

/// `é` is `e` at its own place, and glyph 116, an accent, 139 units to the right.
#[test]
fn composite_letters_are_made_of_others() {
    let accent = font().outline(116);
    let mut expected = outline('e');
    expected.extend(accent.iter().map(|segment| moved(segment, point(139.0, 0.0))));
    assert!(!accent.is_empty());
    assert_eq!(outline('é'), expected);
}

#[test]
fn contours_are_closed_and_blanks_are_empty() {
    assert!(outline(' ').is_empty());
    for glyph in 0..GLYPHS {
        let segments = font().outline(glyph);
        let mut start = None;
        for (i, segment) in segments.iter().enumerate() {
            let (from, to) = ends(segment);
            let first = *start.get_or_insert(from);
            match segments.get(i + 1).map(|next| ends(next).0) {
                Some(next) if next == to && to != first => {}
                _ => {
                    assert_eq!(to, first, "glyph {glyph}, segment {i}");
                    start = None;
                }
            }
        }
    }
}

#[test]
fn a_file_that_is_cut_off_is_no_typeface() {
    for length in (0..END_OF_TABLES).step_by(61).chain([END_OF_TABLES - 1]) {
        assert!(TrueType::new(&BYTES[..length]).is_none(), "{length}");
    }
    assert!(TrueType::new(&BYTES[..END_OF_TABLES]).is_some());
}

/// Reads all that is in a file, if it is a typeface.
fn read_all(bytes: &[u8]) {
    let Some(font) = TrueType::new(bytes) else { return };
    for letter in ['\0', 'A', 'o', 'é', 'Я', '∞', '日', '\u{10FFFF}'] {
        let glyph = font.glyph(letter);
        assert!(font.advance(glyph).is_finite() && font.kern(glyph, glyph).is_finite());
    }
    for glyph in (0..GLYPHS).step_by(7).chain([u16::MAX]) {
        font.outline(glyph);
    }
}

#[test]
fn no_damage_is_a_panic() {
    // Each byte in front of the outlines: the list of the tables.
    for at in 0..188 {
        for flipped in [0x01, 0x80, 0xFF] {
            let mut bytes = BYTES.to_vec();
            bytes[at] ^= flipped;
            read_all(&bytes);
        }
    }
    for seed in 0..300u64 {
        let mut bytes = BYTES.to_vec();
        let mut state = seed;
        for _ in 0..40 {
            // The linear congruential generator of Knuth's MMIX.
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let at = (state >> 33) as usize % bytes.len();
            bytes[at] = (state >> 25) as u8;
        }
        read_all(&bytes);
    }
    for bytes in [&[][..], &[0; 12], &[0xFF; 4096]] {
        assert!(TrueType::new(bytes).is_none());
    }
}

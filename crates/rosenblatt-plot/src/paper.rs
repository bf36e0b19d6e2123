//! The shapes of the panels, played back as SVG or as pixels.

use std::collections::BTreeMap;

use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, DrawingBackend, DrawingErrorKind,
};
use plotters_bitmap::{BitMapBackend, bitmap_pixel::RGBPixel};
use plotters_svg::SVGBackend;

use crate::{
    canvas::{Canvas, Color, HEIGHT, Point, Shape, WIDTH},
    format::PlotError,
    label::BackendLabel,
    typeface::Typeface,
};

/// The backends take whole coordinates. In SVG a tenth of a point is one.
const SVG_SCALE: u32 = 10;
/// Pixels of a PNG per point.
const PNG_SCALE: u32 = 2;
/// A PNG is drawn this many times larger in each direction and averaged, for smooth edges and small type.
const OVERSAMPLING: u32 = 2;

/// The panels side by side, as SVG.
pub(crate) fn svg(canvases: &[Canvas<'_>]) -> Result<Vec<u8>, PlotError> {
    let (width, height) = (WIDTH * canvases.len() as u32, HEIGHT);
    let mut text = String::new();
    let backend = SVGBackend::with_string(&mut text, (width * SVG_SCALE, height * SVG_SCALE));
    Pen { backend, scale: SVG_SCALE.into(), left: 0.0, pixels: false }.draw(canvases)?;
    // The backend makes the picture as large as its coordinates; the first tag is replaced.
    let shapes = text.split_once('\n').map_or("", |(_, shapes)| shapes);
    let (across, down) = (width * SVG_SCALE, height * SVG_SCALE);
    let head = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {across} {down}\" stroke-linejoin=\"round\">\n"
    );
    Ok((head + shapes).into_bytes())
}

/// The panels side by side, as PNG.
pub(crate) fn png(canvases: &[Canvas<'_>]) -> Result<Vec<u8>, PlotError> {
    let scale = PNG_SCALE * OVERSAMPLING;
    let (width, height) = (WIDTH * scale * canvases.len() as u32, HEIGHT * scale);
    let mut pixels = vec![0xFF; width as usize * height as usize * 3];
    let backend = BitMapBackend::<RGBPixel>::with_buffer_and_format(&mut pixels, (width, height))
        .map_err(backend_error)?;
    Pen { backend, scale: scale.into(), left: 0.0, pixels: true }.draw(canvases)?;
    encode(&averaged(&pixels, width as usize), width / OVERSAMPLING, height / OVERSAMPLING)
        .map_err(backend_error)
}

fn backend_error(error: impl std::fmt::Display) -> PlotError {
    PlotError::Backend { problem: error.to_string() }
}

/// Each square of `OVERSAMPLING` pixels each way as one, rounded.
fn averaged(pixels: &[u8], width: usize) -> Vec<u8> {
    let side = OVERSAMPLING as usize;
    let mut smaller = Vec::with_capacity(pixels.len() / (side * side));
    for rows in pixels.chunks_exact(width * 3 * side) {
        for pixel in 0..width / side {
            smaller.extend((0..3).map(|channel| {
                let first = pixel * side * 3 + channel;
                let square = (0..side * side)
                    .map(|i| u32::from(rows[first + (i / side) * width * 3 + (i % side) * 3]));
                let count = OVERSAMPLING * OVERSAMPLING;
                ((square.sum::<u32>() + count / 2) / count) as u8
            }));
        }
    }
    smaller
}

fn encode(pixels: &[u8], width: u32, height: u32) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}

/// For each row of pixels, the places where the sides of a polygon cross its middle.
fn crossings(corners: &[BackendCoord]) -> BTreeMap<i32, Vec<i32>> {
    let mut rows: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
    for (i, &from) in corners.iter().enumerate() {
        let to = corners[(i + 1) % corners.len()];
        let (upper, lower) = if from.1 <= to.1 { (from, to) } else { (to, from) };
        let slope = f64::from(lower.0 - upper.0) / f64::from((lower.1 - upper.1).max(1));
        for y in upper.1..lower.1 {
            let x = f64::from(upper.0) + slope * (f64::from(y - upper.1) + 0.5);
            rows.entry(y).or_default().push(x.round() as i32);
        }
    }
    rows
}

/// Plays shapes back on a backend.
struct Pen<B> {
    backend: B,
    /// Coordinates of the backend per point.
    scale: f64,
    /// The left edge of the panel in points.
    left: f64,
    /// Whether to draw lines and rings as straight pieces. The bitmap backend fills each as one polygon, with holes
    /// where it crosses itself.
    pixels: bool,
}

type Drawn<B> = Result<(), DrawingErrorKind<<B as DrawingBackend>::ErrorType>>;

/// A color and a width in coordinates of the backend.
struct Stroke(BackendColor, u32);

impl BackendStyle for Stroke {
    fn color(&self) -> BackendColor {
        self.0
    }

    fn stroke_width(&self) -> u32 {
        self.1
    }
}

impl<B: DrawingBackend> Pen<B> {
    fn draw(&mut self, canvases: &[Canvas<'_>]) -> Result<(), PlotError> {
        for canvas in canvases {
            let page = Shape::Rectangle((0.0, 0.0), (WIDTH.into(), HEIGHT.into()), Color::WHITE);
            for shape in std::iter::once(&page).chain(&canvas.shapes) {
                self.shape(shape, canvas.typeface).map_err(backend_error)?;
            }
            self.left += f64::from(WIDTH);
        }
        self.backend.present().map_err(backend_error)
    }

    fn shape(&mut self, shape: &Shape, typeface: &Typeface) -> Drawn<B> {
        match shape {
            Shape::Polygon(corners, color) => {
                let corners = self.places(corners);
                self.backend.fill_polygon(corners, &BackendColor::from(*color))
            }
            Shape::Region(corners, color) => self.region(&self.places(corners), *color),
            Shape::Rectangle(from, to, color) => {
                let (from, to) = (self.place(*from), self.place(*to));
                self.backend.draw_rect(from, to, &BackendColor::from(*color), true)
            }
            Shape::Path(points, color, width) => {
                let stroke = Stroke((*color).into(), self.length(*width));
                self.path(&self.places(points), &stroke)
            }
            Shape::Disc(center, radius, color) => {
                let (center, radius) = (self.place(*center), self.length(*radius));
                self.backend.draw_circle(center, radius, &BackendColor::from(*color), true)
            }
            Shape::Ring(center, radius, color, width) => {
                let stroke = Stroke((*color).into(), self.length(*width));
                self.ring(*center, *radius, &stroke)
            }
            Shape::Label(label) => {
                let style = BackendLabel { label, typeface, scale: self.scale };
                self.backend.draw_text(&label.text, &style, self.place(label.at))
            }
        }
    }

    /// Fills a polygon of any form. Pixels are filled row by row: between the first and the second
    /// crossing of the middle of the row, the third and the fourth, and so on.
    fn region(&mut self, corners: &[BackendCoord], color: Color) -> Drawn<B> {
        let color = BackendColor::from(color);
        if !self.pixels {
            return self.backend.fill_polygon(corners.iter().copied(), &color);
        }
        for (y, mut crossings) in crossings(corners) {
            crossings.sort_unstable();
            for pair in crossings.chunks_exact(2).filter(|pair| pair[0] < pair[1]) {
                self.backend.draw_rect((pair[0], y), (pair[1], y + 1), &color, true)?;
            }
        }
        Ok(())
    }

    fn path(&mut self, places: &[BackendCoord], stroke: &Stroke) -> Drawn<B> {
        if !self.pixels {
            return self.backend.draw_path(places.iter().copied(), stroke);
        }
        for ends in places.windows(2) {
            self.backend.draw_line(ends[0], ends[1], stroke)?;
        }
        let inner = places.get(1..places.len().saturating_sub(1)).unwrap_or_default();
        for &join in inner {
            // Not wider than the line: a circle has a pixel in its middle.
            self.backend.draw_circle(join, stroke.1.saturating_sub(1) / 2, &stroke.0, true)?;
        }
        Ok(())
    }

    fn ring(&mut self, center: Point, radius: f64, stroke: &Stroke) -> Drawn<B> {
        if !self.pixels {
            let (center, radius) = (self.place(center), self.length(radius));
            return self.backend.draw_circle(center, radius, stroke, false);
        }
        const CORNERS: u32 = 32;
        let half = f64::from(stroke.1) / self.scale / 2.0;
        let corner = |i: u32, radius: f64| {
            let turn = f64::from(i) / f64::from(CORNERS) * std::f64::consts::TAU;
            self.place((center.0 + radius * turn.cos(), center.1 + radius * turn.sin()))
        };
        let spoke = |i| [corner(i, radius - half), corner(i, radius + half)];
        let pieces: Vec<_> = (0..CORNERS).map(|i| (spoke(i), spoke(i + 1))).collect();
        for ([inner, outer], [next_inner, next_outer]) in pieces {
            self.backend.fill_polygon([inner, outer, next_outer, next_inner], &stroke.0)?;
        }
        Ok(())
    }

    fn places(&self, points: &[Point]) -> Vec<BackendCoord> {
        points.iter().map(|&point| self.place(point)).collect()
    }

    fn place(&self, (x, y): Point) -> BackendCoord {
        let across = ((x + self.left) * self.scale).round() as i32;
        (across, (y * self.scale).round() as i32)
    }

    fn length(&self, points: f64) -> u32 {
        (points * self.scale).round().max(1.0) as u32
    }
}

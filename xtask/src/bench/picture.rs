//! Growth as a picture: time and memory over the number of rows, both axes in powers of ten.

use std::{fs, path::Path};

use super::{
    Failure,
    page::thousands,
    row::{Grown, Row},
};

/// Points of a panel, its frame within, and of the whole picture.
const PANEL: (f64, f64) = (450.0, 380.0);
const FRAME: (f64, f64, f64, f64) = (66.0, 48.0, 412.0, 330.0);
/// Distinct to every kind of colour vision.
const COLOURS: [&str; 2] = ["#0072B2", "#D55E00"];
const MARKS: [&str; 2] = ["circle", "square"];

/// A panel: its title, and the figure of a point.
type Panel = (&'static str, fn(&Grown) -> f64);

const PANELS: [Panel; 2] =
    [("Time of the processor, seconds", |grown| grown.cpu), ("Memory, MiB", |grown| grown.memory)];

/// Writes docs/images/growth.svg.
pub(super) fn write(root: &Path, rows: &[Row]) -> Result<(), Failure> {
    let grown: Vec<&Row> = rows.iter().filter(|row| !row.growth.is_empty()).collect();
    let (width, height) = (PANEL.0 * PANELS.len() as f64, PANEL.1);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\" fill=\"#555B63\">\n\
         <title>Time and memory of one pass over the number of rows</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#FFFFFF\"/>\n"
    );
    for (i, panel) in PANELS.iter().enumerate() {
        svg += &format!("<g transform=\"translate({} 0)\">\n", PANEL.0 * i as f64);
        svg += &of_panel(panel, &grown);
        svg += "</g>\n";
    }
    svg += "</svg>\n";
    Ok(fs::write(root.join("docs/images/growth.svg"), svg)?)
}

/// Whole powers of ten around the figures.
fn decades(figures: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) =
        figures.fold((f64::MAX, 0.0f64), |(low, high), figure| (low.min(figure), high.max(figure)));
    let low = low.log10().floor();
    (low, high.log10().ceil().max(low + 1.0))
}

fn of_panel((title, figure): &Panel, rows: &[&Row]) -> String {
    let all = || rows.iter().flat_map(|row| &row.growth);
    let across = decades(all().map(|grown| grown.rows as f64));
    let upward = decades(all().map(figure));
    let x = |rows: f64| {
        FRAME.0 + (FRAME.2 - FRAME.0) * (rows.log10() - across.0) / (across.1 - across.0)
    };
    let y = |a: f64| FRAME.3 - (FRAME.3 - FRAME.1) * (a.log10() - upward.0) / (upward.1 - upward.0);
    let mut svg = text((FRAME.0, 26.0), "start", "14", title);
    svg += &text(((FRAME.0 + FRAME.2) / 2.0, 368.0), "middle", "12", "rows");
    for power in across.0 as i32..=across.1 as i32 {
        let at = x(10f64.powi(power));
        svg += &rule((at, FRAME.1), (at, FRAME.3));
        svg += &text((at, FRAME.3 + 18.0), "middle", "12", &thousands(10usize.pow(power as u32)));
    }
    for power in upward.0 as i32..=upward.1 as i32 {
        let at = y(10f64.powi(power));
        svg += &rule((FRAME.0, at), (FRAME.2, at));
        svg += &text((FRAME.0 - 8.0, at + 4.0), "end", "12", &format!("{}", 10f64.powi(power)));
    }
    for (i, row) in rows.iter().enumerate() {
        let points: Vec<(f64, f64)> =
            row.growth.iter().map(|grown| (x(grown.rows as f64), y(figure(grown)))).collect();
        let places: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let colour = COLOURS[i % COLOURS.len()];
        svg += &format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n",
            places.join(" ")
        );
        points.iter().for_each(|&point| svg += &mark(point, colour, MARKS[i % MARKS.len()]));
        let at = (FRAME.0 + 20.0, FRAME.1 + 20.0 + 20.0 * i as f64);
        svg += &mark(at, colour, MARKS[i % MARKS.len()]);
        let name = row.work.split(", ").skip(1).take(2).collect::<Vec<_>>().join(", ");
        svg += &text((at.0 + 12.0, at.1 + 4.0), "start", "12", &name);
    }
    svg
}

fn text(at: (f64, f64), anchor: &str, size: &str, said: &str) -> String {
    format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\">{said}</text>\n",
        at.0, at.1
    )
}

fn rule(from: (f64, f64), to: (f64, f64)) -> String {
    format!(
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"#D5D8DC\"/>\n",
        from.0, from.1, to.0, to.1
    )
}

fn mark((x, y): (f64, f64), colour: &str, kind: &str) -> String {
    if kind == "circle" {
        format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"/>\n")
    } else {
        let (x, y) = (x - 3.5, y - 3.5);
        format!("<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"7\" height=\"7\" fill=\"{colour}\"/>\n")
    }
}

//! What a picture promises, whatever the figure.

use std::path::Path;

use super::{
    Alternative, Bars, Bin, Boundary, Comparison, Curve, Decision, Distance, Example, Figure,
    Format, Histogram, Line, Panel, PlotError, RateCurve, RatePoint, Reliability, ReliabilityGroup,
    Trend, TrendPoint, Weight,
    boundary::thinning,
    canvas::{Align, Canvas, Color, HEIGHT, Shape, WIDTH},
    curve::thinned,
    half_plane::{HalfPlane, VIEW},
    marks,
    places::Frame,
    range::{Range, Ticks, count, number},
    render,
    typeface::{Face, Font, Typeface},
};

const MINUS: usize = 0;
const PLUS: usize = 1;

fn boundary(points: Vec<(f64, f64, usize)>, line: Option<Line>) -> Panel<'static> {
    let [title, note, x_name, y_name] = ["title", "note", "x", "y"].map(str::to_owned);
    let classes = vec!["no".to_owned(), "yes".to_owned()];
    let decision = line.map(Decision::Line);
    let examples = points.into_iter().map(|(x, y, class)| Example { x, y, class }).collect();
    let (y_name, is_slice) = (Some(y_name), false);
    Panel::Boundary(Boundary { title, note, x_name, y_name, examples, classes, decision, is_slice })
}

fn line(a: f64, b: f64, c: f64) -> Line {
    Line { a, b, c, margin: Some(0.5), distances: Vec::new(), is_moved: false, note: None }
}

fn curve(mistakes_per_epoch: Vec<u64>, converged: bool) -> Panel<'static> {
    let [title, note] = ["curve", "note"].map(str::to_owned);
    Panel::Curve(Curve { title, note, mistakes_per_epoch, converged })
}

fn bars(weights: Vec<(String, f64)>) -> Panel<'static> {
    let weights = weights.into_iter().map(|(name, value)| Weight { name, value });
    Panel::Bars(Bars {
        title: "bars".to_owned(),
        weights: weights.collect(),
        note: String::new(),
        sides: ["no", "yes"].map(str::to_owned),
    })
}

fn histogram(bins: Vec<(u64, u64, u64)>, bound: Option<f64>) -> Panel<'static> {
    let [title, note, value_name, count_name] = ["title", "note", "x", "y"].map(str::to_owned);
    let quartiles = bins.first().map(|bin| [bin.0 as f64; 3]);
    let bins = bins.into_iter().map(|(from, to, count)| Bin { from, to, count }).collect();
    Panel::Histogram(Histogram { title, note, value_name, count_name, bins, quartiles, bound })
}

fn trend(points: &[(f64, f64)]) -> Panel<'static> {
    let point = |&(bound, median): &(f64, f64)| TrendPoint {
        name: "×1".to_owned(),
        bound,
        least: median / 2.0,
        median,
        most: median * 2.0,
    };
    let points = points.iter().map(point).collect();
    Panel::Trend(Trend { title: "trend".to_owned(), note: String::new(), points })
}

fn reliability(groups: &[[f64; 4]]) -> Panel<'static> {
    let group = |&[probability, share, low, high]: &[f64; 4]| ReliabilityGroup {
        name: "60% of 12 examples".to_owned(),
        probability,
        share,
        low,
        high,
    };
    Panel::Reliability(Reliability {
        title: "reliability".to_owned(),
        note: String::new(),
        x_name: "probability".to_owned(),
        y_name: "share".to_owned(),
        groups: groups.iter().map(group).collect(),
    })
}

fn rates(points: &[(f64, f64)], is_stepped: bool, decided: Option<(f64, f64)>) -> Panel<'static> {
    let [title, note, x_name, y_name] = ["AUC", "note", "false", "recall"].map(str::to_owned);
    Panel::Rates(RateCurve {
        title,
        note,
        x_name,
        y_name,
        points: points.to_vec(),
        is_stepped,
        chance: [(0.0, 0.0), (1.0, 1.0)],
        chance_name: "chance".to_owned(),
        decided: decided.map(|at| RatePoint {
            at,
            name: "the labels".to_owned(),
            rates: ["recall 50%", "precision 60%"].map(str::to_owned),
        }),
    })
}

/// A name that has no room below its alternative, nor whole beside it.
const LONG: &str = "standard, 0.001, a long word, and another word, and another one, and one more, and the last one";

/// Names that fit stand side by side, on one line; others one below the other, each whole in its place or cut.
#[test]
fn names_of_alternatives_have_room() {
    let places = |name: &str, count: usize| {
        let text = svg(vec![comparison(name, &vec![[0.1, 0.2, 0.3]; count])]);
        let begin = name.split(' ').next().unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        let names = lines.windows(2).filter(|pair| pair[1].starts_with(begin));
        let y = |pair: &[&str]| pair[0].split(" y=").nth(1).map(|rest| rest[..6].to_owned());
        let all: Vec<Option<String>> = names.map(y).collect();
        let different: std::collections::BTreeSet<_> = all.iter().collect();
        (all.len(), different.len())
    };
    assert_eq!(places("minmax", 5), (5, 1));
    // Each second one; then each third one, and the chosen 13 in place of 12 and 15.
    assert_eq!(places("x7", 24), (12, 1));
    assert_eq!(places("x7", 26), (8, 1));
    for name in ["standard, 0.1", LONG] {
        assert_eq!(places(name, 12), (12, 12), "{name}");
        assert_eq!(places(name, 30), (30, 30), "{name}");
    }
}

fn comparison(name: &str, numbers: &[[f64; 3]]) -> Panel<'static> {
    let one =
        |&[low, number, high]: &[f64; 3]| Alternative { name: name.to_owned(), number, low, high };
    Panel::Comparison(Comparison {
        title: "comparison".to_owned(),
        note: String::new(),
        x_name: "C".to_owned(),
        y_name: "accuracy".to_owned(),
        alternatives: numbers.iter().map(one).collect(),
        chosen: numbers.len() / 2,
        label: "the best".to_owned(),
    })
}

fn svg(panels: Vec<Panel<'_>>) -> String {
    let bytes = render(&Figure { panels }, Format::Svg).expect("an SVG");
    String::from_utf8(bytes).expect("UTF-8")
}

/// Renders both kinds and looks at the frame of each.
fn check_both(panel: &Panel<'_>) {
    let figure = Figure { panels: vec![panel.clone()] };
    let text = svg(figure.panels.clone());
    assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"), "{panel:?}");
    assert!(!text.contains("NaN") && !text.contains("inf"), "{panel:?}");
    assert!(!text.contains(&i32::MAX.to_string()) && !text.contains(&i32::MIN.to_string()));
    let bytes = render(&figure, Format::Png).expect("a PNG");
    assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
    let side =
        |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    assert_eq!((side(16), side(20)), (2 * WIDTH, 2 * HEIGHT));
}

#[test]
fn the_ending_says_the_kind_in_any_case() {
    for (name, format) in
        [("a.svg", Format::Svg), ("b/c.SVG", Format::Svg), ("d.x.Png", Format::Png)]
    {
        assert_eq!(Format::of(Path::new(name)).expect("a format"), format);
    }
    for name in ["a.jpg", "png", ".svg", "a.svg.gz", ""] {
        let error = Format::of(Path::new(name)).expect_err(name);
        assert!(matches!(&error, PlotError::UnknownEnding { file } if file == name));
    }
    let error = Format::of(Path::new("a.jpg")).expect_err("no kind");
    let message = "a.jpg: cannot tell the kind of picture from the name, expected .svg or .png";
    assert_eq!(error.to_string(), message);
}

/// The unit square as the view, so that data and view are the same.
fn half_plane(a: f64, b: f64, c: f64) -> HalfPlane {
    let unit = Range { low: 0.0, high: 1.0 };
    HalfPlane::new(&line(a, b, c), unit, unit).expect("a direction").0
}

fn area(corners: &[(f64, f64)]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(p, q)| p.0 * q.1 - q.0 * p.1).sum::<f64>() / 2.0
}

#[test]
fn the_line_ends_where_it_leaves_the_view() {
    // x = 1/4; y = 3/4; the diagonal; x + y = 1/2, which cuts a corner.
    assert_eq!(half_plane(4.0, 0.0, -1.0).edge(), Some(((0.25, 0.0), (0.25, 1.0))));
    assert_eq!(half_plane(0.0, 4.0, -3.0).edge(), Some(((1.0, 0.75), (0.0, 0.75))));
    assert_eq!(half_plane(1.0, -1.0, 0.0).edge(), Some(((1.0, 1.0), (0.0, 0.0))));
    assert_eq!(half_plane(2.0, 2.0, -1.0).edge(), Some(((0.5, 0.0), (0.0, 0.5))));
    // Outside, and touching a corner.
    assert_eq!(half_plane(1.0, 1.0, -3.0).edge(), None);
    assert_eq!(half_plane(1.0, 1.0, 0.0).edge(), None);
}

#[test]
fn both_sides_of_a_line_at_any_angle_fill_the_view() {
    for degree in 0..360 {
        let (b, a) = f64::from(degree).to_radians().sin_cos();
        let plus = half_plane(a, b, -0.5 * (a + b) + 0.2);
        let (plus_part, minus_part) = (plus.clip(&VIEW), plus.opposite().clip(&VIEW));
        let whole = area(&plus_part) + area(&minus_part);
        assert!((whole - 1.0).abs() < 1e-12, "{degree}: {whole}");
        // The line is 0.2 from the middle, on its negative side.
        assert!(area(&plus_part) > 0.6, "{degree}");
        let (from, to) = plus.edge().expect("an edge");
        for (u, v) in [from, to] {
            assert!((0.0..=1.0).contains(&u) && (0.0..=1.0).contains(&v), "{degree}");
            assert!((a * (u - 0.5) + b * (v - 0.5) + 0.2).abs() < 1e-12, "{degree}");
        }
    }
}

/// At any angle and for any point, the foot lies on the line, and the square of the distance is s²/(a² + b²).
#[test]
fn the_foot_is_the_nearest_point_of_the_line() {
    for degree in 0..360 {
        let (sine, cosine) = f64::from(degree).to_radians().sin_cos();
        let (a, b, c) = (3.0 * cosine, 3.0 * sine, f64::from(degree % 7) - 3.0);
        let line = line(a, b, c);
        let score = |(x, y): (f64, f64)| a * x + b * y + c;
        let point = (f64::from(degree % 11) - 5.0, f64::from(degree % 13) - 6.0);
        let (foot, distance) = (line.foot(point), line.signed_distance(point));
        assert!(score(foot).abs() < 1e-12, "{degree}");
        assert!((distance.powi(2) - score(point).powi(2) / 9.0).abs() < 1e-12, "{degree}");
        let away = (point.0 - foot.0).hypot(point.1 - foot.1);
        assert!((away - distance.abs()).abs() < 1e-12 && distance * score(point) >= 0.0);
    }
    // By hand: AND's 3x + 2y − 4 at the origin is 4/√13 away, with its foot at (12, 8)/13.
    let and = line(3.0, 2.0, -4.0);
    assert_eq!(and.signed_distance((0.0, 0.0)), -4.0 / 13.0f64.sqrt());
    let (x, y) = and.foot((0.0, 0.0));
    assert!((x - 12.0 / 13.0).abs() < 1e-15 && (y - 8.0 / 13.0).abs() < 1e-15, "{x} {y}");
    // Squares of these coefficients are past the range.
    assert_eq!(line(1e300, 0.0, -2e300).foot((5.0, 7.0)), (2.0, 7.0));
}

fn distance(x: f64, y: f64, foot: Option<&str>) -> Distance {
    let [name, length] = ["origin", "|b|/‖w‖ = 1.5"].map(str::to_owned);
    Distance { point: (x, y), name, length, foot: foot.map(str::to_owned) }
}

fn number_line(values: &[(f64, usize)], line: Option<Line>) -> Panel<'static> {
    let points = values.iter().map(|&(x, class)| (x, 0.0, class)).collect();
    match boundary(points, line) {
        Panel::Boundary(boundary) => Panel::Boundary(Boundary { y_name: None, ..boundary }),
        other => other,
    }
}

/// The dashed segment ends on the line, and an origin that no example is near comes into the view.
#[test]
fn distances_are_drawn_within_the_view() {
    let typeface = Typeface::new().expect("a typeface");
    let distances = vec![distance(0.0, 0.0, None), distance(4.0, 9.0, Some("x₀ = (1, 2)"))];
    let separator = Line { distances, ..line(3.0, 4.0, -25.0) };
    let points = vec![(4.0, 9.0, PLUS), (5.0, 9.0, PLUS)];
    let panel = boundary(points.clone(), Some(separator));
    let texts = |panel: &Panel<'_>| {
        let canvas = super::draw(panel, Format::Svg, &typeface);
        let texts = canvas.shapes.iter().filter_map(|shape| match shape {
            Shape::Label(label) => Some(label.text.clone()),
            _ => None,
        });
        texts.collect::<Vec<_>>()
    };
    let with = texts(&panel);
    assert!(
        ["origin", "|b|/‖w‖ = 1.5", "x₀ = (1, 2)", "0"]
            .iter()
            .all(|&text| with.contains(&text.to_owned())),
        "{with:?}"
    );
    let without = texts(&boundary(points, Some(line(3.0, 4.0, -25.0))));
    assert!(!without.contains(&"0".to_owned()), "{without:?}");
    check_both(&panel);
}

#[test]
fn skewed_right_angles_are_told() {
    let distances = vec![distance(0.0, 0.0, None)];
    let separator = Line { distances, ..line(1.0, 1.0, -9.0) };
    let even =
        svg(vec![boundary(vec![(0.0, 0.0, MINUS), (10.0, 9.0, PLUS)], Some(separator.clone()))]);
    let skewed = svg(vec![boundary(vec![(0.0, 0.0, MINUS), (10.0, 900.0, PLUS)], Some(separator))]);
    assert!(skewed.contains("skewed") && !even.contains("skewed"));
}

#[test]
fn one_feature_is_a_number_line() {
    let distances = vec![distance(0.0, 0.0, None), distance(3.0, 0.0, Some("x₀ = 2.5"))];
    let separator = Line { distances, ..line(2.0, 0.0, -5.0) };
    let text = svg(vec![number_line(&[(1.0, MINUS), (3.0, PLUS)], Some(separator))]);
    for part in ["−b/w = 2.5", "origin", "x₀ = 2.5", "ringed"] {
        assert!(text.contains(part), "{part}");
    }
    assert!(!text.contains("skewed") && !text.contains("w·x"));
    for line in [None, Some(line(0.0, 0.0, 1.0)), Some(line(-1e300, 0.0, 5e-324))] {
        check_both(&number_line(&[(1.0, MINUS), (f64::NAN, PLUS)], line.clone()));
        check_both(&number_line(&[], line));
    }
}

#[test]
fn a_line_without_direction_is_none() {
    let unit = Range { low: 0.0, high: 1.0 };
    for (a, b, c) in [(0.0, 0.0, 1.0), (f64::NAN, 0.0, 0.0), (f64::INFINITY, 1.0, 0.0)] {
        assert!(HalfPlane::new(&line(a, b, c), unit, unit).is_none());
    }
}

#[test]
fn thinning_keeps_the_extremes_of_each_column() {
    let values: Vec<u64> = (0..100_000).map(|i| (i * 7919) % 1009).collect();
    let kept = thinned(&values, 600);
    assert!(kept.len() <= 2 * 600 + 2);
    assert!(kept.windows(2).all(|pair| pair[0].0 < pair[1].0));
    assert!(kept.iter().all(|&(i, value)| values[i] == value));
    assert_eq!((kept[0].0, kept[kept.len() - 1].0), (0, 99_999));
    for (column, chunk) in values.chunks(100_000_usize.div_ceil(600)).enumerate() {
        let first = column * 100_000_usize.div_ceil(600);
        let here: Vec<u64> = kept
            .iter()
            .filter(|(i, _)| (first..first + chunk.len()).contains(i))
            .map(|&(_, value)| value)
            .collect();
        assert_eq!(here.iter().min(), chunk.iter().min());
        assert_eq!(here.iter().max(), chunk.iter().max());
    }
    assert_eq!(thinned(&[3, 1, 2], 600), [(0, 3), (1, 1), (2, 2)]);
}

#[test]
fn an_svg_draws_at_most_twenty_thousand_examples_and_says_so() {
    assert_eq!([0, 20_000, 20_001, 100_000].map(|n| thinning(n, Format::Svg)), [1, 1, 2, 5]);
    assert_eq!(thinning(100_000, Format::Png), 1);
    let points = (0..40_001).map(|i| (f64::from(i % 200), f64::from(i / 200), MINUS)).collect();
    let text = svg(vec![boundary(points, None)]);
    assert!(text.contains("1 in 3 of 40,001 examples is drawn"));
    assert!(text.matches("<circle").count() <= 20_000);
}

#[test]
fn degenerate_planes_are_drawn() {
    let [huge, tiny] = [1e300, 1e-300];
    let point_sets = [
        vec![],
        vec![(3.0, 5.0, PLUS)],
        vec![(0.0, 0.0, PLUS), (0.0, 0.0, MINUS)],
        vec![(1.0, 2.0, PLUS), (1.0, 5.0, MINUS)],
        vec![(huge, tiny, PLUS), (-huge, -tiny, MINUS)],
        vec![(f64::MAX, f64::MIN_POSITIVE, PLUS), (f64::MIN, 5e-324, MINUS)],
        vec![(f64::NAN, 1.0, PLUS), (1.0, f64::INFINITY, MINUS), (1e15, 1.0, PLUS)],
        vec![(1e15, 1.0, PLUS), (1e15 + 1.0, 1.0 + 1e-15, MINUS)],
    ];
    let lines = [
        None,
        Some(line(0.0, 0.0, 1.0)),
        Some(line(1.0, -1.0, 0.0)),
        Some(line(huge, tiny, -huge)),
        Some(line(tiny, tiny, huge)),
        Some(line(f64::MAX, f64::MAX, f64::MAX)),
        Some(line(5e-324, 0.0, f64::MAX)),
        Some(Line { margin: Some(f64::INFINITY), ..line(1.0, 2.0, 3.0) }),
        Some(Line { margin: Some(f64::MAX), ..line(f64::NAN, 2.0, 3.0) }),
        Some(Line { distances: vec![distance(huge, tiny, None)], ..line(1.0, 2.0, 3.0) }),
        Some(Line { distances: vec![distance(0.0, 0.0, Some("x₀"))], ..line(huge, tiny, -huge) }),
        Some(Line { distances: vec![distance(0.0, 0.0, None)], ..line(0.0, 0.0, 1.0) }),
    ];
    for points in &point_sets {
        for line in &lines {
            let text = svg(vec![boundary(points.clone(), line.clone())]);
            assert!(!text.contains("NaN") && !text.contains(&i32::MAX.to_string()));
        }
        check_both(&boundary(points.clone(), lines[3].clone()));
    }
}

#[test]
fn degenerate_curves_and_bars_are_drawn() {
    let weights = |values: &[f64]| values.iter().map(|&w| ("weight".to_owned(), w)).collect();
    let panels = [
        curve(vec![], false),
        curve(vec![0], true),
        curve(vec![u64::MAX, 0], true),
        curve(vec![7; 100_000], false),
        bars(vec![]),
        bars(weights(&[0.0])),
        bars(weights(&[0.0; 12])),
        bars(weights(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 5e-324])),
        bars(weights(&[-1e-300; 30])),
        bars(weights(&[1.0; 500])),
    ];
    panels.iter().for_each(check_both);
}

#[test]
fn studies_of_any_size_can_be_drawn() {
    let all: Vec<_> = (0..1000).map(|i| (i, i, i * i)).collect();
    let panels = [
        histogram(vec![], None),
        histogram(vec![(0, 0, 0)], Some(0.0)),
        histogram(vec![(5, 5, 1)], Some(6.0)),
        histogram(all, Some(f64::MAX)),
        histogram(vec![(0, u64::MAX, u64::MAX)], Some(f64::INFINITY)),
        reliability(&[]),
        reliability(&[[0.0, 1.0, 0.0, 1.0]]),
        reliability(&[[f64::NAN, 0.5, 0.4, f64::INFINITY], [0.5, 0.5, 0.5, 0.5]]),
        trend(&[]),
        trend(&[(1.0, 1.0)]),
        trend(&[(1.0, 1.0); 40]),
        trend(&[(5e-324, 0.0), (1e300, 1e15)]),
        trend(&[(3.0, 2.0), (1e5, 3e3), (2e9, 7.0)]),
        comparison("0.001", &[]),
        comparison("0.001", &[[0.5; 3]]),
        comparison("0.001", &[[0.1, 0.2, 0.3]; 40]),
        comparison("0.001", &[[f64::NAN, 0.0, 1.0], [-1e300, 0.0, 1e300]]),
        comparison(LONG, &[[0.5; 3]; 12]),
        comparison(LONG, &[[0.1, 0.2, 0.3]; 40]),
        comparison(LONG, &[[f64::NAN, 0.0, 1.0], [-1e300, 0.0, 1e300]]),
        rates(&[], true, None),
        rates(&[(0.0, 0.0), (1.0, 1.0)], false, Some((1.0, 1.0))),
        rates(&[(0.0, f64::NAN), (f64::INFINITY, 1.0), (1.0, 0.5)], true, Some((0.0, 0.0))),
    ];
    panels.iter().for_each(check_both);
}

#[test]
fn names_are_escaped_and_shortened() {
    let name = "<script>&\"'\u{0}\u{7}\n\u{FFFF}日本語".to_owned();
    let long = "long name ".repeat(6);
    let text = svg(vec![
        Panel::Boundary(Boundary {
            title: name.clone(),
            note: name.clone(),
            x_name: name.clone(),
            y_name: Some(name.clone()),
            examples: vec![Example { x: 0.0, y: 1.0, class: PLUS }],
            classes: vec![name.clone(), long.clone()],
            decision: Some(Decision::Line(Line {
                note: Some(name.clone()),
                ..line(1.0, 1.0, 1.0)
            })),
            is_slice: true,
        }),
        bars(vec![(name.clone(), 1.0), (long, -2.0)]),
    ]);
    assert!(!text.contains("<script") && text.contains("&lt;script&gt;&amp;&quot;&apos;"));
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()) && !text.contains('\u{FFFF}'));
    assert!(text.lines().all(|line| line.starts_with('<') || !line.contains('<')));
    assert!(text.contains('…'));
    check_both(&bars(vec![(name, 1.0)]));
}

#[test]
fn the_same_figure_gives_the_same_bytes() {
    let points = (0..100).map(|i| (f64::from(i % 13), f64::from(i % 7), PLUS)).collect();
    let panels = vec![
        boundary(points, Some(line(1.0, -2.0, 0.5))),
        curve(vec![5, 3, 0], true),
        bars(vec![("a".to_owned(), 1.5)]),
    ];
    let figure = Figure { panels };
    for format in [Format::Svg, Format::Png] {
        assert_eq!(render(&figure, format), render(&figure.clone(), format));
    }
}

#[test]
fn a_figure_has_one_to_eight_panels() {
    let none = render(&Figure { panels: vec![] }, Format::Png).expect_err("no picture");
    assert_eq!(none.to_string(), "found 0 panels, expected 1 to 8");
    assert!(render(&Figure { panels: vec![bars(vec![]); 9] }, Format::Svg).is_err());
}

#[test]
fn ticks_are_round_numbers() {
    let texts = |low: f64, high: f64, whole: bool| {
        let ticks = Ticks::new(Range { low, high }, 5, whole);
        let texts: Vec<String> = ticks.ticks.into_iter().map(|tick| tick.text).collect();
        (texts.join(" "), ticks.exponent)
    };
    assert_eq!(texts(-1.1, 1.1, false), ("−1.0 −0.5 0.0 0.5 1.0".to_owned(), 0));
    assert_eq!(texts(0.0, 9.0, false), ("0 2 4 6 8".to_owned(), 0));
    assert_eq!(texts(0.7, 3.3, true), ("1 2 3".to_owned(), 0));
    assert_eq!(texts(0.0, 1e300, false), ("0.0 0.2 0.4 0.6 0.8 1.0".to_owned(), 300));
    assert_eq!(texts(-2e-300, 0.0, false).1, -300);
    assert_eq!(texts(0.0, 40_000.0, true).0, "0 10,000 20,000 30,000 40,000");
}

#[test]
fn numbers_have_four_digits() {
    let written = [0.0, 1.0, -0.5, 12.345678, 1234.56, -65432.1, 1.5e-7, -2e300].map(number);
    let expected = ["0", "1", "−0.5", "12.35", "1235", "−65,432", "1.5 × 10⁻⁷", "−2 × 10³⁰⁰"];
    assert_eq!(written, expected);
    assert_eq!([7, 1000, 20_000, 1_234_567].map(count), ["7", "1000", "20,000", "1,234,567"]);
}

#[test]
fn text_is_cut_to_its_room() {
    let typeface = Typeface::new().expect("a typeface");
    let font = Font { face: Face::Sans, size: 12.0 };
    assert_eq!(typeface.shortened("short", font, 200.0), "short");
    let cut = typeface.shortened("a name of many words that goes on", font, 100.0);
    assert!(cut.ends_with('…') && typeface.width(&cut, font) <= 100.0);
    assert_eq!(typeface.shortened("name", font, -5.0), "…");
}

#[test]
fn headings_have_at_most_two_lines() {
    let typeface = Typeface::new().expect("a typeface");
    let font = Font { face: Face::Serif, size: 18.0 };
    assert_eq!(typeface.lines("", font, 100.0), Vec::<String>::new());
    assert_eq!(typeface.lines("one line", font, 200.0), ["one line"]);
    let lines = typeface.lines("words that go on until no second line has room", font, 150.0);
    assert!(lines.len() == 2 && lines[1].ends_with('…'));
    assert!(lines.iter().all(|line| typeface.width(line, font) <= 150.0));
}

/// A letter of the small faces has their width, any other that of the large one.
#[test]
fn letters_that_a_face_lacks_come_from_another() {
    let typeface = Typeface::new().expect("a typeface");
    let sans = |text: &str| typeface.width(text, Font { face: Face::Sans, size: 2048.0 });
    let serif = |text: &str| typeface.width(text, Font { face: Face::Serif, size: 2048.0 });
    assert!(sans("n") != serif("n") && sans("я") == serif("я") && sans("я") > 0.0);
    assert_eq!(sans("nя"), sans("n") + sans("я"));
}

/// The contrast of two colors by WCAG 2.2, from 1 to 21.
fn contrast(one: Color, other: Color) -> f64 {
    let part = |byte: u8| {
        let share = f64::from(byte) / 255.0;
        if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    };
    let light = |color: Color| {
        let (red, green, blue) = color.bytes();
        0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
    };
    let (one, other) = (light(one), light(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn texts_and_marks_stand_out() {
    assert!((contrast(Color::WHITE, Color::PLUS) - 7.3).abs() < 0.1);
    let words = [Color::INK, Color::GREY, Color::BAD, Color::NORMAL];
    for color in words.into_iter().chain((0..marks::DISTINCT).map(marks::color)) {
        assert!(contrast(color, Color::WHITE) >= 4.5, "{:?}", color.bytes());
    }
    // A name or a mark on the lightest tint of its own side and of the other.
    for (own, other) in [(Color::PLUS, Color::MINUS), (Color::MINUS, Color::PLUS)] {
        for tint in [own.tint(0.12), other.tint(0.12)] {
            assert!(contrast(own, tint) >= 3.0 && contrast(Color::INK, tint) >= 7.0);
        }
    }
    assert!(contrast(Color::BASE, Color::WHITE) >= 3.0);
}

fn labels(canvas: &Canvas<'_>) -> Vec<Frame> {
    let frame = |shape: &Shape| match shape {
        Shape::Label(label) => {
            let width = canvas.typeface.width(&label.text, label.font);
            let (x, y) = (label.at.0, label.at.1 - label.font.face.rise() * label.font.size);
            let x = match label.align {
                Align::Left => x + width / 2.0,
                Align::Middle => x,
                Align::Right => x - width / 2.0,
            };
            Some(Frame { middle: (x, y), width, height: 0.72 * label.font.size })
        }
        _ => None,
    };
    canvas.shapes.iter().filter_map(frame).collect()
}

fn overlap(a: &Frame, b: &Frame) -> bool {
    (a.middle.0 - b.middle.0).abs() < (a.width + b.width) / 2.0
        && (a.middle.1 - b.middle.1).abs() < (a.height + b.height) / 2.0
}

/// No label lies on another, or leaves the panel.
#[test]
fn labels_do_not_overlap() {
    let typeface = Typeface::new().expect("a typeface");
    let cloud = |n: i32, shift: f64| {
        (0..n).map(move |i| {
            let class = usize::from(i % 2 == 0);
            (f64::from(i * 37 % 101) + shift * class as f64, f64::from(i * 53 % 97), class)
        })
    };
    let mut panels = vec![
        curve(vec![44, 3, 9, 2, 13], false),
        curve((0..400).map(|i| 20 + i * 7919 % 31).collect(), false),
        histogram(vec![(3, 3, 30), (4, 4, 190), (5, 5, 40), (6, 23, 2)], Some(747.0)),
        histogram(vec![(1, 1, 3), (2, 2, 3)], Some(2.0)),
        trend(&[(221.0, 7.0), (222.0, 7.5), (900.0, 7.0), (1e4, 20.0)]),
        bars((0..14).map(|i| (format!("band_{i}"), f64::from(7 - i))).collect()),
        rates(&[(0.0, 0.0), (0.0, 0.5), (0.4, 1.0), (1.0, 1.0)], false, Some((0.0, 0.5))),
        rates(&[(0.0, 1.0), (0.5, 1.0), (0.5, 0.4), (1.0, 0.6)], true, Some((0.5, 0.5))),
    ];
    for (n, shift) in [(4, 0.0), (40, 150.0), (300, 30.0), (1500, 0.0)] {
        let line = (n != 40).then(|| line(1.0, 0.4, -90.0));
        panels.push(boundary(cloud(n, shift).collect(), line));
    }
    for panel in &panels {
        let labels = labels(&super::draw(panel, Format::Svg, &typeface));
        for (i, label) in labels.iter().enumerate() {
            let (x, half) = (label.middle.0, label.width / 2.0);
            assert!(x - half >= 0.0 && x + half <= f64::from(WIDTH), "{panel:?} {label:?}");
            assert!(!labels[..i].iter().any(|other| overlap(label, other)), "{panel:?} {label:?}");
        }
    }
}

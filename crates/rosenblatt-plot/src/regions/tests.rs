//! What the regions promise, whatever the model.

use std::rc::Rc;

use super::*;
use crate::{Boundary, Decide, Decision, Example, Figure, Format, Panel, contour, render};

const UNIT: Range = Range { low: 0.0, high: 1.0 };

fn regions(decide: impl Fn(&[Point]) -> Option<Decided> + 'static) -> Regions<'static> {
    let decide: Rc<Decide<'static>> = Rc::new(decide);
    Regions { decide, most_places: usize::MAX, note: None }
}

fn of_score(score: fn(Point) -> f64) -> Regions<'static> {
    regions(move |places| {
        let scores: Vec<f64> = places.iter().map(|&place| score(place)).collect();
        let classes = scores.iter().map(|&score| usize::from(score >= 0.0)).collect();
        Some(Decided { classes, scores })
    })
}

fn of_class(class: fn(Point) -> usize) -> Regions<'static> {
    regions(move |places| {
        let classes = places.iter().map(|&place| class(place)).collect();
        Some(Decided { classes, scores: Vec::new() })
    })
}

fn panel(regions: Regions<'static>, classes: usize) -> Panel<'static> {
    let classes: Vec<String> = (0..classes).map(|class| format!("no. {class}")).collect();
    let example = |class: usize| Example { x: class as f64, y: 0.5 * class as f64, class };
    let examples = (0..classes.len()).map(example).collect();
    let [title, x_name, y_name] = ["title", "x", "y"].map(str::to_owned);
    let decision = Some(Decision::Regions(regions));
    Panel::Boundary(Boundary {
        title,
        note: String::new(),
        x_name,
        y_name: Some(y_name),
        examples,
        classes,
        decision,
        is_slice: false,
    })
}

fn svg(panel: Panel<'static>) -> String {
    let bytes = render(&Figure { panels: vec![panel] }, Format::Svg).expect("an SVG");
    String::from_utf8(bytes).expect("UTF-8")
}

/// Whether a place is inside an outline: a ray from it crosses the line an odd number of times.
fn holds(outline: &Outline, (u, v): Point) -> bool {
    let places: Vec<Point> = outline.places.iter().map(|place| place.0).collect();
    let next = places.iter().cycle().skip(1);
    let crosses = |((from, to), _): &((&Point, &Point), ())| {
        (from.1 > v) != (to.1 > v) && u < from.0 + (v - from.1) / (to.1 - from.1) * (to.0 - from.0)
    };
    places.iter().zip(next).map(|pair| (pair, ())).filter(crosses).count() % 2 == 1
}

/// The color that one sees at a place.
fn color_at(seen: &ColoredRegions, place: Point) -> Color {
    let covering = seen.fills.iter().rev().find(|(outline, _)| holds(outline, place));
    covering.expect("every place has a color").1
}

/// Places that are no vertices of a mesh.
fn probes() -> impl Iterator<Item = Point> {
    (0..2_000).map(|i| {
        let share = |step: f64| (f64::from(i) * step).fract();
        (share(0.754_877_666), share(0.569_840_290))
    })
}

const RING: fn(Point) -> f64 = |(u, v)| 0.1 - ((u - 0.5).hypot(v - 0.5) - 0.3).abs();
const SADDLE: fn(Point) -> f64 = |(u, v)| (u - 0.5) * (0.5 - v);
const NEAREST: fn(Point) -> usize = |(u, v)| {
    let centers = [(0.2, 0.3), (0.7, 0.2), (0.5, 0.8), (0.9, 0.9)];
    let apart = |i: &usize| (u - centers[*i].0).hypot(v - centers[*i].1);
    (0..4).min_by(|i, j| apart(i).total_cmp(&apart(j))).expect("a center")
};

#[test]
fn boundaries_are_where_the_score_is_0() {
    for score in [RING, SADDLE] {
        let seen = ColoredRegions::new(&of_score(score), UNIT, UNIT).expect("regions");
        assert!(seen.is_in_view() && seen.shaded);
        for &place in seen.lines.iter().flatten() {
            // Half a cell halved six times; the saddle's middle is one place of four lines.
            assert!(score(place).abs() < 1e-4, "{place:?}: {}", score(place));
        }
    }
}

#[test]
fn every_place_has_the_color_of_its_class() {
    for score in [RING, SADDLE] {
        let seen = ColoredRegions::new(&of_score(score), UNIT, UNIT).expect("regions");
        for place in probes().filter(|&place| score(place).abs() > 1e-3) {
            let class = usize::from(score(place) >= 0.0);
            let steps = (0..=SHADES.len()).map(|step| shade(class, step).bytes());
            let found = color_at(&seen, place).bytes();
            assert!(steps.into_iter().any(|color| color == found), "{place:?}");
        }
    }
    let seen = ColoredRegions::new(&of_class(NEAREST), UNIT, UNIT).expect("regions");
    let wrong = probes()
        .filter(|&place| color_at(&seen, place).bytes() != shade(NEAREST(place), 0).bytes());
    // Only beside a boundary, by the tenth of a point that halving leaves.
    assert!(wrong.count() <= 3);
}

#[test]
fn larger_scores_are_darker() {
    let seen = ColoredRegions::new(&of_score(|(u, _)| u - 0.5), UNIT, UNIT).expect("regions");
    let steps = [(0.51, 0), (0.6, 1), (0.7, 2), (0.8, 3), (0.95, 4)];
    for (u, step) in steps {
        assert_eq!(color_at(&seen, (u, 0.5)).bytes(), shade(1, step).bytes(), "{u}");
        assert_eq!(color_at(&seen, (1.0 - u, 0.5)).bytes(), shade(0, step).bytes(), "{u}");
    }
}

#[test]
fn outlines_of_any_labels_are_closed_and_fill_the_view() {
    let mesh = Mesh { across: 23, up: 17 };
    for seed in 0..20_u64 {
        let classes: Vec<usize> =
            (0..mesh.places().len() as u64).map(|i| noise(i, seed) % 4).collect();
        let labels = mesh.with_ring(&classes, OUTSIDE);
        let crossing = |(from, to): Edge| {
            let share = noise(from as u64, to as u64) % 1000;
            ((from, to), along(mesh.place(from), mesh.place(to), share as f64 / 1000.0))
        };
        let crossings: Vec<_> = mesh.edges_between(&labels).into_iter().map(crossing).collect();
        let labelled = Labelled::new(mesh, labels, crossings);
        let areas = (0..4).flat_map(|class| outlines(&labelled, class)).map(|o| o.area());
        assert!((areas.sum::<f64>() - 2.0).abs() < 1e-9, "{seed}");
    }
}

fn noise(a: u64, b: u64) -> usize {
    let mixed = (a ^ b.rotate_left(32)).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40) as usize
}

#[test]
fn pictures_of_noise_are_no_larger_than_others() {
    let noisy = of_class(|(x, y)| noise(x.to_bits(), y.to_bits()) % 5);
    assert!(svg(panel(noisy, 5)).len() < 300_000);
    let wavy = of_score(|(x, y)| (40.0 * x).sin() * (40.0 * y).sin());
    assert!(svg(panel(wavy, 2)).len() < 300_000);
}

#[test]
fn models_that_cannot_decide_are_drawn_without_regions() {
    let models = [
        regions(|_| None),
        regions(|_| Some(Decided { classes: Vec::new(), scores: Vec::new() })),
        of_class(|_| 0),
        of_class(|_| usize::MAX - 1),
        of_score(|_| 0.0),
        of_score(|_| f64::NAN),
        of_score(|(x, _)| if x > 1.0 { f64::INFINITY } else { -1.0 }),
        of_score(|(x, _)| if x > 1.0 { f64::MAX } else { f64::MIN }),
        of_score(|(x, _)| if x > 1.0 { 5e-324 } else { -5e-324 }),
    ];
    for model in models {
        let expensive = Regions { most_places: 0, ..model.clone() };
        for text in [svg(panel(model, 2)), svg(panel(expensive, 2))] {
            assert!(!text.contains("NaN") && !text.contains(&i32::MAX.to_string()));
        }
    }
    assert!(svg(panel(regions(|_| None), 2)).contains("no regions are drawn"));
    assert!(svg(panel(of_class(|_| 1), 2)).contains("decides alike"));
}

#[test]
fn simple_lines_keep_their_form() {
    let line: Vec<Point> = (0..=90).map(|i| f64::from(i).to_radians().sin_cos()).collect();
    let simple = contour::simplified(&line, 0.01);
    assert!(simple.len() < 12 && simple.first() == line.first() && simple.last() == line.last());
    assert!(simple.iter().all(|place| line.contains(place)));
    assert_eq!(contour::simplified(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)], 0.1).len(), 2);
    assert!(contour::simplified(&[], 0.1).is_empty());
}

#[test]
fn classes_differ_by_color_and_by_form() {
    let text = svg(panel(of_class(|_| 0), 8));
    let distinct = ["B85015", "105896", "00785E", "854692", "736700", "2B768A", "B03C6E"];
    assert!(distinct.iter().all(|color| text.contains(color)));
    assert!(text.contains("no. 7") && !text.contains("marks repeat"));
    let many = svg(panel(of_class(|_| 0), 40));
    assert!(many.contains("marks repeat after 8") && many.contains("12 of 40"));
}

//! The runs by hand in `docs/lectures`: every cell of their tables follows from the rule, which is stated here again in plain
//! Rust. The numbers are short binary fractions, so nothing is rounded.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use std::{collections::HashMap, fs};

use common::root;
use rosenblatt_core::schedule::Order;

/// A run as the link of a row describes it.
struct Run {
    points: Vec<([f64; 2], f64)>,
    options: HashMap<String, String>,
    w: [f64; 2],
    b: f64,
    visits: usize,
}

/// One visit, as a row shows it.
struct Visit {
    epoch: usize,
    x: [f64; 2],
    y: f64,
    /// w·x and b before the visit.
    sum: f64,
    before: f64,
    mistake: bool,
    eta: f64,
    /// The step of the bias for η = 1.
    unit: f64,
    w: [f64; 2],
    b: f64,
}

impl Run {
    fn new(fragment: &str) -> Self {
        let pairs = fragment.split('&').filter_map(|pair| pair.split_once('='));
        let options: HashMap<String, String> =
            pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        let points = match options.get("set").map(String::as_str) {
            None => options["points"].split(';').map(point).collect(),
            Some(set) => {
                let positive = |x: f64, y: f64| match set {
                    "and" => x * y == 1.0,
                    "or" => x + y >= 1.0,
                    "xor" => x != y,
                    other => panic!("{other}"),
                };
                let sign = |x, y| if positive(x, y) { 1.0 } else { -1.0 };
                let corners = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]];
                corners.into_iter().map(|[x, y]| ([x, y], sign(x, y))).collect()
            }
        };
        Run { points, options, w: [0.0; 2], b: 0.0, visits: 0 }
    }

    fn is(&self, key: &str, value: &str) -> bool {
        self.options.get(key).is_some_and(|found| found == value)
    }

    fn visit(&mut self) -> Visit {
        let (n, number) = (self.points.len(), self.visits);
        let mut order: Vec<usize> = (0..n).collect();
        let epoch = number / n + 1;
        if self.is("order", "shuffle") {
            let seed = self.options["seed"].parse().unwrap();
            Order::Shuffle.arrange(seed, epoch as u64, &mut order);
        }
        let (x, y) = self.points[order[number % n]];
        let eta = self.options.get("eta").map_or(1.0, |eta| eta.parse().unwrap());
        let squares = self.points.iter().map(|(x, _)| x[0] * x[0] + x[1] * x[1]);
        let unit = if self.is("bias", "radius") { squares.fold(0.0, f64::max) } else { 1.0 };
        let (sum, before) = (self.w[0] * x[0] + self.w[1] * x[1], self.b);
        let score = sum + before;
        let mistake = if self.is("mistake", "label") {
            (score >= 0.0) != (y > 0.0)
        } else {
            y * score <= 0.0
        };
        if mistake {
            self.w = [0, 1].map(|j| self.w[j] + eta * y * x[j]);
            self.b += eta * y * unit;
        }
        self.visits += 1;
        Visit { epoch, x, y, sum, before, mistake, eta, unit, w: self.w, b: self.b }
    }
}

fn point(text: &str) -> ([f64; 2], f64) {
    let parts: Vec<&str> = text.split(',').collect();
    let sign = if parts[2] == "+" { 1.0 } else { -1.0 };
    ([parts[0].parse().unwrap(), parts[1].parse().unwrap()], sign)
}

/// A number as the pages write it: −1½, ¼, 3.
fn number(value: f64) -> String {
    let (whole, part) = (value.abs().trunc(), value.abs().fract());
    let part = match part {
        0.0 => "",
        0.25 => "¼",
        0.5 => "½",
        0.75 => "¾",
        other => panic!("{other}"),
    };
    let sign = if value < 0.0 { "−" } else { "" };
    let whole = if whole == 0.0 && !part.is_empty() { String::new() } else { whole.to_string() };
    format!("{sign}{whole}{part}")
}

fn signed(value: f64) -> String {
    if value > 0.0 { format!("+{}", number(value)) } else { number(value) }
}

/// A point of the plane, or of the line if the table is one of a line.
fn vector(x: [f64; 2], line: bool) -> String {
    if line { number(x[0]) } else { format!("({}, {})", number(x[0]), number(x[1])) }
}

/// The update of w and b: `+½(1, 1), −½` in the plane, `−1, −9` on a line.
fn update(visit: &Visit, line: bool) -> String {
    if !visit.mistake {
        return String::new();
    }
    let Visit { x, y, eta, unit, .. } = *visit;
    if line {
        return format!("{}, {}", signed(eta * y * x[0]), signed(eta * y * unit));
    }
    let sign = if y > 0.0 { "+" } else { "−" };
    let factor = if eta == 1.0 { String::new() } else { number(eta) };
    format!("{sign}{factor}{}, {}", vector(x, false), signed(eta * y * unit))
}

/// The cells of a row from the visits that it shows.
fn expected(visits: &[Visit], threshold: bool, line: bool, one_run: bool) -> Vec<String> {
    let first = &visits[0];
    let mut cells = vec![first.epoch.to_string(), vector(first.x, line), signed(first.y)];
    for visit in visits {
        // A threshold is −b.
        let bias = |b: f64| if threshold && b != 0.0 { -b } else { b };
        if threshold {
            cells.extend([number(visit.sum), number(bias(visit.before))]);
        } else {
            cells.push(number(visit.sum + visit.before));
        }
        if one_run {
            cells.push(if visit.mistake { "yes" } else { "no" }.to_owned());
        }
        let step = update(visit, line);
        let step = if threshold { of_threshold(&step) } else { step };
        cells.extend([step, vector(visit.w, line), number(bias(visit.b))]);
    }
    cells
}

/// The update of a threshold has the other sign.
fn of_threshold(step: &str) -> String {
    let Some((w, b)) = step.rsplit_once(", ") else { return step.to_owned() };
    let turned = match b.split_at(b.chars().next().unwrap().len_utf8()) {
        ("+", size) => format!("−{size}"),
        (_, size) => format!("+{size}"),
    };
    format!("{w}, {turned}")
}

/// Checks the rows of a page; returns how many there are.
fn check(page: &str, threshold: bool) -> usize {
    let mut runs: HashMap<String, Run> = HashMap::new();
    let mut rows = 0;
    for row in page.lines().filter(|line| line.starts_with('|') && line.contains("[step ")) {
        let all: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let links: Vec<&str> =
            all.iter().copied().filter(|cell| cell.starts_with("[step ")).collect();
        let cells: Vec<&str> = all.iter().copied().filter(|cell| !cell.starts_with('[')).collect();
        let line = !cells[1].starts_with('(');
        let visits: Vec<Visit> = links.iter().map(|link| visit(link, &mut runs)).collect();
        // A table of two runs has their updates only.
        let expected = expected(&visits, threshold, line, all.len() < 12);
        assert_eq!(cells[..expected.len()], expected, "{row}");
        assert!(cells[expected.len()..].iter().all(|cell| cell.is_empty()), "{row}");
        rows += 1;
    }
    rows
}

/// The visit of a link. The links of a run come in the order of their steps.
fn visit(link: &str, runs: &mut HashMap<String, Run>) -> Visit {
    let (text, address) = link.split_once("](").unwrap();
    let (_, fragment) = address.trim_end_matches(')').split_once('#').unwrap();
    let (run, step) = fragment.rsplit_once("&step=").unwrap();
    assert_eq!(text, format!("[step {step}"));
    let run = runs.entry(run.to_owned()).or_insert_with(|| Run::new(run));
    assert_eq!(step, (run.visits + 1).to_string());
    run.visit()
}

#[test]
fn every_cell_of_the_runs_by_hand_follows_from_the_rule() {
    let rows = ["carson", "lauer", "shalizi", "varner", "dsc255"].map(|name| {
        let page = root().join("docs/lectures").join(name).with_extension("md");
        check(&fs::read_to_string(page).unwrap(), name == "lauer")
    });
    assert_eq!(rows, [24, 24, 8, 36, 12 + 8]);
}

//! A trace of a run as a table: CSV, Markdown, LaTeX or JSON.

use std::{fmt::Write as _, path::Path};

use rosenblatt_core::{
    data::{Examples, Sign},
    space::Hyperplane,
    trace::{Trace, TracedVisit},
};
use serde_json::{Map, Value, json};

/// The format of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TraceFormat {
    /// One column for each number.
    Csv,
    /// A table with vectors, as in the lectures.
    Md,
    /// That table as a `tabular` of LaTeX.
    Tex,
    /// One object: the first weights and a list of visits.
    Json,
}

impl TraceFormat {
    /// The format of a file by the ending of its name: `.csv`, `.md`, `.tex` or `.json`.
    pub fn of_file(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "csv" => Some(TraceFormat::Csv),
            "md" => Some(TraceFormat::Md),
            "tex" => Some(TraceFormat::Tex),
            "json" => Some(TraceFormat::Json),
            _ => None,
        }
    }
}

/// A trace with what its table says besides.
#[derive(Clone, Copy)]
pub struct TraceTable<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// The examples of the run.
    pub examples: Examples<'a>,
    /// The names of the features.
    pub features: &'a [String],
    /// Whether the bias is told as a threshold, w·x ≥ b: its negative.
    pub has_threshold: bool,
}

impl TraceTable<'_> {
    /// The visits of a trace whose epochs are not given.
    pub const VISITS: usize = 10_000;

    /// The largest number of visits of a trace with this many features, whose numbers fit in half a gibibyte.
    pub fn most_visits(features: usize) -> u64 {
        (1 << 26) / (2 * features as u64 + 8)
    }

    /// The table as text. Its first row, visit 0, has the weights before the run. An example has its number from 1; `step` is
    /// y·τ, and 0 without an update; weights are those after the visit.
    pub fn text(&self, format: TraceFormat) -> String {
        match format {
            TraceFormat::Csv => self.csv(),
            TraceFormat::Md => self.vectors(&MARKDOWN),
            TraceFormat::Tex => self.vectors(&LATEX),
            TraceFormat::Json => self.json().to_string() + "\n",
        }
    }

    fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let names = self.names();
        let before_weights = names.x.len() + 7;
        let mut write = |cells: Vec<String>| writer.write_record(cells);
        let mut rows = vec![names.all(self)];
        let blank = |n: usize| vec![String::new(); n];
        let mut first = blank(before_weights);
        first[1] = "0".to_owned();
        first.extend(self.plane(&self.trace.first));
        rows.push([first, blank(2)].concat());
        rows.extend(self.numbered().map(|(number, visit)| self.record(number, visit)));
        // Writing to memory does not fail.
        let _ = rows.into_iter().try_for_each(&mut write);
        String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
    }

    fn record(&self, number: usize, visit: &TracedVisit) -> Vec<String> {
        let (x, sign) = self.example(visit);
        let place = [visit.epoch.to_string(), number.to_string(), (visit.example + 1).to_string()];
        let outcome = [
            shown(sign * 1.0),
            shown(visit.score),
            yes(visit.mistake).to_owned(),
            shown(visit.step),
        ];
        let end = [shown(visit.score_after), visit.alpha.to_string()];
        let x = x.into_iter().map(shown).collect();
        [place.to_vec(), x, outcome.to_vec(), self.plane(&visit.after), end.to_vec()].concat()
    }

    fn vectors(&self, style: &Style) -> String {
        let has_weights = !self.trace.first.weights.is_empty();
        let (weights, alpha) = match has_weights {
            true => (&["w", self.offset_name(), "score after"][..], None),
            false => (&[self.offset_name(), "score after"][..], Some("alpha")),
        };
        let head = ["epoch", "visit", "example", "x", "y", "score", "mistake", "update"];
        let head: Vec<&str> = head.iter().chain(weights).copied().chain(alpha).collect();
        let mut text = style.head(&head);
        let number = |a: f64| style.number(a);
        let plane = |plane: &Hyperplane| {
            let weights = has_weights.then(|| style.vector(&plane.weights));
            weights.into_iter().chain([number(self.offset(plane.bias))])
        };
        let first = ["", "0", "", "", "", "", "", ""].map(str::to_owned).into_iter();
        let first = first.chain(plane(&self.trace.first)).chain([String::new()]);
        style.row(&mut text, first.chain(alpha.map(|_| String::new())));
        for (place, visit) in self.numbered() {
            let cells =
                self.visit_cells(style, place, visit).into_iter().chain(plane(&visit.after));
            let cells = cells.chain([number(visit.score_after)]);
            style.row(&mut text, cells.chain(alpha.map(|_| visit.alpha.to_string())));
        }
        text + style.end
    }

    /// The cells of a row before those of the weights.
    fn visit_cells(&self, style: &Style, place: usize, visit: &TracedVisit) -> [String; 8] {
        let (x, sign) = self.example(visit);
        let has_update = visit.step != 0.0;
        [
            visit.epoch.to_string(),
            place.to_string(),
            (visit.example + 1).to_string(),
            style.vector(&x),
            if sign == Sign::Plus { "+1".to_owned() } else { style.number(-1.0) },
            style.number(visit.score),
            yes(visit.mistake).to_owned(),
            if has_update { self.update(style, visit, &x) } else { String::new() },
        ]
    }

    /// The change of the weights and of the bias.
    fn update(&self, style: &Style, visit: &TracedVisit, x: &[f64]) -> String {
        let sign = if visit.step < 0.0 { style.minus } else { "+" };
        let factor = match visit.step.abs() {
            1.0 => String::new(),
            step => style.number(step) + style.times,
        };
        let bias = self.offset(visit.step * self.trace.bias_unit);
        let plus = if bias < 0.0 { "" } else { "+" };
        let moved = format!("{sign}{factor}{}", style.vector(x));
        if bias == 0.0 { moved } else { format!("{moved}, {plus}{}", style.number(bias)) }
    }

    fn json(&self) -> Value {
        let visits = self.numbered().map(|(place, visit)| self.visit_json(place, visit));
        let visits: Vec<Value> = visits.collect();
        json!({
            "features": self.features,
            "whole": self.trace.is_whole,
            "first": Map::from_iter(self.plane_json(&self.trace.first)),
            "visits": visits,
        })
    }

    fn visit_json(&self, place: usize, visit: &TracedVisit) -> Value {
        let (x, sign) = self.example(visit);
        let before = [
            ("epoch", json!(visit.epoch)),
            ("visit", json!(place)),
            ("example", json!(visit.example + 1)),
            ("x", json!(x)),
            ("y", json!(sign * 1.0)),
            ("score", json!(visit.score)),
            ("mistake", json!(visit.mistake)),
            ("step", json!(visit.step)),
        ];
        let after = [("score_after", json!(visit.score_after)), ("alpha", json!(visit.alpha))];
        let own = |(key, value): (&str, Value)| (key.to_owned(), value);
        let before = before.into_iter().map(own).chain(self.plane_json(&visit.after));
        Value::Object(before.chain(after.into_iter().map(own)).collect())
    }

    /// The weights, if there are any, and the bias.
    fn plane_json(&self, plane: &Hyperplane) -> impl Iterator<Item = (String, Value)> {
        let weights = (!plane.weights.is_empty()).then(|| ("w".to_owned(), json!(plane.weights)));
        let offset = (self.offset_name().to_owned(), json!(self.offset(plane.bias)));
        weights.into_iter().chain([offset])
    }

    /// The visits, numbered from 1.
    fn numbered(&self) -> impl Iterator<Item = (usize, &TracedVisit)> {
        (1..).zip(&self.trace.visits)
    }

    fn example(&self, visit: &TracedVisit) -> (Vec<f64>, Sign) {
        let (row, sign) = self.examples.get(visit.example);
        let mut x = vec![0.0; self.examples.features()];
        row.for_each(|feature, value| x[feature] = value);
        (x, sign)
    }

    /// The weights, if there are any, and the bias.
    fn plane(&self, plane: &Hyperplane) -> Vec<String> {
        let weights = plane.weights.iter().copied();
        weights.chain([self.offset(plane.bias)]).map(shown).collect()
    }

    fn offset(&self, bias: f64) -> f64 {
        // No number is −0.
        if self.has_threshold { 0.0 - bias } else { bias + 0.0 }
    }

    fn offset_name(&self) -> &'static str {
        if self.has_threshold { "threshold" } else { "b" }
    }

    fn names(&self) -> Names {
        Names::new(self.features, !self.trace.first.weights.is_empty())
    }
}

/// The names of the columns of features and weights.
pub(crate) struct Names {
    pub(crate) x: Vec<String>,
    pub(crate) w: Vec<String>,
}

/// The other columns of a trace in CSV.
pub(crate) const FIXED: [&str; 11] = [
    "epoch",
    "visit",
    "example",
    "y",
    "score",
    "mistake",
    "step",
    "b",
    "threshold",
    "score_after",
    "alpha",
];

impl Names {
    /// A feature has its own name, if no other column has it, and its weight `w_` before it; `x1` has the weight `w1`.
    pub(crate) fn new(features: &[String], has_weights: bool) -> Self {
        let number = |name: &str| {
            let number = name.strip_prefix('x')?;
            number.bytes().all(|byte| byte.is_ascii_digit()).then(|| number.to_owned())
        };
        let w =
            |name: &String| number(name).map_or_else(|| format!("w_{name}"), |n| format!("w{n}"));
        let w: Vec<String> = features.iter().map(w).collect();
        let taken = |name: &String| FIXED.contains(&name.as_str()) || w.contains(name);
        let x = |name: &String| if taken(name) { format!("x_{name}") } else { name.clone() };
        let x = features.iter().map(x).collect();
        Names { x, w: if has_weights { w } else { Vec::new() } }
    }

    fn all(self, table: &TraceTable<'_>) -> Vec<String> {
        let own = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        [
            own(&["epoch", "visit", "example"]),
            self.x,
            own(&["y", "score", "mistake", "step"]),
            self.w,
            own(&[table.offset_name(), "score_after", "alpha"]),
        ]
        .concat()
    }
}

/// The words and signs of a table of vectors.
struct Style {
    minus: &'static str,
    times: &'static str,
    /// Before and after a number or a vector.
    math: &'static str,
    begin: &'static str,
    between: &'static str,
    close: &'static str,
    end: &'static str,
    is_markdown: bool,
}

const MARKDOWN: Style = Style {
    minus: "−",
    times: "·",
    math: "",
    begin: "| ",
    between: " | ",
    close: " |\n",
    end: "",
    is_markdown: true,
};

const LATEX: Style = Style {
    minus: "-",
    times: "\\cdot ",
    math: "$",
    begin: "  ",
    between: " & ",
    close: " \\\\\n",
    end: "\\end{tabular}\n",
    is_markdown: false,
};

impl Style {
    fn head(&self, names: &[&str]) -> String {
        let mut text = String::new();
        if !self.is_markdown {
            let _ = writeln!(text, "\\begin{{tabular}}{{{}}}", "r".repeat(names.len()));
        }
        self.row(&mut text, names.iter().map(|&name| name.to_owned()));
        text.push_str(&if self.is_markdown {
            format!("|{}\n", "---|".repeat(names.len()))
        } else {
            "  \\hline\n".to_owned()
        });
        text
    }

    /// Appends a row. A number or a vector of LaTeX is mathematics.
    fn row(&self, text: &mut String, cells: impl Iterator<Item = String>) {
        let is_math = |cell: &str| cell.contains(|c: char| c.is_ascii_digit());
        let cell = |cell: String| match is_math(&cell) {
            true => format!("{0}{cell}{0}", self.math),
            false => cell,
        };
        let cells: Vec<String> = cells.map(cell).collect();
        let _ = write!(text, "{}{}{}", self.begin, cells.join(self.between), self.close);
    }

    fn number(&self, a: f64) -> String {
        shown(a).replace('-', self.minus)
    }

    fn vector(&self, numbers: &[f64]) -> String {
        let numbers: Vec<String> = numbers.iter().map(|&a| self.number(a)).collect();
        format!("({})", numbers.join(", "))
    }
}

fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

/// The shortest decimal that is this number.
fn shown(a: f64) -> String {
    let a = a + 0.0;
    if a == 0.0 || (1e-5..1e16).contains(&a.abs()) { a.to_string() } else { format!("{a:e}") }
}

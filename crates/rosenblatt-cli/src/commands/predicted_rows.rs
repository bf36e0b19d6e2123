//! The line of a prediction: plain, CSV or JSON.

use std::fmt::Write as _;

use rosenblatt_core::{
    calibration::{Calibration, CalibrationMethod},
    model::Model,
};
use rosenblatt_data::{batch::Gap, explain::NamedExplanation};
use serde_json::{Map, Value};

use super::{
    distances::Distances, explanations, probabilities::RowProbabilities, row_cells::RowCells,
};
use crate::{
    args::{OutputFormatArg, PredictArgs},
    text::escaped,
};

/// A row with its prediction.
pub(super) struct OutputRow<'a> {
    /// The cell of the column of `--id`.
    pub(super) id: Option<&'a str>,
    pub(super) class: usize,
    /// One score, or with more than two classes one for each class.
    pub(super) scores: &'a [f64],
    /// The probabilities of `--proba`.
    pub(super) probabilities: Option<&'a RowProbabilities>,
    /// The decision radius of `--radius`.
    pub(super) radius: Option<f64>,
    /// The numbers of `--distances` and `--margins`.
    pub(super) distances: &'a [f64],
    /// Those of `--explain`: one, or in JSON one for each hyperplane.
    pub(super) explanations: &'a [NamedExplanation],
    /// The cells that the model does not know or that are filled, where the form names them.
    pub(super) cells: Option<&'a RowCells>,
}

impl OutputRow<'_> {
    /// The numbers of all columns.
    fn numbers(&self) -> impl Iterator<Item = f64> {
        let probabilities = self.probabilities.into_iter().flat_map(|row| {
            row.of_classes.iter().copied().chain(row.intervals.iter().flatten().copied())
        });
        self.scores
            .iter()
            .copied()
            .chain(probabilities)
            .chain(self.radius)
            .chain(self.distances.iter().copied())
    }
}

/// The names of the columns of `--proba`; `classes` are all classes, or none if there are two.
fn probability_names(method: CalibrationMethod, classes: &[String]) -> Vec<String> {
    let of = |what: &str| -> Vec<String> {
        match classes {
            [] => vec![what.to_owned()],
            classes => classes.iter().map(|class| format!("{what} {class}")).collect(),
        }
    };
    let mut all = of("probability");
    if method == CalibrationMethod::VennAbers {
        all.extend(of("p0").into_iter().zip(of("p1")).flat_map(|(low, high)| [low, high]));
    }
    all
}

/// The names of the columns of `--explain`, with so many features.
fn explanation_names(most: usize) -> Vec<String> {
    let of_feature =
        |place| ["feature", "value", "contribution"].map(|what| format!("{what} {place}"));
    let last = ["others", "bias"].map(str::to_owned);
    (1..=most).flat_map(of_feature).chain(last).collect()
}

/// Writes predictions as lines.
pub(super) struct RowWriter {
    format: OutputFormatArg,
    /// The name of the column of `--id`.
    id: Option<String>,
    /// The labels byte for byte as in the data, but with hidden characters escaped for a terminal, which would act on
    /// them.
    names: Vec<String>,
    /// The classes of the scores; none if there is one score for two classes.
    score_names: Vec<String>,
    /// The names of the columns of `--proba`.
    probability_names: Vec<String>,
    has_scores: bool,
    has_radius: bool,
    /// The names of the columns of `--distances` and `--margins`.
    distance_names: Vec<&'static str>,
    /// The features of an explanation, with `--explain`.
    explained: Option<usize>,
    is_terminal: bool,
}

impl RowWriter {
    pub(super) fn new(
        arguments: &PredictArgs,
        model: &Model,
        explained: Option<usize>,
        is_terminal: bool,
    ) -> Self {
        let classes = model.classes();
        let names = classes.names();
        let shown = |name: &String| if is_terminal { escaped(name) } else { name.clone() };
        let is_many = classes.scheme().hyperplanes() > 1;
        let score_names = if is_many { names.to_vec() } else { Vec::new() };
        let method = model.calibration().map(Calibration::method).filter(|_| arguments.proba);
        let probability_names = method.map(|method| probability_names(method, &score_names));
        RowWriter {
            format: arguments.output_format,
            id: arguments.id.clone(),
            names: names.iter().map(shown).collect(),
            probability_names: probability_names.unwrap_or_default(),
            score_names,
            has_scores: arguments.scores || arguments.output_format != OutputFormatArg::Plain,
            has_radius: arguments.radius.is_some(),
            distance_names: Distances::names(arguments),
            explained,
            is_terminal,
        }
    }

    /// Whether the probabilities of `--proba` are written.
    pub(super) fn has_probabilities(&self) -> bool {
        !self.probability_names.is_empty()
    }

    /// Whether scores are written.
    pub(super) fn has_scores(&self) -> bool {
        self.has_scores
    }

    /// The line before all rows, if the format has one.
    pub(super) fn header(&self) -> String {
        if self.format != OutputFormatArg::Csv {
            return String::new();
        }
        let scores = self.score_names.iter().map(|class| format!("score {class}"));
        let mut cells: Vec<String> = self.id.iter().cloned().collect();
        cells.push("label".to_owned());
        cells.extend(scores);
        if self.score_names.is_empty() {
            cells.push("score".to_owned());
        }
        cells.extend(self.probability_names.iter().cloned());
        cells.extend(self.has_radius.then(|| "radius".to_owned()));
        cells.extend(self.distance_names.iter().map(|&name| name.to_owned()));
        cells.extend(self.explained.into_iter().flat_map(explanation_names));
        self.csv_line(&cells)
    }

    /// Appends the line of a row.
    pub(super) fn row(&self, row: &OutputRow<'_>, text: &mut String) {
        let label = &self.names[row.class];
        match self.format {
            OutputFormatArg::Plain => {
                if let Some(id) = row.id {
                    let _ = write!(text, "{}\t", self.shown(id));
                }
                text.push_str(label);
                for number in row.numbers() {
                    // Writing to a String cannot fail. `{:?}` is the shortest text that parses to this number.
                    let _ = write!(text, "\t{number:?}");
                }
                for part in row.explanations.first().map(explanations::texts).unwrap_or_default() {
                    let _ = write!(text, "\t{}", self.shown(&part));
                }
                text.push('\n');
            }
            OutputFormatArg::Csv => {
                let mut cells: Vec<String> = row.id.map(str::to_owned).into_iter().collect();
                cells.push(label.clone());
                cells.extend(row.numbers().map(|number| format!("{number:?}")));
                cells.extend(row.explanations.iter().flat_map(|one| self.explanation_cells(one)));
                text.push_str(&self.csv_line(&cells));
            }
            OutputFormatArg::Json => {
                let mut fields = vec![("label", Value::from(label.as_str()))];
                match row.scores {
                    [score] => fields.push(("score", (*score).into())),
                    scores => {
                        let scores = self.score_names.iter().cloned().zip(scores);
                        let scores: Map<_, _> =
                            scores.map(|(class, &score)| (class, score.into())).collect();
                        fields.push(("scores", scores.into()));
                    }
                }
                fields.extend(row.probabilities.into_iter().flat_map(|row| self.json_of(row)));
                fields.extend(row.radius.map(|radius| ("radius", radius.into())));
                let distances = self.distance_names.iter().zip(row.distances);
                fields.extend(distances.map(|(&name, &number)| (name, number.into())));
                fields.extend(self.explanation_field(row.explanations));
                let cells = row.cells.map(|cells| {
                    [("unknown_categories", &cells.unknown), ("filled", &cells.filled)]
                });
                let named = cells.into_iter().flatten().filter(|(_, names)| !names.is_empty());
                fields.extend(named.map(|(name, columns)| (name, columns.clone().into())));
                self.json_line(row.id, fields, text);
            }
        }
    }

    /// Appends the line of a row without a prediction.
    pub(super) fn gap(&self, gap: &Gap, text: &mut String) {
        let id = gap.id.as_deref();
        match self.format {
            OutputFormatArg::Plain => {
                if self.id.is_some() {
                    let _ = write!(text, "{}\t", self.shown(id.unwrap_or_default()));
                }
                text.push('\n');
            }
            OutputFormatArg::Csv => {
                let numbers = self.score_names.len().max(1) + self.probability_names.len();
                let others = usize::from(self.id.is_some()) + usize::from(self.has_radius);
                let explained = self.explained.map_or(0, |most| 3 * most + 2);
                let cells = 1 + numbers + others + self.distance_names.len() + explained;
                let mut cells = vec![String::new(); cells];
                if let Some(id) = id {
                    cells[0] = id.to_owned();
                }
                text.push_str(&self.csv_line(&cells));
            }
            OutputFormatArg::Json => {
                let problem = gap.problem.as_deref().unwrap_or("the line is blank");
                self.json_line(id, vec![("label", Value::Null), ("error", problem.into())], text);
            }
        }
    }

    /// The cells of [`explanation_names`]; those of features that are not there are empty.
    fn explanation_cells(&self, explanation: &NamedExplanation) -> Vec<String> {
        let of_feature = |place: usize| match explanation.contributions.get(place) {
            None => vec![String::new(); 3],
            Some(one) => {
                let [value, contribution] = [one.value, one.contribution].map(|a| format!("{a:?}"));
                vec![one.feature.clone(), value, contribution]
            }
        };
        let last = [explanation.others, explanation.bias].map(|a| format!("{a:?}"));
        (0..self.explained.unwrap_or(0)).flat_map(of_feature).chain(last).collect()
    }

    /// The explanations of a row as a field: one, or one for each class.
    fn explanation_field(&self, all: &[NamedExplanation]) -> Option<(&'static str, Value)> {
        let json = |one: &NamedExplanation| serde_json::to_value(one).unwrap_or_default();
        match all {
            [] => None,
            [one] => Some(("explanation", json(one))),
            all => {
                let of_classes = self.score_names.iter().cloned().zip(all.iter().map(json));
                Some(("explanations", of_classes.collect::<Map<_, _>>().into()))
            }
        }
    }

    /// The probabilities of a row as fields.
    fn json_of(&self, row: &RowProbabilities) -> Vec<(&'static str, Value)> {
        let by_class = |values: Vec<Value>| -> Value {
            self.score_names.iter().cloned().zip(values).collect::<Map<_, _>>().into()
        };
        let probabilities: Vec<Value> = row.of_classes.iter().map(|&p| p.into()).collect();
        let intervals: Vec<Value> = row.intervals.iter().map(|p| p.to_vec().into()).collect();
        let fields = match (probabilities.as_slice(), intervals.as_slice()) {
            ([probability], intervals) => [
                ("probability", Some(probability.clone())),
                ("interval", intervals.first().cloned()),
            ],
            _ => [
                ("probabilities", Some(by_class(probabilities))),
                ("intervals", (!intervals.is_empty()).then(|| by_class(intervals))),
            ],
        };
        fields.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }

    fn shown(&self, text: &str) -> String {
        if self.is_terminal { escaped(text) } else { text.to_owned() }
    }

    /// A line of CSV; cells with a comma, a quote or a line break are quoted.
    fn csv_line(&self, cells: &[String]) -> String {
        let quoted = |cell: &String| {
            let cell = self.shown(cell);
            let special = cell.contains([',', '"', '\n', '\r']);
            if special { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
        };
        cells.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n"
    }

    fn json_line(&self, id: Option<&str>, fields: Vec<(&str, Value)>, text: &mut String) {
        let id = self.id.as_ref().map(|_| ("id", id.map_or(Value::Null, Value::from)));
        let fields = id.into_iter().chain(fields);
        let field = |(name, value): (&str, Value)| format!("\"{name}\":{value}");
        let line = fields.map(field).collect::<Vec<_>>().join(",");
        text.push_str(&format!("{{{}}}\n", self.shown(&line)));
    }
}

//! The comparison of a cell with what it should be.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::number::{WrittenNumber, shown, vector};

/// The right content of a cell.
pub(super) enum Expected {
    Whole(u64),
    Number(BigRational),
    Vector(Vec<BigRational>),
    Yes(bool),
    /// The sign of an example, and its label.
    Sign(bool, String),
    /// The step, the row that it is taken along, and the change of the bias.
    Update {
        step: BigRational,
        x: Vec<BigRational>,
        bias: BigRational,
    },
}

impl Expected {
    pub(super) fn is(&self, cell: &str) -> bool {
        match self {
            Expected::Whole(n) => cell.parse() == Ok(*n),
            Expected::Number(number) => is_number(cell, number),
            Expected::Vector(all) => {
                let cells = numbers(cell);
                let mut pairs = cells.iter().zip(all);
                cells.len() == all.len() && pairs.all(|(cell, number)| is_number(cell, number))
            }
            Expected::Yes(is) => said(cell) == Some(*is),
            Expected::Sign(is_plus, label) => {
                let sign = if *is_plus { BigRational::one() } else { -BigRational::one() };
                cell == label
                    || WrittenNumber::parse(cell).is_some_and(|number| number.value == sign)
            }
            Expected::Update { step, x, bias } => match said(cell) {
                Some(updated) => updated != step.is_zero(),
                None => is_update(cell, step, x, bias),
            },
        }
    }

    pub(super) fn text(&self) -> String {
        match self {
            Expected::Whole(n) => n.to_string(),
            Expected::Number(number) => shown(number),
            Expected::Vector(all) => vector(all),
            Expected::Yes(is) => if *is { "yes" } else { "no" }.to_owned(),
            Expected::Sign(is_plus, _) => if *is_plus { "+1" } else { "−1" }.to_owned(),
            Expected::Update { step, .. } if step.is_zero() => "no".to_owned(),
            Expected::Update { step, x, bias } => {
                let sign = if step.is_negative() { "−" } else { "+" };
                let size = Some(step.abs()).filter(|size| !size.is_one());
                let size = size.map_or_else(String::new, |size| format!("{}·", shown(&size)));
                let plus = if bias.is_negative() { "" } else { "+" };
                let bias = Some(bias).filter(|bias| !bias.is_zero());
                let bias = bias.map_or_else(String::new, |bias| format!(", {plus}{}", shown(bias)));
                format!("{sign}{size}{}{bias}", vector(x))
            }
        }
    }
}

fn is_number(cell: &str, expected: &BigRational) -> bool {
    WrittenNumber::parse(cell).is_some_and(|number| number.is(expected))
}

/// Whether a cell says yes or no.
pub(super) fn said(cell: &str) -> Option<bool> {
    match cell.to_lowercase().as_str() {
        "yes" | "y" | "true" | "1" | "x" | "✓" => Some(true),
        "no" | "n" | "false" | "0" | "-" | "−" => Some(false),
        _ => None,
    }
}

/// The parts of `(1, 0)`, `[1, 0]` or `1 0`.
pub(super) fn numbers(cell: &str) -> Vec<String> {
    let inner = cell.trim_matches(|c: char| "()[]{} ".contains(c));
    let parts = inner.split(|c: char| c == ',' || c == ';' || c.is_whitespace());
    parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// Whether a cell is `+(1, 0), +1` or `−0.5·(1, 0), −0.5` for this step along this row; the part of the bias may be missing.
fn is_update(cell: &str, step: &BigRational, x: &[BigRational], bias: &BigRational) -> bool {
    let Some((factor, rest)) = cell.split_once('(') else { return false };
    let Some((row, moved)) = rest.split_once(')') else { return false };
    let factor = factor.trim().trim_end_matches(['·', '*', ' ']);
    let factor = match factor {
        "" | "+" => "1",
        "-" | "−" => "-1",
        other => other,
    };
    let moved = moved.trim_start_matches([',', ';', ' ']);
    let moved = if moved.is_empty() { None } else { Some(moved) };
    is_number(factor, step)
        && Expected::Vector(x.to_vec()).is(row)
        && moved.is_none_or(|moved| is_number(moved, bias))
}

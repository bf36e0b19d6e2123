//! Missing values: their spellings, and the values in their place.

use super::schema::{Fill, Missing};
use crate::options::{MissingOption, MissingRule, ReadOptions};

/// The cells that stand for a missing value, besides the empty cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MissingSpellings {
    /// `None`: the usual ones.
    pub(crate) chosen: Option<Vec<String>>,
}

impl MissingSpellings {
    /// The usual spellings; case does not matter.
    const USUAL: [&str; 7] = ["NA", "N/A", "NaN", "null", "?", "-", "."];
    /// Other spellings, which may be labels. The longest has 14 bytes.
    const WORDS: [&str; 24] = [
        "none",
        "unknown",
        "missing",
        "nil",
        "unk",
        "undefined",
        "not available",
        "not applicable",
        "no data",
        "n.a.",
        "na.",
        "n/d",
        "--",
        "---",
        "\\N",
        "<NA>",
        "#N/A",
        "#NA",
        "#DIV/0!",
        "#VALUE!",
        "#REF!",
        "#NAME?",
        "#NUM!",
        "#NULL!",
    ];

    /// The dates of databases that have no date.
    const DATES: [&str; 2] = ["0000-00-00", "0000-00-00 00:00:00"];

    /// Whether the cell, which has no blanks around it and is not empty, is missing.
    pub(crate) fn contain(&self, cell: &[u8]) -> bool {
        match &self.chosen {
            Some(chosen) => chosen.iter().any(|spelling| spelling.as_bytes() == cell),
            None => {
                let is = |spelling: &&str| spelling.as_bytes().eq_ignore_ascii_case(cell);
                let may_be = cell.len() <= 14 && !cell.first().is_some_and(u8::is_ascii_digit);
                may_be && Self::USUAL.iter().chain(&Self::WORDS).any(is)
                    || cell.starts_with(b"0000-") && Self::DATES.iter().any(is)
            }
        }
    }

    /// Whether a label is missing: `-` and `.` are labels, and words such as `none`.
    pub(crate) fn contain_label(&self, label: &[u8]) -> bool {
        let is = |spelling: &&str| spelling.as_bytes().eq_ignore_ascii_case(label);
        let is_word =
            || Self::WORDS.iter().any(|word| is(word) && !word.starts_with(['#', '\\', '<']));
        let may_be = self.chosen.is_none() && (matches!(label, b"-" | b".") || is_word());
        !may_be && self.contain(label)
    }
}

/// The treatment of a missing cell of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum WhenMissing {
    /// It is an error.
    #[default]
    Refuse,
    /// Another value stands in for it.
    Fill,
    /// Its row is left out.
    Drop,
}

/// The choice of the options for a column, where there is one; the choice for a column counts before that for all.
pub(crate) fn choice(
    options: &ReadOptions,
    is_column: impl Fn(&str) -> bool,
) -> Option<&MissingOption> {
    let of_column = |option: &&MissingOption| option.column.as_deref().is_some_and(&is_column);
    let for_all = |option: &&MissingOption| option.column.is_none();
    options.missing.iter().rfind(of_column).or_else(|| options.missing.iter().rfind(for_all))
}

/// The rule that a model keeps for a column of numbers.
pub(crate) fn for_numbers(option: &MissingOption) -> Option<Missing> {
    let rule = match option.rule {
        MissingRule::Mean => Fill::Mean,
        MissingRule::Median => Fill::Median,
        MissingRule::Zero | MissingRule::Category => Fill::Zero,
        MissingRule::Drop => return None,
    };
    let indicator = option.indicator || option.rule == MissingRule::Category;
    Some(Missing { fill: rule, value: 0.0, indicator })
}

/// The value in the place of missing numbers, by those that are there.
pub(crate) fn learned(fill: Fill, mut numbers: Vec<f64>) -> f64 {
    let n = numbers.len();
    match fill {
        _ if n == 0 => 0.0,
        Fill::Zero | Fill::Category => 0.0,
        Fill::Mean => {
            let sum: f64 = numbers.iter().sum();
            // A sum of quotients stays within the range of numbers.
            let quotients = || numbers.iter().map(|number| number / n as f64).sum();
            (if sum.is_finite() { sum / n as f64 } else { quotients() }) + 0.0
        }
        Fill::Median => {
            numbers.sort_unstable_by(f64::total_cmp);
            let (low, high) = (numbers[(n - 1) / 2], numbers[n / 2]);
            if low == high { low + 0.0 } else { low / 2.0 + high / 2.0 }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_missing() {
        let usual = MissingSpellings::default();
        for cell in ["NA", "na", "N/A", "NaN", "null", "NULL", "?", "-", "."] {
            assert!(usual.contain(cell.as_bytes()), "{cell}");
        }
        assert!(!usual.contain(b"0") && !usual.contain(b"no") && !usual.contain(b"+"));
        assert!(usual.contain(b"Unknown") && !usual.contain_label(b"Unknown"));
        assert!(usual.contain_label(b"#N/A"));
        assert!(usual.contain(b"0000-00-00") && !usual.contain(b"0000-00-01"));
        assert!(usual.contain_label(b"?") && !usual.contain_label(b"-"));
        let chosen = MissingSpellings { chosen: Some(vec!["999".to_owned()]) };
        assert!(chosen.contain(b"999") && !chosen.contain(b"NA"));
    }

    #[test]
    fn values_that_stand_in() {
        assert_eq!(learned(Fill::Mean, vec![1.0, 2.0, 6.0]), 3.0);
        assert_eq!(learned(Fill::Median, vec![5.0, 1.0, 2.0]), 2.0);
        assert_eq!(learned(Fill::Median, vec![4.0, 1.0, 2.0, 9.0]), 3.0);
        assert_eq!(learned(Fill::Zero, vec![4.0]), 0.0);
        assert_eq!(learned(Fill::Mean, Vec::new()), 0.0);
        assert!(learned(Fill::Mean, vec![f64::MAX, f64::MAX]).is_finite());
    }
}

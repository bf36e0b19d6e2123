//! The label, where no option names it: the last column, unless something speaks against it.

use super::survey::{ColumnSurvey, Survey};
use crate::read_error::{ReadError, TargetDoubt};

/// The names that labels usually have, in lower case.
const USUAL: [&str; 9] =
    ["class", "label", "labels", "target", "y", "species", "outcome", "survived", "diagnosis"];

/// The fewest different numbers that may be a quantity.
const FEW: u64 = 20;

/// The columns among which the label is.
pub(crate) struct TargetQuestion<'t> {
    pub(crate) file: &'t str,
    pub(crate) names: &'t [String],
    /// Whether each column may be the label.
    pub(crate) used: &'t [bool],
    /// The counts of the cells, where the file has no types.
    pub(crate) survey: Option<&'t Survey>,
    /// The maximum number of labels, where each is to be a class: more are an error when they are read.
    pub(crate) max_labels: Option<usize>,
}

impl TargetQuestion<'_> {
    /// Checks the label `target` that an option names: it may be anything but a class for about each example.
    pub(crate) fn check_named(&self, target: usize) -> Result<(), ReadError> {
        match self.cells(target) {
            Some(cells) if is_one_each(cells) && self.are_classes(cells) => {
                Err(ReadError::QuantityTarget {
                    file: self.file.to_owned(),
                    target: self.names[target].clone(),
                    values: cells.distinct(),
                    rows: cells.present(),
                })
            }
            _ => Ok(()),
        }
    }

    /// Checks that the column `target`, the last one that is used, is the label.
    pub(crate) fn check_last(&self, target: usize) -> Result<(), ReadError> {
        let Some(doubt) = self.doubt(target) else { return Ok(()) };
        let last = if doubt == TargetDoubt::Ignored { self.names.len() - 1 } else { target };
        Err(ReadError::UnclearTarget {
            file: self.file.to_owned(),
            target: self.names[last].clone(),
            others: self.others(target, &doubt),
            doubt,
        })
    }

    fn doubt(&self, target: usize) -> Option<TargetDoubt> {
        if !self.used[self.names.len() - 1] {
            return Some(TargetDoubt::Ignored);
        }
        if !self.has_usual_name(target)
            && let Some(other) = self.used_but(target).find(|&i| self.has_usual_name(i))
        {
            return Some(TargetDoubt::OtherName { other: self.names[other].clone() });
        }
        // By its name, a column may be the label of the few rows that have one.
        let unnamed = self.cells(target).filter(|_| !self.has_usual_name(target));
        if let Some(cells) = unnamed.filter(|cells| is_mostly_missing(cells)) {
            let missing = cells.missing();
            return Some(TargetDoubt::MostlyMissing { missing, rows: cells.present() + missing });
        }
        let cells = self.cells(target).filter(|cells| self.are_classes(cells))?;
        let is_number = cells.numbers > 0 && cells.texts == 0;
        let values = cells.distinct();
        if is_many(cells) || is_number && cells.first_fraction.is_some() && values > 2 {
            return Some(TargetDoubt::Quantity { values, rows: cells.present() });
        }
        let two = |&i: &usize| self.cells(i).is_some_and(|cells| cells.distinct() == 2);
        let other = self.used_but(target).find(two).filter(|_| is_number && values > FEW / 2)?;
        Some(TargetDoubt::OtherHasTwoValues { other: self.names[other].clone(), values })
    }

    /// The columns that may be the label instead.
    fn others(&self, target: usize, doubt: &TargetDoubt) -> Vec<String> {
        const MOST: u64 = 20;
        let few = |&i: &usize| {
            let of_few = |cells: &ColumnSurvey| (2..=MOST).contains(&cells.distinct());
            self.cells(i)
                .is_none_or(|cells| of_few(cells) && !is_many(cells) && !is_mostly_missing(cells))
        };
        let name = |i: usize| self.names[i].clone();
        match doubt {
            TargetDoubt::OtherName { other } | TargetDoubt::OtherHasTwoValues { other, .. } => {
                vec![other.clone(), name(target)]
            }
            TargetDoubt::Quantity { .. } | TargetDoubt::MostlyMissing { .. } => {
                self.used_but(target).filter(few).map(name).collect()
            }
            TargetDoubt::Ignored => {
                let usual = |&i: &usize| self.has_usual_name(i);
                let all = || (0..self.names.len()).filter(|&i| self.used[i]);
                let rest = all().rev().filter(few).filter(|i| !usual(i));
                all().filter(usual).chain(rest).map(name).collect()
            }
        }
    }

    /// Whether a column has the name of a label. Next to a column `x`, `y` is a coordinate.
    fn has_usual_name(&self, column: usize) -> bool {
        let is = |name: &String, usual: &str| name.eq_ignore_ascii_case(usual);
        let name = &self.names[column];
        let is_coordinate = is(name, "y") && self.names.iter().any(|other| is(other, "x"));
        !is_coordinate && USUAL.iter().any(|usual| is(name, usual))
    }

    fn used_but(&self, target: usize) -> impl Iterator<Item = usize> {
        (0..self.names.len()).filter(move |&i| i != target && self.used[i])
    }

    /// Whether each value is to be a class, and there are not too many.
    fn are_classes(&self, cells: &ColumnSurvey) -> bool {
        self.max_labels.is_some_and(|most| cells.distinct() <= most as u64)
    }

    fn cells(&self, column: usize) -> Option<&ColumnSurvey> {
        self.survey?.columns.get(column)
    }
}

/// Whether a column has about one cell for each number.
fn is_one_each(cells: &ColumnSurvey) -> bool {
    cells.texts == 0 && is_many(cells) && 10 * cells.distinct() > 9 * cells.present()
}

/// Whether more than half of the cells are missing. A column without any value has another error.
fn is_mostly_missing(cells: &ColumnSurvey) -> bool {
    (1..cells.missing()).contains(&cells.present())
}

/// Whether more than half of the cells differ.
fn is_many(cells: &ColumnSurvey) -> bool {
    let values = cells.distinct();
    values >= FEW && 2 * values > cells.present()
}

#[cfg(test)]
mod tests {
    use super::{
        super::{missing::MissingSpellings, survey::Counting},
        *,
    };
    use crate::number_form::NumberForm;

    fn doubt(
        names: &[&str],
        used: &[bool],
        row: impl Fn(u64) -> Vec<String>,
    ) -> Option<TargetDoubt> {
        let (form, missing) = (NumberForm::default(), MissingSpellings::default());
        let counting = Counting { form: &form, missing: &missing };
        let mut survey = Survey::new(names.len());
        for i in 0..40 {
            let cells = row(i);
            survey.add(i, cells.iter().map(String::as_bytes), &counting);
        }
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let question = TargetQuestion {
            file: "f",
            names: &names,
            used,
            survey: Some(&survey),
            max_labels: Some(1000),
        };
        question.doubt(used.iter().rposition(|&used| used).unwrap())
    }

    #[test]
    fn doubts_about_the_last_column() {
        let both = &[true, true];
        let numbers = |i: u64| vec![i.to_string(), (i % 2).to_string()];
        assert_eq!(doubt(&["a", "b"], both, numbers), None);
        let other = Some(TargetDoubt::OtherName { other: "Class".to_owned() });
        assert_eq!(doubt(&["Class", "b"], both, numbers), other);
        assert_eq!(doubt(&["class", "y"], both, numbers), None);
        assert_eq!(doubt(&["y", "x"], both, numbers), None);
        assert_eq!(doubt(&["a", "b"], &[true, false], numbers), Some(TargetDoubt::Ignored));
        let price = |i: u64| vec!["1".to_owned(), format!("{}.5", i % 5)];
        let quantity = Some(TargetDoubt::Quantity { values: 5, rows: 40 });
        assert_eq!(doubt(&["a", "b"], both, price), quantity);
        let id = |i: u64| vec!["1".to_owned(), format!("n{i}")];
        let quantity = Some(TargetDoubt::Quantity { values: 40, rows: 40 });
        assert_eq!(doubt(&["a", "b"], both, id), quantity);
        let sparse = |i: u64| {
            let rest = if i.is_multiple_of(10) { "x" } else { ["", "NA"][i as usize % 2] };
            vec![(i % 2).to_string(), rest.to_owned()]
        };
        let missing = Some(TargetDoubt::MostlyMissing { missing: 36, rows: 40 });
        assert_eq!(doubt(&["a", "b"], both, sparse), missing);
        assert_eq!(doubt(&["a", "label"], both, sparse), None);
        let age = |i: u64| vec![(i % 2).to_string(), (i % 15).to_string()];
        let two = TargetDoubt::OtherHasTwoValues { other: "a".to_owned(), values: 15 };
        assert_eq!(doubt(&["a", "b"], both, age), Some(two));
    }
}

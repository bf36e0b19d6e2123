//! The kind of each column, by the cells that were counted.

use super::survey::{CellPlace, ColumnSurvey};
use crate::{
    fault::{CellCounts, Excerpt, Problem},
    number_form::{DateOrder, NumberForm},
    options::OnError,
};

/// The kind of the cells of a column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ColumnKind {
    Number(NumberForm),
    /// Text in every cell, as in the first one.
    Text {
        first: Excerpt,
    },
    /// Numbers or text: the options or the type of the column make each cell a category.
    Category,
}

impl ColumnKind {
    /// The kind of a column of numbers as programs spell them.
    pub(crate) fn plain_number() -> Self {
        ColumnKind::Number(NumberForm::default())
    }
}

/// A problem, and the row in which it shows.
#[derive(Debug, PartialEq)]
pub(crate) struct KindFault {
    pub(crate) row: u64,
    pub(crate) problem: Problem,
}

impl KindFault {
    fn at(place: &Option<CellPlace>, problem: impl FnOnce(Excerpt) -> Problem) -> Self {
        let place = place.clone().unwrap_or(CellPlace { row: 0, text: Excerpt::new(b"") });
        KindFault { row: place.row, problem: problem(place.text) }
    }
}

/// The options that decide the kind of a column.
pub(crate) struct KindChoice<'o> {
    pub(crate) column: &'o str,
    /// The form of numbers without a unit.
    pub(crate) form: &'o NumberForm,
    /// Whether the column is one of numbers with a unit.
    pub(crate) has_unit: bool,
    /// The chosen order of dates.
    pub(crate) dates: Option<DateOrder>,
    pub(crate) on_error: OnError,
}

/// The fewest cells of a column of text that may be called an identifier.
const FEW: u64 = 20;

impl KindChoice<'_> {
    /// The kind of a column that is a feature.
    pub(crate) fn kind(&self, cells: &ColumnSurvey) -> Result<ColumnKind, KindFault> {
        let column = || self.column.to_owned();
        if cells.texts > 0
            && let Some(form) = cells.form(self.dates)
        {
            return self.formed(cells, form);
        }
        match (cells.numbers, cells.texts) {
            (0, 0) if cells.words == 0 && cells.missing() > 0 => {
                let first = cells.first_empty.as_ref().or(cells.first_spelled.as_ref()).cloned();
                Err(KindFault::at(&first, |_| Problem::AllMissing { column: column() }))
            }
            (_, 0) => Ok(ColumnKind::Number(self.form.clone())),
            (0, _) => self.text(cells),
            _ => self.mixed(cells),
        }
    }

    /// A column that `form` reads.
    fn formed(&self, cells: &ColumnSurvey, form: &NumberForm) -> Result<ColumnKind, KindFault> {
        let chosen = NumberForm {
            unit: form.unit.clone().filter(|_| self.has_unit),
            dates: form.dates.filter(|order| Some(*order) == self.dates),
            ..self.form.clone()
        };
        // A date has no other form.
        let is_chosen = chosen == *form || chosen.dates.is_some();
        if is_chosen {
            return Ok(ColumnKind::Number(form.clone()));
        }
        Err(KindFault::at(&cells.first_text, |text| Problem::OtherForm {
            text,
            column: self.column.to_owned(),
            cells: cells.texts,
            form: Box::new(form.clone()),
        }))
    }

    fn text(&self, cells: &ColumnSurvey) -> Result<ColumnKind, KindFault> {
        let (values, texts) = (cells.distinct(), cells.texts + cells.words);
        if texts >= FEW && 2 * values > texts {
            let column = self.column.to_owned();
            let problem = |_| Problem::ManyValues { column, values, cells: texts + cells.spelled };
            return Err(KindFault::at(&cells.first_text, problem));
        }
        let first = cells.first_text.as_ref().map(|place| place.text.clone());
        Ok(ColumnKind::Text { first: first.unwrap_or(Excerpt::new(b"")) })
    }

    /// A column of numbers and text. Few cells of the other kind may be left out with their rows.
    fn mixed(&self, cells: &ColumnSurvey) -> Result<ColumnKind, KindFault> {
        let is_number = cells.numbers < cells.texts;
        let odd = cells.numbers.min(cells.texts);
        let few = odd == 1 && cells.present() > 2 || 100 * odd <= cells.present();
        if self.on_error == OnError::Skip && few {
            return match is_number {
                true => self.text(cells),
                false => Ok(ColumnKind::Number(self.form.clone())),
            };
        }
        let place = if is_number { &cells.first_number } else { &cells.first_text };
        let (mut numbers, mut texts) = (cells.numbers, cells.texts);
        let is_one = cells.first_texts == texts && texts > 1 && numbers > texts;
        *(if is_number { &mut texts } else { &mut numbers }) += cells.words;
        let counts = Box::new(CellCounts { numbers, texts, cells: cells.cells() });
        let column = self.column.to_owned();
        Err(KindFault::at(place, |text| match is_one {
            true => Problem::OneText { text, column, counts },
            false => Problem::MixedColumn { text, column, counts },
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            missing::MissingSpellings,
            survey::{Counting, Survey},
        },
        *,
    };

    fn kind(cells: &[&str], on_error: OnError, has_unit: bool) -> Result<ColumnKind, String> {
        let (form, missing) = (NumberForm::default(), MissingSpellings::default());
        let counting = Counting { form: &form, missing: &missing };
        let mut survey = Survey::new(1);
        for (row, cell) in cells.iter().enumerate() {
            survey.add(row as u64, std::iter::once(cell.as_bytes()), &counting);
        }
        let choice = KindChoice { column: "x", form: &form, has_unit, dates: None, on_error };
        let shown = |fault: KindFault| format!("{}: {}", fault.row, fault.problem);
        choice.kind(&survey.columns[0]).map_err(shown)
    }

    #[test]
    fn all_cells_decide() {
        let stop = |cells: &[&str]| kind(cells, OnError::Stop, false);
        assert_eq!(stop(&["NA", "1", "2"]), Ok(ColumnKind::plain_number()));
        assert_eq!(stop(&["?", "b"]), Ok(ColumnKind::Text { first: Excerpt::new(b"b") }));
        assert_eq!(stop(&[]), Ok(ColumnKind::plain_number()));
        let mixed = "1: `oops` is not a number, as 2 of 3 cells of column `x` are";
        assert_eq!(stop(&["1", "oops", "2"]), Err(mixed.to_owned()));
        let mixed = "0: `1` is a number, but 2 of 3 cells of column `x` are text";
        assert_eq!(stop(&["1", "a", "b"]), Err(mixed.to_owned()));
        assert_eq!(stop(&["inf", "b", "nan"]), Ok(ColumnKind::Text { first: Excerpt::new(b"b") }));
        assert_eq!(stop(&["inf", "1"]), Ok(ColumnKind::plain_number()));
        let mixed = "3: `a` is not a number, as 2 of 4 cells of column `x` are";
        assert_eq!(stop(&["", "1", "Inf", "a"]), Err(mixed.to_owned()));
        assert_eq!(stop(&["", "NA"]), Err("0: every cell of column `x` is missing".to_owned()));
        let many: Vec<String> = (0..30).map(|i| format!("n{i}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let expected = "0: column `x` holds text with 30 different values in 30 cells";
        assert_eq!(stop(&many), Err(expected.to_owned()));
    }

    #[test]
    fn few_odd_cells_may_be_left_out() {
        let skip = |cells: &[&str]| kind(cells, OnError::Skip, false);
        assert_eq!(skip(&["1", "oops", "2"]), Ok(ColumnKind::plain_number()));
        assert!(skip(&["1", "oops"]).is_err());
        assert!(skip(&["1", "a", "2", "b", "3", "4"]).is_err());
    }

    #[test]
    fn units_are_asked_for() {
        let cells = ["5cm", "6cm"];
        let error = "0: column `x` holds 2 cells like `5cm`: numbers with a unit";
        assert_eq!(kind(&cells, OnError::Stop, false), Err(error.to_owned()));
        let form = NumberForm { unit: Some("cm".to_owned()), ..NumberForm::default() };
        assert_eq!(kind(&cells, OnError::Stop, true), Ok(ColumnKind::Number(form)));
    }
}

//! The kind of each column, by the cells that were counted.

use super::survey::{CellPlace, ColumnSurvey, Counting};
use crate::{
    fault::{CellCounts, Excerpt, Problem},
    notes::LeftOutBecause,
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
    /// Numbers or text: the options or the type of the column make each cell a category, or its values are few.
    Category,
    /// Prose: its words are features.
    Prose,
    /// Nothing can be learned from it, if there are other features.
    LeftOut(LeftOutBecause),
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
    /// How the cells were told apart.
    pub(crate) counting: &'o Counting<'o>,
    /// The form of numbers without a unit.
    pub(crate) form: &'o NumberForm,
    /// Whether the column is one of numbers with a unit.
    pub(crate) has_unit: bool,
    /// The chosen order of dates.
    pub(crate) dates: Option<DateOrder>,
    pub(crate) on_error: OnError,
}

/// The fewest cells of a column of text that may be called an identifier, and of one whose values are called few.
const FEW: u64 = 20;

impl KindChoice<'_> {
    /// The kind of a column that is a feature. An error is a question to the user.
    pub(crate) fn kind(&self, cells: &ColumnSurvey) -> Result<ColumnKind, KindFault> {
        if cells.texts > 0
            && let Some((form, is_sure)) = cells.form(self.counting, self.dates)
        {
            return self.formed(cells, form, is_sure);
        }
        match (cells.numbers, cells.texts) {
            (0, 0) if cells.words == 0 && cells.missing() > 0 => {
                Ok(ColumnKind::LeftOut(LeftOutBecause::Empty))
            }
            _ if cells.identifies(self.column) => {
                Ok(ColumnKind::LeftOut(LeftOutBecause::Identifier))
            }
            (_, 0) => Ok(ColumnKind::Number(self.form.clone())),
            (0, _) => self.text(cells),
            _ => self.mixed(cells),
        }
    }

    /// A column that `form` reads; `is_sure`: no other form reads it, too.
    fn formed(
        &self,
        cells: &ColumnSurvey,
        form: NumberForm,
        is_sure: bool,
    ) -> Result<ColumnKind, KindFault> {
        let chosen = NumberForm {
            unit: form.unit.clone().filter(|_| self.has_unit),
            dates: form.dates.filter(|order| Some(*order) == self.dates),
            book_signs: form.book_signs,
            magnitudes: form.magnitudes,
            ..self.form.clone()
        };
        // A date has no other form.
        let is_chosen = chosen == form || chosen.dates.is_some();
        if is_chosen || is_sure {
            return Ok(ColumnKind::Number(form));
        }
        Err(KindFault::at(&cells.first_text, |text| Problem::OtherForm {
            text,
            column: self.column.to_owned(),
            cells: cells.texts,
            form: Box::new(form),
        }))
    }

    fn text(&self, cells: &ColumnSurvey) -> Result<ColumnKind, KindFault> {
        let (values, texts) = (cells.distinct(), cells.texts + cells.words + cells.numbers);
        if texts >= FEW && 2 * values > texts {
            if 2 * cells.sentences > texts {
                return Ok(ColumnKind::Prose);
            }
            let because = match values == texts + cells.spelled {
                true => LeftOutBecause::Identifier,
                false => LeftOutBecause::ManyValues { values, cells: texts },
            };
            return Ok(ColumnKind::LeftOut(because));
        }
        let first = cells.first_text.as_ref().map(|place| place.text.clone());
        Ok(ColumnKind::Text { first: first.unwrap_or(Excerpt::new(b"")) })
    }

    /// A column of numbers and text. Few values, of which several are text, are categories. Few cells of the other kind may
    /// be left out with their rows.
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
        let are_many = 20 * odd >= cells.present() && cells.present() >= FEW;
        let first_text = cells.first_text.as_ref().map(|place| place.text.to_string());
        let is_word = first_text.is_some_and(|text| text.starts_with(char::is_alphabetic));
        if are_many && cells.distinct() <= FEW && (is_number || cells.with_digits > 0 || is_word) {
            return Ok(ColumnKind::Category);
        }
        // Too many texts for a column of numbers with mistakes.
        let are_texts = 5 * cells.texts >= cells.present() && cells.present() >= FEW;
        if are_texts && 2 * cells.distinct() > cells.present() {
            return self.text(cells);
        }
        let place = if is_number { &cells.first_number } else { &cells.first_text };
        let (mut numbers, mut texts) = (cells.numbers, cells.texts);
        let is_one = cells.text_values.count() == 1 && texts > 1 && numbers > texts;
        *(if is_number { &mut texts } else { &mut numbers }) += cells.words;
        let (all, values) = (cells.cells(), cells.distinct());
        let counts = Box::new(CellCounts { numbers, texts, cells: all, values });
        let column = self.column.to_owned();
        Err(KindFault::at(place, |text| match is_one {
            true => Problem::OneText { text, column, counts },
            false => Problem::MixedColumn { text, column, counts },
        }))
    }
}

impl ColumnSurvey {
    /// The question what a column of this name is whose values are nearly as many as its cells.
    pub(crate) fn many_values(&self, column: String) -> Problem {
        let (values, cells) = (self.distinct(), self.present() + self.spelled);
        Problem::ManyValues { column, values, cells }
    }

    /// Whether most of not very few texts are of one or two words.
    pub(crate) fn holds_names(&self) -> bool {
        self.texts >= FEW && 2 * self.phrases < self.texts
    }

    /// Whether all cells are texts, whose column is not called an identifier.
    pub(crate) fn are_only_texts(&self, column: &str) -> bool {
        self.texts > 0 && self.numbers == 0 && !self.identifies(column)
    }

    /// The first cell that shows what the column is.
    pub(crate) fn first_odd(&self) -> Option<&CellPlace> {
        let all = [&self.first_text, &self.first_empty, &self.first_spelled, &self.first_number];
        all.into_iter().flatten().next()
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{missing::MissingSpellings, survey::Survey},
        *,
    };

    fn kind(cells: &[&str], on_error: OnError, has_unit: bool) -> Result<ColumnKind, String> {
        let (form, missing) = (NumberForm::default(), MissingSpellings::default());
        let counting = Counting::new(&form, &missing);
        let mut survey = Survey::new(1);
        for (row, cell) in cells.iter().enumerate() {
            survey.add(row as u64, std::iter::once(cell.as_bytes()), &counting);
        }
        let choice = KindChoice {
            column: "x",
            counting: &counting,
            form: &form,
            has_unit,
            dates: None,
            on_error,
        };
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
    }

    #[test]
    fn nothing_is_learned_from_some_columns() {
        let kind = |cells: &[&str]| kind(cells, OnError::Stop, false).unwrap();
        let of = |cell: &dyn Fn(usize) -> String| {
            let cells: Vec<String> = (0..30).map(cell).collect();
            kind(&cells.iter().map(String::as_str).collect::<Vec<_>>())
        };
        let left_out = ColumnKind::LeftOut;
        assert_eq!(kind(&["", "NA"]), left_out(LeftOutBecause::Empty));
        assert_eq!(of(&|i| format!("n{i}")), left_out(LeftOutBecause::Identifier));
        let many = LeftOutBecause::ManyValues { values: 20, cells: 30 };
        assert_eq!(of(&|i| format!("n{}", i % 20)), left_out(many));
        assert_eq!(of(&|i| format!("the {i}th row has these words")), ColumnKind::Prose);
        // In any order, and not from another number than 0 or 1.
        assert_eq!(of(&|i| (i * 7 % 30).to_string()), left_out(LeftOutBecause::Identifier));
        assert_eq!(of(&|i| (1990 + i).to_string()), ColumnKind::plain_number());
        assert_eq!(of(&|i| (3 * i).to_string()), ColumnKind::plain_number());
    }

    #[test]
    fn names_are_told_from_phrases() {
        let (form, missing) = (NumberForm::default(), MissingSpellings::default());
        let counting = Counting::new(&form, &missing);
        let holds_names = |cells: &[&str]| {
            let mut survey = Survey::new(1);
            for (row, cell) in cells.iter().enumerate() {
                survey.add(row as u64, std::iter::once(cell.as_bytes()), &counting);
            }
            survey.columns[0].holds_names()
        };
        let names = ["Ada Lovelace", "改变调校使特鲁利找回状态", "so is this"];
        assert!(holds_names(&names.repeat(7)) && !holds_names(&names));
        assert!(!holds_names(&["Ada", "this is one"].repeat(10)));
        assert!(!holds_names(&["1"].repeat(20)));
    }

    #[test]
    fn few_values_are_categories() {
        let rooms = |i: usize| ["2", "3", "4", "5more"][i % 4].to_owned();
        let cells: Vec<String> = (0..40).map(rooms).collect();
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        assert_eq!(kind(&cells, OnError::Stop, false), Ok(ColumnKind::Category));
    }

    #[test]
    fn few_odd_cells_may_be_left_out() {
        let skip = |cells: &[&str]| kind(cells, OnError::Skip, false);
        assert_eq!(skip(&["1", "oops", "2"]), Ok(ColumnKind::plain_number()));
        assert!(skip(&["1", "oops"]).is_err());
        assert!(skip(&["1", "a", "2", "b", "3", "4"]).is_err());
    }

    #[test]
    fn what_may_be_either_is_asked() {
        let centimetres = NumberForm { unit: Some("cm".to_owned()), ..NumberForm::default() };
        for has_unit in [false, true] {
            let found = kind(&["5cm", "6.5cm"], OnError::Stop, has_unit);
            assert_eq!(found, Ok(ColumnKind::Number(centimetres.clone())));
        }
        let error = "0: column `x` holds 2 cells like `5,125`: numbers with other separators";
        assert_eq!(kind(&["5,125", "6,250"], OnError::Stop, false), Err(error.to_owned()));
    }
}

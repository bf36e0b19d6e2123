//! How a sheet is read, and how else it may be.

use num_rational::BigRational;
use num_traits::Zero;
use rosenblatt::{Bias, LectureNotes, ZeroScore};
use rosenblatt_core::{
    rules::Mistake,
    schedule::{Init, Order},
    train::Options,
};

use super::{
    Conventions,
    paper::Arithmetic,
    table::{Column, Sheet},
};

/// Which visits have a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Listed {
    All,
    Updates,
}

/// One way to read a sheet.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reading {
    pub(super) conventions: Conventions,
    pub(super) arithmetic: Arithmetic,
    pub(super) listed: Listed,
    /// The number of the first epoch, visit and example.
    pub(super) first_number: u64,
    /// Whether the sheet chooses the order of the examples.
    pub(super) own_order: bool,
    /// Whether the sheet chooses the weights at the start.
    pub(super) own_start: bool,
}

impl Reading {
    pub(super) fn new(sheet: &Sheet, conventions: &Conventions) -> Self {
        let names =
            sheet.has(Column::Example) || sheet.has(Column::XVector) || sheet.has(Column::X(0));
        Reading {
            conventions: conventions.clone(),
            arithmetic: Arithmetic::Exact,
            listed: Listed::All,
            first_number: 1,
            own_order: conventions.options.order != Order::Given && names,
            own_start: false,
        }
    }

    /// The readings that differ from this one in one convention, each with its words.
    pub(super) fn single_changes(&self) -> Vec<(String, Reading)> {
        let all = self.other_options().into_iter().chain(self.other_meanings());
        all.filter(|(_, reading)| reading != self).collect()
    }

    /// This reading with another option.
    fn other_options(&self) -> Vec<(String, Reading)> {
        let with = |words: &str, change: &dyn Fn(&mut Reading)| self.with(words, change);
        vec![
            with("a score of 0 predicts +1", &|r| r.conventions.options.zero = ZeroScore::Positive),
            with("a score of 0 predicts −1", &|r| {
                r.conventions.options.zero = ZeroScore::Negative
            }),
            with("y·s ≤ 0 is a mistake", &|r| r.conventions.options.mistake = Mistake::Margin),
            with("only a wrong label is a mistake", &|r| {
                r.conventions.options.mistake = Mistake::Label
            }),
            with("b moves by ηy", &|r| r.conventions.options.bias = Bias::Unit),
            with("b moves by ηyR²", &|r| r.conventions.options.bias = Bias::Radius),
            with("no bias is learned", &|r| r.conventions.options.bias = Bias::None),
        ]
    }

    /// This reading with another meaning of the sheet.
    fn other_meanings(&self) -> Vec<(String, Reading)> {
        let with = |words: &str, change: &dyn Fn(&mut Reading)| self.with(words, change);
        vec![
            with("b is a threshold, w·x ≥ b", &|r| r.conventions.has_threshold = true),
            with("b is added, w·x + b", &|r| r.conventions.has_threshold = false),
            with("the examples are visited in another order", &|r| r.own_order = true),
            with("the weights begin elsewhere", &|r| {
                r.own_start = true;
                r.conventions.options.init = Init::Random;
            }),
            with("the run goes on after an epoch without a mistake", &|r| {
                r.conventions.makes_all_epochs = true
            }),
            with("epochs, visits and examples are counted from 0", &|r| r.first_number = 0),
            with("the numbers are rounded as 64-bit floats", &|r| {
                r.arithmetic = Arithmetic::Floats
            }),
        ]
    }

    fn with(&self, words: &str, change: &dyn Fn(&mut Reading)) -> (String, Reading) {
        let mut reading = self.clone();
        change(&mut reading);
        (words.to_owned(), reading)
    }

    /// The readings of the notes.
    pub(super) fn other_notes(&self, sheet: &Sheet) -> Vec<(String, Reading)> {
        let of = |notes: LectureNotes| {
            let own = &self.conventions.options;
            let options = Options { eta: own.eta, seed: own.seed, ..notes.options() };
            let conventions = Conventions::new(options, Some(notes));
            let reading = Reading { listed: self.listed, ..Reading::new(sheet, &conventions) };
            (format!("it follows {} (`{notes}`)", notes.title()), reading)
        };
        let all = LectureNotes::ALL.into_iter().map(of);
        all.filter(|(_, reading)| reading != self).collect()
    }
}

impl Conventions {
    /// The b of the sheet for a bias.
    pub(super) fn told(&self, bias: BigRational) -> BigRational {
        if self.has_threshold { -bias } else { bias + BigRational::zero() }
    }
}

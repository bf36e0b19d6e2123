//! Evidence for what the first row of a table is: names or an example.

use std::{
    collections::HashSet,
    ops::ControlFlow::{Break, Continue},
};

use ::csv::ByteRecord;

use super::{
    dialect::{Dialect, first_rows, is_number},
    records::each_record,
};
use crate::{
    number::{self, Number},
    table::missing::MissingSpellings,
};

/// The rows that are looked at, the first one included.
const ROWS: usize = 21;

/// Whether the first row looks like names of columns although some of its cells are numbers: text stands above a column of
/// numbers.
pub(super) fn is_likely_names(block: &[u8], dialect: Dialect) -> bool {
    let rows = first_rows(block, dialect, ROWS);
    let Some((first, below)) = rows.split_first().filter(|(_, below)| !below.is_empty()) else {
        return false;
    };
    (0..first.len()).any(|column| is_text_above_numbers(first, below, column))
}

/// Whether the numbers of the first row name columns: they count up by one, as years and positions do, or are many and rise
/// or fall, as wavelengths do. No row below may look so.
pub(super) fn is_series(block: &[u8], dialect: Dialect) -> bool {
    const FEW: usize = 3;
    let rows = first_rows(block, dialect, ROWS);
    let Some((first, below)) = rows.split_first().filter(|(_, below)| below.len() >= FEW) else {
        return false;
    };
    [counts_up, is_monotone].iter().any(|is| is(first) && !below.iter().any(is))
}

/// Whether at least ten numbers of a row all rise or all fall.
fn is_monotone(row: &ByteRecord) -> bool {
    const MANY: usize = 10;
    let numbers: Vec<f64> = row.iter().filter_map(|cell| finite(cell.trim_ascii())).collect();
    let rise = || numbers.windows(2).all(|pair| pair[0] < pair[1]);
    let fall = || numbers.windows(2).all(|pair| pair[0] > pair[1]);
    numbers.len() >= MANY && (rise() || fall())
}

/// Whether the numbers of a row, at least four or three years, are each greater by 1 than the one before.
fn counts_up(row: &ByteRecord) -> bool {
    const YEARS: std::ops::RangeInclusive<f64> = 1800.0..=2200.0;
    let numbers: Vec<f64> = row.iter().filter_map(|cell| finite(cell.trim_ascii())).collect();
    let is_whole = numbers.iter().all(|number| number.fract() == 0.0);
    let are_years = numbers.iter().all(|number| YEARS.contains(number));
    let is_long = numbers.len() >= if are_years { 3 } else { 4 };
    is_whole && is_long && numbers.windows(2).all(|pair| pair[1] == pair[0] + 1.0)
}

pub(super) fn finite(cell: &[u8]) -> Option<f64> {
    match number::parse(cell) {
        Number::Finite(value) => Some(value),
        _ => None,
    }
}

/// Whether a column has a cell of text in the first row and only numbers below, three or more.
fn is_text_above_numbers(first: &ByteRecord, below: &[ByteRecord], column: usize) -> bool {
    const FEW: usize = 3;
    let top = first.get(column).unwrap_or_default().trim_ascii();
    let is_text = !top.is_empty()
        && !number::is_number(top)
        && !MissingSpellings::default().contain(top)
        && top.iter().any(u8::is_ascii_alphabetic);
    let is_number =
        |row: &ByteRecord| row.get(column).is_some_and(|cell| finite(cell.trim_ascii()).is_some());
    is_text && below.len() >= FEW && below.iter().all(is_number)
}

/// What a first row is that nothing but its cells tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstRow {
    Names,
    Example,
    /// It has numbers, and may be either.
    Unclear,
}

/// The cells of a column below the first row.
#[derive(Default)]
struct Below {
    numbers: u64,
    texts: u64,
    /// The cells that are equal to the first.
    equal: u64,
    values: HashSet<Vec<u8>>,
}

impl Below {
    /// More different values need not be told apart.
    const FEW: usize = 20;

    fn add(&mut self, cell: &[u8], first: &[u8]) {
        if is_missing(cell) {
            return;
        }
        self.equal += u64::from(cell == first);
        if is_number(cell) {
            self.numbers += 1;
            return;
        }
        self.texts += 1;
        if self.values.len() <= Self::FEW {
            self.values.insert(cell.to_vec());
        }
    }

    /// Whether the column has a few texts, again and again.
    fn has_few(&self) -> bool {
        let values = self.values.len();
        self.numbers == 0 && values <= Self::FEW && 2 * values as u64 <= self.texts
    }

    /// Whether a cell in the first row is none of the few values of the column.
    fn excludes(&self) -> bool {
        self.has_few() && self.equal == 0
    }

    /// Whether a cell in the first row is one of the few values of the column, and no name that stands there once more.
    fn shows_example(&self) -> bool {
        self.has_few() && self.equal > 1
    }

    fn fits(&self, cell: &[u8]) -> bool {
        match (self.numbers, self.texts, is_number(cell)) {
            (0, 0, _) => true,
            (_, 0, is_number) => is_number,
            (0, _, is_number) => !is_number && !self.excludes(),
            _ => true,
        }
    }
}

/// What the first row of a block is. It is an example where every cell suits its column, and is shown to be none of the
/// names: by a fraction, by values that come again, or because the table has numbers only.
pub(super) fn kind(block: &[u8], dialect: Dialect) -> FirstRow {
    let rows = first_rows(block, dialect, 1);
    let Some(first) = rows.first() else { return FirstRow::Names };
    let cells: Vec<&[u8]> = first.iter().map(<[u8]>::trim_ascii).collect();
    let has_numbers = cells.iter().any(|cell| is_number(cell));
    let mut columns: Vec<Below> = cells.iter().map(|_| Below::default()).collect();
    let mut is_first = true;
    let stopped = each_record(block, dialect, |_, record| {
        if !std::mem::take(&mut is_first) && record.len() == cells.len() {
            let each = record.iter().zip(&cells).zip(&mut columns);
            each.for_each(|((cell, first), column)| column.add(cell.trim_ascii(), first));
        }
        let shows_names = !has_numbers && columns.iter().any(|column| column.numbers > 0);
        if shows_names { Break(()) } else { Continue(()) }
    });
    let is_empty = columns.iter().all(|column| column.numbers + column.texts == 0);
    if stopped.is_break() || is_empty && !has_numbers {
        return FirstRow::Names;
    }
    let present = || cells.iter().zip(&columns).filter(|(cell, _)| !is_missing(cell));
    if !has_numbers {
        let are_values =
            present().next().is_some() && present().all(|(_, column)| column.equal > 0);
        let fits = || present().all(|(cell, column)| column.fits(cell));
        let is_example =
            are_values || present().any(|(_, column)| column.shows_example()) && fits();
        return if is_example { FirstRow::Example } else { FirstRow::Names };
    }
    let has_texts = columns.iter().any(|column| column.texts > 0);
    let is_shown = !has_texts
        || present().any(|(cell, column)| {
            let is_fraction = match finite(cell) {
                Some(number) => number.fract() != 0.0,
                None => is_number(cell),
            };
            column.equal > 0 || is_fraction
        });
    let fits = present().all(|(cell, column)| column.fits(cell));
    let counts = follow_one_another(first) || is_likely_names(block, dialect);
    if fits && is_shown && !counts && !is_empty { FirstRow::Example } else { FirstRow::Unclear }
}

/// Whether a row has several numbers, and each is greater by 1 than the one before.
fn follow_one_another(row: &ByteRecord) -> bool {
    let numbers: Vec<f64> = row.iter().filter_map(|cell| finite(cell.trim_ascii())).collect();
    numbers.len() > 1 && numbers.windows(2).all(|pair| pair[1] == pair[0] + 1.0)
}

pub(super) fn is_missing(cell: &[u8]) -> bool {
    cell.is_empty() || MissingSpellings::default().contain(cell)
}

/// Whether a row has no number, and a column of the rows below it has nothing else.
pub(super) fn is_above_numbers(row: &ByteRecord, below: &[ByteRecord]) -> bool {
    let is_number = row.iter().any(|cell| is_number(cell.trim_ascii()));
    !is_number && (0..row.len()).any(|column| has_numbers(column, row.len(), below))
}

/// Whether the cells of a column are numbers, in the rows that have `cells` cells.
pub(super) fn has_numbers(column: usize, cells: usize, rows: &[ByteRecord]) -> bool {
    let rows = rows.iter().filter(|row| row.len() == cells);
    let column = rows.filter_map(|row| row.get(column)).map(<[u8]>::trim_ascii);
    let mut present = column.filter(|cell| !is_missing(cell));
    present.next().is_some_and(is_number) && present.all(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Delimiter, Quoting};

    const COMMA: Dialect = Dialect {
        separator: Delimiter::Byte(b','),
        quoting: Quoting { quote: b'"', escape: None, comment: None, whole_rows: false },
    };

    fn likely_names(text: &str) -> bool {
        is_likely_names(text.as_bytes(), COMMA)
    }

    #[test]
    fn numbers_that_are_names() {
        let is_series = |text: &str| is_series(text.as_bytes(), COMMA);
        assert!(is_series("2019,2020,2021,grew\n1,5,2,y\n2,2,2,n\n3,1,3,n\n"));
        assert!(is_series("0,1,2,3\n5.1,3.5,1.4,a\n4.9,3,1.4,b\n4,3,1,b\n"));
        let rising = "x,9.5,9,8.2,7,6,5,4,3,2,1";
        let row = "a,1,2,1,2,1,2,1,2,1,2";
        assert!(is_series(&format!("{rising}\n{row}\n{row}\n{row}\n")));
        assert!(!is_series(&format!("{rising}\n{row}\n{row}\n{rising}\n")));
        // Examples: their numbers do not count up, or those below do so too, or few show it.
        assert!(!is_series("5.1,3.5,1.4,0.2,s\n4.9,3,1.4,0.2,s\n5,3,1,0.1,s\n4,3,1,0.1,s\n"));
        assert!(!is_series("1,2,3,4,a\n2,3,4,5,b\n1,3,2,5,b\n3,3,4,5,b\n"));
        assert!(!is_series("1,2,3\n5,7,1\n5,6,1\n4,5,2\n"));
        assert!(!is_series("0,1,2,3\n5,3,1,a\n4,3,1,b\n"));
        assert!(likely_names("id,7\n1,2\n2,5\n3,4\n"));
        assert!(!likely_names("NA,7\n1,2\n2,5\n3,4\n"));
        assert!(!likely_names("?,7\n1,2\n2,5\n3,4\n") && !likely_names("0,1,2,3\n"));
    }

    #[test]
    fn examples_beyond_doubt() {
        let kind = |text: &str| kind(text.as_bytes(), COMMA);
        assert_eq!(kind("5.1,3.5,setosa\n4.9,3,setosa\n6.3,3,virginica\n"), FirstRow::Example);
        assert_eq!(kind("8,99,0\n5,7,1\n"), FirstRow::Example);
        assert_eq!(kind("p,x\ne,y\np,x\n"), FirstRow::Example);
        assert_eq!(kind("NA,3.5\n1,2\n"), FirstRow::Example);
        let mails = "ham,see you\nspam,win now\nham,at noon\nspam,a prize\nham,no\n";
        assert_eq!(kind(mails), FirstRow::Example);
        assert_eq!(kind(&mails.replacen("see you", "ham", 1)), FirstRow::Example);
        assert_eq!(kind(&mails.replacen("ham", "kind", 1)), FirstRow::Names);
        // Positions, years, and a text that is none of two values.
        for text in [
            "0,1,2\n5.1,3.5,1.4\n",
            "id,2019,2020\na,1,2\nb,5,3\n",
            "2.5,kind\n1,a\n2,b\n3,a\n2,b\n",
            "1,2\n",
            "9,x\n7,y\n",
        ] {
            assert_eq!(kind(text), FirstRow::Unclear, "{text}");
        }
        for text in ["a,b\n1,2\n", "a,b\n", "red,size\nred,x\nblue,y\n", "a,1st\nb,c\n"] {
            assert_eq!(kind(text), FirstRow::Names, "{text}");
        }
    }
}

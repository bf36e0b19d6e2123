//! Evidence for what the first row of a table is: names or an example, and which byte separates its cells.

use std::ops::ControlFlow::{self, Break, Continue};

use ::csv::ByteRecord;

use super::records::each_record;
use crate::{
    number::{self, Number},
    number_form::{Decimal, NumberForm},
    options::Delimiter,
    table::missing::MissingSpellings,
};

/// The rows that are looked at, the first one included.
const ROWS: usize = 21;

/// Whether the first row looks like names of columns although some of its cells are numbers: the numbers count up by one,
/// as years and positions do, or text stands above a column of numbers. No row below may look so.
pub(super) fn is_likely_names(block: &[u8], delimiter: Delimiter) -> bool {
    let rows = first_rows(block, delimiter);
    let Some((first, below)) = rows.split_first().filter(|(_, below)| !below.is_empty()) else {
        return false;
    };
    let counts = counts_up(first) && !below.iter().any(counts_up);
    counts || (0..first.len()).any(|column| is_text_above_numbers(first, below, column))
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

fn finite(cell: &[u8]) -> Option<f64> {
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

/// Whether `separator` cuts all of the first lines into equally many cells, several of which are numbers with a decimal
/// comma, and no cell has another comma. Lines with quotes decide nothing.
pub(super) fn has_decimal_commas_between(block: &[u8], separator: u8) -> bool {
    let whole = memchr::memrchr(b'\n', block).map_or(block, |end| &block[..end]);
    let lines = whole.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let lines: Vec<&[u8]> = lines.take(ROWS).collect();
    let form = NumberForm { decimal: Decimal::Comma, ..NumberForm::default() };
    let is_decimal = |cell: &[u8]| form.parse(cell.trim_ascii()) != Number::Not;
    let cells = |line: &[u8]| memchr::memchr_iter(separator, line).count() + 1;
    let with_comma = lines.iter().flat_map(|line| {
        line.split(move |&byte| byte == separator).filter(|cell| cell.contains(&b','))
    });
    let with_comma: Vec<&[u8]> = with_comma.collect();
    let expected = lines.first().map_or(1, |line| cells(line));
    // A header has no comma, so all commas of a table of one column would be in rows below it.
    expected > 1
        && lines.len() > 1
        && with_comma.len() > 1
        && lines.iter().all(|line| cells(line) == expected && !line.contains(&b'"'))
        && with_comma.into_iter().all(is_decimal)
}

fn first_rows(block: &[u8], delimiter: Delimiter) -> Vec<ByteRecord> {
    let mut rows = Vec::new();
    let _: ControlFlow<()> = each_record(block, delimiter, |_, record| {
        rows.push(record.clone());
        if rows.len() < ROWS { Continue(()) } else { Break(()) }
    });
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likely_names(text: &str) -> bool {
        is_likely_names(text.as_bytes(), Delimiter::Byte(b','))
    }

    #[test]
    fn numbers_that_are_names() {
        assert!(likely_names("2019,2020,2021,grew\n1,5,2,y\n2,2,2,n\n"));
        assert!(likely_names("0,1,2,3\n5.1,3.5,1.4,a\n4.9,3,1.4,b\n"));
        assert!(likely_names("id,7\n1,2\n2,5\n3,4\n"));
        // Examples: their numbers do not count up, or those below do so too.
        assert!(!likely_names("5.1,3.5,1.4,0.2,setosa\n4.9,3,1.4,0.2,setosa\n"));
        assert!(!likely_names("1,2,3,4,a\n2,3,4,5,b\n"));
        assert!(!likely_names("1,2,3\n5,7,1\n"));
        assert!(!likely_names("NA,7\n1,2\n2,5\n3,4\n"));
        assert!(!likely_names("?,7\n1,2\n2,5\n3,4\n") && !likely_names("0,1,2,3\n"));
    }

    #[test]
    fn commas_in_numbers_between_semicolons() {
        let between = |text: &str| has_decimal_commas_between(text.as_bytes(), b';');
        assert!(between("1,5;2,5;a\n3,5;4,5;b\n") && between("a;b\n1,5;x\n2,5;y\n"));
        for text in
            ["a,b\n1,2\n", "1,5;2;a\n", "1,5;2\n1,5\n", "a,\"1;2\"\nb,\"3;4\"\n", "a;b,c\nd;e,f\n"]
        {
            assert!(!between(text), "{text}");
        }
    }
}

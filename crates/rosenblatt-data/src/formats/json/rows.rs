//! The rows of a block: objects, lists, or one value of each column.

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use super::{
    columns::ColumnTable,
    error::JsonProblem,
    object::{Member, Scanner, Value, nested_end},
};
use crate::{
    fault::{Fault, Problem},
    options::ReadOptions,
};

/// What the rows of a file are.
pub(super) enum Rows {
    /// Objects: a key names the column of its value.
    Objects(Form),
    /// Lists: the columns are called so, in the order of the values.
    Lists(Form, Vec<String>),
    /// The values of each column stand together.
    Columns(ColumnTable),
    /// Lines of another format.
    Other(Arc<dyn LineRows>),
}

/// A format of one row a line that is not JSON, and whose columns are decided as those of JSON.
pub(in crate::formats) trait LineRows: Send + Sync {
    /// The names of the columns.
    fn names(&self) -> &[String];

    /// The options with what the file itself says of its columns.
    fn options(&self, options: ReadOptions) -> ReadOptions;

    /// Whether a line is no row.
    fn is_comment(&self, line: &[u8]) -> bool;

    /// The values of a line, with offsets from its beginning.
    fn members<'r>(&'r self, line: &'r [u8]) -> Result<Vec<Member<'r>>, Fault>;
}

/// How the rows of a file stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// One on each line.
    Lines,
    /// The only one is all of the file.
    One,
    /// One after the other with commas in between, up to a bracket. What comes before the first one is blank.
    Sequence {
        /// The bracket.
        end: u8,
        /// Whether each has a key.
        keyed: bool,
        /// Whether the bracket is followed by the end of an object.
        within: bool,
    },
}

impl Form {
    /// The rows of a list that is all of the file.
    pub(super) const LIST: Form = Form::Sequence { end: b']', keyed: false, within: false };
}

/// The bytes of a row in a block, or of a blank line.
pub(super) struct Record<'b> {
    pub(super) start: usize,
    pub(super) bytes: &'b [u8],
    /// The number of the row in the block, where the values of a column stand together.
    row: usize,
}

impl Record<'_> {
    pub(super) fn is_blank(&self) -> bool {
        self.bytes.iter().all(u8::is_ascii_whitespace)
    }
}

impl Rows {
    /// The names of the columns, if they are known before any row.
    pub(super) fn names(&self) -> &[String] {
        match self {
            Rows::Objects(_) => &[],
            Rows::Lists(_, names) => names,
            Rows::Columns(table) => &table.names,
            Rows::Other(rows) => rows.names(),
        }
    }

    /// The rows of a block, in order. After a fault there is none.
    pub(super) fn records<'b>(
        &self,
        block: &'b [u8],
        is_last: bool,
    ) -> Box<dyn Iterator<Item = Result<Record<'b>, Fault>> + 'b> {
        let form = match self {
            Rows::Objects(form) | Rows::Lists(form, _) => *form,
            Rows::Other(rows) => {
                let (lines, rows) = (lines(block), rows.clone());
                let without_comments = move |record: Record<'b>| {
                    let is_comment = rows.is_comment(record.bytes);
                    Ok(if is_comment { Record { bytes: b"", ..record } } else { record })
                };
                return Box::new(lines.map(without_comments));
            }
            Rows::Columns(table) => {
                let row = move |row| Ok(Record { start: 0, bytes: block, row });
                return Box::new((0..table.rows).map(row));
            }
        };
        let are_lists = matches!(self, Rows::Lists(..));
        match form {
            Form::One => Box::new(std::iter::once(Ok(Record { start: 0, bytes: block, row: 0 }))),
            Form::Lines => Box::new(lines(block).map(Ok)),
            Form::Sequence { end, keyed, within } => Box::new(Sequence {
                scanner: Scanner { bytes: block, at: 0 },
                end,
                keyed,
                within,
                are_lists,
                is_last,
                ended: false,
                after_comma: false,
            }),
        }
    }

    /// The members of a row, with offsets from its beginning.
    pub(super) fn members<'r>(&'r self, record: &Record<'r>) -> Result<Vec<Member<'r>>, Fault> {
        let mut scanner = Scanner { bytes: record.bytes, at: 0 };
        let members = match self {
            Rows::Objects(_) => scanner.object()?,
            Rows::Lists(_, names) => of_list(&mut scanner, names)?,
            Rows::Columns(table) => return table.members(record.bytes, record.row),
            Rows::Other(rows) => return rows.members(record.bytes),
        };
        if scanner.next().is_some() {
            return Err(scanner.unexpected("one object per line"));
        }
        Ok(members)
    }
}

impl Rows {
    /// The offset of the value of a column in this row, if the block has it, or without a row that of its name in any;
    /// `before` is the number of rows before the block, and then of those before the next one.
    pub(super) fn find(
        &self,
        block: &[u8],
        is_last: bool,
        row: Option<u64>,
        column: &str,
        before: &mut u64,
    ) -> Option<usize> {
        for record in self.records(block, is_last).map_while(Result::ok) {
            let Ok(members) = self.members(&record) else { continue };
            let member = members.iter().find(|member| member.name == column);
            match (row, member) {
                (Some(row), _) if row != *before => {}
                (Some(_), None) => return Some(record.start),
                (Some(_), Some(member)) => return Some(record.start + member.value_at),
                (None, Some(member)) => return Some(record.start + member.name_at),
                (None, None) => {}
            }
            *before += 1;
        }
        None
    }
}

fn lines(block: &[u8]) -> impl Iterator<Item = Record<'_>> {
    let mut end = 0;
    block.split_inclusive(|&byte| byte == b'\n').map(move |bytes| {
        let start = end;
        end += bytes.len();
        Record { start, bytes, row: 0 }
    })
}

/// The columns of keys. In most rows they have one order.
#[derive(Default)]
pub(super) struct Keys {
    names: Vec<String>,
    places: HashMap<String, usize>,
}

impl Keys {
    /// The column of a key, which probably follows the column `before`.
    pub(super) fn find(&self, name: &str, before: Option<usize>) -> Option<usize> {
        let next = before.map_or(0, |before| before + 1);
        match self.names.get(next) {
            Some(expected) if expected == name => Some(next),
            _ => self.places.get(name).copied(),
        }
    }

    /// Adds a key, which is new.
    pub(super) fn add(&mut self, name: &str) {
        self.places.insert(name.to_owned(), self.names.len());
        self.names.push(name.to_owned());
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }
}

/// The fault of a key that its object has twice.
pub(super) fn twice(member: &Member<'_>) -> Fault {
    let name = member.name.clone().into_owned();
    Fault::new(member.name_at, Problem::DuplicateColumn { name })
}

fn of_list<'r>(scanner: &mut Scanner<'r>, names: &'r [String]) -> Result<Vec<Member<'r>>, Fault> {
    scanner.next();
    let start = scanner.at;
    let values = scanner.list()?;
    if values.len() != names.len() {
        let (found, expected) = (values.len(), names.len());
        return Err(Fault::new(start, JsonProblem::Length { found, expected }));
    }
    let member = |(name, (value, at)): (&'r String, (Value<'r>, usize))| Member {
        name: Cow::Borrowed(name.as_str()),
        value,
        name_at: at,
        value_at: at,
    };
    Ok(names.iter().zip(values).map(member).collect())
}

/// Rows with commas in between.
struct Sequence<'b> {
    scanner: Scanner<'b>,
    end: u8,
    keyed: bool,
    within: bool,
    are_lists: bool,
    is_last: bool,
    ended: bool,
    after_comma: bool,
}

impl<'b> Sequence<'b> {
    fn record(&mut self) -> Result<Option<Record<'b>>, Fault> {
        let scanner = &mut self.scanner;
        match scanner.next() {
            None if !self.is_last => return Ok(None),
            Some(byte) if byte == self.end && !self.after_comma => {
                scanner.at += 1;
                return self.pass_end().map(|()| None);
            }
            _ => {}
        }
        if self.keyed {
            scanner.key()?;
        }
        let (first, expected, end) = match self.are_lists {
            true => (b'[', "a list, which begins with `[`", "a list with its end"),
            false => (b'{', "an object, which begins with `{`", "an object with its end"),
        };
        if scanner.next() != Some(first) {
            return Err(scanner.unexpected(expected));
        }
        let (start, rest) = (scanner.at, &scanner.bytes[scanner.at..]);
        let length = nested_end(rest).ok_or_else(|| scanner.unexpected(end))?;
        scanner.at += length;
        self.after_comma = scanner.passes(b',');
        if !self.after_comma && scanner.next() != Some(self.end) {
            return Err(scanner.unexpected(match (self.end, self.are_lists) {
                (b'}', _) => "`,` or `}` after an object",
                (_, true) => "`,` or `]` after a row of the list",
                (_, false) => "`,` or `]` after an object of the list",
            }));
        }
        // After the comma of the last row of a block comes the next block.
        if scanner.next().is_none() && !self.is_last {
            self.after_comma = false;
        }
        Ok(Some(Record { start, bytes: &rest[..length], row: 0 }))
    }

    /// Passes what follows the rows: at most the other members of the object that holds them, of which none is a table.
    fn pass_end(&mut self) -> Result<(), Fault> {
        let scanner = &mut self.scanner;
        while self.within && scanner.passes(b',') {
            let (name, name_at) = scanner.key()?;
            if is_table(scanner, &name, self.are_lists) {
                let name = name.into_owned();
                return Err(Fault::new(name_at, JsonProblem::SecondTable { name }));
            }
            scanner.any()?;
        }
        if self.within {
            scanner.pass(b'}', "`,` or `}`")?;
        }
        match scanner.next() {
            None => Ok(()),
            Some(_) => Err(scanner.unexpected("nothing after the list")),
        }
    }
}

/// Keys beside rows that tell about their columns or give them names.
const ABOUT_COLUMNS: [&str; 8] =
    ["columns", "column_names", "feature_names", "fields", "header", "headers", "index", "dtypes"];

/// Whether the value that is next may be rows or a column too. Beside rows that are lists, that is any list.
pub(super) fn is_table(scanner: &mut Scanner<'_>, key: &str, are_lists: bool) -> bool {
    if ABOUT_COLUMNS.contains(&key) || scanner.next() != Some(b'[') {
        return false;
    }
    match first_within(scanner) {
        Some(b'{' | b'[') => true,
        Some(b']') => false,
        _ => are_lists,
    }
}

/// The first byte within the list that is next.
pub(super) fn first_within(scanner: &Scanner<'_>) -> Option<u8> {
    Scanner { bytes: scanner.bytes, at: scanner.at + 1 }.next()
}

impl<'b> Iterator for Sequence<'b> {
    type Item = Result<Record<'b>, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let record = self.record();
        self.ended = !matches!(record, Ok(Some(_)));
        record.transpose()
    }
}

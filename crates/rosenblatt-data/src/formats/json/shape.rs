//! What the rows of a file are, by how it begins.
//!
//! A file is objects, one on each line (JSON Lines); a list of objects or of lists; or one object that holds such a list, an
//! object for each row, or the values of each column. The last forms are those of pandas: `records`, `values`, `table` and
//! `split`, `index`, `columns`.

use std::{borrow::Cow, collections::HashSet, sync::Arc};

use super::{
    columns::ColumnTable,
    error::JsonProblem,
    object::{Member, Scanner, Value, nested_end},
    rows::{Form, LineRows, Rows, first_within, is_table},
};
use crate::{
    fault::{Fault, Problem},
    input::{blocks::Ending, text::Text},
    read_error::ReadError,
    text::counted,
};

/// The rows of a file.
pub(super) struct Shape {
    pub(super) rows: Rows,
    /// The bytes of the block before its first row.
    before: usize,
    /// The columns that name the rows.
    pub(super) row_names: Vec<String>,
    /// What the file is, in words.
    pub(super) words: String,
    /// Whether the name of the format alone does not say how the file was read.
    pub(super) is_noted: bool,
}

impl Shape {
    /// The shape of a file whose first byte that is not blank is at `first` of the block. A block is taken up to its end
    /// where all of the file has to be seen.
    pub(super) fn find(
        text: &mut Text,
        block: &mut Vec<u8>,
        first: usize,
    ) -> Result<Self, ReadError> {
        if block[first] != b'{' {
            return Ok(Shape::of_list(block, first));
        }
        match nested_end(&block[first..]) {
            Some(end) if text.goes_on() || !is_blank(&block[first + end..]) => return Ok(lines()),
            _ => {}
        }
        match document(block, first, !text.goes_on()) {
            Ok(Some(shape)) => return Ok(shape),
            Ok(None) => {}
            Err(fault) => return Err(text.fault(block, fault)),
        }
        text.set_ending(Ending::Every(1));
        if !text.take_rest(block, ColumnTable::MOST)? {
            let problem = JsonProblem::TooLarge { most: ColumnTable::MOST };
            return Err(text.fault(block, Fault::new(first, problem)));
        }
        let shape = document(block, first, true).map_err(|fault| text.fault(block, fault))?;
        Ok(shape.unwrap_or_else(lines))
    }

    pub(super) fn of_lines(rows: Arc<dyn LineRows>) -> Self {
        Shape { rows: Rows::Other(rows), ..lines() }
    }

    /// Of a list, or of lists one on each line.
    fn of_list(block: &[u8], first: usize) -> Self {
        let of = |rows, before, words: &str, is_noted| Shape {
            rows,
            before,
            row_names: Vec::new(),
            words: words.to_owned(),
            is_noted,
        };
        if block[first] != b'[' {
            return lines();
        }
        match first_within(&Scanner { bytes: block, at: first }) {
            None | Some(b'{' | b']') => {
                of(Rows::Objects(Form::LIST), first + 1, "a JSON list", false)
            }
            Some(b'[') => {
                of(Rows::Lists(Form::LIST, Vec::new()), first + 1, "a JSON list of lists", true)
            }
            Some(_) => of(
                Rows::Lists(Form::Lines, Vec::new()),
                first,
                "JSON lists, one on each line",
                true,
            ),
        }
    }

    /// Removes what comes before the first row, where there are rows: its lines, and makes the rest blank, so that columns
    /// keep their numbers. `first` is the place of the first byte that is not blank.
    pub(super) fn remove_before(&self, text: &mut Text, block: &mut Vec<u8>, first: usize) {
        if matches!(self.rows, Rows::Columns(_)) {
            return;
        }
        let lines = memchr::memrchr(b'\n', &block[..self.before.max(first)]).map_or(0, |i| i + 1);
        text.pass(&block[..lines]);
        if lines >= self.before {
            block.drain(..lines);
            return;
        }
        let is_first_of_character = |byte: &u8| byte & 0b1100_0000 != 0b1000_0000;
        let width =
            block[lines..self.before].iter().filter(|byte| is_first_of_character(byte)).count();
        block.splice(..self.before, std::iter::repeat_n(b' ', width));
    }

    /// Whether the rows are parts of the file, so that not all of it has to be in memory.
    pub(super) fn is_sequence(&self) -> bool {
        matches!(
            &self.rows,
            Rows::Objects(Form::Sequence { .. }) | Rows::Lists(Form::Sequence { .. }, _)
        )
    }
}

fn lines() -> Shape {
    Shape {
        rows: Rows::Objects(Form::Lines),
        before: 0,
        row_names: Vec::new(),
        words: "JSON Lines".to_owned(),
        is_noted: false,
    }
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_whitespace)
}

/// The members of an object that is all of a file, as far as they were looked at.
#[derive(Default)]
struct Outer<'b> {
    /// The names and places of those that are objects.
    objects: Vec<(Cow<'b, str>, usize)>,
    /// Of those that are lists of values.
    lists: Vec<(Cow<'b, str>, usize)>,
    others: usize,
}

/// The shape of an object at `first`; `None` if more of it has to be seen.
fn document(block: &[u8], first: usize, is_whole: bool) -> Result<Option<Shape>, Fault> {
    let mut scanner = Scanner { bytes: block, at: first };
    let mut outer = Outer::default();
    match outer.look(&mut scanner) {
        Ok(Some(shape)) => return Ok(Some(shape)),
        Ok(None) => {}
        Err(_) if !is_whole => return Ok(outer.index(block, first, false)),
        Err(fault) => return Err(fault),
    }
    let end = scanner.at;
    if scanner.next().is_some() {
        return Err(scanner.unexpected("nothing after the object"));
    }
    let shape = outer.columns(block, first)?;
    let is_line = !block[first..end].contains(&b'\n');
    let is_one = matches!(shape.rows, Rows::Objects(Form::One));
    Ok(Some(if is_one && is_line { lines() } else { shape }))
}

impl<'b> Outer<'b> {
    /// Looks at the members up to a list of rows.
    fn look(&mut self, scanner: &mut Scanner<'b>) -> Result<Option<Shape>, Fault> {
        let mut names = HashSet::new();
        scanner.pass(b'{', "an object, which begins with `{`")?;
        if scanner.passes(b'}') {
            return Ok(None);
        }
        loop {
            let (name, name_at) = scanner.key()?;
            let (next, at) = (scanner.next(), scanner.at);
            if !names.insert(name.clone()) {
                let name = name.into_owned();
                return Err(Fault::new(name_at, Problem::DuplicateColumn { name }));
            }
            if is_table(scanner, &name, false) {
                return self.table(scanner, &name, name_at).map(Some);
            }
            scanner.any()?;
            match next {
                Some(b'{') => self.objects.push((name, at)),
                Some(b'[') => self.lists.push((name, at)),
                _ => self.others += 1,
            }
            if !scanner.passes(b',') {
                scanner.pass(b'}', "`,` or `}`")?;
                return Ok(None);
            }
        }
    }

    /// The list of rows that is next, as the member `name`.
    fn table(&self, scanner: &mut Scanner<'b>, name: &str, name_at: usize) -> Result<Shape, Fault> {
        let form = Form::Sequence { end: b']', keyed: false, within: true };
        let are_lists = first_within(scanner) == Some(b'[');
        let before = scanner.at + 1;
        let in_words = |words: &str| match (words, self.lists.is_empty() && self.objects.is_empty())
        {
            ("", true) => format!("the JSON list `{name}`"),
            ("", false) => format!("the JSON list `{name}`, beside which are other values"),
            _ => words.to_owned(),
        };
        if !are_lists {
            let row_names = self.row_names(scanner.bytes)?;
            let words =
                in_words(if self.has_object("schema") { "a JSON table as of pandas" } else { "" });
            let rows = Rows::Objects(form);
            return Ok(Shape { rows, before, row_names, words, is_noted: true });
        }
        let mut columns = Vec::new();
        for (key, at) in &self.lists {
            match &**key {
                "index" => {}
                "columns" | "column_names" | "feature_names" | "header" | "headers" => {
                    columns = names(&mut Scanner { bytes: scanner.bytes, at: *at })?;
                }
                _ => {
                    let name = key.clone().into_owned();
                    return Err(Fault::new(name_at, JsonProblem::SecondTable { name }));
                }
            }
        }
        let words = in_words(if columns.is_empty() {
            ""
        } else {
            "a JSON list of lists with the names of columns"
        });
        let rows = Rows::Lists(form, columns);
        Ok(Shape { rows, before, row_names: Vec::new(), words, is_noted: true })
    }

    fn has_object(&self, wanted: &str) -> bool {
        self.objects.iter().any(|(name, _)| name == wanted)
    }

    /// The columns that a schema calls the key of the rows.
    fn row_names(&self, block: &[u8]) -> Result<Vec<String>, Fault> {
        let schema = self.objects.iter().find(|(name, _)| name == "schema");
        let Some((_, at)) = schema else { return Ok(Vec::new()) };
        let members = Scanner { bytes: block, at: *at }.object()?;
        let key =
            |member: &&Member<'_>| member.name == "primaryKey" && block[member.value_at] == b'[';
        match members.iter().find(key) {
            None => Ok(Vec::new()),
            Some(key) => names(&mut Scanner { bytes: block, at: key.value_at }),
        }
    }

    /// The rows of an object that is all of the file.
    fn columns(self, block: &[u8], first: usize) -> Result<Shape, Fault> {
        let (objects, lists) = (self.objects.len(), self.lists.len());
        if let Some(index) = self.index(block, first, true) {
            return Ok(index);
        }
        let (columns, words) = match (objects, lists, self.others) {
            (1.., 0, 0) if are_columns(block, &self.objects) => {
                let columns = counted(objects as u64, "column");
                (self.objects, format!("a JSON object of {columns}, with a value for each row"))
            }
            (0, 2.., 0) => {
                let columns = counted(lists as u64, "column");
                (self.lists, format!("a JSON object of {columns}, with a list of values for each"))
            }
            _ => {
                let (rows, words) = (Rows::Objects(Form::One), "one JSON object".to_owned());
                return Ok(Shape {
                    rows,
                    before: 0,
                    row_names: Vec::new(),
                    words,
                    is_noted: false,
                });
            }
        };
        let rows = Rows::Columns(ColumnTable::new(block, &columns)?);
        Ok(Shape { rows, before: 0, row_names: Vec::new(), words, is_noted: true })
    }

    /// The shape of an object of rows, if the objects that were looked at show that.
    fn index(&self, block: &[u8], first: usize, is_whole: bool) -> Option<Shape> {
        let are_objects = self.lists.is_empty() && self.others == 0;
        (are_objects && are_rows(block, &self.objects, is_whole)).then(|| Shape {
            rows: Rows::Objects(Form::Sequence { end: b'}', keyed: true, within: false }),
            before: first + 1,
            row_names: Vec::new(),
            words: "a JSON object of rows".to_owned(),
            is_noted: true,
        })
    }
}

/// The names in a list.
fn names(scanner: &mut Scanner<'_>) -> Result<Vec<String>, Fault> {
    let (mut names, mut seen) = (Vec::new(), HashSet::new());
    for (value, at) in scanner.list()? {
        let name = match value {
            Value::Text(name) => name.into_owned(),
            Value::Number(number) => String::from_utf8_lossy(number).into_owned(),
            _ => {
                let at = Scanner { bytes: scanner.bytes, at };
                return Err(at.unexpected("the name of a column, in quotes"));
            }
        };
        if !seen.insert(name.clone()) {
            return Err(Fault::new(at, Problem::DuplicateColumn { name }));
        }
        names.push(name);
    }
    Ok(names)
}

/// The keys of the object at `at`.
fn keys(block: &[u8], at: usize) -> Vec<Cow<'_, str>> {
    let mut scanner = Scanner { bytes: block, at };
    let mut keys = Vec::new();
    let mut all = || -> Result<(), Fault> {
        scanner.pass(b'{', "")?;
        loop {
            keys.push(scanner.key()?.0);
            scanner.any()?;
            if !scanner.passes(b',') {
                return Ok(());
            }
        }
    };
    // The object has been looked at; it may be empty.
    let _ = all();
    keys
}

fn is_count(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether all objects are of one kind: each has a key of the first.
fn are_alike(block: &[u8], objects: &[(Cow<'_, str>, usize)], first: &[Cow<'_, str>]) -> bool {
    let first: HashSet<&str> = first.iter().map(|key| &**key).collect();
    objects[1..].iter().all(|(_, at)| {
        let mut scanner = Scanner { bytes: block, at: at + 1 };
        scanner.next() == Some(b'}') || scanner.key().is_ok_and(|(key, _)| first.contains(&*key))
    })
}

/// Whether the objects, one or more, are rows rather than columns: rows are counted, or else there are more of them than of
/// columns.
fn are_rows(block: &[u8], objects: &[(Cow<'_, str>, usize)], is_whole: bool) -> bool {
    let Some((_, at)) = objects.first() else { return false };
    let inner = keys(block, *at);
    if inner.is_empty() || !are_alike(block, objects, &inner) {
        return false;
    }
    let outer_count = objects.iter().all(|(name, _)| is_count(name));
    match (outer_count, inner.iter().all(|key| is_count(key))) {
        (true, false) => true,
        (false, true) => false,
        _ => is_whole && objects.len() > inner.len(),
    }
}

/// Whether the objects, one or more, are columns rather than the parts of one row.
fn are_columns(block: &[u8], objects: &[(Cow<'_, str>, usize)]) -> bool {
    let inner = keys(block, objects[0].1);
    let are_counted = inner.iter().all(|key| is_count(key));
    !inner.is_empty() && (objects.len() > 1 || are_counted) && are_alike(block, objects, &inner)
}

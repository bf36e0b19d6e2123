//! The lines above the examples of a table: titles, comments and the names of its columns.
//!
//! A name is a label, the position of a column is its identity: a column without a name is called by its position, and of
//! several of one name the later ones are numbered.

use std::{
    collections::HashSet,
    ops::{
        ControlFlow::{Break, Continue},
        Range,
    },
};

use ::csv::ByteRecord;

use super::{
    dialect::{Dialect, is_number, usual_cells, without_end},
    error::CsvProblem,
    first_row::{self, FirstRow, is_above_numbers},
    records::{cell_offset, each_record},
};
use crate::{
    fault::{Excerpt, Fault, Problem},
    notes::TableNote,
    options::{Header, ReadOptions},
    read_error::Place,
    table::schema::Columns,
};

/// The names of the columns of a table, and where they come from.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub(super) names: Vec<String>,
    /// Whether the first row names the columns.
    pub(super) is_row: bool,
    /// Whether anything does.
    pub(super) is_named: bool,
    /// Whether rows may have empty cells more at their end.
    pub(super) ends_with_separator: bool,
    /// The columns whose name an earlier one has, each with that name.
    pub(super) doubled: Vec<(usize, String)>,
    /// The columns without a name.
    pub(super) nameless: Vec<usize>,
    /// Rows that are no examples.
    pub(super) odd_rows: Vec<(ByteRecord, CsvProblem)>,
    /// What the two rows below the names say of the columns.
    pub(super) declared: Option<Declared>,
    pub(super) notes: Vec<TableNote>,
}

/// What two rows below the names say of the columns, as Orange writes them: their kinds and their roles.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Declared {
    label: Option<usize>,
    ignored: Vec<usize>,
    categorical: Vec<usize>,
}

impl Declared {
    /// What the second and the third row say, if they do.
    fn of(kinds: &ByteRecord, roles: &ByteRecord) -> Option<Self> {
        const KINDS: [&str; 10] =
            ["", "c", "continuous", "d", "discrete", "s", "string", "t", "time", "basket"];
        const ROLES: [&str; 9] = ["", "class", "c", "meta", "m", "ignore", "i", "weight", "w"];
        let word = |row: &ByteRecord, column: usize| {
            let cell = row.get(column).unwrap_or_default().trim_ascii();
            String::from_utf8_lossy(cell).into_owned()
        };
        let columns = || 0..kinds.len();
        let has_kind = |column: &usize| KINDS.contains(&word(kinds, *column).as_str());
        let has_role = |column| {
            let role = word(roles, column);
            ROLES.contains(&role.as_str()) || role.contains('=')
        };
        let filled = columns().filter(|&column| !word(kinds, column).is_empty()).count();
        let is_long = |column: usize| word(roles, column).len() > 1;
        // A list of values stands for `discrete`; without the word of a role, it may be any text.
        let names_role = columns().any(is_long);
        let is_list = |column: &usize| names_role && word(kinds, *column).contains(' ');
        let known = columns().filter(|column| has_kind(column) || is_list(column)).count();
        let are_kinds = kinds.len() == roles.len() && 2 * known > kinds.len() && filled > 0;
        let empty = columns().filter(|&column| word(roles, column).is_empty()).count();
        // Letters alone may be an example.
        let are_roles = columns().all(has_role) && (names_role || 2 * empty >= kinds.len());
        if !are_kinds || !are_roles {
            return None;
        }
        let is_role =
            |column: usize, names: [&str; 2]| names.contains(&word(roles, column).as_str());
        let is_category = |column: &usize| {
            ["d", "discrete"].contains(&word(kinds, *column).as_str()) || !has_kind(column)
        };
        Some(Declared {
            label: columns().find(|&column| is_role(column, ["class", "c"])),
            ignored: columns().filter(|&column| is_role(column, ["ignore", "i"])).collect(),
            categorical: columns().filter(is_category).collect(),
        })
    }

    /// The options with what is declared, where they do not say otherwise.
    pub(super) fn applied_to(&self, options: &ReadOptions) -> ReadOptions {
        let mut declared = options.clone();
        let position = |column: &usize| (column + 1).to_string();
        declared.target = options.target.clone().or(self.label.as_ref().map(position));
        declared.ignore.extend(self.ignored.iter().map(position));
        let is_label = |column: &&usize| Some(**column) == self.label;
        let categories = self.categorical.iter().filter(|column| !is_label(column));
        declared.categorical.extend(categories.map(position));
        declared
    }
}

impl Head {
    /// The number of rows above the examples.
    pub(super) fn rows(&self) -> usize {
        match (self.is_row, &self.declared) {
            (false, _) => 0,
            (true, None) => 1,
            (true, Some(_)) => 3,
        }
    }

    /// The fault of a name that a model needs, if several columns have it and those of the training file had not.
    pub(super) fn doubled_of(&self, model: &Columns) -> Option<Fault> {
        let known = |name: &String| {
            model.ignored.contains(name)
                || model.target == *name
                || model.features.iter().any(|column| column.name == *name)
        };
        let needed = |name: &String| model.features.iter().any(|column| column.name == *name);
        let of_model =
            |(column, name): &&(usize, String)| needed(name) && !known(&self.names[*column]);
        let (column, name) = self.doubled.iter().find(of_model)?;
        Some(Fault::new(0, self.same_name(*column, name.clone())))
    }

    fn same_name(&self, column: usize, name: String) -> CsvProblem {
        let first = self.names.iter().position(|one| *one == name).unwrap_or(column);
        CsvProblem::SameName { name, positions: [first + 1, column + 1] }
    }
}

/// What is known of the head of a table before it is read.
pub(super) struct HeadQuestion<'b> {
    /// A block that begins with the first row.
    pub(super) block: &'b [u8],
    /// The comment lines above it.
    pub(super) comments: &'b [u8],
    pub(super) dialect: Dialect,
    pub(super) header: Header,
    /// The lines of the file before the block.
    pub(super) before: u64,
    /// The names that a model needs.
    pub(super) needed: Option<&'b [&'b str]>,
}

/// The rows below a first row of another length.
struct Longer {
    cells: usize,
    /// Whether each cell for which there is no name is empty.
    ends_empty: bool,
    /// Whether no two first cells are equal, and they are texts, or whole numbers that increase.
    has_row_names: bool,
    line: u64,
}

impl HeadQuestion<'_> {
    /// Finds the names of the columns.
    pub(super) fn head(&self, options: &ReadOptions) -> Result<Head, Fault> {
        let first = self.first();
        let mut head = match self.comment_names(&first) {
            Some(names) => Head {
                is_named: true,
                notes: vec![TableNote::NamesInComment],
                ..self.named(&names)?
            },
            None => self.of_first_row(&first)?,
        };
        self.suit_rows(&first, &mut head, options)?;
        self.tell_apart(&mut head);
        if let Some((column, name)) =
            head.doubled.iter().find(|(_, name)| options.names_column(name)).cloned()
        {
            let problem = head.same_name(column, name);
            return Err(self.fault(column, problem));
        }
        if head.is_row && head.names.len() > 1 {
            head.declared = self.declared();
            match head.declared {
                Some(_) => head.notes.push(TableNote::Declared),
                None => head.odd_rows = self.odd_rows(first),
            }
        }
        Ok(head)
    }

    fn declared(&self) -> Option<Declared> {
        match &super::dialect::first_rows(self.block, self.dialect, 3)[..] {
            [names, kinds, roles] if names.len() == kinds.len() => Declared::of(kinds, roles),
            _ => None,
        }
    }

    fn of_first_row(&self, first: &ByteRecord) -> Result<Head, Fault> {
        let numbered = || (1..=first.len()).map(|position| position.to_string()).collect();
        match self.header {
            Header::Absent => return Ok(Head { names: numbered(), ..Head::default() }),
            Header::Expected if first_row::kind(self.block, self.dialect) == FirstRow::Example => {
                let notes = vec![TableNote::FirstRowIsExample];
                return Ok(Head { names: numbered(), notes, ..Head::default() });
            }
            Header::Expected if first_row::is_series(self.block, self.dialect) => {
                let notes = vec![TableNote::NumbersAreNames];
                let present = HeadQuestion { header: Header::Present, ..*self };
                return Ok(Head { is_row: true, is_named: true, notes, ..present.named(first)? });
            }
            Header::Expected | Header::Present => {}
        }
        Ok(Head { is_row: true, is_named: true, ..self.named(first)? })
    }

    /// The names in a row, some of which may be empty.
    fn named(&self, row: &ByteRecord) -> Result<Head, Fault> {
        let names =
            row.iter().enumerate().map(|(column, cell)| self.name(column, cell.trim_ascii()));
        Ok(Head { names: names.collect::<Result<_, _>>()?, ..Head::default() })
    }

    fn name(&self, column: usize, cell: &[u8]) -> Result<String, Fault> {
        let text = || Excerpt::new(cell);
        let name = std::str::from_utf8(cell)
            .map_err(|_| self.fault(column, Problem::NotUtf8 { text: text() }))?;
        if self.header == Header::Expected && is_number(cell) {
            let likely_names = first_row::is_likely_names(self.block, self.dialect);
            let problem = CsvProblem::HeaderIsNumber { text: text(), likely_names };
            return Err(self.fault(column, problem));
        }
        Ok(name.to_owned())
    }

    /// The names in the last comment line that has as many cells as the first row, where that row names nothing.
    fn comment_names(&self, first: &ByteRecord) -> Option<ByteRecord> {
        let lines = self.comments.split(|&byte| byte == b'\n').rev();
        let texts = lines.filter_map(|line| line.strip_prefix(b"#"));
        let cells = texts.map(|text| text.trim_ascii_start()).filter_map(|text| {
            let row = each_record(text, self.dialect, |_, record| Break(record.clone()));
            row.break_value()
        });
        let mut found = cells.filter(|row| row.len() == first.len() && row.len() > 1);
        let row = found.next()?;
        let cells: Vec<&[u8]> = row.iter().map(<[u8]>::trim_ascii).collect();
        let are_names = cells.iter().all(|cell| !cell.is_empty() && !is_number(cell))
            && cells.iter().collect::<HashSet<_>>().len() == cells.len();
        let is_free = match (self.header, self.needed) {
            (Header::Absent, _) => false,
            (_, Some(needed)) => {
                let has = |name: &&str| cells.contains(&name.as_bytes());
                let first: Vec<&[u8]> = first.iter().map(<[u8]>::trim_ascii).collect();
                needed.iter().all(has)
                    && !needed.iter().all(|name| first.contains(&name.as_bytes()))
            }
            (Header::Present, None) => false,
            (Header::Expected, None) => {
                first_row::kind(self.block, self.dialect) != FirstRow::Names
                    && !first_row::is_likely_names(self.block, self.dialect)
            }
        };
        (are_names && is_free).then_some(row)
    }

    /// Suits the names to the rows, where all of these have another number of cells.
    fn suit_rows(
        &self,
        first: &ByteRecord,
        head: &mut Head,
        options: &ReadOptions,
    ) -> Result<(), Fault> {
        let names = head.names.len();
        let Some(longer) = self.longer(names, head.is_row) else {
            let ends_empty = is_empty(first.iter().next_back());
            if names > 2 && ends_empty && self.all_end_empty(names) {
                head.names.pop();
                head.ends_with_separator = true;
                head.notes.push(TableNote::SeparatorAtEnds);
            } else if self.some_end_with_separator(names) {
                head.ends_with_separator = true;
                head.notes.push(TableNote::SeparatorAtEnds);
            }
            return Ok(());
        };
        if !head.is_row {
            return Ok(());
        }
        let is_one_more = longer.cells == names + 1;
        if longer.cells > names && longer.ends_empty {
            head.ends_with_separator = true;
            head.notes.push(TableNote::SeparatorAtEnds);
        } else if is_one_more && longer.has_row_names {
            head.names.insert(0, String::new());
            head.notes.push(TableNote::RowNames);
        } else if longer.cells > names {
            head.names.resize(longer.cells, String::new());
            head.notes
                .push(TableNote::LongerRows { cells: longer.cells as u64, names: names as u64 });
        } else if longer.cells + 1 == names && is_empty(first.iter().next_back()) {
            head.names.pop();
            head.notes.push(TableNote::SeparatorAtEnds);
        } else if options.on_error == crate::options::OnError::Stop {
            let empty = (longer.cells + 1 == names && is_empty(first.get(0))).then_some("first");
            let (line, cells) = (longer.line, longer.cells);
            let problem = CsvProblem::HeaderLength { found: names, line, cells, empty };
            return Err(self.fault(0, problem));
        }
        Ok(())
    }

    /// The rows below the first one, where nearly all have one other number of cells than `names`, and none has that.
    fn longer(&self, names: usize, is_row: bool) -> Option<Longer> {
        const FEWEST: usize = 2;
        let (mut rows, mut lengths) = (0, Vec::new());
        let usual = each_record(self.block, self.dialect, |place, record| {
            rows += 1;
            if rows == 1 && is_row {
                return Continue(());
            }
            lengths.push((place.start, record.len()));
            if record.len() == names { Break(()) } else { Continue(()) }
        });
        if usual.is_break() || lengths.len() < FEWEST {
            return None;
        }
        let cells = lengths.first()?.1;
        let of_these = lengths.iter().filter(|(_, length)| *length == cells).count();
        if 10 * of_these < 9 * lengths.len() {
            return None;
        }
        let (mut ends_empty, mut seen, mut rows) = (true, HashSet::new(), 0);
        let (mut are_texts, mut increases, mut last) = (false, true, f64::NEG_INFINITY);
        let _ = each_record(self.block, self.dialect, |_, record| {
            rows += 1;
            if (rows > 1 || !is_row) && record.len() == cells {
                ends_empty &= record.iter().skip(names).all(|cell| is_empty(Some(cell)));
                seen.insert(record[0].to_vec());
                let number = first_row::finite(record[0].trim_ascii());
                are_texts |= number.is_none();
                increases &= number.is_none_or(|number| number > last && number.fract() == 0.0);
                last = number.unwrap_or(last);
            }
            Continue::<()>(())
        });
        let line = Place::of(self.block, lengths[0].0, self.before).line;
        Some(Longer {
            cells,
            ends_empty,
            has_row_names: seen.len() == of_these && (are_texts || increases),
            line,
        })
    }

    /// Whether rows have an empty cell more at their end, and the last cell of none of the others is empty.
    fn some_end_with_separator(&self, cells: usize) -> bool {
        let mut are_some = false;
        let other = each_record(self.block, self.dialect, |_, record| {
            let ends_empty = is_empty(record.iter().next_back());
            are_some |= record.len() == cells + 1 && ends_empty;
            let differs = match record.len().checked_sub(cells) {
                Some(0) => ends_empty,
                Some(1) => !ends_empty,
                _ => false,
            };
            if differs { Break(()) } else { Continue(()) }
        });
        are_some && other.is_continue()
    }

    /// Whether the last cell of every row of this many cells is empty.
    fn all_end_empty(&self, cells: usize) -> bool {
        let mut rows = 0;
        let other = each_record(self.block, self.dialect, |_, record| {
            rows += 1;
            let is_filled = record.len() == cells && !is_empty(record.iter().next_back());
            if is_filled { Break(()) } else { Continue(()) }
        });
        other.is_continue() && rows > 1
    }

    /// Gives a name to columns that have none, and another to those whose name an earlier one has.
    fn tell_apart(&self, head: &mut Head) {
        let mut taken: HashSet<String> = head.names.iter().cloned().collect();
        let mut seen = HashSet::new();
        let (mut nameless, mut doubled) = (Vec::new(), Vec::new());
        for (column, name) in head.names.iter_mut().enumerate() {
            if name.is_empty() {
                *name = free_name(&format!("column {}", column + 1), &taken, 2);
                taken.insert(name.clone());
                head.nameless.push(column);
                nameless.push(name.clone());
            } else if !seen.insert(name.clone()) {
                head.doubled.push((column, name.clone()));
                *name = numbered(name, &taken, 2);
                taken.insert(name.clone());
                doubled.push(name.clone());
            }
        }
        if !nameless.is_empty() {
            head.notes.push(TableNote::Nameless(nameless));
        }
        if !doubled.is_empty() {
            head.notes.push(TableNote::Doubled(doubled));
        }
    }

    /// Rows that repeat the names of the columns, and one below them that says more about columns of numbers, such as
    /// their units.
    fn odd_rows(&self, first: ByteRecord) -> Vec<(ByteRecord, CsvProblem)> {
        const ROWS: usize = 50;
        let rows = super::dialect::first_rows(self.block, self.dialect, ROWS);
        let mut odd = vec![(first, CsvProblem::HeaderAgain)];
        let is_rule = |cell: &[u8]| cell.iter().all(|byte| b"-:=+".contains(byte));
        if let Some(second) = rows.get(1)
            && second.iter().all(|cell| is_rule(cell.trim_ascii()))
            && second.iter().any(|cell| cell.trim_ascii().len() > 2)
        {
            odd.push((second.clone(), CsvProblem::RuleLine));
        }
        if let [_, second, below @ ..] = &rows[..]
            && below.len() > 2
        {
            let is_word =
                |cell: &[u8]| !cell.is_empty() && !is_number(cell) && !first_row::is_missing(cell);
            let numbers = (0..second.len())
                .filter(|&column| first_row::has_numbers(column, second.len(), below));
            let numbers: Vec<usize> = numbers.collect();
            let words =
                numbers.iter().filter(|&&column| is_word(second[column].trim_ascii())).count();
            let is_number = |&column: &usize| is_number(second[column].trim_ascii());
            if words > 1 && !numbers.iter().any(is_number) {
                odd.push((second.clone(), CsvProblem::SecondHeader));
            }
        }
        odd
    }

    fn first(&self) -> ByteRecord {
        let first = each_record(self.block, self.dialect, |_, record| Break(record.clone()));
        first.break_value().unwrap_or_default()
    }

    fn fault(&self, column: usize, problem: impl Into<Problem>) -> Fault {
        Fault::new(cell_offset(self.block, 0, column, self.dialect), problem.into())
    }
}

/// A name that no column has.
fn free_name(name: &str, taken: &HashSet<String>, next: usize) -> String {
    if taken.contains(name) { numbered(name, taken, next) } else { name.to_owned() }
}

fn numbered(name: &str, taken: &HashSet<String>, mut next: usize) -> String {
    loop {
        let numbered = format!("{name} ({next})");
        if !taken.contains(&numbered) {
            return numbered;
        }
        next += 1;
    }
}

fn is_empty(cell: Option<&[u8]>) -> bool {
    cell.is_some_and(|cell| cell.trim_ascii().is_empty())
}

/// Whether a row, the first of so many of a table or of the longest part that is looked at, begins with the numbers of examples
/// and of features, as those of scikit-learn do.
fn counts_rows(row: &ByteRecord, cells: usize, rows: usize) -> bool {
    let number =
        |column: usize| std::str::from_utf8(row.get(column)?.trim_ascii()).ok()?.parse().ok();
    let (Some(examples), Some(features)): (Option<usize>, Option<usize>) = (number(0), number(1))
    else {
        return false;
    };
    let are_examples =
        if rows < TITLE_ROWS { examples + 1 == rows } else { examples >= TITLE_ROWS - 1 };
    features + 1 == cells && are_examples
}

/// The rows among which titles are looked for.
const TITLE_ROWS: usize = 100;

/// The bytes of the title lines at the beginning of a block: rows of fewer cells, or of one cell that is not empty, above
/// a table of several columns.
pub(super) fn titles(block: &[u8], dialect: Dialect, header: Header) -> usize {
    let (mut places, mut rows): (Vec<Range<usize>>, Vec<ByteRecord>) = Default::default();
    let _ = each_record(block, dialect, |place, record| {
        places.push(place);
        rows.push(record.clone());
        if rows.len() < TITLE_ROWS { Continue(()) } else { Break(()) }
    });
    let cells = usual_cells(&rows);
    let filled = |row: &ByteRecord| row.iter().filter(|cell| !cell.trim_ascii().is_empty()).count();
    let is_title = |at: usize| {
        let row = &rows[at];
        let is_merged = || {
            2 * filled(row) < cells
                && rows.get(at + 1).is_some_and(|next| {
                    next.len() == cells
                        && filled(next) == cells
                        && is_above_numbers(next, &rows[at + 2..])
                })
        };
        row.len() < cells
            || cells > 2 && row.len() == cells && (filled(row) <= 1 || is_merged())
            || at == 0 && counts_rows(row, cells, rows.len())
    };
    let Some(at) = (0..rows.len()).find(|&at| !is_title(at)).filter(|&at| at > 0 && cells > 1)
    else {
        return 0;
    };
    // A header may have fewer names than rows have cells.
    let above = rows[at - 1].len();
    let has_numbers = || rows[at - 1].iter().any(|cell| is_number(cell.trim_ascii()));
    let may_name = above + 1 == cells || above > 1 && !has_numbers();
    let is_short = may_name
        && above < cells
        && header != Header::Absent
        && !(at == 1 && counts_rows(&rows[0], cells, rows.len()));
    let at = at - usize::from(is_short && !is_above_numbers(&rows[at], &rows[at + 1..]));
    let rest = without_end(&rows[(at + 1).min(rows.len())..], cells);
    let usual = rest.iter().filter(|row| row.len() == cells).count();
    let is_table = !rest.is_empty() && 5 * usual >= 4 * rest.len();
    if is_table && at > 0 { places[at].start } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Delimiter, Quoting};

    const COMMA: Dialect = Dialect {
        separator: Delimiter::Byte(b','),
        quoting: Quoting { quote: b'"', escape: None, comment: None, whole_rows: false },
    };

    fn head_of(text: &str, comments: &str, options: &ReadOptions) -> Result<Head, Fault> {
        let (block, comments) = (text.as_bytes(), comments.as_bytes());
        let header = options.header;
        let dialect = COMMA;
        HeadQuestion { block, comments, dialect, header, before: 0, needed: None }.head(options)
    }

    fn names(text: &str) -> Vec<String> {
        head_of(text, "", &ReadOptions::default()).unwrap().names
    }

    #[test]
    fn positions_name_columns_without_a_name() {
        assert_eq!(
            names(",x,column 1,\n1,2,3,4\n2,2,2,5\n"),
            ["column 1 (2)", "x", "column 1", "column 4"]
        );
        assert_eq!(names("a,a,a (2),a\n1,2,3,x\n"), ["a", "a (3)", "a (2)", "a (4)"]);
    }

    #[test]
    fn rows_below_the_names_declare_columns() {
        let of = |text: &str| head_of(text, "", &ReadOptions::default()).unwrap().declared;
        let text = "a,b,c,d\ncontinuous,discrete,yes no,string\n,ignore,class,meta\n1,2,yes,x\n";
        let declared = Declared { label: Some(2), ignored: vec![1], categorical: vec![1, 2] };
        assert_eq!(of(text), Some(declared));
        let lists = "a,b,c\nt g a c,t g a c,pp mm\n,,class\nt,g,pp\n";
        let declared = Declared { label: Some(2), categorical: vec![0, 1, 2], ignored: vec![] };
        assert_eq!(of(lists), Some(declared));
        assert_eq!(of("a,b\nsome text,more text\n,\nx,y\n"), None);
        assert_eq!(of("a,b\nc,d\n1,class\n1,2\n"), None);
        assert_eq!(of("a,b\nc,\n,\n"), Some(Declared::default()));
        assert_eq!(of("a,b\n,\n,\n"), None);
        assert_eq!(of("size,kind\nsmall,red\n,\n"), None);
    }

    #[test]
    fn a_doubled_name_is_refused_where_an_option_names_it() {
        let options = ReadOptions { target: Some("a".to_owned()), ..ReadOptions::default() };
        assert!(head_of("a,b,a\n1,2,3\n", "", &options).is_err());
        let options = ReadOptions { target: Some("3".to_owned()), ..ReadOptions::default() };
        assert_eq!(head_of("a,b,a\n1,2,3\n", "", &options).unwrap().names, ["a", "b", "a (2)"]);
    }

    #[test]
    fn names_suit_longer_rows() {
        assert_eq!(names("x,y\n1,5,a\n2,5,b\n"), ["column 1", "x", "y"]);
        assert_eq!(names("x,y\n5,1,a\n5,2,b\n"), ["x", "y", "column 3"]);
        assert_eq!(names("x,y\n5.5,1,a\n5.6,2,b\n"), ["x", "y", "column 3"]);
        assert_eq!(names("x,y\n1,5,a,\n2,5,b,\n"), ["x", "y", "column 3", "column 4"]);
        assert_eq!(names("x,y\n1,a,,\n2,b,,\n"), ["x", "y"]);
        let some = head_of("x,y\n1,a\n2,b,\n", "", &ReadOptions::default()).unwrap();
        assert!(some.names == ["x", "y"] && some.ends_with_separator);
        let none = head_of("x,y\n1,\n2,b,\n", "", &ReadOptions::default()).unwrap();
        assert!(!none.ends_with_separator);
        let ends = head_of("x,y\n1,a,\n2,b,\n", "", &ReadOptions::default()).unwrap();
        assert!(ends.names == ["x", "y"] && ends.ends_with_separator);
        let ends = head_of("x,y,\n1,a,\n2,b,\n", "", &ReadOptions::default()).unwrap();
        assert!(ends.names == ["x", "y"] && ends.ends_with_separator);
        assert_eq!(names("x,y,\n1,a\n2,b\n"), ["x", "y"]);
        // One row of another length is a faulty row.
        assert_eq!(names("x,y\n1,5,a\n2,5\n"), ["x", "y"]);
    }

    #[test]
    fn the_last_comment_of_as_many_cells_names_the_columns() {
        let options = ReadOptions::default();
        let names = |text, comments| head_of(text, comments, &options).unwrap().names;
        assert_eq!(names("1.5,a\n2,a\n", "# made, today\n# x,kind\n# by hand\n"), ["x", "kind"]);
        assert_eq!(names("x,kind\n1.5,a\n2,a\n", "# made, today\n"), ["x", "kind"]);
        assert_eq!(names("1.5,a\n2,a\n", "# made by hand\n"), ["1", "2"]);
    }

    #[test]
    fn titles_are_shorter_than_the_rows() {
        let text = |text: &'static str| &text[titles(text.as_bytes(), COMMA, Header::Expected)..];
        assert_eq!(text("Sales\nof, 2020\n\na,b,c\n1,2,x\n3,4,y\n"), "a,b,c\n1,2,x\n3,4,y\n");
        assert_eq!(text("Sales,,\na,b,c\n1,2,x\n"), "a,b,c\n1,2,x\n");
        assert_eq!(text(",Size,,,\na,b,c,d,e\n1,2,3,4,x\n"), "a,b,c,d,e\n1,2,3,4,x\n");
        for whole in [
            "a,b,c\n1,2,x\n",
            "b,c\n1,2,x\n3,4,y\n",
            "x\nr1,5\nr2,6\n",
            ",b,c\n1,2,x\n",
            "a\n1\n2\n",
            "a,b\n1,2,x,\n3,4,y,\n",
            "a,b,c\n1,2\n1,2,x\n",
        ] {
            assert_eq!(text(whole), whole);
        }
        assert_eq!(text("Sales\nx,y\n5,6\n7,8\n"), "x,y\n5,6\n7,8\n");
        // The numbers of rows and columns, and the names of the classes.
        assert_eq!(text("2,3,no,yes\n1,2,3,4,5,1\n3,4,5,6,7,0\n"), "1,2,3,4,5,1\n3,4,5,6,7,0\n");
        assert_eq!(text("Sales\nx,y\n5,6\nby us\nin May\n"), "x,y\n5,6\nby us\nin May\n");
    }

    #[test]
    fn units_and_repeated_names_are_no_examples() {
        let odd = |text| head_of(text, "", &ReadOptions::default()).unwrap().odd_rows;
        assert_eq!(odd("a,b,c\ncm,kg,x\n1,2,x\n3,4,y\n5,6,y\n").len(), 2);
        assert_eq!(odd("a,b,c\nNA,kg,x\n1,2,x\n3,4,y\n5,6,y\n").len(), 1);
    }
}

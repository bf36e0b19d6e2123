//! What each column of a table is: label, feature or nothing.

use std::{
    collections::HashSet,
    ops::ControlFlow::{Break, Continue},
};

use ::csv::ByteRecord;

use super::{
    Role,
    records::{cell_offset, each_record},
};
use crate::{
    error::{Excerpt, Fault, Problem, ReadError},
    number,
    options::{Delimiter, Header, ReadOptions},
    schema::{Column, Columns, Words},
    words::Hashing,
};

/// The columns of a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    /// The role of each column.
    pub(crate) roles: Vec<Role>,
    /// The name of each column.
    pub(crate) names: Vec<String>,
    /// How many columns are numbers.
    pub(crate) numbers: usize,
    /// How many columns are categories.
    pub(crate) categories: usize,
    /// For each of these, its first cell where it may hold no number.
    pub(crate) text_like: Vec<Option<Excerpt>>,
    /// How each column of text is hashed.
    pub(crate) texts: Vec<Hashing>,
}

/// Why no layout could be made: something at a place of the header, or something about the columns.
pub(crate) enum LayoutError {
    Fault(Fault),
    Columns(ReadError),
}

impl From<Fault> for LayoutError {
    fn from(fault: Fault) -> Self {
        LayoutError::Fault(fault)
    }
}

impl From<ReadError> for LayoutError {
    fn from(error: ReadError) -> Self {
        LayoutError::Columns(error)
    }
}

/// How many bytes of comment lines (`# …`) and blank lines come before the first row.
pub(crate) fn leading_comments(block: &[u8]) -> usize {
    let line_end = |line: &[u8]| line.ends_with(b"\n");
    block
        .split_inclusive(|&byte| byte == b'\n')
        .take_while(|line| line.starts_with(b"#") && line_end(line) || line.trim_ascii().is_empty())
        .map(<[u8]>::len)
        .sum()
}

fn first_record(block: &[u8], delimiter: Delimiter) -> ByteRecord {
    let first = each_record(block, delimiter, |_, record| Break(record.clone()));
    first.break_value().unwrap_or_default()
}

/// The offset of the second row: just after a header.
pub(crate) fn second_record(block: &[u8], delimiter: Delimiter) -> usize {
    let mut first = true;
    let second = each_record(block, delimiter, |place, _| {
        if std::mem::take(&mut first) { Continue(()) } else { Break(place.start) }
    });
    second.break_value().unwrap_or(block.len())
}

/// The name of each column, by the first row; empty for a column without one.
fn names(block: &[u8], delimiter: Delimiter, header: Header) -> Result<Vec<String>, Fault> {
    let first = first_record(block, delimiter);
    if header == Header::Absent {
        let names = (1..=first.len()).map(|position| position.to_string()).collect();
        return Ok(names);
    }
    let mut names: Vec<String> = Vec::with_capacity(first.len());
    let mut seen = HashSet::new();
    let fault = |column, problem| Fault::new(cell_offset(block, 0, column, delimiter), problem);
    for (column, cell) in first.iter().enumerate() {
        let cell = cell.trim_ascii();
        let name = std::str::from_utf8(cell)
            .map_err(|_| fault(column, Problem::NotUtf8 { text: Excerpt::new(cell) }))?;
        if header == Header::Expected && number::is_number(cell) {
            return Err(fault(column, Problem::HeaderIsNumber { text: Excerpt::new(cell) }));
        }
        if !name.is_empty() && !seen.insert(name.to_owned()) {
            return Err(fault(column, Problem::DuplicateColumn { name: name.to_owned() }));
        }
        names.push(name.to_owned());
    }
    Ok(names)
}

/// Finds the column called `wanted`, or at that position (from 1) when none is called so.
fn find(names: &[String], wanted: &str) -> Option<usize> {
    let by_name = names.iter().position(|name| name == wanted && !wanted.is_empty());
    by_name.or_else(|| {
        let position: usize = wanted.parse().ok()?;
        (1..=names.len()).contains(&position).then(|| position - 1)
    })
}

fn find_or_error(file: &str, names: &[String], wanted: &str) -> Result<usize, ReadError> {
    find(names, wanted).ok_or_else(|| ReadError::NoSuchColumn {
        file: file.to_owned(),
        name: wanted.to_owned(),
        columns: shown(names),
    })
}

/// Finds several columns; one item may name several, separated by commas.
fn find_all(file: &str, names: &[String], wanted: &[String]) -> Result<Vec<usize>, ReadError> {
    let mut columns = Vec::new();
    for item in wanted {
        match find(names, item) {
            Some(column) => columns.push(column),
            None => {
                for name in item.split(',').map(str::trim).filter(|name| !name.is_empty()) {
                    columns.push(find_or_error(file, names, name)?);
                }
            }
        }
    }
    Ok(columns)
}

/// The first names, for a message.
fn shown(names: &[String]) -> String {
    const MOST: usize = 12;
    let name = |name: &String| if name.is_empty() { "(no name)".to_owned() } else { name.clone() };
    let mut text = names.iter().take(MOST).map(name).collect::<Vec<_>>().join(", ");
    if names.len() > MOST {
        text.push_str(&format!(", … ({} in all)", names.len()));
    }
    text
}

/// The layout for training, and the schema of a model trained on it (its categories still empty).
/// `block` begins with the first row and holds at least one row after a header if there is any.
pub(crate) fn for_training(
    file: &str,
    block: &[u8],
    delimiter: Delimiter,
    options: &ReadOptions,
) -> Result<(Layout, Columns), LayoutError> {
    let names = names(block, delimiter, options.header)?;
    let kinds = kinds(block, delimiter, options.header != Header::Absent, names.len());
    choose((file, names), kinds, options).map_err(|error| match error {
        ChoiceError::Column(column, problem) => {
            Fault::new(cell_offset(block, 0, column, delimiter), problem).into()
        }
        ChoiceError::Columns(error) => error.into(),
    })
}

/// Why columns cannot be chosen: something about one, or about all.
pub(crate) enum ChoiceError {
    Column(usize, Problem),
    Columns(ReadError),
}

impl From<ReadError> for ChoiceError {
    fn from(error: ReadError) -> Self {
        ChoiceError::Columns(error)
    }
}

/// The role of each column of a file with these names and kinds.
pub(crate) fn choose(
    (file, names): (&str, Vec<String>),
    mut kinds: Vec<Kind>,
    options: &ReadOptions,
) -> Result<(Layout, Columns), ChoiceError> {
    let ignored = find_all(file, &names, &options.ignore)?;
    let categorical = find_all(file, &names, &options.categorical)?;
    let text = find_all(file, &names, &options.text)?;
    let chosen = find_all(file, &names, &options.features)?;
    let mut used = vec![true; names.len()];
    ignored.iter().for_each(|&column| used[column] = false);
    let target = match &options.target {
        Some(target) => Some(find_or_error(file, &names, target)?),
        None => (0..names.len()).rfind(|column| used[*column] && !text.contains(column)),
    };
    let target = target.filter(|&target| used[target]);
    let target = target.ok_or_else(|| ReadError::TargetIgnored {
        file: file.to_owned(),
        target: options.target.clone(),
    })?;
    if let Some(column) = (0..names.len()).find(|&column| names[column].is_empty() && used[column])
    {
        let problem = Problem::UnnamedColumn { position: column + 1 };
        return Err(ChoiceError::Column(column, problem));
    }
    if !(text.is_empty() && chosen.is_empty()) {
        let wanted = |column: usize| text.contains(&column) || chosen.contains(&column);
        (0..names.len()).for_each(|column| used[column] &= wanted(column));
    }
    used[target] = false;
    categorical.iter().for_each(|&column| kinds[column] = Kind::Category);
    let words = || Words { hashing: options.hashing, dictionary: Vec::new(), collisions: None };
    let categories = |column: usize| matches!(kinds[column], Kind::Text { .. } | Kind::Category);
    let features: Vec<Column> = (0..names.len())
        .filter(|&column| used[column])
        .map(|column| Column {
            name: names[column].clone(),
            position: column + 1,
            words: text.contains(&column).then(words),
            categories: (!text.contains(&column) && categories(column)).then(Vec::new),
        })
        .collect();
    if features.len() > options.max_features {
        let problem =
            Problem::TooManyFeatures { features: features.len(), limit: options.max_features };
        return Err(ChoiceError::Column(0, problem));
    }
    if features.is_empty() {
        let (target, columns) = (names[target].clone(), names.len());
        return Err(ReadError::NoFeatures { file: file.to_owned(), target, columns }.into());
    }
    let left_out = (0..names.len()).filter(|&column| !used[column] && column != target);
    let columns = Columns {
        count: names.len(),
        target: names[target].clone(),
        target_position: target + 1,
        features,
        ignored: left_out.map(|column| names[column].clone()).collect(),
    };
    let places = columns.features.iter().map(|column| column.position - 1).collect::<Vec<_>>();
    let text_like = |column: usize| match &kinds[column] {
        Kind::Text { first } => Some(first.clone()),
        Kind::Number | Kind::Category => None,
    };
    Ok((layout(names, Some(target), &columns.features, &places, text_like), columns))
}

/// The layout of a file for a model. With `labels`, the target must be there. Columns are found by
/// name where both files have names, else by position.
/// `Ok.1` names the columns that the model does not know.
pub(crate) fn for_model(
    file: &str,
    block: &[u8],
    delimiter: Delimiter,
    (header, trained_with_header): (Header, bool),
    model: &Columns,
    labels: bool,
) -> Result<(Layout, Vec<String>), LayoutError> {
    let names = names(block, delimiter, header)?;
    let positions = header == Header::Absent || !trained_with_header;
    Ok(of_model((file, names), positions, model, labels)?)
}

/// The same of a file with these names; columns are found by their positions, or by name.
pub(crate) fn of_model(
    (file, names): (&str, Vec<String>),
    positions: bool,
    model: &Columns,
    labels: bool,
) -> Result<(Layout, Vec<String>), ReadError> {
    let (target, places) = if positions {
        by_position(file, names.len(), model, labels)?
    } else {
        by_name(file, &names, model, labels)?
    };
    let known = |column: usize| {
        Some(column) == target
            || places.contains(&column)
            || model.ignored.contains(&names[column])
            || names[column] == model.target
    };
    let unknown = match positions {
        true => Vec::new(),
        false => (0..names.len()).filter(|&i| !known(i)).map(|i| names[i].clone()).collect(),
    };
    let target = target.filter(|_| labels);
    Ok((layout(names, target, &model.features, &places, |_| None), unknown))
}

/// The columns of a model by their names, in any order.
fn by_name(
    file: &str,
    names: &[String],
    model: &Columns,
    labels: bool,
) -> Result<(Option<usize>, Vec<usize>), ReadError> {
    let find = |wanted: &str| {
        names.iter().position(|name| name == wanted).ok_or_else(|| ReadError::MissingColumn {
            file: file.to_owned(),
            name: wanted.to_owned(),
            columns: shown(names),
        })
    };
    let target = if labels { Some(find(&model.target)?) } else { None };
    let places =
        model.features.iter().map(|column| find(&column.name)).collect::<Result<_, _>>()?;
    Ok((target, places))
}

/// The columns of a model by their positions: as in training, or all but the target.
fn by_position(
    file: &str,
    found: usize,
    model: &Columns,
    labels: bool,
) -> Result<(Option<usize>, Vec<usize>), ReadError> {
    let target = model.target_position - 1;
    let places = model.features.iter().map(|column| column.position - 1);
    if found == model.count {
        return Ok((Some(target), places.collect()));
    }
    if found + 1 == model.count && !labels {
        return Ok((None, places.map(|place| place - usize::from(place > target)).collect()));
    }
    let expected = if labels {
        format!("{}, column {} being the label", model.count, target + 1)
    } else {
        format!("{}, or {} without the label (column {})", model.count, model.count - 1, target + 1)
    };
    Err(ReadError::ColumnCount { file: file.to_owned(), found, expected })
}

/// Joins the parts: feature `i` of `features` stands in column `places[i]`.
fn layout(
    names: Vec<String>,
    target: Option<usize>,
    features: &[Column],
    places: &[usize],
    text_like: impl Fn(usize) -> Option<Excerpt>,
) -> Layout {
    let mut roles = vec![Role::Leave; names.len()];
    if let Some(target) = target {
        roles[target] = Role::Label;
    }
    let (mut numbers, mut categories) = (0, 0);
    let (mut text_like_columns, mut texts) = (Vec::new(), Vec::new());
    for (feature, &column) in features.iter().zip(places) {
        roles[column] = if let Some(words) = &feature.words {
            texts.push(words.hashing);
            Role::Text(texts.len() - 1)
        } else if feature.categories.is_some() {
            categories += 1;
            text_like_columns.push(text_like(column));
            Role::Category(categories - 1)
        } else {
            numbers += 1;
            Role::Number(numbers - 1)
        };
    }
    Layout { roles, names, numbers, categories, text_like: text_like_columns, texts }
}

/// What the cells of a column are.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Number,
    /// Text throughout, as the first cell.
    Text {
        first: Excerpt,
    },
    /// Anything, by the user's word.
    Category,
}

/// The kind of each column by its first cell that is not empty, within the block; rows of another
/// length are passed over. A column that
/// then holds the other kind is an error when that cell is met.
fn kinds(block: &[u8], delimiter: Delimiter, header: bool, columns: usize) -> Vec<Kind> {
    let mut kinds: Vec<Option<Kind>> = vec![None; columns];
    let mut undecided = columns;
    let mut rows = 0;
    let _ = each_record(block, delimiter, |_, record| {
        rows += 1;
        if (rows > 1 || !header) && record.len() == columns {
            for (kind, cell) in kinds.iter_mut().zip(record) {
                let cell = cell.trim_ascii();
                if kind.is_none() && !cell.is_empty() {
                    let number = number::is_number(cell);
                    let text = || Kind::Text { first: Excerpt::new(cell) };
                    *kind = Some(if number { Kind::Number } else { text() });
                    undecided -= 1;
                }
            }
        }
        if undecided == 0 { Break(()) } else { Continue(()) }
    });
    kinds.into_iter().map(|kind| kind.unwrap_or(Kind::Number)).collect()
}

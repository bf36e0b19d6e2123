//! The role of each column of a table: label, feature or nothing.

use super::schema::{Column, Columns, Words};
use crate::{
    fault::{Excerpt, Problem},
    options::{Hashing, ReadOptions},
    read_error::ReadError,
    similar::similar,
};

/// The role of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The labels.
    Label,
    /// The column is left out.
    Leave,
    /// The numbers of this place among the columns of numbers.
    Number(usize),
    /// The categories of this place among the columns of categories.
    Category(usize),
    /// The words of this place among the columns of text.
    Text(usize),
}

/// The columns of a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    /// The role of each column.
    pub(crate) roles: Vec<Role>,
    /// The name of each column.
    pub(crate) names: Vec<String>,
    /// The number of columns of numbers.
    pub(crate) numbers: usize,
    /// The number of columns of categories.
    pub(crate) categories: usize,
    /// For each column of categories, its first cell where it may hold no number.
    pub(crate) text_like: Vec<Option<Excerpt>>,
    /// How each column of text is hashed.
    pub(crate) texts: Vec<Hashing>,
}

/// The kind of the cells of a column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ColumnKind {
    Number,
    /// Text in every cell, as in the first one.
    Text {
        first: Excerpt,
    },
    /// Numbers or text: the options or the type of the column make each cell a category.
    Category,
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

/// The names of the columns of a file.
pub(crate) struct FileColumns<'f> {
    /// The name of the file in messages.
    pub(crate) file: &'f str,
    /// The name of each column; empty for a column without one.
    pub(crate) names: Vec<String>,
}

/// How the columns of a file are matched with those of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MatchBy {
    Name,
    Position,
}

impl FileColumns<'_> {
    /// The layout for training, and the columns of a model trained on it (its categories still empty).
    pub(crate) fn choose(
        self,
        mut kinds: Vec<ColumnKind>,
        options: &ReadOptions,
    ) -> Result<(Layout, Columns), ChoiceError> {
        let choice = self.choice(options)?;
        for &column in &choice.categorical {
            kinds[column] = ColumnKind::Category;
        }
        let features = self.features(&choice, &kinds, options)?;
        let target = choice.target;
        let left_out = (0..self.names.len()).filter(|&i| !choice.used[i] && i != target);
        let columns = Columns {
            count: self.names.len(),
            target: self.names[target].clone(),
            target_position: target + 1,
            features,
            ignored: left_out.map(|column| self.names[column].clone()).collect(),
        };
        let text_like = |column: usize| match &kinds[column] {
            ColumnKind::Text { first } => Some(first.clone()),
            ColumnKind::Number | ColumnKind::Category => None,
        };
        let places: Vec<usize> = columns.features.iter().map(|one| one.position - 1).collect();
        let matched = Matched { target: Some(target), places };
        Ok((self.layout(&columns.features, &matched, text_like), columns))
    }

    /// The layout for a model, and the names of the columns that the model does not know. With `labels`, the target must
    /// be there.
    pub(crate) fn for_model(
        self,
        by: MatchBy,
        model: &Columns,
        labels: bool,
    ) -> Result<(Layout, Vec<String>), ReadError> {
        let mut matched = match by {
            MatchBy::Position => self.by_position(model, labels)?,
            MatchBy::Name => self.by_name(model, labels)?,
        };
        let unknown = match by {
            MatchBy::Position => Vec::new(),
            MatchBy::Name => self.unknown(&matched, model),
        };
        matched.target = matched.target.filter(|_| labels);
        Ok((self.layout(&model.features, &matched, |_| None), unknown))
    }

    /// The columns that the options choose.
    fn choice(&self, options: &ReadOptions) -> Result<Choice, ChoiceError> {
        let ignored = self.find_all(&options.ignore)?;
        let categorical = self.find_all(&options.categorical)?;
        let text = self.find_all(&options.text)?;
        let chosen = self.find_all(&options.features)?;
        let mut used = vec![true; self.names.len()];
        ignored.iter().for_each(|&column| used[column] = false);
        let target = self.target(&used, &text, options)?;
        if let Some(column) = (0..used.len()).find(|&i| self.names[i].is_empty() && used[i]) {
            let problem = Problem::UnnamedColumn { position: column + 1 };
            return Err(ChoiceError::Column(column, problem));
        }
        if !(text.is_empty() && chosen.is_empty()) {
            let wanted = |column: usize| text.contains(&column) || chosen.contains(&column);
            (0..used.len()).for_each(|column| used[column] &= wanted(column));
        }
        used[target] = false;
        Ok(Choice { target, used, categorical, text })
    }

    /// The column with the labels: the one that the options name, else the last one that is used and no text.
    fn target(
        &self,
        used: &[bool],
        text: &[usize],
        options: &ReadOptions,
    ) -> Result<usize, ReadError> {
        let target = match &options.target {
            Some(target) => Some(self.find_or_error(target)?),
            None => (0..used.len()).rfind(|column| used[*column] && !text.contains(column)),
        };
        target.filter(|&target| used[target]).ok_or_else(|| ReadError::TargetIgnored {
            file: self.file.to_owned(),
            target: options.target.clone(),
        })
    }

    fn features(
        &self,
        choice: &Choice,
        kinds: &[ColumnKind],
        options: &ReadOptions,
    ) -> Result<Vec<Column>, ChoiceError> {
        let words = || Words { hashing: options.hashing, dictionary: Vec::new(), collisions: None };
        let feature = |column: usize| {
            let is_text = choice.text.contains(&column);
            let has_categories = !is_text && kinds[column] != ColumnKind::Number;
            Column {
                name: self.names[column].clone(),
                position: column + 1,
                words: is_text.then(words),
                categories: has_categories.then(Vec::new),
            }
        };
        let used = (0..self.names.len()).filter(|&column| choice.used[column]);
        let features: Vec<Column> = used.map(feature).collect();
        if features.len() > options.max_features {
            let (features, limit) = (features.len(), options.max_features);
            return Err(ChoiceError::Column(0, Problem::TooManyFeatures { features, limit }));
        }
        if features.is_empty() {
            let (target, columns) = (self.names[choice.target].clone(), self.names.len());
            let file = self.file.to_owned();
            return Err(ReadError::NoFeatures { file, target, columns }.into());
        }
        Ok(features)
    }

    /// Finds the column called `wanted`, or at that position (from 1) when none is called so.
    fn find(&self, wanted: &str) -> Option<usize> {
        let names = &self.names;
        let by_name = names.iter().position(|name| name == wanted && !wanted.is_empty());
        by_name.or_else(|| {
            let position: usize = wanted.parse().ok()?;
            (1..=names.len()).contains(&position).then(|| position - 1)
        })
    }

    pub(crate) fn find_or_error(&self, wanted: &str) -> Result<usize, ReadError> {
        self.find(wanted).ok_or_else(|| ReadError::NoSuchColumn {
            file: self.file.to_owned(),
            name: wanted.to_owned(),
            columns: self.shown(),
            similar: similar(wanted, self.names.iter().map(String::as_str)).map(str::to_owned),
        })
    }

    /// Finds several columns; one item may name several, separated by commas.
    fn find_all(&self, wanted: &[String]) -> Result<Vec<usize>, ReadError> {
        let mut columns = Vec::new();
        for item in wanted {
            if let Some(column) = self.find(item) {
                columns.push(column);
                continue;
            }
            for name in item.split(',').map(str::trim).filter(|name| !name.is_empty()) {
                columns.push(self.find_or_error(name)?);
            }
        }
        Ok(columns)
    }

    /// The first names, for a message.
    fn shown(&self) -> String {
        const MOST: usize = 12;
        let names = &self.names;
        let name =
            |name: &String| if name.is_empty() { "(no name)".to_owned() } else { name.clone() };
        let mut text = names.iter().take(MOST).map(name).collect::<Vec<_>>().join(", ");
        if names.len() > MOST {
            text.push_str(&format!(", … ({} in all)", names.len()));
        }
        text
    }

    /// Finds the columns of a model by their names, in any order.
    fn by_name(&self, model: &Columns, labels: bool) -> Result<Matched, ReadError> {
        let find = |wanted: &str| {
            let column = self.names.iter().position(|name| name == wanted);
            column.ok_or_else(|| ReadError::MissingColumn {
                file: self.file.to_owned(),
                name: wanted.to_owned(),
                columns: self.shown(),
            })
        };
        let target = if labels { Some(find(&model.target)?) } else { None };
        let places = model.features.iter().map(|column| find(&column.name));
        Ok(Matched { target, places: places.collect::<Result<_, _>>()? })
    }

    /// Finds the columns of a model by their positions: as in training, or all but the target.
    fn by_position(&self, model: &Columns, labels: bool) -> Result<Matched, ReadError> {
        let (found, target) = (self.names.len(), model.target_position - 1);
        let places = model.features.iter().map(|column| column.position - 1);
        if found == model.count {
            return Ok(Matched { target: Some(target), places: places.collect() });
        }
        if found + 1 == model.count && !labels {
            let places = places.map(|place| place - usize::from(place > target)).collect();
            return Ok(Matched { target: None, places });
        }
        let (count, label) = (model.count, target + 1);
        let expected = match labels {
            true => format!("{count}, column {label} being the label"),
            false => format!("{count}, or {} without the label (column {label})", count - 1),
        };
        Err(ReadError::ColumnCount { file: self.file.to_owned(), found, expected })
    }

    /// The names of the columns that the model does not know.
    fn unknown(&self, matched: &Matched, model: &Columns) -> Vec<String> {
        let known = |column: usize| {
            Some(column) == matched.target
                || matched.places.contains(&column)
                || model.ignored.contains(&self.names[column])
                || self.names[column] == model.target
        };
        let unknown = (0..self.names.len()).filter(|&column| !known(column));
        unknown.map(|column| self.names[column].clone()).collect()
    }

    /// Joins the parts: feature `i` of `features` stands in column `matched.places[i]`.
    fn layout(
        self,
        features: &[Column],
        matched: &Matched,
        text_like: impl Fn(usize) -> Option<Excerpt>,
    ) -> Layout {
        let mut roles = vec![Role::Leave; self.names.len()];
        if let Some(target) = matched.target {
            roles[target] = Role::Label;
        }
        let (mut numbers, mut categories) = (0, 0);
        let (mut text_like_columns, mut texts) = (Vec::new(), Vec::new());
        for (feature, &column) in features.iter().zip(&matched.places) {
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
        let names = self.names;
        Layout { roles, names, numbers, categories, text_like: text_like_columns, texts }
    }
}

/// The columns that the options choose.
struct Choice {
    target: usize,
    /// Whether each column is a feature.
    used: Vec<bool>,
    categorical: Vec<usize>,
    text: Vec<usize>,
}

/// The column of the labels, if it is there, and of each feature of a model.
struct Matched {
    target: Option<usize>,
    places: Vec<usize>,
}

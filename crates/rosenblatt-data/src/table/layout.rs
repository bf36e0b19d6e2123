//! The role of each column of a table: label, feature or nothing.

use std::collections::{BTreeSet, HashMap, HashSet};

use rosenblatt_core::data::beginning;

use super::{
    interactions::{Interaction, LARGEST_FACTOR},
    kinds::{ColumnKind, KindChoice, KindFault},
    missing::{self, MissingSpellings, WhenMissing},
    schema::{Column, Columns, Fill, Missing, Words},
    survey::{ColumnSurvey, Counting, Survey},
    target::TargetQuestion,
};
use crate::{
    fault::{Excerpt, LONGEST_LIST, Problem},
    notes::{Decisions, Doubt, LeftOutBecause, LeftOutColumn, ReadAs, ReadKind},
    number_form::NumberForm,
    options::{CharNgrams, Cut, Hashing, MissingRule, ReadOptions},
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
    /// How the cells of each column are read.
    pub(crate) cells: Vec<CellRules>,
}

/// How the cells of a column are read.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CellRules {
    pub(crate) form: NumberForm,
    pub(crate) spellings: MissingSpellings,
    pub(crate) when_missing: WhenMissing,
    /// Whether its numbers are multiplied with those of another column.
    pub(crate) is_factor: bool,
}

impl Layout {
    /// Whether the file lacks columns of the training file that the model does not use, besides the label.
    pub(crate) fn lacks_columns(&self, model: &Columns) -> bool {
        self.names.len() + 1 < model.count
    }
}

impl CellRules {
    /// Whether each number is spelled as programs spell it, and none stands for a missing value.
    pub(crate) fn are_plain(&self) -> bool {
        self.form.is_plain() && self.spellings.chosen.is_none() && !self.is_factor
    }

    /// Whether products of the number, where it has any, are finite.
    pub(crate) fn allow(&self, number: f64) -> bool {
        !self.is_factor || number.abs() <= LARGEST_FACTOR
    }

    fn of_model(column: &Column, is_factor: bool) -> Self {
        let fills = column.missing.is_some();
        CellRules {
            form: column.form.clone().unwrap_or_default(),
            spellings: MissingSpellings { chosen: column.missing_values.clone() },
            when_missing: if fills { WhenMissing::Fill } else { WhenMissing::Refuse },
            is_factor,
        }
    }
}

/// Why columns cannot be chosen: something about the name of a column, about a cell, or about all columns.
pub(crate) enum ChoiceError {
    Name { column: usize, problem: Problem },
    Cell { row: u64, column: usize, problem: Problem },
    Columns(ReadError),
}

/// The contents of the columns, as far as they are known before rows are read.
pub(crate) enum Contents<'s> {
    /// The kind of each column, by its type.
    #[cfg_attr(not(feature = "columnar"), expect(dead_code, reason = "of files of columns"))]
    Types(Vec<ColumnKind>),
    /// The cells that were counted.
    Cells(&'s Survey),
}

impl Contents<'_> {
    fn survey(&self) -> Option<&Survey> {
        match self {
            Contents::Types(_) => None,
            Contents::Cells(survey) => Some(survey),
        }
    }
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
    /// The layout for training, the columns of a model trained on it (its categories still empty), and what was decided
    /// without being asked.
    pub(crate) fn choose(
        self,
        contents: &Contents<'_>,
        options: &ReadOptions,
    ) -> Result<(Layout, Columns, Decisions), ChoiceError> {
        let mut choice = self.choice(contents, options)?;
        let with_labels = match contents {
            Contents::Cells(survey) => survey.with_lone_labels(choice.target),
            Contents::Types(_) => None,
        };
        let with_labels = with_labels.as_ref().map(Contents::Cells);
        let contents = with_labels.as_ref().unwrap_or(contents);
        let mut kinds = self.kinds(&choice, contents, options)?;
        let mut decisions = Decisions { label: choice.found.clone(), ..Decisions::default() };
        decisions.left_out = self.leave_out(&mut choice, &mut kinds, contents, options)?;
        decisions.read_as = self.read_as(&choice, &kinds, contents, options);
        let is_prose = |&column: &usize| choice.used[column] && kinds[column] == ColumnKind::Prose;
        choice.text.extend((0..kinds.len()).filter(is_prose).collect::<Vec<_>>());
        let features = self.features(&choice, &kinds, contents, options)?;
        let target = choice.target;
        decisions.doubts = self.doubts(target, &features, &kinds, contents);
        let left_out = (0..self.names.len()).filter(|&i| !choice.used[i] && i != target);
        let interactions = self.interactions(&choice, options)?;
        let columns = Columns {
            count: self.names.len(),
            target: self.names[target].clone(),
            target_position: target + 1,
            features,
            ignored: left_out.map(|column| self.names[column].clone()).collect(),
            interactions,
        };
        let text_like = |column: usize| match &kinds[column] {
            ColumnKind::Text { first } => Some(first.clone()),
            _ => None,
        };
        let places: Vec<usize> = columns.features.iter().map(|one| one.position - 1).collect();
        let matched = Matched { target: Some(target), places };
        let mut layout = self.layout(&columns, &matched, text_like);
        for column in &columns.features {
            let drops = is_dropped(column, options);
            if drops {
                layout.cells[column.position - 1].when_missing = WhenMissing::Drop;
            }
        }
        layout.cells[target].spellings.chosen.clone_from(&options.missing_values);
        Ok((layout, columns, decisions))
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
        Ok((self.layout(model, &matched, |_| None), unknown))
    }

    /// The columns that the options choose.
    fn choice(
        &self,
        contents: &Contents<'_>,
        options: &ReadOptions,
    ) -> Result<Choice, ChoiceError> {
        if let Some(sign) = options.same_sign() {
            return Err(ReadError::SameSign { file: self.file.to_owned(), sign }.into());
        }
        for name in options.missing.iter().filter_map(|option| option.column.as_ref()) {
            self.find_or_error(name)?;
        }
        let units = self.find_all(&options.units)?;
        let ignored = self.find_all(&options.ignore)?;
        let categorical = self.find_all(&options.categorical)?;
        let text = self.find_all(&options.text)?;
        let chosen = self.find_all(&options.features)?;
        let mut used = vec![true; self.names.len()];
        ignored.iter().for_each(|&column| used[column] = false);
        let id = options.id.as_ref().map(|id| self.find_or_error(id)).transpose()?;
        id.into_iter().for_each(|column| used[column] = false);
        let last = self.target(&used, &text, options)?;
        let may_be_label = |column: usize| used[column] && !text.contains(&column);
        let question = TargetQuestion {
            file: self.file,
            names: &self.names,
            used: &(0..used.len()).map(may_be_label).collect::<Vec<_>>(),
            survey: contents.survey(),
            max_labels: options.max_labels,
        };
        let target = match &options.target {
            // That there is no other column is the better error.
            _ if used.len() == 1 => last,
            Some(_) => question.check_named(last).map(|()| last)?,
            None if text.contains(&(used.len() - 1)) => last,
            None => question.find()?,
        };
        let found = (target != last).then(|| self.names[target].clone());
        // It is never the label, and a feature only if it is named as one.
        let is_named =
            |column: &usize| [&categorical, &text, &chosen].iter().any(|all| all.contains(column));
        id.filter(|id| is_named(id) && !ignored.contains(id))
            .into_iter()
            .for_each(|column| used[column] = true);
        if let Some(column) = (0..used.len()).find(|&i| self.names[i].is_empty() && used[i]) {
            let problem = Problem::UnnamedColumn { position: column + 1 };
            return Err(ChoiceError::Name { column, problem });
        }
        if !(text.is_empty() && chosen.is_empty()) {
            let wanted = |column: usize| text.contains(&column) || chosen.contains(&column);
            (0..used.len()).for_each(|column| used[column] &= wanted(column));
        }
        used[target] = false;
        Ok(Choice { target, found, used, categorical, text, units, chosen })
    }

    /// The kind of each column; of a column that is no feature, any.
    fn kinds(
        &self,
        choice: &Choice,
        contents: &Contents<'_>,
        options: &ReadOptions,
    ) -> Result<Vec<ColumnKind>, ChoiceError> {
        let form = options.number_form();
        let missing = MissingSpellings { chosen: options.missing_values.clone() };
        let counting = Counting::new(&form, &missing);
        let kind = |column: usize| {
            if choice.categorical.contains(&column) {
                return Ok(ColumnKind::Category);
            }
            let survey = match contents {
                Contents::Types(kinds) => return Ok(kinds[column].clone()),
                Contents::Cells(survey) => survey,
            };
            if !choice.used[column] || choice.text.contains(&column) {
                return Ok(ColumnKind::plain_number());
            }
            let kind = KindChoice {
                column: &self.names[column],
                counting: &counting,
                form: &form,
                has_unit: choice.units.contains(&column),
                dates: options.dates,
                on_error: options.on_error,
            };
            let kind = kind.kind(&survey.columns[column]);
            kind.map_err(|KindFault { row, problem }| ChoiceError::Cell { row, column, problem })
        };
        (0..self.names.len()).map(kind).collect()
    }

    /// Leaves out the columns from which nothing can be learned, unless the options name them or there are no other
    /// features; then texts are read as such.
    ///
    /// # Errors
    /// Such a column of text is a feature all the same: then what it is.
    fn leave_out(
        &self,
        choice: &mut Choice,
        kinds: &mut [ColumnKind],
        contents: &Contents<'_>,
        options: &ReadOptions,
    ) -> Result<Vec<LeftOutColumn>, ChoiceError> {
        let used = choice.used.clone();
        let are_all_useless = |kinds: &[ColumnKind]| {
            let mut features = kinds.iter().zip(&used).filter(|(_, used)| **used);
            features.all(|(kind, _)| matches!(kind, ColumnKind::LeftOut(_)))
        };
        if are_all_useless(kinds) {
            for column in (0..kinds.len()).filter(|&column| used[column]) {
                let cells = contents.survey().and_then(|survey| survey.columns.get(column));
                if cells.is_some_and(|cells| cells.are_only_texts(&self.names[column])) {
                    kinds[column] = ColumnKind::Prose;
                }
            }
        }
        let are_all = are_all_useless(kinds);
        let mut left_out = Vec::new();
        for (column, kind) in kinds.iter_mut().enumerate() {
            let ColumnKind::LeftOut(because) = kind.clone() else { continue };
            let name = self.names[column].clone();
            if !are_all && !choice.chosen.contains(&column) {
                choice.used[column] = false;
                left_out.push(LeftOutColumn { column: name, because });
                continue;
            }
            let cells = contents.survey().and_then(|survey| survey.columns.get(column));
            let problem = match (because, cells) {
                (LeftOutBecause::Empty, _) => Problem::AllMissing { column: name },
                (_, Some(cells)) if cells.texts > 0 => cells.many_values(name),
                _ => {
                    *kind = ColumnKind::Number(options.number_form());
                    continue;
                }
            };
            let first = cells.and_then(ColumnSurvey::first_odd);
            return Err(ChoiceError::Cell {
                row: first.map_or(0, |place| place.row),
                column,
                problem,
            });
        }
        Ok(left_out)
    }

    /// How columns are read that programs would spell otherwise, where no option says so.
    fn read_as(
        &self,
        choice: &Choice,
        kinds: &[ColumnKind],
        contents: &Contents<'_>,
        options: &ReadOptions,
    ) -> Vec<ReadAs> {
        let Some(survey) = contents.survey() else { return Vec::new() };
        let is_text =
            |column: usize| choice.text.contains(&column) || kinds[column] == ColumnKind::Prose;
        let read = |column: usize| {
            let cells = &survey.columns[column];
            let has_unit = choice.units.contains(&column);
            let is_chosen = |form: &NumberForm| {
                let unit = form.unit.clone().filter(|_| has_unit);
                let dates = form.dates.filter(|order| Some(*order) == options.dates);
                dates.is_some() || *form == NumberForm { unit, ..options.number_form() }
            };
            let kind = match &kinds[column] {
                _ if options.cut.is_none() && cells.holds_names() && is_text(column) => {
                    ReadKind::Characters
                }
                _ if choice.text.contains(&column) => return None,
                ColumnKind::Number(form) if !is_chosen(form) => ReadKind::Numbers(form.clone()),
                ColumnKind::Category if !choice.categorical.contains(&column) => {
                    ReadKind::Categories
                }
                ColumnKind::Prose => ReadKind::Words,
                _ => return None,
            };
            let example = cells.first_text.as_ref()?.text.to_string();
            Some(ReadAs { column: self.names[column].clone(), kind, example })
        };
        (0..kinds.len()).filter(|&column| choice.used[column]).filter_map(read).collect()
    }

    /// The values of the label and the features that may not be meant as they are read.
    fn doubts(
        &self,
        target: usize,
        features: &[Column],
        kinds: &[ColumnKind],
        contents: &Contents<'_>,
    ) -> Vec<Doubt> {
        let Some(survey) = contents.survey() else { return Vec::new() };
        let of_feature = |one: &Column| {
            let (column, is_text) = (one.position - 1, one.words.is_some());
            let cells = &survey.columns[column];
            let found = match &kinds[column] {
                _ if is_text => None,
                ColumnKind::Number(form) if form.is_plain() => cells.doubtful_numbers(),
                ColumnKind::Text { .. } => cells.many_categories(),
                _ => None,
            };
            Some((column, found?))
        };
        let of_label = survey.columns[target].leading_zeros(true);
        let label = of_label.map(|found| (target, found));
        let all = label.into_iter().chain(features.iter().filter_map(of_feature));
        let doubt = |(column, (cells, values)): (usize, _)| Doubt {
            column: self.names[column].clone(),
            cells,
            values,
        };
        all.map(doubt).collect()
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
        contents: &Contents<'_>,
        options: &ReadOptions,
    ) -> Result<Vec<Column>, ChoiceError> {
        let words = |column: usize| {
            let cells = contents.survey().map(|survey| &survey.columns[column]);
            let hashing = cut(cells, options).hashed(options.bits);
            Words { hashing, dictionary: Vec::new(), collisions: None }
        };
        let feature = |column: usize| {
            let is_text = choice.text.contains(&column);
            let form = match &kinds[column] {
                ColumnKind::Number(form) if !is_text => Some(form.clone()),
                _ => None,
            };
            let has_categories = !is_text && form.is_none();
            let missing = match is_text {
                true => None,
                false => self.missing(column, has_categories, contents, options)?,
            };
            Ok(Column {
                name: self.names[column].clone(),
                position: column + 1,
                words: is_text.then(|| words(column)),
                categories: has_categories.then(Vec::new),
                form: form.filter(|form| !form.is_plain()),
                missing,
                missing_values: options.missing_values.clone().filter(|_| !is_text),
            })
        };
        let used = (0..self.names.len()).filter(|&column| choice.used[column]);
        let features: Vec<Column> = used.map(feature).collect::<Result<_, ReadError>>()?;
        if features.len() > options.max_features {
            let (features, limit) = (features.len(), options.max_features);
            let problem = Problem::TooManyFeatures { features, limit };
            return Err(ChoiceError::Name { column: 0, problem });
        }
        if features.is_empty() {
            let (target, columns) = (self.names[choice.target].clone(), self.names.len());
            let file = self.file.to_owned();
            return Err(ReadError::NoFeatures { file, target, columns }.into());
        }
        Ok(features)
    }

    /// The pairs of columns whose products are features, in the order of the file.
    fn interactions(
        &self,
        choice: &Choice,
        options: &ReadOptions,
    ) -> Result<Vec<Interaction>, ReadError> {
        let mut pairs = BTreeSet::new();
        for list in &options.interactions {
            let columns = self.find_all(list)?;
            let file = || self.file.to_owned();
            if let Some(&column) = columns.iter().find(|column| !choice.used[**column]) {
                let column = self.names[column].clone();
                return Err(ReadError::InteractionOfNoFeature { file: file(), column });
            }
            let mut different = columns.clone();
            different.sort_unstable();
            different.dedup();
            if different.len() < columns.len() || columns.len() < 2 {
                let columns = list.join(",");
                return Err(ReadError::InteractionOfOne { file: file(), columns });
            }
            let with_later = |(i, &one): (usize, &usize)| {
                different[i + 1..].iter().map(move |&other| (one, other))
            };
            pairs.extend(different.iter().enumerate().flat_map(with_later));
        }
        let named = |(one, other): (usize, usize)| Interaction {
            columns: [one, other].map(|column| self.names[column].clone()),
            bits: options.bits,
        };
        Ok(pairs.into_iter().map(named).collect())
    }

    /// The rule for missing cells of a column, unless they are errors or their rows are left out. Without an option for
    /// them, the median stands in for missing numbers, and missing categories are a category of their own.
    fn missing(
        &self,
        column: usize,
        has_categories: bool,
        contents: &Contents<'_>,
        options: &ReadOptions,
    ) -> Result<Option<Missing>, ReadError> {
        let is_column = |wanted: &str| self.find(wanted) == Some(column);
        let Some(option) = missing::choice(options, is_column) else {
            let cells = contents.survey().map(|survey| &survey.columns[column]);
            // In a column of categories `?` is a category as it is spelled.
            let counts_spelled = !has_categories || options.missing_values.is_some();
            let is_missing =
                |cells: &ColumnSurvey| cells.empty > 0 || counts_spelled && cells.spelled > 0;
            let fills = cells.is_some_and(is_missing);
            let fill = if has_categories { Fill::Category } else { Fill::Median };
            return Ok(fills.then_some(Missing { fill, value: 0.0, indicator: false }));
        };
        if !has_categories {
            return Ok(missing::for_numbers(option));
        }
        let is_number_rule =
            option.indicator || matches!(option.rule, MissingRule::Mean | MissingRule::Median);
        if option.column.is_some() && is_number_rule {
            let (file, column) = (self.file.to_owned(), self.names[column].clone());
            return Err(ReadError::FillOfCategories { file, column });
        }
        let own = Missing { fill: Fill::Category, value: 0.0, indicator: false };
        Ok((option.rule != MissingRule::Drop).then_some(own))
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
        let first = names.iter().take(MOST).map(name).collect::<Vec<_>>().join(", ");
        let mut text = beginning(&first, LONGEST_LIST).into_owned();
        if names.len() > MOST {
            text.push_str(&format!(", … ({} in all)", names.len()));
        }
        text
    }

    /// Finds the columns of a model by their names, in any order.
    fn by_name(&self, model: &Columns, labels: bool) -> Result<Matched, ReadError> {
        // The first of several columns of one name counts.
        let named = self.names.iter().enumerate().rev();
        let columns: HashMap<&str, usize> = named.map(|(i, name)| (name.as_str(), i)).collect();
        let target = columns.get(model.target.as_str()).copied();
        if labels && target.is_none() {
            return Err(self.no_labels(model));
        }
        let place = |column: &Column| {
            columns.get(column.name.as_str()).copied().ok_or_else(|| ReadError::MissingColumn {
                file: self.file.to_owned(),
                name: column.name.clone(),
                columns: self.shown(),
            })
        };
        let places = model.features.iter().map(place).collect::<Result<_, _>>()?;
        Ok(Matched { target: target.filter(|_| labels), places })
    }

    /// The error of a file without the column of the labels.
    fn no_labels(&self, model: &Columns) -> ReadError {
        let (file, target, columns) = (self.file.to_owned(), model.target.clone(), self.shown());
        ReadError::NoLabels { file, target, columns }
    }

    /// Finds the columns of a model by their positions: as in training, or all but the target. The columns that the
    /// model does not use may all be absent.
    fn by_position(&self, model: &Columns, labels: bool) -> Result<Matched, ReadError> {
        let (found, target) = (self.names.len(), model.target_position - 1);
        let used = model.features.len();
        let places = model.features.iter().map(|column| column.position - 1);
        if found == model.count {
            return Ok(Matched { target: Some(target), places: places.collect() });
        }
        if found + 1 == model.count && !labels {
            let places = places.map(|place| place - usize::from(place > target)).collect();
            return Ok(Matched { target: None, places });
        }
        let before = model.features.iter().filter(|column| column.position - 1 < target).count();
        if found == used + 1 && found + 1 < model.count {
            let places = (0..used).map(|place| place + usize::from(place >= before)).collect();
            return Ok(Matched { target: Some(before), places });
        }
        if found == used && !labels {
            return Ok(Matched { target: None, places: (0..used).collect() });
        }
        if found + 1 == model.count || found == used {
            return Err(self.no_labels(model));
        }
        let expected = expected_columns(model, labels);
        Err(ReadError::ColumnCount { file: self.file.to_owned(), found, expected })
    }

    /// The names of the columns that the model does not know.
    fn unknown(&self, matched: &Matched, model: &Columns) -> Vec<String> {
        let used: HashSet<usize> = matched.places.iter().copied().chain(matched.target).collect();
        let ignored: HashSet<&String> = model.ignored.iter().chain([&model.target]).collect();
        let known = |column: usize| used.contains(&column) || ignored.contains(&self.names[column]);
        let unknown = (0..self.names.len()).filter(|&column| !known(column));
        unknown.map(|column| self.names[column].clone()).collect()
    }

    /// Joins the parts: feature `i` of `columns` stands in column `matched.places[i]`.
    fn layout(
        self,
        columns: &Columns,
        matched: &Matched,
        text_like: impl Fn(usize) -> Option<Excerpt>,
    ) -> Layout {
        let mut roles = vec![Role::Leave; self.names.len()];
        if let Some(target) = matched.target {
            roles[target] = Role::Label;
        }
        let (mut numbers, mut categories) = (0, 0);
        let (mut text_like_columns, mut texts) = (Vec::new(), Vec::new());
        for (feature, &column) in columns.features.iter().zip(&matched.places) {
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
        let mut cells = vec![CellRules::default(); names.len()];
        for (feature, &column) in columns.features.iter().zip(&matched.places) {
            cells[column] = CellRules::of_model(feature, columns.is_factor(feature));
        }
        Layout { roles, names, numbers, categories, text_like: text_like_columns, texts, cells }
    }
}

/// The numbers of columns that a file may have for a model that finds them by their positions, in words.
fn expected_columns(model: &Columns, labels: bool) -> String {
    let (count, used, label) = (model.count, model.features.len(), model.target_position);
    let own = if used + 1 < count { Some(used) } else { None };
    match (labels, own) {
        (true, None) => format!("{count}, column {label} being the label"),
        (true, Some(used)) => format!(
            "{count}, column {label} being the label, or {} with only the label and the features",
            used + 1
        ),
        (false, None) => format!("{count}, or {} without the label (column {label})", count - 1),
        (false, Some(used)) => format!(
            "{count}, or {} without the label (column {label}), or {used} with only the features",
            count - 1
        ),
    }
}

/// How the texts of a column are cut.
fn cut(cells: Option<&ColumnSurvey>, options: &ReadOptions) -> Cut {
    let by_default = match cells.is_some_and(ColumnSurvey::holds_names) {
        true => Cut::Chars(CharNgrams::OF_NAMES),
        false => Cut::Words(1),
    };
    options.cut.unwrap_or(by_default)
}

/// Whether rows are left out where the column has a missing cell.
fn is_dropped(column: &Column, options: &ReadOptions) -> bool {
    let is_column = |wanted: &str| wanted == column.name || wanted == column.position.to_string();
    let option = missing::choice(options, is_column);
    column.words.is_none() && option.is_some_and(|option| option.rule == MissingRule::Drop)
}

/// The columns that the options choose.
struct Choice {
    target: usize,
    /// The name of the label, if it is not the last column and was found.
    found: Option<String>,
    /// Whether each column is a feature.
    used: Vec<bool>,
    categorical: Vec<usize>,
    text: Vec<usize>,
    units: Vec<usize>,
    /// The columns that are named as features.
    chosen: Vec<usize>,
}

/// The column of the labels, if it is there, and of each feature of a model.
struct Matched {
    target: Option<usize>,
    places: Vec<usize>,
}

//! The label, where no option names it: the column that its name, its values and its place speak for, if one does clearly.

use std::{cmp::Reverse, collections::HashMap};

use super::survey::{ColumnSurvey, Survey};
use crate::read_error::{Candidate, ReadError, TargetDoubt};

/// Names that say that a column is the label.
const LABELS: &str = "class classes classification label labels target targets y depvar outcome response category klasse \
    etikett ziel zielvariable clase etiqueta objetivo classe cible étiquette alvo rótulo rotulo \
    etichetta obiettivo klass doel klasa etykieta cel sınıf etiket hedef класс метка цель 类别 標籤 标签 \
    目标 クラス ラベル 目的変数 레이블 라벨 클래스 목표 esito risultato resultado résultat ergebnis \
    الفئة التصنيف الهدف वर्ग लक्ष्य";

/// Names of what is often to be predicted.
const OUTCOMES: &str = "species diagnosis survived survival default defaulted churn churned attrition exited risk \
    result fraud fraudulent spam sentiment quality approved approval purchased purchase bought clicked subscribed \
    deposit accepted admitted admit died dead death deceased mortality alive success failure failed passed \
    converted conversion verdict malignant malignancy disease stroke win won winner readmitted readmission cancelled \
    canceled cancellation party variety cultivar event choice decision placed approve reject rejected recid \
    recidivism recidivated hired promoted signal medal affair status responded callback renewed reordered returned \
    refunded complained relapse relapsed recurrence remission severity vote voted \
    toxic edible poisonous vulnerable positive left released apply applied buy chosen chose takeup creditability sev dx \
    deny denied arrest arrested backorder sick chd cancer repaid cause click conflict \
    enfermedad diagnóstico diagnostico maladie krankheit malattia doença";

/// Words after the name of what is predicted: `risk level`, `churn flag`.
const FORMS: &str = "flag status level type kind category code class binary indicator group outcome result state yn";

/// Names of what describes people, places and purchases, and is seldom to be predicted.
const DESCRIPTIONS: &str = "sex gender age race ethnicity region state country city height weight address zip name \
    education marital male female man woman white black married employment job occupation profession housing \
    residence card language currency unit units purpose verification \
    training train test fold split partition \
    sexo sexe sesso género genero geschlecht genre edad âge alter pais país pays provincia departamento distrito ciudad ville stadt \
    psu psuid strata stratum cluster";

/// Names of counts and sizes.
const AMOUNTS: &str = "n num nr number count counts total sum amount size";

/// Names of times, which describe where they end a name.
const TIMES: &str = "year month day weekday date time hour";

/// Words before the name of what is known already: `prevalent_stroke`, `previous default`.
const EARLIER: &str = "prevalent prior previous past history family first initial before old last";

/// Words that begin the name of an answer to a question.
const QUESTIONS: &str = "is has have had was were went did does will can are";

/// The most values of a label by its values alone: letters of an alphabet and a few more.
const FEW: u64 = 30;

/// The fewest rows in which a column may be said to have nearly as many values as rows.
const ROWS: u64 = 20;

/// Answers of a questionnaire are alike in more columns than this.
const MANY: usize = 5;

/// What speaks for a column, and by how much the best must exceed the next, in halves of a point.
mod points {
    pub(super) const LABEL: i32 = 9;
    pub(super) const OUTCOME: i32 = 7;
    pub(super) const QUESTION: i32 = 4;
    pub(super) const KIND: i32 = 2;
    pub(super) const DESCRIPTION: i32 = -4;
    pub(super) const LAST: i32 = 4;
    pub(super) const FIRST: i32 = 1;
    pub(super) const FIRST_TEXTS: i32 = 2;
    /// What the edges of a table without names are worth more, and what is between them less.
    pub(super) const NAMELESS: i32 = 2;
    pub(super) const WITHIN: i32 = -3;
    /// It alone has texts.
    pub(super) const ONLY_TEXTS: i32 = 2;
    pub(super) const TWO_VALUES: i32 = 3;
    pub(super) const FEW_TEXTS: i32 = 2;
    pub(super) const FEW_NUMBERS: i32 = 1;
    /// Dozens of whole numbers.
    pub(super) const MANY_NUMBERS: i32 = -4;
    pub(super) const QUANTITY: i32 = -8;
    pub(super) const MOSTLY_MISSING: i32 = -6;
    /// It is the only one that is no quantity.
    pub(super) const ALONE: i32 = 2;
    /// Several others have the same values.
    pub(super) const SHARED: i32 = -4;
    /// A label has at least so many.
    pub(super) const ENOUGH: i32 = 5;
    pub(super) const AHEAD: i32 = 2;
    /// Neither its name nor its place speaks for it.
    pub(super) const UNEXPECTED_AHEAD: i32 = 3;
    /// The name of another one speaks for it as much.
    pub(super) const RIVALS_AHEAD: i32 = 4;
}

/// The columns among which the label is.
pub(crate) struct TargetQuestion<'t> {
    pub(crate) file: &'t str,
    pub(crate) names: &'t [String],
    /// Whether each column may be the label.
    pub(crate) used: &'t [bool],
    /// The counts of the cells, where the file has no types.
    pub(crate) survey: Option<&'t Survey>,
    /// The maximum number of labels, where each is to be a class: more are an error when they are read.
    pub(crate) max_labels: Option<usize>,
}

impl TargetQuestion<'_> {
    /// Checks the label `target` that an option names: it may be anything but a class for about each example.
    pub(crate) fn check_named(&self, target: usize) -> Result<(), ReadError> {
        match self.cells(target) {
            Some(cells) if is_one_each(cells) && self.are_classes(cells) => {
                Err(ReadError::QuantityTarget {
                    file: self.file.to_owned(),
                    target: self.names[target].clone(),
                    values: cells.distinct(),
                    rows: cells.present(),
                })
            }
            _ => Ok(()),
        }
    }

    /// The column that is clearly the label.
    ///
    /// # Errors
    /// [`ReadError::UnclearTarget`] with the columns that may be it.
    pub(crate) fn find(&self) -> Result<usize, ReadError> {
        let last = self.last();
        let others = self.others();
        let values = |column| self.cells(column).map_or(0, ColumnSurvey::distinct);
        let mut ranked: Vec<(i32, usize)> =
            self.all_used().map(|column| (self.points(column, &others), column)).collect();
        // Of equals the one of fewer values is the likelier one, and the earlier: labels stand at the edges of a table.
        ranked.sort_by_key(|&(points, column)| (Reverse(points), values(column), column));
        let (best, target) = ranked.first().copied().unwrap_or((0, last));
        let next = ranked.get(1).map_or(i32::MIN / 2, |&(points, _)| points);
        // A file without counts has only names and places.
        let enough = if self.survey.is_some() { points::ENOUGH } else { points::LAST };
        let is_ahead = best >= enough && best - next >= self.needed_lead(last, &ranked);
        let is_clear =
            is_ahead && (self.points_of_name(target) >= points::OUTCOME || !self.ends_nameless());
        const MOST: usize = 50;
        // That few other columns have its values, too, is no reason to propose it later.
        let unshared = |points: i32, column| match self.sharing(column, &others) {
            Some((columns, few)) if few < columns && columns <= MANY => points - points::SHARED,
            _ => points,
        };
        let mut proposed = ranked.clone();
        proposed.sort_by_key(|&(points, column)| {
            (Reverse(unshared(points, column)), values(column), column)
        });
        let may_be =
            proposed.iter().map(|&(_, column)| column).filter(|&column| self.may_be(column));
        let mut others: Vec<usize> = may_be.take(MOST).collect();
        if self.ends_nameless() {
            others.push(self.used.len() - 1);
        }
        if others.is_empty() {
            // Better a column without a name than none.
            let is_nameless = |&column: &usize| self.used[column] && !self.is_named(column);
            let nameless = (0..self.used.len()).rev().filter(is_nameless);
            others = nameless.filter(|&column| self.may_be(column)).take(MOST).collect();
        }
        // One label is an error of its own.
        let is_constant = self.cells(last).is_some_and(|cells| cells.distinct() < 2);
        let is_named = self.points_of_name(last) > 0
            && (target == last || self.points_of_name(last) > self.points_of_name(target));
        if self.used[last] && is_constant && (is_named || others.is_empty()) {
            return Ok(last);
        }
        if is_clear {
            return Ok(target);
        }
        Err(ReadError::UnclearTarget {
            file: self.file.to_owned(),
            target: self.names[last].clone(),
            doubt: self.doubt(last, &others),
            others: others.into_iter().map(|column| self.called(column)).collect(),
        })
    }

    /// The last column, but for those at the end that have no name, as long as others have, or no value.
    fn last(&self) -> usize {
        let has_names = self.has_names();
        let counts = |&column: &usize| !self.used[column] || self.counts(column, has_names);
        (0..self.names.len()).rfind(counts).unwrap_or(self.names.len() - 1)
    }

    /// Whether the last column may be the label, but has no name where others have one: the names may be short of it.
    fn ends_nameless(&self) -> bool {
        let last = self.used.len() - 1;
        let may_be = |cells| points_of_values(cells) >= points::FEW_TEXTS;
        self.has_names()
            && self.used[last]
            && !self.is_named(last)
            && self.cells(last).is_some_and(may_be)
    }

    /// Whether a column has values and, as long as others have names, a name.
    fn counts(&self, column: usize, has_names: bool) -> bool {
        let has_values = self.cells(column).is_none_or(|cells| cells.present() > 0);
        has_values && (self.is_named(column) || !has_names)
    }

    /// By how much the best column must exceed the next, of columns in the order of their points.
    fn needed_lead(&self, last: usize, ranked: &[(i32, usize)]) -> i32 {
        let Some(((_, best), rest)) = ranked.split_first() else { return points::AHEAD };
        // What is often predicted may be known of several things.
        let mut outcomes = rest.iter().filter(|(points, _)| *points >= points::OUTCOME);
        let is_rivalled =
            outcomes.any(|&(_, column)| self.points_of_name(column) == points::OUTCOME);
        match self.points_of_name(*best) {
            points::LABEL.. => points::AHEAD,
            _ if is_rivalled => points::RIVALS_AHEAD,
            1.. => points::AHEAD,
            _ if *best == last => points::AHEAD,
            _ => points::UNEXPECTED_AHEAD,
        }
    }

    /// What names a column, also where the file has several of one name.
    fn called(&self, column: usize) -> String {
        let name = &self.names[column];
        let second = format!("{name} (2)");
        match self.names.contains(&second) {
            true => (column + 1).to_string(),
            false => name.clone(),
        }
    }

    fn points(&self, column: usize, others: &Others) -> i32 {
        let is_of_family = self.is_of_family(column, others);
        let of_name = if is_of_family { points::DESCRIPTION } else { self.points_of_name(column) };
        let mut sum = of_name;
        let (is_first, is_last) = (others.first == Some(column), others.last == Some(column));
        let two_texts = |cells: &ColumnSurvey| cells.texts > 0 && cells.distinct() == 2;
        // The first one is like an attribute where another one has its values, or its two values are no codes of classes.
        let is_alone = self.sharing(column, others).is_none_or(|(columns, _)| columns == 1);
        let is_first_alone = is_first && is_alone && self.cells(column).is_none_or(may_be_codes);
        sum += match () {
            () if is_last => points::LAST,
            () if is_first_alone && self.cells(column).is_some_and(two_texts) => {
                points::FIRST_TEXTS
            }
            () if is_first => points::FIRST,
            () => 0,
        };
        let Some(cells) = self.cells(column) else { return sum };
        if is_mostly_missing(cells) {
            sum += points::MOSTLY_MISSING;
        }
        if cells.identifies(&self.names[column]) {
            return points::QUANTITY;
        }
        // Where the name says it, the label may have many values.
        let may_be_many = of_name >= points::LABEL && cells.texts > 0 && !is_quantity(cells);
        sum += points_of_values(cells).max(if may_be_many { points::FEW_TEXTS } else { i32::MIN });
        if !is_quantity(cells) && others.classes == 1 {
            sum += points::ALONE;
        }
        let is_shared = self.sharing(column, others).is_some_and(|(columns, few)| columns > few);
        if is_shared && of_name < points::OUTCOME {
            sum += points::SHARED;
        } else if (is_first_alone || is_last) && !self.has_names() {
            sum += points::NAMELESS;
            if cells.texts > 0 && others.texts == 1 {
                sum += points::ONLY_TEXTS;
            }
        }
        if !(is_first || is_last || self.has_names()) {
            sum += points::WITHIN;
        }
        sum
    }

    /// How many columns have the few values of this one, and how many may have them by chance.
    fn sharing(&self, column: usize, others: &Others) -> Option<(usize, usize)> {
        let cells = self.cells(column)?;
        // Numbers are often 0 and 1.
        let few = if cells.texts > 0 { 2 } else { MANY };
        Some((*others.signatures.get(&signature(cells)?)?, few))
    }

    fn points_of_name(&self, column: usize) -> i32 {
        let name = self.names[column].to_lowercase();
        let words = words_of(&self.names[column]);
        let is = |names: &str, word: &str| names.split_whitespace().any(|name| name == word);
        let any = |names: &str| words.iter().any(|word| is(names, word));
        let are_numbers = self.cells(column).is_some_and(|cells| cells.texts == 0);
        let describes = any(DESCRIPTIONS)
            || are_numbers && any(AMOUNTS)
            || words.last().is_some_and(|last| is(TIMES, last));
        let [first, .., last] = &words[..] else {
            let word = words.first().map_or("", |word| word.trim_end_matches(char::is_numeric));
            return match () {
                () if is(LABELS, &name) && !self.is_coordinate(column) => points::LABEL,
                () if describes => points::DESCRIPTION,
                () if is(OUTCOMES, word) => points::OUTCOME,
                () if is("flag case", word) || name.ends_with('?') => points::QUESTION,
                () if is("type kind", word) => points::KIND,
                () => 0,
            };
        };
        let before = &words[words.len() - 2];
        let is_outcome =
            is(OUTCOMES, last) && last != "status" || is(FORMS, last) && is(OUTCOMES, before);
        match () {
            () if is(LABELS, &name) => points::LABEL,
            () if is(LABELS, last) && !is("y category class", last) => points::LABEL,
            () if is("target label", first) => points::LABEL,
            () if any(EARLIER) => 0,
            () if is_outcome && !describes => points::OUTCOME,
            () if is("default", first) => points::OUTCOME,
            () if describes => points::DESCRIPTION,
            () if is(QUESTIONS, first) || name.ends_with("not") || name.ends_with('?') => {
                points::QUESTION
            }
            () if is("flag status", last) || is(OUTCOMES, first) => points::QUESTION,
            () if is("class", last) => points::QUESTION,
            () if is("type kind category", last) => points::KIND,
            () => 0,
        }
    }

    /// Whether a column is one of several that stand for the values of one, as `city_Oslo`, `city_Rome` and `target_1` do.
    fn is_of_family(&self, column: usize, others: &Others) -> bool {
        let family = family(&self.names[column]);
        family.is_some_and(|family| others.families.get(family).is_some_and(|&all| all >= FAMILY))
            && self.is_indicator(column)
    }

    /// Whether a column has two numbers or truth values.
    fn is_indicator(&self, column: usize) -> bool {
        let cells = self.cells(column);
        cells.is_some_and(|cells| cells.distinct() <= 2 && may_be_codes(cells))
    }

    /// Whether a column is called `y` and another one `x`: numbers in both are places.
    fn is_coordinate(&self, column: usize) -> bool {
        let has_texts = self.cells(column).is_some_and(|cells| cells.texts > 0);
        let is = |name: &String, wanted| name.eq_ignore_ascii_case(wanted);
        is(&self.names[column], "y") && !has_texts && self.names.iter().any(|name| is(name, "x"))
    }

    fn others(&self) -> Others {
        let names_rows = |column: usize| {
            self.cells(column).is_some_and(|cells| {
                cells.identifies(&self.names[column]) || cells.texts > 0 && is_many(cells)
            })
        };
        let mut others = Others {
            first: (0..self.used.len()).find(|&column| self.used[column] && !names_rows(column)),
            last: self.all_used().next_back(),
            ..Others::default()
        };
        for column in self.all_used() {
            others.texts += usize::from(self.cells(column).is_some_and(|cells| cells.texts > 0));
            others.classes += usize::from(!self.is_quantity(column));
            if let Some(own) = self.cells(column).and_then(signature) {
                *others.signatures.entry(own).or_default() += 1;
            }
            if let Some(family) = family(&self.names[column]).filter(|_| self.is_indicator(column))
            {
                *others.families.entry(family.to_owned()).or_default() += 1;
            }
        }
        others
    }

    fn is_quantity(&self, column: usize) -> bool {
        self.cells(column)
            .is_some_and(|cells| is_quantity(cells) || cells.identifies(&self.names[column]))
    }

    /// Whether a column is worth to be proposed.
    fn may_be(&self, column: usize) -> bool {
        let is_label = self.points_of_name(column) >= points::LABEL;
        let are_few = |cells: &ColumnSurvey| {
            (2..=FEW).contains(&cells.distinct()) || is_label && cells.texts > 0
        };
        self.cells(column).is_none_or(are_few) && !self.is_quantity(column)
    }

    /// Why it is not clear that the last column is the label.
    fn doubt(&self, last: usize, others: &[usize]) -> TargetDoubt {
        if !self.used[last] {
            return TargetDoubt::Ignored;
        }
        if let Some(cells) = self.cells(last) {
            if is_mostly_missing(cells) {
                let missing = cells.missing_labels();
                return TargetDoubt::MostlyMissing { missing, rows: cells.cells() };
            }
            if is_quantity(cells) || others.is_empty() {
                let (values, rows) = (cells.distinct(), cells.present());
                return match cells.texts {
                    0 => TargetDoubt::Quantity { values, rows },
                    _ => TargetDoubt::OneEach { values, rows },
                };
            }
        }
        let mut shown: Vec<usize> = others.iter().copied().take(2).collect();
        if !shown.contains(&last) {
            shown.push(last);
        }
        let candidate = |column: usize| Candidate {
            column: self.names[column].clone(),
            values: self.cells(column).map(ColumnSurvey::distinct),
            is_last: column == last,
        };
        TargetDoubt::Several { candidates: shown.into_iter().map(candidate).collect() }
    }

    fn all_used(&self) -> impl DoubleEndedIterator<Item = usize> {
        // A column that the file does not name is no label, as long as it names others.
        let has_names = self.has_names();
        let may_be = move |&column: &usize| self.used[column] && self.counts(column, has_names);
        (0..self.used.len()).filter(may_be)
    }

    /// Whether the file gives a column its name.
    fn is_named(&self, column: usize) -> bool {
        let (name, place) = (&self.names[column], (column + 1).to_string());
        *name != place && name.strip_prefix("column ") != Some(&place)
    }

    fn has_names(&self) -> bool {
        (0..self.used.len()).any(|column| self.used[column] && self.is_named(column))
    }

    /// Whether each value is to be a class, and there are not too many.
    fn are_classes(&self, cells: &ColumnSurvey) -> bool {
        self.max_labels.is_some_and(|most| cells.distinct() <= most as u64)
    }

    fn cells(&self, column: usize) -> Option<&ColumnSurvey> {
        self.survey?.columns.get(column)
    }
}

/// What the columns have in common.
#[derive(Default)]
struct Others {
    /// The first column that does not name the rows.
    first: Option<usize>,
    last: Option<usize>,
    /// The number of columns with texts.
    texts: usize,
    /// The number of columns that are no quantities.
    classes: usize,
    /// How many columns have the same few values, as answers of a questionnaire do.
    signatures: HashMap<Signature, usize>,
    /// How many indicators have names that begin alike.
    families: HashMap<String, usize>,
}

/// The beginning of a name that others may share: all but its last word or number. That of a question is none.
fn family(name: &str) -> Option<&str> {
    let numbered = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let family = match numbered.len() < name.len() {
        true => numbered,
        false => name.trim_end_matches(char::is_alphanumeric),
    };
    let is_question = |first: &String| QUESTIONS.split_whitespace().any(|word| word == first);
    (!family.is_empty() && !words_of(family).first().is_some_and(is_question)).then_some(family)
}

/// So many indicators are those of the values of one column.
const FAMILY: usize = 3;

/// Equal for columns with the same values.
type Signature = (bool, u64, u64);

fn signature(cells: &ColumnSurvey) -> Option<Signature> {
    let few = (2..=FEW).contains(&cells.distinct());
    let (numbers, texts) = (cells.number_values.signature(), cells.text_values.signature());
    few.then_some((cells.texts > 0, numbers, texts))
}

fn points_of_values(cells: &ColumnSurvey) -> i32 {
    let values = cells.distinct();
    // Numbers with a unit, too.
    let are_numbers = cells.texts == 0 || cells.with_digits == cells.texts;
    match values {
        _ if is_quantity(cells) => points::QUANTITY,
        // In few rows, too, a class has more than one example.
        4.. if are_numbers && values == cells.present() => points::MANY_NUMBERS,
        2 => points::TWO_VALUES,
        3..=10 if are_numbers => points::FEW_NUMBERS,
        _ if are_numbers => points::MANY_NUMBERS,
        3..=FEW => points::FEW_TEXTS,
        _ => points::MANY_NUMBERS,
    }
}

/// Whether a column is no class: one value, numbers with fractions, or nearly as many values as cells.
fn is_quantity(cells: &ColumnSurvey) -> bool {
    let has_fraction = cells.texts == 0 && cells.first_fraction.is_some();
    cells.distinct() < 2 || is_many(cells) || has_fraction && cells.distinct() > 2
}

/// Whether a column has about one cell for each number.
fn is_one_each(cells: &ColumnSurvey) -> bool {
    cells.texts == 0 && is_many(cells) && 10 * cells.distinct() > 9 * cells.present()
}

/// Whether a column is anything but two numbers other than 0, 1, 2 and −1.
fn may_be_codes(cells: &ColumnSurvey) -> bool {
    let are_small = |(least, greatest)| least >= -1.0 && greatest <= 2.0;
    cells.texts > 0 || cells.distinct() != 2 || cells.range().is_some_and(are_small)
}

/// Whether more than half of the cells are missing. A column without any value has another error.
fn is_mostly_missing(cells: &ColumnSurvey) -> bool {
    let missing = cells.missing_labels();
    (1..missing).contains(&(cells.cells() - missing))
}

/// Whether more than half of the cells differ.
fn is_many(cells: &ColumnSurvey) -> bool {
    let values = cells.distinct();
    values >= ROWS && 2 * values > cells.present()
}

/// The words of a name in lower case: `HeartDisease`, `heart_disease` and `heart disease` have the same.
pub(super) fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let letters: Vec<char> = name.chars().collect();
    for (i, &letter) in letters.iter().enumerate() {
        let before = i.checked_sub(1).map_or(' ', |before| letters[before]);
        let after = letters.get(i + 1).copied().unwrap_or(' ');
        let is_hump = letter.is_uppercase()
            && (before.is_lowercase() || before.is_uppercase() && after.is_lowercase());
        if !letter.is_alphanumeric() || is_hump {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::{
        super::{missing::MissingSpellings, survey::Counting},
        *,
    };
    use crate::number_form::NumberForm;

    /// The label of a table of 40 rows, or the columns that are proposed and why.
    fn label(
        names: &[&str],
        used: &[bool],
        row: impl Fn(u64) -> Vec<String>,
    ) -> Result<String, (Vec<String>, TargetDoubt)> {
        let (form, missing) = (NumberForm::default(), MissingSpellings::default());
        let counting = Counting::new(&form, &missing);
        let mut survey = Survey::new(names.len());
        for i in 0..40 {
            let cells = row(i);
            survey.add(i, cells.iter().map(String::as_bytes), &counting);
        }
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let question = TargetQuestion {
            file: "f",
            names: &names,
            used,
            survey: Some(&survey),
            max_labels: Some(1000),
        };
        question.find().map(|column| names[column].clone()).map_err(|error| match error {
            ReadError::UnclearTarget { others, doubt, .. } => (others, doubt),
            other => panic!("{other}"),
        })
    }

    fn cells(all: &[&str]) -> Vec<String> {
        all.iter().map(|&cell| cell.to_owned()).collect()
    }

    #[test]
    fn one_column_wins_clearly() {
        let both = &[true, true];
        let is = |name: &str| Ok(name.to_owned());
        let numbers = |i: u64| vec![i.to_string(), (i % 2).to_string()];
        assert_eq!(label(&["a", "b"], both, numbers), is("b"));
        assert_eq!(label(&["class", "y"], both, numbers), is("y"));
        assert_eq!(label(&["y", "x"], both, numbers), is("x"));
        // By its name, also where another column is last.
        let two = |i: u64| vec![["no", "yes"][i as usize % 2].to_owned(), (i % 15).to_string()];
        assert_eq!(label(&["Class", "age"], both, two), is("Class"));
        assert_eq!(label(&["is_spam", "length"], both, two), is("is_spam"));
        assert_eq!(label(&["Zielvariable", "Alter"], both, two), is("Zielvariable"));
        let loan = |i: u64| {
            let two = ["yes", "no"][usize::from(!i.is_multiple_of(3))];
            vec![
                (500 + 7 * i).to_string(),
                (i % 12).to_string(),
                two.to_owned(),
                format!("job {}", i % 5),
            ]
        };
        assert_eq!(label(&["amount", "months", "default", "job"], &[true; 4], loan), is("default"));
        // The only one that is no quantity.
        let first = |i: u64| vec![["a", "b"][i as usize % 2].to_owned(), format!("{}.5", i)];
        assert_eq!(label(&["g", "q"], both, first), is("g"));
        let truths =
            |i: u64| cells(&[["0", "1"][i as usize % 2], ["0", "1"][i as usize / 2 % 2], "0"]);
        // Only one label, as its name says, is an error of its own.
        let one = |i: u64| vec![(i % 2).to_string(), "a".to_owned()];
        assert_eq!(label(&["x", "kind"], both, one), is("kind"));
        assert_eq!(label(&["x", "z"], both, one), is("x"));
        assert_eq!(
            label(&["a", "b", "c"], &[true; 3], |i| {
                let mut row = truths(i);
                row[2] = ["0", "1"][usize::from(i % 4 == 3)].to_owned();
                row
            }),
            is("c")
        );
    }

    #[test]
    fn what_is_not_clear_is_asked() {
        let both = &[true, true];
        let numbers = |i: u64| vec![i.to_string(), (i % 2).to_string()];
        let asked = label(&["a", "b"], &[true, false], numbers);
        assert_eq!(asked, Err((vec![], TargetDoubt::Ignored)));
        let price = |i: u64| vec![(i % 3).to_string(), format!("{}.5", i % 5)];
        let quantity = TargetDoubt::Quantity { values: 5, rows: 40 };
        assert_eq!(label(&["a", "b"], both, price), Err((vec!["a".to_owned()], quantity)));
        let sparse = |i: u64| {
            let rest = if i.is_multiple_of(10) { "x" } else { ["", "NA"][i as usize % 2] };
            vec![(i % 2).to_string(), rest.to_owned()]
        };
        let missing = TargetDoubt::MostlyMissing { missing: 36, rows: 40 };
        let asked = label(&["a", "b"], both, sparse);
        assert_eq!(asked.map_err(|(_, doubt)| doubt), Err(missing));
        let age = |i: u64| vec![["m", "f"][i as usize % 2].to_owned(), (i % 15).to_string()];
        let several = TargetDoubt::Several {
            candidates: vec![
                Candidate { column: "sex".to_owned(), values: Some(2), is_last: false },
                Candidate { column: "age".to_owned(), values: Some(15), is_last: true },
            ],
        };
        let asked = label(&["sex", "age"], both, age);
        assert_eq!(asked, Err((vec!["sex".to_owned(), "age".to_owned()], several)));
        // The answers of a questionnaire: the last is like all others.
        let votes = |i: u64| {
            let answer = |k: u64| ["y", "n"][(i / k) as usize % 2].to_owned();
            let mut row = vec![["republican", "democrat"][i as usize % 2].to_owned()];
            row.extend([2, 3, 5, 7, 9, 11].map(answer));
            row
        };
        let names = ["q1", "q2", "q3", "q4", "q5", "q6", "q7"];
        let asked = label(&names, &[true; 7], votes);
        assert_eq!(asked.map_err(|(others, _)| others[0].clone()), Err("q1".to_owned()));
        // Of few alike, the place decides.
        let asked = label(&names[..4], &[true; 4], |i| votes(i)[..4].to_vec());
        assert_eq!(asked.map_err(|(others, _)| others[0].clone()), Err("q4".to_owned()));
        // Without names the places say more.
        let places = ["1", "2", "3", "4", "5", "6", "7"];
        assert_eq!(label(&places, &[true; 7], votes), Ok("1".to_owned()));
    }

    #[test]
    fn a_nameless_last_column_of_few_values_is_a_doubt() {
        let row = |last: &'static [&str]| {
            move |i: u64| {
                let town = ["Oslo", "Rome", "Bern"][i as usize % 3];
                cells(&[&format!("{i}.5"), town, last[i as usize % last.len()]])
            }
        };
        let find = |names: [&str; 3], last| label(&names, &[true; 3], row(last));
        assert!(find(["reading", "town", "column 3"], &["yes", "no"]).is_err());
        assert_eq!(find(["reading", "town", "column 3"], &[""]), Ok("town".to_owned()));
        assert_eq!(find(["reading", "class", "column 3"], &["yes", "no"]), Ok("class".to_owned()));
    }

    #[test]
    fn words_of_names() {
        assert_eq!(words_of("HeartDisease"), ["heart", "disease"]);
        assert_eq!(words_of("CVD Risk_level"), ["cvd", "risk", "level"]);
        assert_eq!(words_of("customerID.2"), ["customer", "id", "2"]);
        assert_eq!(words_of("#"), [""; 0]);
    }

    /// The words of a name that others know, in any spelling.
    #[test]
    fn names_in_all_spellings() {
        let row = |i: u64| {
            let two = ["yes", "no"][usize::from(!i.is_multiple_of(3))];
            vec![["a", "b"][i as usize % 2].to_owned(), two.to_owned(), format!("job {}", i % 5)]
        };
        for name in ["HeartDisease", "risk_level", "Attrition_Flag", "default.payment", "label_id"]
        {
            let found = label(&["a", name, "Type"], &[true; 3], row);
            assert_eq!(found, Ok(name.to_owned()));
        }
        // Indicators of the values of another column are none, nor is one of two outcomes but the last.
        let indicators = |i: u64| (0..5).map(|j| u64::from(i % 5 == j).to_string()).collect();
        let names = ["survived", "city_Oslo", "city_Rome", "city_Bern", "target"];
        assert_eq!(label(&names, &[true; 5], indicators), Ok("target".to_owned()));
        let names = ["survived", "town", "city_Oslo", "city_Rome", "city_Bern"];
        assert_eq!(label(&names, &[true; 5], indicators), Ok("survived".to_owned()));
        let names = ["target", "target_1", "target_2", "target_3", "target_4"];
        assert_eq!(label(&names, &[true; 5], indicators), Ok("target".to_owned()));
        let names = ["HeartDisease", "SkinCancer"];
        let both = |i: u64| {
            vec![["No", "Yes"][usize::from(i.is_multiple_of(5))].to_owned(), row(i)[1].clone()]
        };
        assert!(label(&names, &[true; 2], both).is_err());
        // Counts are no labels where they are last.
        let count = |i: u64| vec![["a", "b"][i as usize % 2].to_owned(), (i / 2 % 4).to_string()];
        assert!(label(&["g", "items"], &[true; 2], count).is_err());
        assert_eq!(label(&["g", "n_items"], &[true; 2], count), Ok("g".to_owned()));
        for name in ["MaritalStatus", "prior_default", "churn date"] {
            assert!(label(&["a", name, "b"], &[true; 3], row).is_err());
        }
    }
}

//! Columns of numbers that name the rows instead of measuring them.
//!
//! Their numbers are whole, there are at least 20, and no two are equal. That alone says little: prices and times may be so
//! too. Such a column is an identifier if its name says so, or if it counts the rows from 0 or 1 in any order and is no rank.
//! It may be one if it is the first one, its numbers are long and no seconds since 1970, and every other feature has fractions
//! or two values. A column that is called an identifier names something also where its values recur.

use super::{
    schema::{Column, Columns},
    survey::{ColumnSurvey, Survey},
    target::words_of,
};

/// The fewest numbers of an identifier.
const FEW: u64 = 20;
/// The fewest other columns with fractions.
const OTHERS: usize = 3;

/// The features that may be identifiers. Features that number the rows are none.
pub(crate) fn identifiers(columns: &Columns, survey: &Survey) -> Vec<String> {
    let features = columns.features.iter().filter_map(|column| {
        let is_number = column.categories.is_none() && column.words.is_none();
        Some((column, is_number.then(|| survey.columns.get(column.position - 1)).flatten()?))
    });
    let is_identifier = |cells: &ColumnSurvey, name: &str, position: usize| {
        cells.may_identify()
            && !cells.numbers_rows()
            && (is_name(name) || position == 1 && are_long(cells) && are_fractions(columns, survey))
    };
    features
        .filter(|(column, cells)| is_identifier(cells, &column.name, column.position))
        .map(|(column, _)| column.name.clone())
        .collect()
}

/// The features that number the rows.
pub(crate) fn row_numbers(columns: &Columns, survey: &Survey) -> Vec<String> {
    let numbers = |column: &&Column| survey.columns[column.position - 1].numbers_rows();
    columns.features.iter().filter(numbers).map(|column| column.name.clone()).collect()
}

/// Whether most of the numbers have at least five digits, and may not be times: seconds since 1970 up to the year 2038, at
/// most a year apart.
fn are_long(cells: &ColumnSurvey) -> bool {
    const SECONDS: std::ops::RangeInclusive<f64> = 1e9..=2_147_483_647.0;
    const YEAR: f64 = 366.0 * 86_400.0;
    let are_times = cells.range().is_some_and(|(least, greatest)| {
        SECONDS.contains(&least) && SECONDS.contains(&greatest) && greatest - least < YEAR
    });
    2 * cells.long_numbers > cells.numbers && !are_times
}

/// Whether every feature but the first column is a column of numbers, and has fractions or only two values.
fn are_fractions(columns: &Columns, survey: &Survey) -> bool {
    let others: Vec<_> = columns.features.iter().filter(|column| column.position > 1).collect();
    let cells = |position: usize| survey.columns.get(position - 1);
    let has_fraction = |position| cells(position).is_some_and(|one| one.first_fraction.is_some());
    let is_flag = |position| cells(position).is_some_and(|one| one.distinct() <= 2);
    let is_number = |column: &&&Column| column.categories.is_none() && column.words.is_none();
    others.iter().filter(|column| has_fraction(column.position)).count() >= OTHERS
        && others.iter().filter(is_number).count() == others.len()
        && others.iter().all(|one| has_fraction(one.position) || is_flag(one.position))
}

/// Whether other programs give this name to the rows' names.
fn is_index(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["index", "rownames", "row_names", "row names"].contains(&name.as_str())
        || name.starts_with("unnamed: ")
        || name.starts_with("__index_level_")
}

/// Whether a name says that numbers from 1 are places in an order of merit.
fn is_rank(name: &str) -> bool {
    let name = name.to_lowercase();
    ["rank", "place", "position", "score"].iter().any(|word| name.contains(word))
}

/// Whether a name is `id`, or ends with it or with `number` as a word of its own: `row_id`, `userId`, `Sample No.`; or is
/// written as one word, as in `patientid`.
fn is_name(name: &str) -> bool {
    const LAST: &str =
        "id ids pid uid uuid guid number no nr num sn sno serial fips geoid isbn ssn sku upc ean";
    const OF: &str = "patient customer cust user client sample subject case order product item employee emp student loan account \
        acct transaction person member record row passenger station session obj object house household game match player team \
        movie song track artist video post tweet image file doc county store site plot";
    let words = words_of(name);
    let Some(last) = words.last() else { return name.trim() == "#" };
    let is_one_word = || {
        let of = ["id", "ids", "no", "num"].iter().find_map(|end| last.strip_suffix(end));
        of.is_some_and(|of| OF.split_whitespace().any(|one| of.ends_with(one)))
    };
    LAST.split(' ').any(|one| one == last) || is_one_word()
}

/// Whether numbers of this name say which person a row is about.
fn is_person(name: &str) -> bool {
    ["individual", "subject", "patient", "person", "respondent", "participant", "household"]
        .iter()
        .any(|one| name.eq_ignore_ascii_case(one))
}

/// Whether texts of this name are names of persons.
fn is_name_of_person(name: &str) -> bool {
    ["name", "surname", "lastname", "firstname", "fullname", "username", "email"]
        .iter()
        .any(|one| words_of(name).concat() == *one)
}

impl ColumnSurvey {
    /// Whether the column has whole numbers alone, of which no two are equal.
    fn may_identify(&self) -> bool {
        let all = self.numbers >= FEW && self.present() + self.missing() == self.numbers;
        all && self.first_fraction.is_none() && self.are_different()
    }

    /// Whether the cells of a column of this name identify rows, or what rows are about, and are many.
    pub(crate) fn identifies(&self, name: &str) -> bool {
        const PER_PERSON: u64 = 5;
        let are_many = self.present() >= FEW && self.distinct() > FEW;
        let are_whole = self.first_fraction.is_none();
        let is_own = || match self.texts {
            0 => is_person(name),
            _ => is_name_of_person(name) && PER_PERSON * self.distinct() > self.present(),
        };
        // Row names have no name.
        let is_nameless = || name == "column 1" && self.are_different();
        are_many && are_whole && (is_name(name) || is_index(name) || is_nameless() || is_own())
            || self.numbers_rows() && self.counts_from_start() && !is_rank(name)
    }

    fn counts_from_start(&self) -> bool {
        matches!(self.least(), Some(0.0 | 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_identifiers() {
        for name in [
            "id",
            "Id",
            "ID",
            "PID",
            "row_id",
            "customer ID",
            "userId",
            "CustomerID",
            "x.id",
            "S.No",
            "#",
            "patientid",
            "Sample Number",
            "EmployeeNumber",
            "specobjid",
        ] {
            assert!(is_name(name), "{name}");
        }
        for name in [
            "", "d", "paid", "GRID", "valid", "Madrid", "identity", "lipid", "é", "numbers",
            "casino",
        ] {
            assert!(!is_name(name), "{name}");
        }
    }
}

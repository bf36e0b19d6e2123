//! The growing rows of a table.

use super::{dictionary::Dictionary, layout::Layout, words::Texts};
use crate::fast::prefault::append;

/// The rows of a table, column by column.
#[derive(Clone, Debug)]
pub(crate) struct TableRows {
    pub(crate) rows: usize,
    /// For each row the cells of the columns of numbers.
    pub(crate) numbers: Vec<f64>,
    /// For each row and each column of categories, the number of the category in the column's dictionary.
    pub(crate) codes: Vec<u32>,
    /// The dictionary of each column of categories.
    pub(crate) categories: Vec<Dictionary>,
    /// Each column of text.
    pub(crate) texts: Vec<Texts>,
}

impl TableRows {
    pub(crate) fn new(layout: &Layout) -> Self {
        TableRows {
            rows: 0,
            numbers: Vec::new(),
            codes: Vec::new(),
            categories: vec![Dictionary::default(); layout.categories],
            texts: vec![Texts::default(); layout.texts.len()],
        }
    }

    /// Whether all columns are numbers.
    pub(crate) fn is_numbers(&self) -> bool {
        self.categories.is_empty() && self.texts.is_empty()
    }

    /// Appends the rows of another block.
    pub(super) fn join(&mut self, more: TableRows) {
        self.rows += more.rows;
        append(&mut self.numbers, &more.numbers);
        let dictionaries = self.categories.iter_mut().zip(&more.categories);
        let maps: Vec<Vec<u32>> = dictionaries.map(|(all, more)| all.merge(more)).collect();
        let width = maps.len().max(1);
        let renumber = |(i, &code): (usize, &u32)| maps[i % width][code as usize];
        self.codes.extend(more.codes.iter().enumerate().map(renumber));
        self.texts.iter_mut().zip(more.texts).for_each(|(all, more)| all.join(more));
    }
}

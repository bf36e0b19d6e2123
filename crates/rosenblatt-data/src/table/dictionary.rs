//! Distinct strings, numbered in the order of their first occurrence.

use std::{collections::HashMap, convert::Infallible};

use rosenblatt_core::data::Spellings;

use crate::fast::hash::SeededHash;

/// Numbers strings from 0 and counts how often each occurs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dictionary {
    numbers: HashMap<Box<[u8]>, u32, SeededHash>,
    names: Vec<String>,
    counts: Vec<usize>,
    /// Labels come in runs: the last one is tried first.
    last: u32,
}

impl Dictionary {
    /// The number of `name`; a new one when it has not occurred, and then `check` may refuse it.
    pub(crate) fn number<E>(
        &mut self,
        name: &str,
        check: impl FnOnce(&str) -> Result<(), E>,
    ) -> Result<u32, E> {
        let number = match self.find(name.as_bytes()) {
            Some(number) => number,
            None => {
                check(name)?;
                self.insert(name)
            }
        };
        self.count_again(number);
        Ok(number)
    }

    /// The number of the name with these bytes, if it has occurred.
    #[inline]
    pub(crate) fn find(&self, name: &[u8]) -> Option<u32> {
        if self.names.get(self.last as usize).is_some_and(|last| last.as_bytes() == name) {
            return Some(self.last);
        }
        self.numbers.get(name).copied()
    }

    /// Counts the name with this number once more.
    #[inline]
    pub(crate) fn count_again(&mut self, number: u32) {
        self.counts[number as usize] += 1;
        self.last = number;
    }

    /// The number of `name`, a new one when it has not occurred.
    pub(crate) fn number_of(&mut self, name: &str) -> u32 {
        self.number(name, |_| Ok::<(), Infallible>(())).unwrap_or_else(|never| match never {})
    }

    /// Whether `name` has occurred.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.find(name.as_bytes()).is_some()
    }

    /// How often `name` has occurred.
    pub(crate) fn count(&self, name: &str) -> usize {
        self.find(name.as_bytes()).map_or(0, |number| self.counts[number as usize])
    }

    fn insert(&mut self, name: &str) -> u32 {
        let number = self.names.len() as u32;
        self.numbers.insert(name.as_bytes().into(), number);
        self.names.push(name.to_owned());
        self.counts.push(0);
        number
    }

    /// Adds a name that has not occurred, and how often it does.
    pub(crate) fn insert_counted(&mut self, name: &str, count: usize) {
        let number = self.insert(name);
        self.counts[number as usize] = count;
    }

    /// Takes in another dictionary; the result is the number here of each of its names.
    pub(crate) fn merge(&mut self, other: &Dictionary) -> Vec<u32> {
        let merge_one = |(name, count): (&String, &usize)| {
            let number = self.find(name.as_bytes()).unwrap_or_else(|| self.insert(name));
            self.counts[number as usize] += count;
            number
        };
        other.names.iter().zip(&other.counts).map(merge_one).collect()
    }

    /// The names and how often each occurs, as labels.
    pub(crate) fn spellings(&self) -> Spellings {
        Spellings { labels: self.names.clone(), counts: self.counts.clone() }
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    pub(crate) fn counts(&self) -> &[usize] {
        &self.counts
    }
}

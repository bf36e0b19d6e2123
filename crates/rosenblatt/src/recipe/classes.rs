//! The classes that can be learned from the training part of a split: nothing is known of the others.

use super::Table;
use rosenblatt_core::{
    data::{Classes, Scheme},
    options::{ClassWeight, Options},
};

/// The classes of the rows to learn from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LearnedClasses {
    /// All.
    #[default]
    All,
    /// Two or more, but not all.
    Some {
        /// The number of each of them among all classes.
        among: Vec<usize>,
        /// How they are learned.
        scheme: Scheme,
        /// The number among them of the class of each row of the table; their count for a row of another class.
        numbers: Vec<u32>,
    },
    /// One, of which nothing can be learned but to predict it.
    One(u32),
}

impl LearnedClasses {
    /// The classes of the rows of the table at these places.
    pub fn of(table: Table<'_>, places: &[usize]) -> Self {
        let classes = table.scheme.classes();
        let mut is_learned = vec![false; classes];
        for &place in places {
            if let Some(is_learned) = is_learned.get_mut(table.numbers[place] as usize) {
                *is_learned = true;
            }
        }
        let among: Vec<usize> = (0..classes).filter(|&class| is_learned[class]).collect();
        if among.len() == classes {
            return LearnedClasses::All;
        }
        if let [class] = among[..] {
            return LearnedClasses::One(class as u32);
        }
        let scheme = match among.len() {
            2 => Scheme::Two { positive: 1 },
            classes => Scheme::OneVsRest { classes },
        };
        let number =
            |class: &u32| among.binary_search(&(*class as usize)).unwrap_or(among.len()) as u32;
        let numbers = table.numbers.iter().map(number).collect();
        LearnedClasses::Some { among, scheme, numbers }
    }

    /// A class that is not learned.
    pub fn missing(&self, classes: usize) -> Option<usize> {
        let is_learned = |class: usize| match self {
            LearnedClasses::All => true,
            LearnedClasses::Some { among, .. } => among.binary_search(&class).is_ok(),
            LearnedClasses::One(learned) => class == *learned as usize,
        };
        (0..classes).find(|&class| !is_learned(class))
    }

    /// The number among all classes of each that is learned, if these are not all.
    pub fn among(&self) -> Option<&[usize]> {
        match self {
            LearnedClasses::Some { among, .. } => Some(among),
            LearnedClasses::All | LearnedClasses::One(_) => None,
        }
    }

    /// The table with these classes to learn.
    pub fn of_table<'t>(&'t self, table: Table<'t>) -> Table<'t> {
        match self {
            LearnedClasses::Some { scheme, numbers, .. } => {
                Table { scheme: *scheme, numbers, ..table }
            }
            LearnedClasses::All | LearnedClasses::One(_) => table,
        }
    }

    /// The options with the weights of these classes.
    #[must_use]
    pub fn of_options(&self, mut options: Options) -> Options {
        if let LearnedClasses::Some { among, .. } = self
            && let ClassWeight::Given(weights) = &mut options.class_weight
        {
            *weights = among.iter().map(|&class| weights[class]).collect();
        }
        options
    }

    /// The names of these classes among those of all, and the names of the others.
    pub fn of_names(&self, classes: &Classes) -> (Classes, Vec<String>) {
        let LearnedClasses::Some { among, .. } = self else { return (classes.clone(), Vec::new()) };
        let is_learned = |class: &usize| among.binary_search(class).is_ok();
        let (learned, others): (Vec<usize>, Vec<usize>) =
            (0..classes.names().len()).partition(is_learned);
        let name = |class: usize| classes.names()[class].clone();
        let learned = classes.only(&learned).unwrap_or_else(|| classes.clone());
        (learned, others.into_iter().map(name).collect())
    }
}

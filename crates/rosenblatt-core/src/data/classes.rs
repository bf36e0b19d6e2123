//! Classes from the labels of a file.
//!
//! Labels may be any strings. If all of them are numbers, they compare as numbers: `+1`, `1` and `1.0` are one class,
//! and −2 comes before 10. Otherwise they compare as strings. A class is identified by its number, counted from 0 in
//! that order. With two classes, the later one is positive unless the user names the other.

use std::fmt;

use super::{Sign, decimal::Decimal, excerpt};

/// Labels that do not form classes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ClassError {
    /// One class: there is nothing to separate.
    #[error(
        "all {examples} examples have the label `{label}`: there is nothing to separate",
        label = excerpt(.label)
    )]
    OneClass {
        /// The only label.
        label: String,
        /// How many examples have it.
        examples: usize,
    },
    /// No example.
    #[error("there is no example")]
    Empty,
    /// So large a number of different labels that they are probably not names of classes.
    #[error("found {count} different labels ({shown}), at most {} can be classes", Classes::MOST)]
    ManyClasses {
        /// How many classes there are.
        count: usize,
        /// The first of them.
        shown: String,
    },
    /// The label that should be positive does not occur.
    #[error(
        "the positive label `{label}` does not occur; the labels are {shown}",
        label = excerpt(.label)
    )]
    NoSuchLabel {
        /// The requested label.
        label: String,
        /// The first labels.
        shown: String,
    },
}

/// The hyperplanes of a set of classes, and how scores become a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Two classes and one hyperplane, whose positive side is the positive class.
    Two {
        /// The number of the positive class.
        positive: usize,
    },
    /// One hyperplane per class, which separates it from all others. The highest score decides; on a tie the first
    /// class wins.
    OneVsRest {
        /// The number of classes.
        classes: usize,
    },
}

/// An impossible scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemeError {
    /// A positive class that is not one of the two.
    #[error("the positive class is {positive}, expected 0 or 1")]
    Positive {
        /// The given class.
        positive: usize,
    },
    /// Too many classes.
    #[error("{classes} classes are too many, the limit is {}", Scheme::MOST)]
    TooMany {
        /// The number of classes.
        classes: usize,
    },
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scheme::Two { positive } => write!(f, "two classes, of which {positive} is positive"),
            Scheme::OneVsRest { classes } => {
                write!(f, "{classes} classes, each against the rest")
            }
        }
    }
}

impl Scheme {
    /// The maximum number of classes: 2²⁰. Classes with names have the lower limit [`Classes::MOST`].
    pub const MOST: usize = 1 << 20;

    /// Checks the positive class and the number of classes.
    ///
    /// # Errors
    /// [`SchemeError`].
    pub fn check(self) -> Result<(), SchemeError> {
        match self {
            Scheme::Two { positive } if positive > 1 => Err(SchemeError::Positive { positive }),
            Scheme::OneVsRest { classes } if classes > Self::MOST => {
                Err(SchemeError::TooMany { classes })
            }
            _ => Ok(()),
        }
    }

    /// The number of hyperplanes.
    pub fn hyperplanes(self) -> usize {
        match self {
            Scheme::Two { .. } => 1,
            Scheme::OneVsRest { classes } => classes,
        }
    }

    /// The number of classes.
    pub fn classes(self) -> usize {
        match self {
            Scheme::Two { .. } => 2,
            Scheme::OneVsRest { classes } => classes,
        }
    }

    /// The class on the positive side of hyperplane `number`.
    pub fn class_of(self, number: usize) -> usize {
        match self {
            Scheme::Two { positive } => positive,
            Scheme::OneVsRest { .. } => number,
        }
    }
}

/// The classes of a model: the sorted names and, with two classes, which is positive.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Classes {
    names: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    positive: Option<usize>,
    /// Whether the later of two labels was named as positive, which its place does not tell.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    later_is_named: bool,
}

impl Classes {
    /// The maximum number of classes. With more different labels, the label is probably a quantity.
    pub const MOST: usize = 1000;

    /// Two classes with the sorted names `names` and the number of the positive class.
    pub fn two(names: [String; 2], positive: usize) -> Option<Self> {
        let names = names.to_vec();
        let classes = Classes { names, positive: Some(positive), later_is_named: false };
        classes.is_sound().then_some(classes)
    }

    /// Three or more classes with the sorted names `names`.
    pub fn many(names: Vec<String>) -> Option<Self> {
        let classes = Classes { names, positive: None, later_is_named: false };
        classes.is_sound().then_some(classes)
    }

    /// Whether names and positive class are valid. Classes read from a file may not be.
    pub fn is_sound(&self) -> bool {
        let distinct: std::collections::HashSet<&String> = self.names.iter().collect();
        let fits = match (self.names.len(), self.positive) {
            (2, Some(positive)) => positive < 2,
            (3..=Classes::MOST, None) => true,
            _ => false,
        };
        fits && distinct.len() == self.names.len()
    }

    /// Those of three or more classes with these numbers, in the order of their labels; `None` for fewer than two.
    pub fn only(&self, numbers: &[usize]) -> Option<Self> {
        let names: Vec<&str> = numbers.iter().map(|&number| self.names[number].as_str()).collect();
        all_classes(&names).filter(|_| self.positive.is_none())
    }

    /// The names in sorted order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How the scores of hyperplanes become a class.
    pub fn scheme(&self) -> Scheme {
        match self.positive {
            Some(positive) => Scheme::Two { positive },
            None => Scheme::OneVsRest { classes: self.names.len() },
        }
    }

    /// With two classes, the names of the negative and the positive class.
    pub fn pair(&self) -> Option<(&str, &str)> {
        let positive = self.positive?;
        Some((&self.names[1 - positive], &self.names[positive]))
    }

    /// With two classes, the name of the positive class.
    pub fn positive(&self) -> Option<&str> {
        self.pair().map(|(_, positive)| positive)
    }

    /// The class of a label as written in a file, or `None` for an unknown label.
    ///
    /// A label that is a number is also found under another spelling (`+1` for `1`). In a model of one class against
    /// all others, every other label belongs to the others.
    pub fn number(&self, label: &str) -> Option<usize> {
        // Unless all labels are numbers, two spellings of one number can be two classes.
        let exact = self.names.iter().position(|name| name == label);
        let found = exact.or_else(|| self.names.iter().position(|name| same_label(label, name)));
        found.or_else(|| self.positive.filter(|_| self.is_one_vs_rest()).map(|p| 1 - p))
    }

    /// With two classes, the sign of a label as written in a file.
    pub fn sign(&self, label: &str) -> Option<Sign> {
        let plus = self.number(label)? == self.positive?;
        Some(if plus { Sign::Plus } else { Sign::Minus })
    }

    /// Whether the user named the positive class of two.
    pub(super) fn is_positive_named(&self) -> bool {
        self.later_is_named || self.positive == Some(0) || self.is_one_vs_rest()
    }

    /// Whether the negative class is "everything else".
    pub fn is_one_vs_rest(&self) -> bool {
        self.pair().is_some_and(|(negative, positive)| negative == rest_of(positive))
    }

    /// The names on one line, for messages.
    pub fn shown(&self) -> String {
        shown(&self.names)
    }
}

/// The distinct spellings of the labels of a data set, each with its number of examples.
#[derive(Clone, Debug, Default)]
pub struct Spellings {
    /// The spellings, each once, in any order.
    pub labels: Vec<String>,
    /// The number of examples of each spelling.
    pub counts: Vec<usize>,
}

impl Spellings {
    /// Returns the classes and the number of the class of each spelling.
    ///
    /// With `positive`, that label is one class. If more than one other label remains, together they form the class
    /// `not LABEL`.
    ///
    /// # Errors
    /// [`ClassError`] for fewer than two classes, or too many.
    pub fn classes(&self, positive: Option<&str>) -> Result<(Classes, Vec<u32>), ClassError> {
        let names = self.merged_names();
        let classes = match positive {
            None => all_classes(&names).ok_or_else(|| self.no_classes(&names))?,
            Some(label) => {
                let found = names.iter().find(|name| same_label(name, label));
                let positive = found.ok_or_else(|| ClassError::NoSuchLabel {
                    label: label.to_owned(),
                    shown: shown(&names),
                })?;
                one_against_others(&names, positive).ok_or_else(|| self.no_classes(&names))?
            }
        };
        // Every spelling belongs to a class.
        let number = |label: &String| classes.number(label).unwrap_or(0) as u32;
        let numbers = self.labels.iter().map(number).collect();
        Ok((classes, numbers))
    }

    /// Checks that the labels form at most `most` classes. Further labels cannot remove an error, because no spelling
    /// merges two classes.
    ///
    /// # Errors
    /// [`ClassError::ManyClasses`].
    pub fn at_most(&self, most: usize) -> Result<(), ClassError> {
        let names = self.merged_names();
        if names.len() <= most { Ok(()) } else { Err(self.no_classes(&names)) }
    }

    /// One name per class, sorted. The shortest spelling of a number names its class; among equally short ones, the
    /// first in byte order. The order of the examples does not matter.
    fn merged_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.labels.iter().map(String::as_str).collect();
        let numbers: Option<Vec<Decimal>> = names.iter().map(|name| Decimal::parse(name)).collect();
        match numbers {
            Some(numbers) => {
                let mut numbered: Vec<_> = numbers.into_iter().zip(names).collect();
                numbered.sort_by(|(a, a_name), (b, b_name)| {
                    (a, a_name.len(), a_name).cmp(&(b, b_name.len(), b_name))
                });
                numbered.dedup_by(|(a, _), (b, _)| a == b);
                numbered.into_iter().map(|(_, name)| name).collect()
            }
            None => {
                names.sort_unstable();
                names.dedup();
                names
            }
        }
    }

    fn no_classes(&self, names: &[&str]) -> ClassError {
        match names {
            [] => ClassError::Empty,
            [label] => ClassError::OneClass {
                label: (*label).to_owned(),
                examples: self.counts.iter().sum(),
            },
            _ => ClassError::ManyClasses { count: names.len(), shown: shown(names) },
        }
    }
}

fn all_classes(names: &[&str]) -> Option<Classes> {
    match names {
        &[first, second] => Classes::two([first.to_owned(), second.to_owned()], 1),
        names => Classes::many(names.iter().map(|&name| name.to_owned()).collect()),
    }
}

fn one_against_others(names: &[&str], positive: &str) -> Option<Classes> {
    match names {
        [] | [_] => None,
        &[first, second] => {
            let index = usize::from(second == positive);
            let classes = Classes::two([first.to_owned(), second.to_owned()], index)?;
            Some(Classes { later_is_named: index == 1, ..classes })
        }
        _ => Classes::two([rest_of(positive), positive.to_owned()], 1),
    }
}

fn rest_of(positive: &str) -> String {
    format!("not {positive}")
}

/// The first few names, for messages.
fn shown(names: &[impl AsRef<str>]) -> String {
    const MOST: usize = 6;
    let first = names.iter().take(MOST).map(AsRef::as_ref);
    let mut text = excerpt(&first.collect::<Vec<_>>().join(", ")).into_owned();
    if names.len() > MOST {
        text.push_str(", …");
    }
    text
}

/// Whether two labels are one class: they are spelled alike, or spell the same number in a data set of numeric labels.
pub fn same_label(a: &str, b: &str) -> bool {
    a == b || Decimal::parse(a).is_some_and(|a| Decimal::parse(b) == Some(a))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spellings(labels: &[&str]) -> Spellings {
        Spellings {
            labels: labels.iter().map(|&label| label.to_owned()).collect(),
            counts: vec![1; labels.len()],
        }
    }

    /// With a label that is not a number, two spellings of a number are two classes.
    #[test]
    fn spellings_beside_text_are_classes() {
        let labels: Vec<String> = ["0", "1", "0.0", "one", "1.0"].map(str::to_owned).into();
        let spellings = Spellings { counts: vec![1; labels.len()], labels };
        let (classes, numbers) = spellings.classes(None).unwrap();
        assert_eq!(classes.names(), ["0", "0.0", "1", "1.0", "one"]);
        assert_eq!(numbers, [0, 2, 1, 4, 3]);
        assert_eq!(classes.number("+1"), Some(2));
    }

    #[test]
    fn numbers_compare_as_numbers() {
        let (classes, signs) = spellings(&["10", "-2.0", "+10", "-2"]).classes(None).unwrap();
        assert_eq!(classes.names(), ["-2", "10"]);
        assert_eq!(signs, [1, 0, 1, 0]);
    }

    #[test]
    fn numbers_past_the_precision_of_floats_stay_apart() {
        let (classes, _) =
            spellings(&["9007199254740993", "9007199254740992"]).classes(None).unwrap();
        assert_eq!(classes.positive(), Some("9007199254740993"));
    }

    #[test]
    fn zero_has_one_class_whatever_its_sign() {
        let (classes, _) = spellings(&["-0", "0", "1"]).classes(None).unwrap();
        assert_eq!(classes.names(), ["0", "1"]);
    }

    #[test]
    fn strings_compare_as_strings() {
        let (classes, signs) = spellings(&["R", "M"]).classes(None).unwrap();
        assert_eq!(classes.positive(), Some("R"));
        assert_eq!(signs, [1, 0]);
        let (mixed, _) = spellings(&["10", "9a"]).classes(None).unwrap();
        assert_eq!(mixed.positive(), Some("9a"));
    }

    #[test]
    fn the_positive_class_can_be_named() {
        let (classes, _) = spellings(&["R", "M"]).classes(Some("M")).unwrap();
        assert_eq!(classes.pair(), Some(("R", "M")));
        assert_eq!(classes.names(), ["M", "R"]);
        let (rest, signs) = spellings(&["a", "b", "c"]).classes(Some("b")).unwrap();
        assert_eq!(rest.pair(), Some(("not b", "b")));
        assert_eq!(signs, [0, 1, 0]);
        assert_eq!(rest.sign("unheard of"), Some(Sign::Minus));
    }

    #[test]
    fn other_numbers_of_classes_are_errors() {
        let one = Spellings { labels: vec!["1".into(), "1.0".into()], counts: vec![3, 4] };
        let expected = ClassError::OneClass { label: "1".into(), examples: 7 };
        assert_eq!(one.classes(None).unwrap_err(), expected);
        assert_eq!(spellings(&[]).classes(None).unwrap_err(), ClassError::Empty);
        let quantities: Vec<String> = (0..=Classes::MOST).map(|i| i.to_string()).collect();
        let quantities: Vec<&str> = quantities.iter().map(String::as_str).collect();
        assert!(matches!(
            spellings(&quantities).classes(None),
            Err(ClassError::ManyClasses { count: 1001, .. })
        ));
        assert!(matches!(
            spellings(&["a", "b"]).classes(Some("z")),
            Err(ClassError::NoSuchLabel { .. })
        ));
    }

    /// Another spelling of a number adds no class; a text label separates all spellings and never reduces the classes.
    #[test]
    fn too_many_classes_stay_too_many() {
        let two = spellings(&["1", "1.0", "+1", "2"]);
        assert_eq!(two.at_most(2), Ok(()));
        let count = |labels: &[&str]| match spellings(labels).at_most(1) {
            Err(ClassError::ManyClasses { count, .. }) => count,
            other => panic!("{other:?}"),
        };
        assert_eq!(count(&["1", "1.0", "+1", "2"]), 2);
        assert_eq!(count(&["1", "1.0", "+1", "2", "two"]), 5);
    }

    #[test]
    fn three_classes_have_no_positive_one() {
        let (classes, numbers) = spellings(&["c", "a", "b"]).classes(None).unwrap();
        assert_eq!((classes.names().len(), classes.pair()), (3, None));
        assert_eq!(classes.scheme(), Scheme::OneVsRest { classes: 3 });
        assert_eq!(numbers, [2, 0, 1]);
        assert_eq!((classes.number("b"), classes.number("d")), (Some(1), None));
    }

    #[test]
    fn an_unknown_label_has_no_sign() {
        let (classes, _) = spellings(&["1", "-1"]).classes(None).unwrap();
        assert_eq!(classes.sign("+1.0"), Some(Sign::Plus));
        assert_eq!(classes.sign("0"), None);
    }
}

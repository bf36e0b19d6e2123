//! From the labels of a file to the two signs.
//!
//! Labels may be any strings. When all of them are numbers they compare as numbers: `+1`, `1` and
//! `1.0` are one class, and −2 comes before 10. Otherwise they compare as strings.
//! The positive class is the later one in that order, unless the user names another.

use super::{Sign, decimal::Decimal};

/// Why the labels do not make two classes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ClassError {
    /// Fewer than two classes: there is nothing to separate.
    #[error("all {examples} examples have the label `{label}`: there is nothing to separate")]
    OneClass {
        /// The only label.
        label: String,
        /// How many examples have it.
        examples: usize,
    },
    /// More than two classes, and none was named positive.
    #[error("found {count} classes ({shown}), a hyperplane separates two")]
    ManyClasses {
        /// How many classes there are.
        count: usize,
        /// The first of them.
        shown: String,
    },
    /// The label that should be positive does not occur.
    #[error("the positive label `{label}` does not occur; the labels are {shown}")]
    NoSuchLabel {
        /// What was asked for.
        label: String,
        /// The first labels.
        shown: String,
    },
}

/// The two classes of a model: the names of the labels in sorted order and which is positive.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Classes {
    names: [String; 2],
    positive: usize,
}

impl Classes {
    /// Two classes with the names `names`, in sorted order, and the index of the positive one.
    pub fn new(names: [String; 2], positive: usize) -> Option<Self> {
        let classes = Classes { names, positive };
        classes.is_sound().then_some(classes)
    }

    /// Whether these are two classes; what comes from a file may hold anything.
    pub fn is_sound(&self) -> bool {
        self.positive < 2 && self.names[0] != self.names[1]
    }

    /// The names in sorted order.
    pub fn names(&self) -> &[String; 2] {
        &self.names
    }

    /// The name of the class of `sign`.
    pub fn name(&self, sign: Sign) -> &str {
        match sign {
            Sign::Plus => &self.names[self.positive],
            Sign::Minus => &self.names[1 - self.positive],
        }
    }

    /// The sign of a label as written in a file, or `None` when it is neither class.
    ///
    /// A label that is a number is also found under another spelling (`+1` for `1`). In a model of
    /// one class against the rest, every other label belongs to the rest.
    pub fn sign(&self, label: &str) -> Option<Sign> {
        if same_label(label, self.name(Sign::Plus)) {
            return Some(Sign::Plus);
        }
        let known = same_label(label, self.name(Sign::Minus)) || self.is_one_against_rest();
        known.then_some(Sign::Minus)
    }

    /// Whether the negative class is "everything else".
    pub fn is_one_against_rest(&self) -> bool {
        self.name(Sign::Minus) == rest_of(self.name(Sign::Plus))
    }
}

/// The distinct labels of a data set as they were spelt, each with the number of its examples.
#[derive(Clone, Debug, Default)]
pub struct Spellings {
    /// Each spelling that occurs, once, in any order.
    pub labels: Vec<String>,
    /// For each spelling, the number of examples that have it.
    pub counts: Vec<usize>,
}

impl Spellings {
    /// Decides the two classes and gives the sign of each spelling.
    ///
    /// With `positive`, that label is one class; when more than one other label is left, together
    /// they are the class `not LABEL`.
    ///
    /// # Errors
    /// [`ClassError`] when there are not two classes.
    pub fn classes(&self, positive: Option<&str>) -> Result<(Classes, Vec<Sign>), ClassError> {
        let names = self.merged_names();
        let classes = match positive {
            None => two_classes(&names).ok_or_else(|| self.not_two(&names))?,
            Some(label) => {
                let found = names.iter().find(|name| same_label(name, label));
                let positive = found.ok_or_else(|| ClassError::NoSuchLabel {
                    label: label.to_owned(),
                    shown: shown(&names),
                })?;
                one_against_others(&names, positive).ok_or_else(|| self.not_two(&names))?
            }
        };
        let sign = |label: &String| classes.sign(label).unwrap_or(Sign::Minus);
        let signs = self.labels.iter().map(sign).collect();
        Ok((classes, signs))
    }

    /// One name for each class, sorted. Of several spellings of a number the shortest stands for
    /// all, and of equally short ones the first in byte order, whatever the order of the examples.
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

    fn not_two(&self, names: &[&str]) -> ClassError {
        match names {
            [] => ClassError::OneClass { label: String::new(), examples: 0 },
            [label] => ClassError::OneClass {
                label: (*label).to_owned(),
                examples: self.counts.iter().sum(),
            },
            _ => ClassError::ManyClasses { count: names.len(), shown: shown(names) },
        }
    }
}

fn two_classes(names: &[&str]) -> Option<Classes> {
    let &[first, second] = names else { return None };
    Classes::new([first.to_owned(), second.to_owned()], 1)
}

fn one_against_others(names: &[&str], positive: &str) -> Option<Classes> {
    match names {
        [] | [_] => None,
        &[first, second] => {
            let index = usize::from(second == positive);
            Classes::new([first.to_owned(), second.to_owned()], index)
        }
        _ => Classes::new([rest_of(positive), positive.to_owned()], 1),
    }
}

fn rest_of(positive: &str) -> String {
    format!("not {positive}")
}

/// The first few names, for a message.
fn shown(names: &[&str]) -> String {
    const MOST: usize = 6;
    let mut text = names.iter().take(MOST).copied().collect::<Vec<_>>().join(", ");
    if names.len() > MOST {
        text.push_str(", …");
    }
    text
}

fn same_label(a: &str, b: &str) -> bool {
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

    #[test]
    fn numbers_compare_as_numbers() {
        let (classes, signs) = spellings(&["10", "-2.0", "+10", "-2"]).classes(None).unwrap();
        assert_eq!(classes.names(), &["-2".to_owned(), "10".to_owned()]);
        assert_eq!(signs, [Sign::Plus, Sign::Minus, Sign::Plus, Sign::Minus]);
    }

    #[test]
    fn numbers_past_the_precision_of_floats_stay_apart() {
        let (classes, _) =
            spellings(&["9007199254740993", "9007199254740992"]).classes(None).unwrap();
        assert_eq!(classes.name(Sign::Plus), "9007199254740993");
    }

    #[test]
    fn zero_has_one_class_whatever_its_sign() {
        let (classes, _) = spellings(&["-0", "0", "1"]).classes(None).unwrap();
        assert_eq!(classes.names(), &["0".to_owned(), "1".to_owned()]);
    }

    #[test]
    fn strings_compare_as_strings() {
        let (classes, signs) = spellings(&["R", "M"]).classes(None).unwrap();
        assert_eq!(classes.name(Sign::Plus), "R");
        assert_eq!(signs, [Sign::Plus, Sign::Minus]);
        let (mixed, _) = spellings(&["10", "9a"]).classes(None).unwrap();
        assert_eq!(mixed.name(Sign::Plus), "9a");
    }

    #[test]
    fn the_positive_class_can_be_named() {
        let (classes, _) = spellings(&["R", "M"]).classes(Some("M")).unwrap();
        assert_eq!((classes.name(Sign::Plus), classes.name(Sign::Minus)), ("M", "R"));
        assert_eq!(classes.names(), &["M".to_owned(), "R".to_owned()]);
        let (rest, signs) = spellings(&["a", "b", "c"]).classes(Some("b")).unwrap();
        assert_eq!((rest.name(Sign::Plus), rest.name(Sign::Minus)), ("b", "not b"));
        assert_eq!(signs, [Sign::Minus, Sign::Plus, Sign::Minus]);
        assert_eq!(rest.sign("unheard of"), Some(Sign::Minus));
    }

    #[test]
    fn other_numbers_of_classes_are_errors() {
        let one = Spellings { labels: vec!["1".into(), "1.0".into()], counts: vec![3, 4] };
        let expected = ClassError::OneClass { label: "1".into(), examples: 7 };
        assert_eq!(one.classes(None).unwrap_err(), expected);
        assert!(matches!(
            spellings(&["a", "b", "c"]).classes(None),
            Err(ClassError::ManyClasses { count: 3, .. })
        ));
        assert!(matches!(
            spellings(&["a", "b"]).classes(Some("z")),
            Err(ClassError::NoSuchLabel { .. })
        ));
    }

    #[test]
    fn an_unknown_label_has_no_sign() {
        let (classes, _) = spellings(&["1", "-1"]).classes(None).unwrap();
        assert_eq!(classes.sign("+1.0"), Some(Sign::Plus));
        assert_eq!(classes.sign("0"), None);
    }
}

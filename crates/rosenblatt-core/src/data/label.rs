//! Labels: the names of classes in a program.

use std::{borrow::Cow, collections::HashMap};

use super::{ClassError, Classes, Sign, Spellings};

/// The label of an example: text, a whole number, a boolean or a [`Sign`].
///
/// Labels that are all numbers compare as numbers, other labels as text. With two classes the later one is positive.
pub trait Label {
    /// The text of the label.
    fn text(&self) -> Cow<'_, str>;
}

impl Label for str {
    fn text(&self) -> Cow<'_, str> {
        self.into()
    }
}

impl Label for String {
    fn text(&self) -> Cow<'_, str> {
        self.into()
    }
}

impl Label for Sign {
    fn text(&self) -> Cow<'_, str> {
        match self {
            Sign::Minus => "-1",
            Sign::Plus => "1",
        }
        .into()
    }
}

impl<L: Label + ?Sized> Label for &L {
    fn text(&self) -> Cow<'_, str> {
        (**self).text()
    }
}

macro_rules! label_by_display {
    ($($kind:ty),*) => {$(
        impl Label for $kind {
            fn text(&self) -> Cow<'_, str> {
                self.to_string().into()
            }
        }
    )*};
}
label_by_display!(bool, char, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

/// Returns the classes of labels, and the number of the class of each label. With `positive`, that label is one class,
/// and all other labels together are the other class.
///
/// # Errors
/// [`ClassError`] for fewer than two classes, or too many.
pub fn classes_of<L: Label>(
    labels: &[L],
    positive: Option<&str>,
) -> Result<(Classes, Vec<u32>), ClassError> {
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut spellings = Spellings::default();
    let mut spelling = |label: &L| {
        let text = label.text();
        let number = match numbers.get(text.as_ref()) {
            Some(&number) => number,
            None => {
                let number = spellings.labels.len() as u32;
                numbers.insert(text.clone().into_owned(), number);
                spellings.labels.push(text.into_owned());
                spellings.counts.push(0);
                number
            }
        };
        spellings.counts[number as usize] += 1;
        number
    };
    let of_rows: Vec<u32> = labels.iter().map(&mut spelling).collect();
    let (classes, of_spelling) = spellings.classes(positive)?;
    Ok((classes, of_rows.into_iter().map(|number| of_spelling[number as usize]).collect()))
}

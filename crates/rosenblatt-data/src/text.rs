//! Counts and names as people read them.

use rosenblatt_core::data::beginning;

use crate::escaped;

/// A count with thousands separated: `12,345`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `1 example`, `12 examples`.
pub fn counted(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(n), if n == 1 { "" } else { "s" })
}

/// A name from a file for one line of text: hidden characters are escaped, and a long name is cut.
pub fn name(name: &str) -> String {
    const MOST: usize = 60;
    let shown = escaped(name);
    if shown.chars().count() <= MOST {
        return shown;
    }
    beginning(&shown, MOST - 1).into_owned()
}

/// Each name of a list between backquotes.
pub fn quoted_names(all: &[&String]) -> String {
    all.iter().map(|one| format!("`{}`", name(one))).collect::<Vec<_>>().join(", ")
}

/// The names of a list for one line of text, as many as there is room for.
pub fn names(all: &[String]) -> String {
    const MOST: usize = 500;
    let all: Vec<String> = all.iter().map(|one| name(one)).collect();
    beginning(&all.join(", "), MOST).into_owned()
}

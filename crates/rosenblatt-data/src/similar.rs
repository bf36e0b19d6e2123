//! The name that was probably meant.

use rosenblatt_core::data::LONGEST_EXCERPT;

/// The name that is closest to `wanted`, if only a few letters differ. None is where `wanted` is too long to be quoted in a message.
pub fn similar<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if wanted.chars().nth(LONGEST_EXCERPT).is_some() {
        return None;
    }
    let wanted: Vec<char> = wanted.to_lowercase().chars().collect();
    let most = (wanted.len() / 5).clamp(1, 2);
    let distance = |name: &str| {
        let name: Vec<char> = name.to_lowercase().chars().take(wanted.len() + most + 1).collect();
        edits(&wanted, &name)
    };
    let near = names.into_iter().map(|name| (distance(name), name));
    let near = near.filter(|(edits, name)| *edits <= most && *edits < name.chars().count());
    near.min_by_key(|(edits, _)| *edits).map(|(_, name)| name)
}

/// The number of letters that have to be inserted, removed, replaced or swapped with their neighbor.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::similar;

    #[test]
    fn a_few_letters_may_differ() {
        let names = ["species", "sepal_length", "Width", "x"];
        let found = |wanted| similar(wanted, names);
        assert_eq!(found("specis"), Some("species"));
        assert_eq!(found("sepal-lenght"), Some("sepal_length"));
        assert_eq!(found("width"), Some("Width"));
        assert_eq!(found("y"), None);
        assert_eq!(found("label"), None);
        assert_eq!(similar("", names), None);
    }
}

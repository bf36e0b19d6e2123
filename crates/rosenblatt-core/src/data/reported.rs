//! The class that a report is about: of two classes, the one that people look for.
//!
//! It is independent of the signs of the weights, which follow from the order of the labels, so that equal labels give equal
//! models however many examples of each there are.

use super::{Classes, Scheme, same_label};

/// Labels that answer yes, or name what is looked for, whatever the other label is.
const AFFIRMATIVE: [&str; 5] = ["yes", "true", "positive", "fraud", "spam"];

/// Labels that answer yes only beside the label that answers no, because alone they may mean anything.
const ANSWERS: [(&str, &str); 4] = [("y", "n"), ("t", "f"), ("pos", "neg"), ("+", "-")];

/// The words before a label that deny it.
const DENIALS: [&str; 3] = ["not", "no", "non"];

impl Classes {
    /// Of two classes, the number of the one that reports call positive, of which `sizes` has the numbers of examples: the
    /// class that was named, else the one whose label is affirmative (`yes` beside `no`, `1` beside `0`, `fraud`), else the
    /// rarer one, else the later label. `None` for more classes.
    ///
    /// ```
    /// use rosenblatt_core::data::Spellings;
    ///
    /// let labels = ["ok", "fraud"].map(String::from).to_vec();
    /// let (classes, _) = Spellings { labels, counts: vec![399, 1] }.classes(None)?;
    /// assert_eq!(classes.positive(), Some("ok")); // of the weights
    /// assert_eq!(classes.reported(&[1, 399]), Some(0)); // `fraud`
    /// # Ok::<(), rosenblatt_core::data::ClassError>(())
    /// ```
    pub fn reported(&self, sizes: &[usize]) -> Option<usize> {
        let Scheme::Two { positive } = self.scheme() else { return None };
        let [first, second] = self.names() else { return None };
        if self.is_positive_named() {
            return Some(positive);
        }
        let affirmative = [(first, second), (second, first)];
        let affirmative = affirmative.map(|(label, other)| is_affirmative(label, other));
        Some(match (affirmative, sizes) {
            ([true, false], _) => 0,
            ([false, true], _) => 1,
            (_, [one, other]) if one < other => 0,
            _ => 1,
        })
    }
}

/// Whether a label says yes where the other one does not.
fn is_affirmative(label: &str, other: &str) -> bool {
    let is_one = same_label(label, "1") && ["0", "-1"].iter().any(|no| same_label(other, no));
    let (label, other) = (label.trim().to_lowercase(), other.trim().to_lowercase());
    let denies = |denial: &&str| {
        let rest = other.strip_prefix(*denial);
        let rest = rest.and_then(|rest| rest.strip_prefix([' ', '-', '_']));
        rest == Some(&label)
    };
    is_one
        || AFFIRMATIVE.contains(&label.as_str())
        || ANSWERS.contains(&(&label, &other))
        || DENIALS.iter().any(denies)
}

#[cfg(test)]
mod tests {
    use super::super::Spellings;

    /// The label that is reported, where `labels` have these numbers of examples.
    fn reported(labels: [&str; 2], counts: [usize; 2], named: Option<&str>) -> String {
        let spellings =
            Spellings { labels: labels.map(str::to_owned).to_vec(), counts: counts.to_vec() };
        let (classes, numbers) = spellings.classes(named).unwrap();
        let mut sizes = [0; 2];
        numbers.iter().zip(counts).for_each(|(&class, count)| sizes[class as usize] = count);
        classes.names()[classes.reported(&sizes).unwrap()].clone()
    }

    /// Whichever label is in more examples.
    #[test]
    fn an_affirmative_label_is_reported() {
        let pairs = [
            ("yes", "no"),
            ("Yes", "No"),
            ("y", "n"),
            ("TRUE", "FALSE"),
            ("t", "f"),
            ("1", "0"),
            ("1.0", "0.0"),
            ("+1", "-1"),
            ("1", "-1"),
            ("positive", "negative"),
            ("pos", "neg"),
            ("+", "-"),
            ("fraud", "ok"),
            ("fraud", "legitimate"),
            ("spam", "ham"),
            ("Churn", "No churn"),
            ("defect", "not defect"),
            ("smoker", "non-smoker"),
        ];
        for (label, other) in pairs {
            for counts in [[1, 9], [5, 5], [9, 1]] {
                assert_eq!(reported([label, other], counts, None), label);
                assert_eq!(reported([other, label], counts, None), label);
            }
        }
    }

    #[test]
    fn otherwise_the_rarer_or_the_later_label_is() {
        for [one, other] in
            [["M", "R"], ["1", "2"], ["left", "right"], ["y", "z"], ["fraud", "spam"]]
        {
            assert_eq!(reported([one, other], [3, 4], None), one);
            assert_eq!(reported([one, other], [4, 3], None), other);
            assert_eq!(reported([one, other], [4, 4], None), other);
        }
    }

    #[test]
    fn a_named_label_is_reported() {
        for counts in [[1, 9], [5, 5], [9, 1]] {
            for label in ["ok", "fraud"] {
                assert_eq!(reported(["ok", "fraud"], counts, Some(label)), label);
            }
        }
        let labels = ["a", "b", "c"].map(str::to_owned).to_vec();
        let (classes, _) = Spellings { labels, counts: vec![1; 3] }.classes(Some("b")).unwrap();
        let reported = classes.reported(&[2, 1]);
        assert_eq!(reported.map(|class| classes.names()[class].as_str()), Some("b"));
    }

    /// The signs of the weights do not follow from it.
    #[test]
    fn the_positive_class_stays_the_later_label() {
        let spellings =
            Spellings { labels: vec!["ok".to_owned(), "fraud".to_owned()], counts: vec![9, 1] };
        let (classes, _) = spellings.classes(None).unwrap();
        assert_eq!((classes.positive(), classes.reported(&[1, 9])), (Some("ok"), Some(0)));
        let text = serde_json::to_string(&classes).unwrap();
        assert_eq!(text, r#"{"names":["fraud","ok"],"positive":1}"#);
        let (named, _) = spellings.classes(Some("ok")).unwrap();
        let read: super::Classes =
            serde_json::from_str(&serde_json::to_string(&named).unwrap()).unwrap();
        assert_eq!(read.reported(&[1, 9]), Some(1));
    }
}

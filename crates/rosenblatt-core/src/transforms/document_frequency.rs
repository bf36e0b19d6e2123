//! The features that are in enough training rows, and not in too many.

use crate::options::{OptionInfo, OptionValues};
use std::{fmt, str::FromStr};

/// The option that chooses it.
pub(super) const OPTION: OptionInfo = OptionInfo {
    name: "document_frequency",
    help: "Leave out features that are not 0 in fewer than MIN or more than MAX of the training rows, such as rare words; \
           each a number of rows or a percentage, such as 2:50%, 2: or :50%",
    placeholder: "MIN:MAX",
    default: None,
    values: OptionValues::Forms(|| vec!["MIN:MAX".to_owned()]),
};

/// Limits on the number of training rows in which a feature is not 0, as text `MIN:MAX`. Each is a number of rows or a
/// percentage of all with at most four decimals, and may be missing: `2:` leaves out the words of a single text, `:50%` those
/// of more than half of the texts.
///
/// ```
/// use rosenblatt_core::transforms::DocumentFrequency;
/// let frequency: DocumentFrequency = "2:50%".parse()?;
/// assert!(frequency.has(2, 4) && !frequency.has(1, 4) && !frequency.has(3, 4));
/// assert_eq!(frequency.to_string(), "2:50%");
/// # Ok::<(), rosenblatt_core::transforms::UnknownDocumentFrequency>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DocumentFrequency {
    least: Option<Limit>,
    most: Option<Limit>,
}

/// A number of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limit {
    Rows(u64),
    /// A share of all rows, in millionths.
    Share(u32),
}

/// The decimals of a percentage.
const DECIMALS: usize = 4;
/// All rows, in millionths.
const WHOLE: u32 = 1_000_000;

impl DocumentFrequency {
    /// Whether a feature that is in d of n rows remains.
    pub fn has(self, d: u64, n: u64) -> bool {
        self.least.is_none_or(|least| least.compared(d, n).is_ge())
            && self.most.is_none_or(|most| most.compared(d, n).is_le())
    }
}

impl Limit {
    /// How d of n rows compare with this limit, exactly.
    fn compared(self, d: u64, n: u64) -> std::cmp::Ordering {
        match self {
            Limit::Rows(rows) => d.cmp(&rows),
            Limit::Share(share) => {
                (u128::from(d) * u128::from(WHOLE)).cmp(&(u128::from(n) * u128::from(share)))
            }
        }
    }
}

/// A text that is no document frequency.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no document frequency; known: MIN:MAX, each a number of rows or a percentage, such as 2:50%, 2: or :50%"
)]
pub struct UnknownDocumentFrequency(String);

impl FromStr for DocumentFrequency {
    type Err = UnknownDocumentFrequency;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let limit = |part: &str| match part {
            "" => Some(None),
            _ => part.parse().ok().map(Some),
        };
        let limits = text.split_once(':').and_then(|(least, most)| {
            Some(DocumentFrequency { least: limit(least)?, most: limit(most)? })
        });
        let is_sound = |frequency: &Self| match (frequency.least, frequency.most) {
            (None, None) => false,
            (Some(Limit::Rows(least)), Some(Limit::Rows(most))) => least <= most,
            (Some(Limit::Share(least)), Some(Limit::Share(most))) => least <= most,
            _ => true,
        };
        limits.filter(is_sound).ok_or_else(|| UnknownDocumentFrequency(text.to_owned()))
    }
}

impl FromStr for Limit {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let is_digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
        let Some(percentage) = text.strip_suffix('%') else {
            return match is_digits(text) {
                true => text.parse().map(Limit::Rows).map_err(|_| ()),
                false => Err(()),
            };
        };
        let (whole, decimals) = percentage.split_once('.').unwrap_or((percentage, ""));
        let is_number = !whole.is_empty() && is_digits(whole) && is_digits(decimals);
        if !is_number || decimals.len() > DECIMALS {
            return Err(());
        }
        let millionths = format!("{whole}{decimals:0<DECIMALS$}").parse().map_err(|_| ())?;
        if millionths > WHOLE { Err(()) } else { Ok(Limit::Share(millionths)) }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Rows(rows) => rows.fmt(f),
            // A number of millionths is below 2⁵³, so the nearest float has its digits.
            Limit::Share(share) => write!(f, "{}%", f64::from(*share) / 10_000.0),
        }
    }
}

impl fmt::Display for DocumentFrequency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |limit: Option<Limit>| limit.map_or_else(String::new, |limit| limit.to_string());
        write!(f, "{}:{}", text(self.least), text(self.most))
    }
}

impl TryFrom<String> for DocumentFrequency {
    type Error = UnknownDocumentFrequency;

    fn try_from(text: String) -> Result<Self, UnknownDocumentFrequency> {
        text.parse()
    }
}

impl From<DocumentFrequency> for String {
    fn from(frequency: DocumentFrequency) -> Self {
        frequency.to_string()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(text: &str) -> DocumentFrequency {
        text.parse().unwrap()
    }

    #[test]
    fn limits_by_hand() {
        // 30 % of 10 rows are 3: in floats, 0.3·10 is not above 3, but 0.1·3·10 is.
        assert!(of("30%:").has(3, 10) && !of("30.0001%:").has(3, 10) && of(":30%").has(3, 10));
        assert!(!of(":30%").has(4, 10) && of("3:").has(3, 10) && !of("3:").has(2, 10));
        assert!(of("0:100%").has(0, 10) && of("2:2").has(2, 2) && !of("2:2").has(3, 3));
        assert!(of("100%:").has(u64::MAX, u64::MAX) && !of("100%:").has(u64::MAX - 1, u64::MAX));
    }

    #[test]
    fn texts_that_are_none() {
        for text in [
            "",
            ":",
            "2",
            "3:2",
            "50%:2%",
            "-1:",
            "+2:",
            "1.5:",
            "2:101%",
            "50:%",
            ".5%:",
            "1.00001%:",
            "a:b",
            "2:3:4",
            "99999999999999999999:",
            "99999999999%:",
            " 2:",
        ] {
            let error = text.parse::<DocumentFrequency>().unwrap_err().to_string();
            assert!(error.contains("MIN:MAX"), "{text}");
        }
    }

    proptest! {
        #[test]
        fn text_and_value_are_equal(a in 0..2_000_000u32, b in 0..2_000_000u32, kinds in 0..8u8) {
            let limit = |a: u32, kind: u8| match kind {
                0 => Limit::Rows(u64::from(a)),
                _ => Limit::Share(a % (WHOLE + 1)),
            };
            let least = Some(limit(a, kinds & 1)).filter(|_| kinds & 2 == 0);
            let frequency = DocumentFrequency { least, most: Some(limit(b, kinds >> 2)) };
            if let Ok(read) = frequency.to_string().parse::<DocumentFrequency>() {
                prop_assert_eq!(read, frequency);
            } else {
                let is_descending = matches!(
                    (frequency.least, frequency.most),
                    (Some(Limit::Rows(a)), Some(Limit::Rows(b))) if a > b
                ) || matches!(
                    (frequency.least, frequency.most),
                    (Some(Limit::Share(a)), Some(Limit::Share(b))) if a > b
                );
                prop_assert!(is_descending);
            }
        }
    }
}

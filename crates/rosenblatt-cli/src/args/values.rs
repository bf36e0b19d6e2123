//! Values of options that are more than a word.

use rosenblatt_data::Delimiter;

use super::words::OnErrorArg;

/// `stop`, `skip` or `skip:5%`.
pub(super) fn on_error(word: &str) -> Result<OnErrorArg, String> {
    const USUAL: f64 = 0.01;
    let skip = match word {
        "stop" => return Ok(OnErrorArg::Stop),
        "skip" => Some(USUAL),
        _ => word.strip_prefix("skip:").and_then(|word| percent(word).or_else(|| fraction(word))),
    };
    let expected = "expected stop, skip, or skip with the largest share, such as skip:5%";
    skip.map(OnErrorArg::Skip).ok_or_else(|| expected.to_owned())
}

/// A finite number of a list.
pub(super) fn finite(word: &str) -> Result<f64, String> {
    let number = word.trim().parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| "expected finite numbers, separated by commas".to_owned())
}

/// A share of 0 % to 100 %.
fn percent(text: &str) -> Option<f64> {
    let percent: f64 = text.strip_suffix('%')?.parse().ok()?;
    (0.0..=100.0).contains(&percent).then_some(percent / 100.0)
}

/// A share of 0 to 1.
fn fraction(text: &str) -> Option<f64> {
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share))
}

/// A share between 0 and 1, such as 0.2 or 20%.
pub(super) fn share(word: &str) -> Result<f64, String> {
    let share = percent(word).or_else(|| fraction(word));
    share
        .filter(|share| *share > 0.0 && *share < 1.0)
        .ok_or_else(|| "expected a share above 0 and below 1, such as 0.2 or 20%".to_owned())
}

/// A probability above 0, such as 0.2 or 20%.
pub(super) fn probability(word: &str) -> Result<f64, String> {
    let probability = percent(word).or_else(|| fraction(word)).filter(|number| *number > 0.0);
    probability
        .ok_or_else(|| "expected a number above 0 and at most 1, such as 0.2 or 20%".to_owned())
}

/// Which examples are held out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HoldoutArg {
    /// Their share of all.
    pub(crate) share: f64,
    /// Whether they are the last ones. Others are drawn.
    pub(crate) is_last: bool,
}

/// A share, or `last:` and a share.
pub(super) fn holdout(word: &str) -> Result<HoldoutArg, String> {
    let (is_last, word) = match word.strip_prefix("last:") {
        Some(word) => (true, word),
        None => (false, word),
    };
    let expected =
        || "expected a share above 0 and below 1, such as 0.2, 20% or last:20%".to_owned();
    let share = share(word).map_err(|_| expected())?;
    Ok(HoldoutArg { share, is_last })
}

/// The cost of each error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Costs {
    /// A false alarm: the positive class is predicted for an example of the other one.
    pub(crate) false_positive: f64,
    /// The other class is predicted for an example of the positive one.
    pub(crate) false_negative: f64,
}

impl Costs {
    /// The probability from which on predicting the positive class costs less.
    pub(crate) fn threshold(self) -> f64 {
        1.0 / (1.0 + self.false_negative / self.false_positive)
    }
}

/// The costs of both errors; the threshold that they give is above 0 and below 1.
pub(super) fn costs(word: &str) -> Result<Costs, String> {
    let cost = |text: &str| text.parse().ok().filter(|cost: &f64| *cost > 0.0 && cost.is_finite());
    let costs = word.split_once(':').and_then(|(positive, negative)| {
        Some(Costs { false_positive: cost(positive)?, false_negative: cost(negative)? })
    });
    let is_sound = |costs: &Costs| costs.threshold() > 0.0 && costs.threshold() < 1.0;
    costs.filter(is_sound).ok_or_else(|| "expected two positive numbers, such as 1:5".to_owned())
}

/// A number of seconds.
pub(super) fn seconds(word: &str) -> Result<f64, String> {
    let seconds = word.parse().ok().filter(|seconds: &f64| *seconds >= 0.0 && *seconds < 1e9);
    seconds.ok_or_else(|| "expected a number of seconds".to_owned())
}

/// A number of bytes, such as `500M`.
pub(super) fn bytes(word: &str) -> Result<usize, String> {
    let expected = || "expected a number of bytes, such as 500M or 4G".to_owned();
    let (digits, unit) = match word.char_indices().next_back().ok_or_else(expected)? {
        (at, 'k' | 'K') => (&word[..at], 1 << 10),
        (at, 'm' | 'M') => (&word[..at], 1 << 20),
        (at, 'g' | 'G') => (&word[..at], 1 << 30),
        _ => (word, 1),
    };
    let number: usize = digits.parse().map_err(|_| expected())?;
    number.checked_mul(unit).ok_or_else(expected)
}

/// A separator of cells: its name or its character.
pub(super) fn delimiter(word: &str) -> Result<Delimiter, String> {
    match word {
        "comma" => Ok(Delimiter::Byte(b',')),
        "tab" | "\\t" | "\t" => Ok(Delimiter::Byte(b'\t')),
        "semicolon" => Ok(Delimiter::Byte(b';')),
        "space" | " " => Ok(Delimiter::Whitespace),
        _ => match word.as_bytes() {
            [byte] if byte.is_ascii_graphic() && !byte.is_ascii_alphanumeric() && *byte != b'"' => {
                Ok(Delimiter::Byte(*byte))
            }
            [byte @ (1..=8 | 14..=31)] => Ok(Delimiter::Byte(*byte)),
            [b'\\', b'x', high, low] => {
                let digits = [*high, *low];
                let byte = std::str::from_utf8(&digits)
                    .ok()
                    .and_then(|hex| u8::from_str_radix(hex, 16).ok());
                let byte = byte.filter(|byte| matches!(byte, 1..=8 | 14..=31));
                byte.map(Delimiter::Byte)
                    .ok_or_else(|| "expected a control character, such as \\x01".into())
            }
            _ => Err("expected one punctuation character, or comma, tab, semicolon, space".into()),
        },
    }
}

/// A sign of a table: its name or its character.
pub(super) fn sign(word: &str) -> Result<u8, String> {
    match (word, word.as_bytes()) {
        ("backslash", _) => Ok(b'\\'),
        (_, [byte]) if byte.is_ascii_punctuation() => Ok(*byte),
        _ => Err("expected one punctuation character, or backslash".into()),
    }
}

/// A separator of groups of three digits: its name or its character.
pub(super) fn thousands(word: &str) -> Result<char, String> {
    let mut characters = word.chars();
    match (word, characters.next(), characters.next()) {
        ("comma", ..) => Ok(','),
        ("point", ..) => Ok('.'),
        ("space", ..) => Ok(' '),
        (_, Some(one), None) if !one.is_alphanumeric() && !"+-\"".contains(one) => Ok(one),
        _ => Err("expected one character, or comma, point, space".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_units() {
        assert_eq!(bytes("12"), Ok(12));
        assert_eq!((bytes("3K"), bytes("2g")), (Ok(3072), Ok(2 << 30)));
        assert!(
            ["", "G", "-1", "1T", "1.5G", "99999999999G"].iter().all(|word| bytes(word).is_err())
        );
    }

    #[test]
    fn shares_are_numbers_or_percent() {
        assert_eq!((share("0.2"), share("20%")), (Ok(0.2), Ok(0.2)));
        let last = |share| Ok(HoldoutArg { share, is_last: true });
        assert_eq!((holdout("last:25%"), holdout("last:0.5")), (last(0.25), last(0.5)));
        assert_eq!(holdout("0.1"), Ok(HoldoutArg { share: 0.1, is_last: false }));
        for word in ["0", "1", "20", "100%", "last", "last:", "last:2", "first:20%", "nan%", "%"] {
            assert!(holdout(word).is_err(), "{word}");
        }
    }

    #[test]
    fn costs_are_a_threshold() {
        let threshold = |word| costs(word).map(Costs::threshold);
        let of = ["1:1", "1:3", "2.5:7.5"].map(threshold);
        assert_eq!(of, [Ok(0.5), Ok(0.25), Ok(0.25)]);
        for word in ["", "1", "1:", "0:1", "1:-2", "1:inf", "nan:1", "1e300:1e-300", "1:2:3"] {
            assert!(costs(word).is_err(), "{word}");
        }
    }

    #[test]
    fn skipping_has_a_limit() {
        assert_eq!(on_error("skip"), Ok(OnErrorArg::Skip(0.01)));
        assert_eq!(on_error("skip:2.5%"), Ok(OnErrorArg::Skip(0.025)));
        assert_eq!(on_error("skip:0.025"), Ok(OnErrorArg::Skip(0.025)));
        for word in ["skip:", "skip:5", "skip:101%", "skip:-1%", "skip:nan%", "skipped"] {
            assert!(on_error(word).is_err(), "{word}");
        }
    }

    #[test]
    fn delimiters_have_names() {
        assert_eq!(delimiter("space"), Ok(Delimiter::Whitespace));
        assert_eq!(delimiter(";"), Ok(Delimiter::Byte(b';')));
        assert_eq!(delimiter("tab"), Ok(Delimiter::Byte(b'\t')));
        assert_eq!(delimiter("\\x01"), Ok(Delimiter::Byte(1)));
        assert_eq!((sign("backslash"), sign("'")), (Ok(b'\\'), Ok(b'\'')));
        assert!(sign("a").is_err() && sign("ab").is_err() && delimiter("\\x41").is_err());
        assert!(delimiter("ab").is_err() && delimiter("\"").is_err() && delimiter("é").is_err());
    }
}

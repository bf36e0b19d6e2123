//! Ranges of numbers, their ticks, and numbers as text.

/// Beyond this, sums of a few numbers could overflow.
const LARGEST: f64 = 1e305;
/// Below this there are not enough digits left to divide a range.
const SMALLEST: f64 = 1e-300;

/// The numbers that an axis shows: finite, `low < high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    /// The low end.
    pub(crate) low: f64,
    /// The high end.
    pub(crate) high: f64,
}

impl Range {
    /// The range of the finite values; without a length that can be seen, one around them.
    pub(crate) fn of(values: impl Iterator<Item = f64>) -> Self {
        let finite = values.filter(|value| value.is_finite());
        let (low, high) = finite
            .map(|value| value.clamp(-LARGEST, LARGEST))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            });
        if low > high {
            return Range { low: -1.0, high: 1.0 };
        }
        let largest = low.abs().max(high.abs());
        if high - low >= (1e-9 * largest).max(SMALLEST) {
            return Range { low, high };
        }
        let half = if largest < SMALLEST { 1.0 } else { largest / 2.0 };
        Range { low: low - half, high: low + half }
    }

    /// The distance from end to end.
    pub(crate) fn length(self) -> f64 {
        self.high - self.low
    }

    /// This range made longer by `below` and `above` of its length.
    pub(crate) fn padded(self, below: f64, above: f64) -> Self {
        let length = self.length();
        Range { low: self.low - below * length, high: self.high + above * length }
    }

    /// This range made `length` long, both ways alike.
    pub(crate) fn widened(self, length: f64) -> Self {
        let more = (length / self.length() - 1.0).max(0.0) / 2.0;
        self.padded(more, more)
    }

    /// The position of `value`: 0 at the low end, 1 at the high end.
    pub(crate) fn place(self, value: f64) -> f64 {
        (value - self.low) / self.length()
    }
}

/// A number that is marked on an axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    /// 0 at the low end, 1 at the high end.
    pub(crate) place: f64,
    /// The number, to be read with the power of ten of its [`Ticks`].
    pub(crate) text: String,
}

/// The numbers marked on an axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ticks {
    /// From low to high.
    pub(crate) ticks: Vec<Tick>,
    /// The texts are in units of ten to this power.
    pub(crate) exponent: i32,
}

impl Ticks {
    /// About `most` multiples of 1, 2 or 5 times a power of ten, seldom more; only whole numbers if `whole`.
    pub(crate) fn new(range: Range, most: u32, whole: bool) -> Self {
        let rough = range.length() / f64::from(most);
        let (mantissa, power) = round_step(if whole { rough.max(1.0) } else { rough });
        let exponent = shared_exponent(range.low.abs().max(range.high.abs()), whole);
        let step = mantissa * 10f64.powi(power);
        let first = (range.low / step - 1e-9).ceil() as i64;
        let last = (range.high / step + 1e-9).floor() as i64;
        let decimals = (exponent - power).clamp(0, 15) as usize;
        let tick = |i: i64| Tick {
            place: range.place(i as f64 * step),
            text: signed(i as f64 * mantissa * 10f64.powi(power - exponent), decimals),
        };
        Ticks { ticks: (first..=last).map(tick).collect(), exponent }
    }

    /// The power of ten of the numbers, to be written behind the name of the axis.
    pub(crate) fn unit(&self) -> String {
        match self.exponent {
            0 => String::new(),
            exponent => format!(" (× 10{})", superscript(exponent)),
        }
    }
}

/// The next 1, 2 or 5 times a power of ten, as these two.
fn round_step(rough: f64) -> (f64, i32) {
    let power = rough.log10().floor() as i32;
    match rough / 10f64.powi(power) {
        share if share <= 1.0 + 1e-9 => (1.0, power),
        share if share <= 2.0 => (2.0, power),
        share if share <= 5.0 => (5.0, power),
        _ => (1.0, power + 1),
    }
}

fn shared_exponent(largest: f64, whole: bool) -> i32 {
    let short = if whole { 1.0..1e7 } else { 1e-2..1e5 };
    if short.contains(&largest) || largest == 0.0 { 0 } else { largest.log10().floor() as i32 }
}

/// A number with a true minus sign, and a comma at each three digits.
fn signed(value: f64, decimals: usize) -> String {
    let digits = format!("{:.*}", decimals, value.abs());
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let minus = if value < 0.0 && digits.contains(|digit| ('1'..='9').contains(&digit)) {
        "−"
    } else {
        ""
    };
    format!("{minus}{}{rest}", grouped(whole))
}

/// Digits with a comma at each three, when there are more than four.
fn grouped(digits: &str) -> String {
    if digits.len() < 5 {
        return digits.to_owned();
    }
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with a comma at each three digits.
pub(crate) fn count(number: u64) -> String {
    grouped(&number.to_string())
}

/// A number with four digits, as in handwriting.
pub(crate) fn number(value: f64) -> String {
    if !value.is_finite() {
        return if value.is_nan() {
            "not a number"
        } else if value > 0.0 {
            "∞"
        } else {
            "−∞"
        }
        .into();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{:.3e}", value.abs());
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let minus = if value < 0.0 { "−" } else { "" };
    if (-3..5).contains(&exponent) {
        let decimals = (3 - exponent).max(0) as usize;
        return trimmed(&signed(value, decimals)).to_owned();
    }
    format!("{minus}{} × 10{}", trimmed(digits), superscript(exponent))
}

fn trimmed(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

fn superscript(exponent: i32) -> String {
    let raised = |letter| match letter {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + u32::from(digit) - u32::from('0')).unwrap_or(digit),
    };
    exponent.to_string().chars().map(raised).collect()
}

//! The order and the sizes of the numbers of a column.

/// The order and the sizes of the numbers so far.
#[derive(Debug)]
pub(crate) struct NumberOrder {
    last: Option<f64>,
    rises: bool,
    falls: bool,
    long: u64,
}

impl Default for NumberOrder {
    fn default() -> Self {
        NumberOrder { last: None, rises: true, falls: true, long: 0 }
    }
}

impl NumberOrder {
    pub(crate) fn add(&mut self, value: f64) {
        const FIVE_DIGITS: f64 = 10_000.0;
        if let Some(last) = self.last.replace(value) {
            self.rises &= last < value;
            self.falls &= last > value;
        }
        self.long += u64::from(value.abs() >= FIVE_DIGITS);
    }

    /// Whether each number is greater than the one before, or each is less.
    pub(crate) fn is_monotone(&self) -> bool {
        self.rises || self.falls
    }

    /// The number of numbers of at least five digits.
    pub(crate) fn long(&self) -> u64 {
        self.long
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_rise_fall_or_do_neither() {
        let order = |numbers: &[f64]| {
            let mut order = NumberOrder::default();
            numbers.iter().for_each(|&number| order.add(number));
            (order.is_monotone(), order.long())
        };
        assert_eq!(order(&[1.0, 10_000.0, 20_000.0]), (true, 2));
        assert_eq!(order(&[3.0, -2.0, -10_000.0]), (true, 1));
        assert_eq!(order(&[1.0, 3.0, 2.0]), (false, 0));
        assert_eq!(order(&[1.0, 1.0]), (false, 0));
    }
}

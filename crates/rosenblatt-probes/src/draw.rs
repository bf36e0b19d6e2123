//! Numbers and names from bytes: any bytes are some of them, and few bytes are few.

/// Bytes that are used up from the front; after their end come zeros.
pub(crate) struct Draw<'b>(pub(crate) &'b [u8]);

impl Draw<'_> {
    /// The next byte.
    pub(crate) fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    /// A whole number below `n`, which is 256 at most.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::from(self.byte()) % n
    }

    /// A finite number: mostly a small integer, sometimes far out, subnormal, or any bits at all.
    pub(crate) fn number(&mut self) -> f64 {
        let kind = self.byte();
        let small = f64::from(self.byte() as i8);
        let drawn = match kind {
            0..=0x7f => small,
            0x80..=0xbf => small / 8.0,
            0xc0..=0xdf => small * 2f64.powi((i32::from(kind) - 0xd0) * 66),
            // A few steps between neighbouring numbers.
            0xe0..=0xef => f64::from_bits(small.to_bits().wrapping_add(u64::from(kind) - 0xe0)),
            _ => f64::from_bits(u64::from_le_bytes(std::array::from_fn(|_| self.byte()))),
        };
        Some(drawn).filter(|drawn| drawn.is_finite()).unwrap_or(small)
    }

    /// A number that may also be infinite or NaN.
    pub(crate) fn any_number(&mut self) -> f64 {
        match self.byte() {
            0xff => f64::NAN,
            0xfe => f64::INFINITY,
            _ => self.number(),
        }
    }

    /// This many numbers.
    pub(crate) fn numbers(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.number()).collect()
    }

    /// One of these.
    pub(crate) fn of<'c, T>(&mut self, choices: &'c [T]) -> &'c T {
        &choices[self.below(choices.len())]
    }

    /// A short text: a number, some letters, or anything that is UTF-8.
    pub(crate) fn text(&mut self) -> String {
        match self.byte() {
            kind @ 0..=0x3f => (i64::from(kind) - 20).to_string(),
            0x40..=0x4f => {
                (*self.of(&["01", "+1", "-0", "1.0", "1e0", "9223372036854775808", "", " 1"]))
                    .to_owned()
            }
            kind => {
                let n = usize::from(kind % 8).min(self.0.len());
                let (text, rest) = self.0.split_at(n);
                let text = String::from_utf8_lossy(text).into_owned();
                self.0 = rest;
                text
            }
        }
    }
}

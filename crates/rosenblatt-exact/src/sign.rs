//! A sign: the side of a hyperplane, or the class of an example.

use std::ops::{Mul, Neg};

/// The sign of an example in training: +1 or −1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i8)]
pub enum Sign {
    /// The negative class, −1.
    Minus = -1,
    /// The positive class, +1.
    Plus = 1,
}

impl Sign {
    /// +1.0 or −1.0.
    #[inline]
    pub fn as_f64(self) -> f64 {
        f64::from(self as i8)
    }
}

impl From<bool> for Sign {
    /// Plus for `true`.
    #[inline]
    fn from(is_plus: bool) -> Self {
        if is_plus { Sign::Plus } else { Sign::Minus }
    }
}

impl Neg for Sign {
    type Output = Sign;

    #[inline]
    fn neg(self) -> Sign {
        match self {
            Sign::Minus => Sign::Plus,
            Sign::Plus => Sign::Minus,
        }
    }
}

impl Mul<f64> for Sign {
    type Output = f64;

    /// `y · a`; exact.
    #[inline]
    fn mul(self, a: f64) -> f64 {
        // Without a branch, because the signs of a stream of examples are unpredictable.
        const SIGN: u64 = 1 << 63;
        f64::from_bits(a.to_bits() ^ (self as i8 as u64 & SIGN))
    }
}

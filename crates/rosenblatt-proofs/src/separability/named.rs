//! Which numbers a statement is about, and its certificate with their name.

/// Which numbers a statement is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Numbers {
    /// The decimals as they are written in text.
    Decimal,
    /// The stored 64-bit floats, each of which is a fraction with a power of two below.
    #[default]
    Binary64,
}

/// A certificate as it is written to a file, with the numbers that it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Named<'c, C> {
    /// The numbers. A certificate that names none is about floats.
    pub numbers: Numbers,
    /// The certificate.
    #[serde(flatten)]
    pub certificate: &'c C,
}

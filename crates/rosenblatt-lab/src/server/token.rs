//! The secret of a lab: other people may use the same machine, or reach it over the network.

use std::{fmt, hint::black_box, io, str::FromStr};

/// A word that cannot be a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a token has {} to {} letters, digits, `-` and `_`", Token::SHORTEST, Token::LONGEST)]
pub struct TokenError;

/// A secret word that every question must contain. `{:?}` does not print it.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// The minimum length; a shorter token could be guessed.
    pub const SHORTEST: usize = 16;
    /// The maximum length.
    pub const LONGEST: usize = 256;

    /// A token of 192 random bits from the system.
    ///
    /// # Errors
    /// An error of the system.
    pub fn random() -> io::Result<Self> {
        const LETTERS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let mut bytes = [0u8; 32];
        getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Token(bytes.map(|byte| char::from(LETTERS[usize::from(byte % 64)])).iter().collect()))
    }

    /// The word itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether `shown` is the token. The time that it takes depends on the length only.
    pub(super) fn matches(&self, shown: &[u8]) -> bool {
        let own = self.0.as_bytes();
        let differing = own.iter().zip(shown).fold(0, |all, (a, b)| black_box(all | (a ^ b)));
        own.len() == shown.len() && differing == 0
    }
}

impl FromStr for Token {
    type Err = TokenError;

    fn from_str(word: &str) -> Result<Self, TokenError> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let fits = (Self::SHORTEST..=Self::LONGEST).contains(&word.len());
        (fits && word.bytes().all(plain)).then(|| Token(word.to_owned())).ok_or(TokenError)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_long_and_plain() {
        assert!("0123456789abcdef".parse::<Token>().is_ok());
        let odd =
            ["", "0123456789abcde", "0123456789abcde ", "0123456789abcdé", "0123456789abcdef\n"];
        assert!(odd.iter().all(|word| word.parse::<Token>() == Err(TokenError)));
        assert_eq!("x".repeat(257).parse::<Token>(), Err(TokenError));
    }

    #[test]
    fn a_random_token_is_a_token_and_another_one_each_time() {
        let (one, other) = (Token::random().unwrap(), Token::random().unwrap());
        assert_eq!(one.as_str().parse::<Token>(), Ok(one.clone()));
        assert_eq!(one.as_str().len(), 32);
        assert!(one != other);
    }

    #[test]
    fn only_the_whole_token_matches() {
        let token: Token = "0123456789abcdef".parse().unwrap();
        assert!(token.matches(b"0123456789abcdef"));
        let others: [&[u8]; 4] =
            [b"", b"0123456789abcde", b"0123456789abcdeF", b"0123456789abcdef0"];
        assert!(others.iter().all(|other| !token.matches(other)));
        assert_eq!(format!("{token:?}"), "Token(…)");
    }
}

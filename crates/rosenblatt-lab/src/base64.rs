//! Base64 with padding (RFC 4648, section 4).

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes as base64.
#[cfg(any(test, feature = "standalone"))]
pub(crate) fn encoded(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |place: usize| u32::from(three.get(place).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let is_padding = digit > three.len();
            let value = (bits >> (18 - 6 * digit)) as usize & 63;
            text.push(if is_padding { '=' } else { char::from(DIGITS[value]) });
        }
    }
    text
}

/// The bytes of base64; `None` for a text that is not base64.
pub(crate) fn decoded(text: &str) -> Option<Vec<u8>> {
    let (fours, rest) = text.as_bytes().as_chunks::<4>();
    let mut bytes = Vec::with_capacity(3 * fours.len());
    for (place, four) in fours.iter().enumerate() {
        let digits = four.iter().position(|&digit| digit == b'=').unwrap_or(4);
        let is_last = place + 1 == fours.len();
        if digits < 2 || (digits < 4 && !is_last) || four[digits..].iter().any(|&pad| pad != b'=') {
            return None;
        }
        let mut bits = 0;
        for &digit in &four[..digits] {
            bits = bits << 6 | DIGITS.iter().position(|&own| own == digit)? as u32;
        }
        let [_, three @ ..] = (bits << (6 * (4 - digits))).to_be_bytes();
        bytes.extend_from_slice(&three[..digits - 1]);
    }
    rest.is_empty().then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of RFC 4648, section 10.
    const EXAMPLES: [(&str, &str); 7] = [
        ("", ""),
        ("f", "Zg=="),
        ("fo", "Zm8="),
        ("foo", "Zm9v"),
        ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ];

    #[test]
    fn base64_is_that_of_the_standard() {
        for (text, base64) in EXAMPLES {
            assert_eq!(encoded(text.as_bytes()), base64);
            assert_eq!(decoded(base64).unwrap(), text.as_bytes());
        }
        let all: Vec<u8> = (0..=u8::MAX).collect();
        assert_eq!(decoded(&encoded(&all)).unwrap(), all);
    }

    #[test]
    fn other_texts_are_not_base64() {
        for text in
            ["Z", "Zg", "Zg=", "Z===", "====", "Zg==Zg==", "Zm8 ", "Zm9v\n", "Z-8=", "Zg=v", "é"]
        {
            assert_eq!(decoded(text), None, "{text}");
        }
    }
}

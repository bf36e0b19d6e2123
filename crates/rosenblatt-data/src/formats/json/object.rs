//! The members of an object, with their places.

use std::borrow::Cow;

use memchr::{memchr, memchr2};
use serde::de::IgnoredAny;

use super::error::JsonProblem;
use crate::fault::{Excerpt, Fault, Problem};

/// A value of a member.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value<'b> {
    Text(Cow<'b, str>),
    Number(&'b [u8]),
    /// `true` or `false`.
    Truth(&'static str),
    Null,
    /// An object or a list.
    Nested,
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Member<'b> {
    pub(super) name: Cow<'b, str>,
    pub(super) value: Value<'b>,
    /// The offsets of the key and of the value.
    pub(super) name_at: usize,
    pub(super) value_at: usize,
}

/// Goes through bytes of JSON.
pub(super) struct Scanner<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) at: usize,
}

impl<'b> Scanner<'b> {
    /// The next byte that is not blank, which is not passed.
    pub(super) fn next(&mut self) -> Option<u8> {
        let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.at += self.bytes[self.at..].iter().take_while(is_blank).count();
        self.bytes.get(self.at).copied()
    }

    /// Passes `byte`, which must be next after blanks.
    pub(super) fn pass(&mut self, byte: u8, expected: &'static str) -> Result<(), Fault> {
        if self.next() != Some(byte) {
            return Err(self.unexpected(expected));
        }
        self.at += 1;
        Ok(())
    }

    /// The members of an object.
    pub(super) fn object(&mut self) -> Result<Vec<Member<'b>>, Fault> {
        let mut members = Vec::new();
        self.pass(b'{', "an object, which begins with `{`")?;
        if self.next() == Some(b'}') {
            self.at += 1;
            return Ok(members);
        }
        loop {
            members.push(self.member()?);
            if self.next() == Some(b',') {
                self.at += 1;
                continue;
            }
            self.pass(b'}', "`,` or `}`")?;
            return Ok(members);
        }
    }

    fn member(&mut self) -> Result<Member<'b>, Fault> {
        if self.next() != Some(b'"') {
            return Err(self.unexpected("a key in quotes"));
        }
        let name_at = self.at;
        let name = self.string()?;
        self.pass(b':', "`:` after the key")?;
        self.next();
        let value_at = self.at;
        Ok(Member { name, value: self.value()?, name_at, value_at })
    }

    fn value(&mut self) -> Result<Value<'b>, Fault> {
        const EXPECTED: &str = "a value: a number, text in quotes, true, false or null";
        let rest = &self.bytes[self.at..];
        let words = [
            ("true", Value::Truth("true")),
            ("false", Value::Truth("false")),
            ("null", Value::Null),
        ];
        match rest.first() {
            Some(b'"') => return Ok(Value::Text(self.string()?)),
            Some(b'{' | b'[') => {
                let end = nested_end(rest).ok_or_else(|| self.unexpected("the end of a value"))?;
                self.at += end;
                return Ok(Value::Nested);
            }
            _ => {}
        }
        for (word, value) in words {
            if rest.starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(value);
            }
        }
        let is_number = |byte: &&u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
        let number = &rest[..rest.iter().take_while(is_number).count()];
        if number.is_empty() || serde_json::from_slice::<IgnoredAny>(number).is_err() {
            return Err(self.unexpected(EXPECTED));
        }
        self.at += number.len();
        Ok(Value::Number(number))
    }

    /// Text in quotes.
    fn string(&mut self) -> Result<Cow<'b, str>, Fault> {
        let rest = &self.bytes[self.at..];
        let end =
            string_end(rest).ok_or_else(|| self.unexpected("text with a quote at its end"))?;
        let (quoted, inner) = (&rest[..end], &rest[1..end - 1]);
        let is_plain = memchr(b'\\', inner).is_none() && !inner.iter().any(u8::is_ascii_control);
        let text = match (is_plain, std::str::from_utf8(inner)) {
            (_, Err(_)) => {
                let text = Excerpt::new(inner);
                return Err(Fault::new(self.at, Problem::NotUtf8 { text }));
            }
            (true, Ok(text)) => Cow::Borrowed(text),
            (false, Ok(_)) => serde_json::from_slice(quoted)
                .map(Cow::Owned)
                .map_err(|_| self.unexpected("text with the escapes of JSON"))?,
        };
        self.at += end;
        Ok(text)
    }

    /// The fault that something else than `expected` is here.
    pub(super) fn unexpected(&self, expected: &'static str) -> Fault {
        let rest = &self.bytes[self.at.min(self.bytes.len())..];
        let line = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
        Fault::new(self.at, JsonProblem::Unexpected { text: Excerpt::new(line), expected })
    }
}

/// The length of the text in quotes with which the bytes begin.
fn string_end(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        at += memchr2(b'"', b'\\', bytes.get(at..)?)?;
        match bytes[at] {
            b'"' => return Some(at + 1),
            _ => at += 2,
        }
    }
}

/// The length of the object or list with which the bytes begin. Only brackets and quotes are looked at.
pub(super) fn nested_end(bytes: &[u8]) -> Option<usize> {
    let (mut depth, mut at) = (0usize, 0);
    loop {
        match bytes.get(at)? {
            b'"' => at += string_end(&bytes[at..])? - 1,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(text: &str) -> Result<Vec<Member<'_>>, Fault> {
        Scanner { bytes: text.as_bytes(), at: 0 }.object()
    }

    #[test]
    fn values_of_all_kinds() {
        let text = r#" {"a":1.5e3, "b" : "x\"\u00e9y","c":true,"d":null,"e":[{"}":1}],"f":"é"} "#;
        let values: Vec<Value<'_>> =
            members(text).unwrap().into_iter().map(|member| member.value).collect();
        let text = |text: &str| Value::Text(Cow::Owned(text.to_owned()));
        let truth = Value::Truth("true");
        let number = Value::Number(b"1.5e3");
        assert_eq!(values, [number, text("x\"éy"), truth, Value::Null, Value::Nested, text("é")]);
        assert!(members("{}").unwrap().is_empty());
    }

    #[test]
    fn faults_have_their_place() {
        let place = |text: &str| members(text).unwrap_err().offset;
        assert_eq!(place("[1]"), 0);
        assert_eq!(place("{a:1}"), 1);
        assert_eq!(place(r#"{"a" 1}"#), 5);
        assert_eq!(place(r#"{"a":NaN}"#), 5);
        assert_eq!(place(r#"{"a":01}"#), 5);
        assert_eq!(place(r#"{"a":1 "b":2}"#), 7);
        assert_eq!(place(r#"{"a":"x"#), 5);
        assert_eq!(place(r#"{"a":"\q"}"#), 5);
        assert_eq!(place(r#"{"a":1"#), 6);
    }

    #[test]
    fn brackets_in_text_do_not_count() {
        assert_eq!(nested_end(br#"{"a":"}\"}","b":[1]},{"#), Some(20));
        assert_eq!(nested_end(br#"{"a":"}"#), None);
        assert_eq!(nested_end(b"[1"), None);
    }
}

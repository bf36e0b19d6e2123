//! The members of an object, with their places.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

use super::error::JsonProblem;
use crate::fault::{Excerpt, Fault, Problem};

/// A value of a member.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::formats) enum Value<'b> {
    Text(Cow<'b, str>),
    Number(&'b [u8]),
    /// `true` or `false`.
    Truth(&'static str),
    Null,
    /// A list, or an object where one value is expected.
    Nested,
}

/// A key and its value. The keys of an object within another are joined by a full stop, as in `address.city`.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::formats) struct Member<'b> {
    pub(in crate::formats) name: Cow<'b, str>,
    pub(in crate::formats) value: Value<'b>,
    /// The offsets of the key and of the value.
    pub(in crate::formats) name_at: usize,
    pub(in crate::formats) value_at: usize,
}

/// Goes through bytes of JSON.
pub(super) struct Scanner<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) at: usize,
}

/// Objects within more objects than this are no columns.
const DEEPEST: usize = 32;

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

    /// Passes `byte` if it is next after blanks.
    pub(super) fn passes(&mut self, byte: u8) -> bool {
        let is_next = self.next() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// The members of an object.
    pub(super) fn object(&mut self) -> Result<Vec<Member<'b>>, Fault> {
        let mut members = Vec::new();
        self.members(None, 0, &mut members)?;
        Ok(members)
    }

    /// Adds the members of an object within `depth` others, whose keys are `outer`.
    fn members(
        &mut self,
        outer: Option<&str>,
        depth: usize,
        members: &mut Vec<Member<'b>>,
    ) -> Result<(), Fault> {
        self.pass(b'{', "an object, which begins with `{`")?;
        if self.passes(b'}') {
            return Ok(());
        }
        loop {
            let (name, name_at) = self.key()?;
            let name = match outer {
                None => name,
                Some(outer) => Cow::Owned(format!("{outer}.{name}")),
            };
            if self.next() == Some(b'{') && depth < DEEPEST {
                self.members(Some(&name), depth + 1, members)?;
            } else {
                let value_at = self.at;
                members.push(Member { name, value: self.value()?, name_at, value_at });
            }
            if !self.passes(b',') {
                return self.pass(b'}', "`,` or `}`");
            }
        }
    }

    /// Passes a key and the colon after it.
    pub(super) fn key(&mut self) -> Result<(Cow<'b, str>, usize), Fault> {
        if self.next() != Some(b'"') {
            return Err(self.unexpected("a key in quotes"));
        }
        let name_at = self.at;
        let name = self.string()?;
        self.pass(b':', "`:` after the key")?;
        Ok((name, name_at))
    }

    /// The values of a list, each with its offset.
    pub(super) fn list(&mut self) -> Result<Vec<(Value<'b>, usize)>, Fault> {
        let mut values = Vec::new();
        self.pass(b'[', "a list, which begins with `[`")?;
        if self.passes(b']') {
            return Ok(values);
        }
        loop {
            self.next();
            let at = self.at;
            values.push((self.value()?, at));
            if !self.passes(b',') {
                self.pass(b']', "`,` or `]`")?;
                return Ok(values);
            }
        }
    }

    /// Passes a value of any kind, which is valid to its last byte.
    pub(super) fn any(&mut self) -> Result<(), Fault> {
        let mut open = Vec::new();
        loop {
            match self.next() {
                Some(b'{') => {
                    self.at += 1;
                    if !self.passes(b'}') {
                        open.push(b'}');
                        self.key()?;
                        continue;
                    }
                }
                Some(b'[') => {
                    self.at += 1;
                    if !self.passes(b']') {
                        open.push(b']');
                        continue;
                    }
                }
                _ => drop(self.one()?),
            }
            loop {
                let Some(&close) = open.last() else { return Ok(()) };
                if self.passes(b',') {
                    if close == b'}' {
                        self.key()?;
                    }
                    break;
                }
                self.pass(close, if close == b'}' { "`,` or `}`" } else { "`,` or `]`" })?;
                open.pop();
            }
        }
    }

    /// A value; of one that is an object or a list, that it is one.
    pub(super) fn value(&mut self) -> Result<Value<'b>, Fault> {
        match self.next() {
            Some(b'{' | b'[') => self.any().map(|()| Value::Nested),
            _ => self.one(),
        }
    }

    /// A value that is no object and no list.
    fn one(&mut self) -> Result<Value<'b>, Fault> {
        const EXPECTED: &str = "a value: a number, text in quotes, true, false or null";
        let rest = &self.bytes[self.at..];
        let (word, value) = match rest.first() {
            Some(b'"') => return Ok(Value::Text(self.string()?)),
            Some(b't') => ("true", Value::Truth("true")),
            Some(b'f') => ("false", Value::Truth("false")),
            _ => ("null", Value::Null),
        };
        if rest.starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(value);
        }
        let is_number = |byte: &&u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
        let number = &rest[..rest.iter().take_while(is_number).count()];
        if !is_number_of_json(number) {
            return Err(self.unexpected(EXPECTED));
        }
        self.at += number.len();
        Ok(Value::Number(number))
    }

    /// Text in quotes.
    pub(super) fn string(&mut self) -> Result<Cow<'b, str>, Fault> {
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

/// Whether bytes are a number as JSON spells it: without a sign in front, a zero before other digits, or a bare point.
fn is_number_of_json(bytes: &[u8]) -> bool {
    let digits = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let bytes = bytes.strip_prefix(b"-").unwrap_or(bytes);
    let whole = digits(bytes);
    if whole == 0 || bytes[0] == b'0' && whole > 1 {
        return false;
    }
    let mut rest = &bytes[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let length = digits(fraction);
        if length == 0 {
            return false;
        }
        rest = &fraction[length..];
    }
    match rest {
        [] => true,
        [b'e' | b'E', exponent @ ..] => {
            let exponent = match exponent {
                [b'+' | b'-', digits @ ..] => digits,
                digits => digits,
            };
            !exponent.is_empty() && digits(exponent) == exponent.len()
        }
        _ => false,
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
    fn objects_within_objects_are_columns() {
        let text = r#"{"a":{"b":1,"c":{"d":"x"},"e":{}},"f":2}"#;
        let found = members(text).unwrap();
        let names: Vec<_> = found.iter().map(|member| (&*member.name, member.value_at)).collect();
        assert_eq!(names, [("a.b", 10), ("a.c.d", 21), ("f", 38)]);
        let deep = r#"{"a":"#.repeat(100) + "1" + &"}".repeat(100);
        let found = members(&deep).unwrap();
        assert_eq!((found.len(), &found[0].value), (1, &Value::Nested));
    }

    #[test]
    fn all_of_a_nested_value_is_valid() {
        for text in ["[]", "{}", r#"[1,{"a":[true,"x"]},[[]],null]"#, r#"{"a":{"b":{}}}"#] {
            let mut scanner = Scanner { bytes: text.as_bytes(), at: 0 };
            assert_eq!((scanner.any(), scanner.at), (Ok(()), text.len()), "{text}");
        }
        for text in
            ["[1,]", "[1 2]", "[1", "[nul]", r#"{"a"}"#, r#"{"a":1,}"#, "[01]", "[\"\n\"]", "[}"]
        {
            assert!(Scanner { bytes: text.as_bytes(), at: 0 }.any().is_err(), "{text}");
        }
        let deep = "[".repeat(1_000_000);
        assert!(Scanner { bytes: deep.as_bytes(), at: 0 }.any().is_err());
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
    fn numbers_are_those_of_serde() {
        let parts = ["", "-", "+", "0", "1", "05", "10", ".", ".5", "e", "e5", "E-0", "e+"];
        let n = parts.len();
        for i in 0..n.pow(3) {
            let text = [i, i / n, i / n.pow(2)].map(|i| parts[i % n]).concat();
            // Ignored: a number out of range is one all the same.
            let expected = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
            assert_eq!(is_number_of_json(text.as_bytes()), expected, "{text}");
        }
        // A number out of range is one all the same.
        assert!(is_number_of_json(b"1e999"));
    }

    #[test]
    fn brackets_in_text_do_not_count() {
        assert_eq!(nested_end(br#"{"a":"}\"}","b":[1]},{"#), Some(20));
        assert_eq!(nested_end(br#"{"a":"}"#), None);
        assert_eq!(nested_end(b"[1"), None);
    }
}

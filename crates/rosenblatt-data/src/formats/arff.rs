//! ARFF, the format of Weka: a header of attributes, and below `@data` one example a line.
//!
//! Values are separated by commas and may be within single or double quotes; `?` is a missing one, and `%` begins a comment.
//! The values of a nominal attribute are categories, also where they look like numbers. Sparse rows and weights of rows
//! are refused.

use std::{borrow::Cow, sync::Arc};

use super::{
    effects::Traits,
    format::{Counted, FileFormat, FoundBy, Input},
    json::{LineRows, Member, Start, Value, counted, open_training},
};
use crate::{
    CsvProblem,
    fault::{Excerpt, Fault, FormatProblem, Problem},
    input::{reader::Reader, source::Source, text::without_mark},
    options::{FormatKind, ReadOptions},
    read_error::ReadError,
    table::{batch::LabelUse, schema::Schema},
};

impl FormatKind {
    /// ARFF.
    pub const ARFF: Self = FormatKind::new("arff");
}

/// A problem of ARFF data.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ArffProblem {
    /// Something else than the header may have at this place.
    #[error("found `{text}`, expected {expected}")]
    Unexpected {
        /// The text.
        text: Excerpt,
        /// The expected text, in words.
        expected: &'static str,
    },
    /// The place of a value in a sparse row is none of an attribute, or not after the one before.
    #[error(
        "`{text}` is no place of a value in a sparse row, which counts the {attributes} attributes from 0, in their order"
    )]
    Place {
        /// The text.
        text: Excerpt,
        /// The number of attributes.
        attributes: usize,
    },
    /// The weight of a row.
    #[error("a weight after the last value; rows have no weights")]
    Weight,
}

impl From<ArffProblem> for Problem {
    fn from(problem: ArffProblem) -> Self {
        Problem::Format(FormatProblem::new(problem))
    }
}

pub(super) struct Arff;

impl FileFormat for Arff {
    fn kind(&self) -> FormatKind {
        FormatKind::ARFF
    }

    fn traits(&self) -> Traits {
        Traits {
            noun: "ARFF data",
            is_text: true,
            has_separators: false,
            has_first_row: false,
            has_columns: true,
            has_spellings: true,
            has_missing_texts: true,
            has_indices: false,
        }
    }

    fn endings(&self) -> &'static [&'static str] {
        &["arff"]
    }

    /// The first line that is no comment names the relation.
    fn detect(&self, source: &mut Source, is_chosen: bool) -> Result<bool, ReadError> {
        const STARTS: [usize; 2] = [1 << 12, 1 << 16];
        const NAME: &[u8] = b"@relation";
        for start in STARTS.into_iter().filter(|_| !is_chosen) {
            let start = source.peek(start)?;
            let mut lines =
                without_mark(&start).split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
            if let Some(first) = lines.find(|line| !line.is_empty() && !line.starts_with(b"%")) {
                let name = first.get(..NAME.len());
                return Ok(name.is_some_and(|name| name.eq_ignore_ascii_case(NAME)));
            }
        }
        Ok(is_chosen)
    }

    fn counted(&self, input: Input, options: &ReadOptions) -> Result<Option<Counted>, ReadError> {
        counted(start, input, options)
    }

    fn open_training(&self, input: Input, options: &ReadOptions) -> Result<Reader, ReadError> {
        open_training(start, input, options)
    }

    fn open_model(
        &self,
        input: Input,
        options: &ReadOptions,
        schema: &Schema,
        labels: LabelUse,
    ) -> Result<Reader, ReadError> {
        start(input)?.open_model("ARFF", options, schema, labels)
    }
}

/// Reads the header.
fn start(input: Input) -> Result<Start, ReadError> {
    let by_bytes = input.found_by == FoundBy::FirstBytes;
    let mut text = input.into_text()?;
    text.notes.format_from_content = false;
    text.notes.format_from_magic = by_bytes.then(|| "ARFF".to_owned());
    let mut block = text.take_block()?;
    loop {
        let header = Header::read(&block, !text.goes_on());
        if let Some((header, end)) = header.map_err(|fault| text.fault(&block, fault))? {
            text.pass(&block[..end]);
            block.drain(..end);
            return Ok(Start::of_lines(text, block, Arc::new(header)));
        }
        block.extend(text.next_block()?.unwrap_or_default());
    }
}

/// The attributes.
#[derive(Default)]
struct Header {
    names: Vec<String>,
    nominal: Vec<String>,
    /// What a sparse row means that gives no value: 0, or the first of the listed values. For other attributes it is missing.
    absent: Vec<Option<String>>,
    /// The label, which KEEL names.
    output: Option<String>,
}

impl Header {
    /// The header, and the offset of the line after it; `None` if more of the file has to be seen.
    fn read(block: &[u8], is_whole: bool) -> Result<Option<(Header, usize)>, Fault> {
        let (mut header, mut at) = (Header::default(), 0);
        for line in block.split_inclusive(|&byte| byte == b'\n') {
            let start = at + (line.len() - line.trim_ascii_start().len());
            at += line.len();
            let line = line.trim_ascii();
            let word = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
            match &*word.to_ascii_lowercase() {
                [] | [b'%', ..] | b"@relation" | b"@input" | b"@inputs" => {}
                b"@output" | b"@outputs" => {
                    let name = line[word.len()..].trim_ascii();
                    header.output = Some(String::from_utf8_lossy(name).into_owned());
                }
                b"@attribute" => {
                    let rest = &line[word.len()..];
                    header.attribute(rest).map_err(|fault| fault.after(start + word.len()))?;
                }
                b"@data" => return Ok(Some((header, at))),
                _ => return Err(unexpected(start, line, "@relation, @attribute or @data")),
            }
        }
        if is_whole { Err(unexpected(at, b"", "@data")) } else { Ok(None) }
    }

    fn attribute(&mut self, text: &[u8]) -> Result<(), Fault> {
        let (name, after) = cell(text, |byte| byte.is_ascii_whitespace() || byte == b'{')?;
        let Value::Text(name) = name else { return Err(unexpected(0, text, "a name")) };
        let rest = text[after..].trim_ascii();
        // Words are categories by themselves, or names of the rows; numbers are categories by this list alone.
        let is_number = |value: &[u8]| {
            let value = value.trim_ascii();
            value.first().is_some_and(|&byte| !byte.is_ascii_alphabetic())
                && !value.starts_with(b"?")
        };
        if let Some(values) = rest.strip_prefix(b"{")
            && values.split(|&byte| byte == b',').any(is_number)
        {
            self.nominal.push(name.clone().into_owned());
        }
        // KEEL writes the range beside the type: `integer[0,3]`.
        let end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'[';
        let word = rest.split(end).next().unwrap_or_default();
        let is = |known: &[&[u8]]| known.iter().any(|known| word.eq_ignore_ascii_case(known));
        let are_numbers = is(&[b"numeric", b"real", b"integer"]);
        let is_known = are_numbers || is(&[b"string", b"date"]);
        if !is_known && !rest.starts_with(b"{") {
            return Err(unexpected(after, rest, "{values}, numeric, string or date"));
        }
        if self.names.iter().any(|one| *one == name) {
            return Err(Fault::new(0, Problem::DuplicateColumn { name: name.into_owned() }));
        }
        let listed = rest.strip_prefix(b"{");
        let first = listed.map(|values| cell(values, |byte| byte == b',' || byte == b'}'));
        let first = match first {
            Some(Ok((Value::Text(first), _))) => Some(first.into_owned()),
            Some(_) => None,
            None => are_numbers.then(|| "0".to_owned()),
        };
        self.absent.push(first);
        self.names.push(name.into_owned());
        Ok(())
    }

    /// The values of a row `{place value, …}`.
    fn sparse<'r>(&'r self, line: &'r [u8]) -> Result<Vec<Member<'r>>, Fault> {
        let absent = |value: &'r Option<String>| match value {
            Some(value) => Value::Text(Cow::Borrowed(value)),
            None => Value::Null,
        };
        let members = self.names.iter().zip(&self.absent).map(|(name, value)| Member {
            name: Cow::Borrowed(name.as_str()),
            value: absent(value),
            name_at: 0,
            value_at: 0,
        });
        let mut members: Vec<Member<'r>> = members.collect();
        let blanks =
            |at: usize| line[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let mut at = line.iter().take_while(|byte| **byte != b'{').count() + 1;
        let mut next = 0;
        loop {
            at += blanks(at);
            if line.get(at) == Some(&b'}') {
                break;
            }
            let digits = line[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let place =
                std::str::from_utf8(&line[at..at + digits]).ok().and_then(|text| text.parse().ok());
            let place: usize = place
                .filter(|place| (next..self.names.len()).contains(place))
                .ok_or_else(|| {
                    let end =
                        line[at..].iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
                    let (text, attributes) = (Excerpt::new(&line[at..at + end]), self.names.len());
                    Fault::new(at, ArffProblem::Place { text, attributes })
                })?;
            let value_at = at + digits + blanks(at + digits);
            let read = cell(&line[value_at..], |byte| byte == b',' || byte == b'}');
            let (value, after) = read.map_err(|fault| fault.after(value_at))?;
            members[place] =
                Member { value, name_at: at, value_at, name: members[place].name.clone() };
            (next, at) = (place + 1, value_at + after);
            match line.get(at) {
                Some(b',') => at += 1,
                Some(b'}') => break,
                _ => return Err(unexpected(at, b"", "}")),
            }
        }
        match line[at + 1..].trim_ascii() {
            [] => Ok(members),
            [b',', ..] => Err(Fault::new(at + 1, ArffProblem::Weight)),
            rest => Err(unexpected(at + 1, rest, "the end of the line")),
        }
    }
}

impl LineRows for Header {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn options(&self, mut options: ReadOptions) -> ReadOptions {
        let output = self.output.as_ref().filter(|output| self.names.contains(output));
        options.target = options.target.or_else(|| output.cloned());
        let is_feature =
            |name: &&String| options.target.as_ref() != Some(name) && !options.text.contains(name);
        let nominal: Vec<String> = self.nominal.iter().filter(is_feature).cloned().collect();
        options.categorical.extend(nominal);
        options
    }

    fn is_comment(&self, line: &[u8]) -> bool {
        line.starts_with(b"%")
    }

    fn members<'r>(&'r self, line: &'r [u8]) -> Result<Vec<Member<'r>>, Fault> {
        let (mut members, mut at) = (Vec::with_capacity(self.names.len()), 0);
        let line = line.trim_ascii_end();
        if line.trim_ascii_start().starts_with(b"{") {
            return self.sparse(line);
        }
        loop {
            at += line[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            if line.get(at) == Some(&b'{') && members.len() == self.names.len() {
                return Err(Fault::new(at, ArffProblem::Weight));
            }
            let read = cell(&line[at..], |byte| byte == b',');
            let (value, after) = read.map_err(|fault| fault.after(at))?;
            if let Some(name) = self.names.get(members.len()) {
                let name = Cow::Borrowed(name.as_str());
                members.push(Member { name, value, name_at: at, value_at: at });
            } else {
                let (found, expected) = (members.len() + 1, self.names.len());
                return Err(Fault::new(at, CsvProblem::RaggedRow { found, expected }));
            }
            at += after;
            if at >= line.len() {
                break;
            }
            at += 1;
        }
        let (found, expected) = (members.len(), self.names.len());
        match found == expected {
            true => Ok(members),
            false => Err(Fault::new(at, CsvProblem::RaggedRow { found, expected })),
        }
    }
}

/// The value with which the bytes begin, and the offset of what ends it, for which `is_end` holds.
fn cell(bytes: &[u8], is_end: impl Fn(u8) -> bool) -> Result<(Value<'_>, usize), Fault> {
    let start = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let end_after = |from: usize| {
        bytes[from..].iter().position(|&byte| is_end(byte)).map_or(bytes.len(), |end| from + end)
    };
    let not_utf8 = |bytes: &[u8]| Fault::new(start, Problem::NotUtf8 { text: Excerpt::new(bytes) });
    let quote = match bytes.get(start) {
        Some(&quote @ (b'\'' | b'"')) => quote,
        _ => {
            let end = end_after(start);
            let value = bytes[start..end].trim_ascii();
            let text = std::str::from_utf8(value).map_err(|_| not_utf8(value))?;
            let is_missing = text == "?";
            return Ok((if is_missing { Value::Null } else { Value::Text(text.into()) }, end));
        }
    };
    let (mut found, mut at) = (Vec::new(), start + 1);
    loop {
        match bytes.get(at) {
            None => return Err(Fault::new(start, CsvProblem::OpenQuote)),
            Some(&byte) if byte == quote => break,
            Some(b'\\') if at + 1 < bytes.len() => {
                found.push(bytes[at + 1]);
                at += 2;
            }
            Some(&byte) => {
                found.push(byte);
                at += 1;
            }
        }
    }
    let end = end_after(at + 1);
    if !bytes[at + 1..end].trim_ascii().is_empty() {
        return Err(Fault::new(at + 1, CsvProblem::TextAfterQuote));
    }
    let found = String::from_utf8(found).map_err(|error| not_utf8(error.as_bytes()))?;
    Ok((Value::Text(Cow::Owned(found)), end))
}

fn unexpected(at: usize, text: &[u8], expected: &'static str) -> Fault {
    Fault::new(at, ArffProblem::Unexpected { text: Excerpt::new(text), expected })
}

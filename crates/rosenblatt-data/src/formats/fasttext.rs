//! Lines of fastText: `__label__spam some words`. The columns are `label` and `text`.

use std::{borrow::Cow, sync::Arc};

use super::{
    effects::Traits,
    format::{Counted, FileFormat, FoundBy, Input},
    json::{LineRows, Member, Start, Value, counted, open_training},
};
use crate::{
    fault::{Excerpt, Fault, FormatProblem, Problem},
    input::{reader::Reader, source::Source, text::without_mark},
    options::{FormatKind, ReadOptions},
    read_error::ReadError,
    table::{batch::LabelUse, schema::Schema},
};

impl FormatKind {
    /// Lines of fastText.
    pub const FASTTEXT: Self = FormatKind::new("fasttext");
}

/// A problem of lines of fastText.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FastTextProblem {
    /// A line with several labels.
    #[error("`{label}` is a second label of the line, expected one")]
    SecondLabel {
        /// The label.
        label: Excerpt,
    },
}

const PREFIX: &[u8] = b"__label__";

pub(super) struct FastText;

impl FileFormat for FastText {
    fn kind(&self) -> FormatKind {
        FormatKind::FASTTEXT
    }

    fn traits(&self) -> Traits {
        Traits {
            noun: "lines of fastText",
            is_text: true,
            has_separators: false,
            has_first_row: false,
            has_columns: true,
            has_spellings: false,
            has_missing_texts: false,
            has_indices: false,
        }
    }

    fn endings(&self) -> &'static [&'static str] {
        &["ft"]
    }

    fn detect(&self, source: &mut Source, is_chosen: bool) -> Result<bool, ReadError> {
        const START: usize = 64;
        Ok(is_chosen || without_mark(&source.peek(START)?).trim_ascii_start().starts_with(PREFIX))
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
        start(input)?.open_model("lines of fastText", options, schema, labels)
    }
}

fn start(input: Input) -> Result<Start, ReadError> {
    let by_bytes = input.found_by == FoundBy::FirstBytes;
    let mut text = input.into_text()?;
    text.notes.format_from_content = false;
    text.notes.format_from_magic = by_bytes.then(|| "lines of fastText".to_owned());
    let block = text.take_block()?;
    let names = ["label", "text"].map(str::to_owned);
    Ok(Start::of_lines(text, block, Arc::new(Lines { names })))
}

struct Lines {
    names: [String; 2],
}

impl LineRows for Lines {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn options(&self, mut options: ReadOptions) -> ReadOptions {
        let [label, text] = self.names.clone();
        if options.target.is_none() && options.text.is_empty() {
            options.target = Some(label);
            options.text.push(text);
        }
        options
    }

    fn is_comment(&self, _: &[u8]) -> bool {
        false
    }

    fn members<'r>(&'r self, line: &'r [u8]) -> Result<Vec<Member<'r>>, Fault> {
        let line = line.trim_ascii_end();
        let start = line.len() - line.trim_ascii_start().len();
        let mut members = Vec::with_capacity(self.names.len());
        let mut add = |name: &'r str, bytes: &'r [u8], at: usize| {
            let text = std::str::from_utf8(bytes)
                .map_err(|_| Fault::new(at, Problem::NotUtf8 { text: Excerpt::new(bytes) }))?;
            let (name, value) = (Cow::Borrowed(name), Value::Text(Cow::Borrowed(text)));
            members.push(Member { name, value, name_at: at, value_at: at });
            Ok(())
        };
        let [label_name, text_name] = &self.names;
        let Some(labelled) = line[start..].strip_prefix(PREFIX) else {
            add(text_name, &line[start..], start)?;
            return Ok(members);
        };
        let end = labelled.iter().position(u8::is_ascii_whitespace).unwrap_or(labelled.len());
        let (label, rest) = labelled.split_at(end);
        add(label_name, label, start)?;
        let text = rest.trim_ascii_start();
        let at = line.len() - text.len();
        if text.starts_with(PREFIX) {
            let second = text.split(u8::is_ascii_whitespace).next().unwrap_or_default();
            let problem = FastTextProblem::SecondLabel { label: Excerpt::new(second) };
            return Err(Fault::new(at, Problem::Format(FormatProblem::new(problem))));
        }
        add(text_name, text, at)?;
        Ok(members)
    }
}

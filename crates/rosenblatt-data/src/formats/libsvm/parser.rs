//! A block of whole lines → a sparse batch.

use memchr::memchr;
use rosenblatt_core::data::Decimal;

use super::error::LibsvmProblem;
use crate::{
    fast::{
        digits::{self, Found},
        structural_index::StructuralIndex,
    },
    fault::{Excerpt, Fault},
    input::parser::BlockParser,
    number::{self, Number},
    options::{OnError, TextNumbers},
    room,
    table::batch::{Batch, Body, Gap, LabelUse, Spelling},
};

/// How to read the lines.
#[derive(Clone, Debug)]
pub(super) struct LibsvmParser {
    pub(super) zero_based: bool,
    pub(super) max_features: usize,
    /// The model's number of features: entries past it are left out and counted.
    pub(super) width: Option<usize>,
    pub(super) labels: LabelUse,
    pub(super) on_error: OnError,
    /// Whether to remember how numbers are written.
    pub(super) numbers: TextNumbers,
}

/// The line `block[start..end]`, or its rest.
#[derive(Clone, Copy)]
struct Line<'b> {
    block: &'b [u8],
    start: usize,
    end: usize,
}

/// The growing columns of a sparse batch.
#[derive(Default)]
struct Entries {
    indices: Vec<u32>,
    values: Vec<f64>,
    features: usize,
    beyond: u64,
    /// The values that are not the shortest decimals of their floats, by their places.
    others: Vec<(usize, Decimal)>,
    /// Where numbers end.
    structure: StructuralIndex,
}

impl Entries {
    /// Columns with room for the entries of `bytes` bytes of the usual length: grown little by little, they would be
    /// copied several times.
    fn for_bytes(bytes: usize) -> Self {
        const USUAL: usize = 10;
        let room = bytes / USUAL;
        let (indices, values) = (Vec::with_capacity(room), Vec::with_capacity(room));
        Entries { indices, values, ..Entries::default() }
    }
}

impl BlockParser for LibsvmParser {
    #[inline(always)]
    fn parse(&self, block: &[u8], _: bool) -> Result<Batch, Fault> {
        let mut batch = Batch::default();
        let mut entries = Entries::for_bytes(block.len());
        let mut offsets = vec![0];
        let mut start = 0;
        while start < block.len() {
            entries.structure.advance_to(block, start);
            let end = memchr(b'\n', &block[start..]).map_or(block.len(), |i| start + i);
            let before = (entries.indices.len(), entries.features, entries.beyond);
            match self.line(Line { block, start, end }, &mut batch, &mut entries) {
                Ok(false) => {
                    let is_blank = block[start..end].trim_ascii().is_empty();
                    if is_blank && self.on_error == OnError::Blank {
                        batch.gaps.push(Gap { before: offsets.len() - 1, id: None, problem: None });
                    }
                }
                Ok(true) => offsets.push(entries.indices.len()),
                Err(fault) => {
                    entries.indices.truncate(before.0);
                    entries.values.truncate(before.0);
                    entries.others.retain(|(place, _)| *place < before.0);
                    (entries.features, entries.beyond) = (before.1, before.2);
                    batch.fault(fault, self.on_error, &self.labels, offsets.len() - 1)?;
                }
            }
            start = end + 1;
        }
        let Entries { indices, values, features, beyond, others, .. } = entries;
        batch.spelling =
            self.numbers.has_decimals().then_some(Spelling { others, has_times: false });
        batch.body = Body::Sparse { offsets, indices, values, features };
        batch.beyond = beyond;
        Ok(batch)
    }
}

impl LibsvmParser {
    /// Parses a line and returns whether it held an example. The label is noted last, so that a faulty line leaves none.
    #[inline(always)]
    fn line(
        &self,
        whole: Line<'_>,
        batch: &mut Batch,
        entries: &mut Entries,
    ) -> Result<bool, Fault> {
        let Line { block, start, end } = whole;
        let line = &block[start..end];
        let line = &line[..memchr(b'#', line).unwrap_or(line.len())];
        let end = start + line.len();
        let mut words = LineWords { line, next: 0 };
        let Some((at, first)) = words.next() else { return Ok(false) };
        let label = self.label(first).map_err(|problem| Fault::new(start + at, problem))?;
        if label.is_none() {
            words.next = 0;
        }
        let mut previous = None;
        loop {
            while let Some((index, next)) =
                self.quick(Line { block, start: start + words.next, end }, previous, entries)
            {
                (previous, words.next) = (Some(index), next - start);
            }
            let Some((at, word)) = words.next() else { break };
            if previous.is_none() && word.starts_with(b"qid:") {
                continue;
            }
            let index =
                self.entry(word, previous, entries).map_err(|fault| fault.after(start + at))?;
            previous = Some(index);
        }
        if let Some(label) = label.filter(|_| !matches!(self.labels, LabelUse::Ignore)) {
            let labels = &mut batch.labels;
            let allowed = |name: &str| self.labels.allows(name);
            let code = labels.dictionary.number(label, allowed);
            labels.codes.push(code.map_err(|problem| Fault::new(start + at, problem))?);
        }
        Ok(true)
    }

    /// The label, or `None` when none is needed and the word is an entry.
    fn label<'w>(&self, word: &'w [u8]) -> Result<Option<&'w str>, LibsvmProblem> {
        let colon = word.contains(&b':');
        match (&self.labels, number::parse(word)) {
            (LabelUse::Ignore, _) if colon => Ok(None),
            (_, Number::Finite(_)) => Ok(std::str::from_utf8(word).ok()),
            _ if colon => Err(LibsvmProblem::MissingLabel { text: Excerpt::new(word) }),
            _ => Err(LibsvmProblem::BadLabel { text: Excerpt::new(word) }),
        }
    }

    /// Reads a blank and an `index:value` of the common form without a fault, and returns the index and the place after
    /// it. `None`: [`Self::entry`] has to read the entry.
    #[inline(always)]
    fn quick(
        &self,
        rest: Line<'_>,
        previous: Option<u64>,
        entries: &mut Entries,
    ) -> Option<(u64, usize)> {
        let Line { block, start: at, end } = rest;
        if at >= end || block[at] != b' ' {
            return None;
        }
        let [blank, colon, of_value @ ..] = entries.structure.from(at);
        let colon = *colon as usize;
        let index = digits::digits(block, at + 1, colon)?;
        if *blank as usize != at || block.get(colon) != Some(&b':') {
            return None;
        }
        let Found { value, end: next, marks } = digits::number(block, colon + 1, of_value)?;
        if next != end && !is_blank(*block.get(next)?) {
            return None;
        }
        if self.numbers.has_decimals() && !number::has_few_digits(&block[colon + 1..next], value) {
            return None;
        }
        let features = index + u64::from(self.zero_based);
        let most =
            self.width.unwrap_or(self.max_features.min(room::FREE.max(entries.features))) as u64;
        if previous.is_some_and(|previous| previous >= index) || features == 0 || features > most {
            return None;
        }
        entries.features = entries.features.max(features as usize);
        entries.indices.push((features - 1) as u32);
        entries.values.push(value);
        // The last mark of the value is the blank of the next entry.
        entries.structure.pass(1 + marks);
        Some((index, next))
    }

    /// Reads `index:value` and gives the index as written. A fault has its place in `word`.
    fn entry(
        &self,
        word: &[u8],
        previous: Option<u64>,
        entries: &mut Entries,
    ) -> Result<u64, Fault> {
        let colon = memchr(b':', word)
            .ok_or_else(|| Fault::new(0, LibsvmProblem::NotAPair { text: Excerpt::new(word) }))?;
        let (digits, value) = (&word[..colon], &word[colon + 1..]);
        let index = self.index(digits, entries).map_err(|problem| Fault::new(0, problem))?;
        if let Some(previous) = previous.filter(|&previous| previous >= index) {
            return Err(Fault::new(0, LibsvmProblem::NotAscending { index, previous }));
        }
        let text = value;
        let value = match number::parse(value) {
            Number::Finite(value)
                if !self.numbers.are_floats() || !number::is_inexact_integer(text, value) =>
            {
                value
            }
            Number::Finite(_) => {
                let text = Excerpt::new(text);
                return Err(Fault::new(colon + 1, LibsvmProblem::NotExact { text, index }));
            }
            Number::NotFinite => {
                let text = Excerpt::new(value);
                return Err(Fault::new(colon + 1, LibsvmProblem::ValueNotFinite { text, index }));
            }
            Number::Not => {
                return Err(Fault::new(
                    colon + 1,
                    LibsvmProblem::BadValue { text: Excerpt::new(value), index },
                ));
            }
        };
        let feature = index - u64::from(!self.zero_based);
        if self.width.is_some_and(|width| feature >= width as u64) {
            entries.beyond += 1;
        } else {
            entries.features = entries.features.max(feature as usize + 1);
            if let Some(other) =
                number::other_decimal(text, value).filter(|_| self.numbers.has_decimals())
            {
                entries.others.push((entries.values.len(), other));
            }
            entries.indices.push(feature as u32);
            entries.values.push(value);
        }
        Ok(index)
    }

    fn index(&self, digits: &[u8], entries: &Entries) -> Result<u64, LibsvmProblem> {
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return Err(LibsvmProblem::BadIndex { text: Excerpt::new(digits) });
        }
        let number = digits.iter().fold(0u64, |number, digit| {
            number.saturating_mul(10).saturating_add(u64::from(digit - b'0'))
        });
        if number == 0 && !self.zero_based {
            return Err(LibsvmProblem::IndexZero);
        }
        let features = number.saturating_add(u64::from(self.zero_based));
        let limit = self.max_features;
        // For a model any index may stand in the file; entries past the model's last feature are left out.
        if features > limit as u64 && self.width.is_none() {
            return Err(LibsvmProblem::IndexTooLarge { index: Excerpt::new(digits), limit });
        }
        if self.width.is_none() && features > entries.features as u64 {
            let no_room = |no_room| LibsvmProblem::NoRoom { index: Excerpt::new(digits), no_room };
            room::check(features).map_err(no_room)?;
        }
        Ok(number)
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// The words of a line with their places; blanks, tabs and a carriage return separate them.
struct LineWords<'l> {
    line: &'l [u8],
    next: usize,
}

impl<'l> Iterator for LineWords<'l> {
    type Item = (usize, &'l [u8]);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.line[self.next..];
        let skipped = rest.iter().position(|&byte| !is_blank(byte))?;
        let word = &rest[skipped..];
        let length = word.iter().position(|&byte| is_blank(byte)).unwrap_or(word.len());
        let at = self.next + skipped;
        self.next = at + length;
        Some((at, &word[..length]))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fault::Problem;

    fn parse(parser: &LibsvmParser, text: &[u8]) -> Result<Batch, Fault> {
        parser.parse(text, false)
    }

    fn parser() -> LibsvmParser {
        LibsvmParser {
            zero_based: false,
            max_features: 1000,
            width: None,
            labels: LabelUse::Learn,
            on_error: OnError::Stop,
            numbers: TextNumbers::Floats,
        }
    }

    fn own(problem: Problem) -> LibsvmProblem {
        let Problem::Format(problem) = problem else { panic!("{problem}") };
        problem.downcast_ref::<LibsvmProblem>().unwrap().clone()
    }

    fn fault(text: &str) -> (usize, LibsvmProblem) {
        let fault = parse(&parser(), text.as_bytes()).unwrap_err();
        (fault.offset, own(fault.problem))
    }

    #[test]
    fn lines_of_all_kinds() {
        let text = b"+1 1:0.5 3:-2 # comment 4:4\r\n\n# only a comment\n-1 qid:3 2:1e2 \n1\n";
        let batch = parse(&parser(), text).unwrap();
        assert_eq!(batch.labels.codes, [0, 1, 2]);
        assert_eq!(batch.labels.dictionary.names(), ["+1", "-1", "1"]);
        let Body::Sparse { offsets, indices, values, features } = batch.body else { panic!() };
        assert_eq!((offsets, indices), (vec![0, 2, 3, 3], vec![0, 2, 1]));
        assert_eq!((values, features), (vec![0.5, -2.0, 100.0], 3));
    }

    #[test]
    fn faults_have_their_place() {
        use LibsvmProblem::*;
        assert!(matches!(fault("1 1:1\nfoo 1:1\n"), (6, BadLabel { .. })));
        assert!(matches!(fault("1:1 2:1\n"), (0, MissingLabel { .. })));
        assert!(matches!(fault("1 x\n"), (2, NotAPair { .. })));
        assert!(matches!(fault("1 -2:1\n"), (2, BadIndex { .. })));
        assert!(matches!(fault("1 1:1 0:1\n"), (6, IndexZero)));
        assert!(matches!(fault("1 1001:1\n"), (2, IndexTooLarge { .. })));
        assert!(matches!(fault("1 99999999999999999999999:1\n"), (2, IndexTooLarge { .. })));
        assert_eq!(fault("1 3:1 2:1\n"), (6, NotAscending { index: 2, previous: 3 }));
        assert_eq!(fault("1 3:1 3:1\n"), (6, NotAscending { index: 3, previous: 3 }));
        assert!(matches!(fault("1 1:abc\n"), (4, BadValue { .. })));
        assert!(matches!(fault("1 1:\n"), (4, BadValue { .. })));
        assert!(matches!(fault("1 1:nan\n"), (4, ValueNotFinite { .. })));
        assert!(matches!(fault("1 2:1 qid:3\n"), (6, BadIndex { .. })));
    }

    #[test]
    fn a_faulty_line_can_be_left_out_whole() {
        let parser = LibsvmParser { on_error: OnError::Skip, ..parser() };
        let batch = parse(&parser, b"1 1:1\n-1 1:1 900:1 2:x\n-1 2:1\n").unwrap();
        assert_eq!((batch.len(), batch.skipped.len()), (2, 1));
        let Body::Sparse { indices, features, .. } = batch.body else { panic!() };
        assert_eq!((indices, features), (vec![0, 1], 2));
        assert_eq!(batch.labels.codes.len(), 2);
    }

    #[test]
    fn from_zero_only_when_asked() {
        let parser = LibsvmParser { zero_based: true, ..parser() };
        let Body::Sparse { indices, features, .. } = parse(&parser, b"1 0:1 3:2\n").unwrap().body
        else {
            panic!()
        };
        assert_eq!((indices, features), (vec![0, 3], 4));
    }

    #[test]
    fn for_a_model_labels_are_optional_and_wide_rows_are_cut() {
        let parser = LibsvmParser { width: Some(2), labels: LabelUse::Ignore, ..parser() };
        let batch = parse(&parser, b"2:1 3:1 4294967296:1\n0 1:1\n").unwrap();
        assert_eq!((batch.len(), batch.beyond), (2, 2));
        let fault = parse(&parser, b"x,y,label\n").unwrap_err();
        assert!(matches!(own(fault.problem), LibsvmProblem::BadLabel { .. }));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Two blanks before each entry leave it to the general way; the results are equal.
        #[test]
        fn quick_entries_are_those_of_the_slow_way(
            lines in proptest::collection::vec(
                ("[+-]?1|x", proptest::collection::vec(
                    "[1-9][0-9]{0,8}:-?[0-9]{1,9}(\\.[0-9]{0,18})?|0:1|3:|2:1e3|qid:1|[0-9:.#-]{1,5}|\
                     [1-9][0-9]?:[+-]?[0-9]{0,25}(\\.[0-9]{0,25})?([eE][+-]?([0-9]{0,2}|3[0-4][0-9]))?",
                    0..6,
                )),
                0..4,
            ),
            zero_based in any::<bool>(),
            width in proptest::option::of(0usize..20),
        ) {
            let text = |blank: &str| {
                let line = |(label, entries): &(String, Vec<String>)| {
                    let words: Vec<&str> = std::iter::once(label.as_str())
                        .chain(entries.iter().map(String::as_str))
                        .collect();
                    words.join(blank) + "\n"
                };
                lines.iter().map(line).collect::<String>() + "# the last line is long enough"
            };
            let parser = LibsvmParser { zero_based, width, on_error: OnError::Skip, ..parser() };
            let told = |blank| {
                let batch = parse(&parser, text(blank).as_bytes()).unwrap();
                let problems: Vec<_> = batch.skipped.into_iter().map(|fault| fault.problem).collect();
                format!("{:?} {:?} {} {problems:?}", batch.labels.codes, batch.body, batch.beyond)
            };
            prop_assert_eq!(told(" "), told("  "));
        }
    }
}

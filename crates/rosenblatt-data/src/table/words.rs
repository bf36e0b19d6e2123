//! Text as features: n-grams of words or of characters, hashed.
//!
//! A text is lower-cased and cut into words (runs of letters and digits); its n-grams are runs of up to
//! N words, joined by a blank. With [`CharNgrams`] its n-grams are instead runs of characters within words; see
//! [`each_char_ngram`]. Each n-gram has a bucket out of 2ᴮ and a sign, both from one 64-bit hash,
//! and adds its sign to the bucket's feature: colliding n-grams then cancel as often as they add up
//! (signed hashing: Weinberger et al., *Feature hashing for large scale multitask learning*, 2009).
//!
//! The hash is part of a model's identity and fixed: FNV-1a with 64 bits over the UTF-8 bytes,
//! then the finalizer of MurmurHash3. The bucket is its lowest B bits, the sign its highest (1: −1).

use std::collections::HashMap;

use crate::options::{CharNgrams, Hashing};

impl Hashing {
    /// The sign with which an n-gram counts in its bucket's feature: +1 or −1.
    pub fn sign(self, ngram: &str) -> f64 {
        self.place(ngram).1
    }

    fn place(self, ngram: &str) -> (u32, f64) {
        self.place_of(ngram.as_bytes())
    }

    /// The bucket and the sign of what has these bytes.
    pub(super) fn place_of(self, bytes: &[u8]) -> (u32, f64) {
        let hash = hash(bytes);
        let bucket = hash & (self.buckets() as u64 - 1);
        (bucket as u32, if hash >> 63 == 1 { -1.0 } else { 1.0 })
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let fnv = bytes.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let mixed = (fnv ^ fnv >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let mixed = (mixed ^ mixed >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    mixed ^ mixed >> 33
}

/// Calls `f` with each n-gram of a text.
fn each_ngram(text: &str, hashing: Hashing, f: impl FnMut(&str)) {
    match hashing.chars {
        None => each_word_ngram(text, hashing.ngrams, f),
        Some(lengths) => each_char_ngram(text, lengths, f),
    }
}

/// Calls `f` with each run of characters within the words of the lower-cased text.
///
/// The words are what lies between white space, with their punctuation and with a blank before and after. A word with
/// at most as many characters as a length counts once as a whole, and not again for greater lengths. A character is a
/// Unicode scalar value. These are the n-grams of scikit-learn's `CountVectorizer(analyzer="char_wb")`.
fn each_char_ngram(text: &str, lengths: CharNgrams, mut f: impl FnMut(&str)) {
    let text = text.to_lowercase();
    let (mut word, mut borders) = (String::new(), Vec::new());
    for bare in text.split_whitespace() {
        word.clear();
        word.extend([" ", bare, " "]);
        borders.clear();
        borders.extend(word.char_indices().map(|(at, _)| at));
        borders.push(word.len());
        let characters = borders.len() - 1;
        for length in usize::from(lengths.shortest)..=usize::from(lengths.longest) {
            if characters <= length {
                f(&word);
                break;
            }
            borders.iter().zip(&borders[length..]).for_each(|(&start, &end)| f(&word[start..end]));
        }
    }
}

/// Calls `f` with each run of up to `longest` words of a text.
fn each_word_ngram(text: &str, longest: u8, mut f: impl FnMut(&str)) {
    let text = text.to_lowercase();
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut ngram = String::new();
    for start in 0..words.len() {
        ngram.clear();
        for word in words[start..].iter().take(usize::from(longest)) {
            if !ngram.is_empty() {
                ngram.push(' ');
            }
            ngram.push_str(word);
            f(&ngram);
        }
    }
}

/// The hashed texts of one column, row after row, and which n-grams they hold.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    /// The end of each row's entries.
    pub(crate) ends: Vec<usize>,
    pub(crate) buckets: Vec<u32>,
    pub(crate) values: Vec<f64>,
    /// For each n-gram its bucket and how often it occurs; not filled unless it is kept.
    seen: HashMap<String, (u32, u64)>,
}

/// Adds up the entries of each bucket, and sorts them by their buckets. Sums of signs are exact in any order.
fn add_up(entries: &mut Vec<(u32, f64)>) {
    entries.sort_unstable_by_key(|&(bucket, _)| bucket);
    entries.dedup_by(|next, sum| {
        let is_same = next.0 == sum.0;
        if is_same {
            sum.1 += next.1;
        }
        is_same
    });
}

impl Texts {
    /// The maximum number of different n-grams that are remembered: a few gigabytes.
    pub(crate) const MOST_NGRAMS: usize = 1 << 25;
    /// The entries of a row are added up when there are this many, so that a long text takes memory for its features and not for
    /// its n-grams.
    const AT_ONCE: usize = 1 << 16;

    /// Adds a row. `keep`: remember its n-grams.
    pub(crate) fn push(&mut self, text: &str, hashing: Hashing, keep: bool) {
        let (mut entries, mut most) = (Vec::new(), Self::AT_ONCE);
        each_ngram(text, hashing, |ngram| {
            let (bucket, sign) = hashing.place(ngram);
            if entries.len() == most {
                add_up(&mut entries);
                most = Self::AT_ONCE.max(2 * entries.len());
            }
            entries.push((bucket, sign));
            if keep {
                self.remember(ngram, bucket);
            }
        });
        add_up(&mut entries);
        self.buckets.extend(entries.iter().map(|(bucket, _)| bucket));
        self.values.extend(entries.iter().map(|(_, sum)| sum));
        self.ends.push(self.buckets.len());
    }

    fn remember(&mut self, ngram: &str, bucket: u32) {
        // The file is refused.
        if self.has_too_many_ngrams() {
            return;
        }
        match self.seen.get_mut(ngram) {
            Some((_, count)) => *count += 1,
            None => drop(self.seen.insert(ngram.to_owned(), (bucket, 1))),
        }
    }

    /// Whether there are more different n-grams than are remembered.
    pub(crate) fn has_too_many_ngrams(&self) -> bool {
        self.seen.len() > Self::MOST_NGRAMS
    }

    /// The entries of row `i`, in ascending order of the buckets.
    pub(crate) fn row(&self, i: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        let range = start..self.ends[i];
        self.buckets[range.clone()].iter().copied().zip(self.values[range].iter().copied())
    }

    /// Leaves nothing but which n-grams there are.
    pub(crate) fn forget_rows(&mut self) {
        (self.ends, self.buckets, self.values) = (Vec::new(), Vec::new(), Vec::new());
    }

    /// Appends the rows of another block.
    pub(crate) fn join(&mut self, more: Texts) {
        let before = self.buckets.len();
        self.ends.extend(more.ends.iter().map(|end| end + before));
        self.buckets.extend_from_slice(&more.buckets);
        self.values.extend_from_slice(&more.values);
        for (ngram, (bucket, count)) in more.seen {
            if self.has_too_many_ngrams() {
                break;
            }
            self.seen.entry(ngram).or_insert((bucket, 0)).1 += count;
        }
    }

    /// The most frequent n-gram of each bucket (of equally frequent ones the first in byte order), in
    /// the order of the buckets, and how many others share a bucket with one of these.
    pub(crate) fn dictionary(&self) -> (Vec<(u32, String)>, u64) {
        let mut best: HashMap<u32, (&String, u64)> = HashMap::new();
        for (ngram, &(bucket, count)) in &self.seen {
            let entry = best.entry(bucket).or_insert((ngram, count));
            if (count, entry.0) > (entry.1, ngram) {
                *entry = (ngram, count);
            }
        }
        let mut words: Vec<(u32, String)> =
            best.into_iter().map(|(bucket, (ngram, _))| (bucket, ngram.clone())).collect();
        words.sort_unstable();
        let collisions = (self.seen.len() - words.len()) as u64;
        (words, collisions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ngrams(text: &str, longest: u8) -> Vec<String> {
        let mut all = Vec::new();
        each_word_ngram(text, longest, |ngram| all.push(ngram.to_owned()));
        all
    }

    #[test]
    fn words_and_their_runs() {
        assert_eq!(ngrams("FREE entry, 2 a wkly!", 1), ["free", "entry", "2", "a", "wkly"]);
        assert_eq!(ngrams("Über  café—now", 2), ["über", "über café", "café", "café now", "now"]);
        assert!(ngrams(" ,;", 3).is_empty());
    }

    fn char_ngrams(text: &str, shortest: u8, longest: u8) -> Vec<String> {
        let mut all = Vec::new();
        each_char_ngram(text, CharNgrams { shortest, longest }, |ngram| all.push(ngram.to_owned()));
        all
    }

    /// The lists are those of scikit-learn's `char_wb`. A word with its borders that is not longer than a length counts
    /// once, and a character of two or four bytes is one.
    #[test]
    fn characters_within_words() {
        let expected =
            [" a", "ab", "b ", " ab", "ab ", " ab ", " c", "c!", "! ", " c!", "c! ", " c! "];
        assert_eq!(char_ngrams("Ab \t\u{a0}c!", 2, 5), expected);
        assert_eq!(char_ngrams("Ü😀", 3, 3), [" ü😀", "ü😀 "]);
        assert_eq!(char_ngrams("a bc", 4, 6), [" a ", " bc "]);
        assert_eq!(char_ngrams("a", 1, 1), [" ", "a", " "]);
        assert!(char_ngrams(" \n ", 1, 9).is_empty());
    }

    proptest::proptest! {
        /// The n-grams as scikit-learn's program finds them, one character after the other.
        #[test]
        fn characters_as_the_naive_program_finds_them(
            text in "[aßİé😀!. \t\u{a0}]{0,24}", shortest in 1..6u8, more in 0..5u8,
        ) {
            let longest = shortest + more;
            let mut expected = Vec::new();
            for bare in text.to_lowercase().split(char::is_whitespace).filter(|bare| !bare.is_empty()) {
                let word: Vec<char> = format!(" {bare} ").chars().collect();
                for length in usize::from(shortest)..=usize::from(longest) {
                    let mut offset = 0;
                    expected.push(word[..length.min(word.len())].iter().collect::<String>());
                    while offset + length < word.len() {
                        offset += 1;
                        expected.push(word[offset..offset + length].iter().collect());
                    }
                    if offset == 0 {
                        break;
                    }
                }
            }
            proptest::prop_assert_eq!(char_ngrams(&text, shortest, longest), expected);
        }
    }

    /// Models and packed files hold one of these texts.
    #[test]
    fn hashed_words_are_described_as_before() {
        let hashing = Hashing { bits: 18, ngrams: 2, chars: None };
        assert_eq!(format!("{hashing:?}"), "Hashing { bits: 18, ngrams: 2 }");
        let text = r#"{"bits":18,"ngrams":2}"#;
        assert_eq!(serde_json::to_string(&hashing).unwrap(), text);
        assert_eq!(serde_json::from_str::<Hashing>(text).unwrap(), hashing);
        let three = Hashing { chars: Some(CharNgrams { shortest: 3, longest: 3 }), ..hashing };
        assert_ne!(format!("{three:?}"), format!("{hashing:?}"));
    }

    #[test]
    fn lengths_of_runs_of_characters() {
        assert_eq!("3:5".parse(), Ok(CharNgrams { shortest: 3, longest: 5 }));
        assert_eq!("1:20".parse(), Ok(CharNgrams { shortest: 1, longest: 20 }));
        for wrong in ["", "3", "5:3", "0:2", "1:21", "3:5:7", "a:b", "-1:2", "3:", "2:999"] {
            assert!(wrong.parse::<CharNgrams>().is_err(), "{wrong}");
        }
        let hashing =
            Hashing { bits: 4, ngrams: 1, chars: Some(CharNgrams { shortest: 2, longest: 1 }) };
        assert!(!hashing.is_sound());
    }

    /// FNV-1a's published values of "" and "a" are cbf29ce484222325 and af63dc4c8601ec8c; their
    /// finalized forms were computed by a separate program.
    #[test]
    fn the_hash_is_pinned() {
        assert_eq!(hash(b""), 0xefd0_1f60_ba99_2926);
        assert_eq!(hash(b"a"), 0x82a2_a958_a9be_ce5b);
        assert_eq!(hash("free entry".as_bytes()), 0x8010_c3d9_46ae_937e);
    }

    #[test]
    fn rows_are_sums_of_signs() {
        let hashing = Hashing { bits: 20, ngrams: 1, chars: None };
        let mut texts = Texts::default();
        texts.push("b a b", hashing, true);
        texts.push("", hashing, true);
        let mut more = Texts::default();
        more.push("A", hashing, true);
        texts.join(more);
        let (a, b) = (hashing.place("a"), hashing.place("b"));
        let mut expected = [(a.0, a.1), (b.0, 2.0 * b.1)];
        expected.sort_by_key(|entry| entry.0);
        assert_eq!(texts.row(0).collect::<Vec<_>>(), expected);
        assert_eq!(texts.row(1).count(), 0);
        assert_eq!(texts.row(2).collect::<Vec<_>>(), [(a.0, a.1)]);
        let mut words = vec![(a.0, "a".to_owned()), (b.0, "b".to_owned())];
        words.sort();
        assert_eq!(texts.dictionary(), (words, 0));
    }

    /// The memory of a row is bounded by its features, and its sums are those of all signs at once.
    #[test]
    fn a_long_text_is_added_up_on_the_way() {
        let hashing =
            Hashing { bits: 12, ngrams: 1, chars: Some(CharNgrams { shortest: 1, longest: 20 }) };
        let text: String = (0..20_000u32).map(|i| (i * i % 997).to_string() + " ").collect();
        let mut texts = Texts::default();
        texts.push(&text, hashing, false);
        let mut sums = vec![None; hashing.buckets()];
        each_ngram(&text, hashing, |ngram| {
            let (bucket, sign) = hashing.place(ngram);
            *sums[bucket as usize].get_or_insert(0.0) += sign;
        });
        let sums: Vec<(u32, f64)> =
            (0..).zip(sums).filter_map(|(bucket, sum)| Some((bucket, sum?))).collect();
        assert_eq!(texts.row(0).collect::<Vec<_>>(), sums);
        let mut entries = 0;
        each_ngram(&text, hashing, |_| entries += 1);
        assert!(entries > 3 * Texts::AT_ONCE, "{entries}");
    }

    #[test]
    fn the_most_frequent_word_names_a_bucket() {
        let hashing = Hashing { bits: 1, ngrams: 1, chars: None };
        let mut texts = Texts::default();
        texts.push("a b c d e f g h h h", hashing, true);
        let (words, collisions) = texts.dictionary();
        assert_eq!((words.len() as u64 + collisions, words.len()), (8, 2));
        assert!(words.iter().any(|(_, word)| word == "h"));
    }
}

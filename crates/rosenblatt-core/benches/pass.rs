//! One pass over a text file by the plainest program: the yardstick of `rosenblatt train` with `--epochs 1`.
//!
//! ```console
//! $ cargo bench --package rosenblatt-core --bench pass -- libsvm FILE
//! $ cargo bench --package rosenblatt-core --bench pass -- csv FILE
//! ```
//!
//! It reads blocks, parses decimal numbers digit by digit, scores with rounded sums, and adds a misclassified example to
//! the weights. It checks nothing, keeps no average and writes no report: text that is not of the expected form (labels
//! first; a CSV file with a header) gives nonsense. It prints its seconds and mistakes as JSON.
#![allow(clippy::print_stdout, clippy::unwrap_used)] // a program for developers

use std::{fs::File, io::Read, time::Instant};

#[path = "epochs/processor.rs"]
mod processor;

use processor::processor;

/// The bytes of a block.
const BLOCK: usize = 1 << 20;

fn main() {
    let start = Instant::now();
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let [format, path] = words.as_slice() else { panic!("pass libsvm|csv FILE") };
    let mut pass = Pass { is_csv: format == "csv", ..Pass::default() };
    pass.file(&mut File::open(path).unwrap());
    let (cpu, mistakes) = (processor(start), pass.mistakes);
    println!("{{\"work\":\"pass\",\"cpu\":{cpu},\"updates\":{mistakes}}}");
}

#[derive(Default)]
struct Pass {
    is_csv: bool,
    weights: Vec<f64>,
    bias: f64,
    mistakes: u64,
    /// The features of the example at hand.
    entries: Vec<(usize, f64)>,
}

impl Pass {
    fn file(&mut self, file: &mut File) {
        let (mut block, mut held, mut skips_header) = (vec![0; BLOCK], 0, self.is_csv);
        loop {
            let read = file.read(&mut block[held..]).unwrap();
            if read == 0 {
                return;
            }
            held += read;
            let whole = block[..held].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
            let text = &block[..whole];
            let mut at = 0;
            if std::mem::take(&mut skips_header) {
                at = text.iter().position(|&byte| byte == b'\n').unwrap() + 1;
            }
            while at < whole {
                at = self.line(text, at);
            }
            block.copy_within(whole..held, 0);
            held -= whole;
        }
    }

    /// Learns the line at `at`, and returns the place of the next.
    #[inline(always)]
    fn line(&mut self, text: &[u8], at: usize) -> usize {
        let (label, mut at) = number(text, at);
        let mut score = self.bias;
        self.entries.clear();
        while matches!(text[at], b' ' | b',') {
            let (mut feature, mut start) = (self.entries.len(), at + 1);
            if !self.is_csv {
                (feature, start) = digits(text, start, 0);
                start += 1;
            }
            let (value, end) = number(text, start);
            if feature >= self.weights.len() {
                self.weights.resize(feature + 1, 0.0);
            }
            score += self.weights[feature] * value;
            self.entries.push((feature, value));
            at = end;
        }
        if label * score <= 0.0 {
            self.mistakes += 1;
            self.bias += label;
            for &(feature, value) in &self.entries {
                self.weights[feature] += label * value;
            }
        }
        at + 1
    }
}

/// Appends the digits at `at` to a number, and returns the place after them.
#[inline(always)]
fn digits(text: &[u8], mut at: usize, mut number: usize) -> (usize, usize) {
    while text[at].is_ascii_digit() {
        number = number * 10 + usize::from(text[at] - b'0');
        at += 1;
    }
    (number, at)
}

/// The number `[+-]digits[.digits]` at `at`, and the place after it.
#[inline(always)]
fn number(text: &[u8], at: usize) -> (f64, usize) {
    const TENS: [f64; 20] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19,
    ];
    let (sign, signed) = match text[at] {
        b'-' => (-1.0, 1),
        b'+' => (1.0, 1),
        _ => (1.0, 0),
    };
    let (whole, end) = digits(text, at + signed, 0);
    if text[end] != b'.' {
        return (sign * whole as f64, end);
    }
    let (all, last) = digits(text, end + 1, whole);
    (sign * (all as f64 / TENS[last - end - 1]), last)
}

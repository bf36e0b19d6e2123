//! The data: seeded, of the shapes that others were measured on. NumPy files for work in memory, text files for
//! work from a file. What is there already is used again.

mod pixels;

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use chacha20::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// The folder of the sets, and how large they are.
pub(super) struct Data {
    /// Where the files are.
    pub(super) folder: PathBuf,
    /// Every set has a so many times smaller number of rows than it should have.
    pub(super) smaller: usize,
}

/// Features of the text set, and how many words a row draws.
const WORDS: usize = 50_000;
const DRAWS: usize = 79;

impl Data {
    /// The path of a file.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Makes what is missing.
    pub(super) fn make(&self) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let rows = |rows: usize| rows / self.smaller;
        let separable = |name, rows, features| Dense { name, rows, features, noise: 0.0, seed: 1 };
        self.once("wide", |data| separable("wide", rows(20_000), 2_000).write(data))?;
        self.once("separable", |data| separable("separable", rows(100_000), 100).write(data))?;
        let long = Dense { name: "long", rows: rows(1_000_000), features: 28, noise: 0.1, seed: 2 };
        self.once("long", |data| long.write(data))?;
        let forms = Dense { name: "forms", rows: rows(100_000), seed: 8, ..long };
        self.once("forms", |data| forms.write(data))?;
        let clear = Dense { name: "clear", noise: 0.0, seed: 7, ..long };
        self.once("clear", |data| clear.write(data))?;
        self.once("text", |data| Text::draw(rows(200_000)).write(data))?;
        self.once("pixels", |data| pixels::write(data, "pixels", rows(10_000), 3))?;
        self.once("pixels-test", |data| pixels::write(data, "pixels-test", rows(10_000), 4))
    }

    /// Makes a set unless it was finished before.
    fn once(&self, name: &str, make: impl FnOnce(&Self) -> io::Result<()>) -> io::Result<()> {
        let finished = self.path(&format!("{name}.finished"));
        if !finished.exists() {
            println!("making the set {name}");
            make(self)?;
            fs::write(finished, "")?;
        }
        Ok(())
    }

    /// Writes a NumPy file.
    pub(super) fn array<const N: usize>(
        &self,
        name: &str,
        kind: &str,
        shape: &[usize],
        numbers: impl Iterator<Item = [u8; N]>,
    ) -> io::Result<()> {
        let mut out = self.create(&format!("{name}.npy"))?;
        let shape: String = shape.iter().map(|length| format!("{length},")).collect();
        let head = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
        // Magic, version and length are ten bytes; all together is a multiple of 64.
        let length = (10 + head.len() + 1).next_multiple_of(64) - 10;
        out.write_all(b"\x93NUMPY\x01\x00")?;
        out.write_all(&(length as u16).to_le_bytes())?;
        writeln!(out, "{head:width$}", width = length - 1)?;
        for number in numbers {
            out.write_all(&number)?;
        }
        out.flush()
    }

    fn create(&self, name: &str) -> io::Result<BufWriter<File>> {
        Ok(BufWriter::with_capacity(1 << 20, File::create(self.path(name))?))
    }

    /// The labels of a set, +1 and −1.
    pub(super) fn labels(&self, name: &str) -> io::Result<Vec<f64>> {
        let bytes = fs::read(self.path(&format!("{name}-y.npy")))?;
        // A header of one shape is 118 bytes long, and ten come before it.
        Ok(bytes[128..].as_chunks::<8>().0.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect())
    }
}

/// Random numbers from a seed.
pub(super) struct Draw(ChaCha8Rng);

impl Draw {
    pub(super) fn new(seed: u64) -> Self {
        Draw(ChaCha8Rng::seed_from_u64(seed))
    }

    /// From 0 inclusive to 1 exclusive.
    pub(super) fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Box and Muller's.
    pub(super) fn normal(&mut self) -> f64 {
        (-2.0 * (1.0 - self.uniform()).ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// One of so many.
    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.uniform() * n as f64) as usize
    }
}

/// Normal features in single precision; the sign of a random direction, turned over for a share of the rows. Without
/// noise, rows nearer to the hyperplane than [`Dense::MARGIN`] are moved away from it.
#[derive(Clone, Copy)]
struct Dense {
    name: &'static str,
    rows: usize,
    features: usize,
    noise: f64,
    seed: u64,
}

impl Dense {
    const MARGIN: f64 = 0.05;

    fn write(&self, data: &Data) -> io::Result<()> {
        let mut draw = Draw::new(self.seed);
        let direction: Vec<f64> = (0..self.features).map(|_| draw.normal()).collect();
        let length = direction.iter().map(|u| u * u).sum::<f64>().sqrt();
        let (mut x, mut y) = (Vec::with_capacity(self.rows * self.features), Vec::new());
        for _ in 0..self.rows {
            let mut row: Vec<f64> = (0..self.features).map(|_| draw.normal()).collect();
            let distance = row.iter().zip(&direction).map(|(x, u)| x * u).sum::<f64>() / length;
            let side = if distance >= 0.0 { 1.0 } else { -1.0 };
            if self.noise == 0.0 && distance.abs() < Self::MARGIN {
                let by = side * Self::MARGIN / length;
                row.iter_mut().zip(&direction).for_each(|(x, u)| *x += by * u);
            }
            x.extend(row.into_iter().map(|x| x as f32));
            y.push(if draw.uniform() < self.noise { -side } else { side });
        }
        let shape = [self.rows, self.features];
        data.array(&format!("{}-x", self.name), "<f4", &shape, x.iter().map(|x| x.to_le_bytes()))?;
        data.array(
            &format!("{}-y", self.name),
            "<f8",
            &shape[..1],
            y.iter().map(|y| y.to_le_bytes()),
        )?;
        match self.name {
            "long" => self.table(data, &x, &y, &FORMS[0]),
            "forms" => FORMS.iter().try_for_each(|form| self.table(data, &x, &y, form)),
            _ => Ok(()),
        }
    }

    /// The same rows as a table: a header, the label first.
    fn table(&self, data: &Data, x: &[f32], y: &[f64], form: &Form) -> io::Result<()> {
        let mut out = data.create(&form.file(self.name))?;
        write!(out, "label")?;
        (0..self.features).try_for_each(|j| write!(out, "{}f{j}", form.separator))?;
        writeln!(out)?;
        for (i, (x, y)) in x.chunks(self.features).zip(y).enumerate() {
            write!(out, "{y}")?;
            for (j, &x) in x.iter().enumerate() {
                write!(out, "{}{}", form.separator, (form.cell)(i, j, x.into()))?;
            }
            writeln!(out)?;
        }
        out.flush()
    }
}

/// How a table spells its numbers.
pub(super) struct Form {
    /// It follows the name of the set in the name of the file.
    suffix: &'static str,
    pub(super) words: &'static str,
    separator: &'static str,
    /// The cell of a row and a column with a number.
    cell: fn(usize, usize, f64) -> String,
}

impl Form {
    /// The table of a set.
    pub(super) fn file(&self, set: &str) -> String {
        format!("{set}{}.csv", self.suffix)
    }
}

/// The first is the form with which the others are compared.
pub(super) const FORMS: [Form; 5] = [
    Form { suffix: "", words: "six decimals", separator: ",", cell: |_, _, x| short(x) },
    Form { suffix: "-17", words: "17 digits", separator: ",", cell: |_, _, x| x.to_string() },
    Form {
        suffix: "-e18",
        words: "`%.18e`",
        separator: ",",
        cell: |_, _, x| {
            let text = format!("{x:.18e}");
            let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            format!("{digits}e{:+03}", exponent.parse().unwrap_or(0))
        },
    },
    Form {
        suffix: "-time",
        words: "a column of timestamps",
        separator: ",",
        cell: |row, column, x| match column {
            0 => (1_700_000_000 + 37 * row).to_string(),
            _ => short(x),
        },
    },
    Form { suffix: "-blank", words: "`, `", separator: ", ", cell: |_, _, x| short(x) },
];

fn short(x: f64) -> String {
    decimals(x).to_string()
}

/// Rounded to six decimals.
fn decimals(a: f64) -> f64 {
    (a * 1e6).round() / 1e6
}

/// Rows like texts: few of many words, the probability of a word falling with its rank as 1/(rank + 20); counts
/// weighted by tf-idf, rows of length 1; the sign of a random direction of which nine in ten entries are
/// 0, 3 % of them turned over.
struct Text {
    offsets: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
    y: Vec<f64>,
}

impl Text {
    fn draw(rows: usize) -> Self {
        let mut draw = Draw::new(5);
        let mut words: Vec<u32> = (0..WORDS as u32).collect();
        (1..WORDS).rev().for_each(|i| words.swap(i, draw.below(i + 1)));
        let mut text =
            Text { offsets: vec![0], indices: Vec::new(), values: Vec::new(), y: Vec::new() };
        let (low, high) = (20f64.ln(), (20.0 + WORDS as f64).ln());
        for _ in 0..rows {
            let rank = |draw: &mut Draw| (low + (high - low) * draw.uniform()).exp() - 20.0;
            let mut drawn: Vec<u32> =
                (0..DRAWS).map(|_| words[(rank(&mut draw) as usize).min(WORDS - 1)]).collect();
            drawn.sort_unstable();
            for same in drawn.chunk_by(|a, b| a == b) {
                let more = (0..).take_while(|_| draw.uniform() < 0.3).count();
                text.indices.push(same[0]);
                text.values.push((same.len() + more) as f64);
            }
            text.offsets.push(text.indices.len());
        }
        text.weigh(rows);
        text.label(&mut draw);
        text
    }

    /// Counts become (1 + ln count)·idf, divided by the length of the row, to six decimals.
    fn weigh(&mut self, rows: usize) {
        let mut rows_with = vec![0usize; WORDS];
        self.indices.iter().for_each(|&word| rows_with[word as usize] += 1);
        let idf =
            |word: u32| ((1 + rows) as f64 / (1 + rows_with[word as usize]) as f64).ln() + 1.0;
        for ends in self.offsets.windows(2) {
            let (words, values) =
                (&self.indices[ends[0]..ends[1]], &mut self.values[ends[0]..ends[1]]);
            for (value, &word) in values.iter_mut().zip(words) {
                *value = (1.0 + value.ln()) * idf(word);
            }
            let length = values.iter().map(|x| x * x).sum::<f64>().sqrt();
            values.iter_mut().for_each(|x| *x = decimals(*x / length));
        }
    }

    fn label(&mut self, draw: &mut Draw) {
        let mut weight = || if draw.uniform() < 0.1 { draw.normal() } else { 0.0 };
        let direction: Vec<f64> = (0..WORDS).map(|_| weight()).collect();
        let score = |ends: &[usize]| -> f64 {
            let entries = ends[0]..ends[1];
            entries.map(|k| self.values[k] * direction[self.indices[k] as usize]).sum()
        };
        let scores: Vec<f64> = self.offsets.windows(2).map(score).collect();
        let mut sorted = scores.clone();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted[sorted.len() / 2];
        let sign = |score: f64, turned: bool| if (score >= middle) == turned { -1.0 } else { 1.0 };
        self.y = scores.into_iter().map(|score| sign(score, draw.uniform() < 0.03)).collect();
    }

    fn write(&self, data: &Data) -> io::Result<()> {
        let (rows, entries) = ([self.offsets.len()], [self.indices.len()]);
        let offsets = self.offsets.iter().map(|&at| (at as i64).to_le_bytes());
        data.array("text-offsets", "<i8", &rows, offsets)?;
        let indices = self.indices.iter().map(|&j| (j as i32).to_le_bytes());
        data.array("text-indices", "<i4", &entries, indices)?;
        data.array("text-values", "<f8", &entries, self.values.iter().map(|x| x.to_le_bytes()))?;
        data.array("text-y", "<f8", &[self.y.len()], self.y.iter().map(|y| y.to_le_bytes()))?;
        self.lines(&mut data.create("text.svm")?, |y| format!("{y:+}"))?;
        self.lines(&mut data.create("text.vw")?, |y| format!("{y} |"))
    }

    /// A row a line, indices from 1.
    fn lines(&self, out: &mut impl Write, head: impl Fn(f64) -> String) -> io::Result<()> {
        for (ends, &y) in self.offsets.windows(2).zip(&self.y) {
            write!(out, "{}", head(y))?;
            for k in ends[0]..ends[1] {
                write!(out, " {}:{}", self.indices[k] + 1, self.values[k])?;
            }
            writeln!(out)?;
        }
        out.flush()
    }
}

/// The first rows of a text file, in memory.
pub(super) fn head(path: &Path, lines: usize) -> io::Result<Vec<u8>> {
    let bytes = fs::read(path)?;
    let mut ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at);
    let end =
        lines.checked_sub(1).map_or(0, |last| ends.nth(last).map_or(bytes.len(), |at| at + 1));
    Ok(bytes[..end].to_vec())
}

//! Tiny tables and options, drawn at random, the same at every run.

use rosenblatt_core::{
    train::{OPTIONS, OptionInfo, OptionValues},
    transforms::PREPARE_OPTIONS,
};

use crate::circuits::Vector;

/// SplitMix64 (Steele, Lea & Flood 2014).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0xd134_2543_de82_ef95))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }
}

/// A table with the numbers of column j in units of 10^−decimals[j].
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) cells: Vec<Vec<i64>>,
    pub(crate) decimals: Vec<usize>,
    pub(crate) labels: Vec<&'static str>,
}

impl Table {
    /// Integers, decimals, or decimals with a column that depends on others; rows may come twice.
    pub(crate) fn draw(random: &mut Random) -> Self {
        let features = 1 + random.below(3);
        let kind = random.below(3);
        let decimals = if kind == 0 { 0 } else { 1 + random.below(2) };
        let most = [3, 30, 99][kind.min(decimals)];
        let n = 3 + random.below(5);
        let row = |random: &mut Random| {
            let mut row: Vec<i64> = (0..features).map(|_| random.between(-most, most)).collect();
            if let (2, [first, .., last]) = (kind, row.as_mut_slice()) {
                *last = *first * 3;
            }
            row
        };
        let mut cells: Vec<Vec<i64>> = (0..n).map(|_| row(random)).collect();
        if let (2, 3) = (kind, features) {
            let sign = random.of(&[1, -1]);
            cells.iter_mut().for_each(|row| row[2] = row[0] + sign * row[1]);
        }
        for _ in 0..random.below(3) {
            let (from, to) = (random.below(n), random.below(n));
            // An opposite row of the same class shares a hyperplane through the origin with it.
            let sign = random.of(&[1, -1]);
            cells[to] = cells[from].iter().map(|x| sign * x).collect();
        }
        let plane: Vec<i64> = (0..=features).map(|_| random.between(-2, 2)).collect();
        let follows = random.one_in(2);
        let labels = cells.iter().map(|row| {
            let score: i64 = plane.iter().zip(row).map(|(w, x)| w * x).sum();
            let is_positive = match score + plane[features] * 10_i64.pow(decimals as u32) {
                s if follows && s != 0 => s > 0,
                _ => random.one_in(2),
            };
            if is_positive { "p" } else { "n" }
        });
        let mut labels: Vec<&'static str> = labels.collect();
        if random.one_in(3) {
            // Two rows lie on opposite sides of the origin in a hyperplane that is right on all others: without a bias,
            // where a score of 0 is right for them, no hyperplane separates strictly, and yet a run can end.
            let across = match plane.as_slice() {
                [_, _] => vec![0],
                [first, second, ..] => {
                    let mut across = vec![0; features];
                    (across[0], across[1]) = (-second, *first);
                    across
                }
                _ => unreachable!("a plane has a bias"),
            };
            cells[1] = across.iter().map(|x| -x).collect();
            cells[0] = across;
            let score = |row: &Vec<i64>| row.iter().zip(&plane).map(|(x, w)| x * w).sum::<i64>();
            labels = cells.iter().map(|row| if score(row) >= 0 { "p" } else { "n" }).collect();
        }
        if labels.iter().all(|label| *label == labels[0]) {
            labels[n - 1] = if labels[0] == "p" { "n" } else { "p" };
        }
        if random.one_in(8) {
            labels[random.below(n)] = "q";
        }
        Table { cells, decimals: vec![decimals; features], labels }
    }

    pub(crate) fn is_of_two_classes(&self) -> bool {
        let mut labels = self.labels.clone();
        labels.sort_unstable();
        labels.dedup();
        labels.len() == 2
    }

    pub(crate) fn is_of_integers(&self) -> bool {
        self.decimals.iter().all(|&decimals| decimals == 0)
    }

    /// The table as CSV.
    pub(crate) fn text(&self) -> String {
        let names = ["a", "b", "c"];
        let mut text = format!("{},label\n", names[..self.decimals.len()].join(","));
        for (row, label) in self.cells.iter().zip(&self.labels) {
            for (&cell, &decimals) in row.iter().zip(&self.decimals) {
                text += &(written(cell, decimals) + ",");
            }
            text += label;
            text.push('\n');
        }
        text
    }

    /// z = y·(x, 1), or y·x without a bias; +1 is this label.
    pub(crate) fn vectors(&self, positive: &str, with_bias: bool) -> Vec<Vector> {
        let vector = |(row, label): (&Vec<i64>, &&str)| {
            let sign = if *label == positive { 1 } else { -1 };
            let bias = with_bias.then_some(sign);
            row.iter().map(|&x| sign * i128::from(x)).chain(bias).collect()
        };
        self.cells.iter().zip(&self.labels).map(vector).collect()
    }
}

/// `cell`·10^−decimals.
fn written(cell: i64, decimals: usize) -> String {
    let unit = 10_i64.pow(decimals as u32);
    let sign = if cell < 0 { "-" } else { "" };
    let (whole, rest) = (cell.abs() / unit, cell.abs() % unit);
    if decimals == 0 {
        format!("{sign}{whole}")
    } else {
        format!("{sign}{whole}.{rest:0decimals$}")
    }
}

/// Options of `train` with their values, as words.
pub(crate) type Words = Vec<(String, String)>;

/// Some options of the list, with values of every form, and some of the command's own.
pub(crate) fn options(random: &mut Random) -> Words {
    let mut words = Words::new();
    if !random.one_in(4) {
        words.push(("--diagnose".to_owned(), String::new()));
    }
    if random.one_in(4) {
        for (name, value) in [("--mistake", "label"), ("--bias", "none"), ("--scale", "none")] {
            words.push((name.to_owned(), value.to_owned()));
        }
        if random.one_in(2) {
            // Most such runs end soon, and of those that ended nothing is to be diagnosed.
            words.push(("--epochs".to_owned(), "1".to_owned()));
        }
    }
    let of_run = OPTIONS.iter().map(|option| match option.name {
        // Kernels and penalties exclude much else.
        "kernel" | "penalty" => (option, 8),
        _ => (option, 3),
    });
    for (option, rarity) in of_run.chain(PREPARE_OPTIONS.iter().map(|option| (option, 6))) {
        let name = format!("--{}", option.long());
        if random.one_in(rarity) && !words.iter().any(|(word, _)| *word == name) {
            let value = value(option, random);
            words.push((name, value));
        }
    }
    let own: [(&str, &[&str]); 3] =
        [("--folds", &["2", "3"]), ("--holdout", &["0.3", "0.5"]), ("--positive", &["p", "n"])];
    for (name, values) in own {
        if random.one_in(5) && !words.iter().any(|(word, _)| word == name) {
            words.push((name.to_owned(), random.of(values).to_owned()));
        }
    }
    words
}

fn value(option: &OptionInfo, random: &mut Random) -> String {
    let mut choices: Vec<String> = option.words().iter().map(|word| word.name.to_owned()).collect();
    match option.values {
        OptionValues::Words(_) => {}
        OptionValues::WordsOrForm(_, form) => choices.push(filled(form, random)),
        OptionValues::Forms(forms) => {
            choices = forms().iter().map(|form| filled(form, random)).collect()
        }
        OptionValues::Whole(least) => {
            choices = [0, 1, 2, 20, 300].map(|more| (least + more).to_string()).into()
        }
        OptionValues::Rate => {
            choices = ["0.1", "0.5", "1", "2", "3", "1/t", "0.5/sqrt(t)"].map(str::to_owned).into();
        }
        OptionValues::ClassWeights => {
            choices = ["uniform", "balanced", "p=2,n=1"].map(str::to_owned).into()
        }
    }
    random.of(&choices)
}

/// A form with a number for each parameter; those in brackets are left out.
fn filled(form: &str, random: &mut Random) -> String {
    let parts = form.split('[').next().unwrap_or(form).split(':').map(|part| match part {
        "D" => random.between(1, 3).to_string(),
        // Limits of a document frequency; the second may be missing.
        "MIN" => "1".to_owned(),
        "MAX" => random.of(&["", "80%"]).to_owned(),
        part if part.starts_with(char::is_uppercase) => {
            random.of(&["0.1", "0.5", "1", "2"]).to_owned()
        }
        part => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join(":")
}

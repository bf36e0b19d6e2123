//! Which machine it is, and what it can do.

use std::{collections::BTreeMap, fs, process::Command, thread};

use serde_json::{Value, json};

use super::{Bench, Failure, measure::median};

/// What the figures are of.
pub(super) struct Machine {
    /// Year, month and day.
    pub(super) date: String,
    pub(super) processor: String,
    pub(super) cores: usize,
    /// GiB.
    pub(super) memory: f64,
    pub(super) system: String,
    /// Versions of ours and others, by name.
    pub(super) versions: BTreeMap<String, String>,
}

impl Machine {
    /// This machine, today.
    pub(super) fn here(bench: &Bench) -> Self {
        let versions = bench.peers.versions();
        let mut versions: BTreeMap<String, String> = versions
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, version)| (name.clone(), version.as_str().unwrap_or_default().to_owned()))
            .collect();
        versions.insert("rosenblatt".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        let rustc = said("rustc", &["--version"]);
        versions.insert("rustc".to_owned(), rustc.split(' ').nth(1).unwrap_or_default().to_owned());
        let of = |text: &str, name: &str| {
            let line = text.lines().find(|line| line.starts_with(name));
            line.and_then(|line| line.split_once(':')).map(|(_, value)| value.trim().to_owned())
        };
        let about = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = of(&about, "model name").unwrap_or_else(|| said("uname", &["-m"]));
        let family = of(&about, "cpu family").map(|family| format!(", family {family}"));
        let kept = of(&fs::read_to_string("/proc/meminfo").unwrap_or_default(), "MemTotal");
        let kibibytes = kept.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
        Machine {
            date: said("date", &["-u", "+%Y-%m-%d"]),
            processor: model + &family.unwrap_or_default(),
            cores: thread::available_parallelism().map_or(1, usize::from),
            memory: kibibytes.unwrap_or(0.0) / f64::from(1 << 20),
            system: said("uname", &["-s", "-r"]),
            versions,
        }
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "processor": self.processor, "cores": self.cores, "memory_gib": self.memory,
            "system": self.system, "versions": self.versions,
        })
    }
}

/// What a program says, in one line.
fn said(program: &str, words: &[&str]) -> String {
    let output = Command::new(program).args(words).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    text.unwrap_or_default()
}

/// What the machine can do with one thread.
pub(super) struct Limits {
    /// Bytes a second read from memory.
    pub(super) read: f64,
    /// Multiplications and additions a second in the nearest cache, `f32` and `f64`.
    pub(super) near: [f64; 2],
}

impl Limits {
    pub(super) fn measure(bench: &Bench) -> Result<Self, Failure> {
        println!("measuring the machine");
        let (mut read, mut near) = (Vec::new(), [Vec::new(), Vec::new()]);
        for _ in 0..bench.rounds {
            let said = bench.engine("near", 0)?;
            for line in &said {
                let rate = line["rate"].as_f64().ok_or("a rate is missing")?;
                match line["work"].as_str() {
                    Some("read") => read.push(rate),
                    Some("near f32") => near[0].push(rate),
                    _ => near[1].push(rate),
                }
            }
        }
        let limits = Limits { read: median(read), near: near.map(median) };
        println!("{}", limits.text());
        Ok(limits)
    }

    /// In words.
    pub(super) fn text(&self) -> String {
        format!(
            "One thread reads {:.1} GB/s of an array of 1 GiB, and makes {:.0} (`f32`) or {:.0} (`f64`) billion \
             multiplications and additions per second on numbers in the L1 cache.",
            self.read / 1e9,
            self.near[0] / 1e9,
            self.near[1] / 1e9
        )
    }

    pub(super) fn json(&self) -> Value {
        json!({"read_bytes_per_second": self.read, "near_f32": self.near[0], "near_f64": self.near[1]})
    }
}

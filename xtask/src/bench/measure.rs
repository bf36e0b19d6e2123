//! What a piece of work takes: processor, clock and memory; medians of several runs, contenders taking turns.

use std::{
    env,
    ffi::OsStr,
    io::Write,
    process::{Command, ExitCode, Output, Stdio},
    thread,
    time::Instant,
};

use serde_json::{Value, json};

use super::{Failure, MEASURE};

/// One run.
#[derive(Clone, Debug, Default)]
pub(super) struct Sample {
    /// Seconds of the processor: user and system, all threads.
    pub(super) cpu: f64,
    /// The same from the birth of the process on, where `cpu` leaves out how it begins.
    pub(super) process: Option<f64>,
    /// Seconds of the clock.
    pub(super) wall: f64,
    /// The most memory at any time, in MiB.
    pub(super) memory: Option<f64>,
    /// The share of rows that the model gets wrong.
    pub(super) errors: Option<f64>,
    /// Seconds of the processor that each epoch after the first adds.
    pub(super) epoch: Option<f64>,
    /// Mistakes that moved the weights.
    pub(super) updates: Option<f64>,
    /// How many epochs there were.
    pub(super) epochs: Option<f64>,
}

impl Sample {
    /// From the JSON of a program that measures itself.
    pub(super) fn of(value: &Value) -> Option<Self> {
        let number = |name: &str| value[name].as_f64();
        Some(Sample {
            cpu: number("cpu")?,
            wall: number("wall").or_else(|| number("cpu"))?,
            process: number("process"),
            memory: number("memory"),
            errors: number("errors"),
            epoch: number("epoch"),
            updates: number("updates"),
            epochs: number("epochs"),
        })
    }

    pub(super) fn json(&self) -> Value {
        let mut object = json!({"cpu": self.cpu, "wall": self.wall});
        let others = [
            ("process", self.process),
            ("memory_mib", self.memory),
            ("errors", self.errors),
            ("epoch", self.epoch),
            ("updates", self.updates),
            ("epochs", self.epochs),
        ];
        for (name, value) in others.into_iter().filter_map(|(name, value)| Some((name, value?))) {
            object[name] = json!(value);
        }
        object
    }
}

/// All runs of one contender, or why there are none.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) name: String,
    pub(super) runs: Vec<Sample>,
    pub(super) failure: Option<String>,
}

impl Outcome {
    /// Characters that are kept of why something failed.
    const LONGEST: usize = 160;

    pub(super) fn new(name: &str) -> Self {
        Outcome { name: name.to_owned(), runs: Vec::new(), failure: None }
    }

    /// Takes in one more run.
    pub(super) fn push(&mut self, run: Result<Sample, Failure>) {
        match run {
            Ok(sample) => self.runs.push(sample),
            Err(why) => {
                // The page and the record name no place of this machine.
                let why = why.to_string().replace(&*crate::root().to_string_lossy(), ".");
                self.failure = Some(why.chars().take(Self::LONGEST).collect());
            }
        }
    }

    pub(super) fn cpu(&self) -> Option<f64> {
        self.median(|run| Some(run.cpu))
    }

    pub(super) fn wall(&self) -> Option<f64> {
        self.median(|run| Some(run.wall))
    }

    pub(super) fn memory(&self) -> Option<f64> {
        self.median(|run| run.memory)
    }

    pub(super) fn errors(&self) -> Option<f64> {
        self.median(|run| run.errors)
    }

    pub(super) fn epoch(&self) -> Option<f64> {
        self.median(|run| run.epoch)
    }

    /// The median of a figure over the runs; none when the contender failed, or no run has it.
    pub(super) fn median(&self, figure: impl Fn(&Sample) -> Option<f64>) -> Option<f64> {
        let figures: Vec<f64> = self.runs.iter().filter_map(figure).collect();
        (self.failure.is_none() && !figures.is_empty()).then(|| median(figures))
    }

    /// The least and the most time of the processor over the runs.
    pub(super) fn spread(&self) -> Option<(f64, f64)> {
        let times = self.runs.iter().map(|run| run.cpu);
        let (least, most) = times
            .fold((f64::INFINITY, 0.0f64), |(least, most), cpu| (cpu.min(least), cpu.max(most)));
        (self.failure.is_none() && !self.runs.is_empty()).then_some((least, most))
    }

    pub(super) fn json(&self) -> Value {
        let runs: Vec<Value> = self.runs.iter().map(Sample::json).collect();
        let mut object = json!({"name": self.name, "runs": runs});
        if let Some(why) = &self.failure {
            object["failure"] = json!(why);
        }
        object
    }
}

/// The middle one, of an even number the mean of the two.
pub(super) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    let half = figures.len() / 2;
    if figures.len() % 2 == 1 { figures[half] } else { (figures[half - 1] + figures[half]) / 2.0 }
}

/// Something that takes part: a name, and what it does in a round.
pub(super) struct Contender<'a> {
    pub(super) name: &'a str,
    pub(super) run: Box<dyn FnMut() -> Result<Sample, Failure> + 'a>,
}

/// Lets all run in turns, so many rounds; who fails once is out.
pub(super) fn compare(mut contenders: Vec<Contender<'_>>, rounds: usize) -> Vec<Outcome> {
    let mut outcomes: Vec<Outcome> =
        contenders.iter().map(|contender| Outcome::new(contender.name)).collect();
    for _ in 0..rounds {
        for (contender, outcome) in contenders.iter_mut().zip(&mut outcomes) {
            if outcome.failure.is_none() {
                outcome.push((contender.run)());
            }
        }
    }
    outcomes
}

/// Writes what a program reads.
pub(super) type Input = Box<dyn FnOnce(&mut dyn Write) -> std::io::Result<()> + Send>;

/// Runs a program, whose output is thrown away, and tells what it took. `input` is what it reads.
pub(super) fn child(words: &[impl AsRef<OsStr>], input: Option<Input>) -> Result<Sample, Failure> {
    // Of a child the system counts the memory of its parent at birth too, so the parent is a small process.
    let mut command = Command::new(env::current_exe()?);
    command.arg(MEASURE).args(words);
    command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
    let mut small = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let feeder = small.stdin.take().zip(input).map(|(mut pipe, input)| {
        // A program that ends early closes the pipe; what it says of that is its exit code.
        thread::spawn(move || drop(input(&mut pipe)))
    });
    let output = small.wait_with_output()?;
    if let Some(feeder) = feeder {
        drop(feeder.join());
    }
    let value = last_json(&output)?;
    Sample::of(&value).ok_or_else(|| "the time of a child is unknown".into())
}

/// The last line that a program wrote, which is JSON, if it did its work.
pub(super) fn last_json(output: &Output) -> Result<Value, Failure> {
    if !output.status.success() {
        return Err(last_line(&output.stderr).into());
    }
    Ok(serde_json::from_str(&last_line(&output.stdout))?)
}

fn last_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.trim_end().lines().next_back().unwrap_or("it failed and said nothing").to_owned()
}

/// Runs a command as the only child of this process and prints what it took.
#[cfg(unix)]
pub(crate) fn measure(words: &[&str]) -> ExitCode {
    use nix::sys::resource::{UsageWho, getrusage};
    let Some((program, arguments)) = words.split_first() else { return ExitCode::from(2) };
    let start = Instant::now();
    let status = Command::new(program).args(arguments).stdout(Stdio::null()).status();
    let wall = start.elapsed().as_secs_f64();
    match (status, getrusage(UsageWho::RUSAGE_CHILDREN)) {
        (Ok(status), Ok(usage)) if status.success() => {
            let seconds =
                |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 * 1e-6;
            let cpu = seconds(usage.user_time()) + seconds(usage.system_time());
            let unit = if cfg!(target_vendor = "apple") { 1.0 } else { 1024.0 };
            let memory = usage.max_rss() as f64 * unit / f64::from(1 << 20);
            println!("{}", json!({"cpu": cpu, "wall": wall, "memory": memory}));
            ExitCode::SUCCESS
        }
        (Ok(_), _) => ExitCode::FAILURE,
        (Err(error), _) => {
            eprintln!("{program}: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(not(unix))]
pub(crate) fn measure(_: &[&str]) -> ExitCode {
    eprintln!("what a child takes of the processor is measured on Unix only");
    ExitCode::from(2)
}

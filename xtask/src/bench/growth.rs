//! How time and memory grow with the number of rows: the files of the other works, their beginnings, and the same
//! rows again, through standard input.

use std::{ffi::OsString, io::Write, sync::Arc};

use super::{
    Bench, Failure, data,
    measure::{child, median},
    row::{Goal, Grown, Row},
    works::ONE_PASS,
};

const SIZES: [usize; 4] = [2_000, 20_000, 200_000, 2_000_000];

/// A stream: the first line once, then rows, of which `rows` are there.
struct Stream {
    header: Arc<Vec<u8>>,
    body: Arc<Vec<u8>>,
    rows: usize,
}

/// Time and memory for each size, for both formats.
pub(super) fn rows(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let text = ("LIBSVM, 77 entries per row", "text.svm", 0, ["--format", "libsvm"]);
    let table = ("CSV, 28 columns", "long.csv", 1, ["--target", "label"]);
    [text, table]
        .into_iter()
        .map(|(name, file, header, more)| of(bench, name, file, header, more))
        .collect()
}

fn of(
    bench: &Bench,
    name: &str,
    file: &str,
    header_lines: usize,
    more: [&str; 2],
) -> Result<Row, Failure> {
    let path = bench.data.path(file);
    let header = Arc::new(data::head(&path, header_lines)?);
    let mut points = Vec::new();
    for size in SIZES.map(|size| size / bench.data.smaller) {
        let all = data::head(&path, header_lines + size)?;
        let body = Arc::new(all[header.len()..].to_vec());
        let rows = body.iter().filter(|&&byte| byte == b'\n').count();
        drop(all);
        let rounds = if size >= 1_000_000 { bench.rounds.min(3) } else { bench.rounds };
        let stream = || Stream { header: header.clone(), body: body.clone(), rows };
        let run = |_| learn(bench, stream(), size, more);
        let runs: Vec<(f64, f64)> = (0..rounds).map(run).collect::<Result<_, _>>()?;
        let (cpu, memory) = runs.into_iter().unzip();
        points.push(Grown { rows: size, cpu: median(cpu), memory: median(memory) });
    }
    // The least size is mostly the beginning of a program, the same for all.
    let (few, most) = (points[1], points[SIZES.len() - 1]);
    let a_row = |grown: Grown| grown.cpu / grown.rows as f64;
    Ok(Row {
        id: "growth".to_owned(),
        work: format!("growth, {name}, one pass from standard input"),
        goals: vec![
            Goal::at_most(
                1.2,
                "×",
                "linear time: per row, all rows ≤ 1.2 × a hundredth of them",
                Some(a_row(most) / a_row(few)),
            ),
            Goal::at_most(
                1.2,
                "×",
                "constant memory: all rows ≤ 1.2 × a hundredth of them",
                Some(most.memory / few.memory),
            ),
        ],
        growth: points,
        ..Row::default()
    })
}

/// Lets ours learn so many rows that come through a pipe; seconds of the processor and MiB.
fn learn(
    bench: &Bench,
    stream: Stream,
    size: usize,
    more: [&str; 2],
) -> Result<(f64, f64), Failure> {
    let mut words: Vec<OsString> = vec![bench.command.clone().into(), "train".into(), "-".into()];
    words.extend(ONE_PASS.iter().chain(&more).map(OsString::from));
    words.extend(["--threads", "1", "--quiet"].map(OsString::from));
    let feed = move |pipe: &mut dyn Write| {
        pipe.write_all(&stream.header)?;
        (0..size.div_ceil(stream.rows)).try_for_each(|_| pipe.write_all(&stream.body))
    };
    let sample = child(&words, Some(Box::new(feed)))?;
    Ok((sample.cpu, sample.memory.ok_or("the memory of a child is unknown")?))
}

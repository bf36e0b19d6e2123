//! Every sentence is true: tiny random tables with random options, and each sentence of the reports held
//! against the run, longer runs, and exact arithmetic. `ROSENBLATT_SAID=10000` draws more cases than the check.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod circuits;
#[path = "../common/mod.rs"]
mod common;
mod draw;
mod separable;
mod train;

use std::{
    env,
    sync::Mutex,
    thread::{available_parallelism, scope},
};

use common::Desk;
use draw::{Random, Table};

/// The problems of the case of this number.
fn problems(case: u64) -> Vec<String> {
    let mut random = Random::new(case);
    let table = Table::draw(&mut random);
    let desk = Desk::with(&[("d.csv", &table.text())]);
    let words = draw::options(&mut random);
    let run = train::Run::new(&desk, &table, &words, &mut random);
    let mut found = Vec::new();
    found.extend(run.check().err().map(|problem| format!("{}: {problem}", run.line())));
    if table.is_of_two_classes() {
        found.extend(separable::check(&desk, &table).err());
    }
    found.iter().map(|problem| format!("case {case}: {problem}\n{}", table.text())).collect()
}

#[test]
fn each_sentence_is_true() {
    let cases = env::var("ROSENBLATT_SAID").map_or(500, |cases| cases.parse().unwrap());
    let threads = available_parallelism().map_or(1, usize::from) as u64;
    let all = Mutex::new(Vec::new());
    scope(|scope| {
        for first in 0..threads {
            let all = &all;
            scope.spawn(move || {
                for case in (first..cases).step_by(threads as usize) {
                    let found = problems(case);
                    all.lock().unwrap().extend(found);
                }
            });
        }
    });
    let all = all.into_inner().unwrap();
    assert!(all.is_empty(), "{} of {cases} cases:\n{}", all.len(), all.join("\n"));
}

//! Sparse rows: texts as counts of words.
#![allow(clippy::print_stdout)] // a program shows its results

use std::collections::BTreeMap;

use rosenblatt::{Keep, Perceptron, Result, Row, RowsBuilder, Values};

const TEXTS: [(&str, &str); 4] = [
    ("win money now", "spam"),
    ("lunch at noon", "ham"),
    ("money money money", "spam"),
    ("see you at lunch", "ham"),
];

fn main() -> Result<()> {
    let mut words = BTreeMap::new();
    let mut rows = RowsBuilder::new();
    for (text, _) in TEXTS {
        let mut counts = BTreeMap::new();
        for word in text.split(' ') {
            let next = words.len() as u32;
            *counts.entry(*words.entry(word).or_insert(next)).or_insert(0.0) += 1.0;
        }
        rows.push(counts)?;
    }
    let labels = TEXTS.map(|(_, label)| label);
    let model = Perceptron::new().keep(Keep::Average).fit(&rows.build(), &labels)?;

    let features = [words["money"], words["now"]];
    let (first, second) = (features[0].min(features[1]), features[0].max(features[1]));
    let prediction = model.predict(Row::sparse(&[first, second], Values::F64(&[1.0, 1.0])))?;
    println!("{} features; `money now` is {}", model.features(), prediction.label());
    assert_eq!(prediction.label(), "spam");
    Ok(())
}

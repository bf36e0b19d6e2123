//! Vectors in memory: train, print the report, predict.
#![allow(clippy::print_stdout)] // a program shows its results

use rosenblatt::{Perceptron, Result, Rows};

fn main() -> Result<()> {
    // Height in meters and weight in kilograms.
    let animals = [[0.3, 4.0], [0.25, 3.5], [0.35, 5.0], [1.6, 450.0], [1.5, 380.0], [1.7, 500.0]];
    let labels = ["cat", "cat", "cat", "horse", "horse", "horse"];
    let rows = Rows::dense(animals.as_flattened(), 2)?;
    let model = Perceptron::new().fit(&rows, &labels)?;

    let report = model.report();
    println!("converged: {} after {} updates", report.converged, report.updates);
    let prediction = model.predict(&[1.4, 300.0])?;
    println!("{} (score {})", prediction.label(), prediction.score());
    assert_eq!(prediction.label(), "horse");
    Ok(())
}

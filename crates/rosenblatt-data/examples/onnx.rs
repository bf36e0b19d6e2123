//! A model as ONNX, for programs that run such graphs, and as a table of weights.
#![allow(clippy::print_stdout)] // a program shows its results

use rosenblatt::Perceptron;
use rosenblatt_data::{Dataset, ExportFormat, ReadOptions, Result};

const TABLE: &str = "width,height,kind\n1.0,2.0,tall\n2.5,1.0,wide\n1.5,3.0,tall\n4.0,2.0,wide\n";

fn main() -> Result<()> {
    let dataset = Dataset::from_reader(TABLE.as_bytes(), &ReadOptions::default())?;
    let file = dataset.fit(&Perceptron::new())?;
    let mut graph = Vec::new();
    file.export(ExportFormat::Onnx, &mut graph)?;
    let mut weights = Vec::new();
    file.export(ExportFormat::Csv, &mut weights)?;
    println!("{} bytes of ONNX; the weights:\n{}", graph.len(), String::from_utf8_lossy(&weights));
    assert!(weights.starts_with(b"feature,weight"));
    Ok(())
}

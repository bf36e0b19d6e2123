//! More than two classes: one hyperplane per class (one-vs-rest).
#![allow(clippy::print_stdout)] // a program shows its results

use rosenblatt::{Perceptron, Result, Rows, Scale};

fn main() -> Result<()> {
    let points =
        [[0.0, 90.0], [1.0, 100.0], [-8.0, -50.0], [-9.0, -60.0], [8.0, -50.0], [9.0, -70.0]];
    let labels = ["north", "north", "west", "west", "east", "east"];
    let rows = Rows::dense(points.as_flattened(), 2)?;
    let model = Perceptron::new().scale(Scale::Standard).fit(&rows, &labels)?;

    println!("classes: {}", model.labels().join(", "));
    let found = model.predict_rows(&rows)?;
    let names: Vec<&str> =
        found.classes.iter().map(|&class| model.labels()[class as usize].as_str()).collect();
    assert_eq!(names, labels);
    for class in model.report().per_class.iter().flatten() {
        println!("{} examples, {} updates", class.examples, class.updates);
    }
    assert_eq!(model.predict(&[-7.0, -40.0])?.label(), "west");
    Ok(())
}

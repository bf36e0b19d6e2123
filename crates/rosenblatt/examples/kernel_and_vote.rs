//! XOR: no line separates it. A polynomial kernel does; so does a vote of all weights of a linear run.
#![allow(clippy::print_stdout)] // a program shows its results

use rosenblatt::{Keep, Kernel, Perceptron, Result, Rows};

fn main() -> Result<()> {
    let rows = Rows::dense(&[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], 2)?;
    let labels = [false, true, true, false];
    let linear = Perceptron::new().epochs(100).fit(&rows, &labels)?;
    println!("in feature space: converged is {}", linear.report().converged);
    assert!(!linear.report().converged);

    for keep in [Keep::Last, Keep::Vote] {
        let model = Perceptron::new().kernel(Kernel::poly(2)).keep(keep).fit(&rows, &labels)?;
        println!("{keep:?}: {:?} training errors", model.report().training_errors);
        assert_eq!(model.report().training_errors, Some(0));
    }
    Ok(())
}

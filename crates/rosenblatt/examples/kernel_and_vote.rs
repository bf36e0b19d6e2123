//! XOR: no line separates it, a polynomial kernel does. The vote of all weights of that run is wrong about
//! one example: the early weights have votes too, and here they outvote the last ones.
#![allow(clippy::print_stdout)] // a program shows its results

use rosenblatt::{Keep, Kernel, Perceptron, Result, Rows};

fn main() -> Result<()> {
    let rows = Rows::dense(&[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], 2)?;
    let labels = [false, true, true, false];
    let linear = Perceptron::new().epochs(100).fit(&rows, &labels)?;
    println!("in feature space: converged is {}", linear.report().converged);
    assert!(!linear.report().converged);

    for (keep, errors) in [(Keep::Last, 0), (Keep::Vote, 1)] {
        let model = Perceptron::new().kernel(Kernel::poly(2)).keep(keep).fit(&rows, &labels)?;
        println!("{keep:?}: {:?} training errors", model.report().training_errors);
        assert_eq!(model.report().training_errors, Some(errors));
    }
    Ok(())
}

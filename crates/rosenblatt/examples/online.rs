//! Examples that come one by one: predict, then learn, with the average of all weights so far.
#![allow(clippy::print_stdout)] // a program shows its results

use rosenblatt::{Keep, Online, Perceptron, Result};

fn main() -> Result<()> {
    let mut online = Perceptron::new().keep(Keep::Average).online(&[-1, 1])?;
    let mut wrong = 0;
    for i in 0..1000u32 {
        let (x, y) = (f64::from(i % 17) - 8.0, f64::from(i % 13) - 6.0);
        let label = if 2.0 * x - y + 0.5 > 0.0 { 1 } else { -1 };
        wrong += usize::from(online.predict(&[x, y])?.label() != label.to_string());
        online.learn(&[x, y], label)?;
        if i == 500 {
            // The state of a learner can be serialized and restored.
            online = Online::from_state(online.state())?;
        }
    }
    println!(
        "{wrong} of {} examples were predicted wrongly before they were learned",
        online.examples()
    );
    assert!(wrong < 100);
    let model = online.finish()?;
    assert_eq!(model.predict(&[5.0, -5.0])?.label(), "1");
    Ok(())
}

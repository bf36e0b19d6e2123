//! Decides whether a hyperplane separates two classes, and checks the certificate in exact arithmetic.
#![allow(clippy::print_stdout)] // a program shows its results

use rosenblatt::{Examples, Rows, SeparabilityOptions, Sign, separable, verify};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rows = Rows::dense(&[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], 2)?;
    for (name, labels) in
        [("AND", [false, false, false, true]), ("XOR", [false, true, true, false])]
    {
        let signs = labels.map(Sign::from);
        let examples = Examples::new(&rows, &signs)?;
        let answer = separable(&examples, &SeparabilityOptions::default(), &mut || false);
        println!("{name}: {:?}", answer.is_separable());
        assert_eq!(answer.is_separable(), Some(name == "AND"));
        let certificate = answer.certificate().ok_or("a decided answer has a certificate")?;
        verify(certificate, &examples)?;
    }
    Ok(())
}

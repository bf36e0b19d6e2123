//! A CSV file: train, save the model, load it, predict a file and a record.
#![allow(clippy::print_stdout)] // a program shows its results

use rosenblatt::{Keep, Perceptron, Scale};
use rosenblatt_data::{Dataset, ModelFile, Result};

const FLOWERS: &str = "petal_length,petal_width,species
1.4,0.2,setosa
1.5,0.3,setosa
1.3,0.2,setosa
4.5,1.5,versicolor
4.1,1.3,versicolor
4.7,1.4,versicolor
6.0,2.5,virginica
5.8,2.2,virginica
6.3,1.8,virginica
";

fn main() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (data, path) = (folder.path().join("flowers.csv"), folder.path().join("flowers.model"));
    std::fs::write(&data, FLOWERS)?;

    let perceptron = Perceptron::new().keep(Keep::Average).scale(Scale::Standard).epochs(10);
    Dataset::open(&data)?.fit(&perceptron)?.save(&path)?;

    let file = ModelFile::load(&path)?;
    for prediction in file.predict_file(&data)? {
        println!("{}", prediction?.label());
    }
    let flower = file.predict_record(&[("petal_length", "1.6"), ("petal_width", "0.1")])?;
    assert_eq!(flower.label(), "setosa");
    Ok(())
}

//! Runs a graph, for tests: the operators that an export uses, in the plainest way.

use std::collections::HashMap;

use super::messages::{Element, GraphProto, NodeProto, TensorProto};

/// A tensor; truth values and integers are numbers too.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Value {
    pub(super) dims: Vec<usize>,
    pub(super) data: Data,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Data {
    Numbers(Vec<f64>),
    Texts(Vec<String>),
}

impl Value {
    pub(super) fn of(tensor: &TensorProto) -> Self {
        let raw = |number: fn([u8; 8]) -> f64| {
            let bytes = tensor.raw_data.as_ref().unwrap().chunks_exact(8);
            Data::Numbers(bytes.map(|bytes| number(bytes.try_into().unwrap())).collect())
        };
        let data = match tensor.data_type {
            t if t == Element::Double as i32 => raw(f64::from_le_bytes),
            t if t == Element::Int64 as i32 => raw(|bytes| i64::from_le_bytes(bytes) as f64),
            t if t == Element::Text as i32 => {
                let texts =
                    tensor.string_data.iter().map(|b| String::from_utf8(b.clone()).unwrap());
                Data::Texts(texts.collect())
            }
            other => panic!("no tensor of type {other} is written"),
        };
        Value { dims: tensor.dims.iter().map(|&length| length as usize).collect(), data }
    }

    fn numbers(&self) -> &[f64] {
        match &self.data {
            Data::Numbers(numbers) => numbers,
            Data::Texts(_) => panic!("these are texts"),
        }
    }

    fn map(&self, f: impl Fn(f64) -> f64) -> Self {
        let numbers = self.numbers().iter().map(|&x| f(x)).collect();
        Value { dims: self.dims.clone(), data: Data::Numbers(numbers) }
    }

    /// `f` of each number and the one of its column in `row`, which is one row or one number.
    fn with(&self, row: &Value, f: impl Fn(f64, f64) -> f64) -> Self {
        let all = self.numbers().iter().zip(row.numbers().iter().cycle());
        let numbers = all.map(|(&x, &y)| f(x, y)).collect();
        Value { dims: self.dims.clone(), data: Data::Numbers(numbers) }
    }

    /// Each row divided by its number in the only column of `column`.
    fn divided_by_rows(&self, column: &Value) -> Self {
        let rows = self.numbers().chunks(self.dims[1]).zip(column.numbers());
        let numbers = rows.flat_map(|(row, &y)| row.iter().map(move |&x| x / y)).collect();
        Value { dims: self.dims.clone(), data: Data::Numbers(numbers) }
    }

    /// The shares of the powers of e in each row.
    fn softmax(&self) -> Self {
        let of_row = |row: &[f64]| -> Vec<f64> {
            let highest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let powers: Vec<f64> = row.iter().map(|x| (x - highest).exp()).collect();
            let sum: f64 = powers.iter().sum();
            powers.into_iter().map(|power| power / sum).collect()
        };
        let numbers = self.numbers().chunks(self.dims[1]).flat_map(of_row).collect();
        Value { dims: self.dims.clone(), data: Data::Numbers(numbers) }
    }

    /// One number for each row.
    fn by_rows(&self, f: impl Fn(&[f64]) -> f64) -> Self {
        let numbers: Vec<f64> = self.numbers().chunks(self.dims[1]).map(f).collect();
        Value { dims: vec![numbers.len(), 1], data: Data::Numbers(numbers) }
    }

    fn product(&self, right: &Value) -> Self {
        let ([rows, inner], [same, columns]) = (&self.dims[..], &right.dims[..]) else {
            panic!("not two matrices")
        };
        assert_eq!(inner, same);
        let (a, b) = (self.numbers(), right.numbers());
        let mut all = Vec::new();
        for (i, k) in (0..*rows).flat_map(|i| (0..*columns).map(move |k| (i, k))) {
            all.push((0..*inner).map(|j| a[i * inner + j] * b[j * columns + k]).sum());
        }
        Value { dims: vec![*rows, *columns], data: Data::Numbers(all) }
    }

    fn first_of_the_highest(&self) -> Self {
        let place = |row: &[f64]| {
            let highest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            row.iter().position(|&x| x == highest).unwrap() as f64
        };
        let places = self.numbers().chunks(self.dims[1]).map(place);
        Value { dims: vec![self.dims[0]], data: Data::Numbers(places.collect()) }
    }

    fn gather(&self, places: &Value) -> Self {
        let places_of = places.numbers().iter().map(|&place| place as usize);
        let data = match &self.data {
            Data::Numbers(all) => Data::Numbers(places_of.map(|place| all[place]).collect()),
            Data::Texts(all) => Data::Texts(places_of.map(|place| all[place].clone()).collect()),
        };
        Value { dims: places.dims.clone(), data }
    }
}

/// The values of all names after the graph has run on `X`, rows of `features` numbers.
pub(super) fn run(graph: &GraphProto, x: &[f64], features: usize) -> HashMap<String, Value> {
    let tensors = graph.initializer.iter();
    let mut values: HashMap<String, Value> =
        tensors.map(|tensor| (tensor.name.clone(), Value::of(tensor))).collect();
    let x = Value { dims: vec![x.len() / features, features], data: Data::Numbers(x.to_vec()) };
    values.insert("X".to_owned(), x);
    for node in &graph.node {
        let inputs: Vec<&Value> = node.input.iter().map(|name| &values[name]).collect();
        let value = apply(node, &inputs);
        assert!(values.insert(node.output[0].clone(), value).is_none(), "one value for each name");
    }
    values
}

fn apply(node: &NodeProto, inputs: &[&Value]) -> Value {
    let attribute = |name: &str| {
        node.attribute.iter().find(|attribute| attribute.name == name).and_then(|found| found.i)
    };
    let truth = |holds: bool| f64::from(u8::from(holds));
    match (node.op_type.as_str(), inputs) {
        ("Cast", [x]) if attribute("to") == Some(Element::Float as i64) => {
            x.map(|x| f64::from(x as f32))
        }
        ("Cast", [x]) => (*x).clone(),
        ("Softmax", [x]) => x.softmax(),
        ("Sub", [x, y]) => x.with(y, |x, y| x - y),
        ("Div", [x, y]) if y.dims == [x.dims[0], 1] => x.divided_by_rows(y),
        ("Div", [x, y]) => x.with(y, |x, y| x / y),
        ("Mul", [x, y]) => x.with(y, |x, y| x * y),
        ("Max", [x, y]) => x.with(y, f64::max),
        ("Min", [x, y]) => x.with(y, f64::min),
        ("Sign", [x]) => x.map(|x| if x == 0.0 { 0.0 } else { x.signum() }),
        ("Log", [x]) => x.map(f64::ln),
        ("Abs", [x]) => x.map(f64::abs),
        ("Sqrt", [x]) => x.map(f64::sqrt),
        ("ReduceSum", [x, axes]) => {
            assert_eq!((axes.numbers(), attribute("keepdims")), (&[1.0][..], Some(1)));
            x.by_rows(|row| row.iter().sum())
        }
        ("TopK", [x, count]) => {
            assert_eq!((count.numbers(), attribute("axis")), (&[1.0][..], Some(1)));
            x.by_rows(|row| row.iter().copied().fold(f64::NEG_INFINITY, f64::max))
        }
        ("Add", [x, y]) => x.with(y, |x, y| x + y),
        ("MatMul", [x, y]) => x.product(y),
        ("Greater", [x, y]) => x.with(y, |x, y| truth(x > y)),
        ("GreaterOrEqual", [x, y]) => x.with(y, |x, y| truth(x >= y)),
        ("Squeeze", [x, axes]) => {
            assert_eq!((axes.numbers(), x.dims[1]), (&[1.0][..], 1));
            Value { dims: vec![x.dims[0]], data: x.data.clone() }
        }
        ("ArgMax", [x]) => {
            assert_eq!((attribute("axis"), attribute("keepdims")), (Some(1), Some(0)));
            x.first_of_the_highest()
        }
        ("Gather", [all, places]) => all.gather(places),
        (other, _) => panic!("no export uses {other} of {} inputs", inputs.len()),
    }
}

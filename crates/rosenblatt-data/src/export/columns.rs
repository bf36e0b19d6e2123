//! The columns of a table as inputs of an ONNX graph, and their features as nodes.
//!
//! ```text
//! numbers:    the column, [N, 1] double ─ with a rule for missing cells: IsNaN ─ Where ─ the value; the indicator is IsNaN
//! categories: the column, [N, 1] text ─ LabelEncoder, −1 for one that training did not have ─ Equal 0, 1, … ─ one column each
//! products:   Unsqueeze ─ Mul ─ Reshape, of the features of two columns
//! ```
//!
//! A missing number is NaN, a missing category the empty text. Blanks around a category, which a reader of tables takes away, are part
//! of it here. Text does not become words here, so a column of text is refused,
//! and so are products that are hashed.

use super::{
    error::ExportError,
    messages::{Element, GraphProto, NodeProto, TensorProto, ValueInfoProto},
};
use crate::{
    number_form::DateOrder,
    table::schema::{Column, Columns, Inputs, Schema},
};

/// The name that a column has while a graph is built.
fn place(column: usize) -> String {
    format!("column_{column}")
}

/// Adds the inputs and `features` of the rows of a table, one for each column.
pub(super) fn add(graph: &mut GraphProto, schema: &Schema) -> Result<(), ExportError> {
    let columns = of_table(schema)?;
    let mut all = Vec::with_capacity(columns.features.len() + columns.interactions.len());
    for (number, column) in columns.features.iter().enumerate() {
        all.push(encoded(graph, column, &place(number))?);
    }
    let all_products = columns.products();
    for (number, interaction) in columns.interactions.iter().enumerate() {
        let factors = interaction.columns.each_ref().map(|name| {
            columns.features.iter().position(|column| column.name == *name).unwrap_or_default()
        });
        if all_products[number].factors().is_none() {
            return Err(refused(format!(
                "cannot hash the products of the columns `{}` and `{}`",
                interaction.columns[0], interaction.columns[1]
            )));
        }
        let widths = factors.map(|factor| columns.features[factor].features());
        let factors = factors.map(|factor| all[factor].clone());
        all.push(products(graph, factors, widths, &format!("products_{number}")));
    }
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    graph.node.push(NodeProto::new("Concat", &all, "features").with("axis", 1));
    Ok(())
}

fn of_table(schema: &Schema) -> Result<&Columns, ExportError> {
    match &schema.inputs {
        Inputs::Columns(columns) if schema.has_header() => Ok(columns),
        _ => Err(refused("needs columns with names, and the training data had none".to_owned())),
    }
}

fn refused(reason: String) -> ExportError {
    ExportError::Columns { reason }
}

/// Adds a column. Returns the name of its features, N rows of doubles.
fn encoded(graph: &mut GraphProto, column: &Column, input: &str) -> Result<String, ExportError> {
    let name = &column.name;
    let (element, doc) = match (&column.words, &column.categories) {
        (Some(_), _) => {
            return Err(refused(format!("cannot cut the text of the column `{name}` into words")));
        }
        (None, Some(_)) => (
            Element::Text,
            "a category, without blanks around it; a missing one is empty".to_owned(),
        ),
        (None, None) => (Element::Double, numbers_doc(column)),
    };
    graph.input.push(ValueInfoProto::rows(input, element, Some(1), doc));
    Ok(match &column.categories {
        Some(categories) => one_hot(graph, categories, input),
        None => filled(graph, column, input),
    })
}

/// What the numbers of a column are.
fn numbers_doc(column: &Column) -> String {
    let form = column.form.clone().unwrap_or_default();
    let what = match form.dates {
        Some(DateOrder::Time) => "a time as a share of a day",
        Some(_) => "a date as days since 1970-01-01, with the time of day as a fraction",
        None => "a number",
    };
    let missing = if column.missing.is_some() { "a missing one is NaN" } else { "never missing" };
    format!("{what}; {missing}")
}

fn one_hot(graph: &mut GraphProto, categories: &[String], input: &str) -> String {
    let part = |part: &str| format!("{input}_{part}");
    let codes: Vec<i64> = (0..categories.len() as i64).collect();
    let encoder = NodeProto::label_encoder(input, categories, &codes, &part("code"));
    graph.node.push(encoder);
    graph.initializer.push(TensorProto::integers(&part("codes"), &codes));
    let equal = NodeProto::new("Equal", &[&part("code"), &part("codes")], &part("is"));
    graph.node.push(equal);
    graph.node.push(NodeProto::cast(&part("is"), Element::Double, &part("features")));
    part("features")
}

fn filled(graph: &mut GraphProto, column: &Column, input: &str) -> String {
    let Some(missing) = column.missing else { return input.to_owned() };
    let part = |part: &str| format!("{input}_{part}");
    let value = TensorProto::doubles(&part("value"), &[], std::iter::once(missing.value));
    graph.initializer.push(value);
    graph.node.push(NodeProto::new("IsNaN", &[input], &part("missing")));
    let value =
        NodeProto::new("Where", &[&part("missing"), &part("value"), input], &part("filled"));
    graph.node.push(value);
    if !missing.indicator {
        return part("filled");
    }
    graph.node.push(NodeProto::cast(&part("missing"), Element::Double, &part("indicator")));
    let both = NodeProto::new("Concat", &[&part("filled"), &part("indicator")], &part("features"));
    graph.node.push(both.with("axis", 1));
    part("features")
}

/// Adds the products of the features of two columns.
fn products(
    graph: &mut GraphProto,
    factors: [String; 2],
    widths: [usize; 2],
    name: &str,
) -> String {
    let part = |part: &str| format!("{name}_{part}");
    let axes = [("first", 2), ("second", 1)];
    for ((which, axis), factor) in axes.into_iter().zip(&factors) {
        graph.initializer.push(TensorProto::integers(&part(&format!("{which}_axis")), &[axis]));
        let inputs = [factor.as_str(), &part(&format!("{which}_axis"))];
        graph.node.push(NodeProto::new("Unsqueeze", &inputs, &part(which)));
    }
    graph.node.push(NodeProto::new("Mul", &[&part("first"), &part("second")], &part("pairs")));
    // A length of 0 stands for that of the input: the rows.
    let width = (widths[0] * widths[1]) as i64;
    graph.initializer.push(TensorProto::integers(&part("shape"), &[0, width]));
    let shaped = NodeProto::new("Reshape", &[&part("pairs"), &part("shape")], name);
    graph.node.push(shaped);
    name.to_owned()
}

/// Gives the inputs the names of their columns. No other name is one of these: outputs that would be get a `_` more, and all else
/// begins with signs with which no column does.
pub(super) fn name_inputs(graph: &mut GraphProto, schema: &Schema) -> Result<(), ExportError> {
    let columns = of_table(schema)?;
    let names: Vec<&str> = columns.features.iter().map(|column| column.name.as_str()).collect();
    let mut prefix = "/".to_owned();
    while names.iter().any(|name| name.starts_with(&prefix)) {
        prefix.push('/');
    }
    let inputs: Vec<String> = graph.input.iter().map(|input| input.name.clone()).collect();
    let outputs: Vec<String> = graph.output.iter().map(|output| output.name.clone()).collect();
    let named = |name: &mut String| {
        if let Some(column) = inputs.iter().position(|input| input == name) {
            names[column].clone_into(name);
        } else if outputs.contains(name) {
            while names.contains(&name.as_str()) {
                name.push('_');
            }
        } else {
            name.insert_str(0, &prefix);
        }
    };
    for node in &mut graph.node {
        node.input.iter_mut().chain(&mut node.output).for_each(named);
        named(&mut node.name);
    }
    graph.initializer.iter_mut().for_each(|tensor| named(&mut tensor.name));
    let ends = graph.input.iter_mut().chain(&mut graph.output);
    ends.for_each(|value| named(&mut value.name));
    Ok(())
}

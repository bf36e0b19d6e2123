//! A matrix in every layout of the engine.

use rosenblatt_core::data::{Rows, Storage};

/// The matrix with these rows, dense and sparse, with and without stored zeros, and in both widths
/// when single precision holds every value. The first is dense in double precision.
pub(crate) fn all(rows: &[Vec<f64>]) -> Vec<(&'static str, Rows<'static>)> {
    let mut layouts = vec![
        ("dense f64", Rows::dense(rows.concat(), rows[0].len()).unwrap()),
        ("sparse f64", sparse(rows, |_| false, |values| values.into())),
        (
            "sparse f64 with some zeros",
            sparse(rows, |place| place % 2 == 0, |values| values.into()),
        ),
    ];
    if rows.iter().flatten().all(|&x| f64::from(x as f32).to_bits() == x.to_bits()) {
        layouts.push(("dense f32", Rows::dense(narrow(rows.concat()), rows[0].len()).unwrap()));
        layouts.push(("sparse f32", sparse(rows, |_| false, |values| narrow(values).into())));
    }
    layouts
}

fn narrow(values: Vec<f64>) -> Vec<f32> {
    values.into_iter().map(|value| value as f32).collect()
}

/// The zeros whose place (row + feature) passes `stored` are stored, −0 as −0.
fn sparse(
    rows: &[Vec<f64>],
    stored: impl Fn(usize) -> bool,
    storage: impl Fn(Vec<f64>) -> Storage<'static>,
) -> Rows<'static> {
    let (mut offsets, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for (i, row) in rows.iter().enumerate() {
        for (j, &x) in row.iter().enumerate().filter(|&(j, &x)| x != 0.0 || stored(i + j)) {
            indices.push(j as u32);
            values.push(x);
        }
        offsets.push(values.len());
    }
    Rows::sparse(offsets, indices, storage(values), rows[0].len()).unwrap()
}

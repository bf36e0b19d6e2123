//! Tensors of models and checkpoints: their numbers as bytes, and why bytes are refused.

use std::{borrow::Cow, collections::HashMap};

use rosenblatt_core::{
    keep::{UpdateRecord, Voted, WeightSequence},
    model::{Classifier, Dual},
    space::{CanonicalRows, Hyperplane, Kernel, Support},
    train::Options,
};
use safetensors::{Dtype, SafeTensorError, SafeTensors, tensor::TensorView};

/// Why bytes are not the file that is wanted.
pub(crate) enum Refusal {
    Problem(String),
    Damaged,
    /// They are a file of another kind.
    Other,
    Newer {
        found: u64,
        tool_version: String,
    },
}

impl<E: std::error::Error> From<E> for Refusal {
    fn from(error: E) -> Self {
        Refusal::Problem(error.to_string())
    }
}

pub(crate) fn problem<T>(text: &str) -> Result<T, Refusal> {
    Err(Refusal::Problem(text.to_owned()))
}

/// Which tensors there are.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ModelForm {
    Linear,
    Dual,
    /// With the amount that a step of 1 adds to the bias.
    Voted {
        bias_unit: f64,
    },
}

impl ModelForm {
    pub(crate) fn of(classifier: &Classifier) -> Self {
        match classifier {
            Classifier::Linear(_) => ModelForm::Linear,
            Classifier::Dual(_) => ModelForm::Dual,
            Classifier::Voted(voted) => ModelForm::Voted { bias_unit: voted.bias_unit },
        }
    }
}

/// A name, a type, a shape and the bytes.
type Tensor = (Cow<'static, str>, Dtype, Vec<usize>, Vec<u8>);

/// Tensors that are to be written.
#[derive(Default)]
pub(crate) struct Tensors {
    all: Vec<Tensor>,
}

impl Tensors {
    pub(crate) fn serialize(
        &self,
        metadata: HashMap<String, String>,
    ) -> Result<Vec<u8>, SafeTensorError> {
        let mut views = Vec::with_capacity(self.all.len());
        for (name, dtype, shape, bytes) in &self.all {
            views.push((name.as_ref(), TensorView::new(*dtype, shape.clone(), bytes)?));
        }
        safetensors::serialize(views, Some(metadata))
    }

    pub(crate) fn classifier(&mut self, classifier: &Classifier) {
        if let Some(support) = classifier.support() {
            self.support(support);
        }
        match classifier {
            Classifier::Linear(planes) => self.planes("weights", "bias", planes),
            Classifier::Dual(dual) => self.planes("coefficients", "bias", &dual.planes),
            Classifier::Voted(voted) => self.paths(&voted.paths.iter().collect::<Vec<_>>()),
        }
    }

    /// All hyperplanes have as many weights.
    pub(crate) fn planes<'a>(
        &mut self,
        weights: &'static str,
        bias: &'static str,
        planes: impl IntoIterator<Item = &'a Hyperplane>,
    ) {
        let planes: Vec<&Hyperplane> = planes.into_iter().collect();
        let shape = vec![planes.len(), planes.first().map_or(0, |plane| plane.weights.len())];
        let all = planes.iter().flat_map(|plane| plane.weights.iter().copied());
        self.floats(weights, shape, all);
        self.floats(bias, vec![planes.len()], planes.iter().map(|plane| plane.bias));
    }

    fn support(&mut self, support: &Support) {
        let (offsets, indices, values) = support.rows.parts();
        let rows = support.examples.len();
        self.wholes("support.offsets", vec![rows + 1], offsets.iter().map(|&a| a as u64));
        self.indices("support.indices", vec![indices.len()], indices.iter().copied());
        self.floats("support.values", vec![values.len()], values.iter().copied());
        self.wholes("support.examples", vec![rows], support.examples.iter().map(|&a| a as u64));
        let counts = support.counts.iter().flatten().copied();
        self.wholes("support.counts", vec![support.counts.len(), rows], counts);
    }

    pub(crate) fn paths(&mut self, paths: &[&WeightSequence]) {
        let moves = || paths.iter().flat_map(|path| &path.moves);
        let total = moves().count();
        let ends = paths.iter().scan(0, |end, path| {
            *end += path.moves.len() as u64;
            Some(*end)
        });
        self.wholes("path.offsets", vec![paths.len() + 1], std::iter::once(0).chain(ends));
        self.wholes("path.start", vec![paths.len()], paths.iter().map(|path| path.start));
        self.indices("path.rows", vec![total], moves().map(|one| one.row));
        self.floats("path.steps", vec![total], moves().map(|one| one.step));
        self.wholes("path.survived", vec![total], moves().map(|one| one.survived));
    }

    pub(crate) fn floats(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        shape: Vec<usize>,
        numbers: impl Iterator<Item = f64>,
    ) {
        let bytes = numbers.flat_map(f64::to_le_bytes).collect();
        self.all.push((name.into(), Dtype::F64, shape, bytes));
    }

    pub(crate) fn indices(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        shape: Vec<usize>,
        numbers: impl Iterator<Item = u32>,
    ) {
        let bytes = numbers.flat_map(u32::to_le_bytes).collect();
        self.all.push((name.into(), Dtype::U32, shape, bytes));
    }

    pub(crate) fn wholes(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        shape: Vec<usize>,
        numbers: impl Iterator<Item = u64>,
    ) {
        let bytes = numbers.flat_map(u64::to_le_bytes).collect();
        self.all.push((name.into(), Dtype::U64, shape, bytes));
    }
}

/// The shape of hyperplanes: how many, and of how many weights each.
#[derive(Clone, Copy)]
pub(crate) struct PlanesShape {
    pub(crate) planes: usize,
    pub(crate) weights: usize,
}

/// Reads the classifier; `shape.weights` is the number of features.
pub(crate) fn classifier(
    tensors: &SafeTensors<'_>,
    form: &ModelForm,
    options: &Options,
    shape: PlanesShape,
) -> Result<Classifier, Refusal> {
    let kernel = options.kernel;
    match (form, kernel) {
        (ModelForm::Linear, None) => {
            planes(tensors, "weights", "bias", shape).map(Classifier::Linear)
        }
        (ModelForm::Dual, Some(kernel)) => {
            let support = support(tensors, shape)?;
            let shape = PlanesShape { weights: support.examples.len(), ..shape };
            let planes = planes(tensors, "coefficients", "bias", shape)?;
            Ok(Classifier::Dual(Dual { kernel, support, planes }))
        }
        (ModelForm::Voted { bias_unit }, kernel) => {
            if !(bias_unit.is_finite() && *bias_unit >= 0.0) {
                return problem("its bias unit is not a finite number of at least 0");
            }
            let support = support(tensors, shape)?;
            let paths = paths(tensors, shape.planes, support.examples.len())?;
            // Biases as the run added them up; a run in which one overflows gives no model.
            let is_finite = |path: &WeightSequence| {
                let mut bias = 0.0;
                path.moves.iter().all(|one| {
                    bias += one.step * bias_unit;
                    f64::is_finite(bias)
                })
            };
            if !paths.iter().all(is_finite) {
                return problem("its steps are past the range of 64-bit numbers");
            }
            let kernel = kernel.unwrap_or(Kernel::Linear);
            let (bias_unit, seed) = (*bias_unit, options.seed);
            let zero = options.zero;
            Ok(Classifier::Voted(Voted { kernel, support, bias_unit, zero, paths, seed }))
        }
        _ => problem("its form and its kernel disagree"),
    }
}

/// Hyperplanes of this shape.
pub(crate) fn planes(
    tensors: &SafeTensors<'_>,
    weights: &str,
    bias: &str,
    shape: PlanesShape,
) -> Result<Vec<Hyperplane>, Refusal> {
    let PlanesShape { planes: rows, weights: columns } = shape;
    let weights = floats(tensors, weights, &[rows, columns])?;
    let bias = floats(tensors, bias, &[rows])?;
    let plane =
        |(i, bias)| Hyperplane { weights: weights[i * columns..][..columns].to_vec(), bias };
    Ok(bias.into_iter().enumerate().map(plane).collect())
}

fn support(tensors: &SafeTensors<'_>, shape: PlanesShape) -> Result<Support, Refusal> {
    let PlanesShape { planes, weights: features } = shape;
    let rows = length(tensors, "support.examples")?;
    let entries = length(tensors, "support.values")?;
    let offsets = places(wholes(tensors, "support.offsets", &[rows + 1])?)?;
    let indices = indices(tensors, "support.indices", &[entries])?;
    let values = floats(tensors, "support.values", &[entries])?;
    let examples = places(wholes(tensors, "support.examples", &[rows])?)?;
    let counts = wholes(tensors, "support.counts", &[planes, rows])?;
    let all = counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
    if all.is_none() || examples.iter().any(|&example| example > isize::MAX as usize) {
        return problem("it counts more examples or updates than there can be");
    }
    let counts = (0..planes).map(|plane| counts[plane * rows..][..rows].to_vec()).collect();
    let rows = CanonicalRows::from_parts(features, offsets, indices, values)?;
    let finite = (0..rows.len()).all(|row| rows.square(row).is_finite());
    if !finite {
        return problem("the length of a supporting row is not finite");
    }
    Ok(Support { rows, examples, counts })
}

pub(crate) fn paths(
    tensors: &SafeTensors<'_>,
    planes: usize,
    rows: usize,
) -> Result<Vec<WeightSequence>, Refusal> {
    let updates = length(tensors, "path.steps")?;
    let offsets = places(wholes(tensors, "path.offsets", &[planes + 1])?)?;
    let start = wholes(tensors, "path.start", &[planes])?;
    let of_rows = indices(tensors, "path.rows", &[updates])?;
    let steps = floats(tensors, "path.steps", &[updates])?;
    let survived = wholes(tensors, "path.survived", &[updates])?;
    let ascending = offsets.windows(2).all(|pair| pair[0] <= pair[1]);
    let whole = offsets.first() == Some(&0) && offsets.last() == Some(&updates);
    if !ascending || !whole {
        return problem("the offsets of its paths do not fit");
    }
    if of_rows.iter().any(|&row| row as usize >= rows) {
        return problem("an update is on a row that does not exist");
    }
    let visits = start.iter().chain(&survived).try_fold(0u64, |sum, &a| sum.checked_add(a));
    if visits.is_none_or(|visits| visits > 1 << 62) {
        return problem("it counts more visits than there can be");
    }
    let path = |plane: usize| {
        let range = offsets[plane]..offsets[plane + 1];
        let one =
            |i: usize| UpdateRecord { row: of_rows[i], step: steps[i], survived: survived[i] };
        WeightSequence { start: start[plane], moves: range.map(one).collect() }
    };
    Ok((0..planes).map(path).collect())
}

/// The length of a tensor of one dimension.
pub(crate) fn length(tensors: &SafeTensors<'_>, name: &str) -> Result<usize, Refusal> {
    match tensors.tensor(name)?.shape() {
        [length] => Ok(*length),
        shape => problem(&format!("its tensor `{name}` has the shape {shape:?}")),
    }
}

/// A tensor of finite F64 numbers of this shape. −0 becomes +0.
pub(crate) fn floats(
    tensors: &SafeTensors<'_>,
    name: &str,
    shape: &[usize],
) -> Result<Vec<f64>, Refusal> {
    let numbers = eights(tensors, name, Dtype::F64, shape)?;
    let numbers: Vec<f64> = numbers.iter().map(|&bytes| f64::from_le_bytes(bytes) + 0.0).collect();
    if numbers.iter().any(|number| !number.is_finite()) {
        return problem(&format!("its tensor `{name}` holds a number that is not finite"));
    }
    Ok(numbers)
}

/// A tensor of U64 numbers of this shape.
pub(crate) fn wholes(
    tensors: &SafeTensors<'_>,
    name: &str,
    shape: &[usize],
) -> Result<Vec<u64>, Refusal> {
    let numbers = eights(tensors, name, Dtype::U64, shape)?;
    Ok(numbers.iter().map(|&bytes| u64::from_le_bytes(bytes)).collect())
}

pub(crate) fn eights<'d>(
    tensors: &SafeTensors<'d>,
    name: &str,
    dtype: Dtype,
    shape: &[usize],
) -> Result<&'d [[u8; 8]], Refusal> {
    let tensor = tensors.tensor(name)?;
    if tensor.dtype() != dtype || tensor.shape() != shape {
        return problem(&format!("its tensor `{name}` is not {dtype:?} of shape {shape:?}"));
    }
    Ok(tensor.data().as_chunks::<8>().0)
}

/// A tensor of U32 numbers of this shape.
pub(crate) fn indices(
    tensors: &SafeTensors<'_>,
    name: &str,
    shape: &[usize],
) -> Result<Vec<u32>, Refusal> {
    let tensor = tensors.tensor(name)?;
    if tensor.dtype() != Dtype::U32 || tensor.shape() != shape {
        return problem(&format!("its tensor `{name}` is not U32 of shape {shape:?}"));
    }
    let (numbers, _) = tensor.data().as_chunks::<4>();
    Ok(numbers.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect())
}

pub(crate) fn places(numbers: Vec<u64>) -> Result<Vec<usize>, Refusal> {
    Ok(numbers.into_iter().map(usize::try_from).collect::<Result<_, _>>()?)
}

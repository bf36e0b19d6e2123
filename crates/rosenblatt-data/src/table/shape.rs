//! The shape of a record.

use std::fmt;

/// The sizes of a record's dimensions, none of them 0: `28 × 28` for MNIST's images. A record without a
/// dimension is one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Vec<u32>", into = "Vec<u32>")]
pub struct Shape {
    sizes: [u32; Shape::MOST],
    dimensions: usize,
}

impl Shape {
    /// The most dimensions of a record.
    pub const MOST: usize = 7;

    /// The shape of these sizes; `None` for too many, for a size of 0 and for a product that no memory
    /// could hold.
    pub fn new(sizes: &[u32]) -> Option<Self> {
        let product = sizes.iter().try_fold(1, |product: usize, &size| {
            product.checked_mul(usize::try_from(size).ok()?).filter(|&product| product > 0)
        });
        product?;
        let mut shape = Shape { sizes: [0; Self::MOST], dimensions: sizes.len() };
        shape.sizes.get_mut(..sizes.len())?.copy_from_slice(sizes);
        Some(shape)
    }

    /// The sizes.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes[..self.dimensions]
    }

    /// The number of values of a record.
    pub fn features(&self) -> usize {
        self.sizes().iter().map(|&size| size as usize).product()
    }

    /// The name of each value: `row,column` in two dimensions, else the position; all from 1.
    pub(crate) fn names(&self) -> Vec<String> {
        match *self.sizes() {
            [rows, columns] => {
                let row = |i| (1..=columns).map(move |j| format!("{i},{j}"));
                (1..=rows).flat_map(row).collect()
            }
            _ => (1..=self.features()).map(|position| position.to_string()).collect(),
        }
    }
}

impl TryFrom<Vec<u32>> for Shape {
    type Error = &'static str;

    fn try_from(sizes: Vec<u32>) -> Result<Self, Self::Error> {
        Shape::new(&sizes).ok_or("the shape of its records makes no sense")
    }
}

impl From<Shape> for Vec<u32> {
    fn from(shape: Shape) -> Self {
        shape.sizes().to_vec()
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&written(self.sizes()))
    }
}

/// `28 × 28`.
pub(crate) fn written(sizes: &[u32]) -> String {
    if sizes.is_empty() {
        return "1".to_owned();
    }
    sizes.iter().map(u32::to_string).collect::<Vec<_>>().join(" × ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_that_make_sense() {
        assert_eq!(Shape::new(&[]).map(|shape| shape.features()), Some(1));
        assert_eq!(Shape::new(&[28, 28]).map(|shape| shape.features()), Some(784));
        for sizes in [&[0][..], &[0, u32::MAX], &[u32::MAX; 3], &[1; 8]] {
            assert_eq!(Shape::new(sizes), None, "{sizes:?}");
        }
    }

    #[test]
    fn names_count_from_1() {
        let names = |sizes: &[u32]| Shape::new(sizes).unwrap().names();
        assert_eq!(names(&[2, 3]), ["1,1", "1,2", "1,3", "2,1", "2,2", "2,3"]);
        assert_eq!(names(&[3]), ["1", "2", "3"]);
        assert_eq!(names(&[2, 1, 2]), ["1", "2", "3", "4"]);
        assert_eq!(names(&[]), ["1"]);
    }

    #[test]
    fn a_shape_in_a_file_is_a_list() {
        let shape = Shape::new(&[28, 28]).unwrap();
        let text = serde_json::to_string(&shape).unwrap();
        assert_eq!(text, "[28,28]");
        assert_eq!(serde_json::from_str::<Shape>(&text).unwrap(), shape);
        assert!(serde_json::from_str::<Shape>("[28,0]").is_err());
        assert!(serde_json::from_str::<Shape>("[1,1,1,1,1,1,1,1]").is_err());
    }
}

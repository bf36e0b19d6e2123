//! The columns of a table that a model knows, as Python holds them.

use pyo3::{exceptions::PyTypeError, prelude::*, types::PyType};
use rosenblatt_data::{
    DateOrder, NumberForm,
    schema::{self, Column, Inputs},
};

use crate::errors::{json, value_error};

/// How the rows of a table become the features of a model.
#[pyclass(frozen, eq, module = "rosenblatt._native")]
#[derive(PartialEq)]
pub(crate) struct Schema {
    pub(crate) inner: schema::Schema,
}

/// The type of the cells of a column of a data frame.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum CellType {
    Number,
    Date,
    /// Text, which is read as that of a file is.
    Text,
}

impl<'a, 'py> FromPyObject<'a, 'py> for CellType {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<&str>()? {
            "number" => Ok(CellType::Number),
            "date" => Ok(CellType::Date),
            "text" => Ok(CellType::Text),
            other => Err(PyTypeError::new_err(format!("there is no type `{other}` of cells"))),
        }
    }
}

#[pymethods]
impl Schema {
    /// The columns of numbers of a table with these names.
    #[staticmethod]
    fn of_names(names: Vec<String>) -> Self {
        Schema { inner: schema::Schema::of_names(names) }
    }

    /// Reads what `to_json` wrote.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        Ok(Schema { inner: serde_json::from_str(text).map_err(value_error)? })
    }

    fn to_json(&self) -> PyResult<String> {
        json(&self.inner)
    }

    /// Whether the features come from columns, not from indices.
    #[getter]
    fn is_table(&self) -> bool {
        matches!(self.inner.inputs, Inputs::Columns(_))
    }

    /// Whether the columns have names; otherwise they are found by their positions.
    #[getter]
    fn has_names(&self) -> bool {
        self.inner.has_header()
    }

    /// The number of features.
    #[getter]
    fn features(&self) -> usize {
        self.inner.features()
    }

    /// The names of the features.
    fn feature_names(&self) -> Vec<String> {
        self.inner.feature_names()
    }

    /// The column with the labels.
    #[getter]
    fn target(&self) -> Option<&str> {
        self.inner.target()
    }

    /// Each column of features: its name, its kind, the number of its features, and the texts that its cells are compared
    /// with.
    fn columns(&self) -> Vec<(String, &'static str, usize, Vec<String>)> {
        let Inputs::Columns(columns) = &self.inner.inputs else { return Vec::new() };
        let described = columns.features.iter().map(|column| {
            let texts = column.categories.iter().chain(&column.missing_values).flatten();
            (column.name.clone(), kind(column), column.features(), texts.cloned().collect())
        });
        described.collect()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let kind: Bound<'py, PyType> = slf.get_type();
        Ok((kind.getattr("from_json")?, (slf.get().to_json()?,)))
    }
}

fn kind(column: &Column) -> &'static str {
    let is_date = column.form.as_ref().is_some_and(|form| form.dates.is_some());
    match (&column.words, &column.categories) {
        (Some(_), _) => "text",
        (None, Some(_)) => "categories",
        (None, None) if is_date => "date",
        (None, None) => "number",
    }
}

/// A schema for columns of a data frame with these types of cells, whose numbers and dates have one spelling whatever that
/// of the training file was.
pub(crate) fn typed(schema: &schema::Schema, types: &[(String, CellType)]) -> schema::Schema {
    let mut schema = schema.of_plain_csv();
    let by_name = schema.has_header();
    let Inputs::Columns(columns) = &mut schema.inputs else { return schema };
    for column in &mut columns.features {
        let found = match by_name {
            true => types.iter().find(|(name, _)| *name == column.name),
            false => types.get(column.position - 1),
        };
        let is_number = column.categories.is_none() && column.words.is_none();
        let has_dates = column.form.as_ref().is_some_and(|form| form.dates.is_some());
        match found.map(|(_, cells)| *cells).filter(|_| is_number) {
            Some(CellType::Number) if !has_dates => column.form = None,
            Some(CellType::Date) => {
                let dates = Some(DateOrder::Ymd);
                column.form = Some(NumberForm { dates, ..NumberForm::default() });
            }
            _ => {}
        }
    }
    schema
}

//! What the features of a model are in a file: the part of a model that reads.

use crate::options::Format;

/// How the rows of a file become the features of a model.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Schema {
    /// The format of the training file.
    pub format: Format,
    /// Where the features come from.
    pub inputs: Inputs,
}

/// Where the features of a model come from.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Inputs {
    /// The indices of a sparse format.
    Indexed {
        /// The number of features.
        features: usize,
    },
    /// The columns of a table.
    Columns(Columns),
}

/// The columns of a table that a model knows.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Columns {
    /// The number of columns of the training file.
    pub count: usize,
    /// The name of the column with the labels.
    pub target: String,
    /// Its position, from 1.
    pub target_position: usize,
    /// The columns that are features, in the order of the training file.
    pub features: Vec<Column>,
    /// The names of the columns that were left out.
    pub ignored: Vec<String>,
}

/// A column of a table that gives one feature, or one for each of its categories.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Column {
    /// Its name; its position where the file has no header.
    pub name: String,
    /// Its position, from 1.
    pub position: usize,
    /// Its categories in sorted order, each a feature that is 1 or 0; absent for numbers.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub categories: Option<Vec<String>>,
}

impl Column {
    /// How many features the column gives.
    pub fn features(&self) -> usize {
        self.categories.as_ref().map_or(1, Vec::len)
    }
}

impl Schema {
    /// The number of features.
    pub fn features(&self) -> usize {
        match &self.inputs {
            Inputs::Indexed { features } => *features,
            Inputs::Columns(columns) => columns.features.iter().map(Column::features).sum(),
        }
    }

    /// The name of the column with the labels, in a table.
    pub fn target(&self) -> Option<&str> {
        match &self.inputs {
            Inputs::Indexed { .. } => None,
            Inputs::Columns(columns) => Some(&columns.target),
        }
    }

    /// The name of each feature in order: a column's name, `column=category`, or an index.
    pub fn feature_names(&self) -> Vec<String> {
        match &self.inputs {
            Inputs::Indexed { features } => {
                let first = usize::from(self.format != Format::Libsvm { zero_based: true });
                (first..first + features).map(|index| index.to_string()).collect()
            }
            Inputs::Columns(columns) => columns.features.iter().flat_map(column_names).collect(),
        }
    }

    /// Whether everything in it fits together; a schema from a file may hold anything.
    pub(crate) fn is_sound(&self) -> bool {
        let sorted = |names: &[String]| names.windows(2).all(|pair| pair[0] < pair[1]);
        match (&self.format, &self.inputs) {
            (Format::Libsvm { .. }, Inputs::Indexed { .. }) => true,
            (Format::Table { .. }, Inputs::Columns(columns)) => {
                let within = |position| (1..=columns.count).contains(&position);
                let ascending =
                    columns.features.windows(2).all(|pair| pair[0].position < pair[1].position);
                within(columns.target_position)
                    && ascending
                    && columns.features.iter().all(|column| {
                        within(column.position)
                            && column.position != columns.target_position
                            && column.categories.as_deref().is_none_or(sorted)
                    })
            }
            _ => false,
        }
    }
}

fn column_names(column: &Column) -> Vec<String> {
    match &column.categories {
        None => vec![column.name.clone()],
        Some(categories) => {
            categories.iter().map(|category| format!("{}={category}", column.name)).collect()
        }
    }
}

//! From a file to a model in one step.

use std::{io::Read, path::Path};

use rosenblatt::{Perceptron, Run};

use crate::{
    error::Error, files::model::ModelFile, input::source::Source, options::ReadOptions, read::read,
    table::dataset::Dataset,
};

impl Dataset {
    /// Reads a file whole, with the default options: its name or its content decides the format, the first row of a table
    /// names the columns, and the last column holds the labels.
    ///
    /// # Errors
    /// [`Error::Read`](crate::Error::Read), which names file, line and column.
    ///
    /// ```no_run
    /// use rosenblatt::Perceptron;
    /// use rosenblatt_data::{Dataset, ModelFile};
    /// let file = Dataset::open("iris.csv")?.fit(&Perceptron::new().positive("setosa"))?;
    /// file.save("iris.model")?;
    /// for label in ModelFile::load("iris.model")?.predict_file("new.csv")? {
    ///     println!("{}", label?.label());
    /// }
    /// # Ok::<(), rosenblatt_data::Error>(())
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(path, &ReadOptions::default())
    }

    /// Reads a file whole.
    ///
    /// # Errors
    /// [`Error::Read`](crate::Error::Read).
    pub fn open_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self, Error> {
        Ok(read(Source::open(path.as_ref())?, options)?)
    }

    /// Reads a stream of bytes whole, such as an open file or a string; a compression is undone.
    ///
    /// # Errors
    /// [`Error::Read`](crate::Error::Read).
    pub fn from_reader(
        bytes: impl Read + Send + 'static,
        options: &ReadOptions,
    ) -> Result<Self, Error> {
        Ok(read(Source::stream("the stream", bytes)?, options)?)
    }

    /// Trains a model on the rows.
    ///
    /// # Errors
    /// [`Error::Engine`](crate::Error::Engine) for labels that do not make classes and for training that fails;
    /// [`Error::Read`](crate::Error::Read) when a mapped file changed meanwhile.
    pub fn fit(&self, perceptron: &Perceptron) -> Result<ModelFile, Error> {
        self.fit_with(perceptron, Run::default())
    }

    /// Trains a model on the rows, with an observer, weights of examples, more threads or from a checkpoint.
    ///
    /// # Errors
    /// As of [`Self::fit`].
    pub fn fit_with(&self, perceptron: &Perceptron, run: Run<'_>) -> Result<ModelFile, Error> {
        let classes = self.classes(perceptron.positive_label());
        let (classes, numbers) = classes.map_err(rosenblatt::Error::from)?;
        let model = perceptron.fit_classes(&self.rows, classes, &numbers, run)?;
        self.check_unchanged()?;
        Ok(ModelFile::new(model, self.schema.clone()))
    }
}

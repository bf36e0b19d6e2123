"""The step from tables to features, as a transformer of scikit-learn."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from . import _column_options, _files, _frames, _model, _native, _state, _table

if TYPE_CHECKING:
    from typing import TypeAlias

    from typing_extensions import Self

    StrPath: TypeAlias = "str | os.PathLike[str]"


class TableEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Turn the columns of a table into features, as `read_csv` and the command do for a file of the same cells.

    Columns of numbers are features, dates are numbers of days since 1970-01-01, and a column of text becomes one
    feature per category, with the values 1 and 0. Missing cells (None, NaN, NaT, NA and the texts that stand for them)
    are filled; identifiers of the rows are left out. What is not clear is an error that names the parameters. Numbers
    keep their bits. Other tables are read by the columns of the first one: these may come in any order, and a category
    that was not there gives no feature, which is a warning.

    Parameters
    ----------
    features, ignore, categorical, interactions, text, ngrams, chars, bits, missing, missing_values, decimal, \
thousands, units, dates
        As in `read_csv`. No rule of `missing` may be ``"drop"``: a transformer keeps every row. `decimal`, `thousands`,
        `units` and `dates` are about cells of text; numbers and dates of a data frame are what they are.

    sparse_output : bool, default=True
        Whether features are a CSR matrix where there are categories or text. False is always an array, which
        ``set_output(transform="pandas")`` needs.

    Attributes
    ----------
    schema_ : Schema
        The columns and how they become features.

    notes_ : list of dict
        What was found out about the table and done without being asked, as the attribute ``notes`` of `Data`.

    n_features_in_ : int
        The number of columns of the table.

    feature_names_in_ : ndarray of str
        The names of the columns, if the table has them.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.pipeline import make_pipeline
    >>> from rosenblatt import Perceptron, TableEncoder
    >>> train = pd.DataFrame({"size": [1.0, None, 4.0, 5.0], "colour": ["red", "red", "blue", "red"]})
    >>> encoder = TableEncoder(sparse_output=False).fit(train)
    >>> encoder.get_feature_names_out().tolist()
    ['size', 'colour=blue', 'colour=red']
    >>> encoder.transform(train).tolist()
    [[1.0, 0.0, 1.0], [4.0, 0.0, 1.0], [4.0, 1.0, 0.0], [5.0, 0.0, 1.0]]
    >>> encoder.transform(pd.DataFrame({"colour": ["blue"], "size": [2]})).tolist()
    [[2.0, 1.0, 0.0]]
    >>> model = make_pipeline(TableEncoder(), Perceptron()).fit(train, ["small", "small", "big", "big"])
    >>> model.predict(pd.DataFrame({"colour": ["red"], "size": [6.5]})).tolist()
    ['big']
    """

    schema_: _native.Schema
    notes_: list[dict[str, Any]]
    n_features_in_: int
    feature_names_in_: NDArray[Any]

    def __init__(
        self,
        *,
        features: list[str] | None = None,
        ignore: list[str] | None = None,
        categorical: list[str] | None = None,
        interactions: list[tuple[str, ...]] | None = None,
        text: list[str] | None = None,
        ngrams: int | None = None,
        chars: tuple[int, int] | None = None,
        bits: int | None = None,
        missing: str | list[str] | None = None,
        missing_values: list[str] | None = None,
        decimal: str = "point",
        thousands: str | None = None,
        units: list[str] | None = None,
        dates: str | None = None,
        sparse_output: bool = True,
    ) -> None:
        self.features = features
        self.ignore = ignore
        self.categorical = categorical
        self.interactions = interactions
        self.text = text
        self.ngrams = ngrams
        self.chars = chars
        self.bits = bits
        self.missing = missing
        self.missing_values = missing_values
        self.decimal = decimal
        self.thousands = thousands
        self.units = units
        self.dates = dates
        self.sparse_output = sparse_output

    @classmethod
    def like(cls, like: Any) -> Self:
        """Return a fitted encoder with the columns of another table.

        Parameters
        ----------
        like : Data, TableEncoder or model
            What knows the columns, as for `read_csv`.

        Returns
        -------
        TableEncoder
            The encoder. Its parameters are those of the constructor without arguments, and do not tell the columns.

        Raises
        ------
        ValueError
            The columns are not known, or are not those of a table.
        """
        schema = _model.schema_of(like)
        if not schema.is_table:
            raise ValueError("the features of like have indices and do not come from columns")
        encoder = cls()
        encoder.schema_, encoder.notes_ = schema, []
        names = [name for name, *_ in schema.columns()]
        encoder.n_features_in_ = len(names)
        if schema.has_names:
            encoder.feature_names_in_ = np.array(names, dtype=object)
        return encoder

    def __getstate__(self) -> dict[str, Any]:
        return _state.plain(super().__getstate__())  # type: ignore[no-any-return]

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(_state.native(state))

    def fit(self, X: Any, y: Any = None) -> Self:
        """Decide what the columns are, as `read_csv` does.

        Parameters
        ----------
        X : DataFrame of pandas, polars or Arrow, or array-like of shape (n_samples, n_features)
            The table. The columns of an array are called ``x0``, ``x1``, ….

        y : array-like, default=None
            The labels. Only their name is used, which the command then finds in files to evaluate; without a name it is
            ``target``.

        Returns
        -------
        TableEncoder
            The encoder itself.

        Raises
        ------
        ValueError
            A cell does not fit its column, or it is not clear what a column is; the message names parameters that
            resolve it where they are known.

        Warns
        -----
        UserWarning
            A feature numbers the rows.
        """
        options = {
            name: value for name, value in self.get_params().items() if name != "sparse_output"
        }
        options = _column_options.arguments(**options)
        if any(rule.endswith("drop") for rule in options["missing"]):
            raise ValueError(
                "missing has the rule 'drop', and a transformer keeps every row: "
                "leave the rows out before, or use read_csv"
            )
        frame = _frames.frame_of(X)
        found = _table.read(frame, target=_target_name(y, frame.names), **options)
        _table.warn(found, stacklevel=3)
        self.schema_, self.notes_ = found["schema"], found["notes"]
        self.n_features_in_ = len(frame.names)
        self.__dict__.pop("feature_names_in_", None)
        if _frames.is_frame(X):
            self.feature_names_in_ = np.array(frame.names, dtype=object)
        return self

    def transform(self, X: Any) -> Any:
        """Return the features of the rows of a table.

        Parameters
        ----------
        X : DataFrame or array-like
            The table, with the columns of the first one by name, in any order; those of an array by position. Other
            columns are passed over.

        Returns
        -------
        ndarray or CSR matrix of shape (n_samples, n_features_out)
            The features.

        Raises
        ------
        ValueError
            A column is missing, or a cell does not fit its column.

        Warns
        -----
        UserWarning
            A category is not one of the first table.
        """
        found = self._read(X)
        _table.warn(found, stacklevel=4)
        rows = found["rows"]
        if not isinstance(rows, tuple):
            return rows
        matrix = _files.csr(rows)
        return matrix if self.sparse_output else matrix.toarray()

    def notes(self, X: Any) -> list[dict[str, Any]]:
        """Return what is to be said about a table that is read by the columns of the first one.

        Parameters
        ----------
        X : DataFrame or array-like
            The table.

        Returns
        -------
        list of dict
            The notes that ``rosenblatt predict`` tells of a file of the same cells, as the attribute ``notes`` of
            `Data` has them: cells that are filled, categories that are not known, columns that are passed over.
        """
        notes: list[dict[str, Any]] = self._read(X)["notes"]
        return notes

    def _read(self, X: Any) -> dict[str, Any]:
        check_is_fitted(self)
        frame = _frames.frame_of(X)
        if not _frames.is_frame(X) and len(frame.names) != self.n_features_in_:
            raise ValueError(
                f"X has {len(frame.names)} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                "features as input"
            )
        return _table.read(frame, like=self.schema_)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of the features: a column, ``column=category``, ``one * other`` of a product.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Not used; the names are those of the table.

        Returns
        -------
        ndarray of str
            The names.
        """
        check_is_fitted(self)
        return np.array(self.schema_.feature_names(), dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "schema_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def _target_name(y: Any, names: list[str]) -> str:
    """Return the name of the labels, which no column has."""
    name = getattr(y, "name", None)
    name = name if isinstance(name, str) and name else "target"
    while name in names:
        name += "_"
    return name


def save(model: Any, path: StrPath) -> None:
    """Write a pipeline of a `TableEncoder` and a model as one model file, for ``rosenblatt predict`` and `load`.

    The file reads tables as the pipeline does, from a CSV file or from a data frame.

    Parameters
    ----------
    model : Pipeline or estimator
        A fitted pipeline of a `TableEncoder` and one of the estimators of this package, or such an estimator alone.

    path : path-like
        The file.

    Raises
    ------
    ValueError
        The pipeline has other steps.

    Examples
    --------
    >>> import os, tempfile
    >>> import pandas as pd
    >>> from sklearn.pipeline import make_pipeline
    >>> from rosenblatt import Perceptron, TableEncoder, load, save
    >>> fruit = pd.DataFrame({"size": [1, 2, 7, 9], "colour": ["red", "red", "green", "red"]})
    >>> model = make_pipeline(TableEncoder(), Perceptron()).fit(fruit, ["cherry", "cherry", "apple", "apple"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "fruit.model")
    ...     save(model, path)
    ...     load(path).predict(fruit).tolist()
    ['cherry', 'cherry', 'apple', 'apple']
    """
    steps = getattr(model, "steps", None)
    if steps is None:
        model.save(path)
        return
    parts = [step for _, step in steps if step is not None and step != "passthrough"]
    is_file = len(parts) == 2 and isinstance(parts[0], TableEncoder) and hasattr(parts[1], "save")
    if not is_file:
        shown = ", ".join(type(part).__name__ for part in parts)
        raise ValueError(
            f"a model file holds a TableEncoder and an estimator of rosenblatt, not a pipeline of {shown}"
        )
    parts[1].save(path, like=parts[0])

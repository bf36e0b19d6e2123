"""Readers of data files and model files."""

from __future__ import annotations

import html
import json
import operator
import os
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _column_options, _model, _native, _parameters, _table

if TYPE_CHECKING:
    from ._perceptron import Perceptron
    from ._variants import KernelPerceptron, VotedPerceptron

    StrPath = str | os.PathLike[str]


class Data(tuple):  # type: ignore[type-arg]
    """Rows and labels of a file, for ``X, y = data``.

    Attributes
    ----------
    X : ndarray or CSR matrix of shape (n_samples, n_features)
        The rows, ``float64``.

    y : ndarray of shape (n_samples,) or None
        The labels: numbers if all of them are numbers, otherwise text. None where a table that was read by the columns
        of another one has no labels.

    feature_names : list of str or None
        The names of the features, if columns have names. A category is named ``column=category``.

    target : str or None
        The name of the label column.

    schema : Schema
        The columns of the table and how they become features, for the parameter ``like`` of `read_csv` and
        ``Perceptron.save``.

    skipped : int
        The number of rows that were left out: those that are certainly no examples, such as the header again, and with
        ``on_error="skip"`` those that cannot be read.

    notes : list of dict
        What was found out about the file and done without being asked, in the form of the ``notes`` of
        ``rosenblatt train --json``: ``code``, ``severity`` (``"note"`` or ``"warning"``) and ``message``; where they
        apply also the ``columns`` that it is about, the ``count`` of rows or cells, and the ``remedy``, the arguments
        that do otherwise. Warnings are also given as `UserWarning`.
    """

    feature_names: list[str] | None
    target: str | None
    skipped: int
    notes: list[dict[str, Any]]
    schema: _native.Schema | None

    def __new__(cls, X: Any, y: NDArray[Any] | None, found: dict[str, Any]) -> Data:
        data = super().__new__(cls, (X, y))
        data.feature_names = found["feature_names"]
        data.target = found["target"]
        data.skipped = found["skipped"]
        data.notes = found["notes"]
        # Pickles of older versions have none.
        data.schema = found.get("schema")
        return data

    def __reduce__(self) -> tuple[Any, ...]:
        return Data, (self[0], self[1], self.__dict__)

    def _sizes(self) -> str:
        """Say how many rows and features there are, and what the labels are."""
        X, y = self
        size = f"{X.shape[0]} rows of {X.shape[1]} features"
        if y is None:
            return f"{size}, no labels"
        of = "" if self.target is None else f" of {self.target!r}"
        return f"{size}, labels{of}: {_shown(np.unique(y).tolist())}"

    def _columns(self) -> list[tuple[str, str, int]]:
        """Return the name and the kind of each column, and the number of its features."""
        columns = [] if self.schema is None else self.schema.columns()
        return [(name, kind, features) for name, kind, features, _ in columns]

    def __repr__(self) -> str:
        columns = [
            name if kind == "number" else f"{name} ({kind})" for name, kind, _ in self._columns()
        ]
        of = f"; columns: {_shown(columns)}" if columns else ""
        return f"<Data: {self._sizes()}{of}>"

    def _repr_html_(self) -> str:
        cells = [
            f"<tr><td>{html.escape(name)}</td><td>{kind}</td><td>{features}</td></tr>"
            for name, kind, features in self._columns()[:_MOST_SHOWN]
        ]
        more = len(self._columns()) - len(cells)
        cells += [f'<tr><td colspan="3">… {more} more</td></tr>'] if more > 0 else []
        head = "<tr><th>column</th><th>kind</th><th>features</th></tr>"
        table = f"<table>{head}{''.join(cells)}</table>" if cells else ""
        notes = "".join(f"<li>{html.escape(note['message'])}</li>" for note in self.notes)
        listed = f"<ul>{notes}</ul>" if notes else ""
        return f"<p>{html.escape(self._sizes())}</p>{table}{listed}"

    @property
    def X(self) -> Any:  # noqa: N802
        """The rows."""
        return self[0]

    @property
    def y(self) -> NDArray[Any] | None:
        """The labels."""
        return self[1]  # type: ignore[no-any-return]


_MOST_SHOWN = 20


def _shown(values: list[Any]) -> str:
    """Return values in one line; of many the first ones."""
    few = 10
    more = [f"… ({len(values)} in all)"] if len(values) > few else []
    return ", ".join([*map(str, values[:few]), *more])


def read_svmlight(
    path: StrPath,
    *,
    n_features: int | None = None,
    zero_based: bool = False,
    dtype: Any = np.float64,
    on_error: str = "stop",
    n_jobs: int | None = None,
) -> Data:
    r"""Read a file of ``label index:value …`` lines, like `sklearn.datasets.load_svmlight_file`.

    The file can be compressed with gzip or zstd.

    Parameters
    ----------
    path : path-like
        The file.

    n_features : int, default=None
        The number of features; None is the highest index. A higher index is an error.

    zero_based : bool, default=False
        Whether indices count from 0. It is not detected.

    dtype : dtype, default=float64
        The type of the values: ``float64`` or ``float32``.

    on_error : {"stop", "skip"}, default="stop"
        Whether a line that cannot be read is an error with its position, or is left out with a warning.

    n_jobs : int, default=None
        The number of threads: None is 1, -1 is the number of processors.

    Returns
    -------
    Data
        ``X`` (CSR) and ``y``.

    Raises
    ------
    ValueError
        The file is invalid; the message has the line and column, and arguments that resolve it where they are known.

    Warns
    -----
    UserWarning
        Lines were left out.

    Examples
    --------
    >>> import os, tempfile
    >>> from rosenblatt import read_svmlight
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "and.svm")
    ...     with open(path, "w") as file:
    ...         _ = file.write("0 1:0 2:0\n0 2:1\n0 1:1\n1 1:1 2:1\n")
    ...     X, y = read_svmlight(path)
    >>> X.shape, y.tolist()
    ((4, 2), [0.0, 0.0, 0.0, 1.0])
    """
    arguments = _table.arguments_of(on_error, n_jobs, format="libsvm", zero_based=zero_based)
    if n_features is not None:
        arguments["max_features"] = n_features
    found = _read(path, arguments)
    if np.dtype(dtype) not in (np.float32, np.float64):
        raise ValueError(f"dtype is {dtype!r}, expected float64 or float32")
    X, y = csr(found["rows"], n_features, dtype), _labels(found)
    return _warned(Data(X, y.astype(np.float64) if y.dtype.kind == "i" else y, found), found)


def read_csv(
    path: StrPath,
    target: str | None = None,
    *,
    delimiter: str | None = None,
    header: bool | None = None,
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
    encoding: str | None = None,
    quote: str | None = None,
    escape: str | None = None,
    no_quotes: bool = False,
    comment: str | None = None,
    skip_rows: int | None = None,
    on_error: str = "stop",
    n_jobs: int | None = None,
    like: Any = None,
) -> Data:
    r"""Read rows and labels from a CSV or TSV file, which can be compressed with gzip or zstd.

    Columns of numbers are features. A column of text becomes one feature per category, with the values 1 and 0, and `X`
    is then sparse. What is clear is done and noted in the attribute `notes`: identifiers of the rows are left out,
    missing cells are filled, and numbers with separators or units and dates are read where only one form fits. What is
    not clear is an error that names the arguments. The options have the names and the meaning of those of the command
    (``docs/tables.md``).

    Parameters
    ----------
    path : path-like
        The file.

    target : str, default=None
        The column with the labels. None is the one that its name, its values and its place speak for; where none wins
        clearly, that is an error with the likeliest.

    delimiter : str, default=None
        One character, or ``" "`` for whitespace. None finds it out by the first rows.

    header : bool, default=None
        Whether the first line has the names of the columns. Without it, the names are 1, 2, 3, …. None finds it out; a
        line that may be either is an error.

    features : list of str, default=None
        The columns to use; None is all columns except `target` and those from which nothing can be learned, such as
        identifiers of the rows.

    ignore : list of str, default=None
        Columns to leave out.

    categorical : list of str, default=None
        Columns whose cells are categories, even if they are numbers.

    interactions : list of tuple of str, default=None
        Pairs of columns, or tuples of more columns, of which each two are a pair. The products of the features of
        the two are further features: of two numbers, of a number with each category, or of each pair of categories.
        Each has a name such as ``"age * hours"``.

    text : list of str, default=None
        Columns whose words become features by hashing.

    ngrams : int, default=None
        The maximum number of words in a feature of text, from 1 to 5. None is 1 or, where most of 20 texts or more are
        of one or two words, ``chars=(1, 3)``.

    chars : tuple (shortest, longest) of int, default=None
        The lengths of the n-grams of characters within words that become features instead of words, as in
        scikit-learn's ``CountVectorizer(analyzer="char_wb", ngram_range=chars)``.

    bits : int, default=None
        The words of each column of text are hashed to ``2**bits`` features, and so are the products of an interaction
        if there are more; 1 to 22 bits, and None is 18. With more bits, there are fewer collisions.

    missing : str or list of str, default=None
        The rules for missing values: ``"mean"``, ``"median"``, ``"zero"``, ``"category"`` or ``"drop"`` for all
        columns, ``"age=median"`` for one. ``"mean+indicator"`` adds a feature that is 1 where a number is missing. In a
        str, commas separate rules. Means and medians are those of this file. None puts the median in the place of
        missing numbers, and makes missing categories a category of their own.

    missing_values : list of str, default=None
        The cells that are missing values, besides the empty cell. None is NA, N/A, NaN, null, ?, -, ., words such as
        none and unknown, and the errors of spreadsheets, in columns of numbers.

    decimal : {"point", "comma"}, default="point"
        The decimal sign of numbers.

    thousands : str, default=None
        The separator of groups of three digits: one character, or ``"comma"``, ``"point"``, ``"space"``. None finds it
        out where only one form of numbers fits a column.

    units : list of str, default=None
        Columns whose numbers have a unit, such as 37%, $12 or 5.1cm. None finds it out.

    dates : {"ymd", "dmy", "mdy", "time"}, default=None
        The order of year, month and day of columns of dates, which become numbers of days, or ``"time"`` for times of
        day, which become shares of a day. None finds it out where only one order fits a column.

    encoding : {"utf-8", "latin1", "utf-16"} or None, default=None
        The encoding of the text. None is UTF-8, or UTF-16 or Latin-1 where the bytes of the file
        show them, which is a note.

    quote : str, default=None
        The quote of cells; None finds it out by the first rows.

    escape : str, default=None
        The sign before a quote, a separator or itself that makes it part of the text; None finds it out by the first
        rows.

    no_quotes : bool, default=False
        Whether a quote is a character like any other.

    comment : str, default=None
        The sign with which lines begin that are passed over; None passes over lines with # above the table only.

    skip_rows : int, default=None
        The number of lines to pass over at the beginning; None passes over the title lines that are found.

    on_error : {"stop", "skip"}, default="stop"
        Whether a row that cannot be read is an error with its position, or is left out with a warning.

    n_jobs : int, default=None
        The number of threads: None is 1, -1 is the number of processors.

    like : Data, TableEncoder or model, default=None
        What knows the columns of another table: what `read_csv` returned for it, a fitted `TableEncoder` or a pipeline
        that begins with one, a model of `load`, or one that was fitted on a data frame. `X` then has the features of
        that table, from columns of the same names in any order, as ``rosenblatt predict`` has them: missing cells are
        filled by the values of that table, and a category that it does not have gives no feature, which is a warning.
        The format, and the form of numbers and dates, are those of that file. No option about columns goes with it.
        Where the column of the labels is not there, `y` is None.

    Returns
    -------
    Data
        ``X`` and ``y``, with ``feature_names`` and ``target``.

    Raises
    ------
    ValueError
        The file is invalid; the message has the line and column, and arguments that resolve it where they are known.

    Warns
    -----
    UserWarning
        Rows were left out, a feature numbers the rows, or a category is not one of `like`.

    Examples
    --------
    >>> import os, tempfile
    >>> from rosenblatt import read_csv
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "patients.csv")
    ...     with open(path, "w") as file:
    ...         _ = file.write("age;since;ill\n34;13.02.2020;yes\n;01.03.2020;no\n29;02.03.2020;no\n")
    ...     data = read_csv(path)
    >>> data
    <Data: 3 rows of 2 features, labels of 'ill': no, yes; columns: age, since (date)>
    >>> data.X.tolist()
    [[34.0, 18305.0], [31.5, 18322.0], [29.0, 18323.0]]
    >>> for note in data.notes:
    ...     print(note["message"])
    the cells are separated by `;`
    read `since` as dates (day, month, year): `13.02.2020`
    filled 1 missing cell of `age` with the median

    Another table is read by the columns of the first one:

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "new.csv")
    ...     with open(path, "w") as file:
    ...         _ = file.write("since;age\n04.03.2020;\n")
    ...     read_csv(path, like=data).X.tolist()
    [[31.5, 18325.0]]
    """
    options: dict[str, Any] = {
        "features": features,
        "ignore": ignore,
        "categorical": categorical,
        "interactions": interactions,
        "text": text,
        "ngrams": ngrams,
        "chars": chars,
        "bits": bits,
        "missing": missing,
        "missing_values": missing_values,
        "decimal": decimal,
        "thousands": thousands,
        "units": units,
        "dates": dates,
    }
    schema = None if like is None else _model.schema_of(like)
    if schema is not None:
        _column_options.check_none(options)
    is_tsv = os.fspath(path).lower().endswith((".tsv", ".tsv.gz", ".tsv.zst"))
    arguments = _table.arguments_of(
        on_error,
        n_jobs,
        format=None if is_tsv or like is not None else "csv",
        target=target,
        delimiter=delimiter,
        header=header,
        encoding=encoding,
        quote=quote,
        escape=escape,
        comment=comment,
        skip_rows=None if skip_rows is None else operator.index(skip_rows),
        quotes=not no_quotes,
        **_column_options.arguments(**options),
    )
    found = _read(path, arguments, schema)
    rows = found["rows"]
    if isinstance(rows, tuple):
        rows = csr(rows)
    return _warned(Data(rows, _labels(found), found), found)


def csr(parts: Any, n_features: int | None = None, dtype: Any = np.float64) -> Any:
    from scipy import sparse

    data, indices, indptr, width = parts
    shape = (len(indptr) - 1, width if n_features is None else n_features)
    parts = data.astype(dtype, copy=False), indices, indptr
    X = sparse.csr_matrix(parts, shape=shape, copy=False)
    X.has_canonical_format = True
    return X


def _labels(found: dict[str, Any]) -> Any:
    if found["labels"] is None:
        return None
    labels: NDArray[Any] = _model.labels(found["labels"], None)[found["codes"]]
    return labels


def _read(
    path: StrPath, arguments: dict[str, Any], like: _native.Schema | None = None
) -> dict[str, Any]:
    found: dict[str, Any] = _native.read(os.fspath(path), arguments, like)
    return {**found, "notes": json.loads(found["notes"])}


def _warned(data: Data, found: dict[str, Any]) -> Data:
    _table.warn(found, stacklevel=4)
    return data


def load(path: StrPath) -> Perceptron | KernelPerceptron | VotedPerceptron:
    """Read a model file of `Perceptron.save` or of ``rosenblatt train -o``.

    Parameters
    ----------
    path : path-like
        The file.

    Returns
    -------
    Perceptron, KernelPerceptron or VotedPerceptron
        A fitted estimator with the parameters of its training. Its features are those of `feature_names_in_`, with one
        feature per category. They are unscaled: the parameters `scale`, `weighting`, `document_frequency` and
        `normalise` say how `predict` prepares rows. If the file has probabilities, `calibrate` names their method.

    Raises
    ------
    ValueError
        The file is not a model, is damaged, or needs a newer version.

    Warns
    -----
    UserWarning
        The file has format version 1, which has no checksum, so damage cannot be detected.
    """
    from ._base import history_of
    from ._perceptron import Perceptron
    from ._variants import KernelPerceptron, VotedPerceptron

    classifier, text = _native.load(os.fspath(path))
    description = json.loads(text)
    classes = _model.labels(description["classes"], description["label_type"])
    if len(classes) == 2 and classes[0] > classes[1]:
        # In Python, the positive class is always the second one.
        classifier, classes = classifier.negated(), classes[::-1].copy()
        options = description["options"]
        options["zero"] = {"positive": "negative", "negative": "positive"}[options["zero"]]
        weights = description["options"]["class_weight"]
        for of_classes in (description["classes"], description["class_sizes"]):
            of_classes.reverse()
        if isinstance(weights, dict):
            weights["given"].reverse()
    options, report = description["options"], description["report"]
    kinds: dict[str, type[Any]] = {
        "linear": Perceptron,
        "dual": KernelPerceptron,
        "voted": VotedPerceptron,
    }
    kind = kinds[classifier.form]
    estimator = kind()
    known = estimator.get_params(deep=False)
    parameters = _parameters.from_engine(options).items()
    estimator.set_params(**{name: value for name, value in parameters if name in known})
    estimator.classes_ = classes
    weights = options["class_weight"]
    if isinstance(weights, dict):
        weights = dict(zip(classes.tolist(), weights["given"], strict=True))
    estimator.class_weight = None if weights == "uniform" else weights
    estimator.set_params(**classifier.preparation, calibrate=classifier.calibrate)
    try:
        estimator.class_sizes_ = np.array(description["class_sizes"], dtype=np.int64)
        estimator._held_out = np.array(description["held_out"], dtype=np.int64)
        estimator.history_ = history_of(report["mistakes_per_epoch"], None)
    except OverflowError:
        raise ValueError(
            f"{os.fspath(path)}: this is not a rosenblatt model: a count is past 64 bits"
        ) from None
    estimator.n_features_in_ = description["features"]
    if description["feature_names"] is not None:
        estimator.feature_names_in_ = np.array(description["feature_names"], dtype=object)
    estimator._report = report
    estimator._run = _native.Options.from_json(json.dumps(options))
    schema = _native.Schema.from_json(json.dumps(description["schema"]))
    estimator._stream, estimator._counts = None, None
    estimator._file = {**description, "schema": schema}
    estimator.n_iter_ = report["epochs"]
    estimator.t_ = report["epochs"] * report["examples"] + 1
    estimator.n_updates_ = report["updates"]
    estimator.n_mistakes_ = sum(report["mistakes_per_epoch"])
    estimator._set_classifier(classifier)
    return estimator  # type: ignore[no-any-return]

"""Readers of data files and model files."""

from __future__ import annotations

import json
import operator
import os
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _model, _native, _parameters

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

    y : ndarray of shape (n_samples,)
        The labels: numbers if all of them are numbers, otherwise text.

    feature_names : list of str or None
        The names of the features, if columns have names. A category is named ``column=category``.

    target : str or None
        The name of the label column.

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

    def __new__(cls, X: Any, y: NDArray[Any], found: dict[str, Any]) -> Data:
        data = super().__new__(cls, (X, y))
        data.feature_names = found["feature_names"]
        data.target = found["target"]
        data.skipped = found["skipped"]
        data.notes = found["notes"]
        return data

    def __reduce__(self) -> tuple[Any, ...]:
        return Data, (self[0], self[1], self.__dict__)

    @property
    def X(self) -> Any:  # noqa: N802
        """The rows."""
        return self[0]

    @property
    def y(self) -> NDArray[Any]:
        """The labels."""
        return self[1]  # type: ignore[no-any-return]


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
    arguments = _read_arguments("libsvm", on_error, n_jobs, zero_based=zero_based)
    if n_features is not None:
        arguments["max_features"] = n_features
    found = _read(path, arguments)
    if np.dtype(dtype) not in (np.float32, np.float64):
        raise ValueError(f"dtype is {dtype!r}, expected float64 or float32")
    X, y = _csr(found["rows"], n_features, dtype), _labels(found)
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
        Rows were left out, or a feature numbers the rows.

    Examples
    --------
    >>> import os, tempfile
    >>> from rosenblatt import read_csv
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "patients.csv")
    ...     with open(path, "w") as file:
    ...         _ = file.write("age;since;ill\n34;13.02.2020;yes\n;01.03.2020;no\n29;02.03.2020;no\n")
    ...     data = read_csv(path)
    >>> data.X.tolist()
    [[34.0, 18305.0], [31.5, 18322.0], [29.0, 18323.0]]
    >>> for note in data.notes:
    ...     print(note["message"])
    the cells are separated by `;`
    read `since` as dates (day, month, year): `13.02.2020`
    filled 1 missing cell of `age` with the median
    """
    if not text and (ngrams, chars) != (None, None):
        raise ValueError("ngrams and chars are about columns of text: name them with text")
    if not (text or interactions) and bits is not None:
        raise ValueError("bits is about columns of text and interactions, and there are none")
    arguments = _read_arguments(
        None if os.fspath(path).lower().endswith((".tsv", ".tsv.gz", ".tsv.zst")) else "csv",
        on_error,
        n_jobs,
        target=target,
        delimiter=delimiter,
        header=header,
        features=_texts("features", features),
        ignore=_texts("ignore", ignore),
        categorical=_texts("categorical", categorical),
        interactions=_lists("interactions", interactions),
        text=_texts("text", text),
        ngrams=None if ngrams is None else _small_whole("ngrams", ngrams),
        chars=_lengths(chars),
        bits=18 if bits is None else _small_whole("bits", bits),
        missing=missing.split(",") if isinstance(missing, str) else missing or [],
        missing_values=None if missing_values is None else _texts("missing_values", missing_values),
        decimal=decimal,
        thousands=thousands,
        units=_texts("units", units),
        dates=dates,
        encoding=encoding,
        quote=quote,
        escape=escape,
        comment=comment,
        skip_rows=None if skip_rows is None else operator.index(skip_rows),
        quotes=not no_quotes,
    )
    found = _read(path, arguments)
    rows = found["rows"]
    if isinstance(rows, tuple):
        rows = _csr(rows)
    return _warned(Data(rows, _labels(found), found), found)


def _texts(name: str, value: Any) -> list[str]:
    if isinstance(value, str):
        raise ValueError(f"{name} is {value!r}, expected a list: [{value!r}]")
    return list(value or [])


def _lists(name: str, value: Any) -> list[list[str]]:
    if any(isinstance(one, str) for one in _texts(name, value)):
        raise ValueError(f"{name} is {value!r}, expected a list of tuples: [{tuple(value)!r}]")
    return [list(one) for one in value or []]


def _small_whole(name: str, value: Any) -> int:
    is_whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not is_whole or not 0 <= value < 256:
        raise ValueError(f"{name} is {value!r}, expected a small whole number")
    return int(value)


def _lengths(chars: Any) -> str | None:
    if chars is None:
        return None
    if not isinstance(chars, (tuple, list)) or len(chars) != 2:
        raise ValueError(f"chars is {chars!r}, expected two lengths, such as (3, 5)")
    shortest, longest = (_small_whole("chars", length) for length in chars)
    return f"{shortest}:{longest}"


def _read_arguments(
    kind: str | None, on_error: str, n_jobs: int | None, **given: Any
) -> dict[str, Any]:
    if on_error not in ("stop", "skip"):
        raise ValueError(f"on_error is {on_error!r}, expected 'stop' or 'skip'")
    defaults: dict[str, Any] = {
        "format": kind,
        "target": None,
        "delimiter": None,
        "header": None,
        "zero_based": False,
        "ignore": [],
        "categorical": [],
        "interactions": [],
        "text": [],
        "ngrams": None,
        "chars": None,
        "bits": 18,
        "features": [],
        "missing": [],
        "missing_values": None,
        "decimal": "point",
        "thousands": None,
        "units": [],
        "dates": None,
        "encoding": None,
        "quote": None,
        "escape": None,
        "comment": None,
        "skip_rows": None,
        "quotes": True,
        "skip": on_error == "skip",
        "max_features": None,
        "threads": _parameters.thread_count(n_jobs),
    }
    return {**defaults, **given}


def _csr(parts: Any, n_features: int | None = None, dtype: Any = np.float64) -> Any:
    from scipy import sparse

    data, indices, indptr, width = parts
    shape = (len(indptr) - 1, width if n_features is None else n_features)
    parts = data.astype(dtype, copy=False), indices, indptr
    X = sparse.csr_matrix(parts, shape=shape, copy=False)
    X.has_canonical_format = True
    return X


def _labels(found: dict[str, Any]) -> NDArray[Any]:
    labels: NDArray[Any] = _model.labels(found["labels"], None)[found["codes"]]
    return labels


def _read(path: StrPath, arguments: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = _native.read(os.fspath(path), arguments)
    return {**found, "notes": json.loads(found["notes"])}


def _warned(data: Data, found: dict[str, Any]) -> Data:
    for warning in found["warnings"]:
        warnings.warn(warning, stacklevel=3)
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
    estimator._stream, estimator._file, estimator._counts = None, description, None
    estimator.n_iter_ = report["epochs"]
    estimator.t_ = report["epochs"] * report["examples"] + 1
    estimator.n_updates_ = report["updates"]
    estimator.n_mistakes_ = sum(report["mistakes_per_epoch"])
    estimator._set_classifier(classifier)
    return estimator  # type: ignore[no-any-return]

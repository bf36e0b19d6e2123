"""The engine's readers, and model files."""

from __future__ import annotations

import json
import os
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from . import _model, _native
from ._base import history_of
from ._parameters import threads
from ._perceptron import Perceptron
from ._variants import KernelPerceptron, VotedPerceptron

if TYPE_CHECKING:
    StrPath = str | os.PathLike[str]


class Data(tuple):  # type: ignore[type-arg]
    """Rows and labels of a file: ``X, y = data``.

    Attributes
    ----------
    X : ndarray or CSR matrix of shape (n_samples, n_features)
        The rows, ``float64``.

    y : ndarray of shape (n_samples,)
        The labels: numbers where all of them are, else text.

    feature_names : list of str or None
        The names of the features, where columns have names; ``column=category`` for one of a column of categories.

    target : str or None
        The name of the column with the labels.

    skipped : int
        Rows left out by ``on_error="skip"``.
    """

    feature_names: list[str] | None
    target: str | None
    skipped: int

    def __new__(cls, X: Any, y: NDArray[Any], found: dict[str, Any]) -> Data:
        data = super().__new__(cls, (X, y))
        data.feature_names = found["feature_names"]
        data.target = found["target"]
        data.skipped = found["skipped"]
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
    r"""Read a file of ``label index:value …`` lines, plain or gzip or zstd; like `sklearn.datasets.load_svmlight_file`.

    Parameters
    ----------
    path : path-like
        The file.

    n_features : int, default=None
        The number of columns; None is the highest index. A higher index is an error.

    zero_based : bool, default=False
        Whether indices count from 0. It is never guessed.

    dtype : dtype, default=float64
        Of the values: ``float64`` or ``float32``.

    on_error : {"stop", "skip"}, default="stop"
        What to do with a line that cannot be read: raise with its place, or leave it out, count it and warn.

    n_jobs : int, default=None
        Threads that parse; None is one, -1 one a processor.

    Returns
    -------
    Data
        ``X`` (CSR) and ``y``.

    Raises
    ------
    ValueError
        What is wrong with the file, with line and column.

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
    reading = _reading("libsvm", on_error, n_jobs, zero_based=zero_based)
    if n_features is not None:
        reading["max_features"] = n_features
    found = _native.read(os.fspath(path), reading)
    data, indices, indptr, width = found["rows"]
    shape = (len(indptr) - 1, width if n_features is None else n_features)
    if np.dtype(dtype) not in (np.float32, np.float64):
        raise ValueError(f"dtype is {dtype!r}, expected float64 or float32")
    data = data.astype(dtype, copy=False)
    X = sparse.csr_matrix((data, indices, indptr), shape=shape, copy=False)
    X.has_canonical_format = True
    y = _labels(found)
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
    text: list[str] | None = None,
    on_error: str = "stop",
    n_jobs: int | None = None,
) -> Data:
    """Read a table to learn from: CSV or TSV, plain or gzip or zstd.

    Columns of numbers are features. A column that is text throughout becomes one feature a category, 1 or 0, and `X`
    then is sparse. A column that mixes both, an empty cell, NaN or infinity is an error with its place.

    Parameters
    ----------
    path : path-like
        The file.

    target : str, default=None
        The column with the labels; None is the last.

    delimiter : str, default=None
        One character, or ``" "`` for any blanks; None is a comma, or a tab in a ``.tsv``.

    header : bool, default=None
        Whether the first line names the columns, which are otherwise called 1, 2, 3, …; None expects names that
        are no numbers.

    features : list of str, default=None
        The columns to learn from; None is all but the target.

    ignore : list of str, default=None
        Columns to leave out.

    categorical : list of str, default=None
        Columns whose cells are categories even where they look like numbers.

    text : list of str, default=None
        Columns whose words are the features, hashed.

    on_error : {"stop", "skip"}, default="stop"
        What to do with a row that cannot be read: raise with its place, or leave it out, count it and warn.

    n_jobs : int, default=None
        Threads that parse; None is one, -1 one a processor.

    Returns
    -------
    Data
        ``X`` and ``y``, with ``feature_names`` and ``target``.

    Raises
    ------
    ValueError
        What is wrong with the file, with line and column.
    """
    reading = _reading(
        None if os.fspath(path).lower().endswith((".tsv", ".tsv.gz", ".tsv.zst")) else "csv",
        on_error,
        n_jobs,
        target=target,
        delimiter=delimiter,
        header=header,
        features=features or [],
        ignore=ignore or [],
        categorical=categorical or [],
        text=text or [],
    )
    found = _native.read(os.fspath(path), reading)
    rows = found["rows"]
    if isinstance(rows, tuple):
        data, indices, indptr, width = rows
        rows = sparse.csr_matrix(
            (data, indices, indptr), shape=(len(indptr) - 1, width), copy=False
        )
        rows.has_canonical_format = True
    return _warned(Data(rows, _labels(found), found), found)


def _reading(kind: str | None, on_error: str, n_jobs: int | None, **given: Any) -> dict[str, Any]:
    if on_error not in ("stop", "skip"):
        raise ValueError(f"on_error is {on_error!r}, expected 'stop' or 'skip'")
    plain: dict[str, Any] = {
        "format": kind,
        "target": None,
        "delimiter": None,
        "header": None,
        "zero_based": False,
        "ignore": [],
        "categorical": [],
        "text": [],
        "features": [],
        "skip": on_error == "skip",
        "max_features": None,
        "threads": threads(n_jobs),
    }
    return {**plain, **given}


def _labels(found: dict[str, Any]) -> NDArray[Any]:
    labels: NDArray[Any] = _model.labels(found["labels"], None)[found["codes"]]
    return labels


def _warned(data: Data, found: dict[str, Any]) -> Data:
    if data.skipped:
        warnings.warn(
            f"{data.skipped} rows were left out, the first: {found['first_skipped']}", stacklevel=3
        )
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
        A fitted estimator with the parameters of its training. It takes features as the model has them (of a column of
        categories one each, see `feature_names_in_`), unscaled: a scaling in the file is applied when it predicts.

    Raises
    ------
    ValueError
        The file is no model, is damaged, or is a newer one than this version reads.

    Warns
    -----
    UserWarning
        The file is of format version 1, which has no checksum: damage to it cannot be seen.
    """
    classifier, text = _native.load(os.fspath(path))
    description = json.loads(text)
    classes = _model.labels(description["classes"], description["label_type"])
    if len(classes) == 2 and classes[0] > classes[1]:
        # The positive class of the file is not the later one; here it is always.
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
    parameters = {
        "keep": options["keep"],
        "update": options["update"],
        "kernel": options.get("kernel"),
        "bias": None if options["bias"] == "unit" else options["bias"],
        "order": None if options["order"] == "shuffle" else options["order"],
        "mistake": options["mistake"],
        "zero": options["zero"],
        "max_mistakes": options["allow_mistakes"],
        "max_iter": options["epochs"],
        "eta0": options["eta"],
        "random_state": options["seed"],
    }
    estimator = kind()
    known = estimator.get_params(deep=False)
    estimator.set_params(**{name: value for name, value in parameters.items() if name in known})
    estimator.classes_ = classes
    weights = options["class_weight"]
    if isinstance(weights, dict):
        estimator.class_weight = dict(
            zip(estimator.classes_.tolist(), weights["given"], strict=True)
        )
    elif weights == "balanced":
        estimator.class_weight = weights
    try:
        estimator.class_sizes_ = np.array(description["class_sizes"], dtype=np.int64)
        estimator.history_ = history_of(report["mistakes_per_epoch"], None)
    except OverflowError:
        raise ValueError(
            f"{os.fspath(path)}: this is not a rosenblatt model: a count is past 64 bits"
        ) from None
    estimator.n_features_in_ = description["features"]
    if description["feature_names"] is not None:
        estimator.feature_names_in_ = np.array(description["feature_names"], dtype=object)
    estimator._report, estimator._run = report, json.dumps(options)
    estimator._stream, estimator._file = None, description
    estimator.n_iter_ = report["epochs"]
    estimator.t_ = report["epochs"] * report["examples"] + 1
    estimator.n_updates_ = report["updates"]
    estimator.n_mistakes_ = sum(report["mistakes_per_epoch"])
    estimator._take(classifier)
    return estimator  # type: ignore[no-any-return]

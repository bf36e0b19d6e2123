"""From what people have to what the engine borrows: rows, labels, weights of examples."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import check_array, validation
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d, validate_data

from . import _native

Matrix: TypeAlias = "NDArray[Any] | tuple[NDArray[Any], NDArray[Any], NDArray[Any], int]"

# Since its version 1.9 scikit-learn finds the names of the columns of every kind of table.
_READS_ANY_TABLE = hasattr(validation, "nw")

_FLOATS = [np.float64, np.float32]


def rows(X: Any, *, estimator: Any = None, reset: bool = True) -> tuple[Matrix, int]:
    """The rows of `X` for the engine, and their number.

    Arrays of ``float32`` and ``float64`` in C order and CSR matrices are borrowed. Tables of numbers that speak the
    Arrow C stream interface are copied once, whatever else is converted first. Values are checked by the
    engine, which finds NaN and infinity in the pass that it makes anyway.

    With an `estimator` names and number of the features are remembered (`reset`) or checked.
    """
    if hasattr(X, "__arrow_c_stream__") and not sparse.issparse(X):
        found = _of_arrow(X)
        if found is not None:
            table, names = found
            if estimator is not None:
                is_read = _READS_ANY_TABLE and hasattr(X, "shape")
                named = X if is_read else _Named(names, table.shape)
                validate_data(estimator, named, reset=reset, skip_check_array=True)
            check_array(table, ensure_all_finite=False, estimator=estimator)
            return table, table.shape[0]
    check = {"accept_sparse": "csr", "dtype": _FLOATS, "order": "C", "ensure_all_finite": False}
    if estimator is not None:
        X = validate_data(estimator, X, reset=reset, **check)
        return _borrowed(X), X.shape[0]
    X = check_array(X, **check)
    return _borrowed(X), X.shape[0]


class _Named:
    """The names of the columns of a table, as scikit-learn before 1.9 can read them."""

    def __init__(self, names: list[str], shape: tuple[int, ...]) -> None:
        self._names = names
        self.shape = shape

    def __len__(self) -> int:
        return self.shape[0]

    def __dataframe__(self) -> _Named:
        return self

    def column_names(self) -> list[str]:
        return self._names


def _of_arrow(X: Any) -> tuple[NDArray[Any], list[str]] | None:
    if hasattr(X, "iloc") and X.ndim == 2:
        # pandas gives an index other than 0, 1, 2, … as one more column.
        X = X.copy(deep=False)
        X.index = range(len(X))
    try:
        return _native.table(X)
    except (TypeError, ImportError):
        # No table, or a column that is no numbers: scikit-learn says what is wrong, or converts it.
        return None


def _borrowed(X: Any) -> Matrix:
    if not sparse.issparse(X):
        aligned: NDArray[Any] = np.require(X, requirements=["C", "A"])
        return aligned
    X = _indexed(X)
    if not _is_framed(X):
        # The engine says what is wrong; SciPy would read past the end.
        return X.data, X.indices, X.indptr, X.shape[1]
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    # There may be room behind the last entry.
    entries = X.indptr[-1]
    parts = X.data[:entries], X.indices[:entries], X.indptr
    data, indices, offsets = (np.require(part, requirements=["C", "A"]) for part in parts)
    return data, indices, offsets, X.shape[1]


def _is_framed(X: Any) -> bool:
    """Whether the offsets of a CSR matrix begin with 0, never fall, and stay within the entries."""
    offsets = X.indptr
    if len(offsets) != X.shape[0] + 1 or offsets[0] != 0 or (offsets[1:] < offsets[:-1]).any():
        return False
    return bool(offsets[-1] <= min(len(X.indices), len(X.data)))


def _indexed(X: Any) -> Any:
    """The same CSR matrix with indices of 32 or 64 bits that have a sign."""
    if X.indices.dtype == X.indptr.dtype and X.indices.dtype in (np.int32, np.int64):
        return X
    parts = X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64)
    return sparse.csr_matrix(parts, shape=X.shape, copy=False)


def encoded(given: Any) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    """The classes in sorted order, and the number of the class of each label.

    Raises
    ------
    ValueError
        The labels are of more than one dimension, numbers with fractions, missing, or of no one type.
    """
    y: NDArray[Any] = column_or_1d(given, warn=True)
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError("Input y contains NaN or infinity.")
    wide = {"b": np.int64, "i": np.int64, "u": np.int64, "f": np.float64}.get(y.dtype.kind)
    found = None
    if wide is not None and y.dtype != np.uint64 and y.dtype.itemsize <= 8:
        found = _native.encode(np.ascontiguousarray(y, dtype=wide))
    if found is None:
        if y.dtype == object and any(isinstance(label, str) for label in y):
            _check_text(y)
        check_classification_targets(y)
        classes, places = np.unique(y, return_inverse=True)
        return classes, places.astype(np.uint32)
    classes, codes = found
    if y.dtype.kind == "f" and (classes % 1 != 0).any():
        raise ValueError(
            "Unknown label type: continuous. Maybe you are trying to fit a classifier, which "
            "expects discrete classes on a regression target with continuous values."
        )
    return classes.astype(y.dtype, copy=False), codes


def _check_text(y: NDArray[Any]) -> None:
    """Labels that are text are all text: None, NaN and numbers have no place in the order of the classes."""
    for place, label in enumerate(y):
        if not isinstance(label, str):
            raise ValueError(f"y[{place}] is {label!r}, expected text as in the other labels")


def codes_of(y: Any, classes: NDArray[Any]) -> NDArray[np.uint32]:
    """The place of each label in the `classes`, which a model file may have in any order.

    Raises
    ------
    ValueError
        A label is none of the classes.
    """
    found, codes = encoded(y)
    order = np.argsort(classes)
    places = np.searchsorted(classes, found, sorter=order)
    places = order[np.minimum(places, len(classes) - 1)]
    strange = np.flatnonzero(classes[places] != found)
    if len(strange) > 0:
        first = int(np.argmax(np.isin(codes, strange)))
        label, known = found[codes[first : first + 1]].tolist()[0], classes.tolist()
        raise ValueError(f"y[{first}] is {label!r}, which is not one of the classes {known}")
    return places.astype(np.uint32)[codes]


def check_lengths(examples: int, labels: int) -> None:
    """There is one label for each row."""
    if labels != examples:
        message = "Found input variables with inconsistent numbers of samples: "
        raise ValueError(message + str([examples, labels]))


def two_classes(y: Any, positive: Any) -> NDArray[np.uint32]:
    """The number of the class of each of two: the later label is 1, or `positive` is and all others are 0."""
    classes, codes = encoded(y)
    if positive is None:
        if len(classes) != 2:
            raise ValueError(
                f"a hyperplane separates two classes, y has {len(classes)}; "
                "positive=LABEL asks about that label against the rest"
            )
        return codes
    place = np.flatnonzero(classes == positive)
    if len(place) == 0 or len(classes) < 2:
        raise ValueError(
            f"positive={positive!r} must be one of at least two labels {classes.tolist()}"
        )
    return np.asarray(codes == place[0], dtype=np.uint32)


def weights(sample_weight: Any, examples: int) -> NDArray[np.float64] | None:
    """The weights of the examples, or None where all are 1.

    Raises
    ------
    ValueError
        They are not one finite number an example, one is negative, or all are 0.
    """
    if sample_weight is None:
        return None
    if np.isscalar(sample_weight):
        sample_weight = np.full(examples, sample_weight)
    given: NDArray[Any] = np.asarray(sample_weight)
    if given.dtype.kind == "c":
        raise ValueError("Sample weights must be real numbers, these are complex.")
    given = np.require(given, dtype=np.float64, requirements=["C", "A"])
    if given.ndim != 1:
        raise ValueError(f"Sample weights must be 1D array or scalar, got {given.ndim}D array.")
    if given.shape[0] != examples:
        raise ValueError(f"sample_weight.shape == {given.shape}, expected {(examples,)}!")
    if not np.isfinite(given).all() or (given < 0).any():
        raise ValueError(
            "Sample weights must be finite and not negative: "
            "Input sample_weight contains NaN, infinity or a negative number."
        )
    if not given.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return None if (given == 1).all() else given


def selected(matrix: Matrix, places: NDArray[Any]) -> Matrix:
    """Copies of some of the rows."""
    if isinstance(matrix, tuple):
        data, indices, indptr, features = matrix
        shape = (len(indptr) - 1, features)
        part = sparse.csr_matrix((data, indices, indptr), shape=shape, copy=False)[places]
        return _borrowed(part)
    return np.ascontiguousarray(matrix[places])

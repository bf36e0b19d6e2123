"""Conversion of rows, labels and weights to arrays that the engine can borrow."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from . import _native

Matrix: TypeAlias = "NDArray[Any] | tuple[NDArray[Any], NDArray[Any], NDArray[Any], int]"

_FLOATS = [np.float64, np.float32]


def is_sparse(X: Any) -> bool:
    """Return whether `X` is a sparse matrix, without loading SciPy if none can exist."""
    if "scipy.sparse" not in sys.modules:
        return False
    from scipy import sparse

    return bool(sparse.issparse(X))


def rows(
    X: Any, *, estimator: Any = None, reset: bool = True, exact: bool = False
) -> tuple[Matrix, int]:
    """Return the rows of `X` for the engine, and their number.

    Arrays of ``float32`` and ``float64`` in C order and CSR matrices are borrowed. Tables of numbers with the Arrow C
    stream interface are copied once. Everything else is converted. The engine checks the values.

    With an `estimator`, the names and the number of features are stored (`reset`) or checked. With `exact`, a number
    that would be rounded is a `ValueError`.
    """
    if _is_plain(X) and _fits(X, estimator, reset):
        return _borrowed(X), X.shape[0]
    _check_no_times(X)
    if exact:
        _check_no_rounding(X)
    if hasattr(X, "__arrow_c_stream__") and not is_sparse(X):
        found = from_arrow(X, exact)
        if found is not None:
            table, names = found
            _check_table(X, table, names, estimator, reset)
            return table, table.shape[0]
    numbers = _numbers(X) if estimator is None else None
    X = _checked(X, estimator, reset) if numbers is None else numbers
    return _borrowed(X), X.shape[0]


def _check_table(
    X: Any, table: NDArray[Any], names: list[str], estimator: Any, reset: bool
) -> None:
    """Check the names and the shape of a table that was read, as scikit-learn does."""
    if estimator is None and min(table.shape) > 0:
        return
    from sklearn.utils import check_array, validation

    if estimator is not None:
        # scikit-learn 1.9 and later find the names of the columns of every kind of table.
        is_readable = hasattr(validation, "nw") and hasattr(X, "shape")
        named = X if is_readable else _ColumnNames(names, table.shape)
        validation.validate_data(estimator, named, reset=reset, skip_check_array=True)
    check_array(table, ensure_all_finite=False, estimator=estimator)


def _checked(X: Any, estimator: Any, reset: bool) -> Any:
    """Return what scikit-learn makes of `X`, or raise its error."""
    from sklearn.utils import check_array
    from sklearn.utils.validation import validate_data

    check = {"accept_sparse": "csr", "dtype": _FLOATS, "order": "C", "ensure_all_finite": False}
    if estimator is None:
        return check_array(X, **check)
    return validate_data(estimator, X, reset=reset, **check)


def _numbers(X: Any) -> NDArray[Any] | None:
    """Return rows of numbers as scikit-learn would, or None for it to convert or raise."""
    if type(X) not in (list, np.ndarray):
        return None
    try:
        found = np.asarray(X)
    except ValueError:
        return None
    is_number = found.dtype.kind in "biuf" and found.dtype.itemsize <= 8
    if not is_number or found.ndim != 2 or min(found.shape) == 0:
        return None
    kept = found is X and found.dtype in _FLOATS
    return np.asarray(found, dtype=found.dtype if kept else np.float64, order="C")


_TIMES = re.compile("date|time|duration|period|interval", re.IGNORECASE)


def _check_no_times(X: Any) -> None:
    """Raise `ValueError` for dates and times: their numbers depend on a unit, and a missing one is a number, too."""
    for name, kind in _column_types(X):
        if _TIMES.match(str(kind)):
            message = "expected numbers: for instance the days since a first date"
            raise ValueError(f"column {name!r} has dates or times ({kind}), {message}")


def _column_types(X: Any) -> Iterable[tuple[Any, Any]]:
    """Return the name and the type of each column of a table, or the type of an array."""
    if hasattr(X, "schema") and hasattr(X.schema, "types"):
        return zip(X.schema.names, X.schema.types, strict=True)
    if hasattr(X, "columns") and hasattr(X, "dtypes"):
        return zip(X.columns, X.dtypes, strict=True)
    return [("X", getattr(X, "dtype", None))]


def _check_no_rounding(X: Any) -> None:
    """Raise `ValueError` for a number of an array that no 64-bit float is."""
    # Those of a table are checked when it is read.
    if hasattr(X, "__arrow_c_stream__"):
        return
    for value in _rounded(X.data if is_sparse(X) else np.asarray(X)):
        raise ValueError(f"the number {value!s} of X has more digits than a 64-bit float")


def _rounded(values: NDArray[Any]) -> Iterator[Any]:
    """Iterate over the numbers that no 64-bit float is."""
    if values.dtype == np.longdouble and values.dtype != np.float64:
        yield from values[values.astype(np.float64) != values]
    elif values.dtype in (np.int64, np.uint64):
        large = values[np.abs(values.astype(np.float64)) >= 2.0**53]
        yield from (value for value in large.tolist() if int(float(value)) != value)


def _is_plain(X: Any) -> bool:
    """Return whether scikit-learn's checks, which take longer than training on few rows, would return `X` itself."""
    is_array = type(X) is np.ndarray and X.flags.c_contiguous
    is_matrix = is_array or _is_csr(X)
    return is_matrix and X.ndim == 2 and X.dtype in _FLOATS and min(X.shape) > 0


def _is_csr(X: Any) -> bool:
    if not is_sparse(X):
        return False
    from scipy import sparse

    return type(X) in (sparse.csr_matrix, sparse.csr_array)


def _fits(X: Any, estimator: Any, reset: bool) -> bool:
    """Store the number of features of a matrix without names, or return whether it is that of the estimator."""
    if estimator is None:
        return True
    attributes = estimator.__dict__
    if reset:
        attributes.pop("feature_names_in_", None)
        attributes["n_features_in_"] = X.shape[1]
        return True
    has_names = "feature_names_in_" in attributes
    return not has_names and attributes.get("n_features_in_") == X.shape[1]


class _ColumnNames:
    """The names of the columns of a table, in a form that scikit-learn before 1.9 can read."""

    def __init__(self, names: list[str], shape: tuple[int, ...]) -> None:
        self._names = names
        self.shape = shape

    def __len__(self) -> int:
        return self.shape[0]

    def __dataframe__(self) -> _ColumnNames:
        return self

    def column_names(self) -> list[str]:
        return self._names


def from_arrow(X: Any, exact: bool) -> tuple[NDArray[Any], list[str]] | None:
    """Return a table as an array with the names of its columns, or None for scikit-learn to convert it or raise."""
    if hasattr(X, "iloc") and X.ndim == 2:
        # pandas exports an index other than 0, 1, 2, … as an extra column.
        X = X.copy(deep=False)
        X.index = range(len(X))
    try:
        return _native.table(X, exact)
    except (TypeError, ImportError):
        return None


def _borrowed(X: Any) -> Matrix:
    if not is_sparse(X):
        if X.flags.c_contiguous and X.flags.aligned:
            return X  # type: ignore[no-any-return]
        aligned: NDArray[Any] = np.require(X, requirements=["C", "A"])
        return aligned
    return sparse_parts(_with_signed_indices(X))


def sparse_parts(X: Any) -> Matrix:
    """Return the parts of a CSR matrix for the engine; entries are sorted and joined if necessary."""
    if not _has_valid_offsets(X):
        # The engine raises the error; SciPy would read past the end.
        return X.data, X.indices, X.indptr, X.shape[1]
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    # The arrays can be longer than the last entry.
    entries = X.indptr[-1]
    parts = X.data[:entries], X.indices[:entries], X.indptr
    data, indices, offsets = (np.require(part, requirements=["C", "A"]) for part in parts)
    return data, indices, offsets, X.shape[1]


def _has_valid_offsets(X: Any) -> bool:
    """Return whether the offsets of a CSR matrix begin with 0, never decrease, and stay within the entries."""
    offsets = X.indptr
    if len(offsets) != X.shape[0] + 1 or offsets[0] != 0 or (offsets[1:] < offsets[:-1]).any():
        return False
    return bool(offsets[-1] <= min(len(X.indices), len(X.data)))


def _with_signed_indices(X: Any) -> Any:
    """Return a CSR matrix with ``int32`` or ``int64`` indices."""
    if X.indices.dtype == X.indptr.dtype and X.indices.dtype in (np.int32, np.int64):
        return X
    from scipy import sparse

    parts = X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64)
    return sparse.csr_matrix(parts, shape=X.shape, copy=False)


def encoded(given: Any) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    """Return the classes in sorted order, and the number of the class of each label."""
    y = _column(given)
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError("Input y contains NaN or infinity.")
    wide = {"b": np.int64, "i": np.int64, "u": np.int64, "f": np.float64}.get(y.dtype.kind)
    found = None
    if wide is not None and y.dtype != np.uint64 and y.dtype.itemsize <= 8:
        found = _native.encode(np.ascontiguousarray(y, dtype=wide))
    if found is None:
        if y.dtype == object and any(isinstance(label, str) for label in y):
            _check_text(y)
        return _encoded_in_general(y)
    classes, codes = found
    if y.dtype.kind == "f" and (classes % 1 != 0).any():
        raise ValueError(
            "Unknown label type: continuous. Maybe you are trying to fit a classifier, which "
            "expects discrete classes on a regression target with continuous values."
        )
    return classes.astype(y.dtype, copy=False), codes


def _column(given: Any) -> NDArray[Any]:
    """Return labels as an array of one dimension, as scikit-learn would."""
    if type(given) in (list, np.ndarray):
        y = np.asarray(given)
        if y.ndim == 1 and (y is given or y.dtype.kind in "biufU"):
            return y
    from sklearn.utils.validation import column_or_1d

    column: NDArray[Any] = column_or_1d(given, warn=True)
    return column


def _encoded_in_general(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    """Return classes and codes of labels of any type that scikit-learn takes for classes."""
    # Of text, only that of many classes is worth a warning.
    is_text = y.dtype.kind == "U"
    if not is_text:
        _check_targets(y)
    classes, places = np.unique(y, return_inverse=True)
    if is_text and len(classes) > 2:
        _check_targets(y)
    return classes, places.astype(np.uint32)


def _check_targets(y: NDArray[Any]) -> None:
    """Raise `ValueError` for labels that are no classes, and warn of many classes, as scikit-learn does."""
    from sklearn.utils.multiclass import check_classification_targets

    check_classification_targets(y)


def _check_text(y: NDArray[Any]) -> None:
    """Raise `ValueError` for a label that is not text, because such labels cannot be sorted with text."""
    for place, label in enumerate(y):
        if not isinstance(label, str):
            raise ValueError(f"y[{place}] is {label!r}, expected text as in the other labels")


def codes_of(y: Any, classes: NDArray[Any]) -> NDArray[np.uint32]:
    """Return the index of each label in `classes`, which need not be sorted."""
    found, codes = encoded(y)
    if np.array_equal(found, classes):
        return codes
    order = np.argsort(classes)
    places = np.searchsorted(classes, found, sorter=order)
    places = order[np.minimum(places, len(classes) - 1)]
    unknown = np.flatnonzero(classes[places] != found)
    if len(unknown) > 0:
        first = int(np.argmax(np.isin(codes, unknown)))
        label, known = found[codes[first : first + 1]].tolist()[0], classes.tolist()
        raise ValueError(f"y[{first}] is {label!r}, which is not one of the classes {known}")
    return places.astype(np.uint32)[codes]


def check_lengths(examples: int, labels: int) -> None:
    """Raise `ValueError` unless there is one label for each row."""
    if labels != examples:
        message = "Found input variables with inconsistent numbers of samples: "
        raise ValueError(message + str([examples, labels]))


def binary_examples(X: Any, y: Any, positive: Any) -> tuple[Matrix, NDArray[np.uint32]]:
    """Return rows and labels of two classes for the engine."""
    matrix, count = rows(X, exact=True)
    codes = _binary_codes(y, positive)
    check_lengths(count, len(codes))
    return matrix, codes


def _binary_codes(y: Any, positive: Any) -> NDArray[np.uint32]:
    """Return 1 for `positive`, which by default is the second of two labels, and 0 for all others."""
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
    """Return the weights of the examples, or None if all are 1."""
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
    """Copy some of the rows."""
    if isinstance(matrix, tuple):
        from scipy import sparse

        data, indices, indptr, features = matrix
        shape = (len(indptr) - 1, features)
        part = sparse.csr_matrix((data, indices, indptr), shape=shape, copy=False)[places]
        return _borrowed(part)
    return np.ascontiguousarray(matrix[places])

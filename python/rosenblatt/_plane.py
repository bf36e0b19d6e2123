"""The data of a display of two features: checks, the box of the axes, a line or regions."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _input
from ._drawing import Box

_PADDING = 0.09  # at each side, as a share of the range
_MIN_ASPECT = 0.7  # the smaller range over the larger one, where both axes have one scale


def check(estimator: Any, X: Any, grid_resolution: int, eps: float | None) -> None:
    """Check the arguments of `from_estimator`."""
    features = getattr(estimator, "n_features_in_", 2)
    if features != 2:
        names = getattr(estimator, "feature_names_in_", None)
        two = "X[:, [0, 1]]" if names is None else f"X[{[str(name) for name in names[:2]]}]"
        hint = f"; fit it on two of them, such as {two}" if features > 2 else ""
        raise ValueError(f"a plane has two features, this model has {features}{hint}")
    shape = np.shape(X)
    if len(shape) != 2 or shape[1] != 2:
        raise ValueError(f"X has shape {shape}, expected (n_samples, 2), the features of the model")
    if grid_resolution < 2:
        raise ValueError(f"grid_resolution is {grid_resolution}, it must be at least 2")
    if eps is not None and not eps >= 0:
        raise ValueError(f"eps is {eps}, it must not be negative")


def points(X: Any) -> NDArray[np.float64]:
    """Return the rows as an array."""
    from sklearn.utils import check_array

    found = check_array(X, accept_sparse=True, dtype=np.float64)
    return np.asarray(found.toarray() if _input.is_sparse(found) else found)


def box(points: NDArray[np.float64], eps: float | None) -> Box:
    """Return the ends of the axes."""
    low, high = points.min(axis=0), points.max(axis=0)
    spread = _PADDING * (high - low) if eps is None else np.full(2, float(eps))
    # A constant feature still needs a width.
    spread[high + spread <= low - spread] = 1.0
    low, high = low - spread, high + spread
    if eps is None and is_equal(high - low):
        missing = np.maximum(_MIN_ASPECT * np.max(high - low) - (high - low), 0) / 2
        low, high = low - missing, high + missing
    return float(low[0]), float(high[0]), float(low[1]), float(high[1])


def line(estimator: Any) -> tuple[NDArray[np.float64], float] | None:
    """Return weights and bias if the boundary of the model is one line, otherwise None."""
    coef = getattr(estimator, "coef_", None)
    if coef is None or len(estimator.classes_) != 2 or not hasattr(estimator, "decision_function"):
        return None
    coef = coef.toarray() if _input.is_sparse(coef) else np.asarray(coef, dtype=np.float64)
    if coef.shape != (1, 2):
        return None
    weights, bias = coef[0], float(np.ravel(estimator.intercept_)[0])
    # With zero weights, there is no line.
    return (weights, bias) if weights.any() else None


def edges(box: Box, resolution: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the edges of the cells of a grid."""
    return (
        np.linspace(box[0], box[1], resolution + 1),
        np.linspace(box[2], box[3], resolution + 1),
    )


def middles(box: Box, resolution: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the middles of the cells of a grid."""
    xs, ys = edges(box, resolution)
    return (xs[:-1] + xs[1:]) / 2, (ys[:-1] + ys[1:]) / 2


def regions(estimator: Any, X: Any, box: Box, resolution: int) -> NDArray[Any]:
    """Predict the class at the middle of each cell of a grid."""
    xs, ys = np.meshgrid(*middles(box, resolution))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="X does not have valid feature names")
        predicted = estimator.predict(_like(X, xs.ravel(), ys.ravel()))
    return _input.codes_of(predicted, estimator.classes_).reshape(xs.shape)


def _columns(X: Any) -> list[Any] | None:
    """Return the names of the columns of a table of pandas, polars or pyarrow."""
    names = getattr(X, "column_names", None)
    names = getattr(X, "columns", None) if names is None else names
    return None if names is None else list(names)


def _like(X: Any, *columns: NDArray[np.float64]) -> Any:
    """Return a table of the type of `X`, for models that use the names of columns."""
    names = _columns(X)
    if names is None:
        return np.column_stack(columns)
    content = dict(zip(names, columns, strict=True))
    return X.from_pydict(content) if hasattr(X, "from_pydict") else type(X)(content)


def names(estimator: Any, X: Any) -> list[str]:
    """Return the names of the features."""
    found = _columns(X)
    if found is None:
        found = getattr(estimator, "feature_names_in_", ["first feature", "second feature"])
    return [str(name) for name in found]


def is_equal(ranges: Any) -> bool:
    """Return whether both axes have one scale, so that the figure shows true distances."""
    return bool(max(ranges) <= 3 * min(ranges))

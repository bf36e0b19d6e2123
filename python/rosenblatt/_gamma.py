"""The number `gamma` of a kernel that the rows decide."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native, _parameters
from ._input import Matrix


def gamma_of(estimator: Any, matrix: Matrix, weights: NDArray[np.float64] | None) -> float | None:
    """Return the number of ``gamma="scale"`` and ``gamma="auto"`` for these rows; None for any other `gamma`.

    Raises `ValueError` for ``"scale"`` beside a step of the preparation other than ``scale="auto"``. ``"scale"`` takes
    two passes over the values, and with ``scale="auto"`` a copy of the rows.
    """
    gamma = estimator.gamma
    if not isinstance(gamma, str):
        return None
    features = int(estimator.n_features_in_)
    if gamma == "auto":
        return 1 / features
    variance = _variance(_scaled(estimator, matrix, weights), features)
    if variance == 0:
        # As `SVC` has it.
        return 1.0
    found = 1 / (features * variance)
    if not 0 < found < math.inf:
        raise ValueError(
            "gamma='scale' of these rows is past the range of 64-bit floats: scale them"
        )
    return found


def _scaled(estimator: Any, matrix: Matrix, weights: NDArray[np.float64] | None) -> Matrix:
    """Return the rows whose variance counts: as they are, or scaled by `scale`."""
    for name in _parameters.PREPARATION:
        step = getattr(estimator, name)
        if step is not None and not (name == "scale" and step == "auto"):
            raise ValueError(
                f"gamma='scale' is for scale=None and scale='auto' alone, not for {name}={step!r}: use gamma='auto', "
                "which is 1 / n_features, or a number"
            )
    # Also an error for values that are not finite.
    statistics = _native.statistics(matrix, weights)
    if estimator.scale is None:
        return matrix
    keeps_origin = not estimator.fit_intercept or estimator.bias == "none"
    scaling = _native.scaling([statistics], keeps_origin)
    return matrix if scaling is None else _native.scaled(matrix, *scaling)


def _variance(matrix: Matrix, features: int) -> float:
    """Return the variance of all values: the same for equal rows in any order, dense or sparse, on every machine."""
    if isinstance(matrix, tuple):
        values, rows = matrix[0], len(matrix[2]) - 1
    else:
        values, rows = matrix.ravel(), len(matrix)
    present = values[values != 0].astype(np.float64)
    count = rows * features
    try:
        mean = math.fsum(present) / count
        with np.errstate(over="ignore"):
            squares = np.square(present - mean)
        return math.fsum([math.fsum(squares), (count - len(present)) * mean**2]) / count
    except OverflowError:
        return math.inf

"""Many runs over random orders, against Novikoff's bound."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _input, _native
from ._parameters import threads
from ._separability import _check_bias


@dataclass(frozen=True)
class Study:
    """What runs over random orders came to.

    Attributes
    ----------
    runs, converged : int
        How many there were, and how many converged.

    updates, epochs : ndarray of shape (runs,)
        Of each run, in the order of the seeds.

    is_converged : ndarray of shape (runs,)
        Whether the run converged.

    separable : {"yes", "no", "unknown"}
        Whether a hyperplane separates the classes.

    bound : float or None
        The most updates of any run in any order (Novikoff 1962).

    margin : dict
        ``lower`` and ``upper`` bound of the largest margin.

    radius : float
        R, the length of the longest row.

    details : dict
        All of it, with the keys of ``rosenblatt study --json``.
    """

    runs: int
    converged: int
    updates: NDArray[np.int64] = field(repr=False)
    epochs: NDArray[np.int64] = field(repr=False)
    is_converged: NDArray[np.bool_] = field(repr=False)
    separable: str
    bound: float | None
    margin: dict[str, float]
    radius: float
    details: dict[str, Any] = field(repr=False)


def study(
    X: Any,
    y: Any,
    *,
    runs: int = 100,
    positive: Any = None,
    update: str = "perceptron",
    bias: str = "unit",
    mistake: str = "margin",
    zero: str = "negative",
    eta0: float = 1.0,
    max_iter: int = 1000,
    seed: int = 0,
    n_jobs: int | None = None,
) -> Study:
    """Train over many random orders and compare the updates with what theory allows.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        The rows.

    y : array-like of shape (n_samples,)
        The labels, of two classes.

    runs : int, default=100
        How many orders: the seeds from `seed` on.

    positive : label, default=None
        This label against all others.

    update, bias, mistake, zero, eta0, max_iter
        As for `Perceptron`.

    seed : int, default=0
        The first seed.

    n_jobs : int, default=None
        Threads; None is one, -1 one a processor. It changes no number.

    Returns
    -------
    Study
        The runs and the bound.

    Examples
    --------
    >>> from rosenblatt import study
    >>> X = [[2, 1], [1, 3], [-1, -2], [-2, -1]]
    >>> found = study(X, [1, 1, 0, 0], runs=20)
    >>> found.converged
    20
    >>> bool(found.updates.max() <= found.bound)
    True
    """
    _check_bias(bias)
    for name, number, least in (("runs", runs, 1), ("max_iter", max_iter, 1), ("seed", seed, 0)):
        if not isinstance(number, Integral) or number < least:
            raise ValueError(f"{name} is {number!r}, expected a whole number of at least {least}")
    if not isinstance(eta0, Real) or not 0 < eta0 < np.inf:
        raise ValueError(f"eta0 is {eta0!r}, it must be a positive number")
    matrix, examples = _input.rows(X)
    codes = _input.two_classes(y, positive)
    _input.check_lengths(examples, len(codes))
    options = {
        "update": update,
        "keep": "last",
        "bias": bias,
        "mistake": mistake,
        "zero": zero,
        "order": "shuffle",
        "init": "zero",
        "seed": int(seed),
        "epochs": int(max_iter),
        "allow_mistakes": 0,
        "eta": float(eta0),
        "class_weight": "uniform",
    }
    text = _native.study(matrix, codes, json.dumps(options), int(runs), threads(n_jobs))
    found = json.loads(text)
    per_run = found["per_run"]
    return Study(
        runs=found["runs"],
        converged=found["converged"],
        updates=np.array([run["updates"] for run in per_run], dtype=np.int64),
        epochs=np.array([run["epochs"] for run in per_run], dtype=np.int64),
        is_converged=np.array([run["converged"] for run in per_run], dtype=np.bool_),
        separable=found["separable"],
        bound=found.get("bound"),
        margin=found.get("margin", {}),
        radius=found["radius"],
        details=found,
    )

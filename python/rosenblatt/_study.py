"""Many runs over random orders, against Novikoff's bound."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _input, _native, _parameters
from ._answer import Answer


@dataclass(frozen=True)
class Study(Answer):
    """The results of many runs over random orders. In an ``if`` it raises `ValueError`.

    Attributes
    ----------
    runs, converged : int
        The number of runs, and the number of those that converged.

    updates, epochs : ndarray of shape (runs,)
        The numbers of updates and epochs of each run, in the order of the seeds.

    is_converged : ndarray of shape (runs,)
        Whether the run converged.

    separable : {"yes", "no", "unknown"}
        Whether a hyperplane separates the classes.

    convergence : {"always", "from-zero", "depends-on-order", "never"} or None
        Whether a run ends with an epoch without mistakes, as in `convergence`.

    bound : float or None
        The maximum number of updates in any order (Novikoff 1962).

    margin : dict
        The ``lower`` and ``upper`` bound of the largest margin, in the units of the features.

    radius : float
        R, the largest norm of a row.

    details : dict
        The complete results, with the keys of ``rosenblatt study --json``.
    """

    runs: int
    converged: int
    updates: NDArray[np.int64] = field(repr=False)
    epochs: NDArray[np.int64] = field(repr=False)
    is_converged: NDArray[np.bool_] = field(repr=False)
    separable: str
    convergence: str | None
    bound: float | None
    margin: dict[str, float]
    radius: float
    details: dict[str, Any] = field(repr=False)

    def _truth(self) -> str:
        runs = f"{self.converged} of {self.runs} runs converged"
        return f"{runs}, which is neither yes nor no: compare `converged` or `separable`"


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
    """Train over many random orders, and compare the numbers of updates with Novikoff's bound.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        The rows.

    y : array-like of shape (n_samples,)
        The labels, of two classes.

    runs : int, default=100
        The number of orders. Their seeds begin with `seed`.

    positive : label, default=None
        If given, this label is class 1, and all others are class 0.

    update, bias, mistake, zero, eta0, max_iter
        As for `Perceptron`.

    seed : int, default=0
        The first seed.

    n_jobs : int, default=None
        The number of threads: None is 1, -1 is the number of processors. It changes no result.

    Returns
    -------
    Study
        The results of the runs, and the bound.

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
    parameters: dict[str, Any] = {
        "update": update,
        "mistake": mistake,
        "zero": zero,
        "eta0": eta0,
        "max_iter": max_iter,
    }
    for name, value in {**parameters, "seed": seed, "runs": runs}.items():
        _parameters.check_value("study", name, value)
    _parameters.check_value("study", "max_iter", max_iter, _parameters.AT_LEAST_1)
    _parameters.check_value("study", "bias", bias, _parameters.one_of("bias"))
    matrix, codes = _input.binary_examples(X, y, positive)
    options = _parameters.engine_options(bias=bias, random_state=seed, **parameters)
    threads = _parameters.thread_count(n_jobs)
    found = json.loads(_native.study(matrix, codes, options, int(runs), threads))
    per_run = found["per_run"]
    return Study(
        runs=found["runs"],
        converged=found["converged"],
        updates=np.array([run["updates"] for run in per_run], dtype=np.int64),
        epochs=np.array([run["epochs"] for run in per_run], dtype=np.int64),
        is_converged=np.array([run["converged"] for run in per_run], dtype=np.bool_),
        separable=found["separable"],
        convergence=found.get("convergence"),
        bound=found.get("bound"),
        margin=found.get("margin", {}),
        radius=found["radius"],
        details=found,
    )

"""Many runs over random orders, against Novikoff's bound."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _input, _native, _parameters, _words
from ._answer import Answer

if TYPE_CHECKING:
    from ._runs import StudyDisplay


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

    sweep : list of dict
        With `sweep`, the results of each factor, with the keys of ``rosenblatt study --sweep --json``: ``factor``,
        ``margin``, ``radius``, ``bound``, ``runs``, ``converged``, ``updates``, ``epochs``, and ``held_out_errors``
        with `holdout`. Distributions have ``min``, ``q1``, ``median``, ``q3``, ``max`` and ``mean``.

    verified : bool
        False: what runs did has no certificate. `separable` has that of the bound.
    """

    runs: int
    converged: int
    updates: NDArray[np.int64] = field(repr=False)
    epochs: NDArray[np.int64] = field(repr=False)
    is_converged: NDArray[np.bool_] = field(repr=False)
    separable: _words.Verdict
    convergence: _words.Ending | None
    bound: float | None
    margin: dict[str, float]
    radius: float
    details: dict[str, Any] = field(repr=False)
    sweep: list[dict[str, Any]] = field(default_factory=list, repr=False)
    verified: bool = field(default=False, init=False, repr=False)

    def _columns(self) -> dict[str, list[Any]]:
        return {
            "seed": [run["seed"] for run in self.details["per_run"]],
            "updates": self.updates.tolist(),
            "epochs": self.epochs.tolist(),
            "converged": self.is_converged.tolist(),
        }

    def _title(self) -> str:
        return str(self)

    def __str__(self) -> str:
        most = f", at most {self.updates.max()} updates" if self.runs else ""
        bound = "" if self.bound is None else f"; Novikoff's bound is {self.bound:.6g}"
        return f"{self.converged} of {self.runs} runs converged{most}{bound}"

    def plot(self, ax: Any = None, **options: Any) -> StudyDisplay:
        """Draw the distribution of the updates, and Novikoff's bound.

        Parameters
        ----------
        ax, **options
            As for `StudyDisplay.from_study`.

        Returns
        -------
        StudyDisplay
            The display, with `ax_` and `figure_`.
        """
        from ._runs import StudyDisplay

        return StudyDisplay.from_study(self, ax=ax, **options)

    def _truth(self) -> str:
        runs = f"{self.converged} of {self.runs} runs converged"
        return f"{runs}, which is neither yes nor no: compare `converged` or `separable`"


def study(
    X: Any,
    y: Any,
    *,
    runs: int | None = None,
    positive: Any = None,
    update: _words.Update = "perceptron",
    bias: _words.ProofBias = "unit",
    mistake: _words.Mistake = "margin",
    zero: _words.Zero = "negative",
    eta0: float | str = 1.0,
    max_iter: int = 1000,
    seed: int = 0,
    sweep: _words.Sweep | None = None,
    holdout: float | None = None,
    n_jobs: int | None = None,
) -> Study:
    """Train over many random orders, and compare the numbers of updates with Novikoff's bound.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        The rows.

    y : array-like of shape (n_samples,)
        The labels, of two classes.

    runs : int, default=None
        The number of orders. Their seeds begin with `seed`. None is 100, and 20 for each factor of a sweep.

    positive : label, default=None
        If given, this label is class 1, and all others are class 0.

    update, bias, mistake, zero, eta0, max_iter
        As for `Perceptron`.

    seed : int, default=0
        The first seed.

    sweep : {"margin", "scale", "units", "outlier"}, default=None
        If given, changed rows are studied too, for several factors: the margin multiplied, by moving the classes apart
        or together, every second feature multiplied, all features multiplied, or one row moved away.

    holdout : float, default=None
        The share of the rows that each run of the sweep holds out, to count the errors of its last weights there.

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
    >>> found = study(X, [1, 1, 0, 0], sweep="margin")
    >>> [(point["factor"], point["updates"]["max"]) for point in found.sweep][:3]
    [(0.25, 4.0), (0.35, 2.0), (0.5, 2.0)]
    """
    parameters: dict[str, Any] = {
        "update": update,
        "mistake": mistake,
        "zero": zero,
        "eta0": eta0,
        "max_iter": max_iter,
    }
    if runs is None:
        runs = 100 if sweep is None else 20
    for name, value in {**parameters, "seed": seed, "runs": runs, "sweep": sweep}.items():
        _parameters.check_value("study", name, value)
    if holdout is not None:
        _parameters.check_value("study", "holdout", holdout)
        if sweep is None:
            raise ValueError(
                "the runs of a sweep hold rows out: holdout needs sweep, such as 'margin'"
            )
    _parameters.check_value("study", "max_iter", max_iter, _parameters.AT_LEAST_1)
    _parameters.check_value("study", "bias", bias, _parameters.one_of("bias"))
    matrix, codes = _input.binary_examples(X, y, positive)
    options = _parameters.engine_options(bias=bias, random_state=seed, **parameters)
    threads = _parameters.thread_count(n_jobs)
    share = None if holdout is None else float(holdout)
    found = json.loads(
        _native.study(matrix, codes, options, int(runs), threads, sweep=sweep, holdout=share)
    )
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
        sweep=found.get("sweep", []),
    )

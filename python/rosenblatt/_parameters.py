"""Parameters of estimators: their values, and whether they may have them."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

# What a parameter is where an estimator does not have it.
_FIXED: dict[str, Any] = {
    "penalty": None,
    "tol": None,
    "early_stopping": False,
    "validation_fraction": 0.1,
    "n_iter_no_change": 5,
    "keep": "vote",
    "tally": "vote",
}

_TALLIES = (
    "vote",
    "average",
    "average-normalised",
    "last",
    "last-normalised",
    "random",
    "random-normalised",
)


def of(estimator: Any, name: str) -> Any:
    """A parameter, or what it is where the estimator has none of this name."""
    return getattr(estimator, name, _FIXED[name]) if name in _FIXED else getattr(estimator, name)


def check(estimator: Any) -> None:
    """Raises `ValueError` for the first parameter that has a value that it may not have.

    The engine says what is wrong with `update` and `kernel`.
    """
    for name, (holds, expected) in _CHECKS.items():
        if name in _FIXED or hasattr(estimator, name):
            value = of(estimator, name)
            if not holds(value):
                raise ValueError(_message(estimator, name, expected))
    if of(estimator, "tol") is not None and estimator.kernel is not None:
        without = "None with a kernel, unless early_stopping is True"
        if not of(estimator, "early_stopping"):
            raise ValueError(_message(estimator, "tol", without))
    if not estimator.shuffle and estimator.order == "shuffle":
        raise ValueError("shuffle=False and order='shuffle' contradict one another")
    if not estimator.fit_intercept and estimator.bias in ("unit", "radius"):
        bias = estimator.bias
        raise ValueError(f"fit_intercept=False and bias={bias!r} contradict one another")


def _message(estimator: Any, name: str, expected: str) -> str:
    owner, value = type(estimator).__name__, of(estimator, name)
    return f"The {name!r} parameter of {owner} must be {expected}. Got {value!r} instead."


def threads(n_jobs: int | None) -> int:
    """How many threads `n_jobs` means: None is one, -1 one a processor, -2 one fewer."""
    if n_jobs is None:
        return 1
    if not _is_whole(n_jobs) or n_jobs == 0:
        raise ValueError(f"n_jobs is {n_jobs!r}, expected None or a whole number other than 0")
    if n_jobs > 0:
        # Nobody has more processors, and no more are ever started than there is work for.
        return min(int(n_jobs), 1 << 16)
    has_affinity = hasattr(os, "sched_getaffinity")
    processors = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
    return max(1, processors + 1 + int(n_jobs))


def seed(random_state: Any) -> int:
    """A whole number is the seed, as ``rosenblatt train --seed`` has it; else a seed is drawn."""
    if _is_whole(random_state):
        if not 0 <= random_state < 1 << 64:
            raise ValueError(f"random_state is {random_state}, a seed is from 0 to 2**64 - 1")
        return int(random_state)
    try:
        if _is_truth(random_state):
            raise ValueError
        return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
    except ValueError:
        expected = "None, a whole number or a numpy.random.RandomState"
        raise ValueError(f"random_state is {random_state!r}, expected {expected}") from None


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, (bool, np.bool_))


def is_real(value: Any) -> bool:
    if not isinstance(value, Real) or isinstance(value, (bool, np.bool_)):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def _is_truth(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_))


def _whole(least: int) -> tuple[Callable[[Any], bool], str]:
    def holds(value: Any) -> bool:
        return _is_whole(value) and least <= value < 1 << 63

    return holds, f"a whole number of at least {least} and below 2**63"


def _one_of(*words: str | None) -> tuple[Callable[[Any], bool], str]:
    def holds(value: Any) -> bool:
        return (value is None or isinstance(value, str)) and value in words

    return holds, "one of " + ", ".join(repr(word) for word in words)


_TRUTH = (_is_truth, "True or False")

_CHECKS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "penalty": (
        lambda value: value is None,
        "None: a perceptron has no penalty, and scikit-learn's SGDClassifier has",
    ),
    "alpha": (lambda value: is_real(value) and value >= 0, "a number of at least 0"),
    "l1_ratio": (lambda value: is_real(value) and 0 <= value <= 1, "a number from 0 to 1"),
    "fit_intercept": _TRUTH,
    "max_iter": _whole(1),
    "tol": (
        lambda value: value is None or (is_real(value) and value >= 0),
        "None or a number of at least 0",
    ),
    "shuffle": _TRUTH,
    "verbose": (
        lambda value: _is_truth(value) or (_is_whole(value) and value >= 0),
        "True, False or a whole number of at least 0",
    ),
    "eta0": (lambda value: is_real(value) and value > 0, "a positive number"),
    "early_stopping": _TRUTH,
    "validation_fraction": (
        lambda value: is_real(value) and 0 < value < 1,
        "a number between 0 and 1",
    ),
    "n_iter_no_change": _whole(1),
    "warm_start": _TRUTH,
    "keep": _one_of("last", "average", "auto", "pocket", "vote"),
    "tally": _one_of(*_TALLIES),
    "bias": _one_of(None, "unit", "none", "radius"),
    "order": _one_of(None, "shuffle", "given"),
    "mistake": _one_of("margin", "label"),
    "zero": _one_of("positive", "negative"),
    "max_mistakes": _whole(0),
}

"""Bounds on the least errors that any hyperplane makes, with proofs that users can check."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import partial
from numbers import Real
from typing import Any

from . import _input, _native, _words
from ._answer import Check, HyperplaneAnswer


@dataclass(frozen=True)
class LeastErrors(HyperplaneAnswer):
    """Bounds on the errors of the best hyperplane. A row on the hyperplane is an error.

    In an ``if`` it raises `ValueError`.

    Attributes
    ----------
    lower : int
        Every hyperplane has at least this many errors: there are as many sets of rows, none of which share a row, that
        no hyperplane separates.

    upper : int
        The weights of the certificate have this many errors.

    certificate : dict
        The proof, for `verify_least_errors` and the command ``rosenblatt separable --verify``. It counts rows from 1.

    ended_by : {"work", "clock"} or None
        Why the search ended early. The bounds can differ even if it did not.

    verified : bool
        Whether the checker confirmed the proof.
    """

    lower: int
    upper: int
    certificate: dict[str, Any] = field(repr=False)
    ended_by: _words.EndedBy | None
    verified: bool

    def _truth(self) -> str:
        bounds = f"the errors are from {self.lower} to {self.upper}"
        return f"{bounds}, which is neither yes nor no: compare `lower` or `upper`"


def least_errors(
    X: Any, y: Any, *, positive: Any = None, intercept: bool = True, seconds: float | None = None
) -> LeastErrors:
    """Bound the number of errors that any hyperplane makes on these rows.

    To find the best hyperplane is NP-hard, so the answer is an interval, whose two ends are proven in exact arithmetic.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        The rows.

    y : array-like of shape (n_samples,)
        The labels, of two classes.

    positive : label, default=None
        If given, this label is class 1, and all others are class 0.

    intercept : bool, default=True
        Whether the hyperplane may have a bias; otherwise it passes through the origin.

    seconds : float, default=None
        The maximum time of the search. By default, it ends after a fixed amount of work, about five seconds.

    Returns
    -------
    LeastErrors
        The bounds and their proof.

    Examples
    --------
    >>> from rosenblatt import least_errors
    >>> least_errors([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    LeastErrors(lower=1, upper=1, ended_by=None, verified=True)
    """
    if seconds is not None and not (isinstance(seconds, Real) and seconds > 0):
        raise ValueError(f"seconds is {seconds!r}, it must be positive")
    matrix, codes = _input.binary_examples(X, y, positive)
    time = None if seconds is None else float(seconds)
    found = json.loads(_native.least_errors(matrix, codes, bool(intercept), time))
    bounds = found["least_errors"]
    certificate = found["certificate"]
    check = partial(verify_least_errors, certificate, positive=positive, intercept=intercept)
    answer = LeastErrors(
        lower=bounds["lower"],
        upper=bounds["upper"],
        certificate=certificate,
        ended_by=found.get("ended_by"),
        verified=bool(check(X, y)),
    )
    return answer._about(check, (X, y))


def verify_least_errors(
    certificate: dict[str, Any], X: Any, y: Any, *, positive: Any = None, intercept: bool = True
) -> Check:
    """Check a certificate of `least_errors` in exact arithmetic, with code that the search does not use.

    Parameters
    ----------
    certificate : dict
        A certificate of `least_errors`, or of a file that ``rosenblatt separable --least-errors --certificate`` wrote.

    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        The rows.

    y : array-like of shape (n_samples,)
        The labels.

    positive : label, default=None
        As for `least_errors`.

    intercept : bool, default=True
        As for `least_errors`.

    Returns
    -------
    Check
        The result of the check: true if the certificate is a proof; `problem` is the reason if it is not.

    Raises
    ------
    ValueError
        The argument is not a certificate.
    """
    matrix, codes = _input.binary_examples(X, y, positive)
    text = json.dumps(certificate)
    return Check._of(_native.verify_least_errors(text, matrix, codes, bool(intercept)))

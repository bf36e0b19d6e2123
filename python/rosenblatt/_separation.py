"""Complete separation, quasi-complete separation or overlap, with proofs that users can check."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import partial
from numbers import Real
from typing import Any

from . import _input, _native, _words
from ._answer import Check, HyperplaneAnswer


@dataclass(frozen=True)
class Column:
    """One column of a design, and what becomes of its estimate in a logistic regression.

    Attributes
    ----------
    name : str
        The name of the column of a table, otherwise ``x0``, ``x1``, …; ``(Intercept)`` for the constant.

    estimate : {"finite", "+inf", "-inf", "aliased"}
        Where the maximum-likelihood estimate goes in the direction of the proof. An *aliased* column is a linear
        combination of the columns before it, and has no estimate of its own.
    """

    name: str
    estimate: _words.Estimate


@dataclass(frozen=True)
class Separation(HyperplaneAnswer):
    """How two classes lie. Printing it gives a table of the columns. In an ``if`` it raises `ValueError`.

    Attributes
    ----------
    separation : {"complete", "quasi-complete", "overlap", "unknown"}
        With *overlap*, and only then, the maximum-likelihood estimate of a logistic regression exists.

    columns : list of Column
        The columns, the intercept first. Empty if the answer is unknown.

    unique : bool or None
        Whether the direction in which estimates diverge is the only one. If not, other directions may have other
        columns and signs. None if `rank` is None.

    on_hyperplane : int or None
        The number of rows on the hyperplane of the proof: all rows that every weakly separating hyperplane contains.

    rank : int or None
        The rank of the design; None if it was too much work, as of 2,000 columns or more that are completely separated.
        Then no column counts as aliased.

    ranks_proven : bool
        Whether `rank`, `unique` and the aliased columns are proven; if not, they are those modulo a prime of 17 digits.

    certificate : dict or None
        The proof, for `verify_separation` and the command ``rosenblatt separable --weak --verify``. It counts rows and
        columns from 1.

    ended_by : {"work", "clock", "precision"} or None
        Why the search ended without an answer.

    verified : bool
        Whether the checker confirmed the proof.
    """

    separation: _words.Case
    columns: list[Column]
    unique: bool | None
    on_hyperplane: int | None
    rank: int | None
    ranks_proven: bool
    certificate: dict[str, Any] | None = field(repr=False)
    ended_by: _words.EndedBy | None
    verified: bool

    def _columns(self) -> dict[str, list[Any]]:
        names = [column.name for column in self.columns]
        return {"column": names, "estimate": [column.estimate for column in self.columns]}

    def _title(self) -> str:
        return f"separation: {self.separation}"

    def _truth(self) -> str:
        return f"the answer is {self.separation!r}, which is neither yes nor no: compare `separation` with it"

    def __str__(self) -> str:
        width = max((len(column.name) for column in self.columns), default=0)
        lines = [f"{column.name:<{width}}  {column.estimate}" for column in self.columns]
        return "\n".join([self._title(), *lines])


def separation(
    X: Any, y: Any, *, positive: Any = None, intercept: bool = True, seconds: float | None = None
) -> Separation:
    """Tell complete separation, quasi-complete separation and overlap apart (Albert & Anderson 1984).

    The estimates of a logistic regression exist if and only if the classes overlap. Complete separation is called
    perfect separation, too. The answer has a proof, which is checked in exact arithmetic. Columns may depend on each
    other, as those of factors do.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        The design, without the intercept.

    y : array-like of shape (n_samples,)
        The labels, of two classes.

    positive : label, default=None
        If given, this label is class 1, and all others are class 0.

    intercept : bool, default=True
        Whether the regression has an intercept.

    seconds : float, default=None
        The maximum time of the search. By default, it ends after a fixed amount of work.

    Returns
    -------
    Separation
        The answer and its proof.

    Examples
    --------
    >>> from rosenblatt import separation
    >>> print(separation([[1], [2], [2], [3]], [0, 0, 1, 1]))
    separation: quasi-complete
    (Intercept)  -inf
    x0           +inf
    """
    if seconds is not None and not (isinstance(seconds, Real) and seconds > 0):
        raise ValueError(f"seconds is {seconds!r}, it must be positive")
    matrix, codes = _input.binary_examples(X, y, positive)
    time = None if seconds is None else float(seconds)
    found = json.loads(_native.separation(matrix, codes, bool(intercept), time))
    certificate = found.get("certificate")
    check = None
    if certificate is not None:
        check = partial(verify_separation, certificate, positive=positive, intercept=intercept)
    answer = Separation(
        separation=found["separation"],
        columns=[] if certificate is None else _columns(X, found, bool(intercept)),
        unique=found.get("unique"),
        on_hyperplane=found.get("on_hyperplane"),
        rank=found.get("rank"),
        ranks_proven=found.get("ranks_proven", False),
        certificate=certificate,
        ended_by=found.get("ended_by"),
        verified=check is not None and bool(check(X, y)),
    )
    return answer._about(check, (X, y))


def _columns(X: Any, found: dict[str, Any], intercept: bool) -> list[Column]:
    features = len(found["certificate"]["weights"])
    names = [str(name) for name in getattr(X, "columns", ())]
    if len(names) != features:
        names = [f"x{j}" for j in range(features)]
    estimates: dict[int, _words.Estimate] = dict.fromkeys(range(features + 1), "finite")
    estimates.update(dict.fromkeys(found["aliased"], "aliased"))
    estimates.update(
        {column: "+inf" if sign > 0 else "-inf" for column, sign in found["diverging"]}
    )
    first = 0 if intercept else 1
    named = ["(Intercept)", *names]
    return [Column(named[j], estimates[j]) for j in range(first, features + 1)]


def verify_separation(
    certificate: dict[str, Any], X: Any, y: Any, *, positive: Any = None, intercept: bool = True
) -> Check:
    """Check a certificate of `separation` in exact arithmetic, with code that the search does not use.

    Parameters
    ----------
    certificate : dict
        A certificate of `separation`, or of a file that ``rosenblatt separable --weak --certificate`` wrote.

    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        The design.

    y : array-like of shape (n_samples,)
        The labels.

    positive : label, default=None
        As for `separation`.

    intercept : bool, default=True
        As for `separation`.

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
    return Check._of(_native.verify_separation(text, matrix, codes, bool(intercept)))

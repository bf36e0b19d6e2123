"""Is it separable? Answers with proofs that anyone can check."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

from . import _input, _native

_REASONS = {
    "work": "the work that is allowed without `seconds` was done",
    "clock": "the time was over",
    "precision": "the numbers are too close for the search",
}


@dataclass(frozen=True)
class Separability:
    """Whether a hyperplane separates two classes, and how well.

    In an ``if`` it is true for *yes* and false for *no*; *unknown* raises, because it is neither.

    Attributes
    ----------
    separable : {"yes", "no", "unknown"}
        The answer.

    margin : dict
        ``lower`` and ``upper`` bound of the largest margin, in the space of a perceptron with this `bias`: of the rows
        (x, 1) for ``"unit"``, of the rows for ``"none"``, the geometric margin with a free bias for ``"radius"``.
        Either may be missing.

    radius : float or None
        R, the length of the longest row.

    bound : float or None
        The most mistakes of a perceptron from zero (Novikoff 1962).

    certificate : dict or None
        The proof, as `verify` and the command ``rosenblatt separable --verify`` take it. Rows in it are counted from 1.

    contradiction : tuple of int or None
        Two rows, from 0, that are equal but for their labels.

    ended_by : {"work", "clock", "precision"} or None
        Why the search ended before it was content, where it did: it had done the work that is allowed without
        `seconds`, `seconds` were over, or the numbers are too close for it.

    verified : bool
        Whether the checker has confirmed the proof; there is no answer without.

    details : dict
        All of it, with the keys of ``rosenblatt separable --json``.
    """

    separable: str
    margin: dict[str, float]
    radius: float | None
    bound: float | None
    certificate: dict[str, Any] | None = field(repr=False)
    contradiction: tuple[int, int] | None
    ended_by: str | None
    verified: bool
    details: dict[str, Any] = field(repr=False)

    def __bool__(self) -> bool:
        if self.separable == "unknown":
            raise ValueError(
                f"whether it is separable is unknown: {_REASONS.get(self.ended_by or '', 'there is no proof')}; "
                "look at `separable`, or give more `seconds`"
            )
        return self.separable == "yes"


@dataclass(frozen=True)
class Verification:
    """Whether a certificate is a proof; true in an ``if`` when it is.

    Attributes
    ----------
    verified : bool
        The answer.

    separable : {"yes", "no"}
        What the certificate claims.

    problem : str or None
        Why it proves nothing.

    hyperplanes : {"with a bias", "through the origin"}
        Which hyperplanes the certificate is about.
    """

    verified: bool
    separable: str
    problem: str | None
    hyperplanes: str

    def __bool__(self) -> bool:
        return self.verified


def separable(
    X: Any, y: Any, *, positive: Any = None, bias: str = "unit", seconds: float | None = None
) -> Separability:
    """Decide whether a hyperplane separates two classes.

    The answer is proven: *yes* by a separator, *no* by a combination of the rows that none can exist beside
    (Gordan 1873), both checked in exact arithmetic.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        The rows.

    y : array-like of shape (n_samples,)
        The labels, of two classes.

    positive : label, default=None
        Ask about this label against all others.

    bias : {"unit", "none", "radius"}, default="unit"
        The bias of the perceptron that `margin` and `bound` are about; with ``"none"`` the hyperplane passes
        through the origin.

    seconds : float, default=None
        When to give up. By default it gives up after an amount of work that is the same on every machine, a minute or
        two.

    Returns
    -------
    Separability
        The answer with its proof.

    Examples
    --------
    >>> from rosenblatt import separable, verify
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> bool(separable(X, [0, 0, 0, 1]))  # AND
    True
    >>> xor = separable(X, [0, 1, 1, 0])
    >>> xor.separable
    'no'
    >>> xor.certificate["multipliers"]
    ['1', '1', '1', '1']
    >>> bool(verify(xor.certificate, X, [0, 1, 1, 0]))
    True
    """
    _check_bias(bias)
    if seconds is not None and not (isinstance(seconds, Real) and seconds > 0):
        raise ValueError(f"seconds is {seconds!r}, it must be positive")
    matrix, examples = _input.rows(X)
    codes = _input.two_classes(y, positive)
    _input.check_lengths(examples, len(codes))
    time = None if seconds is None else float(seconds)
    found = json.loads(_native.separable(matrix, codes, bias, time))
    pair = found.get("contradiction")
    return Separability(
        separable=found["separable"],
        margin=found.get("margin", {}),
        radius=found.get("radius"),
        bound=found.get("bound"),
        certificate=found.get("certificate"),
        contradiction=None if pair is None else (pair[0] - 1, pair[1] - 1),
        ended_by=found.get("ended_by"),
        verified=found.get("verified", False),
        details=found,
    )


def verify(
    certificate: dict[str, Any], X: Any, y: Any, *, positive: Any = None, bias: str = "unit"
) -> Verification:
    """Check a certificate of `separable` in exact arithmetic, by code that shares nothing with the search.

    A separator through the origin is one with a bias too, and where no hyperplane with a bias separates, none through
    the origin does. Otherwise a certificate about other hyperplanes than those of `bias` is refused.

    Parameters
    ----------
    certificate : dict
        From `separable`, or read from a file that ``rosenblatt separable --certificate`` wrote.

    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        The rows that it is about.

    y : array-like of shape (n_samples,)
        Their labels.

    positive : label, default=None
        As for `separable`.

    bias : {"unit", "none", "radius"}, default="unit"
        As for `separable`: with ``"none"`` the question is about hyperplanes through the origin.

    Returns
    -------
    Verification
        True in an ``if`` when the certificate is a proof.

    Raises
    ------
    ValueError
        It is no certificate at all.
    """
    _check_bias(bias)
    matrix, examples = _input.rows(X)
    codes = _input.two_classes(y, positive)
    _input.check_lengths(examples, len(codes))
    checked = json.loads(_native.verify(json.dumps(certificate), matrix, codes, bias))
    return Verification(
        verified=checked["verified"],
        separable=checked["separable"],
        problem=checked["problem"],
        hyperplanes=checked["hyperplanes"],
    )


def _check_bias(bias: str) -> None:
    if bias not in ("unit", "none", "radius"):
        raise ValueError(f"bias is {bias!r}, expected 'unit', 'none' or 'radius'")

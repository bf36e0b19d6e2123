"""Whether a hyperplane separates two classes, with proofs that users can check."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import partial
from numbers import Real
from typing import Any

from . import _input, _native, _parameters, _words
from ._answer import Check, HyperplaneAnswer
from ._guarantee import Guarantee

_REASONS = {
    "work": "the search did all the work that it may do without `seconds`",
    "clock": "the time was over",
    "precision": "the numbers are too close for the search",
}


@dataclass(frozen=True)
class Separability(HyperplaneAnswer):
    """Whether a hyperplane separates two classes, and how well.

    In an ``if``, *yes* is true and *no* is false. *unknown* raises `ValueError`.

    Attributes
    ----------
    separable : {"yes", "no", "unknown"}
        The answer.

    margin : dict
        The ``lower`` and ``upper`` bound of the largest margin, in the units of the features; either can be missing. It
        is the margin of the rows (x, 1) for ``bias="unit"``, and of the rows x for ``"none"``. For ``"radius"`` it is
        the geometric margin with a free bias.

    separation : {"complete", "quasi-complete", "overlap", "unknown"}
        Which case it is. *Complete* is perfect separation, and *quasi-complete* that of some rows: in both, estimates
        of a logistic regression diverge, and the function `separation` has the columns. *unknown* if `separable` is, or
        if the search ended early.

    radius : float or None
        R, the largest norm of a row.

    bound : float or None
        The maximum number of mistakes of a perceptron from zero weights (Novikoff 1962).

    certificate : dict or None
        The proof, for `verify` and the command ``rosenblatt separable --verify``. It counts rows from 1.

    contradiction : tuple of int or None
        The indices, from 0, of two equal rows with different labels.

    ended_by : {"work", "clock", "precision"} or None
        Why the search ended early: it did all the work that it may do without `seconds`, `seconds` were over, or the
        numbers are too close for it.

    verified : bool
        Whether the checker confirmed the proof. Without a proof, the answer is *unknown*.

    guarantee : Guarantee or None
        The guaranteed error rate of new examples for the separator of the rows `compressed` alone, which separates all;
        None if the classes are not separable, or if the search for few rows ended early.

    compressed : tuple of int or None
        These rows, counted from 0. `separable` finds their separator if it gets only these.

    details : dict
        The complete result, with the keys of ``rosenblatt separable --json``.
    """

    separable: _words.Verdict
    separation: _words.Case
    margin: dict[str, float]
    radius: float | None
    bound: float | None
    certificate: dict[str, Any] | None = field(repr=False)
    contradiction: tuple[int, int] | None
    ended_by: _words.EndedBy | None
    verified: bool
    guarantee: Guarantee | None
    compressed: tuple[int, ...] | None = field(repr=False)
    details: dict[str, Any] = field(repr=False)

    def _truth(self) -> bool | str:
        reason = _REASONS.get(self.ended_by or "", "there is no proof")
        return self._truth_of(self.separable, reason)


@dataclass(frozen=True)
class Verification(Check):
    """Whether a certificate is a proof. In an ``if``, a proof is true.

    Attributes
    ----------
    verified : bool
        Whether the certificate is a proof.

    separable : {"yes", "no"}
        The claim of the certificate.

    problem : str or None
        Why the certificate is not a proof.

    hyperplanes : {"with a bias", "through the origin"}
        Which hyperplanes the certificate is about.
    """

    separable: _words.Verdict
    hyperplanes: _words.Hyperplanes


def separable(
    X: Any,
    y: Any,
    *,
    positive: Any = None,
    bias: _words.ProofBias = "unit",
    seconds: float | None = None,
) -> Separability:
    """Decide whether a hyperplane separates two classes.

    The answer has a proof, which is checked in exact arithmetic. The proof of *yes* is a separator. The proof of *no*
    is a combination of the rows that no separator allows (Gordan 1873).

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        The rows.

    y : array-like of shape (n_samples,)
        The labels, of two classes.

    positive : label, default=None
        If given, this label is class 1, and all others are class 0.

    bias : {"unit", "none", "radius"}, default="unit"
        The bias of the perceptron for `margin` and `bound`. With ``"none"``, the hyperplane passes through the origin.

    seconds : float, default=None
        The maximum time of the search. By default, the search ends after a fixed amount of work, about one or two
        minutes.

    Returns
    -------
    Separability
        The answer and its proof.

    Examples
    --------
    >>> from rosenblatt import separable, verify
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> bool(separable(X, [0, 0, 0, 1]))  # AND
    True
    >>> xor = separable(X, [0, 1, 1, 0])
    >>> xor.separable
    'no'
    >>> xor.separation
    'overlap'
    >>> xor.certificate["multipliers"]
    ['1', '1', '1', '1']
    >>> bool(verify(xor.certificate, X, [0, 1, 1, 0]))
    True
    """
    _parameters.check_value("separable", "bias", bias, _parameters.one_of("bias"))
    if seconds is not None and not (isinstance(seconds, Real) and seconds > 0):
        raise ValueError(f"seconds is {seconds!r}, it must be positive")
    matrix, codes = _input.binary_examples(X, y, positive)
    time = None if seconds is None else float(seconds)
    found = json.loads(_native.separable(matrix, codes, bias, time))
    pair = found.get("contradiction")
    compressed = found.get("compressed")
    answer = Separability(
        separable=found["separable"],
        separation=found.get("separation", "unknown"),
        margin=found.get("margin", {}),
        radius=found.get("radius"),
        bound=found.get("bound"),
        certificate=found.get("certificate"),
        contradiction=None if pair is None else (pair[0] - 1, pair[1] - 1),
        ended_by=found.get("ended_by"),
        verified=found.get("verified", False),
        guarantee=None if compressed is None else Guarantee(**compressed["guarantee"]),
        compressed=None if compressed is None else tuple(row - 1 for row in compressed["rows"]),
        details=found,
    )
    check = None
    if answer.certificate is not None:
        check = partial(verify, answer.certificate, positive=positive, bias=bias)
    return answer._about(check, (X, y))


def verify(
    certificate: dict[str, Any],
    X: Any,
    y: Any,
    *,
    positive: Any = None,
    bias: _words.ProofBias = "unit",
) -> Verification:
    """Check a certificate of `separable` in exact arithmetic, with code that the search does not use.

    A separator through the origin also proves *yes* for hyperplanes with a bias. If no hyperplane with a bias
    separates, none through the origin does. Any other certificate must be about the hyperplanes of `bias`.

    Parameters
    ----------
    certificate : dict
        A certificate of `separable`, or of a file that ``rosenblatt separable --certificate`` wrote.

    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        The rows.

    y : array-like of shape (n_samples,)
        The labels.

    positive : label, default=None
        As for `separable`.

    bias : {"unit", "none", "radius"}, default="unit"
        As for `separable`.

    Returns
    -------
    Verification
        The result of the check.

    Raises
    ------
    ValueError
        The argument is not a certificate.
    """
    _parameters.check_value("verify", "bias", bias, _parameters.one_of("bias"))
    matrix, codes = _input.binary_examples(X, y, positive)
    return Verification._of(_native.verify(json.dumps(certificate), matrix, codes, bias))

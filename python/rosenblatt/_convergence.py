"""Whether training ends with an epoch without mistakes, with a proof."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import partial
from numbers import Real
from typing import Any

from . import _input, _native, _parameters, _words
from ._answer import Answer, Check
from ._separability import verify


@dataclass(frozen=True)
class Convergence(Answer):
    """Whether a run ends with an epoch without mistakes.

    In an ``if``, *always* is true and *never* is false; the other answers raise `ValueError`.

    Attributes
    ----------
    convergence : {"always", "from-zero", "depends-on-order", "never"} or None
        A run ends in every order and from every start; in every order from weights of 0, if no update is rounded;
        in some orders only, or from some starts; or never. None if no theorem covers the rule, or the search ended.

    certificate : dict or None
        The proof. With the key ``convergence`` it is one for `verify_convergence`; otherwise separability decides,
        and it is one for `verify`. Both count rows from 1.

    ended_by : {"work", "clock", "precision"} or None
        Why the search ended without an answer.

    verified : bool
        Whether the checker confirmed the proof.
    """

    convergence: _words.Ending | None
    certificate: dict[str, Any] | None = field(repr=False)
    ended_by: _words.EndedBy | None
    verified: bool

    def _truth(self) -> bool | str:
        if self.convergence in ("always", "never"):
            return self.convergence == "always"
        return f"whether a run ends is {self.convergence!r}, which is neither yes nor no: compare `convergence`"


def convergence(
    X: Any,
    y: Any,
    *,
    positive: Any = None,
    update: _words.Update = "perceptron",
    bias: _words.ProofBias = "unit",
    mistake: _words.Mistake = "margin",
    zero: _words.Zero = "negative",
    seconds: float | None = None,
) -> Convergence:
    """Decide whether a run with these parameters ends with an epoch without mistakes.

    If a score of 0 is a mistake for both classes, or the bias is learned, this is separability. Otherwise a run may
    end although no hyperplane separates the classes strictly.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        The rows.

    y : array-like of shape (n_samples,)
        The labels, of two classes.

    positive : label, default=None
        If given, this label is class 1, and all others are class 0.

    update, bias, mistake, zero
        As for `Perceptron`. The run begins with weights of 0.

    seconds : float, default=None
        The maximum time of the search. By default, it ends after a fixed amount of work.

    Returns
    -------
    Convergence
        The answer and its proof.

    Examples
    --------
    Two rows are opposite, and a score of 0 is right for both:

    >>> from rosenblatt import convergence
    >>> X, y = [[1, 0], [-1, 0], [0, 1]], [1, 1, 0]
    >>> convergence(X, y, bias="none", mistake="label", zero="positive")
    Convergence(convergence='from-zero', ended_by=None, verified=True)
    >>> convergence(X, y, bias="none").convergence
    'never'
    """
    if seconds is not None and not (isinstance(seconds, Real) and seconds > 0):
        raise ValueError(f"seconds is {seconds!r}, it must be positive")
    parameters: dict[str, Any] = {"update": update, "mistake": mistake, "zero": zero}
    for name, value in parameters.items():
        _parameters.check_value("convergence", name, value)
    _parameters.check_value("convergence", "bias", bias, _parameters.one_of("bias"))
    matrix, codes = _input.binary_examples(X, y, positive)
    # Neither the learning rate nor the number of epochs changes the answer.
    parameters.update(bias=bias, random_state=0, eta0=1.0, max_iter=1)
    options = _parameters.engine_options(**parameters)
    time = None if seconds is None else float(seconds)
    found = json.loads(_native.convergence(matrix, codes, options, time))
    certificate, check = found["certificate"], None
    if certificate is not None:
        checker = verify_convergence if "convergence" in certificate else verify
        check = partial(checker, certificate, positive=positive, bias=bias)
    verified = check is not None and bool(check(X, y))
    return Convergence(**found, verified=verified)._about(check, (X, y))


def verify_convergence(
    certificate: dict[str, Any],
    X: Any,
    y: Any,
    *,
    positive: Any = None,
    bias: _words.ProofBias = "none",
) -> Check:
    """Check a certificate of `convergence` in exact arithmetic, with code that the search does not use.

    Parameters
    ----------
    certificate : dict
        A certificate of `convergence` with the key ``convergence``, or that of ``diagnosis`` in the report of
        ``rosenblatt train --diagnose --json --scale none``.

    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        The rows.

    y : array-like of shape (n_samples,)
        The labels.

    positive : label, default=None
        As for `convergence`.

    bias : str, default="none"
        As for `convergence`. Such a certificate is about runs without a bias.

    Returns
    -------
    Check
        The result of the check: true if the certificate is a proof; `problem` is the reason if it is not.

    Raises
    ------
    ValueError
        The argument is not a certificate.
    """
    _parameters.check_value("verify_convergence", "bias", bias, _parameters.one_of("bias"))
    matrix, codes = _input.binary_examples(X, y, positive)
    return Check._of(_native.verify_convergence(json.dumps(certificate), matrix, codes, bias))

"""Error rates of new examples that are guaranteed with a confidence of 95%."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, Context
from typing import Any

import numpy as np

from . import _input, _native, _words
from ._answer import Answer

_THEOREMS = {
    "clopper_pearson": "one-sided Clopper-Pearson",
    "one_pass": "by the mistakes of the one pass",
    "sample_compression": "by sample compression",
}

_REASONS = {
    "sorted": "the examples are sorted by class, so their order is not that of a random sample",
    "repeated": "many examples of a class are copies of others",
    "training_examples": (
        "each class has as many examples as in the training data, so these may be the training examples"
    ),
    "scaled": "the scaling follows from all examples",
    "weighted": "the inverse document frequencies follow from all examples",
    "balanced": "the class weights follow from all examples",
    "radius": "the bias follows from the longest of all rows",
    "classes": "that of one pass is for two classes",
    "left_out": "examples of weight 0 were left out of the pass",
    "tally": "that of one pass is for the vote, which this tally is not",
    "vacuous": "there are too few examples for one below 100%",
}


@dataclass(frozen=True)
class Guarantee(Answer):
    """An error rate of new examples that is guaranteed, or the reason why there is none.

    In an ``if``, a guarantee is true, and one that is withheld is false.

    It holds if these examples and the new ones are drawn independently from one source. No program can see that they
    are, but some examples show that they are not.

    Attributes
    ----------
    error_rate_at_most : float or None
        The error rate of new examples is at most this; None if there is no guarantee.

    confidence : float or None
        The probability, over samples of examples, that the statement is true.

    theorem : {"clopper_pearson", "one_pass", "sample_compression"} or None
        Its theorem; the page *Statements* of the documentation has their conditions.

    withheld : str or None
        Why there is none: ``"sorted"``, ``"repeated"``, ``"training_examples"``, ``"scaled"``, ``"weighted"``,
        ``"balanced"``, ``"radius"``, ``"classes"``, ``"left_out"``, ``"tally"`` or ``"vacuous"``. ``str`` says it in
        words.

    verified : bool
        False: a guarantee follows from a theorem and its conditions, and has no certificate.
    """

    error_rate_at_most: float | None = None
    confidence: float | None = None
    theorem: _words.Theorem | None = None
    withheld: str | None = None
    verified: bool = field(default=False, init=False, repr=False)

    def _title(self) -> str:
        return str(self)

    def _truth(self) -> bool:
        return self.withheld is None

    def __str__(self) -> str:
        if self.withheld is not None:
            return f"no guarantee for new examples: {_REASONS.get(self.withheld, self.withheld)}"
        upwards = Context(prec=3, rounding=ROUND_CEILING)
        rate = upwards.create_decimal_from_float(100 * (self.error_rate_at_most or 0))
        theorem = _THEOREMS.get(self.theorem or "", self.theorem)
        return (
            f"at most {rate}% errors on new examples with confidence {self.confidence:.0%} ({theorem}), "
            "if they and these are drawn independently from one source"
        )


def error_guarantee(estimator: Any, X: Any, y: Any) -> Guarantee:
    """Bound the error rate of new examples by the errors on test examples (Clopper & Pearson 1934).

    The test examples must not have been used to choose the classifier in any way: not to train it, not for an option, a
    threshold or the number of epochs.

    Parameters
    ----------
    estimator : classifier, or Pipeline that ends with one
        A fitted classifier.

    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        The test rows, as for ``estimator.predict``.

    y : array-like of shape (n_samples,)
        Their labels.

    Returns
    -------
    Guarantee
        The error rate that is guaranteed with a confidence of 95%. It is withheld if the examples are sorted by class
        or copied, or if each class has as many examples as in the training data of a perceptron of this package, with
        or without those that it held out.

    Examples
    --------
    >>> import numpy as np
    >>> from rosenblatt import Perceptron, error_guarantee
    >>> X = np.random.default_rng(0).normal(size=(1000, 2))
    >>> y = np.where(X @ [1, 2] > 0, "up", "down")
    >>> model = Perceptron().fit(X[:600], y[:600])
    >>> found = error_guarantee(model, X[600:], y[600:])
    >>> found.theorem, round(found.error_rate_at_most, 3)
    ('clopper_pearson', 0.012)
    """
    is_pipeline = hasattr(estimator, "steps")
    features = estimator[:-1].transform(X) if is_pipeline and len(estimator) > 1 else X
    matrix, count = _input.rows(features)
    classes, codes = _input.encoded(y)
    _input.check_lengths(count, len(codes))
    errors = int(np.count_nonzero(np.asarray(estimator.predict(X)) != classes[codes]))
    learner = estimator[-1] if is_pipeline else estimator
    sizes = dict(zip(classes.tolist(), np.bincount(codes).tolist(), strict=True))
    is_training = sizes in _training_sizes(learner)
    return Guarantee(**json.loads(_native.error_guarantee(matrix, codes, errors, is_training)))


def _training_sizes(learner: Any) -> list[dict[Any, int]]:
    """Return the numbers of training examples of each class, without and with those that were held out or left out."""
    learner = getattr(learner, "best_estimator_", learner)
    sizes = getattr(learner, "class_sizes_", None)
    if sizes is None:
        return []
    known = [sizes, sizes + learner._held_out] if len(learner._held_out) > 0 else [sizes]
    return [dict(zip(learner.classes_.tolist(), some.tolist(), strict=True)) for some in known]

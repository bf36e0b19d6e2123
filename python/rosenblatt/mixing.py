"""Iterative parameter mixing: one perceptron from shards of the data, on one machine or on many.

In each epoch, every shard starts from the same weights and makes one pass. The next weights are the mean of the last
weights of all shards (McDonald, Hall & Mann 2010). A shard is a property of the data, and each mean is the real number
rounded once. So the model does not depend on the machines, or on which of them holds a shard.

- `fit_shards` learns from shards in this process. `rosenblatt.spark` learns from a DataFrame of Spark, with an
  identical model.
- `Mixing` is the run without the machines: its tasks are sent to them, and it mixes their results.
- `mix`, `one_pass` and `worst` are the steps of the engine, on rows as they are.

One shard needs no mixing: `fit_shards` and `rosenblatt.spark` then learn as `rosenblatt.Perceptron`. The defaults are
those of `rosenblatt.Perceptron` for any number of shards. Features are scaled by the statistics of all shards together.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from . import _arrays, _input, _native, _parameters, _words
from ._base import check_classes, first_weights
from ._perceptron import Perceptron
from ._shards import Scaling, Shard, csr, split

__all__ = [
    "EpochTask",
    "EvaluationTask",
    "FitTask",
    "Mixing",
    "Pass",
    "Shard",
    "ShardErrors",
    "ShardStatistics",
    "StatisticsTask",
    "fit_shards",
    "mix",
    "one_pass",
    "split",
    "worst",
]

Weights: TypeAlias = "tuple[NDArray[np.float64], NDArray[np.float64]]"
"""Weights, one row per hyperplane, and biases."""

_EPSILON = float(np.finfo(np.float64).eps)
_TINY = 5e-324

DEFAULTS: dict[str, Any] = {**Perceptron().get_params(), "bias": "unit", "order": "shuffle"}
"""The defaults of a run: those of `Perceptron`, whose `bias` and `order` follow two other parameters."""


@dataclass(frozen=True)
class Pass:
    """The state of a pass over some examples.

    Attributes
    ----------
    last : tuple of ndarray
        The last weights, one row per hyperplane, and biases.

    kept : tuple of ndarray
        The average of the weights after each example, or with ``keep="last"`` the last weights.

    examples : int
        The number of examples.

    mistakes, updates, steps : list
        For each hyperplane, the number of mistakes and updates, and the sum of the absolute steps.

    class_sizes : list of int
        The number of examples of each class.

    radius : float
        R, the largest norm of a row.

    report : dict
        The report of the pass, with the keys of ``rosenblatt train --json``.

    number : int
        The number of the shard.

    values : int
        The number of values that are not 0, once for each hyperplane.
    """

    last: Weights
    kept: Weights
    examples: int
    mistakes: list[int]
    updates: list[int]
    steps: list[float]
    class_sizes: list[int]
    radius: float
    report: dict[str, Any]
    number: int = 0
    values: int = 0

    @classmethod
    def _of(cls, found: dict[str, Any], **more: Any) -> Pass:
        names = ("examples", "mistakes", "updates", "steps", "class_sizes", "radius")
        values: dict[str, Any] = {name: found[name] for name in names}
        report = json.loads(found["report"])
        return cls(last=found["last"], kept=found["kept"], report=report, **values, **more)


class ShardStatistics(NamedTuple):
    """The statistics of the features of one shard, from which the scaling of all rows follows.

    Attributes
    ----------
    number : int
        The number of the shard.

    features : ndarray
        Sums and counts, for the engine.
    """

    number: int
    features: NDArray[np.float64]


class ShardErrors(NamedTuple):
    """The errors and margins of weights on one shard, for each of the weights that can become the model.

    Attributes
    ----------
    number : int
        The number of the shard.

    errors : list of int
        The number of wrong predictions.

    plane_errors : list of list of int
        The examples on the wrong side of each hyperplane; empty where classes are learned jointly.

    margins : list of list of float
        The least functional margin for each hyperplane, rounded once; likewise.
    """

    number: int
    errors: list[int]
    plane_errors: list[list[int]]
    margins: list[list[float]]


def mix(weights: Sequence[Any], shares: Sequence[int]) -> NDArray[np.float64]:
    """Return the mean of vectors of weights with whole numbers as shares.

    Each number of the mean is the real number rounded once, so the order of the vectors makes no difference.

    Parameters
    ----------
    weights : sequence of array-like of equal shape
        The weights.

    shares : sequence of int
        For each of them, a share of at least 0; the sum is from 1 to 2**53.

    Returns
    -------
    ndarray
        The mean, of the shape of the weights.

    Examples
    --------
    >>> from rosenblatt.mixing import mix
    >>> mix([[1.0, 0.1], [4.0, 0.1]], [2, 1])
    array([2. , 0.1])
    """
    table = np.ascontiguousarray(np.stack([np.asarray(each, dtype=np.float64) for each in weights]))
    flat = table.reshape(len(table), -1)
    mixed = _native.mix(flat, np.zeros(len(flat)), [int(share) for share in shares])[0]
    return mixed.reshape(table.shape[1:])


def one_pass(
    X: Any,
    y: Any,
    *,
    classes: Any = None,
    coef_init: Any = None,
    intercept_init: Any = None,
    sample_weight: Any = None,
    keep: Literal["average", "last"] = "average",
    update: _words.Update = DEFAULTS["update"],
    bias: _words.Bias = DEFAULTS["bias"],
    mistake: _words.Mistake = DEFAULTS["mistake"],
    eta0: float = DEFAULTS["eta0"],
) -> Pass:
    """Learn from each example once, in the given order, from given weights.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        The rows.

    y : array-like of shape (n_samples,)
        The labels.

    classes : array-like of shape (n_classes,), default=None
        All labels, if some do not occur in `y`.

    coef_init, intercept_init : array-like, default=None
        The first weights and biases, as in `Perceptron.fit`. None is 0.

    sample_weight : array-like of shape (n_samples,), default=None
        The factor of the learning rate for each example; not 0.

    keep, update, bias, mistake, eta0
        As for `Perceptron`, where `keep` is the average or the last weights.

    Returns
    -------
    Pass
        The last weights, their average and the counts.

    Examples
    --------
    >>> from rosenblatt.mixing import one_pass
    >>> first = one_pass([[2.0], [-1.0]], [1, 0], keep="last")
    >>> second = one_pass([[1.0]], [0], classes=[0, 1], coef_init=first.last[0], intercept_init=first.last[1])
    >>> first.last[0], second.last[0], second.updates
    (array([[2.]]), array([[1.]]), [1])
    """
    matrix, count = _input.rows(X)
    known = np.unique(np.asarray(y if classes is None else classes))
    check_classes(known)
    codes = _input.codes_of(y, known)
    _input.check_lengths(count, len(codes))
    weights = _input.weights(sample_weight, count)
    features = matrix[3] if isinstance(matrix, tuple) else matrix.shape[1]
    start = first_weights((coef_init, intercept_init), len(known), features)
    options = _options(keep=keep, update=update, bias=bias, mistake=mistake, eta0=eta0)
    found = _native.one_pass(matrix, codes, len(known), options, start=start, weights=weights)
    return Pass._of(found)


def worst(
    X: Any, y: Any, coef: Any, intercept: Any = 0.0, *, count: int = 1, positive: Any = None
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the examples of least functional margin ``y·(w·x + b)`` for a hyperplane.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        The rows.

    y : array-like of shape (n_samples,)
        The labels, of two classes.

    coef : array-like of shape (n_features,)
        The weights.

    intercept : float, default=0
        The bias.

    count : int, default=1
        The maximum number of examples.

    positive : label, default=None
        If given, this label is the positive class, and all others are the negative class.

    Returns
    -------
    indices : ndarray of int
        The examples in the order of their margins. Among equal margins, earlier examples come first.

    margins : ndarray of float
        Their margins, each the real number rounded once. A margin above 0 is a correct prediction.

    Examples
    --------
    >>> from rosenblatt.mixing import worst
    >>> worst([[3.0], [-1.0], [1.0], [2.0]], [1, 0, 0, 1], [1.0], count=2)
    (array([2, 1]), array([-1.,  1.]))
    """
    matrix, codes = _input.binary_examples(X, y, positive)
    weights = np.ascontiguousarray(np.asarray(coef, dtype=np.float64).reshape(1, -1))
    biases = np.array([float(np.asarray(intercept).reshape(()))])
    return _native.worst(matrix, codes, weights, biases, count)


def _options(**given: Any) -> _native.Options:
    if not _parameters.is_real(given["eta0"]):
        raise ValueError(
            f"eta0 is {given['eta0']!r}, expected a number: a pass has one learning rate"
        )
    rest = {name: DEFAULTS[name] for name in ("random_state", "zero")}
    values = {"max_iter": 1, "order": "given", **rest, **given}
    return _parameters.engine_options(**values)


@dataclass(frozen=True)
class FitTask:
    """The whole run on one shard, for any machine: ``task(shard)`` returns a fitted `Perceptron`. It can be pickled."""

    estimator: Perceptron

    def __call__(self, shard: Shard) -> Perceptron:
        """Learn from the rows of the shard, in their order."""
        rows = csr(shard.matrix) if isinstance(shard.matrix, tuple) else shard.matrix
        labels = shard.classes[shard.codes]
        return self.estimator.fit(rows, labels, sample_weight=shard.weights)


@dataclass(frozen=True)
class StatisticsTask:
    """The statistics of a shard, for any machine: ``task(shard)`` returns `ShardStatistics`. It can be pickled."""

    def __call__(self, shard: Shard) -> ShardStatistics:
        """Visit the rows of the shard once."""
        return ShardStatistics(shard.number, _native.statistics(shard.matrix, shard.weights))


@dataclass(frozen=True)
class EpochTask:
    """One pass over a shard, for any machine: ``task(shard)`` returns a `Pass`. It can be pickled."""

    options: _native.Options
    classes: NDArray[Any]
    start: Weights | None
    seed: int | None = None
    epoch: int = 1
    scaling: Scaling | None = None

    def __call__(self, shard: Shard) -> Pass:
        """Learn from the rows of the shard once."""
        if self.seed is not None:
            shard = shard.shuffled(self.seed, self.epoch)
        shard = shard.scaled(self.scaling)
        found = _native.one_pass(
            shard.matrix,
            shard.codes_in(self.classes),
            len(self.classes),
            self.options,
            start=self.start,
            weights=shard.weights,
        )
        values = shard.nonzero * len(found["updates"])
        return Pass._of(found, number=shard.number, values=values)


@dataclass(frozen=True)
class EvaluationTask:
    """The errors of weights on a shard, for any machine: ``task(shard)`` returns `ShardErrors`. It can be pickled.

    The first of the `candidates` without errors becomes the model, and without any the last of them.
    """

    zero: str
    classes: NDArray[Any]
    candidates: tuple[Weights, ...]
    is_joint: bool
    scaling: Scaling | None = None

    def __call__(self, shard: Shard) -> ShardErrors:
        """Count the errors on the rows of the shard."""
        shard = shard.scaled(self.scaling)
        codes = shard.codes_in(self.classes)
        found = ShardErrors(shard.number, [], [], [])
        for candidate in self.candidates:
            found.errors.append(int((self._predicted(shard, candidate) != codes).sum()))
            planes = [] if self.is_joint else self._planes(shard, codes, candidate)
            found.plane_errors.append([errors for errors, _ in planes])
            found.margins.append([margin for _, margin in planes])
        return found

    def _predicted(self, shard: Shard, weights: Weights) -> NDArray[np.uint32]:
        classifier, count = _native.Classifier.linear(*weights), len(self.classes)
        return classifier.predict(shard.matrix, count, scores=False, zero=self.zero)[0]

    def _planes(
        self, shard: Shard, codes: NDArray[np.uint32], candidate: Weights
    ) -> list[tuple[int, float]]:
        """Return the errors and the least margin of each hyperplane."""
        found = []
        for plane in range(len(candidate[1])):
            signs = codes if len(self.classes) == 2 else (codes == plane).astype(np.uint32)
            weights, biases = (each[plane : plane + 1] for each in candidate)
            margin = float(_native.worst(shard.matrix, signs, weights, biases, 1)[1][0])
            one = _native.Classifier.linear(weights, biases)
            sides = one.predict(shard.matrix, 2, scores=False, zero=self.zero)[0]
            found.append((int((sides != signs).sum()), margin))
        return found


_WORDS = {
    "keep": ("auto", "average", "last"),
    "mixing": ("uniform", "errors"),
    "order": ("shuffle", "given"),
    "classes": ("auto", "one-vs-rest", "joint"),
}


class _Candidate(NamedTuple):
    """Weights that can become the model: the last ones, or an average with more epochs as the last."""

    kept: str
    extra_epochs: int
    weights: Weights


class Mixing:
    """A run of iterative parameter mixing, without the machines.

    The task of `statistics` is called on every shard, and `end_statistics` gets the results. Then, for each epoch,
    `task` is called on every shard, and `end_epoch` mixes the results. When it returns False, `evaluation` is called on
    every shard, and `finish` returns the model.

    Parameters
    ----------
    labels : array-like
        All labels.

    features : int
        The number of features.

    max_iter : int or None, default=None
        The maximum number of epochs. None ends the run where more epochs rarely help, as for `Perceptron`.

    keep : {"auto", "average", "last"}, default="auto"
        ``"average"``: the model is the average of the weights after each example of each epoch. ``"last"``: the mixed
        weights of the last epoch. ``"auto"`` is the average; after a run that converged, the average as if it had gone
        on for the least of 0, 1, 2, 4, 8, … epochs that makes it right on all examples (``report_["extra_epochs"]``),
        or the last weights if that takes more epochs than were made.

    mixing : {"uniform", "errors"}, default="uniform"
        How the last weights of the shards are mixed. ``"uniform"``: all alike. ``"errors"``: in proportion to
        the updates of each shard. On separable data, with the rule ``"perceptron"``, S shards make at most S·R²/γ²
        mistakes with the first, and at most R²/γ² epochs have a mistake with the second.

    order : {"shuffle", "given"}, default="shuffle"
        Whether each epoch from the second on has its own random order of the rows of a shard, or that of the shard.

    random_state : int, default=0
        The seed of these orders.

    update, bias, mistake, zero, eta0
        As for `Perceptron`, except that ``bias="radius"`` and second-order rules are errors.

    scale : {"auto"} or None, default="auto"
        As for `Perceptron`, by the statistics of all shards; the other scalings do not exist here. Margins, radius and
        bounds are those of the scaled rows.

    classes : {"auto", "one-vs-rest", "joint"}, default="auto"
        How more than two classes are learned, as for `Perceptron`: jointly with ``keep="auto"``. The report has no
        margin of classes that are learned jointly from several shards.

    Attributes
    ----------
    epochs : int
        The number of finished epochs.

    weights : tuple of ndarray or None
        The mixed weights and biases, for the scaled rows; None is 0.
    """

    def __init__(
        self,
        labels: Any,
        features: int,
        *,
        max_iter: int | None = DEFAULTS["max_iter"],
        keep: Literal["auto", "average", "last"] = DEFAULTS["keep"],
        mixing: Literal["uniform", "errors"] = "uniform",
        order: Literal["shuffle", "given"] = DEFAULTS["order"],
        random_state: int = DEFAULTS["random_state"],
        update: _words.Update = DEFAULTS["update"],
        bias: _words.Bias = DEFAULTS["bias"],
        mistake: _words.Mistake = DEFAULTS["mistake"],
        zero: _words.Zero = DEFAULTS["zero"],
        eta0: float = DEFAULTS["eta0"],
        scale: Literal["auto"] | None = DEFAULTS["scale"],
        classes: _words.Classes = DEFAULTS["classes"],
    ) -> None:
        words: dict[str, str] = {"keep": keep, "mixing": mixing, "order": order, "classes": classes}
        for name, value in words.items():
            if value not in _WORDS[name]:
                known = ", ".join(_WORDS[name])
                raise ValueError(f"{name} is {value!r}, expected one of {known}")
        texts = {"update": update, "bias": bias, "mistake": mistake, "zero": zero}
        for name, value in texts.items():
            if not isinstance(value, str):
                raise TypeError(f"{name} is {value!r}, expected a word")
        if bias == "radius":
            raise ValueError(
                "bias='radius' needs all rows before the first epoch; use bias='unit:S'"
            )
        if _parameters.has_rule("precisions", update):
            raise ValueError(
                f"update is {update!r}, but shards mix weights and not precisions; "
                "use a rule of first order, or rosenblatt.Perceptron"
            )
        if scale not in (None, "auto"):
            raise ValueError(
                f"scale is {scale!r}, but shards are scaled as 'auto' or None; "
                "for another scaling, scale the rows before"
            )
        if max_iter is not None:
            _parameters.check_value("Mixing", "max_iter", max_iter)
        self.labels = np.asarray(labels)
        check_classes(self.labels)
        self.features = int(features)
        self.max_iter = max_iter
        self.keep, self.mixing, self.bias, self.classes = keep, mixing, bias, classes
        is_together = classes == "joint" or (classes, keep) == ("auto", "auto")
        self._is_joint = is_together and len(self.labels) > 2
        self.order, self.random_state = order, _parameters.seed(random_state)
        self.parameters: dict[str, Any] = {
            "update": update,
            "bias": bias,
            "mistake": mistake,
            "zero": zero,
            "eta0": eta0,
        }
        self._options = _options(
            keep="last" if keep == "last" else "average",
            classes="joint" if self._is_joint else "one-vs-rest",
            **self.parameters,
        )
        self.scale = scale
        self._is_scaling_known = scale is None
        self._scaling: Scaling | None = None
        self.weights: Weights | None = None
        self._converged = False
        planes = 1 if len(self.labels) == 2 else len(self.labels)
        self._average: Weights | None = None
        self._mistakes: list[list[int]] = []
        self._updates: list[list[int]] = []
        # For each hyperplane, the sum of the mixed steps and of the rounding errors of its weights.
        self._steps = [0.0] * planes
        self._rounding = [0.0] * planes
        self._examples, self._shards, self._radius, self._values = 0, 0, 0.0, 0
        self._class_sizes = [0] * len(self.labels)
        self._report: dict[str, Any] = {}

    @property
    def epochs(self) -> int:
        """The number of finished epochs."""
        return len(self._mistakes)

    def statistics(self) -> StatisticsTask | None:
        """Return the task before the first epoch; None if the run needs no statistics, or has them."""
        return None if self._is_scaling_known else StatisticsTask()

    def end_statistics(self, found: Iterable[ShardStatistics]) -> None:
        """Scale the features by the statistics of all shards, in any order."""
        every = sorted(found, key=lambda each: each.number)
        _check_numbers([each.number for each in every], "statistics")
        features = [each.features for each in every]
        self._scaling = _native.scaling(features, self.bias == "none")
        self._is_scaling_known = True

    def task(self) -> EpochTask:
        """Return the task of the next epoch."""
        if not self._is_scaling_known:
            raise ValueError(
                "the features are not scaled yet; call the task of statistics() on every shard, "
                "and end_statistics with the results, or use scale=None"
            )
        seed = self.random_state if self.order == "shuffle" else None
        return EpochTask(
            self._options, self.labels, self.weights, seed, self.epochs + 1, self._scaling
        )

    def end_epoch(self, passes: Iterable[Pass]) -> bool:
        """Mix the passes of all shards of an epoch, in any order. Return whether the run continues."""
        every = sorted(passes, key=lambda each: each.number)
        _check_numbers([each.number for each in every], "one pass")
        rows = [each.examples for each in every]
        self._examples, self._shards = sum(rows), len(rows)
        self._values = sum(each.values for each in every)
        self._radius = max(each.radius for each in every)
        self._class_sizes = np.sum([each.class_sizes for each in every], axis=0).tolist()
        self._report = every[0].report
        self._mistakes.append(_sums([each.mistakes for each in every]))
        self._updates.append(_sums([each.updates for each in every]))
        before = self.weights
        self.weights = _mixed_planes([each.last for each in every], self._shares(every))
        self._bound_errors(before, every)
        if self.keep != "last":
            planes = len(self.weights[1])
            mean = _mixed_planes([each.kept for each in every], [rows] * planes)
            if self._average is not None:
                mean = _mixed_planes([self._average, mean], [[self.epochs - 1, 1]] * planes)
            self._average = mean
        self._converged = all(each.report["converged"] for each in every)
        return self.continues()

    def continues(self) -> bool:
        """Return whether the run makes another epoch."""
        return self.stopped_by is None

    @property
    def stopped_by(self) -> str | None:
        """Why the run ended, as in `Perceptron.report_`; None if it continues."""
        if self._converged:
            return str(self._report["stopped_by"])
        return self._ends_after(self.epochs)

    def _ends_after(self, epochs: int) -> str | None:
        """Why a run without an epoch free of mistakes ends after this number of epochs, or None."""
        mistakes = self._total(self._mistakes)[:epochs]
        most = self.max_iter or _parameters.MOST_EPOCHS
        if epochs >= most:
            return "max_epochs"
        is_plateau = self.max_iter is None and _native.plateau(mistakes, self._values)
        return "plateau" if is_plateau else None

    def _shares(self, every: list[Pass]) -> list[list[int]]:
        """Return the share of each shard for each hyperplane."""
        uniform = [1] * len(every)
        if self.mixing == "uniform":
            return [uniform] * len(self._steps)
        by_plane = list(zip(*(each.updates for each in every), strict=True))
        if self._is_joint:
            # An update counts at one class, and moves two.
            by_plane = [tuple(sum(each.updates) for each in every)] * len(self._steps)
        return [list(updates) if any(updates) else uniform for updates in by_plane]

    def _bound_errors(self, before: Weights | None, every: list[Pass]) -> None:
        """Add the mixed steps of an epoch, and a bound on the rounding of its weights.

        The two roundings of an update are each at most 2⁻⁵³ of the moved weights or of the step. Within a pass from w,
        the norm of the weights is at most ‖w‖ plus that of all steps. A mean rounds once. Roundings that underflow are
        at most half of the smallest number in each weight.
        """
        longest = self._longest()
        underflow = math.sqrt(self.features + 1) * _TINY
        for plane, shares in enumerate(self._shares(every)):
            start = 0.0 if before is None else self._norm(before, plane)
            total = sum(shares)
            steps = rounding = 0.0
            for share, each in zip(shares, every, strict=True):
                k, step = each.updates[plane], each.steps[plane]
                error = _EPSILON * k * (start + 2 * step * longest) + k * underflow
                steps += share / total * step
                rounding += share / total * error
            assert self.weights is not None
            self._steps[plane] += steps
            self._rounding[plane] += rounding + _EPSILON * self._norm(self.weights, plane)
            self._rounding[plane] += underflow

    def _feature(self) -> float:
        """Return the size of the bias feature, or 0 without one."""
        return {"none": 0.0, "unit": 1.0}.get(self.bias) or (
            0.0 if self.bias == "none" else float(self.bias.partition(":")[2])
        )

    def _longest(self) -> float:
        """Return an upper bound on the norm of a row with its bias feature."""
        return math.hypot(self._radius, self._feature()) * (1 + 8 * _EPSILON)

    def _norm(self, weights: Weights, plane: int) -> float:
        """Return an upper bound on the norm of the weights in the space of Novikoff's theorem."""
        size = self._feature()
        bias = float(weights[1][plane]) / size if size else 0.0
        return math.hypot(*weights[0][plane].tolist(), bias) * (1 + 8 * _EPSILON)

    def _total(self, counts: list[list[int]]) -> list[int]:
        return [sum(of_epoch) for of_epoch in counts]

    def _candidates(self) -> list[_Candidate]:
        """Return the weights that can become the model now: the first that are right on all rows, or the last ones."""
        if self.weights is None:
            raise ValueError("no epoch has ended")
        last = _Candidate("last", 0, self.weights)
        if self._average is None:
            return [last]
        average = _Candidate("average", 0, self._average)
        if self.keep == "average" or not self._converged:
            return [average]
        if self.epochs == 1:
            return [last]
        # Another rule would go on moving.
        is_at_rest = _parameters.has_rule("bound", self.parameters["update"])
        doubled = [1 << power for power in range(self.epochs.bit_length())] if is_at_rest else []
        return [average, *(self._blend(more) for more in doubled), last]

    def _blend(self, more: int) -> _Candidate:
        """Return the average as if a run without mistakes in its last epoch had made more epochs."""
        assert self.weights is not None
        assert self._average is not None
        shares = [[self.epochs, more]] * len(self._steps)
        return _Candidate("average", more, _mixed_planes([self._average, self.weights], shares))

    def evaluation(self) -> EvaluationTask:
        """Return the task that counts the errors on a shard of the weights that can become the model."""
        weights = tuple(each.weights for each in self._candidates())
        zero = self.parameters["zero"]
        return EvaluationTask(zero, self.labels, weights, self._is_joint, self._scaling)

    def estimator(self) -> Perceptron:
        """Return the perceptron with the parameters of this run, not fitted: for `FitTask`, if there is one shard."""
        return Perceptron(
            **{**self.parameters, "bias": None if self.bias == "unit" else self.bias},
            keep=self.keep,
            order="given" if self.order == "given" else None,
            random_state=self.random_state,
            max_iter=self.max_iter,
            classes=self.classes,
            scale=self.scale,
        )

    def finish(self, found: Iterable[ShardErrors]) -> Perceptron:
        """Return the model, with a report of the errors that the evaluation found."""
        every = sorted(found)
        if len(every) != self._shards:
            raise ValueError(f"{len(every)} of {self._shards} shards were evaluated")
        candidates = self._candidates()
        sums = [sum(errors) for errors in zip(*(each.errors for each in every), strict=True)]
        chosen = sums.index(0) if 0 in sums else len(sums) - 1
        weights = candidates[chosen].weights
        report = self._finished_report(every, candidates[chosen], chosen)
        estimator = self.estimator()
        options = _options(
            **self.parameters,
            keep=self.keep,
            classes=self.classes,
            order=self.order,
            random_state=self.random_state,
            max_iter=self.max_iter or self.epochs,
        )
        estimator.n_features_in_ = self.features
        output = {
            "report": json.dumps(report),
            "class_sizes": self._class_sizes,
            "mistakes": self._total(self._mistakes),
            "updates": self._total(self._updates),
            "ended": None,
            "classifier": self._classifier(weights, options, report),
        }
        estimator._set_output(output, self.labels, options)
        return estimator

    def _classifier(
        self, weights: Weights, options: _native.Options, report: dict[str, Any]
    ) -> _native.Classifier:
        """Return the classifier of rows before scaling."""
        classifier = _native.Classifier.linear(*weights)
        if self._scaling is None:
            return classifier
        shift, divisor = (numbers.tolist() for numbers in self._scaling)
        scaling = {"scale": self.scale, "shift": shift, "divisor": divisor}
        run = {"scaling": scaling, "options": json.loads(options.to_json()), "report": report}
        return classifier.with_scaling(json.dumps(run))

    def _finished_report(
        self, every: list[ShardErrors], candidate: _Candidate, place: int
    ) -> dict[str, Any]:
        """Return the report of a run whose model is the candidate at this place."""
        mistakes = self._total(self._mistakes)
        errors = sum(each.errors[place] for each in every)
        report = {
            **self._report,
            "examples": self._examples,
            "features": self.features,
            "epochs": self.epochs,
            "updates": sum(self._total(self._updates)),
            "converged": self._converged,
            "stopped_by": self.stopped_by or "max_epochs",
            "mistakes_per_epoch": mistakes,
            "kept": candidate.kept,
            "errors": {candidate.kept: errors},
            "training_errors": errors,
            "training_error_rate": errors / self._examples,
            "radius": self._radius,
        }
        if candidate.extra_epochs:
            report["extra_epochs"] = candidate.extra_epochs
        planes = [self._plane_report(plane) for plane in range(len(self._steps))]
        if not self._is_joint:
            for plane, of_plane in enumerate(planes):
                plane_errors = sum(each.plane_errors[place][plane] for each in every)
                of_plane["errors"] = {candidate.kept: plane_errors}
                least = min(each.margins[place][plane] for each in every)
                self._add_margin(of_plane, plane, candidate, least)
        if len(planes) > 1:
            return {**report, "margin": {}, "per_class": planes}
        names = ("min_margin", "separator", "margin")
        return {**report, **{name: planes[0][name] for name in names if name in planes[0]}}

    def _plane_report(self, plane: int) -> dict[str, Any]:
        """Return the counts of one hyperplane."""
        return {
            "examples": self._class_sizes[plane],
            "updates": sum(of_epoch[plane] for of_epoch in self._updates),
            "mistakes_per_epoch": [of_epoch[plane] for of_epoch in self._mistakes],
            "converged": self._mistakes[-1][plane] == 0,
            "margin": {},
        }

    def _add_margin(
        self, report: dict[str, Any], plane: int, candidate: _Candidate, least: float
    ) -> None:
        """Add what the least functional margin and the steps say about the margin of one hyperplane."""
        margin: dict[str, float] = report["margin"]
        terms = sum(of_epoch[plane] for of_epoch in self._updates) + self.epochs * self._shards
        if self._steps[plane] > 0 and self.weights is not None:
            length = self._norm(self.weights, plane) + self._rounding[plane]
            margin["upper"] = length / self._steps[plane] * (1 + (terms + 32) * _EPSILON)
        length = self._norm(candidate.weights, plane)
        if length > 0:
            report["min_margin"] = least / length
            if least > 0:
                report["separator"] = candidate.kept
                margin["lower"] = least / length * (1 - 32 * _EPSILON)

    def bounds(self, report: dict[str, Any]) -> dict[str, float]:
        """Return the bounds of the mixing theorem, from the report of a separating model of two classes.

        Returns
        -------
        dict
            With uniform mixing ``mistakes``, the maximum number S·R²/γ² of all mistakes of the run, R with the bias
            feature. With ``"errors"``, ``epochs``: the maximum number R²/γ² of epochs with a mistake. R and γ are those
            of the scaled rows.
        """
        lower = report["margin"].get("lower")
        if lower is None or not _parameters.has_rule("bound", self.parameters["update"]):
            return {}
        ratio = (self._longest() / lower) ** 2 * (1 + 32 * _EPSILON)
        return {"mistakes": self._shards * ratio} if self.mixing == "uniform" else {"epochs": ratio}

    # Checkpoints.

    def to_bytes(self) -> bytes:
        """Return the state between two epochs. `restore` continues to an identical model."""
        arrays = {}
        for name, weights in (("last", self.weights), ("average", self._average)):
            if weights is not None:
                arrays[name], arrays[f"{name}_bias"] = weights
        if self._scaling is not None:
            arrays["shift"], arrays["divisor"] = self._scaling
        values = {name: getattr(self, name) for name in _STATE}
        return _arrays.to_bytes({"scale": self.scale, **values}, arrays)

    def restore(self, content: Any) -> None:
        """Continue from the bytes of `to_bytes` of a run with equal parameters, on equal shards.

        Raise `ValueError` if this run would have ended before.
        """
        values, arrays = _arrays.from_bytes(content, "the checkpoint")
        if not values.keys() >= {"scale", *_STATE}:
            raise ValueError("the checkpoint was written by another version of rosenblatt")
        if values["scale"] != self.scale:
            problem = f"its scale is {values['scale']!r} and not {self.scale!r}"
            raise ValueError(f"the checkpoint is that of another run: {problem}")
        for name, numbers in arrays.items():
            if numbers.shape[-1] != (len(self._steps) if name.endswith("_bias") else self.features):
                raise ValueError(f"the checkpoint is that of another run: {name} does not fit")
        for name in _STATE:
            setattr(self, name, values[name])
        planes = [
            (np.array(arrays[name]), np.array(arrays[f"{name}_bias"])) if name in arrays else None
            for name in ("last", "average")
        ]
        self.weights, self._average = planes
        is_scaled = "shift" in arrays
        self._scaling = (
            (np.array(arrays["shift"]), np.array(arrays["divisor"])) if is_scaled else None
        )
        if any(self._ends_after(epochs) for epochs in range(1, self.epochs)):
            end = "where more epochs rarely help" if self.max_iter is None else self.max_iter
            raise ValueError(
                f"the checkpoint has {self.epochs} epochs, more than this run makes (it ends after {end}); "
                "a higher maximum continues it"
            )


_STATE = (
    "_is_scaling_known",
    "_converged",
    "_mistakes",
    "_updates",
    "_steps",
    "_rounding",
    "_examples",
    "_shards",
    "_radius",
    "_values",
    "_class_sizes",
    "_report",
)


def _check_numbers(numbers: list[int], expected: str) -> None:
    """Raise `ValueError` unless there is one result of each shard."""
    if len(set(numbers)) != len(numbers) or not numbers:
        raise ValueError(f"expected {expected} for each shard, got the shards {numbers}")


def _sums(counts: list[list[int]]) -> list[int]:
    return [sum(of_plane) for of_plane in zip(*counts, strict=True)]


def _mixed_planes(all_weights: list[Weights], shares: list[list[int]]) -> Weights:
    """Return the mean of several sets of hyperplanes; each hyperplane has its own shares."""
    mixed = []
    for plane, of_plane in enumerate(shares):
        weights = np.stack([weights[plane] for weights, _ in all_weights])
        biases = np.array([biases[plane] for _, biases in all_weights])
        mixed.append(_native.mix(weights, biases, of_plane))
    return np.concatenate([one for one, _ in mixed]), np.concatenate([one for _, one in mixed])


def fit_shards(shards: Iterable[Shard], **parameters: Any) -> Perceptron:
    """Learn from shards in this process, one after the other.

    The model is identical to that of `rosenblatt.spark.PerceptronClassifier` for equal rows, parameters and number of
    shards. If one shard has all rows, it is that of `Perceptron` for the rows in the order of the shard.

    Parameters
    ----------
    shards : iterable of Shard
        The shards, as from `split`.

    **parameters
        The parameters of `Mixing`: ``max_iter``, ``keep``, ``mixing``, ``order``, ``random_state``, ``update``,
        ``bias``, ``mistake``, ``zero``, ``eta0``, ``scale``, ``classes``.

    Returns
    -------
    Perceptron
        The fitted model.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from rosenblatt.mixing import fit_shards, split
    >>> X, y = load_iris(return_X_y=True)
    >>> model = fit_shards(split(X, y == 0, shards=4), keep="last")
    >>> model.report_["converged"], model.score(X, y == 0)
    (True, 1.0)
    """
    every = list(shards)
    if not every:
        raise ValueError("there are no shards with rows")
    if not all(isinstance(shard, Shard) for shard in every):
        raise TypeError("shards must be those of rosenblatt.mixing.split")
    labels = np.unique(np.concatenate([shard.classes for shard in every]))
    mixing = Mixing(labels, every[0].features, **parameters)
    if len(every) == 1:
        return FitTask(mixing.estimator())(every[0])
    statistics = mixing.statistics()
    if statistics is not None:
        mixing.end_statistics([statistics(shard) for shard in every])
    while True:
        task = mixing.task()
        if not mixing.end_epoch([task(shard) for shard in every]):
            break
    evaluation = mixing.evaluation()
    return mixing.finish([evaluation(shard) for shard in every])

"""Iterative parameter mixing: one perceptron from shards of the data, on one machine or on many.

In each epoch, every shard starts from the same weights and makes one pass. The next weights are the mean of the last
weights of all shards (McDonald, Hall & Mann 2010). A shard is a property of the data, and each mean is the real number
rounded once. So the model does not depend on the machines, or on which of them holds a shard.

- `fit_shards` learns from shards in this process. `rosenblatt.spark` learns from a DataFrame of Spark, with an
  identical model.
- `Mixing` is the run without the machines: its tasks are sent to them, and it mixes their results.
- `mix`, `one_pass` and `worst` are the steps of the engine, on rows as they are.

By default features are scaled as by `rosenblatt.Perceptron`, by the statistics of all shards together.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from . import _arrays, _input, _native, _parameters
from ._base import check_classes, first_weights
from ._perceptron import Perceptron
from ._shards import Scaling, Shard, split

__all__ = [
    "EpochTask",
    "EvaluationTask",
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
    """The errors and margins of a model on one shard.

    Attributes
    ----------
    number : int
        The number of the shard.

    errors : int
        The number of wrong predictions.

    plane_errors : list of int
        The examples on the wrong side of each hyperplane.

    margins : list of float
        The least functional margin for each hyperplane, rounded once.
    """

    number: int
    errors: int
    plane_errors: list[int]
    margins: list[float]


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
    keep: str = "average",
    update: str = "perceptron",
    bias: str = "unit",
    mistake: str = "margin",
    eta0: float = 1.0,
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
    values = {"max_iter": 1, "order": "given", "random_state": 0, "zero": "negative", **given}
    return _parameters.engine_options(**values)


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
    """The errors of weights on a shard, for any machine: ``task(shard)`` returns `ShardErrors`. It can be pickled."""

    zero: str
    classes: NDArray[Any]
    weights: Weights
    scaling: Scaling | None = None

    def __call__(self, shard: Shard) -> ShardErrors:
        """Count the errors on the rows of the shard."""
        shard = shard.scaled(self.scaling)
        codes = shard.codes_in(self.classes)
        classifier = _native.Classifier.linear(*self.weights)
        count = len(self.classes)
        predicted = classifier.predict(shard.matrix, count, scores=False, zero=self.zero)[0]
        plane_errors, margins = [], []
        for plane in range(len(self.weights[1])):
            signs = codes if count == 2 else (codes == plane).astype(np.uint32)
            weights, biases = (each[plane : plane + 1] for each in self.weights)
            margins.append(float(_native.worst(shard.matrix, signs, weights, biases, 1)[1][0]))
            one = _native.Classifier.linear(weights, biases)
            sides = one.predict(shard.matrix, 2, scores=False, zero=self.zero)[0]
            plane_errors.append(int((sides != signs).sum()))
        return ShardErrors(shard.number, int((predicted != codes).sum()), plane_errors, margins)


_KEEPS = ("average", "last")
_MIXINGS = ("uniform", "errors")
_ORDERS = ("shuffle", "given")


class Mixing:
    """A run of iterative parameter mixing, without the machines.

    The task of `statistics` is called on every shard, and `end_statistics` gets the results. Then, for each epoch,
    `task` is called on every shard, and `end_epoch` mixes the results. When it returns False, `evaluation` is called on
    every shard, and `finish` returns the model.

    Parameters
    ----------
    classes : array-like
        All labels.

    features : int
        The number of features.

    max_iter : int or None, default=None
        The maximum number of epochs. None ends the run where more epochs rarely help, as for `Perceptron`.

    keep : {"average", "last"}, default="average"
        ``"average"``: the model is the average of the weights after each example of each epoch. ``"last"``: the mixed
        weights of the last epoch.

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

    Attributes
    ----------
    epochs : int
        The number of finished epochs.

    weights : tuple of ndarray or None
        The mixed weights and biases, for the scaled rows; None is 0.
    """

    def __init__(
        self,
        classes: Any,
        features: int,
        *,
        max_iter: int | None = None,
        keep: str = "average",
        mixing: str = "uniform",
        order: str = "shuffle",
        random_state: int = 0,
        update: str = "perceptron",
        bias: str = "unit",
        mistake: str = "margin",
        zero: str = "negative",
        eta0: float = 1.0,
        scale: str | None = "auto",
    ) -> None:
        words = (("keep", keep, _KEEPS), ("mixing", mixing, _MIXINGS), ("order", order, _ORDERS))
        for name, value, known in words:
            if value not in known:
                raise ValueError(f"{name} is {value!r}, expected one of {', '.join(known)}")
        for name, value in (
            ("update", update),
            ("bias", bias),
            ("mistake", mistake),
            ("zero", zero),
        ):
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
        self.classes = np.asarray(classes)
        check_classes(self.classes)
        self.features = int(features)
        self.max_iter = max_iter
        self.keep, self.mixing, self.bias = keep, mixing, bias
        self.order, self.random_state = order, _parameters.seed(random_state)
        self.parameters: dict[str, Any] = {
            "update": update,
            "bias": bias,
            "mistake": mistake,
            "zero": zero,
            "eta0": eta0,
        }
        self._options = _options(keep=keep, **self.parameters)
        self.scale = scale
        self._is_scaling_known = scale is None
        self._scaling: Scaling | None = None
        self.weights: Weights | None = None
        self._converged = False
        planes = 1 if len(self.classes) == 2 else len(self.classes)
        self._average: Weights | None = None
        self._mistakes: list[list[int]] = []
        self._updates: list[list[int]] = []
        # For each hyperplane, the sum of the mixed steps and of the rounding errors of its weights.
        self._steps = [0.0] * planes
        self._rounding = [0.0] * planes
        self._examples, self._shards, self._radius, self._values = 0, 0, 0.0, 0
        self._class_sizes = [0] * len(self.classes)
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
            self._options, self.classes, self.weights, seed, self.epochs + 1, self._scaling
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
        if self.keep == "average":
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
        is_plateau = self.max_iter is None and _native.plateau(mistakes, self._values, most)
        return "plateau" if is_plateau else None

    def _shares(self, every: list[Pass]) -> list[list[int]]:
        """Return the share of each shard for each hyperplane."""
        uniform = [1] * len(every)
        if self.mixing == "uniform":
            return [uniform] * len(self._steps)
        by_plane = zip(*(each.updates for each in every), strict=True)
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

    def kept_weights(self) -> Weights:
        """Return the weights and biases that would be the model now, for the scaled rows."""
        kept = self._average if self.keep == "average" else self.weights
        if kept is None:
            raise ValueError("no epoch has ended")
        return kept

    def evaluation(self) -> EvaluationTask:
        """Return the task that counts the errors of the model on a shard."""
        weights = self.kept_weights()
        return EvaluationTask(self.parameters["zero"], self.classes, weights, self._scaling)

    def finish(self, found: Iterable[ShardErrors]) -> Perceptron:
        """Return the model, with a report of the errors that the evaluation found."""
        every = sorted(found)
        if len(every) != self._shards:
            raise ValueError(f"{len(every)} of {self._shards} shards were evaluated")
        weights = self.kept_weights()
        report = self._finished_report(every, weights)
        parameters = self.parameters
        estimator = Perceptron(
            **{**parameters, "bias": None if self.bias == "unit" else self.bias},
            keep=self.keep,
            order="given" if self.order == "given" else None,
            random_state=self.random_state,
            max_iter=self.max_iter,
            classes="one-vs-rest",
            scale=self.scale,
        )
        options = _options(
            **parameters,
            keep=self.keep,
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
        estimator._set_output(output, self.classes, options)
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

    def _finished_report(self, every: list[ShardErrors], weights: Weights) -> dict[str, Any]:
        mistakes = self._total(self._mistakes)
        errors = sum(each.errors for each in every)
        planes = [self._plane_report(plane, every, weights) for plane in range(len(weights[1]))]
        report = {
            **self._report,
            "examples": self._examples,
            "features": self.features,
            "epochs": self.epochs,
            "updates": sum(self._total(self._updates)),
            "converged": self._converged,
            "stopped_by": self.stopped_by or "max_epochs",
            "mistakes_per_epoch": mistakes,
            "kept": self.keep,
            "errors": {self.keep: errors},
            "training_errors": errors,
            "training_error_rate": errors / self._examples,
            "radius": self._radius,
        }
        if len(planes) > 1:
            return {**report, "margin": {}, "per_class": planes}
        names = ("min_margin", "separator", "margin")
        return {**report, **{name: planes[0][name] for name in names if name in planes[0]}}

    def _plane_report(
        self, plane: int, every: list[ShardErrors], weights: Weights
    ) -> dict[str, Any]:
        """Return the report of one hyperplane."""
        margin: dict[str, float] = {}
        terms = sum(of_epoch[plane] for of_epoch in self._updates) + self.epochs * self._shards
        if self._steps[plane] > 0 and self.weights is not None:
            length = self._norm(self.weights, plane) + self._rounding[plane]
            margin["upper"] = length / self._steps[plane] * (1 + (terms + 32) * _EPSILON)
        report: dict[str, Any] = {
            "examples": self._class_sizes[plane],
            "updates": sum(of_epoch[plane] for of_epoch in self._updates),
            "mistakes_per_epoch": [of_epoch[plane] for of_epoch in self._mistakes],
            "converged": self._mistakes[-1][plane] == 0,
            "errors": {self.keep: sum(each.plane_errors[plane] for each in every)},
            "margin": margin,
        }
        length = self._norm(weights, plane)
        if length > 0:
            least = min(each.margins[plane] for each in every)
            report["min_margin"] = least / length
            if least > 0:
                report["separator"] = self.keep
                margin["lower"] = least / length * (1 - 32 * _EPSILON)
        return report

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
    shards.

    Parameters
    ----------
    shards : iterable of Shard
        The shards, as from `split`.

    **parameters
        The parameters of `Mixing`: ``max_iter``, ``keep``, ``mixing``, ``order``, ``random_state``, ``update``,
        ``bias``, ``mistake``, ``zero``, ``eta0``, ``scale``.

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
    classes = np.unique(np.concatenate([shard.classes for shard in every]))
    mixing = Mixing(classes, every[0].features, **parameters)
    statistics = mixing.statistics()
    if statistics is not None:
        mixing.end_statistics([statistics(shard) for shard in every])
    while True:
        task = mixing.task()
        if not mixing.end_epoch([task(shard) for shard in every]):
            break
    evaluation = mixing.evaluation()
    return mixing.finish([evaluation(shard) for shard in every])

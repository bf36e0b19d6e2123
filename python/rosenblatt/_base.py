"""The base class of the estimators: scikit-learn's contract, implemented with the engine."""

from __future__ import annotations

import copy
import json
import os
import threading
import warnings
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, column_or_1d

from . import _input, _lab, _model, _native, _parameters, _state, _table
from ._callbacks import FRAMES, CallbackSupportMixin, EpochCallbacks
from ._gamma import gamma_of

if TYPE_CHECKING:
    from typing import TypeAlias

    from typing_extensions import Self

    StrPath: TypeAlias = "str | os.PathLike[str]"


class Explanation(NamedTuple):
    """The scores of rows as sums, which `explain` returns."""

    values: Any
    """What each feature adds to the score of each row."""

    base_values: float | NDArray[np.float64]
    """What there is to a score without the features."""


class Examples(NamedTuple):
    """Training examples as the engine takes them."""

    matrix: _input.Matrix
    codes: NDArray[np.uint32]
    weights: NDArray[np.float64] | None

    @classmethod
    def from_input(
        cls, rows: tuple[_input.Matrix, int], codes: NDArray[np.uint32], sample_weight: Any
    ) -> Self:
        """Check that there is one label, and at most one weight, for each row."""
        matrix, count = rows
        _input.check_lengths(count, len(codes))
        return cls(matrix, codes, _input.weights(sample_weight, count))

    def select(self, places: NDArray[Any]) -> Examples:
        """Copy some of the examples."""
        weights = None if self.weights is None else self.weights[places]
        return Examples(_input.selected(self.matrix, places), self.codes[places], weights)

    def without_zero_weights(self) -> Examples:
        """Leave out the examples of weight 0."""
        if self.weights is None or self.weights.all():
            return self
        return self.select(np.flatnonzero(self.weights))

    def of_weighted_classes(self, class_weight: str | list[float]) -> Examples:
        """Leave out the examples of classes of weight 0."""
        if isinstance(class_weight, str) or all(class_weight):
            return self
        return self.select(np.flatnonzero(np.array(class_weight)[self.codes]))


def check_classes(classes: NDArray[Any]) -> None:
    """Raise `ValueError` if there are fewer than two classes."""
    if len(classes) < 2:
        message = "The number of classes has to be greater than one; got "
        raise ValueError(f"{message}{len(classes)} class")


_WEIGHT_ATTRIBUTES = (
    "coef_",
    "intercept_",
    "dual_coef_",
    "support_",
    "support_vectors_",
    "support_counts_",
)

_FEATURE_ATTRIBUTES = ("n_features_in_", "feature_names_in_")

# Not attributes, because locks cannot be copied or pickled.
_locks: WeakKeyDictionary[Any, threading.RLock] = WeakKeyDictionary()
_locks_lock = threading.Lock()


def lock_of(estimator: Any) -> threading.RLock:
    """Return the lock of an estimator."""
    with _locks_lock:
        return _locks.setdefault(estimator, threading.RLock())


_STALE = "there are no probabilities: coef_ or intercept_ were changed after they were calibrated"


def _is_calibrated(estimator: Any) -> bool:
    """Return True, or raise `AttributeError` for a model without probabilities."""
    classifier = estimator.__dict__.get("_classifier")
    is_fitted = estimator.__sklearn_is_fitted__()
    method = classifier.calibrate if is_fitted and classifier else None
    if (method if is_fitted else estimator.calibrate) is not None:
        return True
    raise AttributeError(
        "probabilities need calibrate='temperature', 'platt', 'isotonic' or 'venn-abers' in fit"
    )


def has_scores_that_decide(estimator: Any) -> bool:
    """Return True, or raise `AttributeError` for a model whose labels follow its probabilities."""
    classifier = estimator.__dict__.get("_classifier")
    if estimator.__sklearn_is_fitted__():
        has_probable_labels = classifier is not None and classifier.has_probable_labels
    else:
        has_probable_labels = estimator.calibrate in _parameters.RELABELLING
    if has_probable_labels:
        raise AttributeError(
            f"with calibrate={estimator.calibrate!r} labels follow predict_proba, not the scores; "
            "calibrate='temperature' has both"
        )
    return True


def _has_intervals(estimator: Any) -> bool:
    """Return True, or raise `AttributeError` for a model without pairs of probabilities."""
    _is_calibrated(estimator)
    classifier = estimator.__dict__.get("_classifier")
    if "venn-abers" in (estimator.calibrate, classifier and classifier.calibrate):
        return True
    raise AttributeError("intervals need calibrate='venn-abers'")


class Base(CallbackSupportMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The base class of the estimators. A subclass need not have all parameters: see `_parameters.value_of`."""

    classes_: NDArray[Any]
    n_iter_: int
    t_: int
    n_features_in_: int
    n_updates_: int
    n_mistakes_: int
    history_: dict[str, NDArray[Any]]
    coef_: Any
    intercept_: Any
    _report: dict[str, Any]
    _run: _native.Options
    _classifier: _native.Classifier | None
    _stream: _native.Stream | None
    _file: dict[str, Any] | None
    # The mistakes and updates of each batch of a stream.
    _counts: tuple[list[int], list[int] | None] | None

    # Parameters.

    def _options(
        self, class_weight: str | list[float], gamma: float | None = None, **changes: Any
    ) -> _native.Options:
        """Convert the parameters to the engine's options; `gamma` is that of the rows, where they decide it."""
        names = ("keep", "mistake", "zero", "init", "classes")
        numbers = ("max_iter", "max_mistakes", "eta0")
        options = {name: _parameters.value_of(self, name) for name in (*names, *numbers)}
        if options["classes"] == "auto" and _parameters.value_of(self, "tol") is not None:
            # The losses of `tol` are those of each hyperplane alone.
            options["classes"] = "one-vs-rest"
        options["update"] = _parameters.update_text(self)
        options["kernel"] = _parameters.kernel_text(self, gamma)
        options["penalty"] = _parameters.penalty_text(self)
        options["bias"] = self.bias or ("unit" if self.fit_intercept else "none")
        options["order"] = self.order or ("shuffle" if self.shuffle else "given")
        options["random_state"] = _parameters.seed(self.random_state)
        if self.max_iter is None and _parameters.has_own_end(self):
            options["max_iter"] = _parameters.MOST_EPOCHS
        options["class_weight"] = class_weight
        return _parameters.engine_options(**{**options, **changes})

    def _class_weight(self, classes: NDArray[Any]) -> str | list[float]:
        """Return the weight of each class, or the engine's name for all of them."""
        if self.class_weight is None:
            return "uniform"
        if isinstance(self.class_weight, str) and self.class_weight == "balanced":
            return "balanced"
        if not isinstance(self.class_weight, Mapping):
            expected = "expected None, 'balanced' or a dict"
            raise ValueError(f"class_weight is {self.class_weight!r}, {expected}")
        unknown = [label for label in self.class_weight if label not in classes.tolist()]
        if unknown:
            raise ValueError(f"class_weight names {unknown[0]!r}, which is not a class of y")
        weights = [self.class_weight.get(label, 1.0) for label in classes.tolist()]
        for weight in weights:
            if not _parameters.is_real(weight) or weight < 0:
                raise ValueError(f"class_weight has {weight!r}, expected a number of at least 0")
        if not any(weights):
            raise ValueError("class_weight leaves out all classes: every weight is 0")
        return [float(weight) for weight in weights]

    # Training.

    def _fit(
        self, X: Any, y: Any, sample_weight: Any, start: tuple[Any, Any] = (None, None)
    ) -> Self:
        before = {name: self.__dict__.get(name) for name in _FEATURE_ATTRIBUTES}
        try:
            self._train(X, y, sample_weight, start)
        except BaseException:
            # The model of the fit before stays, and so must the description of its features.
            for name, value in before.items():
                self.__dict__.pop(name, None)
                if value is not None:
                    setattr(self, name, value)
            raise
        _lab.remember(self, X, y)
        return self

    def _examples(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Examples, NDArray[Any], NDArray[Any]]:
        """Return the examples with a positive weight, their classes, and how many of each were given."""
        rows = _input.rows(X, estimator=self)
        classes, codes = _input.encoded(y)
        sizes = np.bincount(codes, minlength=len(classes))
        given = Examples.from_input(rows, codes, sample_weight)
        examples = given.without_zero_weights()
        if examples is given:
            return examples, classes, sizes
        present, remaining = np.unique(examples.codes, return_inverse=True)
        examples = examples._replace(codes=remaining.astype(np.uint32))
        return examples, classes[present], sizes[present]

    def _train(self, X: Any, y: Any, sample_weight: Any, start: tuple[Any, Any]) -> Self:
        _parameters.check(self)
        examples, classes, sizes = self._examples(X, y, sample_weight)
        check_classes(classes)
        class_weight = self._class_weight(classes)
        examples = examples.of_weighted_classes(class_weight)
        options = self._options(class_weight, gamma_of(self, examples.matrix, examples.weights))
        callbacks = EpochCallbacks.for_estimator(self, X, y, sample_weight, classes)
        parameter = partial(_parameters.value_of, self)
        if self.calibrate is not None and any(part is not None for part in start):
            raise ValueError(
                f"calibrate={self.calibrate!r} needs runs that begin with no weights: the first weights may have "
                "learned from the examples that calibrate"
            )
        tol, share = parameter("tol"), float(parameter("validation_fraction"))
        output = _native.fit(
            examples.matrix,
            examples.codes,
            len(classes),
            options,
            end={
                "holdout": share if parameter("early_stopping") else None,
                "tol": None if tol is None else float(tol),
                "patience": int(parameter("n_iter_no_change")),
                "calibrate": self._calibrate_arguments(share),
            },
            weights=examples.weights,
            start=first_weights(start, len(classes), self.n_features_in_),
            after_epoch=self._after_epoch(callbacks),
            threads=_parameters.thread_count(self.n_jobs),
            prepare=self._preparation(),
        )
        self._set_output(output, classes, options)
        self._held_out = sizes - self.class_sizes_
        is_partial = len(examples.codes) < len(np.asarray(y))
        if is_partial and "error_rate_at_most" in self._report.get("guarantee", {}):
            self._report["guarantee"] = {"withheld": "left_out"}
        if callbacks is not None:
            callbacks.fit_ended()
        self._warn_of_mistakes()
        return self

    def _preparation(self) -> dict[str, str | None]:
        """Return how rows are prepared, by the engine's names."""
        chosen = {name: getattr(self, name) for name in _parameters.PREPARATION}
        none = {name: word for name, (word, _) in _parameters.PREPARATION.items()}
        return {name: none[name] if step is None else step for name, step in chosen.items()}

    def _calibrate_arguments(self, share: float) -> dict[str, Any] | None:
        """Return the method of the probabilities and the examples for it, as the native part takes them."""
        if self.calibrate is None:
            return None
        return {"method": self.calibrate, "folds": self.calibration_folds, "holdout": share}

    def _after_epoch(self, callbacks: EpochCallbacks | None) -> Any:
        """Return the function that the engine calls after each epoch."""
        if callbacks is None and not self.verbose:
            return None
        number = 0

        def after_epoch(mistakes: int, classifier: Any) -> bool:
            nonlocal number
            number += 1
            if self.verbose:
                print(f"epoch {number}: {mistakes} mistakes")
            return callbacks is not None and callbacks.epoch_ended(classifier)

        return after_epoch

    def _set_output(
        self, output: dict[str, Any], classes: NDArray[Any], options: _native.Options
    ) -> None:
        """Set the attributes that a fit sets."""
        report = json.loads(output["report"])
        if report["stopped_by"] == "observer":
            report["stopped_by"] = output["ended"]
        self.classes_ = classes
        self.class_sizes_ = np.array(output["class_sizes"], dtype=np.int64)
        self._held_out = np.zeros_like(self.class_sizes_)
        self._report = report
        self._run = options
        self._stream = self._file = None
        self._counts = None
        self.n_iter_ = report["epochs"]
        self.t_ = self.n_iter_ * report["examples"] + 1
        self.n_updates_ = report["updates"]
        self.history_ = history_of(output["mistakes"], output["updates"])
        self.n_mistakes_ = int(self.history_["mistakes"].sum())
        self._set_classifier(output["classifier"])

    def _clear_weights(self) -> None:
        """Remove the attributes with weights and support."""
        for name in _WEIGHT_ATTRIBUTES:
            self.__dict__.pop(name, None)
        self._classifier = None

    def _set_classifier(self, classifier: _native.Classifier) -> None:
        """Set the attributes with weights and support."""
        self._clear_weights()
        planes, support = classifier.planes(), classifier.support()
        if planes is not None:
            setattr(self, "coef_" if support is None else "dual_coef_", planes[0])
            self.intercept_ = planes[1]
        # In feature space, users can change `coef_` and `intercept_`, so the classifier is made from these, unless its
        # rows are weighted, scaled or normalised, or its scores are calibrated.
        is_prepared = classifier.is_prepared or classifier.calibrate is not None
        is_plain = support is None and not is_prepared
        self._classifier = None if is_plain else classifier
        if support is None:
            return
        data, indices, indptr, examples, counts = support
        shape = (len(examples), classifier.features)
        self.support_vectors_ = sparse.csr_matrix((data, indices, indptr), shape=shape)
        self.support_ = examples
        self.support_counts_ = counts

    def _warn_of_mistakes(self) -> None:
        # Only the last weights need an epoch without mistakes, and with a penalty they change after it, too.
        if (
            _parameters.value_of(self, "keep") != "last"
            or _parameters.value_of(self, "penalty") is not None
        ):
            return
        mistakes = self._report["mistakes_per_epoch"][-1]
        is_cut_off = self._report["stopped_by"] in ("max_epochs", "plateau")
        if not is_cut_off or mistakes <= self.max_mistakes:
            return
        most = (
            "the last"
            if self.max_iter is None
            else f"the last that max_iter={self.max_iter} allows"
        )
        message = (
            f"{mistakes} mistake{' remains' if mistakes == 1 else 's remain'} in epoch {self.n_iter_}, {most}. "
            "Raise max_iter, unless no run can end on these rows (rosenblatt.convergence tells); then "
            "keep='average' is the better model."
        )
        warnings.warn(message, ConvergenceWarning, stacklevel=5 + FRAMES)

    # Prediction.

    @property
    def report_(self) -> dict[str, Any]:
        """The report of the run, with the keys of ``rosenblatt train --json``."""
        stream = getattr(self, "_stream", None)
        if stream is not None:
            return dict(json.loads(stream.report()))
        if not hasattr(self, "_report"):
            raise AttributeError(f"this {type(self).__name__} is not fitted yet: no report_")
        if "guarantee" in self._report and _parameters.value_of(self, "tally") != "vote":
            return {**self._report, "guarantee": {"withheld": "tally"}}
        return self._report

    def _rows(self, X: Any) -> tuple[_input.Matrix, int]:
        """Return rows for the engine, and their number: a data frame by the columns of the training table, if any."""
        check_is_fitted(self)
        return _table.rows(self, X) or _input.rows(X, estimator=self, reset=False)

    def _predict(self, X: Any, scores: bool) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
        return self._predict_rows(self._rows(X), scores)

    def _predict_rows(
        self, rows: tuple[_input.Matrix, int], scores: bool
    ) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
        matrix, examples = rows
        predicted, values = self._current_classifier().predict(
            matrix,
            len(self.classes_),
            scores=scores,
            tally=_parameters.value_of(self, "tally"),
            threads=_parameters.thread_count(self.n_jobs),
            # During a fit, a callback predicts before there are options.
            zero=self._run.zero if hasattr(self, "_run") else self.zero,
        )
        return predicted, values.reshape(examples, -1) if scores else values

    def _current_classifier(self) -> _native.Classifier:
        stream = getattr(self, "_stream", None)
        if stream is not None and self._classifier is None:
            # Without scaling there is none: the classifier is made from the weights.
            with lock_of(self):
                self._classifier = stream.classifier()
        classifier = self._classifier
        if classifier is not None and classifier.form != "linear":
            return classifier
        weights = self._weights()
        if classifier is not None and classifier.holds(*weights):
            return classifier
        if classifier is not None:
            return classifier.with_planes(*weights)
        return _native.Classifier.linear(*weights)

    def _weights(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return `coef_` and `intercept_`, which the user may have changed, as arrays for the engine."""
        coef = self.coef_.toarray() if sparse.issparse(self.coef_) else self.coef_
        intercept = np.atleast_1d(self.intercept_)
        coef = np.ascontiguousarray(coef, dtype=np.float64)
        return coef, np.ascontiguousarray(intercept, dtype=np.float64)

    @available_if(has_scores_that_decide)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the score of each row: ``w·x + b`` of the scaled row, rounded once from the exact sum.

        With a kernel, the sum consists of kernel values, each of which is rounded. A model with ``calibrate="platt"``,
        ``"isotonic"`` or ``"venn-abers"`` does not have this method, because its labels follow `predict_proba`.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            With two classes, the score of ``classes_[1]``; otherwise one score for each class.
        """
        return self._scores(X)

    def _scores(self, X: Any) -> NDArray[np.float64]:
        scores = self._predict(X, scores=True)[1]
        return scores.ravel() if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of each row by the exact sign of its score, or the most probable one.

        A score of exactly 0 gives the class that the parameter `zero` of the training names. Among equal highest
        scores, the first class wins. The comparison is exact, also where `decision_function` rounds scores to the same
        number. With ``calibrate="platt"``, ``"isotonic"`` or ``"venn-abers"`` it is the class of the largest
        probability instead; of equal ones of two classes that of a score of 0, of more the first.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            The labels.
        """
        predicted = self._predict(X, scores=False)[0]
        return self.classes_[predicted]

    def decision_radius(self, X: Any, norm: str = "l2") -> NDArray[np.float64]:
        """Return how far each row is from another decision: a change of the row that is shorter keeps its label.

        The distance is exact, rounded towards zero, in the units of `X`: the score, or of several classes its least
        difference to a rival, divided by the dual norm of the weights.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        norm : {"l2", "linf"}, default="l2"
            The length of a change: the Euclidean length, or the largest change of a feature.

        Returns
        -------
        ndarray of shape (n_samples,)
            The radii; infinite where no change leads to another label.

        Raises
        ------
        ValueError
            The model has a kernel or a vote, weights counts, divides rows by their lengths, or has a scaling that
            rounds. ``scale=None`` always has radii.

        Examples
        --------
        >>> from rosenblatt import Perceptron
        >>> model = Perceptron(keep="last", scale=None).fit([[0, 0], [0, 4]], [0, 1])
        >>> model.decision_radius([[0, 2.25]]) == abs(model.decision_function([[0, 2.25]])) / model.coef_[0, 1]
        array([ True])
        """
        _parameters.check_value("decision_radius", "norm", norm, _parameters.one_of("norm"))
        rows = self._rows(X)
        classes = self._predict_rows(rows, scores=False)[0]
        return self._current_classifier().decision_radius(rows[0], classes, norm)

    def signed_distance(self, X: Any) -> NDArray[np.float64]:
        """Return the distance of each row from the hyperplane, positive on the side of ``classes_[1]``.

        It is the score divided by the norm of the weights, in the units of `X` also where the model scales: the same as
        ``decision_function(X) / numpy.linalg.norm(coef_)``.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            The distances.

        Raises
        ------
        ValueError
            The model has a kernel, a vote or more than two classes, weights counts, divides rows by their lengths, or
            has only weights of 0.

        Examples
        --------
        >>> from rosenblatt import Perceptron
        >>> model = Perceptron(keep="last", scale=None, shuffle=False)
        >>> model = model.fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
        >>> model.coef_, model.intercept_
        (array([[3., 2.]]), array([-4.]))
        >>> model.signed_distance([[0, 0], [1, 1]]).round(4)  # -4 and 1, divided by the root of 13
        array([-1.1094,  0.2774])
        """
        check_is_fitted(self)
        norm = self._current_classifier().weight_norm()
        return np.asarray(self._scores(X) / norm)

    def explain(self, X: Any) -> Explanation:
        """Return what each feature adds to the score of each row.

        The contributions of a row and the base value add up to its score. The contribution of a feature is the weight
        times the prepared value: with a scaling that subtracts the mean it is that against the mean, for counts,
        categories and other features whose zeros are kept, against 0. These are the values of `shap.LinearExplainer`
        for a background with these means.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        Explanation
            A named tuple of ``values`` and ``base_values``. With two classes, `values` is of shape
            (n_samples, n_features) and about the score of ``classes_[1]``, and `base_values` is a number; otherwise
            they are of shape (n_samples, n_features, n_classes) and (n_classes,). For a sparse `X`, and for a data
            frame whose features are sparse, `values` is a CSR array, or a list of them, one for each class.

        Raises
        ------
        ValueError
            The model has a kernel or a vote: its scores are no sums over the features.

        Examples
        --------
        >>> from rosenblatt import Perceptron
        >>> model = Perceptron(keep="last", scale=None, shuffle=False)
        >>> model = model.fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
        >>> model.explain([[1, 1]])  # the score is 3 + 2 - 4
        Explanation(values=array([[3., 2.]]), base_values=-4.0)
        """
        matrix, count = self._rows(X)
        biases, arrays = self._current_classifier().explain(matrix)
        shape = (count, self.n_features_in_)
        planes = [
            sparse.csr_array((values, features, offsets), shape=shape)
            for offsets, features, values in arrays
        ]
        values: Any = planes
        is_sparse = isinstance(matrix, tuple)
        if not is_sparse:
            values = np.stack([plane.toarray() for plane in planes], axis=-1)
        if len(planes) > 1:
            return Explanation(values, np.array(biases))
        return Explanation(planes[0] if is_sparse else values[..., 0], biases[0])

    def functional_margin(self, X: Any, y: Any) -> NDArray[np.float64]:
        """Return the functional margin ``y·s`` of each row, with its score s and its sign y.

        The sign is 1 for ``classes_[1]`` and -1 for ``classes_[0]``.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        y : array-like of shape (n_samples,)
            The labels, each one of ``classes_``.

        Returns
        -------
        ndarray of shape (n_samples,)
            The margins; above 0 where the score has the sign of y. They have no unit.

        Raises
        ------
        ValueError
            The model has more than two classes, or `y` has a label that is none of them.
        """
        check_is_fitted(self)
        if len(self.classes_) != 2:
            raise ValueError(
                f"a functional margin needs two classes, this model has {len(self.classes_)}"
            )
        scores = self._scores(X)
        labels = column_or_1d(y)
        _input.check_lengths(len(scores), len(labels))
        signs = np.where(_input.codes_of(labels, self.classes_) == 1, 1.0, -1.0)
        # Not -0.
        return np.asarray(signs * scores + 0.0)

    def geometric_margin(self, X: Any, y: Any) -> NDArray[np.float64]:
        """Return the geometric margin ``y·s/‖w‖``: the distance of each row, negative on the wrong side.

        It is in the units of `X`, as `signed_distance` is. The ``min_margin`` of `report_` is another number: it is
        about the scaled rows, and with ``bias="unit"`` about the rows (x, 1).

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        y : array-like of shape (n_samples,)
            The labels, each one of ``classes_``.

        Returns
        -------
        ndarray of shape (n_samples,)
            The margins.

        Raises
        ------
        ValueError
            As for `signed_distance` and `functional_margin`.
        """
        check_is_fitted(self)
        norm = self._current_classifier().weight_norm()
        return self.functional_margin(X, y) / norm

    @available_if(_is_calibrated)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each class, by the method of `calibrate`.

        With more than two classes, each class has a probability against the rest, and these are divided by their sum.
        `predict` returns the class of the largest one.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            The probabilities, in the order of `classes_`.
        """
        scores = self._scores_to_calibrate(X)
        found = self._current_classifier().probabilities(scores, len(self.classes_))
        if found is None:
            raise ValueError(_STALE)
        return found.reshape(-1, len(self.classes_))

    @available_if(_is_calibrated)  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the natural logarithm of `predict_proba`; -inf for a probability of 0.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            The logarithms, in the order of `classes_`.
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))  # type: ignore[no-any-return]

    @available_if(_has_intervals)  # type: ignore[untyped-decorator]
    def predict_interval(self, X: Any) -> NDArray[np.float64]:
        """Return the lower and the upper probability of ``calibrate="venn-abers"``.

        They are the probabilities of isotonic fits with the row added, once with each label.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, 2) or (n_samples, n_classes, 2)
            With two classes those of ``classes_[1]``, otherwise those of each class against the rest.
        """
        found = self._current_classifier().intervals(self._scores_to_calibrate(X))
        if found is None:
            raise ValueError(_STALE)
        classes = len(self.classes_)
        return found.reshape((-1, 2) if classes == 2 else (-1, classes, 2))

    def _scores_to_calibrate(self, X: Any) -> NDArray[np.float64]:
        tally = _parameters.value_of(self, "tally")
        if tally != "vote":
            raise ValueError(f"the probabilities are those of the vote, and tally is {tally!r}")
        return np.ascontiguousarray(self._predict(X, scores=True)[1].ravel())

    # The lab.

    def lab(
        self,
        X: Any = None,
        y: Any = None,
        *,
        columns: tuple[Any, Any] | None = None,
        positive: Any = None,
        height: int = 720,
    ) -> _lab.Lab:
        """Show the lab with the options of this model: a run on two columns, step by step.

        The page learns from two columns at a time, without `scale` and with equal weights, so its model is another one.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), default=None
            The rows. Without rows and labels, those of the last fit are shown, if the program still has them: a model
            does not keep them.

        y : array-like of shape (n_samples,), default=None
            The labels.

        columns : tuple of two, default=None
            The columns that are shown first, by their names or their numbers. None leaves the choice to the page.

        positive : label, default=None
            The class that is +1. None chooses the second of two classes, and the first of more.

        height : int, default=720
            The height in a notebook, in pixels.

        Returns
        -------
        Lab
            The page. A notebook shows it.
        """
        check_is_fitted(self)
        if (X is None) != (y is None):
            raise ValueError("model.lab needs both X and y, or neither")
        if X is None:
            X, y = _lab.remembered(self)
        options = json.loads(self._run.to_json())
        return _lab.page_of(X, y, options, columns, positive, height)

    # Files.

    def save(self, path: StrPath, *, like: Any = None) -> None:
        """Write a model file for ``rosenblatt predict`` and `load`. A failure leaves no partial file.

        Parameters
        ----------
        path : path-like
            The file.

        like : Data, TableEncoder or model, default=None
            What knows the columns of the table whose features the model learned from: what `read_csv` returned, or the
            fitted `TableEncoder`. The file then reads tables with these columns. None is the names of the features, or
            the columns of the file that the model was loaded from.

        Raises
        ------
        ValueError
            The columns do not give as many features as the model has.
        """
        check_is_fitted(self)
        schema = None if like is None else _model.schema_of(like)
        description = _model.description(self, schema)
        _native.save(os.fspath(path), self._current_classifier(), description)

    def to_onnx(self, *, columns: bool = False) -> bytes:
        """Convert a linear model to an ONNX graph.

        Parameters
        ----------
        columns : bool, default=False
            Whether the graph has an input for each column of the table that the model of a file learned from, and
            encodes them itself, as ``rosenblatt export --columns``.

        Returns
        -------
        bytes
            A graph from ``X``, ``float32`` of shape (n, n_features), to ``label`` and ``scores``, and with `calibrate`
            to ``probabilities``. It computes in ``float64`` with rounding. If a score is within rounding of 0 or of
            another score, the label can differ from that of `predict`, which is exact.
        """
        return self._exported("model.onnx", columns)

    def export(self, path: StrPath, *, columns: bool = False) -> None:
        """Write the model for other programs: ``.onnx``, ``.json`` or ``.csv`` (weights with the names of features).

        Parameters
        ----------
        path : path-like
            The file; the ending of its name gives the format.

        columns : bool, default=False
            Whether an ONNX graph has an input for each column of the table, as `to_onnx` says.
        """
        _native.write(os.fspath(path), self._exported(os.fspath(path), columns))

    def _exported(self, path: str, columns: bool) -> bytes:
        check_is_fitted(self)
        if columns and _model.table_of(self) is None:
            raise ValueError(
                "columns are those of a table that the model of a file learned from: see rosenblatt.save and load"
            )
        classifier, description = self._current_classifier(), _model.description(self)
        return _native.export(classifier, description, path, columns)

    def __getstate__(self) -> dict[str, Any]:
        # The lock keeps the state consistent while another thread trains.
        with lock_of(self):
            state = dict(super().__getstate__())
            state.pop("_checked", None)
            state["_counts"] = copy.deepcopy(state.get("_counts"))
            stream = state.get("_stream")
            if stream is not None:
                state["_stream"] = stream.with_options(self._run)
            return _state.plain(state)  # type: ignore[no-any-return]

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = _state.native(state)
        run = state.get("_run")
        if isinstance(run, str):
            # Pickles of older versions have the options as JSON, and the oldest have no `zero`.
            options = json.loads(run)
            options.setdefault("zero", "positive" if options["mistake"] == "label" else "negative")
            state = {**state, "_run": _native.Options.from_json(json.dumps(options))}
        state = {
            **dict.fromkeys(_parameters.PREPARATION),
            **dict.fromkeys(("C", "gamma", "degree", "coef0")),
            "calibrate": None,
            "calibration_folds": 5,
            "classes": "one-vs-rest",
            "init": "zero",
            "_counts": None,
            **state,
        }
        super().__setstate__(state)
        file = self.__dict__.get("_file") or {}
        if file.get("scaling") is not None:
            # Pickles of older versions have the scaling of a model file here, and the weights of the scaled features.
            classifier = self._current_classifier().with_scaling(_model.file_text(file))
            self._file = {name: value for name, value in file.items() if name != "scaling"}
            self._set_classifier(classifier)
            self.scale = classifier.preparation["scale"]

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "classes_") and hasattr(self, "n_iter_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def history_of(mistakes: Any, updates: Any) -> dict[str, NDArray[Any]]:
    """Return `history_` for these counts of the epochs."""
    history = {
        "epoch": np.arange(1, len(mistakes) + 1),
        "mistakes": np.asarray(mistakes, dtype=np.int64),
    }
    if updates is not None:
        history["updates"] = np.asarray(updates, dtype=np.int64)
    return history


def first_weights(
    start: tuple[Any, Any], classes: int, features: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Return the first weights and biases in the engine's shape, or None if neither is given."""
    coef, intercept = start
    if coef is None and intercept is None:
        return None
    planes = 1 if classes == 2 else classes
    if sparse.issparse(coef):
        coef = coef.toarray()
    coef = np.zeros((planes, features)) if coef is None else np.asarray(coef, dtype=np.float64)
    intercept = np.zeros(planes) if intercept is None else np.asarray(intercept, dtype=np.float64)
    if planes == 1:
        coef, intercept = coef.reshape(1, -1), intercept.reshape(-1)
    if coef.shape != (planes, features):
        raise ValueError(
            f"Provided coef_init does not match dataset: shape {coef.shape}, expected {(planes, features)}"
        )
    if intercept.shape != (planes,):
        raise ValueError(
            f"Provided intercept_init does not match dataset: shape {intercept.shape}, expected {(planes,)}"
        )
    return np.ascontiguousarray(coef), np.ascontiguousarray(intercept)

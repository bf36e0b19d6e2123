"""What all estimators have in common: scikit-learn's contract over the engine."""

from __future__ import annotations

import json
import os
import threading
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from . import _input, _model, _native, _parameters
from ._callbacks import FRAMES, CallbackSupportMixin, Epochs

if TYPE_CHECKING:
    from typing import TypeAlias

    from typing_extensions import Self

    StrPath: TypeAlias = "str | os.PathLike[str]"


def of_weight(class_weight: Any, codes: NDArray[Any]) -> NDArray[Any] | None:
    """The places of examples whose class has a weight; None where all have."""
    if isinstance(class_weight, str) or all(class_weight["given"]):
        return None
    return np.flatnonzero(np.array(class_weight["given"])[codes])


def check_classes(classes: NDArray[Any]) -> None:
    """There is something to tell apart."""
    if len(classes) < 2:
        message = "The number of classes has to be greater than one; got "
        raise ValueError(f"{message}{len(classes)} class")


# What a run leaves behind beside what it counted.
_LEARNED = (
    "coef_",
    "intercept_",
    "dual_coef_",
    "support_",
    "support_vectors_",
    "support_counts_",
)


# What is known of the features before anything is learned.
_SEEN = ("n_features_in_", "feature_names_in_")


# Not an attribute: locks cannot be copied or pickled.
_locks: WeakKeyDictionary[Any, threading.RLock] = WeakKeyDictionary()
_lock_of_locks = threading.Lock()


def alone(estimator: Any) -> threading.RLock:
    """The lock of an estimator, for what more than one thread may begin at the same time."""
    with _lock_of_locks:
        return _locks.setdefault(estimator, threading.RLock())


class Base(CallbackSupportMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """What all have in common. A subclass names its parameters; one that it does not name is as `_FIXED` says."""

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
    _run: str
    _classifier: _native.Classifier | None
    _stream: _native.Stream | None
    _file: dict[str, Any] | None

    # Parameters.

    def _order(self) -> str:
        return self.order or ("shuffle" if self.shuffle else "given")

    def _bias(self) -> str:
        return self.bias or ("unit" if self.fit_intercept else "none")

    def _options(self, class_weight: Any, **changes: Any) -> str:
        """The engine's options as JSON."""
        options = {
            "update": self.update,
            "keep": _parameters.of(self, "keep"),
            "bias": self._bias(),
            "mistake": self.mistake,
            "zero": self.zero,
            "order": self._order(),
            "init": "zero",
            "seed": _parameters.seed(self.random_state),
            "epochs": int(self.max_iter),
            "allow_mistakes": int(self.max_mistakes),
            "eta": float(self.eta0),
            "class_weight": class_weight,
        }
        if self.kernel is not None:
            options["kernel"] = self.kernel
        text = json.dumps({**options, **changes})
        _native.check_options(text)
        return text

    def _class_weight(self, classes: NDArray[Any]) -> Any:
        if self.class_weight is None:
            return "uniform"
        if isinstance(self.class_weight, str) and self.class_weight == "balanced":
            return "balanced"
        if not isinstance(self.class_weight, Mapping):
            expected = "expected None, 'balanced' or a dict"
            raise ValueError(f"class_weight is {self.class_weight!r}, {expected}")
        strange = [label for label in self.class_weight if label not in classes.tolist()]
        if strange:
            raise ValueError(f"class_weight names {strange[0]!r}, which is no class of y")
        weights = [self.class_weight.get(label, 1.0) for label in classes.tolist()]
        for weight in weights:
            if not _parameters.is_real(weight) or weight < 0:
                raise ValueError(f"class_weight has {weight!r}, expected a number of at least 0")
        if not any(weights):
            raise ValueError("class_weight leaves out all classes: every weight is 0")
        return {"given": [float(weight) for weight in weights]}

    # Learning.

    def _fit(
        self, X: Any, y: Any, sample_weight: Any, start: tuple[Any, Any] = (None, None)
    ) -> Self:
        before = {name: self.__dict__.get(name) for name in _SEEN}
        try:
            return self._fitted(X, y, sample_weight, start)
        except BaseException:
            # What was learned before remains, and is of features of that time.
            for name, value in before.items():
                self.__dict__.pop(name, None)
                if value is not None:
                    setattr(self, name, value)
            raise

    def _fitted(self, X: Any, y: Any, sample_weight: Any, start: tuple[Any, Any]) -> Self:
        _parameters.check(self)
        matrix, examples = _input.rows(X, estimator=self)
        classes, codes = _input.encoded(y)
        _input.check_lengths(examples, len(codes))
        weights = _input.weights(sample_weight, examples)
        if weights is not None and not weights.all():
            # What weighs nothing is not there.
            places = np.flatnonzero(weights)
            matrix, weights = _input.selected(matrix, places), weights[places]
            present, left = np.unique(codes[places], return_inverse=True)
            classes, codes = classes[present], left.astype(np.uint32)
        check_classes(classes)
        class_weight = self._class_weight(classes)
        weighty = of_weight(class_weight, codes)
        if weighty is not None:
            matrix, codes = _input.selected(matrix, weighty), codes[weighty]
            weights = None if weights is None else weights[weighty]
        options = self._options(class_weight)
        epochs = Epochs.of(self, X, y, sample_weight, classes)
        tol, share = _parameters.of(self, "tol"), _parameters.of(self, "validation_fraction")
        done = _native.fit(
            matrix,
            codes,
            len(classes),
            options,
            weights=weights,
            start=first_weights(start, len(classes), self.n_features_in_),
            holdout=float(share) if _parameters.of(self, "early_stopping") else None,
            tol=None if tol is None else float(tol),
            patience=int(_parameters.of(self, "n_iter_no_change")),
            after_epoch=self._after_epoch(epochs),
            threads=_parameters.threads(self.n_jobs),
        )
        self._learned(done, classes, options)
        if epochs is not None:
            epochs.fit_ended()
        self._warn_of_mistakes()
        return self

    def _after_epoch(self, epochs: Epochs | None) -> Any:
        if epochs is None and not self.verbose:
            return None
        number = 0

        def after_epoch(mistakes: int, weights: Any) -> bool:
            nonlocal number
            number += 1
            if self.verbose:
                print(f"epoch {number}: {mistakes} mistakes")
            return epochs is not None and epochs.ended(weights)

        return after_epoch

    def _learned(self, done: dict[str, Any], classes: NDArray[Any], options: str) -> None:
        report = json.loads(done["report"])
        if report["stopped_by"] == "observer":
            report["stopped_by"] = done["ended"]
        self.classes_ = classes
        self.class_sizes_ = np.array(done["class_sizes"], dtype=np.int64)
        self._report = report
        self._run = options
        self._stream = self._file = None
        self.n_iter_ = report["epochs"]
        self.t_ = self.n_iter_ * report["examples"] + 1
        self.n_updates_ = report["updates"]
        self.history_ = history_of(done["mistakes"], done["updates"])
        self.n_mistakes_ = int(self.history_["mistakes"].sum())
        self._take(done["classifier"])

    def _forget(self) -> None:
        """Removes the attributes that hold what was learned."""
        for name in _LEARNED:
            self.__dict__.pop(name, None)
        self._classifier = None

    def _take(self, classifier: _native.Classifier) -> None:
        """Sets the attributes that hold what was learned."""
        self._forget()
        planes, support = classifier.planes(), classifier.support()
        if planes is not None:
            setattr(self, "coef_" if support is None else "dual_coef_", planes[0])
            self.intercept_ = planes[1]
        # Weights of the features are where everybody looks for them, and may be changed there.
        self._classifier = None if support is None else classifier
        if support is None:
            return
        data, indices, indptr, examples, counts = support
        shape = (len(examples), classifier.features)
        self.support_vectors_ = sparse.csr_matrix((data, indices, indptr), shape=shape)
        self.support_ = examples
        self.support_counts_ = counts

    def _warn_of_mistakes(self) -> None:
        mistakes = self._report["mistakes_per_epoch"][-1]
        if self._report["stopped_by"] != "max_epochs" or mistakes <= self.max_mistakes:
            return
        message = (
            f"{mistakes} mistake{' remains' if mistakes == 1 else 's remain'} in epoch {self.n_iter_}, the last that "
            f"max_iter={self.max_iter} allows. Raise max_iter, unless no hyperplane separates the "
            "classes (rosenblatt.separable tells)"
        )
        if _parameters.of(self, "keep") == "last":
            message += "; then keep='average' or keep='pocket' is the better model"
        message += "."
        warnings.warn(message, ConvergenceWarning, stacklevel=5 + FRAMES)

    # Answers.

    @property
    def report_(self) -> dict[str, Any]:
        """What happened, with the keys of ``rosenblatt train --json``."""
        stream = getattr(self, "_stream", None)
        if stream is not None:
            return dict(json.loads(stream.report()))
        if not hasattr(self, "_report"):
            raise AttributeError(f"this {type(self).__name__} is not fitted yet: no report_")
        return self._report

    def _predict(self, X: Any, scores: bool) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
        check_is_fitted(self)
        matrix, examples = _input.rows(X, estimator=self, reset=False)
        predicted, values = self._present().predict(
            matrix,
            len(self.classes_),
            scores=scores,
            tally=_parameters.of(self, "tally"),
            threads=_parameters.threads(self.n_jobs),
            zero=self._zero(),
            scaling=_model.scaling(self),
        )
        return predicted, values.reshape(examples, -1) if scores else values

    def _zero(self) -> str:
        """What a score of 0 predicts, as the model was trained."""
        if not hasattr(self, "_run"):
            # A callback asks while the run is under way.
            return str(self.zero)
        options = json.loads(self._run)
        # Pickles of earlier versions have no such option.
        before = "positive" if options["mistake"] == "label" else "negative"
        zero: str = options.get("zero", before)
        return zero

    def _present(self) -> _native.Classifier:
        if self._classifier is not None:
            return self._classifier
        return _native.Classifier.linear(*self._weights())

    def _weights(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Weights and biases of the features, as whoever may have changed them left them."""
        coef = self.coef_.toarray() if sparse.issparse(self.coef_) else self.coef_
        intercept = np.atleast_1d(self.intercept_)
        coef = np.ascontiguousarray(coef, dtype=np.float64)
        return coef, np.ascontiguousarray(intercept, dtype=np.float64)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """The score of each row: ``w·x + b``, rounded once from the exact sum.

        With a kernel the sum is that of kernel values, each of which is rounded.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            Of two classes the score of ``classes_[1]``; of more one for each.
        """
        scores = self._predict(X, scores=True)[1]
        return scores.ravel() if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row, decided by the exact sign of its score.

        A score of exactly 0 is the class that `zero` said when the model was trained. Of equal highest scores the
        first class wins; they are compared exactly, also where `decision_function` rounds them to the same number.

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

    # Files.

    def save(self, path: StrPath) -> None:
        """Write the model file that ``rosenblatt predict`` and `load` read; whole or not at all.

        Parameters
        ----------
        path : path-like
            Its name.
        """
        check_is_fitted(self)
        _native.save(os.fspath(path), self._present(), _model.description(self))

    def to_onnx(self) -> bytes:
        """The model as an ONNX graph: linear models only.

        Returns
        -------
        bytes
            A graph from ``X``, ``float32`` of shape (n, n_features), to ``label`` and ``scores``. It computes in
            doubles: a label may differ from that of `predict`, which is exact, where a score is within rounding
            of 0 or of another one.
        """
        return self._exported("onnx")

    def export(self, path: StrPath) -> None:
        """Write the model for other programs: ``.onnx``, ``.json`` or ``.csv`` (its weights with their names).

        Parameters
        ----------
        path : path-like
            Its name, whose ending says the format.
        """
        ending = os.path.splitext(os.fspath(path))[1].lower().removeprefix(".")
        if ending not in ("onnx", "json", "csv"):
            raise ValueError(
                f"{os.fspath(path)}: expected a name that ends in .onnx, .json or .csv"
            )
        content = self._exported(ending)
        _native.write(os.fspath(path), content)

    def _exported(self, kind: str) -> bytes:
        check_is_fitted(self)
        return _native.export(self._present(), _model.description(self), kind)

    def __getstate__(self) -> dict[str, Any]:
        # What is pickled is of one moment, also while another thread learns.
        with alone(self):
            state = dict(super().__getstate__())
            stream = state.get("_stream")
            if stream is not None:
                state["_stream"] = stream.with_options(self._run)
            return state

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "classes_") and hasattr(self, "n_iter_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def history_of(mistakes: Any, updates: Any) -> dict[str, NDArray[Any]]:
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
    """First weights in the shape that the engine takes, 0 where none are given; None where nothing is."""
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

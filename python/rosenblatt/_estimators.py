"""The estimators: scikit-learn's contract over the engine."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from . import _input, _model, _native
from ._callbacks import CallbackSupportMixin, Epochs, with_callbacks

if TYPE_CHECKING:
    from typing_extensions import Self

    StrPath = str | os.PathLike[str]


def _threads(n_jobs: int | None) -> int:
    """How many threads `n_jobs` means: None is one, -1 one a processor, -2 one fewer."""
    if n_jobs is None:
        return 1
    if not isinstance(n_jobs, Integral) or n_jobs == 0:
        raise ValueError(f"n_jobs is {n_jobs!r}, expected None or a whole number other than 0")
    if n_jobs > 0:
        return int(n_jobs)
    has_affinity = hasattr(os, "sched_getaffinity")
    processors = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
    return max(1, processors + 1 + int(n_jobs))


def _seed(random_state: Any) -> int:
    """A whole number is the seed, as ``rosenblatt train --seed`` has it; else a seed is drawn."""
    if isinstance(random_state, Integral):
        if random_state < 0:
            raise ValueError(f"random_state is {random_state}, a seed is not negative")
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def _check(estimator: Any, name: str, holds: bool, expected: str) -> None:
    if not holds:
        owner, value = type(estimator).__name__, _of(estimator, name)
        message = f"The {name!r} parameter of {owner} must be {expected}. Got {value!r} instead."
        raise ValueError(message)


def _is_whole(value: Any, least: int) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and value >= least


def _is_real(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and bool(np.isfinite(value))


# What a parameter is where an estimator does not have it.
_FIXED: dict[str, Any] = {
    "penalty": None,
    "tol": None,
    "early_stopping": False,
    "validation_fraction": 0.1,
    "n_iter_no_change": 5,
    "keep": "vote",
    "tally": "vote",
}


def _of(estimator: Any, name: str) -> Any:
    """A parameter, or what it is where the estimator has none of this name."""
    return getattr(estimator, name, _FIXED[name]) if name in _FIXED else getattr(estimator, name)


def _streams(estimator: Any) -> bool:
    """Whether the estimator learns from a stream: `partial_fit` exists only then."""
    if estimator.kernel is None and estimator.keep in ("last", "average", "auto"):
        return True
    raise AttributeError(
        "partial_fit needs weights of the features: kernel=None, and keep 'last', 'average' or 'auto'"
    )


class _Base(CallbackSupportMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """What all have in common. A subclass names its parameters; one that it does not name is as `_FIXED` says."""

    classes_: NDArray[Any]
    n_iter_: int
    t_: int
    n_features_in_: int
    n_updates_: int
    n_mistakes_: int
    history_: dict[str, NDArray[Any]]

    # Parameters.

    def _check_params(self) -> None:
        _check(
            self,
            "penalty",
            _of(self, "penalty") is None,
            "None: a perceptron has no penalty, and scikit-learn's SGDClassifier has",
        )
        _check(self, "max_iter", _is_whole(self.max_iter, 1), "a whole number of at least 1")
        _check(
            self, "max_mistakes", _is_whole(self.max_mistakes, 0), "a whole number of at least 0"
        )
        _check(self, "eta0", _is_real(self.eta0) and self.eta0 > 0, "a positive number")
        patience = _is_whole(_of(self, "n_iter_no_change"), 1)
        _check(self, "n_iter_no_change", patience, "a whole number of at least 1")
        share = (
            _is_real(_of(self, "validation_fraction")) and 0 < _of(self, "validation_fraction") < 1
        )
        _check(self, "validation_fraction", share, "a number between 0 and 1")
        tol = _of(self, "tol") is None or (_is_real(_of(self, "tol")) and _of(self, "tol") >= 0)
        _check(self, "tol", tol, "None or a number of at least 0")
        if (
            _of(self, "tol") is not None
            and self.kernel is not None
            and not _of(self, "early_stopping")
        ):
            _check(self, "tol", False, "None with a kernel, unless early_stopping is True")
        words = {
            "keep": ("last", "average", "auto", "pocket", "vote"),
            "mistake": ("margin", "label"),
            "order": (None, "shuffle", "given"),
            "bias": (None, "unit", "none", "radius"),
        }
        for name, known in words.items():
            value = _of(self, name)
            expected = "one of " + ", ".join(repr(word) for word in known)
            _check(self, name, value in known, expected)
        if not self.shuffle and self.order == "shuffle":
            raise ValueError("shuffle=False and order='shuffle' contradict one another")
        if not self.fit_intercept and self.bias in ("unit", "radius"):
            raise ValueError(f"fit_intercept=False and bias={self.bias!r} contradict one another")

    def _order(self) -> str:
        return self.order or ("shuffle" if self.shuffle else "given")

    def _bias(self) -> str:
        return self.bias or ("unit" if self.fit_intercept else "none")

    def _options(self, class_weight: Any, **changes: Any) -> str:
        """The engine's options as JSON."""
        options = {
            "update": self.update,
            "keep": _of(self, "keep"),
            "bias": self._bias(),
            "mistake": self.mistake,
            "order": self._order(),
            "init": "zero",
            "seed": _seed(self.random_state),
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

    def _class_weight(self, y: NDArray[Any], classes: NDArray[Any]) -> Any:
        if self.class_weight is None:
            return "uniform"
        if isinstance(self.class_weight, str) and self.class_weight == "balanced":
            return "balanced"
        _check(
            self,
            "class_weight",
            isinstance(self.class_weight, Mapping),
            "None, 'balanced' or a dict",
        )
        weights = compute_class_weight(dict(self.class_weight), classes=classes, y=y)
        return {"given": [float(weight) for weight in weights]}

    # Learning.

    def _fit(
        self, X: Any, y: Any, sample_weight: Any, start: tuple[Any, Any] | None = None
    ) -> Self:
        self._check_params()
        matrix, examples = _input.rows(X, estimator=self)
        y = _input.labels(y)
        if len(y) != examples:
            raise ValueError(
                f"Found input variables with inconsistent numbers of samples: {[examples, len(y)]}"
            )
        weights = _input.weights(sample_weight, examples)
        if weights is not None and not weights.all():
            # What weighs nothing is not there.
            places = np.flatnonzero(weights)
            matrix, y, weights = _input.selected(matrix, places), y[places], weights[places]
        classes = np.unique(y)
        if len(classes) < 2:
            raise ValueError(
                f"The number of classes has to be greater than one; got {len(classes)} class"
            )
        options = self._options(self._class_weight(y, classes))
        epochs = Epochs.of(self, X, y, sample_weight, classes)
        done = _native.fit(
            matrix,
            _input.codes(y, classes),
            len(classes),
            options,
            weights=weights,
            start=start,
            holdout=float(_of(self, "validation_fraction"))
            if _of(self, "early_stopping")
            else None,
            tol=None if _of(self, "tol") is None else float(_of(self, "tol")),
            patience=int(_of(self, "n_iter_no_change")),
            after_epoch=self._after_epoch(epochs),
            threads=_threads(self.n_jobs),
        )
        self._learned(done, classes, y, options)
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

    def _learned(
        self, done: dict[str, Any], classes: NDArray[Any], y: NDArray[Any], options: str
    ) -> None:
        report = json.loads(done["report"])
        report["stopped_by"] = done["ended"] or report["stopped_by"]
        self.classes_ = classes
        self.class_sizes_ = np.bincount(_input.codes(y, classes), minlength=len(classes))
        self._report = report
        self._run = options
        self._stream = None
        self._file = None
        self.n_iter_ = report["epochs"]
        self.t_ = self.n_iter_ * report["examples"] + 1
        self.n_updates_ = report["updates"]
        self.history_ = _history(done["mistakes"], done["updates"])
        self.n_mistakes_ = int(self.history_["mistakes"].sum())
        self._take(done["classifier"])

    def _take(self, classifier: _native.Classifier) -> None:
        """Sets the attributes that hold what was learned."""
        if classifier.form == "linear":
            self._classifier = None
            self.coef_, self.intercept_ = classifier.planes()
            return
        self._classifier = classifier
        for name in ("coef_", "intercept_"):
            self.__dict__.pop(name, None)
        if classifier.form == "dual":
            self.dual_coef_, self.intercept_ = classifier.planes()
        data, indices, indptr, examples, counts = classifier.support()
        shape = (len(examples), classifier.features)
        self.support_vectors_ = sparse.csr_matrix((data, indices, indptr), shape=shape)
        self.support_ = examples
        self.support_counts_ = counts

    def _warn_of_mistakes(self) -> None:
        mistakes = self._report["mistakes_per_epoch"][-1]
        if self._report["stopped_by"] != "max_epochs" or mistakes <= self.max_mistakes:
            return
        message = (
            f"{mistakes} mistakes remain in epoch {self.n_iter_}, the last that max_iter={self.max_iter} "
            "allows. Raise max_iter; or, if no hyperplane separates the classes (rosenblatt.separable tells), "
            "keep the average or the pocket: keep='average', keep='pocket'."
        )
        warnings.warn(message, ConvergenceWarning, stacklevel=4)

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
            tally=_of(self, "tally"),
            threads=_threads(self.n_jobs),
            zero_is_positive=self.mistake == "label",
            scaling=_model.scaling(self),
        )
        return predicted, values.reshape(examples, -1) if scores else values

    def _present(self) -> _native.Classifier:
        if self._classifier is not None:
            return self._classifier
        coef = self.coef_.toarray() if sparse.issparse(self.coef_) else self.coef_
        coef = np.ascontiguousarray(coef, dtype=np.float64)
        intercept = np.ascontiguousarray(np.atleast_1d(self.intercept_), dtype=np.float64)
        return _native.Classifier.linear(coef, intercept)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """The score of each row: ``w·x + b``, rounded once from the exact sum.

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

        A score of exactly 0 is ``classes_[0]``, as everywhere in scikit-learn; with ``mistake="label"`` it is
        ``classes_[1]``, as that rule has it. Of equal highest scores the first class wins.

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
        return self.classes_[predicted]  # type: ignore[no-any-return]

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
            A graph from ``X``, ``float32`` of shape (n, n_features), to ``label`` and ``scores``; labels are those of
            `predict` on the same numbers.
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
        is_positive = self.mistake == "label"
        return _native.export(self._present(), _model.description(self), kind, is_positive)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "classes_") and hasattr(self, "n_iter_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _history(mistakes: Any, updates: Any) -> dict[str, NDArray[Any]]:
    history = {
        "epoch": np.arange(1, len(mistakes) + 1),
        "mistakes": np.asarray(mistakes, dtype=np.int64),
    }
    if updates is not None:
        history["updates"] = np.asarray(updates, dtype=np.int64)
    return history


class Perceptron(_Base):
    """Rosenblatt's perceptron: scikit-learn's `Perceptron`, with its parameters, over an exact engine.

    It differs from scikit-learn's in what it promises:

    - it stops after an epoch without a mistake, and a `ConvergenceWarning` says exactly that mistakes remain at
      `max_iter`;
    - whether an example is a mistake is the sign of a real number, decided exactly, so dense and sparse, ``float32`` and
      ``float64`` rows of the same numbers give the same bits of the model;
    - `report_` says what happened: mistakes, margin, radius, and Novikoff's bound where the theorem holds.

    Parameters
    ----------
    penalty : None, default=None
        A perceptron has no penalty; anything else is refused.

    alpha, l1_ratio : float, default=0.0001, 0.15
        Of the penalty, and so of no effect.

    fit_intercept : bool, default=True
        Whether there is a bias.

    max_iter : int, default=1000
        The most epochs.

    tol : float or None, default=None
        If given, the run also ends when the mean loss of an epoch has not fallen by `tol` below the best one for
        `n_iter_no_change` epochs in a row, as in scikit-learn, whose default is 1e-3: there a run on classes that
        overlap ends after some six epochs. Of several classes it is the sum of their losses.

    shuffle : bool, default=True
        Whether each epoch has a random order of its own.

    verbose : int, default=0
        Whether each epoch prints its mistakes.

    eta0 : float, default=1
        The learning rate; from zero weights it scales them and changes no decision.

    n_jobs : int, default=None
        Threads for kernel values and votes: None is one, -1 one a processor. No result depends on it.

    random_state : int, RandomState instance or None, default=0
        A whole number is the seed of the orders, the same as ``rosenblatt train --seed``.

    early_stopping : bool, default=False
        Whether to hold out some of the examples and stop when the errors on them no longer fall. The first weights
        with the fewest errors are then the model.

    validation_fraction : float, default=0.1
        The share of each class that is held out.

    n_iter_no_change : int, default=5
        The patience of `tol` and `early_stopping`, in epochs.

    class_weight : dict, {class_label: weight}, "balanced" or None, default=None
        Factors of the learning rate of the examples of each class, whichever hyperplane learns from them.
        (scikit-learn leaves the rest at 1 where a class learns against the rest.)

    warm_start : bool, default=False
        Whether `fit` begins with the present weights.

    keep : {"last", "average", "auto", "pocket", "vote"}, default="last"
        Which of the weights visited is the model: the last; the average; the last after an epoch without
        a mistake, else the average; the pocket (Gallant 1990, with ratchet); all of them, voting
        (Freund & Schapire 1999).

    update : str, default="perceptron"
        ``"perceptron"``; ``"margin:M"``, which moves while the functional margin is at most M; ``"pa"``, ``"pa1:C"``,
        ``"pa2:C"``, passive-aggressive (Crammer et al. 2006).

    kernel : str or None, default=None
        ``"poly:D[:coef0[:gamma]]"``, ``"rbf:GAMMA"`` or ``"linear"``: the dual form.

    bias : {"unit", "none", "radius"} or None, default=None
        What a step adds to the bias: η, nothing, or ηR². None is as `fit_intercept` says.

    order : {"shuffle", "given"} or None, default=None
        None is as `shuffle` says.

    mistake : {"margin", "label"}, default="margin"
        Whether a score of exactly 0 is a mistake for both classes, or predicts ``classes_[1]``.

    max_mistakes : int, default=0
        The run ends after an epoch with at most so many mistakes.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels in sorted order.

    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        The weights, ``float64``; not with a kernel or a vote.

    intercept_ : ndarray of shape (1,) or (n_classes,)
        The biases; not of a vote.

    n_iter_ : int
        The number of epochs, the last one included.

    t_ : int
        The number of examples visited, plus 1.

    n_features_in_ : int
        The number of features.

    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where `X` has names that are all strings.

    report_ : dict
        What happened, with the keys of ``rosenblatt train --json``.

    n_updates_, n_mistakes_ : int
        Updates and mistakes of the whole run, of all hyperplanes.

    history_ : dict of ndarray
        ``epoch``, ``mistakes``, ``updates``: one number an epoch (of `partial_fit`: a call).

    class_sizes_ : ndarray of shape (n_classes,)
        The number of training examples of each class.

    dual_coef_, support_, support_vectors_, support_counts_ : ndarray, sparse matrix
        With a kernel or a vote: coefficients of the rows that were mistaken, their places, the rows themselves
        (CSR), and how often each moved each hyperplane.

    See Also
    --------
    KernelPerceptron : With a kernel.
    VotedPerceptron : With a vote of all weights visited.
    rosenblatt.separable : Can it converge at all?

    Notes
    -----
    Weights of examples (`sample_weight`) multiply the learning rate. A weight of 0 leaves the example out; a weight of
    2 is one step twice as long, which is not the same as two examples.

    Where a class learns against the rest of several, all hyperplanes visit an example before the next one comes, and
    the run ends when none of them makes a mistake.

    References
    ----------
    F. Rosenblatt, The perceptron, Psychological Review 65, 1958. A. Novikoff, On convergence proofs for perceptrons,
    1962. Y. Freund & R. Schapire, Large margin classification using the perceptron algorithm, Machine
    Learning 37, 1999.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from rosenblatt import Perceptron
    >>> X, y = load_iris(return_X_y=True)
    >>> setosa = Perceptron().fit(X, y == 0)
    >>> setosa.score(X, y == 0)
    1.0
    >>> setosa.report_["converged"], setosa.n_updates_ <= setosa.report_["novikoff_bound"]
    (True, True)
    """

    coef_: Any
    intercept_: Any

    def __init__(
        self,
        *,
        penalty: None = None,
        alpha: float = 0.0001,
        l1_ratio: float = 0.15,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float | None = None,
        shuffle: bool = True,
        verbose: int = 0,
        eta0: float = 1.0,
        n_jobs: int | None = None,
        random_state: Any = 0,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        class_weight: Any = None,
        warm_start: bool = False,
        keep: str = "last",
        update: str = "perceptron",
        kernel: str | None = None,
        bias: str | None = None,
        order: str | None = None,
        mistake: str = "margin",
        max_mistakes: int = 0,
    ) -> None:
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.verbose = verbose
        self.eta0 = eta0
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.keep = keep
        self.update = update
        self.kernel = kernel
        self.bias = bias
        self.order = order
        self.mistake = mistake
        self.max_mistakes = max_mistakes

    @with_callbacks
    def fit(
        self,
        X: Any,
        y: Any,
        coef_init: Any = None,
        intercept_init: Any = None,
        sample_weight: Any = None,
    ) -> Self:
        """Learn until an epoch makes no mistake, or `max_iter`.

        Ctrl-C interrupts within a fraction of a second and leaves what was learned before.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows. Arrays of ``float32`` and ``float64`` in C order and CSR matrices are not copied.

        y : array-like of shape (n_samples,)
            The labels.

        coef_init : array-like of shape (n_classes, n_features), default=None
            The first weights; of two classes one row.

        intercept_init : array-like of shape (n_classes,), default=None
            The first biases.

        sample_weight : array-like of shape (n_samples,), default=None
            Factors of the learning rate of the examples.

        Returns
        -------
        Perceptron
            The estimator itself.
        """
        if self.warm_start and self.__sklearn_is_fitted__() and hasattr(self, "coef_"):
            coef_init = self.coef_ if coef_init is None else coef_init
            intercept_init = self.intercept_ if intercept_init is None else intercept_init
        start = None
        if coef_init is not None or intercept_init is not None:
            classes = len(np.unique(_input.labels(y)))
            features = X.shape[1] if hasattr(X, "shape") else len(X[0])
            start = _start(coef_init, intercept_init, classes, features)
        return self._fit(X, y, sample_weight, start)

    @available_if(_streams)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from some more examples: one pass in the order given.

        The weights are those that one pass over all the examples so far would give, also the average of
        ``keep="average"``. After `fit`, or when `coef_` was set, it goes on from the weights there.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        y : array-like of shape (n_samples,)
            The labels.

        classes : array-like of shape (n_classes,), default=None
            All labels that will ever come; needed at the first call.

        sample_weight : array-like of shape (n_samples,), default=None
            Factors of the learning rate of the examples.

        Returns
        -------
        Perceptron
            The estimator itself.
        """
        self._check_params()
        if self.early_stopping:
            raise ValueError("early_stopping should be False with partial_fit")
        if isinstance(self.class_weight, str):
            raise ValueError(
                f"class_weight {self.class_weight!r} is not supported for partial_fit, which does not see all "
                "labels; give a dict"
            )
        is_first = not hasattr(self, "classes_")
        if is_first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        known = np.unique(np.asarray(classes)) if classes is not None else self.classes_
        if not is_first and not np.array_equal(known, self.classes_):
            raise ValueError(
                f"`classes={classes!r}` is not the same as on last call to partial_fit, was: {self.classes_!r}"
            )
        if len(known) < 2:
            raise ValueError(
                f"The number of classes has to be greater than one; got {len(known)} class"
            )
        matrix, examples = _input.rows(X, estimator=self, reset=is_first)
        y = _input.labels(y)
        if len(y) != examples:
            raise ValueError(
                f"Found input variables with inconsistent numbers of samples: {[examples, len(y)]}"
            )
        codes = _input.codes(y, known)
        weights = _input.weights(sample_weight, examples)
        if weights is not None and not weights.all():
            places = np.flatnonzero(weights)
            matrix, codes = _input.selected(matrix, places), codes[places]
            weights, examples = weights[places], len(places)
        options = self._options(self._class_weight(known, known), epochs=1, order="given")
        stream = self._present_stream(options, known)
        mistakes, updates = stream.learn(matrix, codes, weights)
        self._streamed(stream, options, known, examples, (mistakes, updates))
        self.class_sizes_ = self.class_sizes_ + np.bincount(codes, minlength=len(known))
        return self

    def _present_stream(self, options: str, classes: NDArray[Any]) -> _native.Stream:
        """The stream so far, or one that begins with the weights there are."""
        stream = getattr(self, "_stream", None)
        if stream is not None and self._streamed_coef is self.coef_:
            return stream if self._run == options else stream.with_options(options)
        start = None
        if hasattr(self, "coef_"):
            start = _start(self.coef_, self.intercept_, len(classes), self.n_features_in_)
        return _native.Stream(options, len(classes), start)

    def _streamed(
        self,
        stream: _native.Stream,
        options: str,
        classes: NDArray[Any],
        examples: int,
        counts: tuple[int, int],
    ) -> None:
        if not hasattr(self, "classes_"):
            self.classes_ = classes
            self.t_, self.n_updates_, self.n_mistakes_ = 1, 0, 0
            self.history_ = _history([], [])
            self.class_sizes_ = np.zeros(len(classes), dtype=np.int64)
        self._classifier, self._file = None, None
        self._stream, self._run = stream, options
        self.coef_, self.intercept_ = stream.planes()
        self._streamed_coef = self.coef_
        self.n_iter_ = 1
        self.t_ += examples
        mistakes, updates = counts
        self.n_mistakes_ += mistakes
        self.n_updates_ += updates
        history = self.history_
        self.history_ = _history(
            np.append(history["mistakes"], mistakes),
            np.append(history["updates"], updates) if "updates" in history else None,
        )

    def densify(self) -> Self:
        """Make `coef_` an array.

        Returns
        -------
        Perceptron
            The estimator itself.
        """
        check_is_fitted(self)
        if sparse.issparse(self.coef_):
            self.coef_ = self.coef_.toarray()
        return self

    def sparsify(self) -> Self:
        """Make `coef_` a sparse matrix.

        Returns
        -------
        Perceptron
            The estimator itself.
        """
        check_is_fitted(self)
        self.coef_ = sparse.csr_matrix(self.coef_)
        return self


def _start(
    coef: Any, intercept: Any, classes: int, features: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """First weights in the shape that the engine takes."""
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


class KernelPerceptron(_Base):
    """The perceptron in the space of a kernel: `Perceptron` with a kernel by default.

    Parameters
    ----------
    kernel : str, default="poly:2"
        ``"poly:D[:coef0[:gamma]]"``: (coef0 + gamma·x·z)^D, otherwise (1 + x·z)^D; ``"rbf:GAMMA"``: exp(−GAMMA‖x − z‖²);
        ``"linear"``: x·z.

    fit_intercept, max_iter, shuffle, verbose, eta0, n_jobs, random_state, early_stopping, validation_fraction, \
n_iter_no_change, class_weight, keep, update, bias, order, mistake, max_mistakes
        As for `Perceptron`.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (1, n_support) or (n_classes, n_support)
        The coefficients of the supporting rows.

    intercept_ : ndarray of shape (1,) or (n_classes,)
        The biases.

    support_ : ndarray of shape (n_support,)
        The places of the supporting rows, those that were mistaken, in the order of their first mistakes.

    support_vectors_ : sparse matrix of shape (n_support, n_features)
        These rows.

    support_counts_ : ndarray of shape (1, n_support) or (n_classes, n_support)
        How often each moved each hyperplane.

    classes_, n_iter_, t_, n_features_in_, feature_names_in_, report_, n_updates_, n_mistakes_, history_
        As of `Perceptron`.

    Examples
    --------
    >>> from rosenblatt import KernelPerceptron
    >>> X, xor = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> KernelPerceptron(kernel="poly:2").fit(X, xor).predict(X)
    array([0, 1, 1, 0])
    """

    def __init__(
        self,
        kernel: str = "poly:2",
        *,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        shuffle: bool = True,
        verbose: int = 0,
        eta0: float = 1.0,
        n_jobs: int | None = None,
        random_state: Any = 0,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        class_weight: Any = None,
        keep: str = "last",
        update: str = "perceptron",
        bias: str | None = None,
        order: str | None = None,
        mistake: str = "margin",
        max_mistakes: int = 0,
    ) -> None:
        self.kernel = kernel
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.verbose = verbose
        self.eta0 = eta0
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.class_weight = class_weight
        self.keep = keep
        self.update = update
        self.bias = bias
        self.order = order
        self.mistake = mistake
        self.max_mistakes = max_mistakes

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn until an epoch makes no mistake, or `max_iter`.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        y : array-like of shape (n_samples,)
            The labels.

        sample_weight : array-like of shape (n_samples,), default=None
            Factors of the learning rate of the examples.

        Returns
        -------
        KernelPerceptron
            The estimator itself.
        """
        return self._fit(X, y, sample_weight)


class VotedPerceptron(_Base):
    """All weights that a run visits, voting (Freund & Schapire 1999): `Perceptron` with ``keep="vote"``.

    Parameters
    ----------
    kernel : str or None, default=None
        As for `KernelPerceptron`; None is the space of the features.

    tally : str, default="vote"
        How the run becomes a score: ``"vote"``, ``"average"``, ``"last"``, ``"random"``, or one of the last three with
        ``-normalised``.

    fit_intercept, max_iter, shuffle, verbose, eta0, n_jobs, random_state, class_weight, update, bias, order, mistake, \
max_mistakes
        As for `Perceptron`.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
        The places of the rows that were mistaken, in the order of their first mistakes.

    support_vectors_ : sparse matrix of shape (n_support, n_features)
        These rows.

    support_counts_ : ndarray of shape (1, n_support) or (n_classes, n_support)
        How often each moved each hyperplane.

    classes_, n_iter_, t_, n_features_in_, feature_names_in_, report_, n_updates_, n_mistakes_, history_
        As of `Perceptron`.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from rosenblatt import VotedPerceptron
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> VotedPerceptron(max_iter=10).fit(X, y).score(X, y) > 0.9
    True
    """

    def __init__(
        self,
        kernel: str | None = None,
        *,
        tally: str = "vote",
        fit_intercept: bool = True,
        max_iter: int = 1000,
        shuffle: bool = True,
        verbose: int = 0,
        eta0: float = 1.0,
        n_jobs: int | None = None,
        random_state: Any = 0,
        class_weight: Any = None,
        update: str = "perceptron",
        bias: str | None = None,
        order: str | None = None,
        mistake: str = "margin",
        max_mistakes: int = 0,
    ) -> None:
        self.kernel = kernel
        self.tally = tally
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.verbose = verbose
        self.eta0 = eta0
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.class_weight = class_weight
        self.update = update
        self.bias = bias
        self.order = order
        self.mistake = mistake
        self.max_mistakes = max_mistakes

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn until an epoch makes no mistake, or `max_iter`.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        y : array-like of shape (n_samples,)
            The labels.

        sample_weight : array-like of shape (n_samples,), default=None
            Factors of the learning rate of the examples.

        Returns
        -------
        VotedPerceptron
            The estimator itself.
        """
        return self._fit(X, y, sample_weight)

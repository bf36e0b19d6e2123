"""The perceptron in the space of the features."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from . import _input, _model, _native, _parameters
from ._base import Base, alone, check_classes, first_weights, history_of, of_weight
from ._callbacks import with_callbacks

if TYPE_CHECKING:
    from typing_extensions import Self


def _streams(estimator: Any) -> bool:
    """Whether the estimator learns from a stream: `partial_fit` exists only then."""
    if estimator.kernel is None and estimator.keep in ("last", "average", "auto"):
        return True
    raise AttributeError(
        "partial_fit needs weights of the features: kernel=None, and keep 'last', 'average' or 'auto'"
    )


class Perceptron(Base):
    """Rosenblatt's perceptron: scikit-learn's `Perceptron`, with its parameters, over an exact engine.

    It differs from scikit-learn's in what it promises:

    - it stops after an epoch without a mistake (with ``margin:M`` also without an update), and a
      `ConvergenceWarning` says exactly that mistakes remain at `max_iter`;
    - whether an example is a mistake is the sign of a real number, decided exactly, so dense and sparse,
      ``float32`` and ``float64`` rows of the same numbers give the same bits of the model;
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
        (scikit-learn leaves the rest at 1 where a class learns against the rest.) A weight of 0 leaves the examples
        of the class out. The pocket and early stopping count errors by these weights.

    warm_start : bool, default=False
        Whether `fit` begins with the present weights.

    keep : {"last", "average", "auto", "pocket", "vote"}, default="last"
        Which of the weights visited is the model: the last; the average; the last after an epoch without
        a mistake, else the average; the pocket (Gallant 1990, with ratchet); all of them, voting
        (Freund & Schapire 1999). The pocket counts the errors of weights on all examples. It counts at most
        four rows a visit and two million more, which can take some ten times as long as learning alone.

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
        Whether a score of exactly 0 is a mistake for both classes, or only where it predicts the wrong label.

    zero : {"negative", "positive"}, default="negative"
        The class that a score of exactly 0 predicts: ``classes_[0]``, as everywhere in scikit-learn, or
        ``classes_[1]``. It holds for all that counts errors: the pocket, early stopping, `report_`, `predict`.

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
        What happened, with the keys of ``rosenblatt train --json``; the errors are those of what is kept.

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
        zero: str = "negative",
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
        self.zero = zero
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
        if self.warm_start:
            self._refuse_scaled()
        if self.warm_start and self.__sklearn_is_fitted__() and hasattr(self, "coef_"):
            coef_init = self.coef_ if coef_init is None else coef_init
            intercept_init = self.intercept_ if intercept_init is None else intercept_init
        return self._fit(X, y, sample_weight, (coef_init, intercept_init))

    @available_if(_streams)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from some more examples: one pass in the order given.

        A bias of R² needs all examples and is refused.

        The weights are those that one pass over all the examples so far would give, also the average of
        ``keep="average"``. After `fit`, or when `coef_` was set, it goes on from the weights there. Threads that call
        it at the same time wait for one another.

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
        with alone(self):
            return self._partial_fit(X, y, classes, sample_weight)

    def _partial_fit(self, X: Any, y: Any, classes: Any, sample_weight: Any) -> Self:
        _parameters.check(self)
        self._refuse_scaled()
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
        check_classes(known)
        matrix, examples = _input.rows(X, estimator=self, reset=is_first)
        codes = _input.codes_of(y, known)
        _input.check_lengths(examples, len(codes))
        weights = _input.weights(sample_weight, examples)
        if weights is not None and not weights.all():
            places = np.flatnonzero(weights)
            matrix, codes = _input.selected(matrix, places), codes[places]
            weights, examples = weights[places], len(places)
        class_weight = self._class_weight(known)
        weighty = of_weight(class_weight, codes)
        if weighty is not None:
            matrix, codes = _input.selected(matrix, weighty), codes[weighty]
            weights = None if weights is None else weights[weighty]
            examples = len(weighty)
        options = self._options(class_weight, epochs=1, order="given")
        stream = self._present_stream(options, known)
        mistakes, updates = stream.learn(matrix, codes, weights)
        self._streamed(stream, options, known, examples, (mistakes, updates))
        self.class_sizes_ = self.class_sizes_ + np.bincount(codes, minlength=len(known))
        return self

    def _refuse_scaled(self) -> None:
        if _model.scaling(self) is not None:
            raise ValueError(
                "the weights of this model file are those of scaled features, and cannot be gone "
                "on from here; put a scaler in a pipeline, or train with the command"
            )

    def _present_stream(self, options: str, classes: NDArray[Any]) -> _native.Stream:
        """The stream so far, or one that begins with the weights there are."""
        stream: _native.Stream | None = getattr(self, "_stream", None)
        # Whoever sets weights, also one by one, wants them to be gone on from.
        if stream is not None and stream.holds(*self._weights()):
            return stream if self._run == options else stream.with_options(options)
        start = None
        if hasattr(self, "coef_"):
            start = first_weights((self.coef_, self.intercept_), len(classes), self.n_features_in_)
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
            self.history_ = history_of([], [])
            self.class_sizes_ = np.zeros(len(classes), dtype=np.int64)
        self._forget()
        self._stream, self._run, self._file = stream, options, None
        self.coef_, self.intercept_ = stream.planes()
        self.n_iter_ = 1
        self.t_ += examples
        mistakes, updates = counts
        self.n_mistakes_ += mistakes
        self.n_updates_ += updates
        history = self.history_
        self.history_ = history_of(
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

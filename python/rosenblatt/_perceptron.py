"""The perceptron in feature space, and `partial_fit`."""

from __future__ import annotations

import warnings
from operator import is_
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from . import _input, _native, _parameters, _words
from ._base import Base, Examples, check_classes, first_weights, history_of, lock_of
from ._callbacks import with_callbacks

if TYPE_CHECKING:
    from typing_extensions import Self

_WEIGHTS = ("coef_", "intercept_")

_OF_SETTINGS = (
    *("update", "penalty", "weighting", "normalise", "document_frequency"),
    *("kernel", "keep", "scale", "tol", "early_stopping"),
)
"""The parameters that the settings of `PerceptronCV` have, or that exclude them."""


def _has_partial_fit(estimator: Any) -> bool:
    """Return whether `partial_fit` is available."""
    return _needs_all_rows(estimator) is None


def _needs_all_rows(estimator: Any) -> str | None:
    """Return which parameter needs all rows at once, and what to use in its place."""
    if estimator.kernel is not None:
        return f"use kernel=None, not {estimator.kernel!r}"
    if estimator.keep not in ("last", "average", "auto"):
        return f"use keep='last', 'average' or 'auto', not {estimator.keep!r}"
    if estimator.init == "random":
        return "use init='zero', not 'random'"
    if estimator.bias == "radius":
        return "use bias='unit:S' with the norm S of the longest row, not 'radius'"
    for name in _parameters.PREPARATION:
        step = getattr(estimator, name)
        if name != "scale" and step is not None:
            return f"{name}={step!r} is for fit; use a fitted transformer of scikit-learn before it"
    if estimator.calibrate is not None:
        return f"calibrate={estimator.calibrate!r} needs examples that are not learned from; use calibrate=None"
    if estimator.early_stopping:
        return "use early_stopping=False"
    if isinstance(estimator.class_weight, str):
        return f"class_weight={estimator.class_weight!r} depends on all labels; use a dict"
    return None


class Perceptron(Base):
    """Rosenblatt's perceptron, with the parameters of scikit-learn's `Perceptron`.

    It differs from scikit-learn's class in four points:

    - It stops after an epoch without a mistake (with ``margin:M``, also without an update). By default the model is the
      average of all weights; with ``keep="last"``, mistakes that remain when the epochs are over emit a
      `ConvergenceWarning`.
    - It scales the features (`scale`); ``coef_`` is in the units of the rows.
    - It decides exactly whether an example is a mistake. Dense and sparse, ``float32`` and ``float64`` rows of equal
      numbers give an identical model.
    - `report_` has the mistakes, the margin, the radius and, where the theorem holds, Novikoff's bound.

    Parameters
    ----------
    penalty : {"l2", "l1", "elasticnet"} or None, default=None
        The penalty on large weights, as in scikit-learn. At each example ``"l2"`` multiplies all weights by
        1 - `eta0` * `alpha`; ``"l1"`` brings those of its features towards 0, by up to `eta0` * `alpha` for each
        example so far: many of the last weights become 0 (``keep="last"``), but few of the average;
        ``"elasticnet"`` does both by their parts. The intercept has no penalty. A run with a penalty does
        not end after an epoch without a mistake, and has no upper bound on the margin. It excludes a kernel, the
        pocket, a vote, joint learning, `tol`, and the second-order rules.

    alpha : float, default=0.0001
        The strength of the penalty.

    l1_ratio : float, default=0.15
        The part of ``"l1"`` in ``"elasticnet"``.

    fit_intercept : bool, default=True
        Whether the hyperplane has a bias.

    max_iter : int or None, default=None
        The maximum number of epochs. None is 1000, and ends the run where its mistakes no longer become fewer: a run
        without an end of its own stops after 10 or 20 epochs, if the second half of them made more than nine tenths of
        the mistakes of the first half, and after 40, but not before it has visited 100,000 values that are not 0.
        With ``order="mistaken"`` it ends there only after 1000.

    tol : float or None, default=None
        If given, the run also ends after `n_iter_no_change` epochs whose mean loss is not smaller, by `tol`, than the
        smallest one. scikit-learn's default is 1e-3, which ends a run on overlapping classes after about six epochs.
        With several classes, the loss is the sum over the hyperplanes.

    shuffle : bool, default=True
        Whether each epoch has its own random order.

    verbose : int, default=0
        Whether to print the mistakes of each epoch.

    eta0 : float or str, default=1
        The learning rate η. With zero first weights, the rule ``"perceptron"`` and no penalty, it scales the weights:
        a power of two changes no decision, and any other η rounds the weights, which can change some. The texts
        ``"RATE/t"`` and ``"RATE/sqrt(t)"``, such as ``"1/t"``, divide the rate by the number t of the epoch, counted
        from 1, or by its root; they go with the rules ``"perceptron"`` and ``"margin:M"``, without a penalty and
        without `partial_fit`.

    n_jobs : int, default=None
        The number of threads for kernel values, votes and the folds of `calibrate`: None is 1, -1 is the number of
        processors. It changes no result.

    random_state : int, RandomState instance or None, default=0
        The seed of the orders. A whole number has the meaning of ``rosenblatt train --seed``.

    early_stopping : bool, default=False
        Whether to hold out some of the examples, and to stop when the errors on them no longer fall. The model is then
        the first weights with the fewest of these errors.

    validation_fraction : float, default=0.1
        The share of the rows that `early_stopping` holds out, drawn whatever their classes, but one row of each
        class at least is learned from. Where rows were copied, copies stay on one side.

    n_iter_no_change : int, default=5
        How many epochs `tol` and `early_stopping` wait for an improvement.

    class_weight : dict, {class_label: weight}, "balanced" or None, default=None
        The factor of the learning rate for the examples of each class, in every one-vs-rest problem. (scikit-learn
        applies it only in the class's own problem.) A weight of 0 leaves the class out. The pocket and early stopping
        weight errors by these factors.

    warm_start : bool, default=False
        Whether `fit` begins with the weights of the last fit.

    keep : {"auto", "last", "average", "pocket", "vote"}, default="auto"
        Which weights are the model. ``"last"``: the last weights. ``"average"``: the mean of the weights after every
        visit, which usually predicts new examples better. ``"auto"`` is the average; after a run that
        converged, the average as if it had gone on for as few epochs as make it right on all examples
        (``report_["extra_epochs"]``), or the last weights if that takes more epochs than were made. `partial_fit`
        has the average, and with ``"arow:R"`` it is always the last weights. ``"pocket"``: the
        weights with the fewest training errors among those tried: the initial and the last ones, and, within a budget,
        those with a longer run of correct visits than the pocket's (Gallant 1990, with ratchet). ``"vote"``: the
        weights after every visit vote, with one vote for each visit (Freund & Schapire 1999). The budget of the pocket
        is four rows per visit plus two million, which can take about ten times as long as training alone.

    update : str, default="perceptron"
        The update rule. ``"perceptron"`` updates after each mistake, ``"margin:M"`` while the functional margin is at
        most M. ``"pa"``, ``"pa1:C"`` and ``"pa2:C"`` are passive-aggressive (Crammer et al. 2006). ``"arow:R"``
        (Crammer, Kulesza & Dredze 2009) and ``"second-order:A"`` (Cesa-Bianchi, Conconi & Gentile 2005) are
        second-order: each weight has a precision and moves less the larger it is. They have no kernel and no vote.
        `partial_fit` continues with the precisions; `warm_start`, `coef_init`, and `partial_fit` after `fit` or `load`
        begin with the first ones.

    C : float or None, default=None
        The number of the update rule as a parameter of its own, for a search over numbers: ``update="pa1", C=0.5`` is
        ``update="pa1:0.5"``. It is M of ``"margin"``, C of ``"pa1"`` and ``"pa2"``, R of ``"arow"`` and A of
        ``"second-order"``. None is the number in `update`; both are an error.

    kernel : str or None, default=None
        The kernel of the dual form, as for `KernelPerceptron`. None is feature space.

    gamma, degree, coef0 : default=None
        The numbers of `kernel` as parameters of their own, as for `KernelPerceptron`.

    bias : {"unit", "unit:S", "none", "radius"} or None, default=None
        What an update by the step τ (η for ``"perceptron"``) adds to the bias: ±τ; ±τS², as for a feature that is
        always S; nothing; or ±τR² with the norm R of the longest row. None follows `fit_intercept`.

    order : {"shuffle", "given", "mistaken"} or None, default=None
        The order of the examples. None follows `shuffle`. With ``"mistaken"`` an epoch counts the examples that the
        weights misclassify and visits one of them, drawn by the seed, so that `max_iter` limits the updates; if there
        are at most `max_mistakes`, the run ends. It is for two classes and for rules that update on mistakes only,
        without `tol`, a penalty, a vote and `partial_fit`. The pocket then tries the weights after every update.

    mistake : {"margin", "label"}, default="margin"
        Whether a score of exactly 0 is a mistake for both classes, or only if it predicts the wrong label.

    zero : {"negative", "positive"}, default="negative"
        The class that a score of exactly 0 predicts: ``classes_[0]``, as in scikit-learn, or ``classes_[1]``. The
        pocket, early stopping, `report_` and `predict` all use it.

    max_mistakes : int, default=0
        The run ends after an epoch with mistakes, but at most this many.

    scale : {"auto", "standard", "maxabs", "minmax"} or None, default="auto"
        How the features are scaled, as ``rosenblatt train --scale``; None leaves them as they are. The scaling is
        learned from the training rows, weighted by `sample_weight`. It is part of the model, and `predict` applies it.
        ``"auto"`` depends on the values of each feature, however rows are stored. A feature of 0 and one other value
        becomes 0 and ±1. Any other feature of which fewer than half of the values are 0 gets mean 0 and standard
        deviation 1. The rest keep their zeros, and are divided by the root mean square of their other values. Without a
        bias no zero is moved. With `weighting`, `document_frequency` or `normalise`, ``"auto"`` scales nothing.
        ``"standard"``: mean 0 and standard deviation 1, but 0 and one other value as with ``"auto"``. ``"maxabs"``
        divides by the largest size. ``"minmax"``: from 0 to 1. Sparse rows stay sparse with ``"maxabs"``; with
        ``"auto"`` at most four times as many values are stored.

    normalise : {"l2", "l1", "max"} or None, default=None
        The length by which each row is divided after the scaling, as ``rosenblatt train --normalise``: ``"l2"`` is the
        Euclidean length, ``"l1"`` the sum of the absolute values, ``"max"`` the largest one. A row of zeros stays as it
        is. It is part of the model, and `predict` does the same. Sparse rows stay sparse.

    weighting : {"binary", "log", "tfidf"} or None, default=None
        How counts, such as those of words, are weighted before the scaling, as ``rosenblatt train --weighting``:
        ``"binary"`` makes them 1, ``"log"`` 1 + ln(count), ``"tfidf"`` multiplies them by the inverse document
        frequency of their feature, as scikit-learn's `TfidfTransformer` does before its norm. It is learned from the
        training rows, is part of the model, and `predict` does the same. Sparse rows stay sparse.

    document_frequency : str or None, default=None
        Which features are left out because too few or too many training rows have them, as ``rosenblatt train
        --document-frequency``: ``"MIN:MAX"``, each a number of rows or a percentage, such as ``"2:50%"``, ``"2:"`` or
        ``":50%"``. Their values become 0, in the rows of `predict` too: `min_df` and `max_df` of scikit-learn's
        `CountVectorizer`. Sparse rows stay sparse.

    classes : {"auto", "one-vs-rest", "joint"}, default="auto"
        How more than two classes are learned. ``"one-vs-rest"``: each class against all others, by itself. ``"joint"``:
        all together; a mistake moves the weights of the class and of its best rival (Crammer & Singer 2003). It needs
        ``kernel=None``, ``tol=None``, and as `keep` the last weights or the average. ``"auto"`` is ``"joint"`` with
        ``keep="auto"``, where it is possible. Two classes are learned alike.

    calibrate : {"temperature", "platt", "isotonic", "venn-abers"} or None, default=None
        The method by which `predict_proba` makes probabilities of scores, as ``rosenblatt train --calibrate``; None has
        no `predict_proba`. ``"temperature"`` is one slope for all scores and keeps their labels; ``"platt"`` is a
        sigmoid, ``"isotonic"`` a step function, ``"venn-abers"`` two of them, which give each row an interval
        (`predict_interval`). With these three the label is that of the largest probability, and there is no
        `decision_function`. It is fitted to scores of rows that were not learned from, each of which counts once.
        `early_stopping` and `warm_start` exclude it.

    calibration_folds : int or None, default=5
        With `calibrate`, the number of folds: each is scored by a run on the others, and the model then learns from all
        rows. None holds out the share `validation_fraction`, which is not learned from. Where rows were copied, copies
        stay in one fold.

    init : {"zero", "random"}, default="zero"
        The first weights: 0, or drawn from the seed, uniform from -1 to 1. ``"random"`` excludes a kernel, a vote and
        `partial_fit`. First weights of one's own are `coef_init` and `intercept_init` of `fit`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels in sorted order.

    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        The weights, ``float64``. A model with a kernel or a vote has none. With `scale`, weights and biases are those
        for rows before scaling, rounded. `predict` uses the weights for the scaled rows, until one of these numbers is
        changed; then it uses these. With `weighting` or `normalise`, they are those for the weighted, scaled and
        normalised rows.

    intercept_ : ndarray of shape (1,) or (n_classes,)
        The biases. A vote has none.

    n_iter_ : int
        The number of epochs.

    t_ : int
        The number of examples visited, plus 1.

    n_features_in_ : int
        The number of features.

    feature_names_in_ : ndarray of shape (n_features_in_,)
        The names of the features, if `X` has names that are all strings.

    report_ : dict
        The report of the run, with the keys of ``rosenblatt train --json``. Its errors are those of the kept weights.
        Where rows are held out, ``copies`` counts the `examples` that equal another one in all features.

    n_updates_, n_mistakes_ : int
        The numbers of updates and mistakes of the run, over all hyperplanes.

    history_ : dict of ndarray
        ``epoch``, ``mistakes`` and ``updates``: one number per epoch, or per call of `partial_fit`.

    class_sizes_ : ndarray of shape (n_classes,)
        The number of training examples of each class.

    dual_coef_, support_, support_vectors_, support_counts_ : ndarray, sparse matrix
        The support of a kernel or a vote, as in `KernelPerceptron`; a vote has no `dual_coef_`.

    See Also
    --------
    KernelPerceptron : With a kernel.
    VotedPerceptron : With a vote of all weights visited.
    rosenblatt.separable : Decides whether training can converge.
    sklearn.metrics.RocCurveDisplay, sklearn.metrics.PrecisionRecallDisplay : Draw what every threshold of
        `decision_function` reaches, with ``from_estimator(model, X, y, pos_label=...)``.

    Notes
    -----
    `sample_weight` multiplies the learning rate. A weight of 0 leaves the example out. A weight of 2 makes one update
    twice as large, which differs from two copies of the example.

    With several classes, there is one hyperplane per class (`classes`). All hyperplanes visit an example before the
    next one, and the run ends after an epoch without a mistake.

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
    >>> by_number = Perceptron(update="pa1", C=0.5).fit(X, y)
    >>> by_number.coef_.tolist() == Perceptron(update="pa1:0.5").fit(X, y).coef_.tolist()
    True
    """

    def __init__(
        self,
        *,
        penalty: _words.Penalty | None = None,
        alpha: float = 0.0001,
        l1_ratio: float = 0.15,
        fit_intercept: bool = True,
        max_iter: int | None = None,
        tol: float | None = None,
        shuffle: bool = True,
        verbose: int = 0,
        eta0: float | str = 1.0,
        n_jobs: int | None = None,
        random_state: Any = 0,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        class_weight: Any = None,
        warm_start: bool = False,
        keep: _words.Keep = "auto",
        update: _words.Update = "perceptron",
        C: float | None = None,
        kernel: _words.Kernel | None = None,
        gamma: _words.Gamma | None = None,
        degree: int | None = None,
        coef0: float | None = None,
        bias: _words.Bias | None = None,
        order: _words.Order | None = None,
        mistake: _words.Mistake = "margin",
        zero: _words.Zero = "negative",
        max_mistakes: int = 0,
        scale: _words.Scale | None = "auto",
        classes: _words.Classes = "auto",
        normalise: _words.Normalise | None = None,
        calibrate: _words.Calibrate | None = None,
        calibration_folds: int | None = 5,
        weighting: _words.Weighting | None = None,
        document_frequency: str | None = None,
        init: _words.Init = "zero",
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
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.bias = bias
        self.order = order
        self.mistake = mistake
        self.zero = zero
        self.max_mistakes = max_mistakes
        self.scale = scale
        self.classes = classes
        self.normalise = normalise
        self.calibrate = calibrate
        self.calibration_folds = calibration_folds
        self.weighting = weighting
        self.document_frequency = document_frequency
        self.init = init

    @classmethod
    def notes(cls, name: str, **changes: Any) -> Self:
        """Return an estimator with the algorithm of lecture notes, on the features as they are.

        Its `init`, `shuffle`, `bias`, `mistake` and `zero` are those of the notes, `keep` is ``"last"``, `scale` is
        None, and `max_iter` is 1000: the options of ``rosenblatt train --notes``.

        Parameters
        ----------
        name : {"varner", "lauer", "shalizi", "dsc255-1", "dsc255-2", "carson"}
            The notes: Varner's Lecture 3a, Lauer's "The perceptron", Shalizi's 36-350, Algorithm 1 and Listing 2 of
            DSC 255, Carson's "Perceptron".

        **changes
            Other parameters, which win.

        Returns
        -------
        Perceptron
            The estimator.

        Raises
        ------
        ValueError
            No notes have this name.

        Examples
        --------
        >>> from rosenblatt import Perceptron
        >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
        >>> model = Perceptron.notes("lauer").fit(X, y)
        >>> model.coef_, model.intercept_, model.n_iter_, model.n_updates_
        (array([[2., 1.]]), array([-3.]), 6, 11)
        >>> Perceptron.notes("lauer", eta0=0.5, shuffle=True)
        Perceptron(eta0=0.5, keep='last', max_iter=1000, mistake='label', scale=None,
                   zero='positive')
        """
        parameters = {**_parameters.of_notes(name), **changes}
        if "order" in changes:
            del parameters["shuffle"]
        return cls(**parameters)

    @with_callbacks
    def fit(
        self,
        X: Any,
        y: Any,
        coef_init: Any = None,
        intercept_init: Any = None,
        sample_weight: Any = None,
    ) -> Self:
        """Train until an epoch without a mistake, or until `max_iter`.

        Ctrl-C ends the run within a fraction of a second, and leaves the model of the last fit.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows. Arrays of ``float32`` and ``float64`` in C order and CSR matrices are not copied, but for the
            scaled rows of `scale`.

        y : array-like of shape (n_samples,)
            The labels.

        coef_init : array-like of shape (n_classes, n_features), default=None
            The first weights, for rows before scaling, with ``init="zero"``. Two classes have one row.

        intercept_init : array-like of shape (n_classes,), default=None
            The first biases, likewise.

        sample_weight : array-like of shape (n_samples,), default=None
            The factor of the learning rate for each example.

        Returns
        -------
        Perceptron
            The estimator itself.
        """
        return self._fit(X, y, sample_weight, self._first(coef_init, intercept_init))

    def _choose(
        self, X: Any, y: Any, sample_weight: Any, threads: int
    ) -> tuple[list[tuple[str, float, float | None]], int]:
        """Compare the usual settings in place of those of this perceptron."""
        _parameters.check(self)
        taken = [name for name in _OF_SETTINGS if self._differs(name)]
        if taken:
            given = f"{taken[0]}={getattr(self, taken[0])!r}"
            raise ValueError(f"the settings choose {taken[0]}: leave out {given}")
        examples, classes, _ = self._examples(X, y, sample_weight)
        check_classes(classes)
        class_weight = self._class_weight(classes)
        examples = examples.of_weighted_classes(class_weight)
        return _native.choose(
            examples.matrix,
            examples.codes,
            len(classes),
            self._options(class_weight),
            weights=examples.weights,
            threads=threads,
            prepare=self._preparation(),
        )

    def _differs(self, name: str) -> bool:
        """Return whether a parameter is not its default."""
        return bool(getattr(self, name) != type(self)().get_params()[name])

    def _first(self, coef: Any, intercept: Any) -> tuple[Any, Any]:
        """Return the first weights and biases of `fit`, each None if it follows `init`."""
        if self.init == "random" and not (coef is None and intercept is None):
            raise ValueError("init='random' and first weights that are given exclude one another")
        if self.warm_start and self.__sklearn_is_fitted__() and hasattr(self, "coef_"):
            coef = self.coef_ if coef is None else coef
            intercept = self.intercept_ if intercept is None else intercept
        return coef, intercept

    @available_if(_has_partial_fit)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from a batch of examples in one pass, in the given order.

        With `scale`, the statistics are those of the first batch, and their scaling is kept for all batches. So make it
        large: a feature with one value in it is only shifted, and a first batch of one row scales nothing, with a
        warning. After several calls, the weights and their average are those of one pass over
        all examples, so scaled. A call after `fit`, or after a change of `coef_`, begins with the current weights and
        the scaling of the model. Threads that call it at the same time wait for one another. ``bias="radius"`` is an
        error, because R needs all examples.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        y : array-like of shape (n_samples,)
            The labels.

        classes : array-like of shape (n_classes,), default=None
            All labels of the stream; required at the first call.

        sample_weight : array-like of shape (n_samples,), default=None
            The factor of the learning rate for each example.

        Returns
        -------
        Perceptron
            The estimator itself.
        """
        with lock_of(self):
            return self._partial_fit(X, y, classes, sample_weight)

    def _partial_fit(self, X: Any, y: Any, classes: Any, sample_weight: Any) -> Self:
        if self.order == "mistaken":
            raise ValueError("partial_fit visits every row once, which order='mistaken' excludes")
        options = self._checked_options()
        is_first = not hasattr(self, "classes_")
        if is_first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        known = self._known_classes(classes, is_first)
        rows = _input.rows(X, estimator=self, reset=is_first)
        examples = Examples.from_input(rows, _input.codes_of(y, known), sample_weight)
        del rows  # so that a converted copy does not outlive the selection
        examples = examples.without_zero_weights()
        if options is None:
            class_weight = self._class_weight(known)
            examples = examples.of_weighted_classes(class_weight)
            options = self._options(class_weight, max_iter=1, order="given")
        stream = self._current_stream(options, known)
        if is_first and self.scale is not None and len(examples.codes) == 1:
            warnings.warn(
                "the first batch has one row, so the features of this stream are not scaled; "
                "begin with a batch of more rows, or with scale=None",
                UserWarning,
                stacklevel=3,
            )
        counts = stream.learn(*examples)
        self._set_stream(stream, options, known, len(examples.codes), counts)
        self.class_sizes_ = self.class_sizes_ + np.bincount(examples.codes, minlength=len(known))
        return self

    def _checked_options(self) -> _native.Options | None:
        """Return the options, or None where they depend on the classes; raise `ValueError` for invalid parameters.

        Options of values that cannot change in place are made only once.
        """
        values = _parameters.immutable_values(self)
        checked = self.__dict__.get("_checked")
        if values is not None and checked is not None and all(map(is_, values, checked[0])):
            options: _native.Options = checked[1]
            return options
        _parameters.check(self)
        if values is None or self.class_weight is not None:
            return None
        options = self._options("uniform", max_iter=1, order="given")
        self._checked = values, options
        return options

    def _known_classes(self, classes: Any, is_first: bool) -> NDArray[Any]:
        """Return the classes of the stream; raise `ValueError` if `classes` are others."""
        if not is_first and (classes is None or np.array_equal(classes, self.classes_)):
            return self.classes_
        known = np.unique(np.asarray(classes))
        if not is_first and not np.array_equal(known, self.classes_):
            raise ValueError(
                f"`classes={classes!r}` is not the same as on last call to partial_fit, was: {self.classes_!r}"
            )
        check_classes(known)
        return known

    def _current_stream(self, options: _native.Options, classes: NDArray[Any]) -> _native.Stream:
        """Return the stream so far, or a new one that begins with the current weights."""
        stream: _native.Stream | None = getattr(self, "_stream", None)
        if stream is not None:
            self._check_scale(stream)
            # If the user has changed weights, training continues from these.
            if not any(name in self.__dict__ for name in _WEIGHTS) or stream.holds(
                *self._weights()
            ):
                return stream if self._run == options else stream.with_options(options)
        elif not hasattr(self, "coef_"):
            return _native.Stream(options, len(classes), self.scale or "none")
        start = first_weights((self.coef_, self.intercept_), len(classes), self.n_features_in_)
        assert start is not None
        if stream is not None:
            return stream.after_change(options, start)
        stream = _native.Stream.after_fit(
            options, len(classes), start, self.scale or "none", self._classifier
        )
        self._check_scale(stream)
        return stream

    def _check_scale(self, stream: _native.Stream) -> None:
        """Raise `ValueError` for another scaling than that of the batches before."""
        if stream.scale != self.scale:
            raise ValueError(
                f"scale was {stream.scale!r} and is {self.scale!r}: what was visited is past"
            )

    def _set_stream(
        self,
        stream: _native.Stream,
        options: _native.Options,
        classes: NDArray[Any],
        examples: int,
        counts: tuple[int, int],
    ) -> None:
        """Set the attributes that `partial_fit` sets, but for those that `__getattr__` makes when they are used."""
        if not hasattr(self, "classes_"):
            self.classes_ = classes
            self.t_, self.n_updates_, self.n_mistakes_ = 1, 0, 0
            self._counts = [], []
            self.class_sizes_ = np.zeros(len(classes), dtype=np.int64)
            self._held_out = np.zeros(len(classes), dtype=np.int64)
        if self._counts is None:
            before = self.history_
            updates = before["updates"].tolist() if "updates" in before else None
            self._counts = before["mistakes"].tolist(), updates
        self._clear_weights()
        self.__dict__.pop("history_", None)
        self._stream, self._run, self._file = stream, options, None
        self.n_iter_ = 1
        self.t_ += examples
        for total, count in zip(self._counts, counts, strict=True):
            if total is not None:
                total.append(count)
        mistakes, updates = counts
        self.n_mistakes_ += mistakes
        self.n_updates_ += updates

    def __getattr__(self, name: str) -> Any:
        """Return the weights or the history of a stream, which take longer to make than a batch to learn."""
        if name in _WEIGHTS or name == "history_":
            # Another thread may be learning.
            with lock_of(self):
                stream, counts = self.__dict__.get("_stream"), self.__dict__.get("_counts")
                if name == "history_" and counts is not None:
                    self.__dict__.setdefault(name, history_of(*counts))
                elif name in _WEIGHTS and stream is not None:
                    for each, values in zip(_WEIGHTS, stream.planes(), strict=True):
                        self.__dict__.setdefault(each, values)
                if name in self.__dict__:
                    return self.__dict__[name]
        message = f"{type(self).__name__!r} object has no attribute {name!r}"
        problem = _needs_all_rows(self) if name == "partial_fit" else None
        raise AttributeError(message if problem is None else f"{message}: {problem}")

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

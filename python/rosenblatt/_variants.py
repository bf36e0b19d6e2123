"""The perceptron with a kernel, and the voted perceptron."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _words
from ._base import Base
from ._callbacks import with_callbacks

if TYPE_CHECKING:
    from typing_extensions import Self


class KernelBase(Base):
    """The base class of the estimators without first weights."""

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train until an epoch without a mistake, or until `max_iter`.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        y : array-like of shape (n_samples,)
            The labels.

        sample_weight : array-like of shape (n_samples,), default=None
            The factor of the learning rate for each example.

        Returns
        -------
        Self
            The estimator itself.
        """
        return self._fit(X, y, sample_weight)


class KernelPerceptron(KernelBase):
    """The perceptron with a kernel: `Perceptron` in the dual form.

    Parameters
    ----------
    kernel : str, default="poly:2"
        ``"poly:D[:coef0[:gamma]]"``: (coef0 + gamma·x·z)^D, by default (1 + x·z)^D;
        ``"rbf:GAMMA"``: exp(−GAMMA‖x − z‖²); ``"linear"``: x·z. ``"poly"`` and ``"rbf"`` have their numbers from the
        next parameters; numbers in both places are an error.

    gamma : float, "scale", "auto" or None, default=None
        The factor of ``"rbf"``, which has no other default, or of ``"poly"``, where None is 1. ``"scale"`` is
        1 / (n_features · variance) with the variance of all values of the rows, as `SVC` has it, after
        ``scale="auto"``; it needs that or ``scale=None``, and no other preparation of rows. ``"auto"`` is
        1 / n_features. ``"scale"`` counts the rows that are held out, too.

    degree : int or None, default=None
        The degree D of ``"poly"``, from 1 to 100.

    coef0 : float or None, default=None
        The number coef0 of ``"poly"``, at least 0; None is 1.

    fit_intercept, max_iter, shuffle, verbose, eta0, n_jobs, random_state, early_stopping, validation_fraction, \
n_iter_no_change, class_weight, keep, update, C, bias, order, mistake, zero, max_mistakes, scale, normalise, \
calibrate, calibration_folds, weighting, document_frequency
        As for `Perceptron`.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (1, n_support) or (n_classes, n_support)
        The coefficients of the supporting rows.

    intercept_ : ndarray of shape (1,) or (n_classes,)
        The biases.

    support_ : ndarray of shape (n_support,)
        The indices of the supporting rows, which are those with an update, in the order of their first updates.

    support_vectors_ : sparse matrix of shape (n_support, n_features)
        The supporting rows; with `weighting`, `scale` or `normalise`, as they are then.

    support_counts_ : ndarray of shape (1, n_support) or (n_classes, n_support)
        The number of updates of each hyperplane by each supporting row.

    classes_, n_iter_, t_, n_features_in_, feature_names_in_, report_, n_updates_, n_mistakes_, history_
        As for `Perceptron`.

    Examples
    --------
    >>> from rosenblatt import KernelPerceptron
    >>> X, xor = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> KernelPerceptron(kernel="poly:2").fit(X, xor).predict(X)
    array([0, 1, 1, 0])
    >>> KernelPerceptron(kernel="rbf", gamma=0.5).fit(X, xor).predict(X)
    array([0, 1, 1, 0])
    """

    def __init__(
        self,
        kernel: _words.Kernel = "poly:2",
        *,
        gamma: _words.Gamma | None = None,
        degree: int | None = None,
        coef0: float | None = None,
        fit_intercept: bool = True,
        max_iter: int | None = None,
        shuffle: bool = True,
        verbose: int = 0,
        eta0: float | str = 1.0,
        n_jobs: int | None = None,
        random_state: Any = 0,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        class_weight: Any = None,
        keep: _words.Keep = "auto",
        update: _words.Update = "perceptron",
        C: float | None = None,
        bias: _words.Bias | None = None,
        order: _words.Order | None = None,
        mistake: _words.Mistake = "margin",
        zero: _words.Zero = "negative",
        max_mistakes: int = 0,
        scale: _words.Scale | None = "auto",
        normalise: _words.Normalise | None = None,
        calibrate: _words.Calibrate | None = None,
        calibration_folds: int | None = 5,
        weighting: _words.Weighting | None = None,
        document_frequency: str | None = None,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
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
        self.C = C
        self.bias = bias
        self.order = order
        self.mistake = mistake
        self.zero = zero
        self.max_mistakes = max_mistakes
        self.scale = scale
        self.normalise = normalise
        self.calibrate = calibrate
        self.calibration_folds = calibration_folds
        self.weighting = weighting
        self.document_frequency = document_frequency


class VotedPerceptron(KernelBase):
    """The voted perceptron (Freund & Schapire 1999): `Perceptron` with ``keep="vote"``.

    The weights after every visit vote, with one vote for each visit. Weights with a score of 0 vote for the class of
    `zero`, by default ``classes_[0]``.

    Parameters
    ----------
    kernel : str or None, default=None
        As for `KernelPerceptron`; None is feature space.

    gamma, degree, coef0 : default=None
        As for `KernelPerceptron`.

    tally : str, default="vote"
        How the weights give a score: ``"vote"``, ``"average"``, ``"last"`` or ``"random"``. The last three also exist
        with ``-normalised``, which divides scores by the norm of the weights.

    fit_intercept, max_iter, shuffle, verbose, eta0, n_jobs, random_state, class_weight, update, C, bias, order, \
mistake, zero, max_mistakes, scale, normalise, calibrate, calibration_folds, weighting, document_frequency
        As for `Perceptron`.

    Attributes
    ----------
    support_, support_vectors_, support_counts_
        As for `KernelPerceptron`.

    classes_, n_iter_, t_, n_features_in_, feature_names_in_, report_, n_updates_, n_mistakes_, history_
        As for `Perceptron`.

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
        kernel: _words.Kernel | None = None,
        *,
        gamma: _words.Gamma | None = None,
        degree: int | None = None,
        coef0: float | None = None,
        tally: _words.Tally = "vote",
        fit_intercept: bool = True,
        max_iter: int | None = None,
        shuffle: bool = True,
        verbose: int = 0,
        eta0: float | str = 1.0,
        n_jobs: int | None = None,
        random_state: Any = 0,
        class_weight: Any = None,
        update: _words.Update = "perceptron",
        C: float | None = None,
        bias: _words.Bias | None = None,
        order: _words.Order | None = None,
        mistake: _words.Mistake = "margin",
        zero: _words.Zero = "negative",
        max_mistakes: int = 0,
        scale: _words.Scale | None = "auto",
        normalise: _words.Normalise | None = None,
        calibrate: _words.Calibrate | None = None,
        calibration_folds: int | None = 5,
        weighting: _words.Weighting | None = None,
        document_frequency: str | None = None,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
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
        self.C = C
        self.bias = bias
        self.order = order
        self.mistake = mistake
        self.zero = zero
        self.max_mistakes = max_mistakes
        self.scale = scale
        self.normalise = normalise
        self.calibrate = calibrate
        self.calibration_folds = calibration_folds
        self.weighting = weighting
        self.document_frequency = document_frequency

"""The perceptron with the best of the usual settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from . import _parameters
from ._base import has_scores_that_decide
from ._perceptron import Perceptron

if TYPE_CHECKING:
    from typing_extensions import Self

    from ._base import Explanation


def _is_calibrated(estimator: PerceptronCV) -> bool:
    return getattr(estimator.estimator, "calibrate", None) is not None


def _has_scores_that_decide(estimator: PerceptronCV) -> bool:
    found = getattr(estimator, "best_estimator_", estimator.estimator)
    return found is None or has_scores_that_decide(found)


class PerceptronCV(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The perceptron with the best of ten settings, chosen by rows that it does not learn from.

    The settings are update rules, a penalty, scalings and weights of counts, as ``rosenblatt train --best`` has them.
    They are compared in three folds of the training rows, with up to 500 rows three times, and from 20,000 rows on by a
    fifth that is held out. The perceptron then learns from all rows with the best.

    ``best_score_`` chose the setting, so it is a little too high. ``cross_val_score(PerceptronCV(), X, y)`` is not:
    each of its folds is judged by the setting that the others choose.

    Parameters
    ----------
    estimator : Perceptron, default=None
        The perceptron whose other parameters stay; None is ``Perceptron()``.

    n_jobs : int, default=None
        The number of threads that compare the settings: None is 1, -1 is the number of processors. It changes no
        result.

    Attributes
    ----------
    best_estimator_ : Perceptron
        The perceptron with the best setting, fitted to all rows.

    best_params_ : dict
        The parameters of that setting; empty for those of `estimator`.

    best_score_ : float
        Its mean accuracy on held-out rows.

    best_index_ : int
        Its place in `cv_results_`.

    cv_results_ : dict
        For each setting its ``"params"``, ``"mean_test_score"`` and ``"std_test_score"``, which is NaN without folds.

    classes_ : ndarray of shape (n_classes,)
        The labels.

    n_features_in_ : int
        The number of features.

    Examples
    --------
    >>> from rosenblatt import PerceptronCV
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = PerceptronCV(n_jobs=2).fit(X, y)
    >>> len(model.cv_results_["params"])
    10
    >>> model.best_score_ > 0.95
    True
    """

    def __init__(self, estimator: Perceptron | None = None, *, n_jobs: int | None = None) -> None:
        self.estimator = estimator
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        """Return the tags of `Perceptron`, whose input it takes."""
        tags = super().__sklearn_tags__()
        own = self._perceptron().__sklearn_tags__()
        tags.input_tags, tags.classifier_tags = own.input_tags, own.classifier_tags
        return tags

    def _perceptron(self) -> Perceptron:
        return Perceptron() if self.estimator is None else clone(self.estimator)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose the setting, and learn with it.

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
        PerceptronCV
            The estimator itself.

        Raises
        ------
        ValueError
            Fewer rows than folds, or a parameter of the perceptron that excludes a comparison.
        """
        estimator = self._perceptron()
        if not isinstance(estimator, Perceptron):
            raise ValueError(
                f"estimator is a {type(estimator).__name__}, expected a Perceptron or None"
            )
        measured, best = estimator._choose(
            X, y, sample_weight, _parameters.thread_count(self.n_jobs)
        )
        params = [_parameters_of(words) for words, _, _ in measured]
        fitted = estimator.set_params(**params[best]).fit(X, y, sample_weight=sample_weight)
        self.best_index_, self.best_params_, self.best_estimator_ = best, params[best], fitted
        self.best_score_ = measured[best][1]
        self.cv_results_ = {
            "params": params,
            "mean_test_score": np.array([accuracy for _, accuracy, _ in measured]),
            "std_test_score": np.array([np.nan if sd is None else sd for _, _, sd in measured]),
        }
        self.classes_ = fitted.classes_
        self.n_features_in_ = fitted.n_features_in_
        if hasattr(fitted, "feature_names_in_"):
            self.feature_names_in_ = fitted.feature_names_in_
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self

    def _fitted(self) -> Perceptron:
        check_is_fitted(self, "best_estimator_")
        fitted: Perceptron = self.best_estimator_
        return fitted

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the label of each row, as `Perceptron.predict`."""
        return self._fitted().predict(X)

    @available_if(_has_scores_that_decide)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the scores of each row, as `Perceptron.decision_function`."""
        return np.asarray(self._fitted().decision_function(X))

    @available_if(_is_calibrated)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each class; needs an `estimator` with `calibrate`."""
        return np.asarray(self._fitted().predict_proba(X))

    def explain(self, X: Any) -> Explanation:
        """Return what each feature adds to the scores, as `Perceptron.explain`."""
        return self._fitted().explain(X)


def _parameters_of(words: str) -> dict[str, Any]:
    """Return the parameters for options of the command."""
    options = words.split()
    params: dict[str, Any] = {}
    for name, value in zip(options[::2], options[1::2], strict=True):
        if name == "--penalty":
            params["penalty"], alpha = value.split(":")
            params["alpha"] = float(alpha)
        else:
            params[name.removeprefix("--")] = value
    return params

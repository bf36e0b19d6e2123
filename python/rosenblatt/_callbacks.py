"""scikit-learn's callbacks, which it has since its version 1.9; before, nothing in their place."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])

__all__ = ["FRAMES", "CallbackSupportMixin", "Epochs", "with_callbacks"]

# How many calls lie between a method that is decorated and its caller.
FRAMES = 1

if TYPE_CHECKING:

    class CallbackSupportMixin:
        """The part of scikit-learn's class that is used here."""

    def with_callbacks(method: Method) -> Method:
        """The method between the beginning and the end of its callbacks."""
        return method

else:
    try:
        from sklearn.callback import CallbackSupportMixin, with_callbacks
    except ImportError:
        FRAMES = 0

        class CallbackSupportMixin:
            """No callbacks."""

        def with_callbacks(method):
            """The method itself."""
            return method


class Epochs:
    """Tells callbacks of a fit and of each of its epochs.

    Parameters
    ----------
    estimator : object
        What learns.

    X, y, sample_weight : array-like
        What it learns from.

    classes : ndarray
        The classes, for estimators that stand for the present weights.
    """

    def __init__(self, estimator: Any, X: Any, y: Any, sample_weight: Any, classes: Any) -> None:
        self._estimator = estimator
        self._data = {
            "X": X,
            "y": y,
            "metadata": None if sample_weight is None else {"sample_weight": sample_weight},
        }
        self._classes = classes
        self._number = 0
        self._context = estimator._init_callback_context(max_subtasks=estimator.max_iter)
        self._context.call_on_fit_task_begin(estimator=estimator, **self._data)

    @staticmethod
    def of(estimator: Any, *data: Any) -> Epochs | None:
        """One where the estimator has callbacks, or a meta-estimator has for it."""
        is_watched = hasattr(estimator, "_skl_callbacks") or hasattr(
            estimator, "_parent_callback_ctx"
        )
        supported = hasattr(estimator, "_init_callback_context")
        return Epochs(estimator, *data) if is_watched and supported else None

    def ended(self, weights: tuple[Any, Any] | None) -> bool:
        """An epoch is over; whether a callback wants the run to end."""
        context = self._context.subcontext(task_name="epoch")
        context.call_on_fit_task_begin(estimator=self._estimator, **self._data)
        now = None
        self._number += 1
        if weights is not None:
            now = {
                "classes_": self._classes,
                "coef_": weights[0],
                "intercept_": weights[1],
                "n_iter_": self._number,
                # Nothing of what it had learned before.
                "_classifier": None,
                "_file": None,
                "_stream": None,
            }
        stop = context.call_on_fit_task_end(
            estimator=self._estimator, reconstruction_attributes=now, **self._data
        )
        return bool(stop)

    def fit_ended(self) -> None:
        """The fit is over."""
        self._context.call_on_fit_task_end(estimator=self._estimator, **self._data)

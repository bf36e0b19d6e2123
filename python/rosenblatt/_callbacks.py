"""scikit-learn's callbacks. Versions before 1.9 have none."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from . import _native, _parameters

Method = TypeVar("Method", bound=Callable[..., Any])

__all__ = ["FRAMES", "CallbackSupportMixin", "EpochCallbacks", "with_callbacks"]

# The number of calls between a decorated method and its caller.
FRAMES = 1

if TYPE_CHECKING:

    class CallbackSupportMixin:
        """The type of scikit-learn's class."""

    def with_callbacks(method: Method) -> Method:
        """Return a method that calls the callbacks before and after."""
        return method

else:
    try:
        from sklearn.callback import CallbackSupportMixin, with_callbacks
    except ImportError:
        FRAMES = 0

        class CallbackSupportMixin:
            """A class without callbacks."""

        def with_callbacks(method):
            """Return the method."""
            return method


class EpochCallbacks:
    """Calls the callbacks of an estimator for its fit and for each epoch."""

    def __init__(self, estimator: Any, X: Any, y: Any, sample_weight: Any, classes: Any) -> None:
        self._estimator = estimator
        self._data = {
            "X": X,
            "y": y,
            "metadata": None if sample_weight is None else {"sample_weight": sample_weight},
        }
        self._classes = classes
        self._number = 0
        most = _parameters.MOST_EPOCHS if estimator.max_iter is None else estimator.max_iter
        self._context = estimator._init_callback_context(max_subtasks=most)
        self._context.call_on_fit_task_begin(estimator=estimator, **self._data)

    @staticmethod
    def for_estimator(estimator: Any, *data: Any) -> EpochCallbacks | None:
        """Return None if neither the estimator nor a meta-estimator has callbacks."""
        has_callbacks = hasattr(estimator, "_skl_callbacks") or hasattr(
            estimator, "_parent_callback_ctx"
        )
        supported = hasattr(estimator, "_init_callback_context")
        return EpochCallbacks(estimator, *data) if has_callbacks and supported else None

    def epoch_ended(self, classifier: _native.Classifier | None) -> bool:
        """Call the callbacks after an epoch, and return whether one of them ends the run."""
        context = self._context.subcontext(task_name="epoch")
        context.call_on_fit_task_begin(estimator=self._estimator, **self._data)
        attributes = None
        self._number += 1
        planes = None if classifier is None else classifier.planes()
        if classifier is not None and planes is not None:
            attributes = {
                "classes_": self._classes,
                "coef_": planes[0],
                "intercept_": planes[1],
                "n_iter_": self._number,
                # The results of the fit before do not count.
                "_classifier": classifier if classifier.is_prepared else None,
                "_file": None,
                "_stream": None,
                "_counts": None,
            }
        stop = context.call_on_fit_task_end(
            estimator=self._estimator, reconstruction_attributes=attributes, **self._data
        )
        return bool(stop)

    def fit_ended(self) -> None:
        """Call the callbacks after the fit."""
        self._context.call_on_fit_task_end(estimator=self._estimator, **self._data)

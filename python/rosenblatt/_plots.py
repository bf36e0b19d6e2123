"""Displays for Matplotlib, with scikit-learn's interface: a boundary, a run, a study."""

from __future__ import annotations

from typing import Any

from ._boundary import BoundaryDisplay
from ._runs import HistoryDisplay, StudyDisplay
from ._study import Study

__all__ = [
    "BoundaryDisplay",
    "HistoryDisplay",
    "StudyDisplay",
    "plot_boundary",
    "plot_history",
    "plot_study",
]


def plot_boundary(
    estimator: Any, X: Any, y: Any = None, ax: Any = None, **options: Any
) -> BoundaryDisplay:
    """Draw the examples and the boundary of a model of two features.

    Parameters
    ----------
    estimator, X, y, ax, **options
        As for `BoundaryDisplay.from_estimator`.

    Returns
    -------
    BoundaryDisplay
        The display, with `ax_` and `figure_`.
    """
    return BoundaryDisplay.from_estimator(estimator, X, y, ax=ax, **options)


def plot_history(estimator: Any, ax: Any = None, **options: Any) -> HistoryDisplay:
    """Draw the mistakes and updates of a run by epoch.

    Parameters
    ----------
    estimator, ax, **options
        As for `HistoryDisplay.from_estimator`.

    Returns
    -------
    HistoryDisplay
        The display, with `ax_` and `figure_`.
    """
    return HistoryDisplay.from_estimator(estimator, ax=ax, **options)


def plot_study(study: Study, ax: Any = None, **options: Any) -> StudyDisplay:
    """Draw the distribution of the updates of many runs, and Novikoff's bound.

    Parameters
    ----------
    study, ax, **options
        As for `StudyDisplay.from_study`.

    Returns
    -------
    StudyDisplay
        The display, with `ax_` and `figure_`.
    """
    return StudyDisplay.from_study(study, ax=ax, **options)

"""Displays for Matplotlib, in the manner of scikit-learn's: a boundary, a run, a study."""

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
    """Draw two features, the examples and the boundary of a model.

    Parameters
    ----------
    estimator, X, y, ax, **options
        As for `BoundaryDisplay.from_estimator`.

    Returns
    -------
    BoundaryDisplay
        What was drawn, with `ax_` and `figure_`.
    """
    return BoundaryDisplay.from_estimator(estimator, X, y, ax=ax, **options)


def plot_history(estimator: Any, ax: Any = None, **options: Any) -> HistoryDisplay:
    """Draw mistakes and updates by epoch.

    Parameters
    ----------
    estimator, ax, **options
        As for `HistoryDisplay.from_estimator`.

    Returns
    -------
    HistoryDisplay
        What was drawn, with `ax_` and `figure_`.
    """
    return HistoryDisplay.from_estimator(estimator, ax=ax, **options)


def plot_study(study: Study, ax: Any = None, **options: Any) -> StudyDisplay:
    """Draw the updates of many runs against Novikoff's bound.

    Parameters
    ----------
    study, ax, **options
        As for `StudyDisplay.from_study`.

    Returns
    -------
    StudyDisplay
        What was drawn, with `ax_` and `figure_`.
    """
    return StudyDisplay.from_study(study, ax=ax, **options)

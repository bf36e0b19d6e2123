"""Displays of runs: the mistakes of one run by epoch, and the updates of many runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _drawing
from ._study import Study

if TYPE_CHECKING:
    from typing_extensions import Self


class HistoryDisplay:
    """The mistakes and updates of a run by epoch.

    Use `HistoryDisplay.from_estimator` or `plot_history`.

    Parameters
    ----------
    epoch, mistakes : array-like of shape (n_epochs,)
        The number of mistakes of each epoch.

    updates : array-like of shape (n_epochs,), default=None
        The number of updates of each epoch. A model file does not store them.

    is_stream : bool, default=False
        Whether the epochs are calls of `partial_fit`.

    name : str, default=None
        The name of the run in the legend.

    Attributes
    ----------
    lines_ : list of matplotlib Line2D
        The mistakes, and the updates if they differ from the mistakes.

    ax_ : matplotlib Axes
        The axes.

    figure_ : matplotlib Figure
        The figure.

    Examples
    --------
    >>> from rosenblatt import HistoryDisplay, Perceptron
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    >>> HistoryDisplay.from_estimator(Perceptron().fit(X, y))  # doctest: +SKIP
    """

    def __init__(
        self,
        *,
        epoch: Any,
        mistakes: Any,
        updates: Any = None,
        is_stream: bool = False,
        name: str | None = None,
    ) -> None:
        self.epoch = epoch
        self.mistakes = mistakes
        self.updates = updates
        self.is_stream = is_stream
        self.name = name

    @classmethod
    def from_estimator(cls, estimator: Any, *, name: str | None = None, ax: Any = None) -> Self:
        """Draw the run of a fitted estimator.

        Parameters
        ----------
        estimator : Perceptron, KernelPerceptron, VotedPerceptron or a Pipeline that ends with one
            The estimator.

        name : str, default=None
            The name of the run in the legend, if the axes show several runs.

        ax : matplotlib Axes, default=None
            The axes; None is a new figure.

        Returns
        -------
        HistoryDisplay
            The display.

        Raises
        ------
        ValueError
            The estimator is not fitted, or has no history.

        ImportError
            Matplotlib is not installed.
        """
        learner = estimator[-1] if hasattr(estimator, "steps") else estimator
        history = getattr(learner, "history_", None)
        if history is None:
            raise ValueError(
                f"this {type(learner).__name__} has no history_: fit a perceptron of this package"
            )
        is_stream = getattr(learner, "_stream", None) is not None
        return cls(**history, is_stream=is_stream, name=name).plot(ax)

    def plot(self, ax: Any = None, *, name: str | None = None) -> Self:
        """Draw the display.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            The axes; None is a new figure.

        name : str, default=None
            A name that replaces that of the display.

        Returns
        -------
        HistoryDisplay
            The display itself.
        """
        is_own = ax is None
        ax = _drawing.axes(ax, "HistoryDisplay", (6.4, 4.0))
        self.ax_, self.figure_ = ax, ax.figure
        name = self.name if name is None else name
        color, marker = _drawing.class_style(len({line.get_color() for line in ax.get_lines()}))
        color = color if ax.get_lines() else _drawing.MISTAKE_COLOR
        prefix = "" if name is None else f"{name}: "
        is_same = self.updates is not None and np.array_equal(self.updates, self.mistakes)
        label = f"{prefix}mistakes, each an update" if is_same else f"{prefix}mistakes"
        marks = {"marker": marker, "markerfacecolor": "none"} if len(self.epoch) <= 40 else {}
        self.lines_ = ax.plot(self.epoch, self.mistakes, color=color, label=label, **marks)
        if self.updates is not None and not is_same:
            self.lines_ += ax.plot(
                self.epoch, self.updates, "--", color=color, label=f"{prefix}updates", **marks
            )
        _whole_numbers(ax.xaxis)
        _whole_numbers(ax.yaxis)
        ax.set_ylim(bottom=0)
        ax.set_xlabel("call of partial_fit" if self.is_stream else "epoch")
        has_both = self.updates is not None and not is_same
        if has_both or not ax.get_ylabel():
            ax.set_ylabel("mistakes and updates" if has_both else "mistakes")
        _plain(ax)
        _drawing.legend(ax, is_own)
        return self


class StudyDisplay:
    """The distribution of the updates until convergence over many runs, and Novikoff's bound.

    Use `StudyDisplay.from_study` or `plot_study`.

    Parameters
    ----------
    updates : ndarray of shape (converged,)
        The updates of the runs that converged.

    runs : int
        The number of runs.

    bound : float, default=None
        Novikoff's bound on the updates.

    convergence : str, default=None
        Whether a run ends, as in `Study`.

    Attributes
    ----------
    counts_ : ndarray of shape (n_bins,)
        The number of runs in each bin.

    edges_ : ndarray of shape (n_bins + 1,)
        The edges of the bins, halfway between whole numbers.

    bars_ : matplotlib BarContainer or None
        The histogram.

    bound_ : matplotlib Line2D or None
        The bound, if it is close enough to the data.

    ax_ : matplotlib Axes
        The axes.

    figure_ : matplotlib Figure
        The figure.

    Examples
    --------
    >>> from rosenblatt import StudyDisplay, study
    >>> X, y = [[2, 1], [1, 3], [-1, -2], [-2, -1]], [1, 1, 0, 0]
    >>> StudyDisplay.from_study(study(X, y, runs=50))  # doctest: +SKIP
    """

    def __init__(
        self,
        *,
        updates: NDArray[np.int64],
        runs: int,
        bound: float | None = None,
        convergence: str | None = None,
    ) -> None:
        self.updates = updates
        self.runs = runs
        self.bound = bound
        self.convergence = convergence

    @classmethod
    def from_study(cls, study: Study, *, bins: int = 30, ax: Any = None) -> Self:
        """Draw a study.

        Parameters
        ----------
        study : Study
            The result of `rosenblatt.study`.

        bins : int, default=30
            The maximum number of bins.

        ax : matplotlib Axes, default=None
            The axes; None is a new figure.

        Returns
        -------
        StudyDisplay
            The display.

        Raises
        ------
        ImportError
            Matplotlib is not installed.
        """
        display = cls(
            updates=study.updates[study.is_converged],
            runs=study.runs,
            bound=study.bound,
            convergence=study.convergence,
        )
        return display.plot(ax, bins=bins)

    def plot(self, ax: Any = None, *, bins: int = 30) -> Self:
        """Draw the display.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            The axes; None is a new figure.

        bins : int, default=30
            The maximum number of bins.

        Returns
        -------
        StudyDisplay
            The display itself.
        """
        if bins < 1:
            raise ValueError(f"bins is {bins}, it must be at least 1")
        is_own = ax is None
        ax = _drawing.axes(ax, "StudyDisplay", (6.4, 4.0))
        self.ax_, self.figure_ = ax, ax.figure
        self.bars_, self.bound_ = None, None
        self.edges_ = _bins(self.updates, bins)
        self.counts_ = np.histogram(self.updates, self.edges_)[0]
        if len(self.updates):
            self._draw_bars()
            self._draw_bound()
        notes = self._notes()
        if len(self.updates):
            for line in notes:
                _drawing.add_note(ax, line)
            _drawing.legend(ax, is_own, columns=1)
        else:
            ax.text(0.5, 0.5, "\n".join(notes), ha="center", va="center", transform=ax.transAxes)
            ax.set_xticks([])
            ax.set_yticks([])
        ax.set_xlabel("updates until convergence")
        ax.set_ylabel("runs")
        _plain(ax)
        return self

    def _draw_bars(self) -> None:
        color = _drawing.LINE_COLOR
        label = (
            f"{_drawing.count_of(len(self.updates), 'run')} that converged, "
            f"median {np.median(self.updates):,.10g}"
        )
        self.bars_ = self.ax_.bar(
            self.edges_[:-1],
            self.counts_,
            np.diff(self.edges_),
            align="edge",
            facecolor=_drawing.tint(color, 0.55),
            edgecolor="white",
            linewidth=0.6,
            label=label,
        )
        _whole_numbers(self.ax_.xaxis)
        _whole_numbers(self.ax_.yaxis)

    def _draw_bound(self) -> None:
        if self.bound is not None and self.bound <= 3 * self.updates.max() + 3:
            style = {"color": _drawing.MISTAKE_COLOR, "linestyle": "--"}
            # The bin of the maximum number of updates ends here.
            edge = np.floor(self.bound) + 0.5
            self.bound_ = self.ax_.axvline(edge, label=self._bound_text(), **style)

    def _bound_text(self) -> str:
        return f"Novikoff: at most {_short(np.floor(self.bound or 0))}"

    def _notes(self) -> list[str]:
        """Return the results that the axes do not show."""
        notes = []
        missing = self.runs - len(self.updates)
        if missing:
            is_never = self.convergence == "never"
            why = ": no hyperplane is right on all rows" if is_never else ""
            within = "" if why else " within max_iter"
            notes.append(f"{_drawing.count_of(missing, 'run')} did not converge{within}{why}")
        if self.bound is not None and self.bound_ is None:
            line = self._bound_text()
            if len(self.updates):
                times = self.bound / max(int(self.updates.max()), 1)
                line += f", off the axis ({_short(times, 2)} × the most here)"
            notes.append(line)
        return notes


def _bins(updates: NDArray[np.int64], maximum: int) -> NDArray[np.float64]:
    """Return the edges of bins of equal width, which is a whole number."""
    if len(updates) == 0:
        return np.array([-0.5, 0.5])
    low, high = int(updates.min()), int(updates.max())
    width = -(-(high - low + 1) // maximum)
    count = -(-(high - low + 1) // width)
    return low - 0.5 + width * np.arange(count + 1.0)


def _short(value: float, digits: int = 12) -> str:
    """Format a number with all digits, or in scientific notation from 1e9 on."""
    if value >= 1e9:
        return f"{value:.3g}"
    return f"{int(float(f'{value:.{digits}g}')):,}" if value >= 10 else f"{value:.{digits}g}"


def _whole_numbers(axis: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))


def _plain(ax: Any) -> None:
    ax.spines[["top", "right"]].set_visible(False)

"""The display of two features: the examples, and the boundary of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _drawing, _input, _native, _plane
from ._drawing import Box

if TYPE_CHECKING:
    from typing_extensions import Self

_MAX_RINGS = 100  # around errors; more would hide the examples


class BoundaryDisplay:
    """Two features: the examples, and the boundary of a model.

    Use `BoundaryDisplay.from_estimator` or `plot_boundary`. For a linear model of two classes, the
    display shows the line ``w·x + b = 0``. If the line separates the examples, it also shows the
    parallel lines through the nearest examples. For other models, it shades the class that
    `predict` gives on a grid. Classes differ in color and in marker, and a ring marks an error.

    Parameters
    ----------
    box : tuple of float
        The left, right, bottom and top edge of the axes.

    classes : array-like of shape (n_classes,)
        The labels.

    line : tuple of (ndarray of shape (2,), float), default=None
        The weights and the bias of the line.

    nearest : float, default=None
        The smallest functional margin of the examples, if the line separates them.

    regions : ndarray of shape (grid_resolution, grid_resolution), default=None
        The number of the class at the middle of each cell of the box, from the bottom left.

    points : ndarray of shape (n_samples, 2), default=None
        The examples.

    codes : ndarray of shape (n_samples,), default=None
        The number of the class of each example.

    errors : ndarray of shape (n_samples,), default=None
        Whether the model misclassifies each example.

    xlabel, ylabel : str, default=None
        The names of the axes.

    Attributes
    ----------
    line_ : matplotlib Line2D or None
        The boundary of a linear model; None if it does not cross the axes.

    margin_lines_ : list of matplotlib Line2D
        The lines through the nearest examples.

    surface_ : list of matplotlib artists
        The regions.

    ax_ : matplotlib Axes
        The axes.

    figure_ : matplotlib Figure
        The figure.

    See Also
    --------
    sklearn.inspection.DecisionBoundaryDisplay : For all estimators; also draws scores.

    Examples
    --------
    >>> from rosenblatt import BoundaryDisplay, Perceptron
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    >>> model = Perceptron(shuffle=False).fit(X, y)
    >>> display = BoundaryDisplay.from_estimator(model, X, y)  # doctest: +SKIP
    >>> display.figure_.savefig("and.svg")  # doctest: +SKIP
    """

    def __init__(
        self,
        *,
        box: Box,
        classes: Any,
        line: tuple[NDArray[np.float64], float] | None = None,
        nearest: float | None = None,
        regions: NDArray[Any] | None = None,
        points: NDArray[np.float64] | None = None,
        codes: NDArray[Any] | None = None,
        errors: NDArray[np.bool_] | None = None,
        xlabel: str | None = None,
        ylabel: str | None = None,
    ) -> None:
        self.box = box
        self.classes = classes
        self.line = line
        self.nearest = nearest
        self.regions = regions
        self.points = points
        self.codes = codes
        self.errors = errors
        self.xlabel = xlabel
        self.ylabel = ylabel

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any = None,
        *,
        grid_resolution: int = 200,
        eps: float | None = None,
        xlabel: str | None = None,
        ylabel: str | None = None,
        display_labels: Any = None,
        ax: Any = None,
    ) -> Self:
        """Draw a fitted classifier of two features.

        Parameters
        ----------
        estimator : object
            A fitted classifier of two features: one of this package, or another with `classes_`
            and `predict`.

        X : {array-like, sparse matrix} of shape (n_samples, 2)
            The rows. The names of columns become the names of the axes.

        y : array-like of shape (n_samples,), default=None
            The labels. Without them, the figure has no examples and no margin.

        grid_resolution : int, default=200
            The number of cells of the grid along each axis, for models with regions.

        eps : float, default=None
            How far the axes extend beyond the examples, in the units of the features. None is 9% of
            each range, or more if the figure would be too flat.

        xlabel, ylabel : str, default=None
            The names of the axes.

        display_labels : array-like of shape (n_classes,), default=None
            The names of the classes, in the order of ``estimator.classes_``, which is the default.

        ax : matplotlib Axes, default=None
            The axes; None is a new figure.

        Returns
        -------
        BoundaryDisplay
            The display.

        Raises
        ------
        ValueError
            The model does not have two features, or a label is not one of its classes.

        ImportError
            Matplotlib is not installed.
        """
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(estimator)
        _plane.check(estimator, X, grid_resolution, eps)
        points = _plane.points(X)
        box = _plane.box(points, eps)
        line = _plane.line(estimator)
        names = _plane.names(estimator, X)
        display = cls(
            box=box,
            classes=estimator.classes_,
            line=line,
            regions=_plane.regions(estimator, X, box, grid_resolution) if line is None else None,
            xlabel=names[0] if xlabel is None else xlabel,
            ylabel=names[1] if ylabel is None else ylabel,
        )
        if y is not None:
            display._set_examples(estimator, X, y, points)
        return display.plot(ax, display_labels=display_labels)

    @classmethod
    def _of_hyperplane(
        cls, X: Any, y: Any, positive: Any, weights: list[float], bias: float
    ) -> Self:
        """Return the display of rows, not of a model, and a hyperplane that an answer has about them."""
        if len(weights) != 2:
            raise ValueError(f"a plane has two features, these rows have {len(weights)}")
        points, (_, codes) = _plane.points(X), _input.binary_examples(X, y, positive)
        labels = np.unique(np.asarray(y)).tolist()
        classes = labels if positive is None else [f"not {positive}", str(positive)]
        line = np.array(weights), bias
        names = _plane.names(None, X)
        display = cls(
            box=_plane.box(points, None),
            classes=classes,
            line=line,
            xlabel=names[0],
            ylabel=names[1],
        )
        # Their signs are exact.
        plane = _native.Classifier.linear(line[0].reshape(1, -1), np.array([bias]))
        scores = plane.predict(points, 2, scores=True, zero="negative")[1].ravel()
        margins = np.where(codes == 1, scores, -scores)
        display.points, display.codes, display.errors = points, codes, margins <= 0
        display.nearest = float(margins.min()) if margins.min() > 0 else None
        return display

    def _set_examples(self, estimator: Any, X: Any, y: Any, points: NDArray[np.float64]) -> None:
        """Set the examples, the errors and the margin."""
        from sklearn.utils.validation import column_or_1d

        y = column_or_1d(y)
        _input.check_lengths(len(points), len(y))
        self.points, self.codes = points, _input.codes_of(y, estimator.classes_)
        self.errors = np.asarray(estimator.predict(X) != y)
        if self.line is not None:
            signs = np.where(self.codes == 1, 1.0, -1.0)
            least = float(np.min(signs * estimator.decision_function(X)))
            self.nearest = least if least > 0 else None

    def plot(
        self,
        ax: Any = None,
        *,
        xlabel: str | None = None,
        ylabel: str | None = None,
        display_labels: Any = None,
    ) -> Self:
        """Draw the display.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            The axes; None is a new figure.

        xlabel, ylabel : str, default=None
            Names of the axes instead of those of the display.

        display_labels : array-like of shape (n_classes,), default=None
            Names of the classes instead of `classes`.

        Returns
        -------
        BoundaryDisplay
            The display itself.
        """
        names = [str(name) for name in (self.classes if display_labels is None else display_labels)]
        if len(names) != len(self.classes):
            raise ValueError(
                f"{len(names)} display_labels were given for {len(self.classes)} classes"
            )
        is_own = ax is None
        size, is_equal = _size(self.box)
        ax = _drawing.axes(ax, "BoundaryDisplay", size)
        if {ax.get_xscale(), ax.get_yscale()} != {"linear"}:
            raise ValueError("the axes must be linear; fit the model on the logarithm instead")
        self.ax_, self.figure_ = ax, ax.figure
        if is_own and is_equal:
            ax.set_aspect("equal")
        self.surface_ = self._draw_regions()
        self._draw_points(names)
        if self.regions is not None and self.regions.min() == self.regions.max():
            _drawing.add_note(ax, f"all of it is {names[self.regions.flat[0]]}")
        self.line_, self.margin_lines_ = self._draw_lines()
        ax.set_xlim(self.box[0], self.box[1])
        ax.set_ylim(self.box[2], self.box[3])
        ax.set_xlabel((self.xlabel if xlabel is None else xlabel) or "")
        ax.set_ylabel((self.ylabel if ylabel is None else ylabel) or "")
        _drawing.legend(ax, is_own)
        return self

    def _draw_regions(self) -> list[Any]:
        tints = [
            _drawing.tint(_drawing.class_style(number)[0]) for number in range(len(self.classes))
        ]
        if self.regions is None:
            return self._draw_sides(tints)
        from matplotlib.colors import ListedColormap

        mesh = self.ax_.pcolormesh(
            *_plane.edges(self.box, self.regions.shape[0]),
            self.regions,
            cmap=ListedColormap(tints),
            vmin=-0.5,
            vmax=len(tints) - 0.5,
            rasterized=True,
            zorder=0,
        )
        middles = _plane.middles(self.box, self.regions.shape[0])
        borders = [
            self.ax_.contour(
                *middles,
                self.regions == number,
                levels=[0.5],
                colors=_drawing.LINE_COLOR,
                linewidths=0.9,
                zorder=2.5,
            )
            for number in np.unique(self.regions)[1:]
        ]
        return [mesh, *borders]

    def _draw_sides(self, tints: list[tuple[float, ...]]) -> list[Any]:
        """Draw the two sides of the line in the colors of their classes."""
        if self.line is None:
            return []
        sides = []
        for color, sign in zip(tints, (-1, 1), strict=True):
            corners = _drawing.side(*self.line, self.box, sign)
            if corners is not None:
                sides += self.ax_.fill(*corners.T, facecolor=color, linewidth=0, zorder=0)
        return sides

    def _draw_points(self, names: list[str]) -> None:
        if self.points is None or self.codes is None:
            for number, name in enumerate(names):
                color = _drawing.class_style(number)[0]
                self.ax_.fill([], [], facecolor=_drawing.tint(color, 0.4), label=name)
            return
        size = 6.5 if len(self.points) <= 300 else 4.5 if len(self.points) <= 3000 else 2.5
        marks = {"linestyle": "none", "rasterized": size < 3}
        for number, name in enumerate(names):
            color, marker = _drawing.class_style(number)
            mine = self.points[self.codes == number]
            self.ax_.plot(
                *mine.T,
                marker=marker,
                markersize=size,
                markerfacecolor=color,
                markeredgecolor=color if marker == "x" else "white",
                markeredgewidth=0.6,
                label=name,
                **marks,
            )
        wrong = self.points[np.asarray(self.errors, dtype=bool)]
        label = _drawing.count_of(len(wrong), "error")
        if len(wrong) > _MAX_RINGS:
            _drawing.add_note(self.ax_, f"{label}, not marked")
        elif len(wrong):
            ring = {"marker": "o", "markersize": size * 1.9, "markeredgecolor": _drawing.LINE_COLOR}
            ring["markerfacecolor"] = "none"
            self.ax_.plot(*wrong.T, markeredgewidth=0.8, label=label, **ring, **marks)

    def _draw_lines(self) -> tuple[Any, list[Any]]:
        if self.line is None:
            return None, []
        weights, bias = self.line
        name = "w·x + b = 0" if self.nearest is None else "separator"
        line = self._draw_line(weights, bias, label=name, color=_drawing.LINE_COLOR)
        if self.nearest is None:
            return line, []
        distance = self.nearest / float(np.hypot(*weights))
        labels = (f"nearest example {distance:.4g}", "_")
        muted = {"color": _drawing.MUTED_COLOR, "linestyle": (0, (5, 4)), "linewidth": 1.1}
        lines = [
            self._draw_line(weights, bias - shift, label=label, **muted)
            for shift, label in zip((self.nearest, -self.nearest), labels, strict=True)
        ]
        return line, [drawn for drawn in lines if drawn is not None]

    def _draw_line(self, weights: NDArray[np.float64], bias: float, **style: Any) -> Any:
        ends = _drawing.segment(weights, bias, self.box)
        if ends is not None:
            return self.ax_.plot(*ends.T, **style)[0]
        if style["label"] != "_":
            _drawing.add_note(self.ax_, f"{style['label']} lies outside")
        return None


def _size(box: Box) -> tuple[tuple[float, float], bool]:
    """Return the size of a figure, and whether both axes have one scale."""
    width, height = box[1] - box[0], box[3] - box[2]
    is_equal = _plane.is_equal((width, height))
    shape = min(max(height / width, 0.5), 1.0) if is_equal else 0.75
    return (6.4, 5.6 * shape + 0.8), is_equal

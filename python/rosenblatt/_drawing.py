"""Functions that the displays share: axes, styles of classes, lines in a box."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ._extras import installation

Box: TypeAlias = tuple[float, float, float, float]
"""Left, right, bottom and top edge."""

# The colors of `rosenblatt plot` and of the lab's page: a test compares them. Each has a contrast of 4.5 with white.
LINE_COLOR = "#1d1b18"
MUTED_COLOR = "#625c52"
MISTAKE_COLOR = "#a81255"
COLORS = ("#b85015", "#105896", "#00785e", "#854692", "#736700", "#2b768a", "#b03c6e")
MARKERS = ("s", "o", "^", "D", "v", "p", "h", "x")


def class_style(number: int) -> tuple[str, str]:
    """Return the color and the marker of a class: of two, −1 has orange squares and +1 blue discs.

    The first 56 pairs differ.
    """
    return COLORS[number % len(COLORS)], MARKERS[number % len(MARKERS)]


def tint(color: str, share: float = 0.13) -> tuple[float, ...]:
    """Mix a color with white."""
    from matplotlib.colors import to_rgb

    return tuple(1 - share * (1 - part) for part in to_rgb(color))


def axes(ax: Any, display: str, figsize: tuple[float, float] | None = None) -> Any:
    """Return the given axes, or those of a new figure."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        message = f"{display} needs Matplotlib: {installation('plot')}"
        raise ImportError(message) from error
    return plt.subplots(figsize=figsize, layout="constrained")[1] if ax is None else ax


def legend(ax: Any, is_own: bool, columns: int | None = None) -> None:
    """Add a legend, above the axes if this package made them (`is_own`), otherwise inside.

    Entries without a marker come last.
    """
    handles, words = ax.get_legend_handles_labels()
    if not words:
        return
    is_note = [hasattr(h, "get_marker") and _is_invisible(h) for h in handles]
    order = np.argsort(is_note, kind="stable")
    entries = [handles[place] for place in order], [words[place] for place in order]
    if not is_own:
        ax.legend(*entries)
        return
    if columns is None:
        columns = _columns(entries[1])
    place = {"loc": "lower left", "bbox_to_anchor": (0, 1), "borderaxespad": 0.3}
    ax.legend(*entries, **place, ncols=columns, frameon=False)


def _columns(words: list[str], width: int = 64) -> int:
    """Return the maximum number of columns in this width in letters. A marker is as wide as 6 letters."""
    for columns in range(len(words), 1, -1):
        parts = np.array_split(np.array([len(word) + 6 for word in words]), columns)
        if sum(part.max() for part in parts) <= width:
            return columns
    return 1


def _is_invisible(line: Any) -> bool:
    return line.get_linestyle() == "None" and line.get_marker() in (None, "None", "")


def add_note(ax: Any, words: str) -> None:
    """Add text without a marker to the legend."""
    ax.plot([], [], linestyle="none", label=words)


def count_of(count: int, noun: str) -> str:
    """Return a number and its noun, which is in the plural if needed."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def segment(weights: NDArray[np.float64], bias: float, box: Box) -> NDArray[np.float64] | None:
    """Return the ends of the line ``w·x + b = 0`` in a box, one per row, or None if the line misses the box."""
    low, high = np.array(box[0::2]), np.array(box[1::2])
    score_range = np.abs(weights) * (high - low)
    # The equation is solved for the feature that changes the score more across the box.
    solved = int(score_range[1] >= score_range[0])
    free = 1 - solved
    ends = np.empty((2, 2))
    for end, at in zip(ends, (low[free], high[free]), strict=True):
        end[free] = at
        end[solved] = -(bias + weights[free] * at) / weights[solved]
        edge = min(max(end[solved], low[solved]), high[solved])
        if edge == end[solved]:
            continue
        if weights[free] == 0:
            return None
        end[solved] = edge
        end[free] = -(bias + weights[solved] * edge) / weights[free]
        if not low[free] <= end[free] <= high[free]:
            return None
    return ends


def side(
    weights: NDArray[np.float64], bias: float, box: Box, sign: int
) -> NDArray[np.float64] | None:
    """Return the corners of the part of a box where the score has this sign, or None if it is empty."""
    left, right, bottom, top = box
    corners = np.array([[left, bottom], [right, bottom], [right, top], [left, top]])
    kept = corners[sign * (corners @ weights + bias) >= 0]
    ends = segment(weights, bias, box)
    found = kept if ends is None else np.vstack([kept, ends])
    if len(kept) == 0:
        return None
    # The corners are sorted by their angle around the middle.
    parts = (found - found.mean(axis=0)) / [right - left, top - bottom]
    order = np.argsort(np.arctan2(parts[:, 1], parts[:, 0]))
    return np.asarray(found[order], dtype=np.float64)

"""What the displays share: axes, marks that differ in colour and in shape, lines in a box."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Box: TypeAlias = tuple[float, float, float, float]
"""Left, right, bottom and top end."""

INK = "#20242A"
QUIET = "#646B75"

# Okabe & Ito (2008), which colour-blind people tell apart, with a darker yellow; the command
# `rosenblatt plot` has the same.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8F7E00")
MARKERS = ("o", "+", "^", "s", "x", "D", "v", "*")


def mark(number: int) -> tuple[str, str]:
    """Choose colour and marker of a class; no two of the first 56 share both."""
    return COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]


def tint(colour: str, share: float = 0.13) -> tuple[float, ...]:
    """Mix a colour with white."""
    from matplotlib.colors import to_rgb

    return tuple(1 - share * (1 - part) for part in to_rgb(colour))


def axes(ax: Any, asker: str, figsize: tuple[float, float] | None = None) -> Any:
    """Give the axes given, or those of a new figure.

    Raises
    ------
    ImportError
        Matplotlib is not installed.
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        message = f"{asker} needs Matplotlib: pip install rosenblatt[plot]"
        raise ImportError(message) from error
    return plt.subplots(figsize=figsize, layout="constrained")[1] if ax is None else ax


def legend(ax: Any, is_own: bool, columns: int | None = None) -> None:
    """Add a legend: above axes that are our own, so that it hides nothing, else within them.

    Entries without a mark, which only say something, come last.
    """
    handles, words = ax.get_legend_handles_labels()
    if not words:
        return
    is_silent = [hasattr(h, "get_marker") and _is_invisible(h) for h in handles]
    order = np.argsort(is_silent, kind="stable")
    entries = [handles[place] for place in order], [words[place] for place in order]
    if not is_own:
        ax.legend(*entries)
        return
    if columns is None:
        columns = _columns(entries[1])
    place = {"loc": "lower left", "bbox_to_anchor": (0, 1), "borderaxespad": 0.3}
    ax.legend(*entries, **place, ncols=columns, frameon=False)


def _columns(words: list[str], room: int = 64) -> int:
    """Choose the most columns that fit above the axes, in letters; a mark is as wide as six."""
    for columns in range(len(words), 1, -1):
        parts = np.array_split(np.array([len(word) + 6 for word in words]), columns)
        if sum(part.max() for part in parts) <= room:
            return columns
    return 1


def _is_invisible(line: Any) -> bool:
    return line.get_linestyle() == "None" and line.get_marker() in (None, "None", "")


def say(ax: Any, words: str) -> None:
    """Add something to the legend that has no mark."""
    ax.plot([], [], linestyle="none", label=words)


def number(count: int, noun: str) -> str:
    """Say how many of what."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def segment(weights: NDArray[np.float64], bias: float, box: Box) -> NDArray[np.float64] | None:
    """Find the ends of the part of ``w·x + b = 0`` within a box, one a row; None is no part.

    Each end lies on an edge and solves the equation for the other feature: there is no grid.
    """
    low, high = np.array(box[0::2]), np.array(box[1::2])
    reach = np.abs(weights) * (high - low)
    # The feature that is solved for is the one that changes the score most across the box.
    solved = int(reach[1] >= reach[0])
    free = 1 - solved
    ends = np.empty((2, 2))
    for end, at in zip(ends, (low[free], high[free]), strict=True):
        end[free] = at
        end[solved] = -(bias + weights[free] * at) / weights[solved]
        wall = min(max(end[solved], low[solved]), high[solved])
        if wall == end[solved]:
            continue
        if weights[free] == 0:
            return None
        end[solved] = wall
        end[free] = -(bias + weights[solved] * wall) / weights[free]
        if not low[free] <= end[free] <= high[free]:
            return None
    return ends


def side(
    weights: NDArray[np.float64], bias: float, box: Box, sign: int
) -> NDArray[np.float64] | None:
    """Find the corners of the part of a box where the score has this sign; None is no part."""
    left, right, bottom, top = box
    corners = np.array([[left, bottom], [right, bottom], [right, top], [left, top]])
    kept = corners[sign * (corners @ weights + bias) >= 0]
    ends = segment(weights, bias, box)
    found = kept if ends is None else np.vstack([kept, ends])
    if len(kept) == 0:
        return None
    # In the order around their middle, in parts of the box.
    parts = (found - found.mean(axis=0)) / [right - left, top - bottom]
    order = np.argsort(np.arctan2(parts[:, 1], parts[:, 0]))
    return np.asarray(found[order], dtype=np.float64)

"""A run visit by visit."""

from __future__ import annotations

import csv
import io
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import _native, _parameters

if TYPE_CHECKING:
    from ._perceptron import Perceptron

# The columns that are not numbers with a point, and the types of pandas that have missing values.
_KINDS: dict[str, tuple[Callable[[str], Any], str]] = {
    **dict.fromkeys(("epoch", "visit", "example", "y", "alpha"), (int, "Int64")),
    "mistake": (lambda cell: cell == "yes", "boolean"),
}

# The parameters that end a run by other numbers than a trace has, or need more than one run.
_WITHOUT = {"tol": None, "early_stopping": False, "calibrate": None, "warm_start": False}


def trace(
    X: Any,
    y: Any,
    *,
    notes: str | None = None,
    epochs: int | None = None,
    coef_init: Any = None,
    intercept_init: Any = None,
    **parameters: Any,
) -> Any:
    """Train on two classes, and return the run visit by visit, as ``rosenblatt train --trace FILE.csv`` writes it.

    The run is that of `fit` of ``Perceptron(**parameters)``, or of ``Perceptron.notes(notes, **parameters)``.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        The rows.

    y : array-like of shape (n_samples,)
        The labels, of two classes. The second in sorted order is +1.

    notes : str, default=None
        The algorithm of lecture notes, as for `Perceptron.notes`. None is the default of `Perceptron`, which scales
        features: ``scale=None`` leaves them as they are.

    epochs : int, default=None
        The number of epochs. None is the whole run, or its first 10,000 visits, with a warning.

    coef_init, intercept_init
        The first weights and bias, as for `Perceptron.fit`.

    **parameters
        Parameters of `Perceptron`, other than `tol`, `early_stopping`, `calibrate` and `warm_start`.

    Returns
    -------
    DataFrame, or dict of list
        A table of pandas, or without pandas its columns. Each row is a visit, and the first, visit 0, has the weights
        before the run: ``epoch``, ``visit``, ``example`` (counted from 1), the features, ``y`` (±1), ``score``,
        ``mistake``, ``step`` (what the update added of the row, 0 without one), the weights ``w…`` and ``b`` after the
        visit, ``score_after``, and ``alpha``, the updates on this example so far. With ``notes="lauer"`` it has
        ``threshold``, -b, in place of ``b``. With a kernel it has no weights.

    Raises
    ------
    ValueError
        A parameter is invalid, or `y` does not have two classes.

    Warns
    -----
    UserWarning
        The run has more than 10,000 visits.

    Examples
    --------
    >>> from rosenblatt import trace
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    >>> run = trace(X, y, notes="lauer", epochs=1)
    >>> list(run)
    ['epoch', 'visit', 'example', 'x1', 'x2', 'y', 'score', 'mistake', 'step', 'w1', 'w2', 'threshold', \
'score_after', 'alpha']
    >>> list(run["threshold"])
    [0.0, 1.0, 1.0, 1.0, 0.0]
    """
    from ._base import first_weights
    from ._perceptron import Perceptron

    for name, without in _WITHOUT.items():
        if parameters.get(name, without) != without:
            raise ValueError(
                f"a trace is of a run with {name}={without!r}, not {parameters[name]!r}"
            )
    if epochs is not None:
        _parameters.check_value("trace", "epochs", epochs, _parameters.AT_LEAST_1)
    estimator = Perceptron(**parameters) if notes is None else Perceptron.notes(notes, **parameters)
    start = estimator._first(coef_init, intercept_init)
    _parameters.check(estimator)
    examples, classes, _ = estimator._examples(X, y, None)
    if len(classes) != 2:
        raise ValueError(
            f"a trace is of one hyperplane, which separates two classes, and y has {len(classes)}: "
            "trace(X, y == LABEL) is that of one class against the rest"
        )
    text, has_more = _native.trace(
        examples.matrix,
        examples.codes,
        estimator._options(estimator._class_weight(classes)),
        features=_names(estimator),
        prepare=estimator._preparation(),
        epochs=epochs,
        start=first_weights(start, 2, estimator.n_features_in_),
        notes=notes,
    )
    if has_more:
        warnings.warn(
            "the run has more visits than this trace: epochs=N has N epochs", stacklevel=2
        )
    return _frame(text)


def _names(estimator: Perceptron) -> list[str]:
    """Return the names of the features."""
    numbered = [f"x{number + 1}" for number in range(estimator.n_features_in_)]
    return [str(name) for name in getattr(estimator, "feature_names_in_", numbered)]


def _frame(text: str) -> Any:
    """Return a table of CSV as one of pandas or as its columns."""
    names, *rows = csv.reader(io.StringIO(text, newline=""))
    for place, name in enumerate(names):
        if name in names[:place]:
            raise ValueError(f"two columns of the trace have the name {name!r}: rename those of X")
    columns = {
        name: [None if cell == "" else _kind(name)[0](cell) for cell in cells]
        for name, cells in zip(names, zip(*rows, strict=True), strict=True)
    }
    try:
        import pandas
    except ImportError:
        return columns
    return pandas.DataFrame(
        {name: pandas.array(cells, dtype=_kind(name)[1]) for name, cells in columns.items()}
    )


def _kind(name: str) -> tuple[Callable[[str], Any], str]:
    return _KINDS.get(name, (float, "float64"))

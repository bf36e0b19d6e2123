"""The lab, in which one watches a perceptron learn, inside a notebook."""

from __future__ import annotations

import csv
import html
import io
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode
from weakref import WeakKeyDictionary, ref

import numpy as np

from . import _input, _model, _native

if TYPE_CHECKING:
    from typing import TypeAlias

    StrPath: TypeAlias = "str | os.PathLike[str]"

MOST_BYTES = 1 << 23
"""The length of the longest file that the page reads."""

# The options that the page offers, with its names of them.
_OPTIONS = (
    "update",
    "keep",
    "kernel",
    "bias",
    "order",
    "mistake",
    "zero",
    "seed",
    "epochs",
    "eta",
    "allow_mistakes",
)


class Lab:
    """The lab with data inside: one HTML page, whose engine runs in the browser.

    A notebook shows it in the output of a cell, also in its static HTML. It needs no server and loads nothing.

    Attributes
    ----------
    html : str
        The page.

    height : int
        The height in a notebook, in pixels.
    """

    def __init__(self, page: str, height: int) -> None:
        self.html = page
        self.height = height

    def save(self, path: StrPath) -> None:
        """Write the page to a file, which any browser opens.

        Parameters
        ----------
        path : path-like
            The file.
        """
        Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        # The frame has an origin of its own: what is in the data cannot reach the notebook.
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" sandbox="allow-scripts allow-downloads" '
            f'title="Rosenblatt, the lab" width="100%" height="{self.height}" style="border: 0"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<Lab: {len(self.html)} characters of HTML>"


def lab(
    X: Any,
    y: Any,
    *,
    columns: tuple[Any, Any] | None = None,
    positive: Any = None,
    height: int = 720,
) -> Lab:
    """Show the lab with these examples: two columns as points, and a perceptron that learns from them step by step.

    The page has all columns and classes, and the user chooses among them. Its engine is that of `Perceptron`.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        The rows. The page shows a sample if there are more than 2,000.

    y : array-like of shape (n_samples,)
        The labels.

    columns : tuple of two, default=None
        The columns that are shown first, by their names or their numbers. None leaves the choice to the page.

    positive : label, default=None
        The class that is +1. None chooses the second of two classes, and the first of more.

    height : int, default=720
        The height in a notebook, in pixels.

    Returns
    -------
    Lab
        The page. A notebook shows it.

    Examples
    --------
    >>> from rosenblatt import lab
    >>> page = lab([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    >>> page.save("and.html")  # doctest: +SKIP
    """
    return page_of(X, y, {"order": "given", "keep": "last"}, columns, positive, height)


def page_of(
    X: Any,
    y: Any,
    options: dict[str, Any],
    columns: tuple[Any, Any] | None,
    positive: Any,
    height: int,
) -> Lab:
    """Return the page with examples and with the engine's options of a run."""
    if options.get("order") == "mistaken":
        raise ValueError("the lab shows epochs that visit every row, unlike order='mistaken'")
    if options.get("decay") is not None:
        raise ValueError("the lab has one learning rate for all epochs; use eta0 without /t")
    rows, names = _table(X)
    classes, codes = _input.encoded(y)
    _input.check_lengths(len(rows), len(codes))
    if len(classes) < 2:
        raise ValueError(f"y has {len(classes)} class, the lab needs at least two")
    if positive is None and len(classes) == 2:
        positive = classes[1]
    elif positive is not None and positive not in classes.tolist():
        raise ValueError(f"positive={positive!r} must be one of the labels {classes.tolist()}")
    labels = [_model.text(label) for label in classes]
    text = _as_csv(rows, names, [labels[code] for code in codes])
    file = {"name": "data.csv", "text": text, "header": True}
    if positive is not None:
        file["positive"] = _model.text(positive)
    state = {"set": "file", **_chosen(columns, names)}
    state |= {name: options[name] for name in _OPTIONS if options.get(name) is not None}
    parts = {name.replace("_", "-"): value for name, value in state.items()}
    link = "#" + urlencode(parts, quote_via=quote)
    return Lab(_native.lab_page(json.dumps(file), link), height)


def _table(X: Any) -> tuple[Any, list[str]]:
    """Return the rows as an array of finite numbers, and the names of their columns."""
    from sklearn.utils.validation import check_array

    named = list(X.columns) if hasattr(X, "columns") else None
    if _input.is_sparse(X):
        X = X.toarray()
    rows = check_array(X, dtype=np.float64)
    if named is None or not all(isinstance(name, str) for name in named):
        return rows, [f"x{number}" for number in range(1, rows.shape[1] + 1)]
    return rows, named


def _as_csv(rows: Any, names: list[str], labels: list[str]) -> str:
    """Return the examples as the text of a CSV file, with all digits of the numbers."""
    target = "class"
    while target in names:
        target += "_"
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow([*names, target])
    table.writerows(
        [*map(repr, row), label] for row, label in zip(rows.tolist(), labels, strict=True)
    )
    text = out.getvalue()
    if len(text.encode()) > MOST_BYTES:
        raise ValueError(
            f"the examples take {len(text.encode())} bytes as text, at most {MOST_BYTES} go into the page: "
            "pass fewer rows or columns"
        )
    return text


def _chosen(columns: tuple[Any, Any] | None, names: list[str]) -> dict[str, str]:
    """Return the part of the link that names the two columns."""
    if columns is None:
        return {}
    if isinstance(columns, str) or len(columns) != 2:
        raise ValueError(f"columns={columns!r} must be two names or numbers of columns")
    found = []
    for column in columns:
        if column in names:
            found.append(column)
        elif isinstance(column, (int, np.integer)) and 0 <= column < len(names):
            found.append(names[column])
        else:
            raise ValueError(f"columns={columns!r}: no column {column!r}; the columns are {names}")
    return {"x": found[0], "y": found[1]}


# Not attributes, so that an estimator neither keeps the examples of its fit alive nor pickles them.
_examples: WeakKeyDictionary[Any, tuple[Any, Any]] = WeakKeyDictionary()


def remember(estimator: Any, X: Any, y: Any) -> None:
    """Note the examples of a fit, for as long as the caller keeps them."""
    try:
        _examples[estimator] = (ref(X), ref(y))
    except TypeError:
        # Lists cannot be noted.
        _examples.pop(estimator, None)


def remembered(estimator: Any) -> tuple[Any, Any]:
    """Return the examples of the last fit, or raise `ValueError` if they are gone."""
    refs = _examples.get(estimator)
    X, y = (None, None) if refs is None else (refs[0](), refs[1]())
    if X is None or y is None:
        raise ValueError(
            "an estimator does not keep the examples of its fit, and these are gone: pass them, model.lab(X, y)"
        )
    return X, y

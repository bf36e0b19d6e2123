"""Reading data frames by the columns that a model knows."""

from __future__ import annotations

import json
import warnings
from typing import Any

from . import _frames, _input, _model, _native, _parameters


def arguments_of(on_error: str = "stop", n_jobs: int | None = None, **given: Any) -> dict[str, Any]:
    """Return the options of reading as the native part takes them; those not given have their defaults."""
    if on_error not in ("stop", "skip"):
        raise ValueError(f"on_error is {on_error!r}, expected 'stop' or 'skip'")
    defaults: dict[str, Any] = {
        "format": None,
        "target": None,
        "delimiter": None,
        "header": None,
        "zero_based": False,
        "ignore": [],
        "categorical": [],
        "interactions": [],
        "text": [],
        "ngrams": None,
        "chars": None,
        "bits": 18,
        "features": [],
        "missing": [],
        "missing_values": None,
        "decimal": "point",
        "thousands": None,
        "units": [],
        "dates": None,
        "encoding": None,
        "quote": None,
        "escape": None,
        "comment": None,
        "skip_rows": None,
        "quotes": True,
        "skip": on_error == "skip",
        "max_features": None,
        "threads": _parameters.thread_count(n_jobs),
    }
    return {**defaults, **given}


def read(
    frame: _frames.Frame,
    *,
    like: _native.Schema | None = None,
    target: str | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Read a table in memory as the engine reads a file of the same cells.

    By `like`, or as a table to learn from whose labels are in the column `target`, which is added. The features follow
    from the other columns alone.
    """
    sign = "," if options.get("decimal") == "comma" else "."
    dates = options.get("dates")
    text, types = _frames.csv_of(frame, schema=like, target=target, decimal_sign=sign, dates=dates)
    found = _native.read_frame(text, types, arguments_of(target=target, **options), like)
    found["notes"] = json.loads(found["notes"])
    rows = found["rows"]
    count = len(rows[2]) - 1 if isinstance(rows, tuple) else len(rows)
    if count != frame.rows:
        messages = "; ".join(note["message"] for note in found["notes"])
        raise ValueError(f"{frame.rows - count} of {frame.rows} rows are no examples: {messages}")
    return found


def rows(estimator: Any, X: Any) -> tuple[_input.Matrix, int] | None:
    """Return the rows of a data frame by the columns of the table that the model of a file learned from.

    It is None where `X` has the features themselves, and for a model of no table.
    """
    schema = _model.table_of(estimator)
    if schema is None:
        return None
    columns = schema.columns()
    if not _frames.is_frame(X):
        _check_width(estimator, X, [name for name, *_ in columns])
        return None
    if _has_features(estimator, X, schema, columns):
        return None
    frame = _frames.frame_of(X)
    found = read(frame, like=schema)
    warn(found, stacklevel=6)
    matrix: _input.Matrix = found["rows"]
    return matrix, frame.rows


def _has_features(estimator: Any, X: Any, schema: _native.Schema, columns: list[Any]) -> bool:
    """Return whether a data frame has the features of the model, so that nothing is left to be encoded."""
    names = _frames.names_of(X)
    if len(names) != schema.features:
        return False
    own = [name for name, *_ in columns]
    if not schema.has_names:
        return own == schema.feature_names() and _is_of_numbers(X)
    features = getattr(estimator, "feature_names_in_", None)
    is_encoded = features is not None and names == list(features)
    return is_encoded and (names != own or _is_of_numbers(X))


def _is_of_numbers(X: Any) -> bool:
    """Return whether a data frame has numbers in every cell."""
    try:
        return _input.from_arrow(X, exact=False) is not None
    except ValueError:
        return False


def _check_width(estimator: Any, X: Any, columns: list[str]) -> None:
    """Raise `ValueError` for an array of another width than that of the features, which it has to have."""
    shape: tuple[int, ...] = getattr(X, "shape", ())
    features = estimator.n_features_in_
    if len(shape) == 2 and shape[1] != features and features != len(columns):
        name, shown = type(estimator).__name__, ", ".join(columns)
        raise ValueError(
            f"X has {shape[1]} features, but {name} is expecting {features} features as input, which it encodes from "
            f"the columns of a table: pass a data frame with the columns {shown}"
        )


def warn(found: dict[str, Any], stacklevel: int) -> None:
    """Give the warnings of reading."""
    for warning in found["warnings"]:
        warnings.warn(warning, stacklevel=stacklevel)

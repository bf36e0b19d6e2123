"""The content of a model file other than the weights."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native

# Python also reads 1_0, nan and digits of other scripts as numbers.
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def schema_of(like: Any) -> _native.Schema:
    """Return the columns that a table, a fitted encoder, a model or a pipeline of the two knows."""
    steps = getattr(like, "steps", None)
    first = steps[0][1] if steps else like
    schema = getattr(first, "schema_", None) or getattr(first, "schema", None)
    if isinstance(schema, _native.Schema):
        return schema
    file = getattr(first, "_file", None)
    if file is not None:
        return _schema_of_file(file)
    names = getattr(first, "feature_names_in_", None)
    if names is None:
        raise ValueError(
            f"like is of type {type(like).__name__}, expected what knows the columns of a table: what read_csv "
            "returned, a fitted TableEncoder or a pipeline that begins with one, a model of load, or one that was "
            "fitted on a data frame"
        )
    return _native.Schema.of_names([str(name) for name in names])


def table_of(estimator: Any) -> _native.Schema | None:
    """Return the columns of the table that the model of a file learned from, if it is one of a table."""
    file = getattr(estimator, "_file", None)
    schema = None if file is None else _schema_of_file(file)
    return schema if schema is not None and schema.is_table else None


def _schema_of_file(file: dict[str, Any]) -> _native.Schema:
    schema = file["schema"]
    if isinstance(schema, _native.Schema):
        return schema
    # Pickles of older versions have it as JSON has it.
    return _native.Schema.from_json(json.dumps(schema))


def file_text(file: dict[str, Any]) -> str:
    """Return a model file without its weights, as JSON for the native part."""
    return json.dumps({**file, "schema": json.loads(_schema_of_file(file).to_json())})


def description(estimator: Any, schema: _native.Schema | None = None) -> str:
    """Return the model file without its weights, as JSON for the native part.

    A `schema` is that of the table whose features the estimator learned from.
    """
    file = getattr(estimator, "_file", None)
    if file is not None:
        return file_text(file if schema is None else {**file, "schema": schema})
    classes = estimator.classes_
    names = getattr(estimator, "feature_names_in_", None)
    report = estimator.report_
    is_from_python = report["stopped_by"] in ("tol", "callback")
    return json.dumps(
        {
            "classes": [text(label) for label in classes],
            "class_sizes": [int(size) for size in estimator.class_sizes_],
            "held_out": [int(size) for size in estimator._held_out],
            "label_type": label_type(classes),
            "features": int(estimator.n_features_in_),
            "feature_names": None if names is None else [str(name) for name in names],
            "schema": None if schema is None else json.loads(schema.to_json()),
            "options": json.loads(estimator._run.to_json()),
            "report": {
                **report,
                "stopped_by": "observer" if is_from_python else report["stopped_by"],
            },
        }
    )


def label_type(labels: NDArray[Any]) -> str:
    """Return the name that a model file has for the type of the labels."""
    if labels.dtype.kind not in "biufOSU":
        raise ValueError(
            f"labels of type {labels.dtype} cannot be saved: make them text or numbers"
        )
    if labels.dtype.kind in "iu":
        return "integer"
    return {"b": "boolean", "f": "float"}.get(labels.dtype.kind, "text")


def text(label: Any) -> str:
    """Return a label as text for a file."""
    if isinstance(label, np.generic):
        label = label.item()
    return label if isinstance(label, str) else repr(label)


def labels(names: list[str], kind: str | None) -> NDArray[Any]:
    """Convert labels from text.

    Without a `kind`, the labels become whole numbers if all of them are, otherwise numbers if all are, otherwise text.
    """
    if kind == "boolean":
        return np.array([name == "True" for name in names])
    if kind == "text":
        return np.array(names)
    if kind is None and not all(_NUMBER.fullmatch(name) for name in names):
        return np.array(names)
    if kind in (None, "integer"):
        try:
            whole = np.array([int(name) for name in names])
        except ValueError:
            pass
        else:
            if whole.dtype.kind in "iu":
                return whole
    found = np.array([float(name) for name in names])
    return found if np.isfinite(found).all() else np.array(names)

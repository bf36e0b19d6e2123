"""The state of an object as plain values, which pickle and skops write and read alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import _native

_READ: dict[str, Callable[..., Any]] = {
    "Classifier": _native.Classifier.from_bytes,
    "Options": _native.Options.from_json,
    "Schema": _native.Schema.from_json,
    "Stream": _native.Stream.of_state,
}
_NATIVE = tuple(getattr(_native, name) for name in _READ)
_KEY = "rosenblatt._native"


def plain(value: Any) -> Any:
    """Return a native object, or a dict with native objects, as plain values."""
    if isinstance(value, _NATIVE):
        return {_KEY: type(value).__name__, "arguments": list(value.__reduce__()[1])}
    if type(value) is dict:
        return {name: plain(part) for name, part in value.items()}
    return value


def native(value: Any) -> Any:
    """Return what `plain` was given."""
    if type(value) is not dict:
        return value
    if _KEY in value:
        return _READ[value[_KEY]](*value["arguments"])
    return {name: native(part) for name, part in value.items()}

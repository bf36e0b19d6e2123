"""The options about the columns of a table, which `read_csv` and `TableEncoder` have in common."""

from __future__ import annotations

from typing import Any

import numpy as np


def arguments(
    *,
    text: Any,
    ngrams: Any,
    chars: Any,
    bits: Any,
    missing: Any,
    missing_values: Any,
    interactions: Any,
    decimal: str,
    thousands: str | None,
    dates: str | None,
    **columns: Any,
) -> dict[str, Any]:
    """Return the options as the native part takes them; `columns` are lists of columns."""
    if not text and (ngrams, chars) != (None, None):
        raise ValueError("ngrams and chars are about columns of text: name them with text")
    if not (text or interactions) and bits is not None:
        raise ValueError("bits is about columns of text and interactions, and there are none")
    return {
        "text": _texts("text", text),
        "ngrams": None if ngrams is None else _small_whole("ngrams", ngrams),
        "chars": _lengths(chars),
        "bits": 18 if bits is None else _small_whole("bits", bits),
        "missing": missing.split(",") if isinstance(missing, str) else missing or [],
        "missing_values": None
        if missing_values is None
        else _texts("missing_values", missing_values),
        "interactions": _lists("interactions", interactions),
        "decimal": decimal,
        "thousands": thousands,
        "dates": dates,
        **{name: _texts(name, value) for name, value in columns.items()},
    }


def check_none(options: dict[str, Any]) -> None:
    """Raise `ValueError` for an option that is given beside the columns of another table."""
    given = [name for name, value in options.items() if value not in (None, "point")]
    if given:
        raise ValueError(f"like decides the columns, so {given[0]} has no effect beside it")


def _texts(name: str, value: Any) -> list[str]:
    if isinstance(value, str):
        raise ValueError(f"{name} is {value!r}, expected a list: [{value!r}]")
    return list(value or [])


def _lists(name: str, value: Any) -> list[list[str]]:
    if any(isinstance(one, str) for one in _texts(name, value)):
        raise ValueError(f"{name} is {value!r}, expected a list of tuples: [{tuple(value)!r}]")
    return [list(one) for one in value or []]


def _small_whole(name: str, value: Any) -> int:
    is_whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not is_whole or not 0 <= value < 256:
        raise ValueError(f"{name} is {value!r}, expected a small whole number")
    return int(value)


def _lengths(chars: Any) -> str | None:
    if chars is None:
        return None
    if not isinstance(chars, (tuple, list)) or len(chars) != 2:
        raise ValueError(f"chars is {chars!r}, expected two lengths, such as (3, 5)")
    shortest, longest = (_small_whole("chars", length) for length in chars)
    return f"{shortest}:{longest}"

"""Data frames as plain CSV, by which the engine reads them as it reads a file of the same cells."""

from __future__ import annotations

import csv
import datetime
import decimal
import io
import math
import numbers
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _native


class Frame(NamedTuple):
    """The names of the columns of a table, and their cells as Python has them."""

    names: list[str]
    columns: list[list[Any]]
    rows: int
    # The texts of False and True where the library of the table writes CSV.
    truths: tuple[str, str]


# How CSV files spell False and True.
_TRUTHS = [("False", "True"), ("false", "true"), ("FALSE", "TRUE"), ("0", "1")]

_DATES = {"ymd": "%Y-%m-%d", "dmy": "%d.%m.%Y", "mdy": "%m/%d/%Y"}


def is_frame(X: Any) -> bool:
    """Return whether `X` is a table whose columns have names."""
    is_pandas = hasattr(X, "iloc") and hasattr(X, "columns")
    return is_pandas or hasattr(X, "get_columns") or hasattr(X, "__arrow_c_stream__")


def names_of(X: Any) -> list[str]:
    """Return the names of the columns of a data frame."""
    if hasattr(X, "columns") and (hasattr(X, "iloc") or hasattr(X, "get_columns")):
        return [str(name) for name in X.columns]
    return [str(name) for name in _arrow_table(X).column_names]


def frame_of(X: Any) -> Frame:
    """Return the cells of a data frame of pandas, polars or Arrow, or of an array of two dimensions.

    The columns of an array are called ``x0``, ``x1``, ….
    """
    if not is_frame(X):
        return _frame_of_array(X)
    if hasattr(X, "iloc"):
        columns = [X.iloc[:, place].tolist() for place in range(X.shape[1])]
        return _checked(Frame(names_of(X), columns, len(X), _TRUTHS[0]))
    if hasattr(X, "get_columns"):
        columns = [column.to_list() for column in X.get_columns()]
        return _checked(Frame(names_of(X), columns, X.height, _TRUTHS[1]))
    table = _arrow_table(X)
    columns = [column.to_pylist() for column in table.columns]
    return _checked(Frame(names_of(table), columns, table.num_rows, _TRUTHS[1]))


def _arrow_table(X: Any) -> Any:
    if hasattr(X, "column_names") and hasattr(X, "to_pydict"):
        return X
    try:
        import pyarrow
    except ImportError:
        raise TypeError(
            f"a table of type {type(X).__name__} is read by pyarrow, which is not installed"
        ) from None
    return pyarrow.table(X)


def _frame_of_array(X: Any) -> Frame:
    if hasattr(X, "toarray"):
        raise TypeError("a sparse matrix has no columns of a table: pass a data frame or an array")
    array = np.asarray(X, dtype=object)
    if array.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {array.ndim}D array instead. Reshape your data: "
            "a table has rows and columns"
        )
    columns = [array[:, place].tolist() for place in range(array.shape[1])]
    names = [f"x{place}" for place in range(array.shape[1])]
    return _checked(Frame(names, columns, array.shape[0], _TRUTHS[0]))


def _checked(frame: Frame) -> Frame:
    names = frame.names
    doubled = next((name for name in names if names.count(name) > 1), None)
    if doubled is not None:
        raise ValueError(f"two columns have the name {doubled!r}")
    for what, found in (("sample", frame.rows), ("feature", len(names))):
        if found == 0:
            shape = (frame.rows, len(names))
            raise ValueError(
                f"Found array with 0 {what}(s) (shape={shape}) while a minimum of 1 is required."
            )
    return frame


def csv_of(
    frame: Frame,
    *,
    schema: _native.Schema | None = None,
    target: str | None = None,
    decimal_sign: str = ".",
    dates: str | None = None,
) -> tuple[bytes, list[tuple[str, str]]]:
    """Return a frame as plain CSV, and the name and the type of the cells of each column.

    By a `schema`, booleans and the numbers of categories are spelled as the model knows them. With a `target`, a last
    column of this name is added.
    """
    known = {}
    if schema is not None and schema.has_names:
        known = {name: (kind, texts) for name, kind, _, texts in schema.columns()}
    cells, types = [], []
    for name, column in zip(frame.names, frame.columns, strict=True):
        kind, texts = known.get(name, (None, []))
        spelling = _Spelling(name, frame.truths, kind, texts, decimal_sign, dates)
        cells.append(spelling.texts_of(column))
        types.append((name, _type_of(column)))
    names = list(frame.names)
    if target is not None:
        names.append(target)
        cells.append(["0"] * frame.rows)
    file = io.StringIO(newline="")
    # Names within quotes are never taken for a comment or a title.
    csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL).writerow(names)
    csv.writer(file, lineterminator="\n").writerows(zip(*cells, strict=True))
    return file.getvalue().encode(), types


def _type_of(column: Sequence[Any]) -> str:
    """Return the type of the cells that are not missing: all numbers, all dates, or text."""
    found = map(_kind_of, set(map(type, column)) - {float})
    kinds = {kind for kind in found if kind is not None}
    # NaN stands for what is missing among values of any type.
    if any(value == value for value in column if type(value) is float):
        kinds.add("number")
    return kinds.pop() if len(kinds) == 1 else "text"


def _kind_of(kind: type) -> str | None:
    if _is_nothing(kind):
        return None
    if issubclass(kind, (datetime.date, np.datetime64)):
        return "date"
    is_number = issubclass(kind, (numbers.Real, decimal.Decimal, np.bool_))
    return "number" if is_number else "text"


def _is_nothing(kind: type) -> bool:
    """Return whether every value of a type is a missing one."""
    return kind is type(None) or kind.__name__ in ("NAType", "NaTType")


_NO_CELLS = (bytes, list, tuple, dict, set, np.ndarray, complex)


class _Spelling(NamedTuple):
    """How the cells of a column are spelled."""

    column: str
    truths: tuple[str, str]
    # What the model knows of the column: its kind, and the texts that its cells are compared with.
    kind: str | None
    texts: list[str]
    decimal_sign: str
    dates: str | None

    def texts_of(self, column: Sequence[Any]) -> list[str]:
        """Return the cells as text; a missing one is empty."""
        kinds = set(map(type, column))
        for kind in kinds:
            if issubclass(kind, _NO_CELLS):
                row = next(row for row, value in enumerate(column) if type(value) is kind)
                raise ValueError(
                    f"column {self.column!r}, row {row} is of type {kind.__name__}, "
                    "expected a number, text, a date or nothing"
                )
        spelled = {kind: self._speller(kind) for kind in kinds}
        return [spelled[type(value)](value) for value in column]

    def _speller(self, kind: type) -> Callable[[Any], str]:
        """Return what spells the values of a type."""
        if _is_nothing(kind):
            return lambda _: ""
        if issubclass(kind, np.datetime64):
            return lambda value: "" if np.isnat(value) else str(value)
        if issubclass(kind, np.generic) and not issubclass(kind, str):
            return lambda value: self.texts_of([value.item()])[0]
        if issubclass(kind, bool):
            return self._truth
        if issubclass(kind, (int, float, decimal.Decimal)):
            return self._number
        if issubclass(kind, (datetime.date, datetime.time)):
            return self._time
        return str

    def _truth(self, value: bool) -> str:
        if self.kind in ("number", "date"):
            return str(int(value))
        known = (pair for pair in _TRUTHS if any(text in self.texts for text in pair))
        return next(known, self.truths)[value]

    def _number(self, value: Any) -> str:
        """Return the number; where the model knows it as a text, in the spelling of that."""
        if value != value:
            return ""
        spelled = str(value) if isinstance(value, decimal.Decimal) else repr(value)
        if self.texts:
            is_whole = math.isfinite(value) and value == value // 1
            whole = str(int(value)) if is_whole else spelled
            others = (text for text in (spelled, whole, f"{whole}.0") if text in self.texts)
            return next(others, spelled)
        return spelled.replace(".", self.decimal_sign)

    def _time(self, value: datetime.date | datetime.time) -> str:
        if value != value:
            return ""
        form = _DATES.get(self.dates or "ymd", _DATES["ymd"])
        if not isinstance(value, datetime.datetime):
            return value.strftime(form) if isinstance(value, datetime.date) else value.isoformat()
        date, time = value.strftime(form), value.isoformat().partition("T")[2]
        return date if time == "00:00:00" else f"{date} {time}"

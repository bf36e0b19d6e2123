"""Columns of a DataFrame as rows of the engine."""

from __future__ import annotations

import difflib
import functools
import operator
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyspark.ml.linalg import VectorUDT
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from .. import _input, _shards

# Larger whole numbers are not all 64-bit floats.
_LARGEST_WHOLE = 1 << 53
# Bytes of a batch that is cut.
_LARGE_BATCH = 1 << 23

_HINTS = {
    "null": "drop these rows with df.na.drop(), or fill them with pyspark.ml.feature.Imputer",
    "not finite": "drop or replace these values, for example with df.na.drop() or df.na.replace()",
}


class ColumnError(ValueError):
    """A column that cannot be used: its name, the problem and a hint."""

    def __init__(self, column: str, problem: str, hint: str) -> None:
        self.column, self.problem, self.hint = column, problem, hint
        super().__init__(f"column {column!r} {problem}; {hint}")

    def __reduce__(self) -> Any:
        return type(self), (self.column, self.problem, self.hint)


def field_of(schema: st.StructType, name: str, parameter: str) -> st.StructField:
    """Return the field of a column; raise `ColumnError` if there is none."""
    if name in schema.names:
        return schema[name]
    similar = difflib.get_close_matches(name, schema.names, 1)
    known = f"did you mean {similar[0]!r}?" if similar else f"there are {_listed(schema.names)}"
    if parameter == "featuresCol":
        known += "; name columns of numbers with featuresCols"
    raise ColumnError(name, f"of {parameter} does not exist", known)


def _listed(names: list[str]) -> str:
    return ", ".join(map(repr, names[:8])) + (", …" if len(names) > 8 else "")


def column(name: str) -> Any:
    """Return the column of exactly this name, which may contain dots."""
    return sf.col("`" + name.replace("`", "``") + "`")


def _double(name: str) -> Any:
    return column(name).cast("double")


@dataclass(frozen=True)
class Features:
    """The columns of the features: one of vectors or arrays, or several of numbers."""

    names: list[str]
    kind: str

    @classmethod
    def of_schema(cls, schema: st.StructType, names: list[str], parameter: str) -> Features:
        """Check the types of the columns."""
        fields = [field_of(schema, name, parameter) for name in names]
        first = fields[0].dataType
        if len(fields) == 1 and isinstance(first, VectorUDT):
            return cls(names, "vector")
        if len(fields) == 1 and isinstance(first, st.ArrayType) and _is_number(first.elementType):
            return cls(names, "array")
        for field in fields:
            if not _is_number(field.dataType):
                kind = field.dataType.simpleString()
                hint = "encode text with StringIndexer and OneHotEncoder"
                if isinstance(field.dataType, (VectorUDT, st.ArrayType)):
                    hint = "join columns and vectors with VectorAssembler"
                raise ColumnError(field.name, f"has the type {kind}, expected numbers", hint)
        return cls(names, "numbers")

    @property
    def width(self) -> int:
        """The number of columns that a task receives."""
        return len(self.names)

    def selected(self) -> list[Any]:
        """Return the expressions that a task receives."""
        if self.kind == "vector":
            return [sf.unwrap_udt(column(self.names[0]))]
        return [column(name) for name in self.names]

    def nonzero(self) -> Any:
        """Return the expression that counts the values of a row that are not 0."""
        if self.kind == "numbers":
            each = [sf.coalesce((_double(name) != 0).cast("int"), sf.lit(0)) for name in self.names]
            return functools.reduce(operator.add, each)
        values = column(self.names[0])
        if self.kind == "vector":
            values = sf.unwrap_udt(values)["values"]
        return sf.size(sf.filter(values, lambda value: value.cast("double") != 0))

    def matrix(self, arrays: list[pa.Array]) -> _input.Matrix:
        """Convert the values of these expressions; raise `ColumnError` for a value that is not a number."""
        if self.kind == "vector":
            return _vectors(self.names[0], arrays[0])
        if self.kind == "array":
            return _lists(self.names[0], arrays[0])
        each = [numbers(name, array) for name, array in zip(self.names, arrays, strict=True)]
        return np.ascontiguousarray(np.column_stack(each))


def _is_number(kind: st.DataType) -> bool:
    return isinstance(kind, (st.NumericType, st.BooleanType))


def _check_nulls(name: str, array: pa.Array) -> None:
    if array.null_count:
        raise ColumnError(name, "has nulls", _HINTS["null"])


def numbers(name: str, array: pa.Array) -> NDArray[np.float64]:
    """Return numbers as floats; raise `ColumnError` for nulls, NaN, infinity and whole numbers past 2⁵³."""
    _check_nulls(name, array)
    if pa.types.is_decimal(array.type):
        array = array.cast(pa.float64(), safe=False)
    values = array.to_numpy(zero_copy_only=False)
    if values.dtype.kind in "iu":
        if len(values) and max(-int(values.min()), int(values.max())) > _LARGEST_WHOLE:
            hint = "cast it to double if rounding is acceptable"
            raise ColumnError(name, "has whole numbers past 2**53, which would be rounded", hint)
        return values.astype(np.float64)
    values = values.astype(np.float64, copy=False)
    if not np.isfinite(values).all():
        raise ColumnError(name, "has values that are NaN or infinite", _HINTS["not finite"])
    return values


def _lengths(array: pa.Array) -> NDArray[np.int64]:
    lengths = pc.fill_null(pc.list_value_length(array), 0)
    return lengths.to_numpy(zero_copy_only=False).astype(np.int64)


def _check_width(name: str, widths: NDArray[np.int64]) -> int:
    if len(widths) and widths.min() != widths.max():
        found = f"{widths.min()} and {widths.max()}"
        hint = "all rows need the same number of features"
        raise ColumnError(name, f"has rows of different lengths, such as {found}", hint)
    return int(widths[0]) if len(widths) else 0


def _lists(name: str, array: pa.Array) -> _input.Matrix:
    _check_nulls(name, array)
    width = _check_width(name, _lengths(array))
    return numbers(name, array.flatten()).reshape(len(array), width)


def _vectors(name: str, array: pa.Array) -> _input.Matrix:
    """Convert the structs of `VectorUDT`: type (0 is sparse), size, indices, values."""
    _check_nulls(name, array)
    kinds, sizes, indices, lists = array.flatten()
    is_dense = kinds.to_numpy(zero_copy_only=False) == 1
    lengths = _lengths(lists)
    values = numbers(name, lists.flatten())
    sizes = pc.fill_null(sizes, 0).to_numpy(zero_copy_only=False).astype(np.int64)
    width = _check_width(name, np.where(is_dense, lengths, sizes))
    if is_dense.all():
        return values.reshape(len(array), width)
    rows = np.repeat(np.arange(len(array)), lengths)
    starts = np.cumsum(lengths) - lengths
    places = np.arange(len(values)) - starts[rows]
    places[~is_dense[rows]] = indices.flatten().to_numpy(zero_copy_only=False)
    is_stored = values != 0
    offsets = np.zeros(len(array) + 1, dtype=np.int64)
    np.cumsum(np.bincount(rows[is_stored], minlength=len(array)), out=offsets[1:])
    parts = values[is_stored], places[is_stored].astype(np.int64), offsets
    return *parts, width


def labels(name: str, array: pa.Array) -> NDArray[Any]:
    """Return labels as an array; raise `ColumnError` for nulls and NaN."""
    if array.null_count:
        raise ColumnError(name, "of the labels has nulls", "drop these rows with df.na.drop()")
    if pa.types.is_string(array.type) or pa.types.is_large_string(array.type):
        return np.array(array.to_pylist(), dtype=str)
    values = array.to_numpy(zero_copy_only=False)
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise ColumnError(name, "of the labels has NaN or infinity", _HINTS["not finite"])
    return values.astype({"f": np.float64, "b": np.bool_}.get(values.dtype.kind, np.int64))


@dataclass(frozen=True)
class Columns:
    """All columns from which a run learns."""

    features: Features
    label: str
    weight: str | None = None
    shard: str | None = None
    id: str | None = None

    @classmethod
    def of_schema(
        cls,
        schema: st.StructType,
        features: Features,
        label: str,
        weight: str | None = None,
        shard: str | None = None,
        id: str | None = None,
    ) -> Columns:
        """Check the types of the columns."""
        kind = field_of(schema, label, "labelCol").dataType
        if not (_is_number(kind) or isinstance(kind, st.StringType)):
            found = kind.simpleString()
            hint = "expected text, numbers or booleans"
            raise ColumnError(label, f"of the labels has the type {found}", hint)
        for name, parameter in ((weight, "weightCol"), (shard, "shardCol"), (id, "idCol")):
            if name is None:
                continue
            kind = field_of(schema, name, parameter).dataType
            expected = st.NumericType if parameter == "weightCol" else st.IntegralType
            if not isinstance(kind, expected):
                wanted = "numbers" if parameter == "weightCol" else "whole numbers"
                problem = f"of {parameter} has the type {kind.simpleString()}"
                raise ColumnError(name, problem, f"expected {wanted}")
        return cls(features, label, weight, shard, id)

    def selected(self, schema: st.StructType) -> list[Any]:
        """Return the expressions that a task receives, in order."""
        label = column(self.label)
        if isinstance(schema[self.label].dataType, st.DecimalType):
            label = label.cast("double")
        names = (self.weight or self.id, self.shard)
        others = [column(name) for name in names if name is not None]
        every = [*self.features.selected(), label, *others]
        return [each.alias(f"c{place}") for place, each in enumerate(every)]


def weights_of_ids(name: str, array: pa.Array) -> NDArray[np.float64]:
    """Return the numbers of rows as weights, which are larger by 1: a weight of 0 or 1 is no number of a row."""
    ids = numbers(name, array)
    if (ids < 1).any():
        raise ColumnError(name, "of idCol has numbers below 1", "number the rows from 1")
    return ids + 1


def ids_of_weights(weights: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    """Return the numbers of rows from their weights."""
    return None if weights is None else weights - 1


@dataclass(frozen=True)
class SplitTask:
    """Cuts batches of a DataFrame into pieces of shards; problems become a piece of the shard −1."""

    columns: Columns
    shards: int

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Convert batches."""
        problems: Counter[tuple[str, str, str]] = Counter()
        for batch in _joined(batches):
            try:
                pieces = self.cut(batch)
            except ColumnError as bad:
                problems[bad.column, bad.problem, bad.hint] += 1
                continue
            yield blocks((piece.number, piece.to_bytes()) for piece in pieces)
        if problems:
            yield blocks((-1, repr(bad).encode()) for bad in problems)

    def cut(self, batch: pa.RecordBatch) -> list[_shards.Shard]:
        """Return the pieces of a batch."""
        arrays = list(batch.columns)
        width = self.columns.features.width
        matrix = _shards.compact(self.columns.features.matrix(arrays[:width]))
        classes, codes = np.unique(labels(self.columns.label, arrays[width]), return_inverse=True)
        others = iter(arrays[width + 1 :])
        weights = None
        if self.columns.weight is not None:
            weights = self._weights(next(others))
        elif self.columns.id is not None:
            weights = weights_of_ids(self.columns.id, next(others))
        is_hashed = self.columns.shard is None
        hashed = _shards.numbers_of(matrix, self.shards) if is_hashed else None
        places = self._numbers(next(others)) if hashed is None else hashed
        return _shards.cut(matrix, classes, codes.astype(np.uint32), weights, places)

    def _weights(self, array: pa.Array) -> NDArray[np.float64]:
        name = self.columns.weight or ""
        weights = numbers(name, array)
        if (weights < 0).any():
            raise ColumnError(name, "has negative weights", "a weight is at least 0")
        return weights

    def _numbers(self, array: pa.Array) -> NDArray[np.int64]:
        name = self.columns.shard or ""
        places = numbers(name, array).astype(np.int64)
        if ((places < 0) | (places >= self.shards)).any():
            last = self.shards - 1
            raise ColumnError(
                name, f"has shards outside of 0 to {last}", "set shards to the number of shards"
            )
        return places


def _joined(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Return fewer, larger batches: each of them is cut into a piece for every shard."""
    waiting: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        waiting.append(batch)
        size += batch.nbytes
        if size >= _LARGE_BATCH:
            yield from _one(waiting)
            waiting, size = [], 0
    yield from _one(waiting)


def _one(batches: list[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    if any(batch.num_rows for batch in batches):
        yield from pa.Table.from_batches(batches).combine_chunks().to_batches()


BLOCKS = "shard int, data binary"
_BLOCKS = pa.schema([("shard", pa.int32()), ("data", pa.binary())])


def blocks(pairs: Any) -> pa.RecordBatch:
    """Return pairs of numbers and bytes as a batch."""
    every = list(pairs)
    arrays = [
        pa.array([number for number, _ in every], pa.int32()),
        pa.array([data for _, data in every], pa.binary()),
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=_BLOCKS)

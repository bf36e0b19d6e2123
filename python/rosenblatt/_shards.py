"""Shards: parts of the data that follow from the data alone, and not from the machines that hold them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from numbers import Integral
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from . import _arrays, _input, _native

Scaling: TypeAlias = "tuple[NDArray[np.float64], NDArray[np.float64]]"
"""The shift of each feature, and its divisor after that."""

_SEEDS = (0x9E3779B97F4A7C15, 0xD1B54A32D192ED03)


def _scrambled(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the finalizer of SplitMix64 (Steele, Lea & Flood 2014)."""
    mixed = numbers ^ (numbers >> np.uint64(30))
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed


def row_hashes(matrix: _input.Matrix) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return two independent hashes of each row. Dense and sparse rows of equal numbers have equal hashes."""
    first, second = (_native.row_hashes(matrix, seed) for seed in _SEEDS)
    return first, second


@dataclass(frozen=True)
class Shard:
    """The rows of one shard, in the order in which they are learned.

    Attributes
    ----------
    number : int
        The number of the shard, from 0.

    matrix : ndarray or tuple
        The rows as the engine takes them.

    classes : ndarray
        Labels in sorted order. Other shards of the same data can have other labels.

    codes : ndarray of uint32
        For each row, the index of its label in `classes`.

    weights : ndarray of float64 or None
        The weights of the rows; None if all are 1.
    """

    number: int
    matrix: _input.Matrix
    classes: NDArray[Any]
    codes: NDArray[np.uint32]
    weights: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def features(self) -> int:
        """The number of features."""
        return int(self.matrix[3] if isinstance(self.matrix, tuple) else self.matrix.shape[1])

    @property
    def nonzero(self) -> int:
        """The number of values that are not 0."""
        values = self.matrix[0] if isinstance(self.matrix, tuple) else self.matrix
        return int(np.count_nonzero(values))

    def select(self, places: NDArray[Any]) -> Shard:
        """Return a shard of some of the rows."""
        weights = None if self.weights is None else self.weights[places]
        matrix = _input.selected(self.matrix, places)
        return Shard(self.number, matrix, self.classes, self.codes[places], weights)

    def scaled(self, scaling: Scaling | None) -> Shard:
        """Return the rows with their features scaled; without a scaling, as they are."""
        if scaling is None:
            return self
        matrix = _native.scaled(self.matrix, *scaling)
        return Shard(self.number, matrix, *_fields(self)[1:])

    def shuffled(self, seed: int, epoch: int) -> Shard:
        """Return the rows in the random order of an epoch from the second on; the first has the order of the hashes."""
        key = np.array([seed, epoch, self.number], dtype=np.uint64)
        start = _scrambled(_scrambled(_scrambled(key[:1]) + key[1:2]) + key[2:])
        ranks = _scrambled(np.arange(len(self), dtype=np.uint64) + start)
        return self if epoch == 1 else self.select(np.argsort(ranks, kind="stable"))

    def sorted(self) -> Shard:
        """Return the rows in the order of their hashes, which is random but follows from the rows alone.

        Rows of equal features are in the order of their labels and weights.
        """
        first, second = row_hashes(self.matrix)
        weights = np.ones(len(self)) if self.weights is None else self.weights
        return self.select(np.lexsort((weights, self.codes, second, first)))

    def codes_in(self, classes: NDArray[Any]) -> NDArray[np.uint32]:
        """Return the codes of the rows in a sorted list with all labels."""
        places = np.searchsorted(classes, self.classes).astype(np.uint32)
        return places[self.codes]

    def to_bytes(self) -> bytes:
        """Return the shard as bytes. Equal rows in equal order give equal bytes."""
        arrays = {"codes": self.codes, "classes": self.classes}
        if self.weights is not None:
            arrays["weights"] = self.weights
        if isinstance(self.matrix, tuple):
            arrays["values"], arrays["indices"], arrays["offsets"] = self.matrix[:3]
        else:
            arrays["rows"] = self.matrix
        return _arrays.to_bytes({"number": self.number, "features": self.features}, arrays)

    @classmethod
    def from_bytes(cls, content: Any, *, check: bool = True) -> Shard:
        """Read a shard from the bytes of `to_bytes`, which it borrows."""
        values, arrays = _arrays.from_bytes(content, "this shard", check=check)
        rows: Any = arrays.get("rows")
        if rows is None:
            rows = arrays["values"], arrays["indices"], arrays["offsets"], values["features"]
        return cls(
            values["number"], rows, arrays["classes"], arrays["codes"], arrays.get("weights")
        )

    def digest(self) -> str:
        """Return a digest of the rows, labels and weights; equal for dense and sparse rows of equal numbers."""
        digest = hashlib.blake2b(repr(self.classes.tolist()).encode(), digest_size=16)
        for part in (*row_hashes(self.matrix), self.codes, self.weights):
            digest.update(b"" if part is None else part.tobytes())
        return digest.hexdigest()


def merged(parts: Sequence[Shard]) -> Shard:
    """Return the rows of several parts of one shard, sorted."""
    classes = np.unique(np.concatenate([part.classes for part in parts]))
    codes = np.concatenate([part.codes_in(classes) for part in parts])
    # A label of which every row has weight 0 does not occur.
    present, codes = np.unique(codes, return_inverse=True)
    weights = None
    if any(part.weights is not None for part in parts):
        each = [np.ones(len(part)) if part.weights is None else part.weights for part in parts]
        weights = np.concatenate(each)
        weights = None if (weights == 1).all() else weights
    matrix: _input.Matrix
    if any(isinstance(part.matrix, tuple) for part in parts):
        matrix = _input.sparse_parts(sparse.vstack([csr(part.matrix) for part in parts], "csr"))
    else:
        matrix = np.ascontiguousarray(np.concatenate([part.matrix for part in parts]))
    shard = Shard(parts[0].number, matrix, classes[present], codes.astype(np.uint32), weights)
    return shard.sorted()


def csr(matrix: _input.Matrix) -> Any:
    """Return rows as a CSR matrix of SciPy."""
    if not isinstance(matrix, tuple):
        return sparse.csr_matrix(matrix)
    values, indices, offsets, features = matrix
    shape = (len(offsets) - 1, features)
    return sparse.csr_matrix((values, indices, offsets), shape=shape, copy=False)


def cut(
    matrix: _input.Matrix,
    classes: NDArray[Any],
    codes: NDArray[np.uint32],
    weights: NDArray[np.float64] | None,
    numbers: NDArray[Any],
) -> list[Shard]:
    """Return the rows of each shard, not yet sorted. Rows of weight 0 are left out."""
    order = np.argsort(numbers, kind="stable")
    if weights is not None:
        order = order[weights[order] != 0]
    of_rows = numbers[order]
    bounds = np.flatnonzero(np.r_[True, of_rows[1:] != of_rows[:-1], True][: len(of_rows) + 1])
    shards = []
    everything = Shard(0, matrix, classes, codes, weights)
    for first, last in pairwise(bounds.tolist()):
        part = everything.select(order[first:last])
        shards.append(Shard(int(of_rows[first]), *_fields(part)))
    return shards


def _fields(shard: Shard) -> tuple[Any, ...]:
    return shard.matrix, shard.classes, shard.codes, shard.weights


def numbers_of(matrix: _input.Matrix, shards: int) -> NDArray[np.int64]:
    """Return the number of the shard of each row, which follows from its features alone."""
    return (_native.row_hashes(matrix, _SEEDS[0]) % np.uint64(shards)).astype(np.int64)


_LARGE_SHARD = 1 << 24


def count_for(rows: int, values: int) -> int:
    """Return the number of shards for rows with this many values that are not 0, which follows from the rows alone.

    A shard of 2²⁴ numbers takes 128 MiB, or twice as much as sparse rows. An epoch over it takes about as long as Spark
    needs to start a job, so smaller shards would gain little, and are further from a run over all rows.
    """
    return max(1, -(-(rows + values) // _LARGE_SHARD))


def _count_for(rows: Shard, numbers: NDArray[Any] | None) -> int:
    if numbers is not None:
        return 1 + max(0, int(numbers.max(initial=0))) if numbers.dtype.kind in "iu" else 1
    if rows.weights is not None:
        rows = rows.select(np.flatnonzero(rows.weights))
    return count_for(len(rows), rows.nonzero)


def compact(matrix: _input.Matrix) -> _input.Matrix:
    """Return dense rows as sparse ones if fewer than a quarter of their values are not 0. It changes no result."""
    if isinstance(matrix, tuple) or 4 * np.count_nonzero(matrix) >= matrix.size:
        return matrix
    return _input.sparse_parts(sparse.csr_matrix(matrix))


def split(
    X: Any,
    y: Any,
    shards: int | str = "auto",
    *,
    sample_weight: Any = None,
    shard: Any = None,
) -> list[Shard]:
    """Split rows into shards.

    The shard of a row and its place in the shard follow from the numbers of the row, its label and its weight. So the
    order of the rows, and whether they are dense or sparse, make no difference.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        The rows.

    y : array-like of shape (n_samples,)
        The labels.

    shards : int or "auto", default="auto"
        The number of shards. Some can be empty, and are then not returned. ``"auto"`` is one for every 2²⁴ rows and
        values that are not 0, or with `shard` as many as it names.

    sample_weight : array-like of shape (n_samples,), default=None
        The factor of the learning rate for each example. A weight of 0 leaves the example out.

    shard : array-like of int of shape (n_samples,), default=None
        The number of the shard of each row, from 0 to ``shards - 1``. By default it is the remainder of a hash of the
        features.

    Returns
    -------
    list of Shard
        The shards with rows, by number.
    """
    if shards != "auto" and not isinstance(shards, Integral):
        raise TypeError(f"shards is {shards!r}, expected a whole number or 'auto'")
    if isinstance(shards, Integral) and not 1 <= shards < 1 << 31:
        raise ValueError(f"shards is {shards}, it must be from 1 to {(1 << 31) - 1}")
    matrix, count = _input.rows(X)
    values = matrix[0] if isinstance(matrix, tuple) else matrix
    if not np.isfinite(values).all():
        raise ValueError("X has a value that is not a finite number")
    classes, codes = _input.encoded(y)
    _input.check_lengths(count, len(codes))
    weights = _input.weights(sample_weight, count)
    numbers = None if shard is None else np.asarray(shard)
    if not isinstance(shards, Integral):
        shards = _count_for(Shard(0, matrix, classes, codes, weights), numbers)
    if numbers is None:
        numbers = numbers_of(matrix, shards)
    else:
        _input.check_lengths(count, len(numbers))
        if numbers.dtype.kind not in "iu" or not ((numbers >= 0) & (numbers < shards)).all():
            raise ValueError(f"shard must have whole numbers from 0 to {shards - 1}")
    return [merged([part]) for part in cut(matrix, classes, codes, weights, numbers)]

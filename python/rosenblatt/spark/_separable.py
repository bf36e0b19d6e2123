"""Whether a hyperplane separates two classes of a DataFrame, with proofs that need no cluster to check."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyspark.sql import DataFrame
from scipy import sparse

from .. import _input, _native, _parameters, _shards, _words
from .._answer import Answer
from .._separability import Separability, verify
from .._separability import separable as separable_rows
from ..mixing import _options
from ._columns import Columns, Features, ids_of_weights
from ._packing import PackedShards

_EPSILON = float(np.finfo(np.float64).eps)
# Bounds on the margin that are so close agree to six digits.
_CLOSE = 1e-7


@dataclass(frozen=True)
class SparkSeparability(Answer):
    """Whether a hyperplane separates two classes, and how well.

    In an ``if``, *yes* is true and *no* is false. *unknown* raises `ValueError`.

    Attributes
    ----------
    separable : {"yes", "no", "unknown"}
        The answer.

    margin : dict
        The ``lower`` and ``upper`` bound of the largest margin; empty unless the answer is *yes*.

    radius : float
        R, the largest norm of a row.

    bound : float or None
        The maximum number of mistakes of a perceptron from zero weights (Novikoff 1962).

    certificate : dict or None
        The proof, for `rosenblatt.verify`. That of *yes* is a separator of all rows. That of *no* counts the rows of
        `X` from 1 or, with `idCol`, names the rows by this column, for the command ``rosenblatt separable --verify``.

    X, y : ndarray or sparse matrix, ndarray
        The rows of the proof of *no*, at most d + 2, and whether each is of the positive class; otherwise None.

    ids : ndarray or None
        The values of `idCol` for these rows.

    ended_by : str or None
        Why the answer is *unknown*, as in `rosenblatt.Separability`.

    verified : bool
        Whether the proof was checked in exact arithmetic: *yes* on all rows by the last job, *no* on `X`.

    jobs : int
        The number of jobs of Spark after packing.

    pool : int
        The number of rows from which the driver found the answer.
    """

    separable: _words.Verdict
    margin: dict[str, float]
    radius: float
    bound: float | None
    certificate: dict[str, Any] | None = field(repr=False)
    X: Any = field(repr=False)
    y: NDArray[np.bool_] | None = field(repr=False)
    ids: NDArray[np.int64] | None = field(repr=False)
    ended_by: _words.EndedBy | None
    verified: bool
    jobs: int
    pool: int

    def _truth(self) -> bool | str:
        return self._truth_of(self.separable, f"the search ended by {self.ended_by}")


@dataclass(frozen=True)
class _Rows:
    """Some rows of a shard."""

    number: int
    places: NDArray[np.int64]
    matrix: _input.Matrix
    signs: NDArray[np.uint32]
    ids: NDArray[np.float64] | None
    margins: NDArray[np.float64] | None = None
    radius: float = 0.0
    is_contradiction: bool = False

    @classmethod
    def of_shard(
        cls, shard: _shards.Shard, signs: NDArray[np.uint32], places: Any, **more: Any
    ) -> _Rows:
        places = np.asarray(places, dtype=np.int64)
        part = shard.select(places)
        # Copies, because the shard lies in memory that is not its own.
        ids = ids_of_weights(part.weights)
        return cls(shard.number, places, part.matrix, signs[places], ids, **more)


@dataclass(frozen=True)
class _FirstTask:
    """Returns two equal rows with different signs, or the first rows of both signs."""

    positive: Any
    most: int

    def __call__(self, shard: _shards.Shard) -> _Rows:
        signs = _signs(shard, self.positive)
        options = _options(
            keep="last", update="perceptron", bias="unit", mistake="margin", eta0=1.0
        )
        radius = _native.one_pass(shard.matrix, signs, 2, options)["radius"]
        first, second = _shards.row_hashes(shard.matrix)
        is_equal = (first[1:] == first[:-1]) & (second[1:] == second[:-1])
        for place in np.flatnonzero(is_equal & (signs[1:] != signs[:-1])):
            pair = _Rows.of_shard(
                shard, signs, [place, place + 1], radius=radius, is_contradiction=True
            )
            rows = _csr(pair.matrix)
            if (rows[0] != rows[1]).nnz == 0:
                return pair
        places = [np.flatnonzero(signs == sign)[: self.most] for sign in (0, 1)]
        return _Rows.of_shard(shard, signs, np.concatenate(places), radius=radius)


@dataclass(frozen=True)
class _WorstTask:
    """Returns the rows of least margin."""

    positive: Any
    weights: NDArray[np.float64]
    bias: float
    most: int

    def __call__(self, shard: _shards.Shard) -> _Rows:
        signs = _signs(shard, self.positive)
        planes = self.weights.reshape(1, -1), np.array([self.bias])
        places, margins = _native.worst(shard.matrix, signs, *planes, self.most)
        return _Rows.of_shard(shard, signs, places, margins=margins)


def _signs(shard: _shards.Shard, positive: Any) -> NDArray[np.uint32]:
    return (shard.classes == positive).astype(np.uint32)[shard.codes]


def _csr(matrix: _input.Matrix) -> Any:
    return _shards.csr(matrix)


def separable(
    df: DataFrame,
    *,
    featuresCol: str = "features",
    featuresCols: list[str] | None = None,
    labelCol: str = "label",
    positive: Any = None,
    bias: str = "unit",
    idCol: str | None = None,
    shards: int | str = "auto",
    tasks: int | None = None,
    packDir: str | None = None,
    rowsPerShard: int = 8,
    seconds: float | None = None,
) -> SparkSeparability:
    """Decide whether a hyperplane separates two classes of a DataFrame.

    The driver decides it for a pool of rows. Each job then returns the rows of every shard that are worst for the
    pool's separator, by their exact margins, and these join the pool. If no hyperplane separates the pool, none
    separates all rows. If the pool's separator has its margin on all rows, that margin is the largest.

    Parameters
    ----------
    df : DataFrame
        The rows.

    featuresCol, featuresCols, labelCol, shards, tasks, packDir
        As for `PerceptronClassifier`. Here the number of shards changes only the pool.

    positive : label, default=None
        If given, this label is the positive class, and all others are the negative class.

    bias : {"unit", "none"}, default="unit"
        As for `rosenblatt.separable`.

    idCol : str, default=None
        A column that numbers the rows from 1, for the proof of *no*.

    rowsPerShard : int, default=8
        The maximum number of rows that a shard adds to the pool in each job.

    seconds : float, default=None
        The maximum time of the driver for each pool, as for `rosenblatt.separable`.

    Returns
    -------
    SparkSeparability
        The answer and its proof.
    """
    if bias not in ("unit", "none"):
        raise ValueError(f"bias is {bias!r}, expected 'unit' or 'none'")
    counts = {"rowsPerShard": rowsPerShard} | ({} if shards == "auto" else {"shards": shards})
    for name, value in counts.items():
        _parameters.check_value("separable", name, value, _parameters.AT_LEAST_1)
    names = [featuresCol] if featuresCols is None else featuresCols
    parameter = "featuresCol" if featuresCols is None else "featuresCols"
    features = Features.of_schema(df.schema, names, parameter)
    columns = Columns.of_schema(df.schema, features, labelCol, id=idCol)
    packed = PackedShards(df, columns, shards, tasks=tasks, pack_dir=packDir)
    try:
        return _Search(packed, _positive(packed.classes, positive), bias, rowsPerShard).run(seconds)
    finally:
        packed.release()


def _positive(classes: NDArray[Any], positive: Any) -> Any:
    if positive is None:
        if len(classes) != 2:
            raise ValueError(
                f"a hyperplane separates two classes, the labels have {len(classes)}; "
                "positive=LABEL asks about that label against the rest"
            )
        return classes[1]
    if positive not in classes.tolist():
        raise ValueError(f"positive is {positive!r}, which is not one of the labels")
    return positive


class _Search:
    def __init__(self, packed: PackedShards, positive: Any, bias: str, most: int) -> None:
        self._packed, self._positive, self._bias, self._most = packed, positive, bias, most
        self._parts: list[_Rows] = []
        self._known: set[tuple[int, int]] = set()
        self._jobs = 0
        self._radius = 0.0

    def run(self, seconds: float | None) -> SparkSeparability:
        found = self._job(_FirstTask(self._positive, self._most))
        self._radius = max(rows.radius for rows in found)
        contradictions = [rows for rows in found if rows.is_contradiction]
        self._add(contradictions[:1] or found)
        while True:
            X, signs, _ = self._pool()
            # Before the first job has found both signs, every pool of one sign needs the other.
            answer = separable_rows(X, signs, bias=self._bias, seconds=seconds)
            if answer.separable != "yes":
                return self._no_or_unknown(answer)
            weights, constant = _separator(answer)
            if weights is None:
                return self._result("unknown", ended_by="precision")
            found = self._job(_WorstTask(self._positive, weights, constant, self._most))
            least = min(float(rows.margins[0]) for rows in found if rows.margins is not None)
            length = math.hypot(*weights.tolist(), constant if self._bias == "unit" else 0.0)
            upper = answer.margin.get("upper", math.inf)
            is_close = least / length >= upper * (1 - _CLOSE)
            # Rows that are known bring nothing: the pool's separator is as good as its search.
            if is_close or not self._add(found):
                if least > 0:
                    lower = least / length * (1 - 16 * _EPSILON)
                    proven = self._result(
                        "yes",
                        margin={"lower": lower, "upper": upper},
                        certificate=answer.certificate,
                        verified=True,
                    )
                    certificate: Any = answer.certificate
                    check = partial(verify, certificate, positive=self._positive, bias=self._bias)
                    return proven._about(check, None)
                return self._result("unknown", ended_by="precision")

    def _job(self, task: Any) -> list[_Rows]:
        self._jobs += 1
        return self._packed.run(task, f"job {self._jobs} of separable")

    def _add(self, found: list[_Rows]) -> bool:
        """Add the rows that are not in the pool; return whether there are any."""
        before = len(self._known)
        for rows in found:
            new = [
                at
                for at, place in enumerate(rows.places.tolist())
                if (rows.number, place) not in self._known
            ]
            if new:
                self._known.update((rows.number, int(rows.places[at])) for at in new)
                ids = None if rows.ids is None else rows.ids[new]
                matrix = _input.selected(rows.matrix, np.array(new))
                self._parts.append(
                    _Rows(rows.number, rows.places[new], matrix, rows.signs[new], ids)
                )
        return len(self._known) > before

    def _pool(self) -> tuple[Any, NDArray[np.uint32], NDArray[np.float64] | None]:
        signs = np.concatenate([rows.signs for rows in self._parts])
        every = [rows.ids for rows in self._parts]
        ids = None if any(each is None for each in every) else np.concatenate(every)  # type: ignore[arg-type]
        if any(isinstance(rows.matrix, tuple) for rows in self._parts):
            return sparse.vstack([_csr(rows.matrix) for rows in self._parts], "csr"), signs, ids
        return np.concatenate([rows.matrix for rows in self._parts]), signs, ids

    def _no_or_unknown(self, answer: Separability) -> SparkSeparability:
        certificate = answer.certificate
        if answer.separable == "unknown" or certificate is None:
            return self._result("unknown", ended_by=answer.ended_by)
        X, signs, ids = self._pool()
        rows = np.array(certificate["rows"]) - 1
        X, signs = X[rows], signs[rows]
        places = list(range(1, len(rows) + 1))
        own = {**certificate, "rows": places}
        verified = bool(verify(own, X, signs, bias=self._bias, positive=1))
        if ids is not None:
            ids = ids[rows].astype(np.int64)
            if len(np.unique(ids)) < len(ids):
                raise ValueError("idCol has equal numbers for several rows of the proof")
            order = np.argsort(ids)
            X, signs, ids = X[order], signs[order], ids[order]
            multipliers = [certificate["multipliers"][place] for place in order]
            own = {**certificate, "rows": ids.tolist(), "multipliers": multipliers}
        y = signs == 1
        found = self._result("no", certificate=own, X=X, y=y, ids=ids, verified=verified)
        of_rows = {**own, "rows": places}
        return found._about(partial(verify, of_rows, positive=True, bias=self._bias), (X, y))

    def _result(self, answer: str, **given: Any) -> SparkSeparability:
        values: dict[str, Any] = {
            "margin": {},
            "certificate": None,
            "X": None,
            "y": None,
            "ids": None,
            "ended_by": None,
            "verified": False,
            **given,
        }
        lower, bound = values["margin"].get("lower"), None
        if lower is not None:
            longest = math.hypot(self._radius, 1.0 if self._bias == "unit" else 0.0)
            bound = (longest / lower) ** 2 * (1 + 16 * _EPSILON)
        pool = len(self._known)
        return SparkSeparability(
            answer, radius=self._radius, bound=bound, jobs=self._jobs, pool=pool, **values
        )


def _separator(answer: Separability) -> tuple[NDArray[np.float64] | None, float]:
    """Return the separator of a certificate, unless its integers are not floats."""
    certificate = answer.certificate
    if certificate is None:
        return None, 0.0
    exact = [*certificate["weights"], certificate["bias"]]
    try:
        floats = [float(number) for number in exact]
    except OverflowError:
        return None, 0.0
    if any(isinstance(a, str) and int(a) != int(b) for a, b in zip(exact, floats, strict=True)):
        return None, 0.0
    return np.array(floats[:-1]), floats[-1]

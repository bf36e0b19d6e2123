"""Packed shards on a cluster: written once, then visited by one job per epoch."""

from __future__ import annotations

import ast
import hashlib
import json
import logging
import os
import pickle
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from .. import _arrays, _shards
from ._columns import BLOCKS, ColumnError, Columns, SplitTask, blocks, column

# At most this many jobs find the packed shards of one epoch, or the run ends with an error.
_ATTEMPTS = 10

_log = logging.getLogger("rosenblatt.spark")


@dataclass(frozen=True)
class PackTask:
    """Joins the pieces of each shard, which follow one another, into one packed shard, and writes it to a file.

    The file is in `folder`, which all executors share, or in the executor's own storage. Returns descriptions as JSON.
    """

    run: str
    folder: str | None

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Convert batches."""
        number, pieces = -1, []
        for batch in batches:
            for shard, data in zip(*batch.columns, strict=True):
                if shard.as_py() == -1:
                    yield blocks([(-1, data.as_py())])
                    continue
                if shard.as_py() != number and pieces:
                    yield blocks([(number, self._packed(number, pieces))])
                    pieces = []
                number = shard.as_py()
                pieces.append(memoryview(data.as_buffer()))
        if pieces:
            yield blocks([(number, self._packed(number, pieces))])

    def _packed(self, number: int, pieces: list[memoryview]) -> bytes:
        parts = [_shards.Shard.from_bytes(piece) for piece in pieces]
        widths = sorted({part.features for part in parts})
        info: dict[str, Any] = {"number": number, "features": widths}
        if len(widths) == 1:
            shard = _shards.merged(parts)
            # Room for the bytes of the shard.
            parts.clear()
            pieces.clear()
            info |= {
                "rows": len(shard),
                "classes": shard.classes.tolist(),
                "dtype": shard.classes.dtype.kind,
                "digest": shard.digest(),
                "path": self._written(number, shard.to_bytes()),
            }
        return json.dumps(info).encode()

    def _written(self, number: int, data: bytes) -> str:
        """Write a file whole or not at all: another attempt of this task may write it as well."""
        folder = self.folder or _own_folder(self.run)
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, f"shard-{number:06d}")
        own = f"{path}.{uuid.uuid4().hex}"
        with open(own, "wb") as file:
            file.write(data)
            if self.folder is not None:
                file.flush()
                os.fsync(file.fileno())
        os.replace(own, path)
        return path


def _own_folder(run: str) -> str:
    """Return the folder of a run in this executor's storage, which Spark deletes with the executor."""
    storage = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0]
    return os.path.join(storage or tempfile.gettempdir(), run)


@dataclass(frozen=True)
class ShardTask:
    """Runs a task on the packed shards that `PackTask` described. A file that is not on this machine has no result."""

    task: Callable[[_shards.Shard], Any]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Convert batches."""
        for batch in batches:
            for info in batch.column(1).to_pylist():
                path = json.loads(info)["path"]
                if os.path.exists(path):
                    yield _result(self.task, path)


@dataclass(frozen=True)
class FileTask:
    """Runs a task on files that all executors share. Each row is the number of a task, which owns some of the files."""

    task: Callable[[_shards.Shard], Any]
    paths: list[str]
    tasks: int

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Convert batches."""
        for batch in batches:
            for part in batch.column(0).to_pylist():
                for path in self.paths[part :: self.tasks]:
                    yield _result(self.task, path)


def _result(task: Callable[[_shards.Shard], Any], path: str) -> pa.RecordBatch:
    shard = _shard_of_file(path)
    try:
        result = task(shard)
    except ValueError as error:
        result = error
    return blocks([(shard.number, pickle.dumps(result))])


@dataclass(frozen=True)
class DeleteTask:
    """Deletes the packed shards of a run in the storage of this executor."""

    run: str

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Delete the folder."""
        for _ in batches:
            shutil.rmtree(_own_folder(self.run), ignore_errors=True)
        yield blocks([])


# The files that this process has checked. A process of Spark runs many tasks.
_checked: set[tuple[str, int, int]] = set()


def _shard_of_file(path: str) -> _shards.Shard:
    """Map a packed shard into memory; its checksum is verified once per process."""
    try:
        status = os.stat(path)
        content = np.memmap(path, dtype=np.uint8, mode="r")
    except OSError as error:
        raise FileNotFoundError(
            f"{path} cannot be read ({error.strerror}); packDir must be a folder that all executors share"
        ) from None
    key = (path, status.st_mtime_ns, status.st_size)
    shard = _shards.Shard.from_bytes(content, check=key not in _checked)
    _checked.add(key)
    return shard


class PackedShards:
    """The packed shards of a DataFrame.

    Attributes
    ----------
    classes : ndarray
        All labels in sorted order.

    features, rows, shards : int
        The numbers of features, rows and shards, also those without rows.

    digests : list of str
        The digest of each shard, by its number.
    """

    def __init__(
        self,
        df: DataFrame,
        columns: Columns,
        shards: int | str,
        *,
        tasks: int | None = None,
        pack_dir: str | None = None,
    ) -> None:
        self._spark: SparkSession = df.sparkSession
        if isinstance(shards, str):
            shards = _shards_for(df, columns)
        self._columns, self.shards = columns, shards
        self._tasks = min(shards, tasks or 2 * _parallelism(self._spark))
        self._run = f"rosenblatt-{uuid.uuid4().hex}"
        shared = None if pack_dir is None else _local(pack_dir, "packDir")
        self._folder = None if shared is None else os.path.join(shared, self._run)
        pieces = df.select(*columns.selected(df.schema))
        pieces = pieces.mapInArrow(SplitTask(columns, shards), BLOCKS)
        owner = sf.when(sf.col("shard") < 0, 0).otherwise(sf.col("shard") % self._tasks)
        ordered = pieces.repartitionById(self._tasks, owner).sortWithinPartitions("shard")
        packed = ordered.mapInArrow(PackTask(self._run, self._folder), BLOCKS)
        # Spark runs later tasks where it has the descriptions, and packs the shards of an executor that it lost again.
        self._packed = packed.persist()
        try:
            self._describe()
        except BaseException:
            self.release()
            raise

    def _describe(self) -> None:
        found = _collected(self._packed, "packing")
        problems = sorted({ast.literal_eval(data.decode()) for shard, data in found if shard < 0})
        if problems:
            raise ColumnError(*problems[0])
        infos = sorted((json.loads(data) for _, data in found), key=lambda info: info["number"])
        self._check(infos)
        self.features = infos[0]["features"][0]
        self.rows = sum(info["rows"] for info in infos)
        self.numbers = [info["number"] for info in infos]
        self.digests = [info["digest"] for info in infos]
        self._paths = [info["path"] for info in infos]
        count = len(infos)
        _log.info("packed %d rows into %d shard%s", self.rows, count, "" if count == 1 else "s")

    def _check(self, infos: list[dict[str, Any]]) -> None:
        names, columns = self._columns.features.names, self._columns
        if not infos:
            hint = "check the DataFrame and its filters, and weightCol if there is one"
            raise ColumnError(columns.label, "has no rows to learn from", hint)
        widths = sorted({width for info in infos for width in info["features"]})
        if len(widths) > 1:
            problem = f"has rows of different lengths, such as {widths[0]} and {widths[-1]}"
            raise ColumnError(names[0], problem, "all rows need the same number of features")
        self.classes = _classes(columns.label, infos)
        rows = sum(info["rows"] for info in infos)
        if rows < self.shards:
            raise ValueError(
                f"shards is {self.shards}, but there are only {rows} rows; leave out shards"
            )
        if columns.shard is not None and len(infos) < self.shards:
            empty = sorted(set(range(self.shards)) - {info["number"] for info in infos})
            problem = f"has no rows of shard {empty[0]}, and shards is {self.shards}"
            raise ColumnError(columns.shard, problem, "number the shards from 0 without gaps")

    def run(self, task: Callable[[_shards.Shard], Any], name: str) -> list[Any]:
        """Run a task on every shard in one job; return the results by the numbers of the shards."""
        found: dict[int, bytes] = {}
        for _ in range(_ATTEMPTS):
            missing = [number for number in self.numbers if number not in found]
            more = self._results(task, missing, name)
            found.update(more)
            if len(found) == len(self.numbers):
                break
            if not more:
                self._pack_again()
        else:
            raise RuntimeError(
                f"the Spark job of {name} does not run where the packed shards are; "
                "set packDir to a folder that all executors share"
            )
        results = [pickle.loads(found[number]) for number in self.numbers]
        for result in results:
            if isinstance(result, ValueError):
                raise ValueError(f"{name} failed: {result}") from None
        return results

    def _results(
        self, task: Callable[[_shards.Shard], Any], numbers: list[int], name: str
    ) -> dict[int, bytes]:
        """Run a task on some shards. Those that are on another machine than their task have no result."""
        if self._folder is not None:
            tasks = min(self._tasks, len(self._paths))
            source = self._spark.range(0, tasks, 1, tasks)
            return dict(
                _collected(source.mapInArrow(FileTask(task, self._paths, tasks), BLOCKS), name)
            )
        source = self._packed
        if len(numbers) < len(self.numbers):
            source = source.where(sf.col("shard").isin(numbers))
        return dict(_collected(source.mapInArrow(ShardTask(task), BLOCKS), name))

    def _pack_again(self) -> None:
        self._packed.unpersist(blocking=True)
        self._packed.persist()
        _collected(self._packed, "packing")

    def release(self) -> None:
        """Delete the packed shards."""
        self._packed.unpersist()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            return
        tasks = 4 * _parallelism(self._spark)
        deleted = self._spark.range(0, tasks, 1, tasks).mapInArrow(DeleteTask(self._run), BLOCKS)
        try:
            deleted.collect()
        except PySparkException:
            return  # a folder that is left goes with its executor


def _shards_for(df: DataFrame, columns: Columns) -> int:
    """Return the number of shards that follows from the rows, in one job that no Python takes part in."""
    if columns.shard is not None:
        counted = df.select(sf.max(column(columns.shard)), sf.lit(0))
        last = _rows(counted, "counting")[0][0]
        return 1 + max(0, last or 0)
    if columns.weight is not None:
        df = df.where(column(columns.weight) != 0)
    counted = df.select(sf.count(sf.lit(1)), sf.sum(columns.features.nonzero()))
    rows, values = _rows(counted, "counting")[0]
    return _shards.count_for(rows, values or 0)


def _classes(label: str, infos: list[dict[str, Any]]) -> NDArray[Any]:
    """Return all labels in sorted order."""
    kinds = {info["dtype"] for info in infos}
    values = {value for info in infos for value in info["classes"]}
    classes = np.array(sorted(values), dtype=str if kinds == {"U"} else None)
    if len(classes) < 2:
        only = classes.tolist()[0]
        problem = f"of the labels has one class, {only!r}"
        raise ColumnError(
            label, problem, "a classifier needs two; check the DataFrame and labelCol"
        )
    if classes.dtype.kind == "f" and (classes % 1 != 0).any():
        example = classes[classes % 1 != 0][0]
        problem = f"of the labels has fractions, such as {example}"
        raise ColumnError(label, problem, "is it the target of a regression? Cast classes to text")
    if len(classes) > 1000:
        hint = "is it the target of a regression? At most 1,000 classes are possible"
        raise ColumnError(label, f"of the labels has {len(classes)} classes", hint)
    return classes


def _parallelism(spark: SparkSession) -> int:
    try:
        return int(spark.sparkContext.defaultParallelism)
    except PySparkException:
        return 8  # Spark Connect does not say


def _local(path: str, parameter: str) -> str:
    """Return a path of the file system; raise `ValueError` for an address."""
    plain = path.removeprefix("file://")
    if "://" in plain or plain.startswith(("hdfs:", "s3:", "s3a:")):
        raise ValueError(
            f"{parameter} is {path!r}, expected a folder of the file system, such as a network share; "
            f"without {parameter}, the executors use their own storage"
        )
    return os.path.abspath(plain.removeprefix("file:"))


def _collected(df: DataFrame, name: str) -> list[tuple[int, bytes]]:
    """Return the blocks of a job."""
    return [(row[0], bytes(row[1])) for row in _rows(df, name)]


def _rows(df: DataFrame, name: str) -> list[Any]:
    """Return the rows of a job. A failure of Spark becomes one sentence, with the cause attached."""
    try:
        return df.collect()
    except PySparkException as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        raised = [line for line in lines if _is_python_error(line)]
        reason = raised[-1] if raised else (lines[0] if lines else type(error).__name__)
        is_other_python = any(sign in str(error) for sign in _OTHER_PYTHON)
        hint = f"; {_PYTHON_HINT}" if is_other_python else ""
        raise RuntimeError(f"the Spark job of {name} failed: {reason}{hint}") from error


# What Spark says where its workers run another Python than the driver.
_OTHER_PYTHON = ("ModuleNotFoundError: ", "PYTHON_VERSION_MISMATCH", "Cannot run program")

_PYTHON_HINT = (
    "the workers need a Python that has rosenblatt: install rosenblatt[spark] on each of them, and set PYSPARK_PYTHON "
    "to that Python before the session begins, on one machine with os.environ['PYSPARK_PYTHON'] = sys.executable"
)


def _is_python_error(line: str) -> bool:
    name, colon, _ = line.partition(": ")
    return bool(colon) and name.replace(".", "").isidentifier() and name.endswith("Error")


def _checkpoint_key(parts: Any) -> str:
    """Return a name for a run that follows from its parameters and shards."""
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).hexdigest()


class CheckpointFile:
    """The state of a run after each epoch, written whole or not at all."""

    def __init__(self, folder: str, key: Any) -> None:
        folder = _local(folder, "checkpointDir")
        os.makedirs(folder, exist_ok=True)
        self.path = os.path.join(folder, f"perceptron-{_checkpoint_key(key)}.checkpoint")

    def read(self) -> bytes | None:
        """Return the last state of this run, or None."""
        try:
            with open(self.path, "rb") as file:
                content = file.read()
        except FileNotFoundError:
            return None
        _arrays.from_bytes(content, self.path)
        return content

    def write(self, content: bytes) -> None:
        """Replace the state."""
        own = f"{self.path}.{uuid.uuid4().hex}"
        with open(own, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(own, self.path)

"""Packed shards on a cluster: written once, then visited by one job per epoch."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import pickle
import shutil
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyspark import StorageLevel
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from .. import _arrays, _shards
from ._columns import BLOCKS, ColumnError, Columns, SplitTask, blocks

# Spark passes a shard as one value, which has at most 2³¹ bytes.
_LARGEST_SHARD = 1 << 30


@dataclass(frozen=True)
class PackTask:
    """Joins the pieces of each shard, which follow one another, into one packed shard.

    A packed shard is ``{"info": JSON}`` with its bytes, or with their place in a folder that all executors share.
    """

    folder: str | None

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Convert batches."""
        number, pieces = -1, []
        for batch in batches:
            for shard, data in zip(*(each.to_pylist() for each in batch.columns), strict=True):
                if shard == -1:
                    yield blocks([(-1, data)])
                    continue
                if shard != number and pieces:
                    yield blocks([self._packed(number, pieces)])
                    pieces = []
                number = shard
                pieces.append(data)
        if pieces:
            yield blocks([self._packed(number, pieces)])

    def _packed(self, number: int, pieces: list[bytes]) -> tuple[int, bytes]:
        parts = [_shards.Shard.from_bytes(piece) for piece in pieces]
        widths = sorted({part.features for part in parts})
        if len(widths) > 1:
            return number, _with_info({"number": number, "features": widths})
        shard = _shards.merged(parts)
        data = shard.to_bytes()
        info = {
            "number": number,
            "rows": len(shard),
            "features": widths,
            "classes": shard.classes.tolist(),
            "dtype": shard.classes.dtype.kind,
            "digest": shard.digest(),
            "bytes": len(data),
        }
        if len(data) > _LARGEST_SHARD:
            return number, _with_info(info)
        if self.folder is None:
            return number, _with_info(info, data)
        return number, _with_info({**info, "path": self._written(shard.number, data)})

    def _written(self, number: int, data: bytes) -> str:
        """Write a file whole or not at all: another attempt of this task may write it as well."""
        folder = self.folder or ""
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, f"shard-{number:06d}")
        own = f"{path}.{uuid.uuid4().hex}"
        with open(own, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(own, path)
        return path


def _with_info(info: dict[str, Any], data: bytes = b"") -> bytes:
    """Return the packed shard with its description before it. The data begin at a multiple of 64 bytes."""
    head = json.dumps(info).encode()
    head += b" " * (-(len(head) + 8) % 64)
    return b"".join([len(head).to_bytes(8, "little"), head, data])


def _info(packed: bytes) -> dict[str, Any]:
    length = int.from_bytes(packed[:8], "little")
    return dict(json.loads(packed[8 : 8 + length]))


@dataclass(frozen=True)
class InfoTask:
    """Returns the descriptions of packed shards, without their rows."""

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Convert batches."""
        for batch in batches:
            for number, data in zip(*batch.columns, strict=True):
                view = memoryview(data.as_buffer())
                length = 8 + int.from_bytes(view[:8], "little")
                short = view if number.as_py() == -1 else view[:length]
                yield blocks([(number.as_py(), bytes(short))])


@dataclass(frozen=True)
class ShardTask:
    """Runs a task on packed shards. With `paths`, each row is the number of a task that owns some of the files."""

    task: Callable[[_shards.Shard], Any]
    paths: list[str] = field(default_factory=list)
    tasks: int = 1

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Convert batches."""
        for batch in batches:
            if self.paths:
                for part in batch.column(0).to_pylist():
                    for path in self.paths[part :: self.tasks]:
                        yield self._result(_shard_of_file(path))
                continue
            for data in batch.column(1):
                view = memoryview(data.as_buffer())
                start = 8 + int.from_bytes(view[:8], "little")
                yield self._result(_shards.Shard.from_bytes(view[start:], check=False))

    def _result(self, shard: _shards.Shard) -> pa.RecordBatch:
        try:
            result = self.task(shard)
        except ValueError as error:
            result = error
        return blocks([(shard.number, pickle.dumps(result))])


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

    features, rows : int
        The numbers of features and rows.

    digests : list of str
        The digest of each shard, by its number.
    """

    def __init__(
        self,
        df: DataFrame,
        columns: Columns,
        shards: int,
        *,
        tasks: int | None = None,
        pack_dir: str | None = None,
    ) -> None:
        self._spark: SparkSession = df.sparkSession
        self._columns, self._shards = columns, shards
        self._tasks = min(shards, tasks or 2 * _parallelism(self._spark))
        self._folder = None if pack_dir is None else _local(pack_dir, "packDir")
        if self._folder is not None:
            self._folder = os.path.join(self._folder, f"rosenblatt-{uuid.uuid4().hex}")
        pieces = df.select(*columns.selected(df.schema))
        pieces = pieces.mapInArrow(SplitTask(columns, shards), BLOCKS)
        owner = sf.when(sf.col("shard") < 0, 0).otherwise(sf.col("shard") % self._tasks)
        ordered = pieces.repartitionById(self._tasks, owner).sortWithinPartitions("shard")
        self._packed = ordered.mapInArrow(PackTask(self._folder), BLOCKS)
        if self._folder is None:
            self._packed = self._packed.persist(StorageLevel.DISK_ONLY)
        try:
            self._describe()
        except BaseException:
            self.release()
            raise

    def _describe(self) -> None:
        found = _collected(self._packed.mapInArrow(InfoTask(), BLOCKS), "packing")
        problems = sorted({ast.literal_eval(data.decode()) for shard, data in found if shard < 0})
        if problems:
            raise ColumnError(*problems[0])
        infos = sorted((_info(data) for shard, data in found), key=lambda info: info["number"])
        self._check(infos)
        self.features = infos[0]["features"][0]
        self.rows = sum(info["rows"] for info in infos)
        self.numbers = [info["number"] for info in infos]
        self.digests = [info["digest"] for info in infos]
        self.bytes = sum(info["bytes"] for info in infos)
        self._paths = [info["path"] for info in infos if "path" in info]

    def _check(self, infos: list[dict[str, Any]]) -> None:
        names, columns = self._columns.features.names, self._columns
        if not infos:
            hint = "check the DataFrame and its filters, and weightCol if there is one"
            raise ColumnError(columns.label, "has no rows to learn from", hint)
        widths = sorted({width for info in infos for width in info["features"]})
        if len(widths) > 1:
            problem = f"has rows of different lengths, such as {widths[0]} and {widths[-1]}"
            raise ColumnError(names[0], problem, "all rows need the same number of features")
        large = [info for info in infos if info["bytes"] > _LARGEST_SHARD]
        if large:
            size = large[0]["bytes"] / (1 << 30)
            problem = f"gives a shard of {size:.1f} GiB, the limit is 1 GiB"
            raise ColumnError(names[0], problem, f"raise shards, which is {self._shards}")
        self.classes = _classes(columns.label, infos)
        rows = sum(info["rows"] for info in infos)
        if rows < self._shards:
            raise ValueError(
                f"shards is {self._shards}, but there are only {rows} rows; "
                f"set shards to at most {rows}, and for so few rows use rosenblatt.Perceptron"
            )
        if columns.shard is not None and len(infos) < self._shards:
            empty = sorted(set(range(self._shards)) - {info["number"] for info in infos})
            problem = f"has no rows of shard {empty[0]}, and shards is {self._shards}"
            raise ColumnError(columns.shard, problem, "number the shards from 0 without gaps")

    def run(self, task: Callable[[_shards.Shard], Any], name: str) -> list[Any]:
        """Run a task on every shard in one job; return the results by the numbers of the shards."""
        if self._paths:
            tasks = min(self._tasks, len(self._paths))
            source = self._spark.range(0, tasks, 1, tasks)
            work = ShardTask(task, self._paths, tasks)
        else:
            source, work = self._packed, ShardTask(task)
        found = dict(_collected(source.mapInArrow(work, BLOCKS), name))
        results = [pickle.loads(found[number]) for number in self.numbers]
        for result in results:
            if isinstance(result, ValueError):
                raise ValueError(f"{name} failed: {result}") from None
        return results

    def release(self) -> None:
        """Delete the packed shards."""
        if self._folder is None:
            self._packed.unpersist()
        else:
            shutil.rmtree(self._folder, ignore_errors=True)


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
    """Return the blocks of a job. A failure of Spark becomes one sentence, with the cause attached."""
    try:
        return [(row[0], bytes(row[1])) for row in df.collect()]
    except PySparkException as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        raised = [line for line in lines if _is_python_error(line)]
        reason = raised[-1] if raised else (lines[0] if lines else type(error).__name__)
        raise RuntimeError(f"the Spark job of {name} failed: {reason}") from error


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

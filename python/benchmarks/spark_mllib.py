"""`rosenblatt.spark` beside MLlib on a standalone cluster of two workers: time, CPU time, memory and accuracy.

    python benchmarks/spark_mllib.py [--rows 5000000] [--features 28] [--scale auto] [--folder FOLDER]

It needs `rosenblatt[spark]` as a release build, psutil and Java. The rows are normally distributed; a hyperplane gives
the labels, of which a tenth is wrong. 100,000 further rows measure accuracy. CPU time is that of all processes of the
cluster and the driver. Memory is the largest proportional set size of an executor with its Python
processes, sampled every second.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "spark"))
from cluster import Cluster, build, stop
from pyspark.ml.classification import LinearSVC, LogisticRegression
from pyspark.ml.feature import VectorAssembler

from rosenblatt.spark import PerceptronClassifier

HELD_OUT = 100_000


def write(folder: Path, rows: int, features: int) -> None:
    """Files of at most 500,000 rows in `folder/train`, and the rows that measure accuracy in `folder/test`."""
    random = np.random.default_rng(0)
    weights, bias = random.normal(size=features), random.normal()
    names = [f"x{j}" for j in range(features)]

    def part(path: Path, size: int, wrong: float) -> None:
        X = random.normal(size=(size, features))
        is_positive = (X @ weights + bias > 0) ^ (random.random(size) < wrong)
        columns = [*X.T, is_positive.astype(float)]
        pq.write_table(pa.table(dict(zip([*names, "label"], columns, strict=True))), path)

    for name in ["train", "test"]:
        (folder / name).mkdir(parents=True)
    for number, first in enumerate(range(0, rows, 500_000)):
        path = folder / "train" / f"{number:03}.parquet"
        part(path, min(500_000, rows - first), 0.1)
    part(folder / "test" / "0.parquet", HELD_OUT, 0.1)


class Meter:
    """The processes of a cluster and this one: their CPU time, and the memory of an executor."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster, self.peak, self.is_over = cluster, 0, False
        threading.Thread(target=self._watch, daemon=True).start()

    def cpu(self) -> float:
        """Seconds so far; those of a process that ended are with its parent."""
        roots = [psutil.Process(), *(psutil.Process(each.pid) for each in self.cluster.processes)]
        processes = {each for root in roots for each in [root, *root.children(recursive=True)]}
        seconds = 0.0
        for process in processes:
            try:
                seconds += sum(process.cpu_times()[:4])
            except psutil.NoSuchProcess:
                continue
        return seconds

    def _watch(self) -> None:
        while not self.is_over:
            for number in self.cluster.executors():
                try:
                    executor = psutil.Process(number)
                    processes = [executor, *executor.children(recursive=True)]
                    pss = sum(each.memory_full_info().pss for each in processes)
                except psutil.Error:
                    continue
                self.peak = max(self.peak, pss)
            time.sleep(1)


def measured(name: str, estimator, meter: Meter, train, test) -> tuple[float, float]:
    """Fit, print a line of the table, and give the seconds of clock and CPU."""
    meter.peak, clock, cpu = 0, time.perf_counter(), meter.cpu()
    model = estimator.fit(train)
    clock, cpu = time.perf_counter() - clock, meter.cpu() - cpu
    peak = meter.peak / 2**20
    right = model.transform(test).where("prediction = label").count() / HELD_OUT
    print(f"| {name} | {clock:.1f} s | {cpu:.1f} s | {peak:.0f} MiB | {right:.2%} |", flush=True)
    return clock, cpu


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--features", type=int, default=28)
    parser.add_argument("--scale", default="auto")
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        data = options.folder or Path(place) / "data"
        if not data.exists():
            write(data, options.rows, options.features)
        cluster = Cluster(Path(place), memory="4g")
        memory = {
            "spark.executor.memory": "3g",
            "spark.cores.max": "2",
            "spark.driver.memory": "2g",
        }
        meter = Meter(cluster)
        print("| | clock | CPU | memory of an executor | accuracy |\n|---|---|---|---|---|")
        try:
            for contender in [perceptron, LinearSVC, LogisticRegression]:
                run(contender, build(cluster.master, **memory), meter, data, options.scale)
                stop()  # the next has executors of its own
        finally:
            cluster.stop()


def run(contender, spark, meter: Meter, data: Path, scale: str) -> None:
    """The lines of a contender, after a run that is not measured: Spark compiles while it runs."""
    train, test = (spark.read.parquet(str(data / name)) for name in ["train", "test"])
    if contender is perceptron:
        contender(1, train, scale).fit(test)
        perceptron_lines(meter, train, test, scale)
        return
    assembler = VectorAssembler(inputCols=train.columns[:-1], outputCol="features")
    train, test = assembler.transform(train), assembler.transform(test)
    contender(maxIter=5).fit(test)
    for iterations in [5, 20, 100]:
        name = f"`{contender.__name__}`, at most {iterations} iterations"
        measured(name, contender(maxIter=iterations), meter, train, test)


def perceptron(epochs: int | None, train, scale: str) -> PerceptronClassifier:
    columns = {"featuresCols": train.columns[:-1], "labelCol": "label"}
    return PerceptronClassifier(**columns, maxIter=epochs, scale=scale)


def perceptron_lines(meter: Meter, train, test, scale: str) -> None:
    """Packing and an epoch from two runs, because a run does not measure itself.

    The statistics of the features are in the time of packing.
    """
    first, last, _ = (
        measured(
            f"`PerceptronClassifier`, {title}",
            perceptron(epochs, train, scale),
            meter,
            train,
            test,
        )
        for epochs, title in [(1, "one epoch"), (41, "41 epochs"), (None, "default end")]
    )
    epoch = [(b - a) / 40 for a, b in zip(first, last, strict=True)]
    packing = [a - b for a, b in zip(first, epoch, strict=True)]
    for title, (clock, cpu) in [("packing", packing), ("an epoch", epoch)]:
        print(f"| of which {title} | {clock:.2f} s | {cpu:.2f} s | | |", flush=True)


if __name__ == "__main__":
    main()

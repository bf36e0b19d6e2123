"""A standalone cluster of a master and two workers learns the model of one process."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest
from pyspark.ml.linalg import Vectors

from rosenblatt.mixing import fit_shards, split
from rosenblatt.spark import PerceptronClassifier, _packing, separable

from .conftest import noisy
from .test_classifier import NAMES, assert_same, table


def test_dense_sparse_and_ten_classes(on_cluster):
    X, y = noisy()
    native = fit_shards(split(X, y, 8), max_iter=2)
    scrambled = np.random.default_rng(3).permutation(len(y))
    df = table(on_cluster, X[scrambled], y[scrambled]).repartition(5)
    estimator = PerceptronClassifier(featuresCols=NAMES, shards=8, maxIter=2)
    assert_same(estimator.fit(df), native)
    rows = [
        (Vectors.sparse(5, np.flatnonzero(row), row[row != 0]), int(label))
        for row, label in zip(X, y, strict=True)
    ]
    sparse = on_cluster.createDataFrame(rows, ["features", "label"])
    assert_same(PerceptronClassifier(shards=8, maxIter=2, tasks=3).fit(sparse), native)
    X, y = noisy(classes=10)
    ten = PerceptronClassifier(featuresCols=NAMES, shards=8, maxIter=1)
    assert_same(ten.fit(table(on_cluster, X, y)), fit_shards(split(X, y, 8), max_iter=1))


@pytest.mark.parametrize("is_shared", [True, False])
def test_an_executor_that_is_killed(cluster, on_cluster, monkeypatch, tmp_path, is_shared):
    """The executor dies after the first epoch, with its packed shards if they are in its own storage."""
    X, y = noisy(rows=2000)
    df = table(on_cluster, X, y)
    before, killed = [], []
    run = _packing.PackedShards.run

    def after_an_epoch(self, task, name):
        found = run(self, task, name)
        if name == "epoch 1":
            before.extend(cluster.executors())
            killed.append(before[0])
            os.kill(killed[0], signal.SIGKILL)
        return found

    monkeypatch.setattr(_packing.PackedShards, "run", after_an_epoch)
    folder = {"packDir": str(tmp_path)} if is_shared else {}
    estimator = PerceptronClassifier(featuresCols=NAMES, shards=8, maxIter=3, **folder)
    assert_same(estimator.fit(df), fit_shards(split(X, y, 8), max_iter=3))
    assert len(before) == 2
    assert killed[0] not in cluster.executors()


def test_an_executor_that_is_killed_within_a_job(cluster, on_cluster):
    X, y = noisy(rows=2000)
    df = table(on_cluster, X, y)
    finished = threading.Event()
    killed = []

    def kill():
        tracker = on_cluster.sparkContext.statusTracker()
        while not finished.is_set():
            running = cluster.executors()
            if running and tracker.getActiveJobsIds():
                os.kill(running[0], signal.SIGKILL)
                killed.append(running[0])
                return
            time.sleep(0.02)

    killer = threading.Thread(target=kill)
    killer.start()
    model = PerceptronClassifier(featuresCols=NAMES, shards=8, maxIter=3).fit(df)
    finished.set()
    killer.join()
    assert killed
    assert_same(model, fit_shards(split(X, y, 8), max_iter=3))


def test_separable(on_cluster):
    X, y = noisy(rows=300)
    found = separable(table(on_cluster, X, y), featuresCols=NAMES, shards=4)
    assert (found.separable, found.verified) == ("no", True)

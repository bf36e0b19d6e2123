"""Sessions of Spark: one in this process, and one on a standalone cluster."""

from __future__ import annotations

import numpy as np
import pytest

from .cluster import Cluster, build, stop


@pytest.fixture(scope="module")
def spark():
    """Spark with two threads. A process can have one session, so each module has its own."""
    stop()
    yield build("local[2]")
    stop()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A cluster of its own for a module of tests."""
    stop()
    started = Cluster(tmp_path_factory.mktemp("cluster"))
    yield started
    stop()
    started.stop()


@pytest.fixture(scope="module")
def on_cluster(cluster):
    """A session on the cluster."""
    return build(cluster.master, **{"spark.executor.memory": "512m", "spark.cores.max": "2"})


def noisy(rows: int = 600, features: int = 5, seed: int = 1, classes: int = 2):
    """Rows of numbers that need rounding, with labels of which a tenth is wrong."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, features))
    X[random.random(X.shape) < 0.3] = 0.0
    weights = random.normal(size=(features, classes))
    y = np.argmax(X @ weights + random.normal(size=classes) / 10, axis=1)
    wrong = random.random(rows) < 0.1
    y[wrong] = random.integers(0, classes, wrong.sum())
    return X, y

"""Packed shards in the storage of executors: found, lost, packed again, deleted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rosenblatt.mixing import fit_shards, split
from rosenblatt.spark import PerceptronClassifier, _packing

from .conftest import noisy
from .test_classifier import NAMES, assert_same, table


def estimator() -> PerceptronClassifier:
    return PerceptronClassifier(featuresCols=NAMES, shards=8, maxIter=3)


@pytest.fixture
def runs(monkeypatch):
    """Each run of a task on the shards: the packed shards before it."""
    seen = []
    run = _packing.PackedShards.run

    def watched(self, task, name):
        seen.append(self)
        return run(self, task, name)

    monkeypatch.setattr(_packing.PackedShards, "run", watched)
    return seen


def test_the_files_are_deleted_at_the_end(spark, runs):
    X, y = noisy()
    estimator().fit(table(spark, X, y))
    paths = runs[0]._paths
    assert len(paths) == 8
    assert not any(Path(path).parent.exists() for path in paths)


@pytest.mark.parametrize("lost", [slice(None), slice(0, 8, 2)])
def test_lost_files_are_packed_again(spark, monkeypatch, lost):
    X, y = noisy()
    names = []
    run = _packing.PackedShards.run

    def after_an_epoch(self, task, name):
        found = run(self, task, name)
        if name == "epoch 1":
            for path in self._paths[lost]:
                os.remove(path)
        names.append(name)
        return found

    monkeypatch.setattr(_packing.PackedShards, "run", after_an_epoch)
    assert_same(estimator().fit(table(spark, X, y)), fit_shards(split(X, y, 8), max_iter=3))
    epochs = [f"epoch {number}" for number in (1, 2, 3)]
    assert names == ["the statistics of the features", *epochs, "the evaluation"]


def test_files_that_no_task_finds(spark, monkeypatch):
    X, y = noisy()
    monkeypatch.setattr(_packing.PackedShards, "_results", lambda *_: {})
    with pytest.raises(
        RuntimeError, match="features does not run where .* set packDir to a folder"
    ):
        estimator().fit(table(spark, X, y))

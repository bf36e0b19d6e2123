"""The search on Spark has the answer of the search in memory, and proofs for the plain file."""

from __future__ import annotations

import json
import os
import subprocess

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

import rosenblatt
from rosenblatt.spark import separable

from .test_classifier import table, vectors


def lines(path, X, y):
    """Write a plain CSV file without a header, the label last."""
    rows = (
        ",".join([*map(repr, map(float, row)), f"c{int(label)}"])
        for row, label in zip(X, y, strict=True)
    )
    path.write_text("\n".join(rows) + "\n")


def verified_by_command(tmp_path, X, y, certificate, bias="unit") -> bool:
    command = os.environ.get("ROSENBLATT_COMMAND")
    if command is None:
        return bool(rosenblatt.verify(certificate, X, y, bias=bias))
    lines(tmp_path / "rows.csv", X, y)
    (tmp_path / "certificate.json").write_text(json.dumps(certificate))
    words = [command, "separable", "rows.csv", "--no-header", "--bias", bias, "--json"]
    words += ["--verify", "certificate.json"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout, done.stderr
    return bool(json.loads(done.stdout)["verified"])


@pytest.mark.parametrize("bias", ["unit", "none"])
def test_separable_rows_have_the_margin_of_one_call(spark, tmp_path, bias):
    X, y = load_iris(return_X_y=True)
    y = (y == 0).astype(int)
    here = rosenblatt.separable(X, y, bias=bias)
    found = separable(vectors(spark, X, y, is_sparse=True), shards=4, rowsPerShard=3, bias=bias)
    assert found
    assert found.margin["lower"] == pytest.approx(here.margin["lower"], rel=1e-6)
    assert found.margin["upper"] >= here.margin["lower"]
    assert found.bound == pytest.approx(here.bound, rel=1e-5)
    assert found.radius == here.radius
    assert found.verify(X, y)
    with pytest.raises(ValueError, match=r"the answer does not have the rows .* verify\(X, y\)"):
        found.verify()
    assert verified_by_command(tmp_path, X, y, found.certificate, bias)


@pytest.mark.parametrize("rows", [569, 400])
def test_real_rows(spark, tmp_path, rows):
    X, y = load_breast_cancer(return_X_y=True)
    X, y = X[:rows, :5], y[:rows]
    here = rosenblatt.separable(X, y)
    df = table(spark, X, y, id=np.arange(1, rows + 1))
    found = separable(df, featuresCols=list("abcde"), shards=4, idCol="id")
    assert (found.separable, found.verified) == (here.separable, True)
    assert found.separable == "no"
    assert len(found.ids) <= X.shape[1] + 2
    assert found.verify()
    assert not found.verify(found.X, found.y ^ (np.arange(len(found.ids)) == 0))
    assert verified_by_command(tmp_path, X, y, found.certificate)
    assert np.array_equal(found.X, X[found.ids - 1])


def test_a_contradiction(spark):
    X = np.arange(40.0).reshape(20, 2)
    X[7] = X[13]
    y = (np.arange(20) > 10).astype(int)
    df = table(spark, X, y, id=np.arange(1, 21))
    found = separable(df, featuresCols=["a", "b"], shards=2, idCol="id")
    assert (found.separable, found.jobs, found.ids.tolist()) == ("no", 1, [8, 14])
    assert rosenblatt.verify(found.certificate, X, y)
    plain = separable(df, featuresCols=["a", "b"], shards=2)
    assert plain.ids is None
    assert plain.verify()
    assert rosenblatt.verify(plain.certificate, plain.X, plain.y)


def test_the_numbers_of_the_rows_are_no_weights(spark):
    X, y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), [0, 1, 1, 0]
    for shards in (1, 2, 4):
        df = table(spark, X, y, id=np.arange(1, 5))
        found = separable(df, featuresCols=["a", "b"], shards=shards, idCol="id")
        assert (found.separable, found.ids.tolist()) == ("no", [1, 2, 3, 4])
        assert rosenblatt.verify(found.certificate, X, y)
    for ids, problem in (
        ([0, 1, 2, 3], "column 'id' of idCol has numbers below 1; number the rows from 1"),
        ([1.0, 2.0, 3.0, 4.5], "column 'id' of idCol has the type double"),
    ):
        with pytest.raises(ValueError, match=problem):
            separable(table(spark, X, y, id=ids), featuresCols=["a", "b"], shards=2, idCol="id")
    with pytest.raises(ValueError, match="idCol has equal numbers for several rows"):
        separable(table(spark, X, y, id=[5] * 4), featuresCols=["a", "b"], shards=2, idCol="id")


def test_errors(spark):
    X, y = load_iris(return_X_y=True)
    df = table(spark, X, y)
    with pytest.raises(ValueError, match="a hyperplane separates two classes, the labels have 3"):
        separable(df, featuresCols=list("abcd"), shards=2)
    with pytest.raises(ValueError, match="positive is 9, which is not one of the labels"):
        separable(df, featuresCols=list("abcd"), shards=2, positive=9)
    with pytest.raises(ValueError, match="bias is 'radius', expected 'unit' or 'none'"):
        separable(df, featuresCols=list("abcd"), bias="radius")

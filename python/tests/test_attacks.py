"""Hostile input: arrays that change, numbers out of range, odd tables."""

from __future__ import annotations

import datetime

import numpy as np
import pyarrow as pa
import pytest
from scipy import sparse

from rosenblatt import KernelPerceptron, Perceptron, VotedPerceptron

X = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
Y = np.array([0, 0, 0, 1])
HUGE = 10**400


@pytest.mark.parametrize("kind", [Perceptron, KernelPerceptron, VotedPerceptron])
def test_more_features_than_memory_holds(kind):
    wide = sparse.csr_matrix(([1.0, 2.0], ([0, 1], [0, 2**31 - 2])), shape=(2, 2**31 - 1))
    with pytest.raises(ValueError, match="the limit is"):
        kind().fit(wide, [0, 1])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("eta0", HUGE),
        ("max_iter", 10**30),
        ("max_mistakes", 10**30),
        ("n_iter_no_change", 10**30),
        ("class_weight", {0: HUGE}),
        ("random_state", True),
    ],
)
def test_numbers_past_every_range_are_named(name, value):
    with pytest.raises(ValueError, match=name):
        Perceptron(**{name: value}).fit(X, Y)


def test_any_number_of_threads():
    assert KernelPerceptron(n_jobs=10**30).fit(X, Y).score(X, Y) == 1


def test_a_share_that_leaves_nothing_is_named():
    model = Perceptron(keep="last", early_stopping=True, validation_fraction=0.999999)
    with pytest.raises(
        ValueError, match="validation_fraction=0.999999: there are 2 examples, too few"
    ):
        model.fit(X[:2], [0, 1])


def test_complex_weights_are_refused():
    with pytest.raises(ValueError, match="complex"):
        Perceptron(keep="last").fit(X, Y, sample_weight=np.array([1j, 1, 1, 1]))


def test_parts_of_a_csr_matrix_may_have_gaps():
    whole = sparse.csr_matrix(X)
    gaps = sparse.csr_matrix(X)
    gaps.data = np.repeat(whole.data, 2)[::2]
    gaps.indices = np.repeat(whole.indices, 2)[::2]
    assert not gaps.data.flags.c_contiguous
    assert (
        Perceptron(keep="last").fit(gaps, Y).coef_.tolist()
        == Perceptron(keep="last").fit(whole, Y).coef_.tolist()
    )


def test_a_stream_of_record_batches_is_a_table():
    table = pa.table({"a": X[:, 0], "b": X[:, 1]})
    model = Perceptron(keep="last").fit(table.to_reader(), Y)
    assert model.coef_.tolist() == Perceptron(keep="last").fit(X, Y).coef_.tolist()
    assert model.n_features_in_ == 2


def test_labels_that_a_file_cannot_hold(tmp_path):
    days = np.array([datetime.date(2020, 1, 1 + i) for i in Y], dtype="datetime64[D]")
    model = Perceptron(keep="last").fit(X, days)
    assert model.score(X, days) == 1
    with pytest.raises(ValueError, match="datetime64"):
        model.save(tmp_path / "model")


def test_one_mistake_remains():
    with pytest.warns(UserWarning, match="1 mistake remains in epoch 8"):
        Perceptron(keep="last", shuffle=False, max_iter=8).fit(X, Y)

"""Several classes that are learned together."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from conftest import plain
from scipy import sparse
from sklearn.datasets import load_iris

from rosenblatt import Perceptron, load

X, Y = load_iris(return_X_y=True)


def joint(**parameters):
    return Perceptron(classes="joint", max_iter=10, **parameters).fit(X, Y)


def test_a_mistake_moves_two_hyperplanes():
    model = plain(classes="joint", keep="last", max_iter=1, order="given", shuffle=False)
    model.fit([[1.0, 2.0], [0.0, 1.0], [3.0, 0.0]], ["a", "b", "c"])
    # x₁ is a mistake with the rival b: (1, 2, 1) and (-1, -2, -1). x₂ has the scores 3, -3 and 0, so b and a move.
    # x₃ has the scores 3, -3 and 0, so c and a move.
    assert model.coef_.tolist() == [[-2.0, 1.0], [-1.0, -1.0], [3.0, 0.0]]
    assert model.intercept_.tolist() == [-1.0, 0.0, 1.0]
    assert model.n_updates_ == 3


def test_joint_learning_separates_what_one_vs_rest_cannot():
    line, classes = np.array([[-2.0], [-1.0], [0.0], [0.5], [2.0], [3.0]]), [0, 0, 1, 1, 2, 2]
    model = Perceptron(classes="joint", keep="last", max_iter=1000).fit(line, classes)
    assert model.predict(line).tolist() == classes
    assert model.n_updates_ <= model.report_["novikoff_bound"]
    with pytest.warns(UserWarning, match="mistake"):
        Perceptron(keep="last", max_iter=50).fit(line, classes)


def test_layouts_streams_and_copies_agree(tmp_path):
    model = joint()
    assert np.array_equal(joint().fit(sparse.csr_matrix(X), Y).coef_, model.coef_)
    copy = pickle.loads(pickle.dumps(model))
    assert np.array_equal(copy.predict(X), model.predict(X))
    model.save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    assert loaded.classes == "joint"
    assert np.array_equal(loaded.predict(X), model.predict(X))
    one = plain(classes="joint", max_iter=1, order="given", shuffle=False)
    stream = plain(classes="joint", order="given", shuffle=False)
    for part in range(3):
        stream.partial_fit(X[part::3], Y[part::3], classes=[0, 1, 2])
    rows = np.concatenate([np.arange(150)[part::3] for part in range(3)])
    assert np.array_equal(stream.coef_, one.fit(X[rows], Y[rows]).coef_)


@pytest.mark.parametrize(
    "parameters", [{"kernel": "poly:2"}, {"keep": "vote"}, {"keep": "pocket"}, {"tol": 1e-3}]
)
def test_what_does_not_fit_is_an_error(parameters):
    with pytest.raises(
        ValueError,
        match="together have no|classes='joint' and tol=0.001 exclude one another: leave out tol",
    ):
        joint(**parameters)

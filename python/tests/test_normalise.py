"""The parameter `normalise`: numbers by hand, the command, and everything that keeps or uses such a model."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import onnxruntime
import pandas as pd
import pytest
from conftest import ROOT
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.preprocessing import normalize

from rosenblatt import KernelPerceptron, Perceptron, VotedPerceptron, load, read_csv

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

IRIS = load_iris(return_X_y=True)
LENGTHS = ["l2", "l1", "max"]
MODELS = [
    Perceptron(max_iter=5),
    Perceptron(max_iter=50, early_stopping=True),
    KernelPerceptron("rbf:0.5", max_iter=3),
    VotedPerceptron(max_iter=2),
]


def test_by_hand():
    # Divided by their lengths 5 and 10, the rows are (3/5, 4/5) and (−3/5, 4/5). The first one is a mistake: w = (3/5,
    # 4/5), b = 1. The second one has the score 7/25 + 1 and is negative: w = (6/5, 0), b = 0.
    model = Perceptron(keep="last", order="given", max_iter=1, normalise="l2")
    model.fit([[3.0, 4.0], [-6.0, 8.0]], [1, 0])
    assert model.coef_.tolist() == [[0.6 + 0.6, 0.0]]
    assert model.intercept_.tolist() == [0.0]
    scores = model.decision_function([[3.0, 4.0], [30.0, 40.0], [0.0, 0.0]])
    assert scores[0] == scores[1]
    assert scores[2] == 0.0


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("model", MODELS)
def test_it_is_learning_from_divided_rows(length, model):
    X, y = IRIS
    ours = clone(model).set_params(normalise=length).fit(X, y)
    divided = normalize(X, norm=length)
    theirs = clone(model).set_params(scale=None).fit(divided, y)
    # scikit-learn rounds the lengths in its own order.
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(divided))
    forms = [X, sparse.csr_matrix(X)]
    scores = {clone(ours).fit(form, y).decision_function(form).tobytes() for form in forms}
    assert len(scores) == 1


@pytest.mark.parametrize("length", LENGTHS)
def test_the_command_makes_the_same_model(run, tmp_path, length):
    data = ROOT / "data" / "iris.csv"
    words = ["--epochs", "5", "--normalise", length, "--scale", "maxabs"]
    told = json.loads(run("train", data, *words, "--json", "-o", "model"))
    assert told["normalise"] == length
    rows = read_csv(data)
    X = pd.DataFrame(rows.X, columns=rows.feature_names)
    model = Perceptron(max_iter=5, normalise=length, scale="maxabs").fit(X, rows.y)
    theirs = load(tmp_path / "model")
    assert (theirs.normalise, theirs.scale) == (length, "maxabs")
    assert model.coef_.tobytes() == theirs.coef_.tobytes()
    scores = model.decision_function(X)
    assert scores.tobytes() == theirs.decision_function(X).tobytes()
    model.save(tmp_path / "ours")
    assert load(tmp_path / "ours").decision_function(X).tobytes() == scores.tobytes()


@pytest.mark.parametrize("model", MODELS)
def test_copies_are_the_model(tmp_path, model):
    X, y = IRIS
    model = clone(model).set_params(normalise="l2").fit(X, y)
    model.save(tmp_path / "model")
    copies = [pickle.loads(pickle.dumps(model)), copy.deepcopy(model), load(tmp_path / "model")]
    for other in copies:
        assert other.normalise == "l2"
        assert other.decision_function(X).tobytes() == model.decision_function(X).tobytes()


def test_changed_weights_are_still_those_of_normalised_rows():
    X, y = IRIS
    model = Perceptron(max_iter=5, normalise="l2").fit(X, y == 0)
    before = model.decision_function(X)
    model.coef_ = model.coef_ * 2
    model.intercept_ = model.intercept_ * 2
    assert model.decision_function(X).tolist() == (2 * before).tolist()
    other = pickle.loads(pickle.dumps(model))
    assert other.decision_function(X).tolist() == (2 * before).tolist()


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("scale", [None, "standard"])
def test_onnx_normalises(length, scale):
    X, y = IRIS[0].astype(np.float32), IRIS[1]
    model = Perceptron(max_iter=20, normalise=length, scale=scale).fit(X, y)
    X = np.vstack([X, np.zeros((1, 4), dtype=np.float32)])
    session = onnxruntime.InferenceSession(model.to_onnx(), providers=["CPUExecutionProvider"])
    labels, scores = session.run(["label", "scores"], {"X": X})
    assert labels.tolist() == model.predict(X).tolist()
    np.testing.assert_allclose(scores, model.decision_function(X), rtol=1e-5, atol=1e-5)


def test_what_is_wrong_is_said():
    X, y = IRIS
    with pytest.raises(ValueError, match="one of None, 'l2', 'l1', 'max'"):
        Perceptron(normalise="l3").fit(X, y)
    with pytest.raises(
        AttributeError, match="no attribute 'partial_fit': normalise='l2' is for fit"
    ):
        Perceptron(normalise="l2").partial_fit(X, y, classes=[0, 1, 2])
    with pytest.raises(ValueError, match="the length of row 2 is past the range"):
        Perceptron(normalise="l1").fit([[1.0, 1.0], [1.5e308, 1.5e308]], [0, 1])


def test_a_second_order_rule_stays_for_all_batches():
    X, y = IRIS
    model = Perceptron(update="arow:1").partial_fit(X, y, classes=[0, 1, 2])
    with pytest.raises(ValueError, match="update was 'arow:1' and is 'perceptron'"):
        model.set_params(update="perceptron").partial_fit(X, y)

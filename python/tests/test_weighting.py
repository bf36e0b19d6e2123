"""The parameter `weighting`: numbers by hand, scikit-learn's TfidfTransformer, and copies of such models."""

from __future__ import annotations

import copy
import json
import pickle
from fractions import Fraction

import numpy as np
import onnxruntime
import pandas as pd
import pytest
from conftest import ROOT, plain
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer

from rosenblatt import KernelPerceptron, Perceptron, VotedPerceptron, load, read_csv

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

COUNTS, DIGITS = load_digits(return_X_y=True)
COUNTS, DIGITS = COUNTS[:300], DIGITS[:300]
SHARES = 1 / np.arange(1, 61) / (1 / np.arange(1, 61)).sum()
WEIGHTINGS = ["binary", "log", "tfidf"]
MODELS = [
    Perceptron(max_iter=5),
    Perceptron(max_iter=5, normalise="l2"),
    KernelPerceptron("rbf:0.01", max_iter=3),
    VotedPerceptron(max_iter=2),
]


def weighted(weighting, X):
    if weighting == "binary":
        return (X > 0).astype(float)
    if weighting == "log":
        return np.where(X > 0, 1 + np.log(np.maximum(X, 1)), 0.0)
    return TfidfTransformer(norm=None).fit_transform(X).toarray()


def test_by_hand():
    # Of counts only whether they are 0 remains. The first row (1, 0) is a mistake: w = (1, 0), b = 1. The second one,
    # (1, 1), has the score 2 and is negative: w = (0, −1), b = 0.
    model = Perceptron(keep="last", order="given", max_iter=1, weighting="binary")
    model.fit([[3.0, 0.0], [6.0, 8.0]], [1, 0])
    assert model.coef_.tolist() == [[0.0, -1.0]]
    assert model.intercept_.tolist() == [0.0]
    assert model.decision_function([[0.0, 5.0], [7.0, -5.0]]).tolist() == [-1.0, 1.0]


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@pytest.mark.parametrize("model", MODELS)
def test_it_is_learning_from_weighted_rows(weighting, model):
    X, y = COUNTS, DIGITS
    ours = clone(model).set_params(weighting=weighting).fit(X, y)
    rows = weighted(weighting, X)
    theirs = clone(model).set_params(scale=None).fit(rows, y)
    # Logarithms may be rounded otherwise by numpy.
    expected = theirs.decision_function(rows)
    size = np.abs(expected).max()
    np.testing.assert_allclose(ours.decision_function(X), expected, rtol=1e-9, atol=1e-9 * size)
    forms = [X, sparse.csr_matrix(X), X.astype(np.float32)]
    scores = {clone(ours).fit(form, y).decision_function(form).tobytes() for form in forms}
    assert len(scores) == 1


def test_the_factors_are_those_of_exact_frequencies():
    model = Perceptron(max_iter=1, keep="last", order="given", weighting="tfidf")
    X = np.array([[1, 0, 2], [3, 0, 0], [1, 1, 0]])
    model.fit(X, [1, 0, 1])
    # Each row alone as a query: the score of one count minus the bias is weight times factor.
    scores = model.decision_function(np.eye(3)) - model.intercept_[0]
    idf = [np.log(float(Fraction(4, 1 + d))) + 1 for d in (X > 0).sum(axis=0).tolist()]
    np.testing.assert_allclose(scores, model.coef_[0] * idf, rtol=1e-15)


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_the_command_makes_the_same_model(run, tmp_path, weighting):
    data = ROOT / "data" / "iris.csv"
    words = ["--epochs", "5", "--weighting", weighting, "--scale", "maxabs"]
    told = json.loads(run("train", data, *words, "--json", "-o", "model"))
    assert told["weighting"] == weighting
    rows = read_csv(data)
    X = pd.DataFrame(rows.X, columns=rows.feature_names)
    model = Perceptron(max_iter=5, weighting=weighting, scale="maxabs").fit(X, rows.y)
    theirs = load(tmp_path / "model")
    assert (theirs.weighting, theirs.scale) == (weighting, "maxabs")
    assert model.coef_.tobytes() == theirs.coef_.tobytes()
    scores = model.decision_function(X)
    assert scores.tobytes() == theirs.decision_function(X).tobytes()
    model.save(tmp_path / "ours")
    assert load(tmp_path / "ours").decision_function(X).tobytes() == scores.tobytes()


@pytest.mark.parametrize("model", MODELS)
def test_copies_are_the_model(tmp_path, model):
    X, y = COUNTS, DIGITS
    model = clone(model).set_params(weighting="tfidf").fit(X, y)
    model.save(tmp_path / "model")
    copies = [pickle.loads(pickle.dumps(model)), copy.deepcopy(model), load(tmp_path / "model")]
    for other in copies:
        assert other.weighting == "tfidf"
        assert other.decision_function(X).tobytes() == model.decision_function(X).tobytes()


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@pytest.mark.parametrize("normalise", [None, "l2"])
def test_onnx_weights(weighting, normalise):
    X, y = COUNTS.astype(np.float32), DIGITS
    model = Perceptron(max_iter=20, weighting=weighting, normalise=normalise).fit(X, y)
    session = onnxruntime.InferenceSession(model.to_onnx(), providers=["CPUExecutionProvider"])
    labels, scores = session.run(["label", "scores"], {"X": X})
    assert labels.tolist() == model.predict(X).tolist()
    np.testing.assert_allclose(scores, model.decision_function(X), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("limits", "least", "most"),
    [("2:", 2, 1.0), ("25%:", 0.25, 1.0), (":50%", 1, 0.5), ("2:9", 2, 9), ("3:50%", 3, 0.5)],
)
@pytest.mark.parametrize("weighting", [None, "binary", "tfidf"])
def test_document_frequencies_are_those_of_count_vectorizer(limits, least, most, weighting):
    rng = np.random.default_rng(3)
    words = [f"w{k}" for k in range(60)]
    texts = [" ".join(rng.choice(words, 12, p=SHARES)) for _ in range(40)]
    y = rng.integers(0, 2, 40)
    whole = CountVectorizer().fit(texts)
    few = CountVectorizer(min_df=least, max_df=most).fit(texts)
    assert 0 < len(few.vocabulary_) < len(whole.vocabulary_)
    ours = Perceptron(max_iter=9, weighting=weighting, document_frequency=limits)
    theirs = plain(max_iter=9, weighting=weighting)
    X, Z = whole.transform(texts).astype(float), few.transform(texts).astype(float)
    ours.fit(X, y)
    theirs.fit(Z, y)
    assert ours.decision_function(X).tolist() == theirs.decision_function(Z).tolist()
    assert ours.fit(X.toarray(), y).coef_.tolist() == ours.fit(X, y).coef_.tolist()
    kept = [whole.vocabulary_[word] for word in few.get_feature_names_out()]
    assert ours.coef_[0, kept].tolist() == theirs.coef_[0].tolist()


@pytest.mark.parametrize("weighting", [None, *WEIGHTINGS])
def test_copies_leave_out_the_same_features(tmp_path, weighting):
    X, y = COUNTS.astype(np.float32), DIGITS
    model = Perceptron(max_iter=9, weighting=weighting, document_frequency="5%:95%", normalise="l2")
    model.fit(X, y).save(tmp_path / "model")
    scores = model.decision_function(X)
    for other in (pickle.loads(pickle.dumps(model)), load(tmp_path / "model")):
        assert other.document_frequency == "5%:95%"
        assert other.decision_function(X).tobytes() == scores.tobytes()
    session = onnxruntime.InferenceSession(model.to_onnx(), providers=["CPUExecutionProvider"])
    _, found = session.run(["label", "scores"], {"X": X})
    np.testing.assert_allclose(found, scores, rtol=1e-5, atol=1e-5)


def test_what_is_wrong_is_said():
    with pytest.raises(ValueError, match="no feature is in as many rows as .* `301:` says"):
        Perceptron(document_frequency="301:").fit(COUNTS, DIGITS)
    for name, value in {"document_frequency": "2:", "weighting": "log"}.items():
        with pytest.raises(AttributeError, match=f"{name}='{value}' is for fit"):
            Perceptron(**{name: value}).partial_fit(COUNTS, DIGITS, classes=range(10))
    with pytest.raises(ValueError, match="one of None, 'binary', 'log', 'tfidf'"):
        Perceptron(weighting="often").fit(COUNTS, DIGITS)

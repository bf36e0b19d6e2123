"""The parameter `calibrate`: the command, scikit-learn's own calibration, and everything that keeps such a model."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import onnx
import onnxruntime
import pandas as pd
import pytest
from conftest import NEGATIVE, ROOT
from scipy import sparse
from sklearn.base import clone
from sklearn.calibration import _SigmoidCalibration
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import VotingClassifier
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss
from sklearn.model_selection import cross_val_score

from rosenblatt import KernelPerceptron, Perceptron, VotedPerceptron, load, read_csv

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

IRIS = load_iris(return_X_y=True)
TWO = IRIS[0], (IRIS[1] == 1).astype(int)
METHODS = ["platt", "isotonic", "venn-abers", "temperature"]
MODELS = [
    Perceptron(max_iter=5, scale="auto"),
    Perceptron(max_iter=5, normalise="l2", classes="one-vs-rest"),
    KernelPerceptron("rbf:0.5", max_iter=3),
    VotedPerceptron(max_iter=2),
]


@pytest.mark.parametrize("folds", [5, None])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("positive", ["Iris-versicolor", "Iris-setosa", None])
def test_the_command_makes_the_same_model(run, tmp_path, method, folds, positive):
    data = ROOT / "data" / "iris.csv"
    words = ["--epochs", "5", "--calibrate", method]
    words += ["--folds", folds] if folds else ["--holdout", "0.3"]
    words += [] if positive is None else ["--positive", positive, *NEGATIVE]
    run("train", data, *words, "-q", "-o", "model")
    rows = read_csv(data)
    X = pd.DataFrame(rows.X, columns=rows.feature_names)
    y = rows.y
    if positive is not None:
        y = np.where(rows.y == positive, positive, "not " + positive)
    theirs = load(tmp_path / "model")
    assert theirs.calibrate == method
    shown = run("predict", "model", data, "--proba").splitlines()
    numbers = np.array([line.split("\t")[1:] for line in shown], dtype=float)
    if positive is None:
        model = Perceptron(
            max_iter=5,
            scale="auto",
            calibrate=method,
            calibration_folds=folds,
            validation_fraction=0.3,
        ).fit(X, y)
        assert model.predict_proba(X).tobytes() == theirs.predict_proba(X).tobytes()
        np.testing.assert_array_equal(model.predict_proba(X), numbers[:, :3])
        if method == "venn-abers":
            found = model.predict_interval(X)
            np.testing.assert_array_equal(found.reshape(len(found), 6), numbers[:, 3:])
        model.save(tmp_path / "ours")
        ours = load(tmp_path / "ours")
        assert ours.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()
        return
    place = list(theirs.classes_).index(positive)
    found = theirs.predict_proba(X)[:, place]
    np.testing.assert_allclose(found, numbers[:, 0], rtol=0, atol=1e-15)
    if method == "venn-abers":
        low, high = theirs.predict_interval(X).T
        found = (low, high) if place == 1 else (1 - high, 1 - low)
        np.testing.assert_allclose(np.transpose(found), numbers[:, 1:], rtol=0, atol=1e-15)


def test_probabilities_rise_with_the_score():
    X, y = load_breast_cancer(return_X_y=True)
    model = Perceptron(max_iter=5, scale="standard", calibrate="platt", calibration_folds=None)
    model.set_params(validation_fraction=0.5).fit(X, y)
    isotonic = clone(model).set_params(calibrate="isotonic").fit(X, y)
    learned_from = Perceptron(max_iter=5, scale="standard").fit(X, y)
    # The model of half of the rows is another one than that of all.
    assert not np.array_equal(learned_from.coef_, model.coef_)
    scores = model._scores(X)
    order = np.argsort(scores, kind="stable")
    for one in (model, isotonic):
        found = one.predict_proba(X)
        assert np.all(np.diff(found[order, 1]) >= 0)
        np.testing.assert_allclose(found.sum(axis=1), 1)
        assert brier_score_loss(y, found[:, 1]) < 0.05
    # The log-odds are a line.
    odds = np.diff(model.predict_log_proba(X), axis=1).ravel()
    slope, intercept = np.polyfit(scores, odds, 1)
    np.testing.assert_allclose(odds, slope * scores + intercept, atol=1e-6)


def test_curves_are_near_those_of_scikit_learn():
    X, y = TWO
    halves = np.arange(len(y)) % 2 == 0
    model = Perceptron(max_iter=5, calibration_folds=None, validation_fraction=0.5)
    for seed in range(3):
        model.set_params(random_state=seed)
        fitted = {name: clone(model).set_params(calibrate=name).fit(X, y) for name in METHODS}
        scores = fitted["isotonic"]._scores(X)
        found = fitted["isotonic"].predict_proba(X)[:, 1]
        # A calibration of other rows of the same kind is near.
        curve = IsotonicRegression(out_of_bounds="clip").fit(scores[halves], y[halves])
        assert np.abs(curve.predict(scores) - found).mean() < 0.15
        sigmoid = _SigmoidCalibration().fit(scores[halves], y[halves])
        found = fitted["platt"].predict_proba(X)[:, 1]
        assert np.abs(sigmoid.predict(scores) - found).mean() < 0.15


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("data", [TWO, IRIS])
@pytest.mark.parametrize("model", MODELS)
def test_copies_are_the_model(tmp_path, model, data, method):
    X, y = data
    plain = clone(model).fit(X, y)
    assert not hasattr(plain, "predict_proba")
    model = clone(model).set_params(calibrate=method)
    assert hasattr(model, "predict_proba")
    model.fit(X, y)
    # Scores are those of the model without probabilities; labels have the largest one.
    np.testing.assert_array_equal(model._scores(X), plain.decision_function(X))
    assert hasattr(model, "decision_function") == (method == "temperature")
    found = model.predict_proba(X)
    assert found.shape == (len(X), len(model.classes_))
    np.testing.assert_allclose(found.sum(axis=1), 1)
    np.testing.assert_array_equal(model.classes_[found.argmax(axis=1)], model.predict(X))
    assert found.tobytes() == model.predict_proba(sparse.csr_matrix(X)).tobytes()
    with np.errstate(divide="ignore"):
        np.testing.assert_array_equal(model.predict_log_proba(X), np.log(found))
    model.save(tmp_path / "model")
    for other in [
        copy.deepcopy(model),
        pickle.loads(pickle.dumps(model)),
        load(tmp_path / "model"),
    ]:
        assert other.predict_proba(X).tobytes() == found.tobytes()
        np.testing.assert_array_equal(other.predict(X), model.predict(X))
        assert hasattr(other, "decision_function") == hasattr(model, "decision_function")
        assert hasattr(other, "predict_interval") == (method == "venn-abers")
        if method == "venn-abers":
            assert other.predict_interval(X).tobytes() == model.predict_interval(X).tobytes()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("data", [TWO, IRIS])
@pytest.mark.parametrize("positive", [0, 1])
def test_onnx_has_the_probabilities(run, tmp_path, data, method, positive):
    X, y = data[0], np.array(["a", "b", "c"])[data[1]]
    model = Perceptron(max_iter=5, scale="auto", calibrate=method).fit(X.astype(np.float32), y)
    graph = model.to_onnx()
    if len(model.classes_) == 2:
        # Either class may be the positive one of a model of the command.
        rows = pd.DataFrame(X, columns=list("stuv")).assign(y=y)
        rows.to_csv(tmp_path / "rows.csv", index=False)
        words = ["--positive", "ab"[positive], "--folds", "5", "--calibrate", method]
        run("train", "rows.csv", *words, "-q", "-o", "model")
        model = load(tmp_path / "model")
        run("export", "model", "-o", "model.onnx")
        graph = (tmp_path / "model.onnx").read_bytes()
    onnx.checker.check_model(onnx.load_from_string(graph), full_check=True)
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    labels, found = session.run(["label", "probabilities"], {"X": X.astype(np.float32)})
    np.testing.assert_array_equal(labels, model.predict(X.astype(np.float32).astype(float)))
    order = np.argsort(model.classes_)
    expected = model.predict_proba(X.astype(np.float32).astype(float))[:, order]
    np.testing.assert_allclose(found, expected, atol=1e-6)
    # Rows far from all others, on both sides of every hyperplane.
    far = np.concatenate([X * 1000, -X * 1000]).astype(np.float32)
    found = session.run(["probabilities"], {"X": far})[0]
    expected = model.predict_proba(far.astype(float))[:, order]
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_changed_weights_have_no_probabilities():
    X, y = TWO
    model = Perceptron(max_iter=5, calibrate="platt").fit(X, y)
    model.coef_ = model.coef_ * 2
    with pytest.raises(ValueError, match="were changed after they were calibrated"):
        model.predict_proba(X)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"early_stopping": True}, "early_stopping=True and calibrate='platt' exclude one another"),
        ({"warm_start": True}, "warm_start=True and calibrate='platt' exclude one another"),
        (
            {"calibration_folds": 201},
            "calibration_folds=201: there are 150 examples, too few for 201 parts",
        ),
    ],
)
def test_what_excludes_it(parameters, message):
    with pytest.raises(ValueError, match=message):
        Perceptron(calibrate="platt", **parameters).fit(*TWO)


def test_no_first_weights_no_batches_no_other_tally():
    X, y = TWO
    with pytest.raises(ValueError, match="begin with no weights"):
        Perceptron(calibrate="platt").fit(X, y, coef_init=np.ones((1, 4)))
    with pytest.raises(AttributeError, match="use calibrate=None"):
        Perceptron(calibrate="platt").partial_fit(X, y, classes=[0, 1])
    with pytest.raises(ValueError, match="tally='last' and calibrate='platt'"):
        VotedPerceptron(calibrate="platt", tally="last").fit(X, y)
    model = VotedPerceptron(calibrate="platt", max_iter=2).fit(X, y).set_params(tally="last")
    with pytest.raises(ValueError, match="those of the vote"):
        model.predict_proba(X)


def test_it_serves_scikit_learn():
    X, y = IRIS
    model = Perceptron(scale="standard", calibrate="venn-abers")
    assert cross_val_score(model, X, y, scoring="neg_log_loss", cv=3).mean() > -0.5
    soft = VotingClassifier([("one", model), ("two", clone(model).set_params(calibrate="platt"))])
    assert soft.set_params(voting="soft").fit(X, y).score(X, y) > 0.9


@pytest.mark.parametrize(
    "held_out",
    [
        {"early_stopping": True},
        {"calibrate": "platt"},
        {"calibrate": "platt", "calibration_folds": 3},
    ],
)
def test_the_report_counts_copies_where_rows_are_held_out(held_out):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = X[:, 0] + 0.5 * rng.normal(size=60) > 0
    found = Perceptron(validation_fraction=0.2, **held_out).fit(X, y).report_["copies"]
    assert found == {"examples": 0, "share": 0.0, "together": False}
    X, y = np.repeat(X, 3, axis=0), np.repeat(y, 3)
    found = Perceptron(validation_fraction=0.2, **held_out).fit(X, y).report_["copies"]
    assert found == {"examples": 180, "share": 1.0, "together": True}
    assert "copies" not in Perceptron().fit(X, y).report_


@pytest.mark.parametrize("estimator", [Perceptron(), KernelPerceptron("poly:2"), VotedPerceptron()])
def test_threads_change_no_probability(estimator):
    X, y = IRIS
    estimator.set_params(max_iter=5, calibrate="temperature")
    one, many = (clone(estimator).set_params(n_jobs=jobs).fit(X, y) for jobs in (1, 3))
    assert one.predict_proba(X).tobytes() == many.predict_proba(X).tobytes()
    assert one.report_ == many.report_

"""The parameter `scale`: numbers by hand, the command, and everything that keeps or uses a scaled model."""

from __future__ import annotations

import copy
import json
import pickle
from fractions import Fraction

import numpy as np
import onnxruntime
import pandas as pd
import pytest
from conftest import NEGATIVE, ROOT
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_iris

from rosenblatt import KernelPerceptron, Perceptron, VotedPerceptron, load, read_csv

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

IRIS = load_iris(return_X_y=True)
SCALES = ["auto", "standard", "maxabs", "minmax"]
# The largest sizes are 96 and 3, so `auto` divides by 128 and by 4, because 1.5 · 64 and 1.5 · 2 are nearer to these.
ROWS, SIGNS = np.array([[96.0, 0.0], [0.0, -3.0]]), [1, 0]


def state_of(model):
    names = ("coef_", "intercept_", "dual_coef_", "support_", "support_vectors_")
    found = {name: getattr(model, name) for name in names if hasattr(model, name)}
    return {
        name: (value.toarray() if sparse.issparse(value) else value).tobytes()
        for name, value in found.items()
    }


def test_by_hand():
    # Divided by 128 and 4, the rows are (3/4, 0) and (0, −3/4). The first one is a mistake: w = (3/4, 0), b = 1. The
    # second one has the score 1 and is negative: w = (3/4, 3/4), b = 0. For the rows as they are, w = (3/512, 3/16).
    model = Perceptron(keep="last", order="given", max_iter=1, scale="auto").fit(ROWS, SIGNS)
    assert model.coef_.tolist() == [[3 / 512, 3 / 16]]
    assert model.intercept_.tolist() == [0.0]
    assert model.decision_function(ROWS).tolist() == [9 / 16, -9 / 16]
    # Without scaling, the first row gives (96, 0), and the second one subtracts (0, −3).
    plain = Perceptron(keep="last", order="given", max_iter=1).fit(ROWS, SIGNS)
    assert plain.coef_.tolist() == [[96.0, 3.0]]


def test_a_shift_is_in_the_intercept():
    # The columns (1, 3) and (0, 4) have the means 2 and 2, and the deviations 1 and 2: the rows become (−1, −1) and
    # (1, 1). The first one gives w = (1, 1), b = −1, and the second one has the score 2 − 1 > 0. For the rows as they
    # are, w = (1, 1/2), b = −1 − 2 − 1.
    X = [[1.0, 0.0], [3.0, 4.0]]
    model = Perceptron(keep="last", order="given", max_iter=1, scale="standard").fit(X, [0, 1])
    assert model.coef_.tolist() == [[1.0, 0.5]]
    assert model.intercept_.tolist() == [-4.0]
    assert model.decision_function(X).tolist() == [-3.0, 1.0]


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(
    ("words", "model"),
    [
        (["--epochs", "5"], Perceptron(max_iter=5)),
        (["--keep", "last", "--epochs", "7"], Perceptron(keep="last", max_iter=7)),
        (["--bias", "radius", "--epochs", "3"], Perceptron(bias="radius", max_iter=3)),
        (
            ["--holdout", "0.2", "--patience", "3", "--epochs", "50"],
            Perceptron(
                early_stopping=True, validation_fraction=0.2, n_iter_no_change=3, max_iter=50
            ),
        ),
        (
            [
                "--holdout",
                "0.2",
                "--patience",
                "3",
                "--epochs",
                "9",
                "--kernel",
                "poly:2",
                *NEGATIVE,
            ],
            KernelPerceptron(
                early_stopping=True, validation_fraction=0.2, n_iter_no_change=3, max_iter=9
            ),
        ),
        (
            ["--kernel", "rbf:0.5", "--epochs", "3", *NEGATIVE],
            KernelPerceptron("rbf:0.5", max_iter=3),
        ),
        (["--keep", "vote", "--epochs", "2", *NEGATIVE], VotedPerceptron(max_iter=2)),
    ],
    ids=lambda value: "_".join(value).replace("--", "") if isinstance(value, list) else "",
)
def test_the_command_makes_the_same_model(run, tmp_path, scale, words, model):
    data = ROOT / "data" / "iris.csv"
    words = [*words, "--scale", scale]
    told = json.loads(run("train", data, *words, "--json", "-o", "model"))
    rows = read_csv(data)
    X = pd.DataFrame(rows.X, columns=rows.feature_names)
    model = clone(model).set_params(scale=scale).fit(X, rows.y)
    theirs = load(tmp_path / "model")
    assert theirs.scale == scale
    assert model.report_["mistakes_per_epoch"] == told["mistakes_per_epoch"]
    assert state_of(model) == state_of(theirs)
    scores = model.decision_function(X)
    assert scores.tobytes() == theirs.decision_function(X).tobytes()
    # The command reads the model of Python, and so does `load`.
    model.save(tmp_path / "ours")
    table = [line.split("\t") for line in run("predict", "ours", data, "--scores").splitlines()]
    np.testing.assert_array_equal([[float(cell) for cell in row[1:]] for row in table], scores)
    assert [row[0] for row in table] == model.predict(X).tolist()
    assert state_of(load(tmp_path / "ours")) == state_of(model)


@pytest.mark.parametrize("scale", SCALES)
def test_the_table_of_the_command_has_these_weights(run, tmp_path, scale):
    data = ROOT / "data" / "iris.csv"
    words = ["--positive", "Iris-virginica", "--scale", scale, "--epochs", "5"]
    run("train", data, *words, "--quiet", "-o", "model")
    run("export", "model", "-o", "model.csv")
    table = pd.read_csv(tmp_path / "model.csv")
    model = load(tmp_path / "model")
    # In scikit-learn the second class is positive, and here `Iris-virginica` is the first one.
    assert model.classes_[0] == "Iris-virginica"
    assert (0 - model.coef_[0]).tolist() == table["unscaled"][:-1].tolist()
    assert 0 - model.intercept_[0] == table["unscaled"].iloc[-1]


@pytest.mark.parametrize("scale", SCALES)
def test_every_form_of_rows_gives_one_model(scale):
    X, y = IRIS[0].astype(np.float32), IRIS[1]
    X = np.where(X < 2, 0, X)
    forms = [X, X.astype(np.float64), sparse.csr_matrix(X), sparse.csc_matrix(X.astype(float))]
    models = [Perceptron(max_iter=4, scale=scale).fit(form, y) for form in forms]
    scores = [
        model.decision_function(form).tobytes() for model in models for form in (forms[0], forms[2])
    ]
    assert len({str(state_of(model)) for model in models}) == len(set(scores)) == 1


def test_auto_is_exact():
    X, y = IRIS[0] * [1e-3, 1.0, 1e3, 1e6], IRIS[1] == 1
    model = Perceptron(max_iter=10, scale="auto").fit(X, y)
    weights, bias = [Fraction(w) for w in model.coef_[0]], Fraction(model.intercept_[0])
    exact = [sum(w * Fraction(x) for w, x in zip(weights, row, strict=True)) + bias for row in X]
    assert model.decision_function(X).tolist() == [float(score) for score in exact]


def test_the_scaling_is_learned_without_held_out_rows_and_rows_of_weight_0():
    X, y = np.vstack([IRIS[0], [[1e6] * 4]]), np.append(IRIS[1], 0)
    weights = np.append(np.ones(150), 0.0)
    one = Perceptron(max_iter=3, scale="auto").fit(X, y, sample_weight=weights)
    assert state_of(one) == state_of(Perceptron(max_iter=3, scale="auto").fit(*IRIS))
    stopped = Perceptron(max_iter=3, scale="maxabs", early_stopping=True, keep="last").fit(X, y)
    assert stopped.report_["examples"] < 151


def test_support_is_numbered_as_the_rows():
    for scale in (None, "auto"):
        model = KernelPerceptron(max_iter=3, early_stopping=True, scale=scale).fit(*IRIS)
        found, rows = model.support_vectors_.toarray(), IRIS[0][model.support_]
        # The largest sizes 7.9, 4.4, 6.9, 2.5 are divided by 8, 4, 8, 2.
        np.testing.assert_array_equal(found, rows if scale is None else rows / [8, 4, 8, 2])


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(
    "model",
    [Perceptron(max_iter=3), KernelPerceptron(max_iter=2), VotedPerceptron(max_iter=2)],
    ids=lambda model: type(model).__name__,
)
def test_copies_are_the_model(tmp_path, scale, model):
    X, y = IRIS
    model = clone(model).set_params(scale=scale).fit(X, y)
    scores = model.decision_function(X).tobytes()
    model.save(tmp_path / "model")
    for other in (
        pickle.loads(pickle.dumps(model)),
        copy.deepcopy(model),
        load(tmp_path / "model"),
        pickle.loads(pickle.dumps(load(tmp_path / "model"))),
    ):
        assert other.scale == scale
        assert other.decision_function(X).tobytes() == scores
        assert state_of(other) == state_of(model)
        other.save(tmp_path / "again")
        assert (tmp_path / "again").read_bytes() == (tmp_path / "model").read_bytes()


@pytest.mark.parametrize("scale", SCALES)
def test_onnx_scales(scale):
    X, y = IRIS[0].astype(np.float32), IRIS[1]
    model = Perceptron(max_iter=20, scale=scale).fit(X, y)
    session = onnxruntime.InferenceSession(model.to_onnx(), providers=["CPUExecutionProvider"])
    label, scores = session.run(["label", "scores"], {"X": X})
    assert label.tolist() == model.predict(X).tolist()
    np.testing.assert_allclose(scores, model.decision_function(X), rtol=1e-4, atol=1e-4)


def test_changed_weights_are_the_model(tmp_path):
    model = Perceptron(max_iter=3, scale="standard").fit(ROWS, SIGNS)
    model.coef_ = np.array([[2.0, 0.0]])
    model.intercept_ = np.array([-1.0])
    assert model.decision_function(ROWS).tolist() == [191.0, -1.0]
    model.save(tmp_path / "model")
    assert load(tmp_path / "model").decision_function(ROWS).tolist() == [191.0, -1.0]
    model = Perceptron(max_iter=3, scale="standard").fit(ROWS, SIGNS)
    scores = model.decision_function(ROWS).tolist()
    assert model.sparsify().decision_function(ROWS).tolist() == scores


def test_a_pickle_of_an_older_version_keeps_its_scaling(run, tmp_path):
    # It has the weights of the scaled features, and the scaling of the file.
    run("train", ROOT / "data" / "iris.csv", "--scale", "standard", "--quiet", "-o", "model")
    model = load(tmp_path / "model")
    del model.feature_names_in_
    expected = model.decision_function(IRIS[0]).tobytes()
    run("export", "model", "-o", "model.json")
    file = json.loads((tmp_path / "model.json").read_text())
    state = model.__getstate__()
    del state["scale"]
    named = [{w["feature"]: w["weight"] for w in plane["weights"]} for plane in file["per_class"]]
    state["coef_"] = np.array([[of[name] for name in file["feature_names"]] for of in named])
    state["intercept_"] = np.array([plane["bias"] for plane in file["per_class"]])
    state["_classifier"], state["_file"] = None, {**state["_file"], "scaling": file["scaling"]}
    older = Perceptron.__new__(Perceptron)
    older.__setstate__(state)
    for other in (older, pickle.loads(pickle.dumps(older))):
        assert other.scale == "standard"
        assert other.decision_function(IRIS[0]).tobytes() == expected
        assert state_of(other) == state_of(model)


def test_callbacks_see_the_scaled_model():
    callback = pytest.importorskip("sklearn.callback")
    X, y = IRIS
    monitor = callback.ScoringMonitor(scoring="accuracy")
    model = Perceptron(max_iter=3, scale="standard").set_callbacks(monitor).fit(X, y)
    for epochs, score in enumerate(monitor.get_logs().data_as_pandas["accuracy"], start=1):
        last = Perceptron(keep="last", classes="joint", max_iter=epochs, scale="standard").fit(X, y)
        assert score == last.score(X, y)
    assert model.n_iter_ == 3


def test_the_loss_of_tol_is_that_of_the_scaled_rows():
    X, y = IRIS[0], IRIS[1] == 1
    model = Perceptron(keep="last", max_iter=100, tol=1e-3, scale="auto").fit(X, y)
    scaled = Perceptron(keep="last", max_iter=100, tol=1e-3).fit(X / [8, 4, 8, 2], y)
    assert model.n_iter_ == scaled.n_iter_ < 100
    assert (model.coef_ * [8, 4, 8, 2]).tolist() == scaled.coef_.tolist()


@pytest.mark.parametrize("value", ["none", "robust", "", 1, True, ["auto"]])
def test_other_values_are_errors(value):
    message = "'scale' parameter of Perceptron must be one of None, 'auto', 'standard', 'maxabs', 'minmax'"
    with pytest.raises(ValueError, match=message):
        Perceptron(scale=value).fit(ROWS, SIGNS)


def test_a_batch_or_first_weights_exclude_a_scaling():
    with pytest.raises(ValueError, match="scale='auto' is learned from all rows.*scale=None"):
        Perceptron(scale="auto").partial_fit(ROWS, SIGNS, classes=[0, 1])
    with pytest.raises(ValueError, match="warm_start=True and scale='auto'.*scale=None"):
        Perceptron(scale="auto", warm_start=True).fit(ROWS, SIGNS)
    with pytest.raises(ValueError, match="coef_init and scale='auto'"):
        Perceptron(scale="auto").fit(ROWS, SIGNS, coef_init=[[1.0, 0.0]])
    # Without scaling, a run continues with the weights for the rows as they are: the first row is no mistake.
    model = Perceptron(keep="last", order="given", max_iter=1, scale="auto").fit(ROWS, SIGNS)
    model.set_params(scale=None).partial_fit(ROWS, SIGNS)
    assert model.coef_.tolist() == [[3 / 512, 3 / 16]]
    assert model.n_mistakes_ == 2


def test_a_scaling_past_the_range_is_an_error():
    with pytest.raises(ValueError, match="feature 2 spans so large a range"):
        Perceptron(scale="minmax").fit([[0.0, -1.7e308], [1.0, 1.7e308]], SIGNS)
    wide = sparse.csr_matrix(([1.0], ([0], [0])), shape=(2, 1 << 28))
    with pytest.raises(ValueError, match="the scaling minmax shifts zeros"):
        Perceptron(scale="minmax").fit(sparse.vstack([wide, -wide]).tocsr(), [0, 1, 0, 1])

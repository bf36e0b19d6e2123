"""The parameter `scale`: numbers by hand, the command, and everything that keeps or uses a scaled model."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import onnxruntime
import pandas as pd
import pytest
from conftest import NEGATIVE, ROOT, plain
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_iris

from rosenblatt import KernelPerceptron, Perceptron, VotedPerceptron, load, read_csv

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

IRIS = load_iris(return_X_y=True)
SCALES = ["auto", "standard", "maxabs", "minmax"]
# Half of each column is 0, so `auto` keeps the zeros and divides by the size of the other value: 96 and 3.
ROWS, SIGNS = np.array([[96.0, 0.0], [0.0, -3.0]]), [1, 0]


def state_of(model):
    names = ("coef_", "intercept_", "dual_coef_", "support_", "support_vectors_")
    found = {name: getattr(model, name) for name in names if hasattr(model, name)}
    return {
        name: (value.toarray() if sparse.issparse(value) else value).tobytes()
        for name, value in found.items()
    }


def test_by_hand():
    # Divided by 96 and 3, the rows are (1, 0) and (0, −1). The first one is a mistake: w = (1, 0), b = 1. The second
    # one has the score 1 and is negative: w = (1, 1), b = 0. For the rows as they are, w = (1/96, 1/3).
    model = Perceptron(keep="last", order="given", max_iter=1).fit(ROWS, SIGNS)
    assert model.coef_.tolist() == [[1 / 96, 1 / 3]]
    assert model.intercept_.tolist() == [0.0]
    assert model.decision_function(ROWS).tolist() == [1.0, -1.0]
    # Without scaling, the first row gives (96, 0), and the second one subtracts (0, −3).
    assert plain(keep="last", order="given", max_iter=1).fit(ROWS, SIGNS).coef_.tolist() == [
        [96.0, 3.0]
    ]


@pytest.mark.parametrize("scale", ["auto", "standard"])
def test_a_shift_is_in_the_intercept(scale):
    # The columns (1, 3) and (2, 6) have the means 2 and 4, and the deviations 1 and 2: the rows become (−1, −1) and
    # (1, 1). The first one gives w = (1, 1), b = −1, and the second one has the score 2 − 1 > 0. For the rows as they
    # are, w = (1, 1/2), b = −1 − 2 − 2.
    X = [[1.0, 2.0], [3.0, 6.0]]
    model = Perceptron(keep="last", order="given", max_iter=1, scale=scale).fit(X, [0, 1])
    assert model.coef_.tolist() == [[1.0, 0.5]]
    assert model.intercept_.tolist() == [-5.0]
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
    table = pd.read_csv(tmp_path / "model.csv", float_precision="round_trip")
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


def test_weighted_examples_have_weighted_statistics():
    # With the weights 1 and 3 the column (0, 4) of few zeros has the mean 3 and the variance (9 + 3)/4.
    X, weights = np.array([[1.0], [4.0]]), [1.0, 3.0]
    model = Perceptron(keep="last", order="given", max_iter=1)
    model.fit(X, [0, 1], sample_weight=weights)
    mean, deviation = 13 / 4, np.sqrt((1 + 3 * 16) / 4 - (13 / 4) ** 2)
    rows = (X - mean) / deviation
    same = plain(keep="last", order="given", max_iter=1).fit(rows, [0, 1], sample_weight=weights)
    np.testing.assert_allclose(model.decision_function(X), same.decision_function(rows), rtol=1e-12)


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
        if scale is None:
            np.testing.assert_array_equal(found, rows)
        # Another mean and deviation than those of all rows, because some are held out.
        fits = [np.polyfit(rows[:, j], found[:, j], 1) for j in range(4)]
        expected = np.transpose([np.polyval(fit, rows[:, j]) for j, fit in enumerate(fits)])
        np.testing.assert_allclose(found, expected, atol=1e-12)


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
    sizes = np.abs(X).max(axis=0)
    model = Perceptron(keep="last", max_iter=100, tol=1e-3, scale="maxabs").fit(X, y)
    scaled = plain(keep="last", max_iter=100, tol=1e-3).fit(X / sizes, y)
    assert model.n_iter_ == scaled.n_iter_ < 100
    assert model.coef_.tolist() == (scaled.coef_ / sizes).tolist()


@pytest.mark.parametrize("value", ["none", "robust", "", 1, True, ["auto"]])
def test_other_values_are_errors(value):
    message = "'scale' parameter of Perceptron must be one of None, 'auto', 'standard', 'maxabs', 'minmax'"
    with pytest.raises(ValueError, match=message):
        Perceptron(scale=value).fit(ROWS, SIGNS)


def test_first_weights_are_those_of_the_rows_as_they_are():
    # Of the scaled rows (1, 0) and (0, −1) the first weights are (96, 0): no mistake.
    model = Perceptron(keep="last", order="given", max_iter=1)
    model.fit(ROWS, SIGNS, coef_init=[[1.0, 0.0]], intercept_init=[-50.0])
    assert (model.coef_.tolist(), model.n_updates_) == ([[1.0, 0.0]], 0)
    X, y = IRIS[0], IRIS[1] == 1
    once = Perceptron(keep="last", order="given", max_iter=3).fit(X, y)
    weights = once.coef_.copy()
    again = once.set_params(warm_start=True, max_iter=1).fit(X, y)
    first = Perceptron(keep="last", order="given", max_iter=4).fit(X, y)
    np.testing.assert_allclose(again.coef_, first.coef_, rtol=1e-9)
    assert not np.allclose(again.coef_, weights)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("keep", ["auto", "last", "average"])
@pytest.mark.parametrize("scale", SCALES)
def test_batches_are_scaled_by_the_first(tmp_path, scale, keep, classes):
    X, y = (part[: 50 * classes] for part in IRIS)
    order = np.random.default_rng(0).permutation(len(y))
    X, y = X[order], y[order]
    options = {"keep": keep, "classes": "one-vs-rest", "scale": scale}
    whole = Perceptron(max_iter=1, order="given", **options).fit(X, y)
    stream = Perceptron(**options).partial_fit(X, y, classes=range(classes))
    assert state_of(stream) == state_of(whole)
    scores = whole.decision_function(X).tobytes()
    assert stream.decision_function(X).tobytes() == scores
    stream = Perceptron(**options)
    for first in range(0, len(y), 30):
        stream.partial_fit(X[first : first + 30], y[first : first + 30], classes=range(classes))
        stream = pickle.loads(pickle.dumps(stream))
    # Scaled by hand with the statistics of the first batch, without the numbers of the model.
    first = X[:30]
    shift, divisor = {
        "auto": (first.mean(axis=0), first.std(axis=0)),
        "standard": (first.mean(axis=0), first.std(axis=0)),
        "maxabs": (0.0, np.abs(first).max(axis=0)),
        "minmax": (first.min(axis=0), np.ptp(first, axis=0)),
    }[scale]
    by_hand = plain(keep=keep, classes="one-vs-rest")
    by_hand.partial_fit((X - shift) / divisor, y, classes=range(classes))
    found, expected = stream.decision_function(X), by_hand.decision_function((X - shift) / divisor)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)
    stream.save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    assert loaded.scale == scale
    assert loaded.decision_function(X).tobytes() == stream.decision_function(X).tobytes()
    # It goes on with the same scaling, from the weights for the rows as they are.
    loaded.partial_fit(X[:5], y[:5])
    with pytest.raises(ValueError, match=f"scale was '{scale}' and is None"):
        stream.set_params(scale=None).partial_fit(X, y)


def test_a_first_batch_of_one_row_scales_nothing():
    with pytest.warns(UserWarning, match="the first batch has one row"):
        model = Perceptron(keep="last").partial_fit([[1e3, 5.0]], [1], classes=[0, 1])
    assert model.coef_.tolist() == [[1e3, 5.0]]
    with pytest.raises(ValueError, match="scale was 'auto' and is 'maxabs'"):
        model.set_params(scale="maxabs").partial_fit([[1e3, 5.0]], [1])


def test_a_scaling_past_the_range_is_an_error():
    with pytest.raises(ValueError, match="feature 2 spans so large a range"):
        Perceptron(scale="minmax").fit([[0.0, -1.7e308], [1.0, 1.7e308]], SIGNS)
    full, empty = np.ones((1, 1 << 15)), sparse.csr_matrix((1 << 14, 1 << 15))
    wide = sparse.vstack([sparse.csr_matrix(full), sparse.csr_matrix(-full), empty]).tocsr()
    labels = np.arange(wide.shape[0]) % 2
    with pytest.raises(ValueError, match="the scaling minmax shifts zeros"):
        Perceptron(scale="minmax").fit(wide, labels)

"""Results are scikit-learn's where those are exact, and identical for every layout and program."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from conftest import NEGATIVE, ROOT, plain
from scipy import sparse
from sklearn.linear_model import Perceptron as Theirs

from rosenblatt import (
    KernelPerceptron,
    Perceptron,
    VotedPerceptron,
    load,
    read_csv,
    read_svmlight,
)

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

AND = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float), np.array([0, 0, 0, 1])


def integers(seed: int, classes: int, examples: int = 60, features: int = 4):
    """Whole numbers: all sums of scikit-learn are exact."""
    random = np.random.default_rng(seed)
    X = random.integers(-5, 6, (examples, features)).astype(float)
    return X, random.integers(0, classes, examples)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("max_iter", [1, 2, 7, 30])
def test_the_weights_are_those_of_scikit_learn(seed, classes, max_iter):
    X, y = integers(seed, classes)
    ours = plain(keep="last", shuffle=False, max_iter=max_iter).fit(X, y)
    theirs = Theirs(shuffle=False, tol=None, max_iter=max_iter).fit(X, y)
    np.testing.assert_array_equal(ours.coef_, theirs.coef_)
    np.testing.assert_array_equal(ours.intercept_, theirs.intercept_)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_array_equal(ours.decision_function(X), theirs.decision_function(X))
    assert ours.score(X, y) == theirs.score(X, y)
    if ours.n_iter_ == max_iter:
        assert ours.t_ == theirs.t_


@pytest.mark.parametrize("max_iter", range(1, 11))
def test_and_at_every_epoch(max_iter):
    X, y = AND
    ours = plain(keep="last", shuffle=False, max_iter=max_iter).fit(X, y)
    theirs = Theirs(shuffle=False, tol=None, max_iter=max_iter).fit(X, y)
    np.testing.assert_array_equal(ours.coef_, theirs.coef_)
    assert ours.score(X, y) == theirs.score(X, y)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("tol", "patience"), [(1e-3, 5), (0.5, 2), (0.0, 1)])
def test_tol_stops_where_scikit_learn_stops(seed, tol, patience):
    X, y = integers(seed, 2)
    options = {"shuffle": False, "tol": tol, "n_iter_no_change": patience, "max_iter": 50}
    ours, theirs = plain(keep="last", **options).fit(X, y), Theirs(**options).fit(X, y)
    assert ours.n_iter_ == theirs.n_iter_
    np.testing.assert_array_equal(ours.coef_, theirs.coef_)
    if ours.n_iter_ < 50:
        assert ours.report_["stopped_by"] == "tol"


def test_sample_and_class_weights_are_those_of_scikit_learn():
    X, y = integers(3, 2)
    weights = np.random.default_rng(1).integers(1, 5, len(y)).astype(float)
    options = {"shuffle": False, "max_iter": 9, "class_weight": {0: 2.0, 1: 0.5}, "eta0": 0.25}
    ours = plain(keep="last", **options).fit(X, y, sample_weight=weights)
    theirs = Theirs(tol=None, **options).fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(ours.coef_, theirs.coef_)
    np.testing.assert_array_equal(ours.intercept_, theirs.intercept_)


def test_first_weights_are_taken_as_in_scikit_learn():
    X, y = integers(4, 3)
    start = {"coef_init": np.arange(12.0).reshape(3, 4), "intercept_init": np.array([1.0, -2, 0])}
    ours = plain(keep="last", shuffle=False, max_iter=3).fit(X, y, **start)
    theirs = Theirs(shuffle=False, tol=None, max_iter=3).fit(
        X, y, **{name: value.copy() for name, value in start.items()}
    )
    np.testing.assert_array_equal(ours.coef_, theirs.coef_)


def test_warm_start_goes_on():
    X, y = integers(5, 2)
    once = plain(keep="last", shuffle=False, max_iter=6).fit(X, y)
    twice = plain(keep="last", shuffle=False, max_iter=3, warm_start=True).fit(X, y).fit(X, y)
    np.testing.assert_array_equal(once.coef_, twice.coef_)


def layouts(X):
    yield np.asfortranarray(X)
    yield X.astype(np.float32)
    yield X.tolist()
    for form in (sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix, sparse.csr_array):
        yield form(X)
    wide = sparse.csr_matrix(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    yield wide
    yield sparse.csr_matrix(X.astype(np.float32))
    # Stored zeros, descending indices, and duplicate entries.
    rows, columns = np.nonzero(np.ones_like(X))
    half = np.concatenate([X.ravel() / 2, X.ravel() / 2])
    order = np.argsort(-np.tile(columns, 2), kind="stable")
    places = (np.tile(rows, 2)[order], np.tile(columns, 2)[order])
    messy = sparse.coo_matrix((half[order], places), shape=X.shape)
    offsets = np.arange(0, 2 * X.size + 1, 2 * X.shape[1])
    by_row = np.argsort(places[0], kind="stable")
    yield sparse.csr_matrix((messy.data[by_row], places[1][by_row], offsets), shape=X.shape)


@pytest.mark.parametrize(
    "model",
    [
        Perceptron(keep="last", max_iter=9),
        Perceptron(max_iter=9, keep="average", update="pa2:1"),
        Perceptron(max_iter=9, keep="pocket"),
        KernelPerceptron("rbf:0.1", max_iter=9),
        VotedPerceptron(max_iter=3),
    ],
    ids=repr,
)
def test_every_layout_gives_the_same_bits(model):
    X = np.random.default_rng(0).normal(size=(50, 6)).astype(np.float32).astype(np.float64)
    X[np.abs(X) < 0.5] = 0
    y = np.random.default_rng(1).integers(0, 3, 50)
    expected = model.fit(X, y)
    scores, bytes_ = expected.decision_function(X), None
    for other in layouts(X):
        model.fit(other, y)
        np.testing.assert_array_equal(model.decision_function(other), scores)
        for name in ("coef_", "dual_coef_", "intercept_"):
            if hasattr(model, name):
                now = getattr(model, name).tobytes()
                assert bytes_ is None or name not in bytes_ or bytes_[name] == now
                bytes_ = {**(bytes_ or {}), name: now}


def test_the_input_is_left_alone():
    X = np.random.default_rng(0).normal(size=(20, 3))
    messy = sparse.csr_matrix(([1.0, 2.0, 3.0], [2, 0, 1], [0, 2, 3]), shape=(2, 3))
    before = messy.indices.copy()
    Perceptron(keep="last", max_iter=3).fit(messy, [0, 1])
    np.testing.assert_array_equal(messy.indices, before)
    X.setflags(write=False)
    Perceptron(keep="last", max_iter=3).fit(X, np.arange(20) % 2)


@pytest.mark.parametrize(
    ("words", "model"),
    [
        ([], Perceptron(keep="auto")),
        (["--seed", "7", "--keep", "average"], Perceptron(keep="average", random_state=7)),
        (
            ["--order", "given", "--bias", "radius"],
            Perceptron(keep="auto", order="given", bias="radius"),
        ),
        (["--keep", "pocket", "--epochs", "20"], Perceptron(keep="pocket", max_iter=20)),
        (
            ["--update", "pa1:0.1", "--epochs", "20"],
            Perceptron(keep="auto", update="pa1:0.1", max_iter=20),
        ),
        (
            ["--update", "arow:2", "--epochs", "20"],
            Perceptron(keep="auto", update="arow:2", max_iter=20),
        ),
        (
            ["--class-weight", "balanced", "--epochs", "5"],
            Perceptron(keep="auto", class_weight="balanced", max_iter=5),
        ),
        (
            ["--holdout", "0.2", "--patience", "3", "--epochs", "50"],
            Perceptron(
                keep="auto",
                early_stopping=True,
                validation_fraction=0.2,
                n_iter_no_change=3,
                max_iter=50,
            ),
        ),
        (
            ["--kernel", "poly:3", "--epochs", "5", *NEGATIVE],
            KernelPerceptron("poly:3", keep="auto", max_iter=5),
        ),
        (["--keep", "vote", "--epochs", "3", *NEGATIVE], VotedPerceptron(max_iter=3)),
    ],
    ids=lambda value: "_".join(value).replace("--", "") if isinstance(value, list) else "",
)
def test_the_command_makes_the_same_model(run, tmp_path, words, model):
    data = ROOT / "data" / "iris.csv"
    told = json.loads(run("train", data, *words, "--json", "-o", "model"))
    theirs = load(tmp_path / "model")
    rows = read_csv(data)
    X, y = pl.DataFrame(rows.X, schema=rows.feature_names), rows.y
    model.fit(X, y)
    assert model.report_["mistakes_per_epoch"] == told["mistakes_per_epoch"]
    assert model.classes_.tolist() == told["classes"]
    for name in ("coef_", "dual_coef_", "intercept_", "support_"):
        assert hasattr(model, name) == hasattr(theirs, name)
        if hasattr(model, name):
            assert getattr(model, name).tobytes() == getattr(theirs, name).tobytes()
    np.testing.assert_array_equal(model.decision_function(X), theirs.decision_function(X))
    # The command reads the model of Python.
    model.save(tmp_path / "ours")
    predicted = run("predict", "ours", data, "--scores").splitlines()
    scores = [[float(cell) for cell in line.split("\t")[1:]] for line in predicted]
    assert len(scores) == 150
    np.testing.assert_array_equal(scores, model.decision_function(X))
    assert [line.split("\t")[0] for line in predicted] == model.predict(X).tolist()


def csv(path, **columns):
    pl.DataFrame(columns).write_csv(path)
    return path


def svmlight(path, X, y):
    def line(label, row):
        entries = (f"{j}:{x!r}" for j, x in enumerate(row, start=1) if x != 0)
        return " ".join([str(label), *entries]) + "\n"

    path.write_text("".join(map(line, y.tolist(), X.tolist())))
    return path


def dense(folder, random):
    return read_csv(ROOT / "data" / "sonar.csv"), ROOT / "data" / "sonar.csv", []


def one_hot(folder, random):
    """Categories beside a number."""
    colour, size = random.choice(["red", "green", "blue"], 80), random.choice(["s", "m"], 80)
    age = random.integers(18, 90, 80)
    y = np.where((colour == "red") ^ (age > 60), "yes", "no")
    file = csv(folder / "one-hot.csv", colour=colour, size=size, age=age, y=y)
    return read_csv(file), file, []


def sparse_rows(folder, random):
    """Of ten features two have few zeros, so that they are shifted."""
    X = random.normal(size=(80, 10)) * (random.random((80, 10)) < 0.2)
    X[:, :2] += np.array([7.0, -300.0])
    scores = X @ random.normal(size=10)
    y = (scores > np.median(scores)).astype(int)
    file = svmlight(folder / "sparse.svm", X, y)
    return read_svmlight(file), file, []


def word_counts(folder, random):
    X = random.poisson(0.3, (80, 30)) * random.integers(1, 4, 30)
    y = (X[:, :8].sum(axis=1) > X[:, 8:16].sum(axis=1)).astype(int)
    file = svmlight(folder / "counts.svm", X, y)
    return read_svmlight(file), file, []


def texts(folder, random):
    words = np.array(["win", "a", "prize", "see", "you", "at", "noon", "now"])
    message = [" ".join(random.choice(words, random.integers(1, 9))) for _ in range(60)]
    y = ["spam" if "win" in one or "prize now" in one else "ham" for one in message]
    file = csv(folder / "texts.csv", message=message, y=y)
    return read_csv(file, text=["message"]), file, ["--text", "message"]


def far_from_zero(folder, random):
    """Years, seconds since 1970, coordinates, kelvins and an offset."""
    far = {"year": 2010.0, "time": 1.7e9, "latitude": 48.1, "kelvin": 293.0, "offset": 1e6}
    X = random.normal(size=(80, 5))
    y = np.where(X @ random.normal(size=5) > 0.3, "up", "down")
    columns = {name: far[name] + X[:, j] for j, name in enumerate(far)}
    file = csv(folder / "far.csv", **columns, y=y)
    return read_csv(file), file, []


def many_classes(folder, random):
    centres = random.normal(size=(12, 6)) * 50
    y = np.arange(120) % 12
    X = centres[y] + random.normal(size=(120, 6)) * 30
    columns = {f"x{j}": X[:, j] for j in range(6)}
    file = csv(folder / "many.csv", **columns, y=[f"class {label}" for label in y])
    return read_csv(file), file, []


KINDS = [dense, one_hot, sparse_rows, word_counts, texts, far_from_zero, many_classes]


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_without_an_option_every_front_has_the_same_weights(run, tmp_path, kind):
    (X, y), file, words = kind(tmp_path, np.random.default_rng(0))
    run("train", file, *words, "--quiet", "-o", "model")
    theirs = load(tmp_path / "model")
    assert theirs.scale == "auto"
    scores = theirs.decision_function(X).tobytes()
    forms = [sparse.csr_matrix(X), sparse.csc_matrix(X)]
    if X.shape[1] < 1000:
        wide = X.toarray() if sparse.issparse(X) else X
        forms += [wide, np.asfortranarray(wide), pl.DataFrame(wide)]
    for rows in [X, *forms]:
        model = Perceptron().fit(rows, y)
        assert model.scale == "auto"
        assert model.coef_.tobytes() == theirs.coef_.tobytes()
        assert model.intercept_.tobytes() == theirs.intercept_.tobytes()
        assert model.decision_function(rows).tobytes() == scores
    # One pass over the file has the statistics of all rows, as a first batch of all rows has.
    run("train", file, *words, "--epochs", "1", "--order", "given", "--quiet", "-o", "one")
    theirs = load(tmp_path / "one")
    once = Perceptron(max_iter=1, order="given").fit(X, y)
    batch = Perceptron().partial_fit(X, y, classes=np.unique(y))
    for model in (once, batch):
        assert model.coef_.tobytes() == theirs.coef_.tobytes()
        assert model.intercept_.tobytes() == theirs.intercept_.tobytes()

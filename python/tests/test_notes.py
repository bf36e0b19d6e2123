"""The algorithms of lecture notes and their traces: those of the command, and those that a run by hand gives."""

from __future__ import annotations

import csv
import json
import math
import pickle
import re
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import NEGATIVE
from scipy import sparse

from rosenblatt import KernelPerceptron, Perceptron, load, study, trace

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

NOTES = ["varner", "lauer", "shalizi", "dsc255-1", "dsc255-2", "carson"]
# Those that draw the first weights or an order.
DRAWN = ["varner", "dsc255-1", "dsc255-2"]
# Those for which a score of 0 is a mistake of both classes.
BOTH_WRONG = ["varner", "dsc255-1", "carson"]
SETS = 8
AND = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]


def tied(seed: int, features: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Small whole numbers, and the origin, where a score is b; every second set has a row with both labels."""
    random = np.random.default_rng(seed)
    X = random.integers(-2, 3, (random.integers(4, 9), features)).astype(float)
    normal = random.integers(-2, 3, features + 1)
    y = np.where(X @ normal[:-1] + normal[-1] > 0, 1, -1)
    X, y = np.vstack([np.zeros(features), X, X[:1]]), np.append(np.append(1, y), y[0])
    if seed % 2:
        X, y = np.vstack([X, X[-1:]]), np.append(y, -y[-1])
    y[1:3] = 1, -1
    return X, y


def write(path: Path, X: np.ndarray, y: np.ndarray) -> Path:
    """Write a file whose features have the names that rows without names get."""
    columns = {f"x{j + 1}": X[:, j] for j in range(X.shape[1])}
    pd.DataFrame({**columns, "label": y}).to_csv(path, index=False)
    return path


def command_trace(path: Path) -> pd.DataFrame:
    """Read the file of ``train --trace``."""
    names, *rows = csv.reader(path.read_text().splitlines())
    read = {"": None, "yes": True, "no": False}
    rows = [[read[cell] if cell in read else float(cell) for cell in row] for row in rows]
    return pd.DataFrame(rows, columns=names)


def cells(table: pd.DataFrame) -> dict[str, list]:
    """Return the columns, with None where a cell is missing."""
    return {name: [None if pd.isna(cell) else cell for cell in table[name]] for name in table}


def assert_same_trace(ours: pd.DataFrame, theirs: pd.DataFrame) -> None:
    assert list(ours) == list(theirs)
    assert len(ours) > 1
    assert cells(ours) == cells(theirs)


def assert_same_report(model: Perceptron, told: dict) -> None:
    """The command also compares weights that are not kept, and one of them can prove a bound."""
    of_other_weights = {"errors", "margin", "separator", "novikoff_bound", "guarantee"}
    same = model.report_.keys() - of_other_weights
    assert same >= {"mistakes_per_epoch", "updates", "converged", "training_errors", "radius"}
    for name in same:
        assert model.report_[name] == told[name], name


@pytest.mark.parametrize("seed", range(SETS))
@pytest.mark.parametrize(("name", "init"), [*((name, None) for name in NOTES), ("varner", "zero")])
def test_notes_are_those_of_the_command(run, tmp_path, name, init, seed):
    X, y = tied(seed)
    write(tmp_path / "set.csv", X, y)
    words = ["--epochs", 40, "--trace", "trace.csv", "--json", "--quiet"]
    changes = {"max_iter": 40}
    if init is not None:
        words += ["--init", init]
        changes["init"] = init
    elif name in DRAWN:
        words += ["--seed", seed]
        changes["random_state"] = seed
    told = json.loads(run("train", "set.csv", "--notes", name, *words))
    model = Perceptron.notes(name, **changes).fit(X, y)
    assert model.coef_.tolist() == [told["w"]]
    assert model.intercept_.tolist() == [told["b"]]
    assert_same_report(model, told)
    found = trace(X, y, notes=name, **changes)
    assert_same_trace(found, command_trace(tmp_path / "trace.csv"))
    last = found.iloc[-1]
    assert [last["w1"], last["w2"]] == told["w"]
    assert (found["step"].iloc[1:] != 0).sum() == told["updates"]


def by_hand(name: str, X: np.ndarray, y: np.ndarray, visits: pd.DataFrame) -> list[tuple]:
    """Return score, mistake, weights and b of each visit, in the order of examples and from the start of a trace."""
    radius = max(sum(Fraction(a) ** 2 for a in row) for row in X.tolist())
    offset = float(radius) if name == "shalizi" else 1.0
    threshold = name == "lauer"
    w = [visits["w1"][0], visits["w2"][0]]
    b = -visits["threshold"][0] if threshold else visits["b"][0]
    rows = []
    for example in visits["example"].iloc[1:]:
        x, sign = X[example - 1].tolist(), int(y[example - 1])
        terms = [Fraction(a) * Fraction(c) for a, c in zip(w, x, strict=True)]
        score = float(sum(terms) + Fraction(b))
        is_wrong = (1 if score >= 0 else -1) != sign
        mistake = sign * score <= 0 if name in BOTH_WRONG else is_wrong
        if mistake:
            w = [a + sign * c for a, c in zip(w, x, strict=True)]
            b += sign * offset
        rows.append((score, mistake, *w, -b if threshold else b))
    return rows


@pytest.mark.parametrize("seed", range(SETS))
@pytest.mark.parametrize("name", NOTES)
def test_a_trace_is_the_run_by_hand(name, seed):
    X, y = tied(seed)
    visits = trace(X, y, notes=name, max_iter=40, random_state=seed)
    columns = ["score", "mistake", "w1", "w2", "threshold" if name == "lauer" else "b"]
    assert list(visits[columns].iloc[1:].itertuples(index=False, name=None)) == by_hand(
        name, X, y, visits
    )
    order = [epoch["example"].tolist() for _, epoch in visits.iloc[1:].groupby("epoch")]
    assert all(sorted(epoch) == list(range(1, len(y) + 1)) for epoch in order)
    assert (order[0] != sorted(order[0])) == name.startswith("dsc255")
    starts = visits[["w1", "w2"]].iloc[0].abs().tolist()
    assert all(0 < start <= 1 for start in starts) if name == "varner" else starts == [0, 0]


@pytest.mark.parametrize("name", NOTES[1:])
def test_the_sets_have_ties(name):
    runs = [trace(*tied(seed), notes=name, max_iter=40) for seed in range(SETS)]
    assert sum((run["score"].iloc[2:] == 0).any() for run in runs) > SETS / 2


@pytest.mark.parametrize("seed", range(SETS))
def test_a_model_reads_a_score_of_0_as_its_notes(seed):
    X, y = tied(seed)
    for name in NOTES:
        model = Perceptron.notes(name, max_iter=3).fit(X, y)
        scores = model.decision_function(X)
        expected = scores > 0 if name == "carson" else scores >= 0
        assert (model.predict(X) > 0).tolist() == expected.tolist()


@pytest.mark.parametrize("seed", range(SETS))
def test_the_vote_is_that_of_the_command(run, tmp_path, seed):
    X, y = tied(seed)
    write(tmp_path / "set.csv", X, y)
    words = ["--keep", "vote", "--epochs", 9, "--seed", seed, "--json", "--quiet", "-o", "model"]
    told = json.loads(run("train", "set.csv", "--notes", "dsc255-1", *words))
    model = Perceptron.notes("dsc255-1", keep="vote", max_iter=9, random_state=seed).fit(X, y)
    assert_same_report(model, told)
    lines = run("predict", "model", "set.csv", "--scores").splitlines()
    predicted = [line.split("\t") for line in lines]
    assert model.predict(X).tolist() == [int(line[0]) for line in predicted]
    assert model.decision_function(X).tolist() == [float(line[1]) for line in predicted]
    theirs = load(tmp_path / "model")
    assert (
        theirs.predict(pd.DataFrame(X, columns=["x1", "x2"])).tolist() == model.predict(X).tolist()
    )


def test_parameters_that_are_given_win():
    model = Perceptron.notes("lauer", eta0=0.5, zero="negative", max_iter=7, scale="maxabs")
    assert (model.eta0, model.zero, model.max_iter, model.scale) == (0.5, "negative", 7, "maxabs")
    assert (model.mistake, model.keep, model.shuffle) == ("label", "last", False)
    X, y = tied(2)
    shuffled = [
        Perceptron.notes("lauer", **change).fit(X, y).coef_.tolist()
        for change in ({"shuffle": True}, {"order": "shuffle"})
    ]
    assert shuffled[0] == shuffled[1] != Perceptron.notes("lauer").fit(X, y).coef_.tolist()
    through_origin = Perceptron.notes("lauer", fit_intercept=False).fit(X, y)
    assert through_origin.intercept_ == 0


def test_a_name_that_no_notes_have():
    for call in (Perceptron.notes, lambda name: trace(*AND, notes=name)):
        for name in ("Lauer", "", 3):
            with pytest.raises(ValueError, match="there are varner, lauer, shalizi") as error:
                call(name)
            assert repr(str(name)).strip("'") in str(error.value)


# First weights that are drawn.


@pytest.mark.parametrize("classes", ["one-vs-rest", "joint"])
@pytest.mark.parametrize("scale", [None, "auto"])
@pytest.mark.parametrize("seed", [0, 5, 2**64 - 1])
def test_drawn_weights_are_those_of_the_command(run, tmp_path, seed, scale, classes):
    random = np.random.default_rng(0)
    X, y = random.normal(7, 2, (30, 4)), np.arange(30) % 3
    write(tmp_path / "set.csv", X, y)
    words = ["--init", "random", "--seed", seed, "--epochs", 3, "--classes", classes]
    words += ["--scale", scale or "none", "--keep", "last", "--quiet", "-o", "model"]
    run("train", "set.csv", *words, *(NEGATIVE if classes == "one-vs-rest" else []))
    theirs = load(tmp_path / "model")
    options = {"init": "random", "random_state": seed, "max_iter": 3, "classes": classes}
    model = Perceptron(**options, keep="last", scale=scale).fit(X, y)
    assert model.coef_.tobytes() == theirs.coef_.tobytes()
    assert model.intercept_.tobytes() == theirs.intercept_.tobytes()
    assert theirs.init == "random"
    other = Perceptron(**{**options, "random_state": 1}, keep="last", scale=scale).fit(X, y)
    assert (other.coef_ != model.coef_).any()


def test_drawn_weights_exclude_others():
    with pytest.raises(ValueError, match="init='random' and first weights"):
        Perceptron(init="random").fit(*AND, intercept_init=[1])
    for options in ({"keep": "vote"}, {"kernel": "linear"}):
        with pytest.raises(ValueError, match="begin at random are no combination of rows"):
            Perceptron(init="random", **options).fit(*AND)
    assert not hasattr(Perceptron(init="random"), "partial_fit")
    with pytest.raises(AttributeError, match="use init='zero', not 'random'"):
        Perceptron(init="random").partial_fit(*AND, classes=[0, 1])
    with pytest.raises(ValueError, match="'zero', 'random'. Got 'ones' instead"):
        Perceptron(init="ones").fit(*AND)
    assert "init" not in KernelPerceptron().get_params()


def test_a_second_fit_goes_on_from_the_weights_of_the_first():
    X, y = tied(3)
    twice = Perceptron.notes("varner", max_iter=3, warm_start=True).fit(X, y).fit(X, y)
    once = Perceptron.notes("varner", max_iter=6).fit(X, y)
    assert twice.coef_.tolist() == once.coef_.tolist()


def test_older_pickles_have_no_init():
    model = Perceptron().fit(*AND)
    state = model.__getstate__()
    del state["init"]
    older = Perceptron.__new__(Perceptron)
    older.__setstate__(state)
    assert older.init == "zero"
    drawn = pickle.loads(pickle.dumps(Perceptron(init="random").fit(*AND)))
    assert drawn.init == "random"


# A trace without notes.


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ([], {}),
        (["--kernel", "poly:2"], {"kernel": "poly:2"}),
        (["--update", "pa1:0.5", "--bias", "unit:2"], {"update": "pa1:0.5", "bias": "unit:2"}),
        (["--penalty", "l2:0.01", "--eta", "0.5"], {"penalty": "l2", "alpha": 0.01, "eta0": 0.5}),
        (
            ["--class-weight", "balanced", "--normalise", "l2"],
            {"class_weight": "balanced", "normalise": "l2"},
        ),
        (["--keep", "vote", "--order", "given"], {"keep": "vote", "shuffle": False}),
        (["--order", "mistaken", "--eta", "1/t"], {"order": "mistaken", "eta0": "1/t"}),
    ],
)
def test_a_trace_is_that_of_the_command(run, tmp_path, words, options):
    X, y = tied(4, features=3)
    write(tmp_path / "set.csv", X, y)
    words = [*words, *NEGATIVE, "--epochs", 9, "--trace", "trace.csv", "--json", "--quiet"]
    told = run("train", "set.csv", *words)
    theirs = command_trace(tmp_path / "trace.csv")
    for rows in (X, sparse.csr_matrix(X), pd.DataFrame(X, columns=["x1", "x2", "x3"])):
        found = trace(rows, y, max_iter=9, **options)
        assert_same_trace(found, theirs)
    assert (found["step"].iloc[1:] != 0).sum() == json.loads(told)["updates"]
    few = trace(X, y, epochs=2, max_iter=9, **options)
    assert_same_trace(few, theirs[theirs["epoch"].isna() | (theirs["epoch"] <= 2)])


def test_a_trace_begins_with_given_weights():
    found = trace(*AND, notes="lauer", coef_init=[[0.5, -1]], intercept_init=[2], epochs=1)
    assert found[["w1", "w2", "threshold"]].iloc[0].tolist() == [0.5, -1, -2]
    assert found["score"][1] == 2


def test_a_trace_has_the_names_of_the_features():
    table = pd.DataFrame(AND[0], columns=["age", "score"])
    found = trace(table, AND[1], scale=None, epochs=1)
    assert {"age", "x_score", "w_age", "w_score"} <= set(found)
    table = pd.DataFrame(np.eye(4, 3), columns=["a", "w_a", "x_w_a"])
    with pytest.raises(ValueError, match="two columns of the trace have the name 'x_w_a'"):
        trace(table, AND[1])


def test_a_trace_without_pandas(monkeypatch):
    with_pandas = trace(*AND, notes="carson")
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "pandas", None)
        columns = trace(*AND, notes="carson")
    assert type(columns) is dict
    assert columns == cells(with_pandas)
    assert columns["mistake"][:3] == [None, True, False]


def test_a_long_trace_has_its_first_visits():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    with pytest.warns(UserWarning, match=re.escape("epochs=N has N epochs")):
        found = trace(X, y, notes="lauer", max_iter=3000)
    assert len(found) == 10_001
    assert len(trace(X, y, notes="lauer", max_iter=3000, epochs=2999)) == 1 + 4 * 2999
    # Exactly as many visits as a trace has.
    assert len(trace(X, y, notes="lauer", max_iter=2500)) == 10_001
    with pytest.raises(
        ValueError, match="a trace has at most 5592405 visits of 2 features: use epochs=1398101"
    ):
        trace(X, y, notes="lauer", max_iter=10**9, epochs=10**8)


@pytest.mark.parametrize(
    ("y", "options", "message"),
    [
        ([0, 1, 2, 1], {}, "y has 3: trace(X, y == LABEL)"),
        ([1, 1, 1, 1], {}, "y has 1"),
        (AND[1], {"tol": 1e-3}, "a trace is of a run with tol=None, not 0.001"),
        (
            AND[1],
            {"early_stopping": True},
            "a trace is of a run with early_stopping=False, not True",
        ),
        (AND[1], {"epochs": 0}, "'epochs' parameter of trace must be a whole number of at least 1"),
        (AND[1], {"init": "random", "coef_init": [[1, 2]]}, "exclude one another"),
        (AND[1], {"class_weight": {0: 0, 1: 1}}, "has the weight 0"),
        (AND[1], {"coef_init": [[1, 2, 3]]}, "coef_init does not match dataset"),
    ],
)
def test_what_cannot_be_traced(y, options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        trace(AND[0], y, **options)
    with pytest.raises(TypeError, match="colour"):
        trace(*AND, colour="red")


# Sweeps of a study.


@pytest.mark.parametrize(
    ("sweep", "holdout"),
    [("margin", 0.3), ("margin", None), ("scale", 0.25), ("units", None), ("outlier", 0.5)],
)
def test_a_sweep_is_that_of_the_command(run, tmp_path, sweep, holdout):
    random = np.random.default_rng(1)
    X = random.integers(-9, 10, (24, 2)) + 0.5
    y = np.where(X @ [1, 2] > 0, 1, -1)
    write(tmp_path / "set.csv", X, y)
    words = ["--runs", 3, "--seed", 2, "--sweep", sweep, "--json"]
    told = json.loads(
        run("study", "set.csv", *words, *(["--holdout", holdout, *NEGATIVE] if holdout else []))
    )
    found = study(X, y, runs=3, seed=2, sweep=sweep, holdout=holdout)
    assert found.sweep == told["sweep"]
    assert ("held_out_errors" in found.sweep[0]) == (holdout is not None)
    del told["seconds"]
    assert found.details == told
    assert found.updates.tolist() == [one["updates"] for one in told["per_run"]]


def test_a_sweep_makes_20_runs():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    found = study(X, y, sweep="units")
    assert found.runs == 20
    assert [point["runs"] for point in found.sweep] == [20] * 7
    assert [point["factor"] for point in found.sweep] == [4.0**k for k in range(-3, 4)]
    assert study(X, y).runs == 100
    assert study(X, y).sweep == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"sweep": "radius"},
            "one of None, 'margin', 'scale', 'units', 'outlier'. Got 'radius' instead",
        ),
        ({"holdout": 0.3}, "holdout needs sweep"),
        (
            {"sweep": "margin", "holdout": 1},
            "'holdout' parameter of study must be a number between 0 and 1",
        ),
        ({"sweep": "margin", "holdout": math.nan}, "a number between 0 and 1"),
        ({"runs": 0}, "'runs' parameter of study must be a whole number of at least 1"),
    ],
)
def test_a_sweep_that_cannot_be(options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        study(*AND, **options)
    with pytest.raises(ValueError, match="no hyperplane separates the examples"):
        study([[0], [1], [2]], [0, 1, 0], sweep="margin")

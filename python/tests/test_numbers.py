"""Numbers of rules and kernels as parameters: the model of the text, searches, and what contradicts."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import loguniform
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import RandomizedSearchCV, cross_val_score
from sklearn.svm import SVC

import rosenblatt
from rosenblatt import KernelPerceptron, Perceptron, PerceptronCV, VotedPerceptron, trace

X, Y = load_iris(return_X_y=True)
RULES = ["margin", "pa1", "pa2", "arow", "second-order"]
THIRD = 1 / 3
NUMBERS = [0.1, THIRD, 1, 3e-7, 1e22, 5e-324, np.float32(0.1), np.float64(7.3)]


def options_of(model) -> str:
    return model._run.to_json()


def text(number) -> str:
    return np.format_float_positional(np.float64(number), unique=True, trim="0")


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("number", [0.1, THIRD, 2, np.float32(0.1)], ids=repr)
def test_a_rule_has_its_number_from_c(rule, number):
    of_number = Perceptron(update=rule, C=number, max_iter=3).fit(X, Y)
    of_text = Perceptron(update=f"{rule}:{text(number)}", max_iter=3).fit(X, Y)
    assert of_number.coef_.tobytes() == of_text.coef_.tobytes()
    assert of_number.intercept_.tobytes() == of_text.intercept_.tobytes()
    assert options_of(of_number) == options_of(of_text)


@pytest.mark.parametrize("number", NUMBERS, ids=repr)
def test_the_engine_has_the_number_itself(number):
    model = Perceptron(update="margin", C=number, max_iter=1).fit(X, Y == 0)
    told = re.search(r'"update":"margin:([^"]+)"', options_of(model))
    assert float(told[1]) == float(number)


def test_every_rule_with_a_number_takes_c():
    with pytest.raises(ValueError, match="expected") as error:
        Perceptron(update="x").fit(X, Y)
    forms = re.findall(r"([a-z0-9-]+):[A-Z]\b", str(error.value))
    assert forms == RULES


@pytest.mark.parametrize(
    ("words", "parameters"),
    [
        ("rbf:0.1", {"kernel": "rbf", "gamma": 0.1}),
        (f"rbf:{THIRD!r}", {"kernel": "rbf", "gamma": np.float64(THIRD)}),
        ("rbf:0.25", {"kernel": "rbf", "gamma": "auto"}),
        ("poly:3", {"kernel": "poly", "degree": 3}),
        ("poly:2:0.5", {"kernel": "poly", "degree": np.int64(2), "coef0": 0.5}),
        ("poly:2:1:0.5", {"kernel": "poly", "degree": 2, "gamma": 0.5}),
        ("poly:2:1:0.25", {"kernel": "poly", "degree": 2, "gamma": "auto"}),
        ("poly:3:0:2", {"kernel": "poly", "degree": 3, "coef0": 0, "gamma": 2}),
    ],
)
def test_a_kernel_has_its_numbers_from_parameters(words, parameters):
    for kind in (KernelPerceptron, VotedPerceptron, Perceptron):
        of_numbers = kind(max_iter=3, **parameters).fit(X, Y)
        of_text = kind(max_iter=3, kernel=words).fit(X, Y)
        assert options_of(of_numbers) == options_of(of_text)
        assert of_numbers.support_counts_.tobytes() == of_text.support_counts_.tobytes()
        if kind is not VotedPerceptron:
            assert of_numbers.dual_coef_.tobytes() == of_text.dual_coef_.tobytes()
        assert (of_numbers.predict(X) == of_text.predict(X)).all()


def gamma_of(model) -> float:
    return float(re.search(r'"kernel":"rbf:([^"]+)"', options_of(model))[1])


def test_scale_is_that_of_svc():
    rows, signs = [[1, 0], [3, 4]], [0, 1]
    # The mean of the values is 2, and their variance (1 + 4 + 1 + 4) / 4.
    model = KernelPerceptron("rbf", gamma="scale", scale=None).fit(rows, signs)
    assert gamma_of(model) == 1 / (2 * 2.5)
    model = KernelPerceptron("rbf", gamma="scale", scale=None).fit(X, Y)
    assert gamma_of(model) == pytest.approx(SVC().fit(X, Y)._gamma, rel=1e-14)
    zeros = KernelPerceptron("rbf", gamma="scale", scale=None, max_iter=1).fit(0 * X, Y)
    assert gamma_of(zeros) == SVC().fit(0 * X, Y)._gamma == 1


def test_scale_is_of_the_scaled_rows():
    rows = X * [1, 1000, 1e-3, 1]
    weights = np.arange(150) % 3 + 1.0
    model = KernelPerceptron("rbf", gamma="scale", max_iter=3).fit(rows, Y, weights)
    # With this margin every row supports the model.
    every = KernelPerceptron("linear", update="margin", C=1e9, max_iter=1).fit(rows, Y, weights)
    scaled = every.support_vectors_.toarray()
    assert scaled.shape == (150, 4)
    assert gamma_of(model) == pytest.approx(1 / (4 * scaled.var()), rel=1e-12)
    assert rows.var() > 1000


def test_scale_does_not_depend_on_the_form_of_the_rows():
    random = np.random.default_rng(3)
    matrix = sparse.random(60, 7, density=0.3, random_state=5, format="csr").astype(np.float32)
    labels = random.integers(0, 2, 60)
    order = random.permutation(60)
    for scale in (None, "auto"):
        model = KernelPerceptron("rbf", gamma="scale", scale=scale, max_iter=3)
        forms = [matrix, matrix.toarray(), matrix.toarray(order="F").astype(np.float64)]
        found = [gamma_of(clone(model).fit(form, labels)) for form in forms]
        assert len(set(found)) == 1
        if scale is None:
            assert gamma_of(clone(model).fit(matrix[order], labels[order])) == found[0]
            assert found[0] == pytest.approx(1 / (7 * matrix.toarray().astype(float).var()))


def test_scale_says_what_is_past_the_range():
    with pytest.raises(ValueError, match="gamma='scale'.*range"):
        KernelPerceptron("rbf", gamma="scale", scale=None).fit([[1e200], [-1e200]], [0, 1])


def test_a_search_over_numbers():
    search = RandomizedSearchCV(
        Perceptron(update="pa1", max_iter=3),
        {"C": loguniform(1e-3, 1e3)},
        n_iter=4,
        cv=3,
        random_state=0,
        error_score="raise",
    ).fit(X, Y)
    assert isinstance(search.best_params_["C"], float)
    drawn = search.cv_results_["param_C"].tolist()
    assert len(set(drawn)) == 4
    by_text = [
        cross_val_score(Perceptron(update=f"pa1:{c!r}", max_iter=3), X, Y, cv=3).mean()
        for c in drawn
    ]
    assert search.cv_results_["mean_test_score"].tolist() == by_text

    space = {"gamma": loguniform(1e-3, 10), "update": ["pa1"], "C": loguniform(0.01, 10)}
    model = KernelPerceptron("rbf", max_iter=3)
    search = RandomizedSearchCV(model, space, n_iter=4, cv=3, random_state=0, error_score="raise")
    search.fit(X, Y)
    assert all(isinstance(search.best_params_[name], float) for name in ("C", "gamma"))
    assert search.best_score_ > 0.8


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"update": "pa1:0.5", "C": 1.0},
            "update='pa1:0.5' and C=1.0 both give the number of the rule: leave out C, or use update='pa1'",
        ),
        ({"C": 1.0}, "update='perceptron' has no number, and C=1.0 is one: leave out C"),
        ({"update": "pa", "C": 1.0}, "update='pa' has no number, and C=1.0 is one: leave out C"),
        ({"update": "pa1", "C": 0}, 'update is "pa1:0.0": expected'),
        ({"update": "x", "C": 1}, 'update is "x:1.0": expected'),
        ({"update": "pa1"}, 'update is "pa1": expected'),
        (
            {"gamma": 0.5},
            "kernel=None has no numbers, and gamma=0.5 is one: leave out gamma, or use kernel='rbf'",
        ),
        (
            {"degree": 2},
            "kernel=None has no numbers, and degree=2 is one: leave out degree, or use kernel='poly'",
        ),
        (
            {"kernel": "rbf:0.5", "gamma": 1.0},
            "kernel='rbf:0.5' and gamma=1.0 both give numbers of the kernel: leave out gamma, or use kernel='rbf'",
        ),
        ({"kernel": "poly:2", "gamma": "auto"}, "kernel='poly:2' and gamma='auto' both give"),
        (
            {"kernel": "rbf", "gamma": 1, "coef0": 1},
            "kernel='rbf' has no coef0, and coef0=1 is one",
        ),
        ({"kernel": "rbf", "gamma": 1, "degree": 2}, "kernel='rbf' has no degree"),
        ({"kernel": "linear", "gamma": "scale"}, "kernel='linear' has no gamma"),
        ({"kernel": "poly", "gamma": 0.5}, "kernel='poly' needs a degree: for instance degree=2"),
        ({"kernel": "rbf"}, "kernel='rbf' needs a gamma: for instance gamma='auto'"),
        ({"kernel": "rbf", "degree": 2}, "kernel='rbf' needs a gamma"),
        ({"kernel": "x", "gamma": 0.5}, 'kernel is "x": expected'),
        ({"kernel": "x", "degree": 2}, 'kernel is "x": expected'),
        (
            {"kernel": "rbf", "gamma": "scale", "scale": "minmax"},
            "gamma='scale' is for scale=None and scale='auto' alone, not for scale='minmax': use gamma='auto'",
        ),
        ({"kernel": "rbf", "gamma": "scale", "normalise": "l2"}, "not for normalise='l2'"),
    ],
)
def test_what_contradicts(parameters, message):
    model = Perceptron(**parameters)
    with pytest.raises(ValueError, match=re.escape(message)):
        model.fit(X, Y)
    if "kernel" not in parameters:
        with pytest.raises(ValueError, match=re.escape(message)):
            model.partial_fit(X, Y, classes=[0, 1, 2])


def test_batches_files_and_old_pickles(tmp_path):
    of_number = Perceptron(update="pa1", C=THIRD).partial_fit(X, Y, classes=[0, 1, 2])
    of_text = Perceptron(update=f"pa1:{THIRD!r}").partial_fit(X, Y, classes=[0, 1, 2])
    assert of_number.coef_.tobytes() == of_text.coef_.tobytes()
    of_number.set_params(C=2).partial_fit(X, Y)
    of_text.set_params(update="pa1:2").partial_fit(X, Y)
    assert of_number.coef_.tobytes() == of_text.coef_.tobytes()
    assert options_of(of_number) == options_of(of_text)

    model = KernelPerceptron("rbf", gamma=THIRD, update="pa1", C=0.5, max_iter=3).fit(X, Y)
    model.save(tmp_path / "model")
    read = rosenblatt.load(tmp_path / "model")
    assert (read.kernel, read.gamma, read.update, read.C) == (
        f"rbf:{THIRD!r}",
        None,
        "pa1:0.5",
        None,
    )
    assert clone(read).fit(X, Y).dual_coef_.tobytes() == model.dual_coef_.tobytes()
    assert "gamma" in model._repr_html_()

    state = clone(model).__getstate__()
    for name in ("C", "gamma", "degree", "coef0"):
        del state[name]
    old = KernelPerceptron.__new__(KernelPerceptron)
    old.__setstate__({**state, "kernel": "poly:2", "update": "pa1:0.5"})
    assert pickle.loads(pickle.dumps(old)).fit(X, Y).gamma is None


def test_other_uses_of_the_rule():
    signs = Y == 0
    assert trace(X, signs, update="pa1", C=0.5, epochs=1).equals(
        trace(X, signs, update="pa1:0.5", epochs=1)
    )
    with pytest.raises(ValueError, match="the settings choose update: leave out update='pa1'"):
        PerceptronCV(Perceptron(update="pa1", C=0.5)).fit(X, Y)
    with pytest.raises(ValueError, match="leave out C"):
        PerceptronCV(Perceptron(C=0.5)).fit(X, Y)

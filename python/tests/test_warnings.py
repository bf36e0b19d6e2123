"""A `ConvergenceWarning` exactly when mistakes remain at `max_iter`, and no other warning."""

from __future__ import annotations

import inspect
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rosenblatt import KernelPerceptron, Perceptron, VotedPerceptron, separable, study, verify

POINTS = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
AND, XOR = np.array([0, 0, 0, 1]), np.array([0, 1, 1, 0])


@pytest.fixture(autouse=True)
def every_warning_is_an_error():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def ordered(**options) -> Perceptron:
    """AND in the order given makes 2, 3, 3, 2, 2, 3, 2, 1 and 0 mistakes, by hand."""
    return Perceptron(keep="last", shuffle=False, **options)


@pytest.mark.parametrize("max_iter", range(1, 9))
def test_mistakes_that_remain_are_told(max_iter):
    mistakes = [2, 3, 3, 2, 2, 3, 2, 1][max_iter - 1]
    message = f"^{mistakes} mistakes? remain.* in epoch {max_iter}, .* max_iter={max_iter} allows"
    with pytest.warns(ConvergenceWarning, match=message) as caught:
        model = ordered(max_iter=max_iter).fit(POINTS, AND)
    assert len(caught) == 1
    assert "Raise max_iter" in str(caught[0].message)
    assert not model.report_["converged"]


def test_a_clean_last_epoch_is_silent():
    for max_iter in (9, 10, 1000):
        model = ordered(max_iter=max_iter).fit(POINTS, AND)
        assert model.report_["converged"]
        assert model.n_iter_ == 9


def test_mistakes_that_are_allowed_are_silent():
    # The first epoch with at most one mistake is the eighth.
    assert ordered(max_iter=8, max_mistakes=1).fit(POINTS, AND).n_iter_ == 8
    assert ordered(max_iter=1, max_mistakes=2).fit(POINTS, AND).n_iter_ == 1
    with pytest.warns(ConvergenceWarning, match="^2 mistakes"):
        ordered(max_iter=1, max_mistakes=1).fit(POINTS, AND)


def test_an_end_by_tol_is_silent():
    model = ordered(tol=1e-3, n_iter_no_change=2).fit(POINTS, XOR)
    assert model.report_["stopped_by"] == "tol"
    assert model.n_iter_ < 1000
    # Here `max_iter` ends the run, and mistakes remain.
    with pytest.warns(ConvergenceWarning, match="max_iter=2 allows"):
        ordered(tol=1e-3, n_iter_no_change=50, max_iter=2).fit(POINTS, XOR)


def test_an_end_by_held_out_errors_is_silent():
    X, y = np.tile(POINTS, (5, 1)), np.tile(XOR, 5)
    model = Perceptron(
        keep="last", early_stopping=True, validation_fraction=0.5, n_iter_no_change=2
    ).fit(X, y)
    assert model.n_iter_ < 1000


@pytest.mark.parametrize(
    "model",
    [Perceptron(keep="last", max_iter=20), KernelPerceptron("linear", keep="last", max_iter=20)],
    ids=repr,
)
@pytest.mark.parametrize("layout", [np.asarray, sparse.csr_matrix, pd.DataFrame])
def test_xor_warns_wherever_no_hyperplane_separates(model, layout):
    with pytest.warns(ConvergenceWarning, match="max_iter=20") as caught:
        model.fit(layout(POINTS), XOR)
    assert len(caught) == 1


@pytest.mark.parametrize(
    "model",
    [
        Perceptron(max_iter=20),
        Perceptron(max_iter=20, keep="average"),
        Perceptron(max_iter=20, keep="pocket"),
        VotedPerceptron(max_iter=20),
        KernelPerceptron("linear", max_iter=20),
    ],
    ids=repr,
)
def test_weights_that_need_no_clean_epoch_are_silent(model):
    assert not model.fit(POINTS, XOR).report_["converged"]


def test_without_max_iter_a_run_on_noise_ends_and_is_silent():
    # Each epoch makes about as many mistakes as the first.
    X, y = np.tile(POINTS, (2500, 1)), np.tile(XOR, 2500)
    model = Perceptron().fit(X, y)
    assert (model.report_["stopped_by"], model.n_iter_) == ("plateau", 10)
    with pytest.warns(ConvergenceWarning, match="in epoch 10, the last. Raise max_iter"):
        Perceptron(keep="last").fit(X, y)
    # Other parameters that say when a run ends leave it to them.
    assert Perceptron(tol=1e-3, n_iter_no_change=20).fit(X, y).report_["stopped_by"] == "tol"


def test_a_margin_rule_warns_of_mistakes_and_not_of_updates():
    # By hand: both examples are mistakes first, w = 2, b = 0; after that, only their margin is too small.
    model = Perceptron(keep="last", update="margin:1e9", max_iter=3, shuffle=False).fit(
        [[-1], [1]], [0, 1]
    )
    assert model.history_["mistakes"].tolist() == [2, 0, 0]
    assert model.history_["updates"].tolist() == [2, 2, 2]


def test_three_classes_warn_once():
    with pytest.warns(ConvergenceWarning) as caught:
        Perceptron(keep="last", max_iter=2).fit(POINTS, [0, 1, 2, 1])
    assert len(caught) == 1


@pytest.mark.parametrize(
    "model",
    [
        Perceptron(keep="last", max_iter=2),
        KernelPerceptron("linear", keep="last", max_iter=2),
    ],
)
def test_it_points_to_the_line_of_the_caller(model):
    # The warning's level must count the wrapper of scikit-learn's callbacks.
    with pytest.warns(ConvergenceWarning) as caught:
        here = inspect.currentframe().f_lineno + 1
        model.fit(POINTS, XOR)
    assert (caught[0].filename, caught[0].lineno) == (__file__, here)


def test_separable_data_are_silent():
    table = pd.DataFrame(POINTS, columns=["a", "b"], index=[3, 2, 1, 0])
    text = np.array(["no", "no", "no", "yes"])
    for model in (
        Perceptron(keep="last"),
        Perceptron(keep="average", update="pa1:1"),
        Perceptron(keep="pocket", random_state=None),
        KernelPerceptron("poly:2"),
        VotedPerceptron(),
    ):
        for rows in (POINTS, POINTS.tolist(), POINTS.astype(np.float32), table):
            for y in (AND, AND.tolist(), text, pd.Series(text)):
                fitted = model.fit(rows, y, sample_weight=[1, 2, 1, 1])
                fitted.predict(rows)
                fitted.decision_function(rows)
                fitted.score(rows, y)
                pickle.loads(pickle.dumps(fitted))
        model.fit(sparse.csr_matrix(POINTS), AND).predict(sparse.csr_matrix(POINTS))
    pipeline = make_pipeline(StandardScaler(), Perceptron(keep="last")).set_output(
        transform="pandas"
    )
    pipeline.fit(table, text).predict(table)


def test_streams_and_functions_are_silent():
    model = Perceptron(keep="last")
    for _ in range(3):
        model.partial_fit(POINTS, XOR, classes=[0, 1], sample_weight=[1, 1, 2, 2])
    model.partial_fit(sparse.csr_matrix(POINTS), XOR).predict(POINTS)
    found = separable(POINTS, XOR)
    assert verify(found.certificate, POINTS, XOR)
    assert study(POINTS, XOR, runs=3, max_iter=5).converged == 0

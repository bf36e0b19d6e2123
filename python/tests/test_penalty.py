"""Penalties: the weights of scikit-learn for equal steps, grids, streams and files."""

from __future__ import annotations

import pickle
import re
import warnings

import numpy as np
import pytest
from conftest import plain
from scipy import sparse
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.preprocessing import StandardScaler

import rosenblatt

PENALTIES = ["l2", "l1", "elasticnet"]


def tumours():
    X, y = load_breast_cancer(return_X_y=True)
    return StandardScaler().fit_transform(X), y


def ours(epochs: int, **parameters):
    return plain(keep="last", shuffle=False, max_iter=epochs, **parameters)


def theirs(epochs: int, **parameters):
    return SGDClassifier(
        loss="perceptron",
        learning_rate="constant",
        shuffle=False,
        max_iter=epochs,
        tol=None,
        **parameters,
    )


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("alpha", [1e-4, 0.01, 0.3])
@pytest.mark.parametrize("eta0", [1.0, 0.5])
def test_weights_are_those_of_scikit_learn(penalty, alpha, eta0):
    X, y = tumours()
    equal = {"penalty": penalty, "alpha": alpha, "eta0": eta0, "l1_ratio": 0.3}
    for epochs in (1, 3):
        own, other = ours(epochs, **equal).fit(X, y), theirs(epochs, **equal).fit(X, y)
        np.testing.assert_allclose(own.coef_, other.coef_, rtol=1e-9, atol=1e-11)
        np.testing.assert_allclose(own.intercept_, other.intercept_, rtol=1e-9, atol=1e-11)
        assert own.report_["converged"] is False
        assert "novikoff_bound" not in own.report_


@pytest.mark.parametrize("penalty", PENALTIES)
def test_weights_of_sparse_rows_are_those_of_scikit_learn(penalty):
    # Without an intercept, whose steps scikit-learn makes smaller for sparse rows.
    random = np.random.default_rng(5)
    X = sparse.random(300, 40, density=0.1, random_state=5, format="csr")
    y = (X @ random.normal(size=40) > 0).astype(int)
    equal = {"penalty": penalty, "alpha": 0.01, "eta0": 1.0, "fit_intercept": False}
    own, other = ours(3, **equal).fit(X, y), theirs(3, **equal).fit(X, y)
    np.testing.assert_allclose(own.coef_, other.coef_, rtol=1e-9, atol=1e-12)
    zeros = (own.coef_ == 0).sum()
    assert (penalty == "l2" and zeros == 0) or zeros > 0
    assert np.array_equal(own.coef_, ours(3, **equal).fit(X.toarray(), y).coef_)


def test_the_average_is_that_of_the_visits():
    X, y = tumours()
    equal = {"penalty": "l2", "alpha": 0.01, "eta0": 1.0}
    average = plain(keep="average", shuffle=False, max_iter=1, **equal).fit(X, y)
    sgd = theirs(1, average=True, **equal).fit(X, y)
    np.testing.assert_allclose(average.coef_, sgd.coef_, rtol=1e-9, atol=1e-11)


def test_a_grid_over_penalties():
    X, y = tumours()
    grid = {
        "penalty": [None, *PENALTIES],
        "alpha": [0, 1e-4, 1e-2, 1, 100],
        "l1_ratio": [0, 0.5, 1],
    }
    search = GridSearchCV(plain(max_iter=3), grid, cv=2, error_score="raise").fit(X, y)
    assert search.best_score_ > 0.95


def test_batches_make_one_stream(tmp_path):
    X, y = tumours()
    for keep in ("last", "average"):
        equal = {"penalty": "elasticnet", "alpha": 0.01, "keep": keep}
        whole = plain(order="given", max_iter=1, **equal).fit(X, y)
        batches = plain(**equal)
        for start in range(0, len(y), 100):
            batches.partial_fit(X[start : start + 100], y[start : start + 100], classes=[0, 1])
            batches = pickle.loads(pickle.dumps(batches))
        assert np.array_equal(batches.coef_, whole.coef_)
        batches.alpha = 0.1
        with pytest.raises(ValueError, match="penalty"):
            batches.partial_fit(X, y)
        whole.save(tmp_path / "penalty.model")
        read = rosenblatt.load(tmp_path / "penalty.model")
        assert (read.penalty, read.alpha, read.l1_ratio) == ("elasticnet", 0.01, 0.15)


def test_mistakes_of_the_last_weights_are_no_warning():
    X, y = tumours()
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        ours(2, penalty="l2", alpha=0.1).fit(X, y)


@pytest.mark.parametrize(
    "excluded",
    [
        {"keep": "pocket"},
        {"keep": "vote"},
        {"kernel": "poly:2"},
        {"update": "arow:1"},
        {"classes": "joint"},
        {"tol": 1e-3},
        {"alpha": 1e308, "eta0": 10.0},
    ],
    ids=repr,
)
def test_what_a_penalty_excludes(excluded):
    X, y = tumours()
    with pytest.raises(ValueError, match="penalty|alpha"):
        plain(penalty="l2", **excluded).fit(X, y)


@pytest.mark.parametrize("excluded", [{"penalty": "l2"}, {"kernel": "rbf:1"}, {"update": "arow:1"}])
def test_a_tol_that_is_excluded_is_named_with_its_partner(excluded):
    X, y = tumours()
    ((name, value),) = excluded.items()
    given = re.escape(f"{name}={value!r} and tol=0.001")
    message = f"^{given} exclude one another: leave out tol or {name}, or use early_stopping=True$"
    with pytest.raises(ValueError, match=message):
        rosenblatt.Perceptron(**excluded, tol=1e-3).fit(X, y)
    assert rosenblatt.Perceptron(**excluded, tol=1e-3, early_stopping=True).fit(X, y).n_iter_ > 0

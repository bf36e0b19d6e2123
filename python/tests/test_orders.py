"""The order `mistaken`, and learning rates that fall from epoch to epoch."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import plain

from rosenblatt import KernelPerceptron, Perceptron, VotedPerceptron, lab, load, study
from rosenblatt.mixing import Mixing, one_pass

AND = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([0, 0, 0, 1])


def test_an_epoch_of_the_order_mistaken_makes_one_update(tmp_path):
    X, y = AND
    for seed in range(10):
        model = plain(order="mistaken", keep="last", random_state=seed).fit(X, y)
        assert model.n_updates_ == model.n_iter_ - 1
        assert model.report_["mistakes_per_epoch"][0] == 4
        assert model.score(X, y) == 1
        assert model.n_updates_ <= model.report_["novikoff_bound"]
    model.save(tmp_path / "model")
    assert load(tmp_path / "model").order == "mistaken"


def test_a_kernel_learns_from_mistakes():
    X, _ = AND
    y = [0, 1, 1, 0]
    assert KernelPerceptron(kernel="poly:2", order="mistaken").fit(X, y).score(X, y) == 1


def test_max_iter_limits_the_updates():
    X, _ = AND
    model = plain(order="mistaken", keep="pocket", max_iter=7).fit(X, [0, 1, 1, 0])
    assert (model.n_iter_, model.n_updates_) == (7, 7)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (
            Perceptron(order="mistaken", tol=1e-3),
            "order='mistaken' and tol=0.001 exclude one another",
        ),
        (Perceptron(order="mistaken", penalty="l2"), "which a penalty does not allow"),
        (Perceptron(order="mistaken", update="pa"), "moves the weights without a mistake"),
        (VotedPerceptron(order="mistaken"), "which a vote does not allow"),
        (Perceptron(eta0="1/t", penalty="l2"), "which a penalty does not allow"),
        (Perceptron(eta0="1/t", update="pa"), "an update rule without a learning rate"),
        (Perceptron(eta0="1/x"), "expected RATE, RATE/t or RATE/sqrt"),
        (Perceptron(eta0="-1/t"), "it must be a positive number"),
        (Perceptron(eta0="1"), "a positive number, or a text"),
    ],
)
def test_what_excludes_one_another_is_an_error(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(*AND)


def test_several_classes_have_no_order_mistaken():
    with pytest.raises(ValueError, match="learning more than two classes"):
        Perceptron(order="mistaken").fit(AND[0], [0, 1, 2, 0])


def test_a_stream_has_one_rate_and_visits_every_row():
    X, y = AND
    with pytest.raises(ValueError, match="visits every row once"):
        Perceptron(order="mistaken").partial_fit(X, y, classes=[0, 1])
    with pytest.raises(ValueError, match="falling learning rate"):
        Perceptron(eta0="1/t").partial_fit(X, y, classes=[0, 1])
    model = Perceptron().partial_fit(X, y, classes=[0, 1]).set_params(eta0="1/t")
    with pytest.raises(ValueError, match="falling learning rate"):
        model.partial_fit(X, y)
    for learn in (lambda: one_pass(X, y, eta0="1/t"), lambda: Mixing([0, 1], 2, eta0="1/t")):
        with pytest.raises(ValueError, match="a pass has one learning rate"):
            learn()


def test_the_lab_shows_neither():
    X, y = AND
    assert lab(X, y) is not None
    with pytest.raises(ValueError, match="the lab shows epochs that visit every row"):
        plain(order="mistaken").fit(X, y).lab(X, y)
    with pytest.raises(ValueError, match="one learning rate for all epochs"):
        plain(eta0="1/t").fit(X, y).lab(X, y)


@pytest.mark.parametrize("rate", ["1/t", "0.5/sqrt(t)"])
def test_a_falling_rate_is_kept_in_the_model_file(rate, tmp_path):
    X, y = AND
    model = plain(eta0=rate, keep="last").fit(X, y)
    assert model.score(X, y) == 1
    assert "novikoff_bound" not in model.report_
    model.save(tmp_path / "model")
    again = load(tmp_path / "model").set_params(eta0=rate)
    assert np.array_equal(again.fit(X, y).coef_, model.coef_)


def test_a_study_has_no_bound_for_a_falling_rate():
    X, y = AND
    found = study(X, y, eta0="1/t", runs=5)
    assert (found.converged, found.bound) == (5, None)

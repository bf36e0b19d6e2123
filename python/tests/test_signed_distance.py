"""Signed distances and margins, by hand and in the units of the data."""

import numpy as np
import pytest
from conftest import plain

from rosenblatt import KernelPerceptron, Perceptron, VotedPerceptron

AND = ([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1])


def test_and_by_hand():
    """The run by hand ends at w = (3, 2), b = -4; the norm of w is the root of 13."""
    model = Perceptron(keep="last", scale=None, shuffle=False).fit(*AND)
    root = np.sqrt(13)
    assert model.signed_distance(AND[0]).tolist() == [-4 / root, -2 / root, -1 / root, 1 / root]
    assert model.functional_margin(*AND).tolist() == [4, 2, 1, 1]
    assert model.geometric_margin(*AND).tolist() == [4 / root, 2 / root, 1 / root, 1 / root]
    wrong = model.geometric_margin([[0, 1], [2, -1]], [1, -1])
    assert wrong.tolist() == [-2 / root, 0]
    assert not np.signbit(wrong[1])


def test_the_foot_lies_on_the_hyperplane_in_the_units_of_the_data():
    """A scaled model: x - d·w/norm(w) has the distance 0, and d² = s²/norm(w)², with `coef_` of the data."""
    generator = np.random.default_rng(0)
    x = generator.normal(size=(80, 3)) * [1, 100, 0.01] + [5, 0, 1]
    y = np.where(x @ [1, 0.02, -30] > -25, "up", "down")
    model = Perceptron(scale="standard", random_state=0).fit(x, y)
    distances, norm = model.signed_distance(x), np.linalg.norm(model.coef_)
    np.testing.assert_allclose(distances**2, model.decision_function(x) ** 2 / norm**2, rtol=1e-12)
    feet = x - np.outer(distances, model.coef_[0] / norm)
    assert np.abs(model.signed_distance(feet)).max() <= 1e-10 * np.abs(distances).max()
    moved = np.linalg.norm(feet - x, axis=1)
    np.testing.assert_allclose(moved, np.abs(distances), rtol=1e-9)


def test_models_without_one_hyperplane():
    x, y = np.array([[0.0, 1.0], [2.0, 3.0], [5.0, 1.0]]), [0, 1, 2]
    for model, problem in [
        (Perceptron(), "3 classes"),
        (Perceptron(normalise="l2"), "normalises each row"),
        (Perceptron(weighting="log"), "weights counts"),
        (KernelPerceptron(kernel="rbf:1"), "only a linear model"),
        (VotedPerceptron(), "only a linear model"),
    ]:
        rows = 3 if problem == "3 classes" else 2
        model.fit(x[:rows], y[:rows])
        with pytest.raises(ValueError, match=problem):
            model.signed_distance(x)
    with pytest.raises(ValueError, match="two classes, this model has 3"):
        Perceptron().fit(x, y).functional_margin(x, y)
    with pytest.raises(ValueError, match="every weight is 0"):
        plain(keep="average").fit([[0.0], [0.0]], [0, 1]).signed_distance([[1.0]])
    model = Perceptron().fit(x[:2], y[:2])
    with pytest.raises(ValueError, match="2"):
        model.geometric_margin(x, y)
    # A kernel has functional margins: they need no norm.
    kernel = KernelPerceptron(kernel="rbf:1").fit(x[:2], y[:2])
    assert (kernel.functional_margin(x[:2], y[:2]) > 0).all()

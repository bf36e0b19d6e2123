"""Decision radii against fractions, in the units of the data."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse
from conftest import plain
from sklearn.datasets import load_iris

from rosenblatt import KernelPerceptron, Perceptron


def fractions(values):
    return [Fraction(float(value)) for value in values]


def test_two_classes():
    rows = np.array([[0.0, 0.0], [3.0, 4.0], [0.1, -7.5]])
    model = plain(keep="last", max_iter=None).fit(rows, ["no", "yes", "no"])
    w, b = fractions(model.coef_[0]), fractions(model.intercept_)[0]
    scores = [abs(sum(a * x for a, x in zip(w, fractions(row), strict=True)) + b) for row in rows]
    for radius, score in zip(model.decision_radius(rows, "linf"), scores, strict=True):
        exact = score / sum(map(abs, w))
        assert exact * (1 - Fraction(1, 2**51)) <= Fraction(radius) <= exact
    for radius, score in zip(model.decision_radius(rows), scores, strict=True):
        exact = score**2 / sum(a * a for a in w)
        assert exact * (1 - Fraction(1, 2**50)) <= Fraction(radius) ** 2 <= exact


def test_several_classes():
    """The least distance over the rivals, with weights in the units of the data, for dense and sparse rows."""
    x, y = load_iris(return_X_y=True)
    model = plain(random_state=0).fit(x, y)
    radii = model.decision_radius(x)
    assert (radii == model.decision_radius(scipy.sparse.csr_matrix(x))).all()
    planes = [
        (fractions(w), fractions([b])[0])
        for w, b in zip(model.coef_, model.intercept_, strict=True)
    ]
    for row, label, radius in zip(x[::10], model.predict(x[::10]), radii[::10], strict=True):
        row = fractions(row)
        squares = []
        for rival in {0, 1, 2} - {label}:
            w = [a - c for a, c in zip(planes[label][0], planes[rival][0], strict=True)]
            score = (
                sum(a * value for a, value in zip(w, row, strict=True))
                + planes[label][1]
                - planes[rival][1]
            )
            squares.append(score**2 / sum(a * a for a in w))
        exact = min(squares)
        assert exact * (1 - Fraction(1, 2**50)) <= Fraction(radius) ** 2 <= exact


def test_models_without_radii():
    rows, labels = [[0.0, 1.0], [2.0, 3.0]], [0, 1]
    for model, problem in [
        (Perceptron(), "the scaling auto rounds the features.*; fit with scale=None"),
        (Perceptron(scale="standard"), "the scaling standard rounds the features"),
        (Perceptron(normalise="l2"), "this one normalises each row"),
        (Perceptron(weighting="log"), "this one weights counts"),
        (KernelPerceptron(kernel="rbf:1"), "only linear models"),
    ]:
        with pytest.raises(ValueError, match=problem):
            model.fit(rows, labels).decision_radius(rows)
    with pytest.raises(ValueError, match="norm"):
        plain().fit(rows, labels).decision_radius(rows, "l3")

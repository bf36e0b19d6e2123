"""Contributions of features to scores: by hand, and as the Shapley values of a linear model."""

import math

import numpy as np
import pytest
from scipy import sparse

from rosenblatt import KernelPerceptron, Perceptron, VotedPerceptron


def examples(classes=2):
    generator = np.random.default_rng(1)
    x = generator.normal(size=(90, 4)) * [1, 100, 0.01, 3] + [5, 0, 1, -2]
    return x, np.argmax(x[:, :classes] / [1, 100, 0.01][:classes] - [5, 0, 100][:classes], axis=1)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("options", [{"scale": "standard"}, {}, {"scale": None, "normalise": "l2"}])
def test_they_add_up_to_the_score(classes, options):
    x, y = examples(classes)
    model = Perceptron(random_state=0, **options).fit(x, y)
    values, base = model.explain(x)
    assert values.shape == ((90, 4) if classes == 2 else (90, 4, 3))
    np.testing.assert_allclose(
        values.sum(axis=1) + base, model.decision_function(x), rtol=1e-12, atol=1e-12
    )


def test_they_are_the_shapley_values_of_a_linear_model():
    """Those of `shap.LinearExplainer` with independent features: w·(x - mean of the background)."""
    x, y = examples()
    model = Perceptron(scale="standard", random_state=0).fit(x, y)
    values, base = model.explain(x)
    np.testing.assert_allclose(values, model.coef_[0] * (x - x.mean(axis=0)), rtol=1e-9, atol=1e-9)
    expected = model.decision_function(x).mean()
    assert math.isclose(base, expected, rel_tol=1e-9, abs_tol=1e-9)


@pytest.mark.parametrize("classes", [2, 3])
def test_sparse_rows_have_the_same_values(classes):
    x, y = examples(classes)
    x[np.abs(x - x.mean(axis=0)) < x.std(axis=0)] = 0
    model = Perceptron(random_state=0).fit(x, y)
    dense, thin = model.explain(x), model.explain(sparse.csr_array(x))
    planes = [thin.values] if classes == 2 else thin.values
    expected = dense.values.reshape(90, 4, -1)
    for plane, values in enumerate(planes):
        np.testing.assert_array_equal(values.toarray(), expected[..., plane])
    np.testing.assert_array_equal(thin.base_values, dense.base_values)


def test_kernels_and_votes_are_refused():
    x, y = examples()
    for model in [KernelPerceptron(kernel="rbf:1"), VotedPerceptron()]:
        with pytest.raises(ValueError, match="only the score of a linear model is a sum"):
            model.fit(x, y).explain(x)

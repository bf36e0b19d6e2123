"""scikit-learn's own checks of estimators, and its machinery."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt import KernelPerceptron, Perceptron, PerceptronCV, VotedPerceptron

METHODS = ["temperature", "platt", "isotonic", "venn-abers"]

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

# scikit-learn declares this for its own Perceptron: a weight of 2 differs from two examples.
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": "a weight is a factor of the learning rate",
    "check_sample_weight_equivalence_on_sparse_data": "a weight is a factor of the learning rate",
}


def _expected_of(estimator):
    if getattr(estimator, "calibrate", None) in METHODS[1:]:
        # As of scikit-learn's CalibratedClassifierCV: each row counts once where probabilities are learned.
        return {
            "check_class_weight_classifiers": "the largest probability knows no weights of classes"
        }
    return {}


@parametrize_with_checks(
    [
        Perceptron(max_iter=5),
        Perceptron(max_iter=5, keep="average", update="pa1:0.5"),
        Perceptron(max_iter=5, update="pa2", C=0.5),
        KernelPerceptron("poly:2", max_iter=5),
        KernelPerceptron("rbf", gamma="scale", max_iter=5),
        VotedPerceptron(max_iter=5),
        Perceptron(max_iter=5, scale="auto"),
        Perceptron.notes("varner", max_iter=5),
        KernelPerceptron("poly:2", max_iter=5, scale="standard"),
        PerceptronCV(),
        *(Perceptron(max_iter=5, calibrate=method) for method in METHODS),
    ],
    expected_failed_checks=lambda estimator: EXPECTED | _expected_of(estimator),
)
def test_checks(estimator, check):
    check(estimator)

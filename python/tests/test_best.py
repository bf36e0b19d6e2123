"""`PerceptronCV`: the choice of the command, and honest folds."""

import json

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import cross_val_score

from rosenblatt import KernelPerceptron, Perceptron, PerceptronCV


def test_the_choice_is_that_of_the_command(run, tmp_path):
    x, y = load_wine(return_X_y=True)
    rows = "\n".join(
        ",".join(map(repr, map(float, row))) + f",c{label}" for row, label in zip(x, y, strict=True)
    )
    head = ",".join(f"x{i}" for i in range(x.shape[1])) + ",label\n"
    (tmp_path / "wine.csv").write_text(head + rows + "\n")
    report = json.loads(run("train", "wine.csv", "--best", "--json"))
    model = PerceptronCV().fit(x, [f"c{label}" for label in y])
    values = report["sweep"]["values"]
    assert model.cv_results_["mean_test_score"].tolist() == [value["accuracy"] for value in values]
    assert model.cv_results_["std_test_score"].tolist() == [value["sd"] for value in values]
    words = [value["value"] for value in values]
    assert words[model.best_index_] == report["sweep"]["chosen"]
    assert [part for part in words if part.startswith("--update")] == [
        f"--update {params['update']}"
        for params in model.cv_results_["params"]
        if "update" in params
    ]


def test_threads_and_copies_change_nothing():
    x, y = load_iris(return_X_y=True)
    one, many = PerceptronCV().fit(x, y), PerceptronCV(n_jobs=4).fit(x, y)
    assert one.best_params_ == many.best_params_
    assert one.best_score_ == many.best_score_ == one.cv_results_["mean_test_score"].max()
    np.testing.assert_array_equal(one.decision_function(x), many.decision_function(x))
    alone = Perceptron(**one.best_params_).fit(x, y)
    np.testing.assert_array_equal(one.decision_function(x), alone.decision_function(x))
    np.testing.assert_array_equal(one.explain(x).values, alone.explain(x).values)


def test_the_folds_of_a_coin_are_a_coin():
    generator = np.random.default_rng(2)
    x, y = generator.normal(size=(600, 5)), generator.integers(2, size=600)
    assert abs(cross_val_score(PerceptronCV(), x, y, cv=5).mean() - 0.5) < 0.07


def test_other_parameters_stay():
    x, y = load_iris(return_X_y=True)
    model = PerceptronCV(
        Perceptron(class_weight="balanced", random_state=3, calibrate="platt")
    ).fit(x, y)
    assert model.best_estimator_.random_state == 3
    np.testing.assert_allclose(model.predict_proba(x).sum(axis=1), 1)
    assert not hasattr(PerceptronCV(), "predict_proba")


@pytest.mark.parametrize(
    ("estimator", "problem"),
    [
        (Perceptron(update="pa"), "the settings choose update"),
        (Perceptron(kernel="rbf:1"), "the settings choose kernel"),
        (Perceptron(scale=None), "the settings choose scale"),
        (Perceptron(early_stopping=True), "the settings choose early_stopping"),
        (KernelPerceptron(), "expected a Perceptron"),
    ],
)
def test_what_the_settings_exclude(estimator, problem):
    x, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=problem):
        PerceptronCV(estimator).fit(x, y)

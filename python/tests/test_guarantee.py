"""Guaranteed error rates, and the conditions without which there is none."""

import json

import numpy as np
import pytest
from scipy.stats import beta
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rosenblatt import Guarantee, Perceptron, VotedPerceptron, error_guarantee, load, separable

RNG = np.random.default_rng(7)
X = RNG.normal(size=(2000, 3))
Y = np.where(X @ [1, 2, -1] + 0.3 * RNG.normal(size=2000) > 0, "up", "down")
TEST = slice(1200, None)


def test_the_limit_of_test_examples_is_that_of_clopper_and_pearson():
    model = Perceptron(keep="average").fit(X[:1200], Y[:1200])
    errors = int((model.predict(X[TEST]) != Y[TEST]).sum())
    found = error_guarantee(model, X[TEST], Y[TEST])
    assert found.error_rate_at_most == pytest.approx(beta.ppf(0.95, errors + 1, 800 - errors))
    assert (found.theorem, found.confidence, found.withheld) == ("clopper_pearson", 0.95, None)
    assert str(found).startswith("at most ")


def test_the_printed_rate_is_rounded_up():
    assert "at most 12.4% errors" in str(Guarantee(0.12301, 0.95, "one_pass"))


def test_any_classifier_and_any_pipeline():
    for model in (
        LogisticRegression(),
        make_pipeline(StandardScaler(), Perceptron(keep="average")),
    ):
        found = error_guarantee(model.fit(X[:1200], Y[:1200]), X[TEST], Y[TEST])
        assert found.error_rate_at_most < 0.2


@pytest.mark.parametrize(
    ("places", "reason"),
    [
        (np.arange(1200), "training_examples"),
        (1200 + np.argsort(Y[TEST]), "sorted"),
        (np.tile(np.arange(1200, 2000), 2), "repeated"),
        (None, "vacuous"),
    ],
)
def test_without_its_conditions_there_is_none(places, reason):
    model = Perceptron(keep="average").fit(X[:1200], Y[:1200])
    if places is None:  # one example, which is misclassified
        places = 1200 + np.flatnonzero(model.predict(X[TEST]) != Y[TEST])[:1]
    found = error_guarantee(model, X[places], Y[places])
    assert found == Guarantee(withheld=reason)
    assert reason == "vacuous" or "no guarantee" in str(found)


@pytest.mark.parametrize(
    "options",
    [
        {"early_stopping": True},
        {"calibrate": "platt", "calibration_folds": None},
        {"class_weight": {"up": 0, "side": 1, "down": 1}},
    ],
)
def test_all_examples_of_the_fit_are_known(options, tmp_path):
    labels = Y.copy()
    if "class_weight" in options:
        labels = np.where(X[:, 0] > 1, "side", Y)
    model = Perceptron(keep="average", **options).fit(X, labels)
    model.save(tmp_path / "m.model")
    for known in (model, load(tmp_path / "m.model")):
        assert error_guarantee(known, X, labels) == Guarantee(withheld="training_examples")
        assert error_guarantee(known, X[1:], labels[1:]).withheld is None
    weights = np.arange(2000) % 10
    model = Perceptron().fit(X, Y, sample_weight=weights)
    assert error_guarantee(model, X, Y).withheld == "training_examples"
    search = GridSearchCV(Perceptron(), {"eta0": [1.0]}, cv=2).fit(X, Y)
    assert error_guarantee(search, X, Y).withheld == "training_examples"


def test_labels_that_the_model_does_not_know_are_errors():
    model = Perceptron(keep="average").fit(X[:1200], Y[:1200])
    labels = np.array(Y[TEST], dtype="<U8")
    labels[::2] = "sideways"
    assert error_guarantee(model, X[TEST], labels).error_rate_at_most > 0.5


def test_the_vote_of_one_pass():
    def found(rows=X, labels=Y, **options):
        model = VotedPerceptron(**{"max_iter": 1, "scale": None, **options})
        return model.fit(rows, labels).report_["guarantee"]

    assert found()["theorem"] == "one_pass"
    assert 0.1 < found()["error_rate_at_most"] < 0.6
    for options, reason in [
        ({"scale": "standard"}, "scaled"),
        ({"scale": "auto"}, "scaled"),
        ({"class_weight": "balanced"}, "balanced"),
        ({"bias": "radius"}, "radius"),
        ({"weighting": "tfidf"}, "weighted"),
    ]:
        rows = np.abs(X) if "weighting" in options else X
        assert found(rows, **options) == {"withheld": reason}
    assert found(labels=np.where(X[:, 0] > 1, "far", Y)) == {"withheld": "classes"}
    order = np.argsort(Y)
    assert found(X[order], Y[order]) == {"withheld": "sorted"}
    # Of three classes one is left out, or examples are.
    three = np.where(X[:, 0] > 1, "far", Y)
    some = {"class_weight": {"far": 0, "up": 1, "down": 1}}
    assert found(labels=three, **some) == {"withheld": "classes"}
    assert found(class_weight={"up": 0, "down": 1}) == {"withheld": "left_out"}
    model = VotedPerceptron(max_iter=1, scale=None).fit(X, Y, sample_weight=np.arange(2000) % 10)
    assert model.report_["guarantee"] == {"withheld": "left_out"}
    for tally in ("last", "average", "random"):
        assert found(tally=tally) == {"withheld": "tally"}
    assert "guarantee" not in VotedPerceptron(max_iter=2).fit(X, Y).report_
    assert "guarantee" not in Perceptron(max_iter=1).fit(X, Y).report_


def test_the_separator_of_a_few_rows(run, tmp_path):
    rows, species = load_iris(return_X_y=True)
    order = np.random.default_rng(0).permutation(150)
    rows, labels = rows[order], (species[order] == 0).astype(int)
    found = separable(rows, labels)
    assert found.guarantee.theorem == "sample_compression"
    # The separator of these rows alone separates all.
    few = list(found.compressed)
    separator = separable(rows[few], labels[few]).certificate
    scores = rows @ separator["weights"] + separator["bias"]
    assert ((scores > 0) == (labels == 1)).all()
    # The command says the same.
    np.savetxt(tmp_path / "iris.csv", np.column_stack([rows, labels]), delimiter=",", fmt="%.17g")
    said = json.loads(run("separable", "iris.csv", "--no-header", "--json", "--quiet"))
    assert said["compressed"] == found.details["compressed"]
    # Sorted by class, there is no guarantee; nor for what is not separable.
    assert separable(rows[np.argsort(labels)], np.sort(labels)).guarantee == Guarantee(
        withheld="sorted"
    )
    assert separable([[0], [1], [2]], [0, 1, 0]).guarantee is None

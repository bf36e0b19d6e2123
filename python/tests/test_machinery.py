"""scikit-learn's machinery: pipelines, searches, routing, copies, callbacks."""

from __future__ import annotations

import io
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from conftest import plain
from scipy import sparse
from sklearn.base import clone, is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris
from sklearn.ensemble import BaggingClassifier, VotingClassifier
from sklearn.feature_selection import SelectFromModel
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils import estimator_html_repr

from rosenblatt import KernelPerceptron, Perceptron, VotedPerceptron

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

IRIS = load_iris(return_X_y=True)
AND = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 0, 1])

MODELS = [
    Perceptron(max_iter=7),
    Perceptron(max_iter=7, keep="average", update="pa1:0.5"),
    Perceptron(max_iter=7, update="arow", C=1),
    Perceptron(max_iter=7, keep="pocket"),
    Perceptron(max_iter=3, keep="vote"),
    Perceptron(max_iter=7, kernel="rbf:0.5"),
    KernelPerceptron("poly:3", max_iter=7),
    KernelPerceptron("rbf", gamma="scale", max_iter=7),
    VotedPerceptron(max_iter=3, tally="average"),
]
every_model = pytest.mark.parametrize("model", MODELS, ids=repr)


def through_joblib(model):
    file = io.BytesIO()
    joblib.dump(model, file)
    file.seek(0)
    return joblib.load(file)


@every_model
@pytest.mark.parametrize("copied", [lambda m: pickle.loads(pickle.dumps(m)), through_joblib])
def test_a_copy_of_a_fitted_model_is_the_same(model, copied):
    X, y = IRIS
    model = clone(model).fit(X, y)
    other = copied(model)
    assert other.decision_function(X).tobytes() == model.decision_function(X).tobytes()
    assert other.predict(X).tolist() == model.predict(X).tolist()
    assert other.report_ == model.report_
    assert other.get_params() == model.get_params()
    assert other.fit(X, y).report_ == model.report_


@every_model
def test_clone_has_the_parameters_and_nothing_else(model):
    fitted = clone(model).fit(*IRIS)
    other = clone(fitted)
    assert other.get_params() == model.get_params()
    assert vars(other) == vars(model)
    assert is_classifier(other)


@every_model
def test_pipelines(model):
    X, y = IRIS
    pipeline = make_pipeline(StandardScaler(), clone(model)).fit(X, y)
    scaled = StandardScaler().fit_transform(X)
    alone = clone(model).fit(scaled, y)
    assert pipeline.predict(X).tolist() == alone.predict(scaled).tolist()
    assert pipeline.score(X, y) == alone.score(scaled, y) > 0.6
    assert pipeline.decision_function(X).shape == (150, 3)
    # The pipeline keeps the names of columns.
    table = pd.DataFrame(X, columns=list("abcd"))
    pipeline.set_output(transform="pandas").fit(table, y)
    assert pipeline[-1].feature_names_in_.tolist() == list("abcd")
    assert pipeline.predict(table).tolist() == alone.predict(scaled).tolist()


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_grid_over_rules_and_kernels(jobs):
    X, y = IRIS
    grid = [
        {
            "keep": ["last", "average", "auto", "pocket"],
            "update": ["perceptron", "margin:1", "pa1:0.1"],
        },
        {"kernel": ["rbf:0.1", "poly:2", None], "keep": ["last"]},
        {"class_weight": [None, "balanced", {0: 1, 1: 2, 2: 1.5}], "eta0": [0.5]},
    ]
    search = GridSearchCV(Perceptron(max_iter=5), grid, cv=3, n_jobs=jobs, error_score="raise")
    search.fit(X, y)
    assert len(search.cv_results_["params"]) == 18
    by_hand = [
        cross_val_score(Perceptron(max_iter=5, **options), X, y, cv=3).mean()
        for options in search.cv_results_["params"]
    ]
    np.testing.assert_array_equal(search.cv_results_["mean_test_score"], by_hand)
    assert search.best_score_ == max(by_hand) > 0.9


def test_a_bad_option_in_a_grid_is_named():
    search = GridSearchCV(Perceptron(), {"keep": ["lost"]}, cv=2, error_score="raise")
    with pytest.raises(ValueError, match="'keep' parameter"):
        search.fit(*IRIS)


@every_model
def test_calibration(model):
    X, y = IRIS
    calibrated = CalibratedClassifierCV(clone(model), cv=3).fit(X, y)
    shares = calibrated.predict_proba(X)
    assert shares.shape == (150, 3)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert calibrated.score(X, y) > 0.6


@every_model
@pytest.mark.parametrize("many", [OneVsRestClassifier, OneVsOneClassifier])
def test_several_classes_by_others(model, many):
    X, y = IRIS
    found = many(clone(model)).fit(X, y)
    assert found.score(X, y) > 0.6
    own = clone(model).fit(X, y == 2)
    if many is OneVsRestClassifier:
        assert found.estimators_[2].predict(X).tolist() == own.predict(X).astype(int).tolist()


def test_one_vs_rest_is_that_of_scikit_learn_in_one_epoch():
    # In one epoch, each hyperplane trains independently of the others.
    X, y = IRIS
    own = Perceptron(classes="one-vs-rest", shuffle=False, max_iter=1).fit(X, y)
    others = OneVsRestClassifier(Perceptron(shuffle=False, max_iter=1)).fit(X, y).estimators_
    np.testing.assert_array_equal(own.coef_, np.vstack([other.coef_ for other in others]))


def test_ensembles_and_folds():
    X, y = IRIS
    votes = VotingClassifier([(str(n), clone(model)) for n, model in enumerate(MODELS)]).fit(X, y)
    assert votes.score(X, y) > 0.8
    bag = BaggingClassifier(Perceptron(max_iter=5), n_estimators=3, random_state=0).fit(X, y)
    assert bag.score(X, y) > 0.6
    scores = cross_val_predict(Perceptron(max_iter=5), X, y, cv=3, method="decision_function")
    assert scores.shape == (150, 3)


def test_columns_of_several_kinds():
    table = pd.DataFrame({"colour": list("rgrb"), "size": [1, 2, 3, 4]}, index=[4, 3, 2, 1])
    y = ["no", "yes", "no", "yes"]
    columns = ColumnTransformer(
        [
            ("colour", OneHotEncoder(sparse_output=False), ["colour"]),
            ("size", "passthrough", ["size"]),
        ]
    )
    pipeline = make_pipeline(columns, Perceptron()).set_output(transform="pandas").fit(table, y)
    assert pipeline[-1].feature_names_in_.tolist() == [
        "colour__colour_b",
        "colour__colour_g",
        "colour__colour_r",
        "size__size",
    ]
    assert pipeline.predict(table).tolist() == y


def test_features_are_selected_by_their_weights():
    # Only the second feature separates the classes.
    X = np.array([[1.0, 5, 1], [1, -5, -1], [-1, 5, -1], [-1, -5, 1]])
    selection = SelectFromModel(Perceptron(bias="none", shuffle=False)).fit(X, [1, 0, 1, 0])
    assert selection.get_support().tolist() == [False, True, False]
    assert selection.transform(X).tolist() == X[:, 1:2].tolist()


@every_model
def test_the_page_shows_the_parameters(model):
    html = estimator_html_repr(clone(model))
    assert type(model).__name__ in html
    assert "max_iter" in html
    assert "fitted" in estimator_html_repr(clone(model).fit(*IRIS)).lower()
    assert "max_iter=7" in repr(Perceptron(max_iter=7))
    assert repr(Perceptron()) == "Perceptron()"


def test_a_new_space_leaves_nothing_of_the_old_one():
    # A fit removes the attributes of the other forms.
    X, y = AND
    forms = {
        "linear": ({"kernel": None, "keep": "last"}, {"coef_", "intercept_"}),
        "dual": ({"kernel": "poly:2", "keep": "last"}, {"dual_coef_", "intercept_"}),
        "voted": ({"kernel": None, "keep": "vote"}, set()),
    }
    names = {"coef_", "intercept_", "dual_coef_", "support_", "support_vectors_", "support_counts_"}
    for first, _ in forms.values():
        for options, weights in forms.values():
            model = Perceptron(**first, max_iter=50).fit(X, y).set_params(**options).fit(X, y)
            found = {name for name in names if hasattr(model, name)}
            support = {name for name in names if name.startswith("support_")}
            assert found == weights | (set() if "coef_" in weights else support)


# Metadata.


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def test_weights_are_routed_through_a_pipeline(routing):
    X, y = IRIS
    weights = np.linspace(0.5, 2, 150)
    own = Perceptron(max_iter=5).set_fit_request(sample_weight=True)
    scaler = StandardScaler().set_fit_request(sample_weight=False)
    pipeline = make_pipeline(scaler, own).fit(X, y, sample_weight=weights)
    scaled = StandardScaler().fit_transform(X)
    alone = Perceptron(max_iter=5).fit(scaled, y, sample_weight=weights)
    np.testing.assert_array_equal(pipeline[-1].coef_, alone.coef_)
    plain = Perceptron(max_iter=5).fit(scaled, y)
    assert not np.array_equal(plain.coef_, alone.coef_)


def test_weights_are_routed_through_a_search(routing):
    X, y = IRIS
    weights = np.linspace(0.5, 2, 150)
    for model in (Perceptron(max_iter=5), KernelPerceptron("rbf:1", max_iter=5)):
        model.set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
        search = GridSearchCV(model, {"eta0": [0.5]}, cv=2).fit(X, y, sample_weight=weights)
        alone = clone(model).set_params(eta0=0.5).fit(X, y, sample_weight=weights)
        assert search.best_estimator_.report_ == alone.report_
    streaming = Perceptron().set_partial_fit_request(sample_weight=True)
    assert streaming.get_metadata_routing().partial_fit.requests["sample_weight"] is True


def test_weights_without_a_request_are_refused(routing):
    search = GridSearchCV(Perceptron(), {"eta0": [1]}, cv=2)
    with pytest.raises(ValueError, match="sample_weight"):
        search.fit(*IRIS, sample_weight=np.ones(150))


# Callbacks, of scikit-learn 1.9.

callback = pytest.importorskip("sklearn.callback")


class Watcher:
    """Records its calls, and stops after `last` epochs or raises."""

    def __init__(self, last=None, error=None):
        self.last, self.error = last, error
        self.epochs, self.begun, self.ended, self.scores, self.weights = 0, 0, 0, [], []

    def setup(self, estimator, context):
        self.epochs = 0

    def teardown(self, estimator, context):
        self.ended += 1

    def on_fit_task_begin(self, estimator, context):
        self.begun += context.task_name != "epoch"

    def on_fit_task_end(self, estimator, context, *, X, y, fitted_estimator):
        if context.task_name != "epoch":
            return False
        self.epochs += 1
        if fitted_estimator is not None:
            self.scores.append(fitted_estimator.score(X, y))
            self.weights.append(fitted_estimator.coef_.tolist())
        if self.error is not None and self.epochs == 2:
            raise self.error
        return self.epochs == self.last


def test_a_callback_sees_every_epoch():
    X, y = AND
    watcher = Watcher()
    model = Perceptron(keep="last", shuffle=False).set_callbacks(watcher).fit(X, y)
    # With AND in the given order, the ninth epoch is clean. The weights after the first are (1, 1).
    assert watcher.epochs == model.n_iter_ == 9
    assert (watcher.begun, watcher.ended) == (1, 1)
    assert watcher.weights[0] == [[1, 1]]
    assert watcher.weights[-1] == model.coef_.tolist() == [[3, 2]]
    assert watcher.scores[0] == 0.5
    assert watcher.scores[-1] == 1
    plain = Perceptron(keep="last", shuffle=False).fit(X, y)
    assert plain.coef_.tolist() == model.coef_.tolist()
    assert plain.report_ == model.report_
    # A fit of another form in between changes nothing.
    model.set_params(kernel="poly:2").fit(X, y)
    watcher.weights.clear()
    model.set_params(kernel=None).fit(X, y)
    assert watcher.weights[-1] == [[3, 2]]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("keep", ["last", "average", "pocket"])
def test_scores_of_the_monitor_are_those_of_the_run(classes, keep):
    X, y = (part[: 50 * classes] for part in IRIS)
    X = X[:, :2]
    monitor = callback.ScoringMonitor(scoring="accuracy")
    plain(max_iter=4, keep=keep, random_state=1).set_callbacks(monitor).fit(X, y)
    log = monitor.get_logs().data_as_pandas
    assert len(log) == 4
    # A callback gets the last weights of an epoch.
    for epochs, score in enumerate(log["accuracy"], start=1):
        assert score == plain(keep="last", max_iter=epochs, random_state=1).fit(X, y).score(X, y)


@every_model
def test_callbacks_of_every_form(model, capsys):
    X, y = IRIS
    watcher = Watcher()
    watched = clone(model).set_callbacks(watcher, callback.ProgressBar()).fit(X, y)
    assert watcher.epochs == watched.n_iter_
    assert watched.report_ == clone(model).fit(X, y).report_


def test_callbacks_go_through_a_search():
    X, y = IRIS
    monitor = callback.ScoringMonitor(scoring="accuracy")
    model = Perceptron(max_iter=3).set_callbacks(monitor)
    search = GridSearchCV(model, {"keep": ["last", "average"]}, cv=2)
    search.set_callbacks(callback.ProgressBar(max_propagation_depth=2)).fit(X, y)
    plain = GridSearchCV(Perceptron(max_iter=3), {"keep": ["last", "average"]}, cv=2).fit(X, y)
    np.testing.assert_array_equal(
        search.cv_results_["mean_test_score"], plain.cv_results_["mean_test_score"]
    )
    logs = monitor.get_logs(select="all")
    # Two options on two folds, and the best on all, three epochs each.
    assert sum(len(log.data_as_pandas) for log in logs) == 5 * 3


def test_a_callback_may_stop_the_run():
    X, y = AND
    model = Perceptron(keep="last", shuffle=False).set_callbacks(Watcher(last=3)).fit(X, y)
    assert model.n_iter_ == 3
    assert model.report_["stopped_by"] == "callback"
    assert not model.report_["converged"]
    assert (
        model.coef_.tolist()
        == Perceptron(keep="last", shuffle=False, max_iter=3).fit(X, y).coef_.tolist()
    )


@pytest.mark.parametrize("error", [RuntimeError("enough"), KeyboardInterrupt()])
@pytest.mark.parametrize("options", [{}, {"kernel": "poly:2"}, {"keep": "vote"}])
def test_a_callback_that_raises_leaves_the_estimator(error, options):
    X, y = AND
    model = Perceptron(**options).fit(X, y)
    before = model.decision_function(X).tolist(), model.report_, model.n_iter_
    watcher = Watcher(error=error)
    model.set_callbacks(watcher)
    with pytest.raises(type(error)) as raised:
        model.fit(sparse.csr_matrix(X), y)
    assert raised.value is error
    assert watcher.ended == 1
    assert (model.decision_function(X).tolist(), model.report_, model.n_iter_) == before
    watcher.error = None
    assert model.fit(X, y).report_ == before[1]


def test_verbose_prints_the_mistakes(capsys):
    # Counted by hand with the weights of AND.
    Perceptron(shuffle=False, verbose=1, max_iter=3).fit(*AND)
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["epoch 1: 2 mistakes", "epoch 2: 3 mistakes", "epoch 3: 3 mistakes"]
    Perceptron().fit(*AND)
    assert capsys.readouterr().out == ""

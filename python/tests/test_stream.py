"""`partial_fit`: batch by batch the bits of one pass, whatever happens between two batches."""

from __future__ import annotations

import copy
import io
import json
import pickle
from concurrent.futures import ThreadPoolExecutor

import joblib
import numpy as np
import pandas as pd
import pytest
from conftest import plain
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from rosenblatt import KernelPerceptron, Perceptron, VotedPerceptron, load

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

KEEPS = ["last", "average", "auto"]
SIZES = [7, 1, 30, 22]


def examples(classes: int = 2):
    random = np.random.default_rng(classes)
    # float32 values, so that they are the same in every layout; the classes overlap.
    X = random.normal(size=(60, 5)).astype(np.float32).astype(np.float64)
    X[random.random(X.shape) < 0.3] = 0
    return X, random.integers(0, classes, 60), random.random(60) + 0.5


def batches(X, y, weights=None):
    """Batches of several sizes and layouts."""
    layouts = [np.asarray, sparse.csr_matrix, pd.DataFrame, lambda X: X.astype(np.float32)]
    first = 0
    for size, layout in zip(SIZES, layouts, strict=True):
        part = slice(first, first + size)
        yield layout(X[part]), y[part], None if weights is None else weights[part]
        first += size


def streamed(model, X, y, weights=None, between=lambda model: model):
    for rows, labels, factors in batches(X, y, weights):
        model.partial_fit(rows, labels, classes=np.unique(y), sample_weight=factors)
        model = between(model)
    return model


def weights_of(model) -> tuple[bytes, bytes]:
    return model.coef_.tobytes(), model.intercept_.tobytes()


def state_of(model):
    history = {name: numbers.tolist() for name, numbers in model.history_.items()}
    counts = (model.t_, model.n_updates_, model.n_mistakes_, model.class_sizes_.tolist())
    return (*weights_of(model), *counts, history, model.report_)


@pytest.mark.parametrize(
    "options", [{"tol": 1e-3}, {"kernel": "poly:2"}, {"keep": "vote"}], ids=str
)
def test_second_order_rules_need_weights_of_features(options):
    X, y, _ = examples(2)
    with pytest.raises(
        ValueError, match="update='arow:1' and tol=0.001 exclude|no combination of rows"
    ):
        plain(update="arow:1", **options).fit(X, y)


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"update": "margin:0.5", "eta0": 0.3},
        {"update": "pa1:0.2"},
        {"update": "arow:2"},
        {"update": "second-order:0.5"},
        {"fit_intercept": False},
        {"mistake": "label", "class_weight": {0: 0.7, 1: 2.0}},
    ],
    ids=str,
)
@pytest.mark.parametrize("weighted", [False, True])
def test_batches_are_one_pass(keep, classes, options, weighted):
    X, y, weights = examples(classes)
    weights = weights if weighted and options.get("update") != "pa1:0.2" else None
    if "class_weight" in options and classes == 3:
        options = {**options, "class_weight": {0: 0.7, 1: 2.0, 2: 1.5}}
    whole = plain(shuffle=False, max_iter=1, keep=keep, **options)
    whole.fit(X, y, sample_weight=weights)
    parts = streamed(plain(keep=keep, **options), X, y, weights)
    assert weights_of(parts) == weights_of(whole)
    assert parts.t_ == whole.t_ == 61
    assert parts.n_updates_ == whole.n_updates_ > 0
    assert parts.n_mistakes_ == whole.n_mistakes_ == parts.history_["mistakes"].sum()
    assert parts.class_sizes_.tolist() == whole.class_sizes_.tolist() == np.bincount(y).tolist()
    assert parts.classes_.tolist() == whole.classes_.tolist()
    # The keys that one pass can compute.
    told = parts.report_
    for name in ("examples", "features", "epochs", "updates", "converged", "kept", "radius"):
        assert told[name] == whole.report_[name], name
    assert told["mistakes_per_epoch"] == whole.report_["mistakes_per_epoch"]


def test_what_is_counted():
    # By hand, from w = 0, b = 0: (1,0) is a mistake, score 0: w = (1,0), b = 1. (0,1) with −:
    # score 1, a mistake:
    # w = (1,−1), b = 0. (1,1) with +: score 0, a mistake: w = (2,0), b = 1. (2,0) with +: score 5.
    model = plain(keep="last")
    model.partial_fit([[1, 0], [0, 1]], [1, 0], classes=[0, 1])
    assert (model.coef_.tolist(), model.intercept_.tolist()) == ([[1, -1]], [0])
    assert (model.t_, model.n_iter_, model.n_updates_, model.n_mistakes_) == (3, 1, 2, 2)
    model.partial_fit([[1, 1], [2, 0]], [1, 1])
    assert (model.coef_.tolist(), model.intercept_.tolist()) == ([[2, 0]], [1])
    assert (model.t_, model.n_iter_, model.n_updates_, model.n_mistakes_) == (5, 1, 3, 3)
    assert model.history_["epoch"].tolist() == [1, 2]
    assert model.history_["mistakes"].tolist() == [2, 1]
    assert model.history_["updates"].tolist() == [2, 1]
    assert model.report_["mistakes_per_epoch"] == [3]
    assert model.report_["examples"] == 4
    assert model.report_["radius"] == 2
    assert model.class_sizes_.tolist() == [1, 3]


def test_the_average_by_hand():
    # The weights after each of the four examples above: (1,0;1), (1,−1;0), (2,0;1), (2,0;1).
    model = plain(keep="average")
    model.partial_fit([[1, 0], [0, 1]], [1, 0], classes=[0, 1])
    assert (model.coef_.tolist(), model.intercept_.tolist()) == ([[1, -0.5]], [0.5])
    model.partial_fit([[1, 1], [2, 0]], [1, 1])
    assert (model.coef_.tolist(), model.intercept_.tolist()) == ([[1.5, -0.25]], [0.75])


def through_joblib(model):
    file = io.BytesIO()
    joblib.dump(model, file)
    file.seek(0)
    return joblib.load(file)


def after_fit(model: Perceptron) -> Perceptron:
    X, y, _ = examples(3)
    return model.fit(X, y)


COPIES = {
    "pickle": lambda model: pickle.loads(pickle.dumps(model)),
    "pickle protocol 2": lambda model: pickle.loads(pickle.dumps(model, protocol=2)),
    "deepcopy": copy.deepcopy,
    # The weights of the stream must be compared by value.
    "joblib": through_joblib,
}


@pytest.mark.parametrize("name", COPIES)
@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("classes", [2, 3])
def test_copies_between_batches_change_no_bit(name, keep, classes):
    X, y, weights = examples(classes)
    model = plain(keep=keep, eta0=0.1)
    expected = state_of(streamed(clone(model), X, y, weights))
    assert state_of(streamed(model, X, y, weights, COPIES[name])) == expected


@pytest.mark.parametrize("name", COPIES)
def test_copies_of_a_stream_from_given_weights(name):
    X, y, _ = examples(3)
    model, other = (after_fit(plain(max_iter=3, keep="average")) for _ in range(2))
    for one in (model, other):
        one.partial_fit(X[:9], y[:9])
    other = COPIES[name](other)
    assert state_of(other.partial_fit(X[9:], y[9:])) == state_of(model.partial_fit(X[9:], y[9:]))


def test_a_copy_goes_its_own_way():
    X, y, _ = examples()
    model = plain(keep="average").partial_fit(X[:30], y[:30], classes=[0, 1])
    before, other = state_of(model), copy.deepcopy(model)
    other.partial_fit(X[30:], y[30:])
    assert state_of(model) == before != state_of(other)


def test_clone_forgets():
    X, y, _ = examples()
    model = clone(plain(keep="last").partial_fit(X, y, classes=[0, 1]))
    with pytest.raises(NotFittedError):
        model.predict(X)
    with pytest.raises(ValueError, match="classes must be passed"):
        model.partial_fit(X, y)


def test_the_learning_rate_may_change():
    # (1): a mistake with η = 1: w = 1, b = 1. (−2) with +: score −1, a mistake with η = ½: w =
    # 0, b = 1.5.
    model = plain(keep="last").partial_fit([[1]], [1], classes=[0, 1])
    model.set_params(eta0=0.5).partial_fit([[-2]], [1])
    assert (model.coef_.tolist(), model.intercept_.tolist()) == ([[0]], [1.5])
    assert (model.t_, model.n_updates_) == (3, 2)


def test_other_options_may_change():
    X, y, _ = examples()
    # The second half uses its own rule, from the weights of the first half.
    model = plain(keep="last").partial_fit(X[:30], y[:30], classes=[0, 1])
    other = plain(keep="last", update="pa", max_iter=1, shuffle=False)
    other.fit(X[30:], y[30:], coef_init=model.coef_, intercept_init=model.intercept_)
    model.set_params(update="pa").partial_fit(X[30:], y[30:])
    assert weights_of(model) == weights_of(other)


def test_what_is_kept_may_not_change():
    X, y, _ = examples()
    model = plain(keep="average").partial_fit(X[:30], y[:30], classes=[0, 1])
    with pytest.raises(ValueError, match='keep was "average" and is "last"'):
        model.set_params(keep="last").partial_fit(X[30:], y[30:])
    model.set_params(keep="average").partial_fit(X[30:], y[30:])
    assert weights_of(model) == weights_of(streamed(plain(keep="average"), X, y))


def test_only_a_run_from_zero_bounds_the_margin():
    # Novikoff: γ ≤ ‖w‖/k from zero weights, and nothing from others. One update: w = (1), b = 1,
    # ‖(w, b)‖ = √2.
    model = plain(keep="last").partial_fit([[1]], [1], classes=[0, 1])
    assert model.report_["margin"] == pytest.approx({"upper": 2**0.5}, rel=1e-14)
    model = plain(keep="last").fit([[1], [-1]], [1, 0])
    for rate in (1, 2):
        for _ in range(2):
            model.set_params(eta0=rate).partial_fit([[-1000], [1]], [1, 1])
            assert "upper" not in model.report_["margin"]
            model = pickle.loads(pickle.dumps(model))


def test_sums_past_the_range_of_floats():
    # The mean of the first class overflows; the weights do not.
    model = plain(keep="last", bias="none")
    model.partial_fit([[1e308], [1e308], [1]], [0, 0, 1], classes=[0, 1])
    other = pickle.loads(pickle.dumps(model))
    for one in (model, other):
        one.partial_fit([[2.0]], [1])
    assert state_of(other) == state_of(model)


@pytest.mark.parametrize("classes", [2, 3])
def test_after_fit_it_goes_on_from_there(classes):
    X, y, _ = examples(classes)
    model = plain(keep="last", max_iter=5, random_state=3).fit(X, y)
    visited, updates, mistakes = model.t_, model.n_updates_, model.n_mistakes_
    expected = plain(keep="last", max_iter=1, shuffle=False).fit(
        X[:9], np.r_[y[:9]], coef_init=model.coef_, intercept_init=model.intercept_
    )
    model.partial_fit(X[:9], y[:9])
    assert weights_of(model) == weights_of(expected)
    assert model.t_ == visited + 9
    assert model.n_updates_ == updates + expected.n_updates_
    assert model.n_mistakes_ == mistakes + expected.n_mistakes_
    assert len(model.history_["mistakes"]) == 6
    assert model.classes_.tolist() == list(range(classes))


def test_fit_begins_anew():
    X, y, _ = examples()
    for keep in KEEPS:
        model = plain(keep=keep, max_iter=3).partial_fit(X, y, classes=[0, 1])
        assert state_of(model.fit(X, y)) == state_of(clone(model).fit(X, y))
        assert model.n_iter_ == len(model.history_["epoch"]) == 3


def test_warm_start_goes_on_from_a_stream():
    X, y, _ = examples()
    model = plain(keep="last", warm_start=True, shuffle=False, max_iter=1)
    model.partial_fit(X[:30], y[:30], classes=[0, 1]).fit(X[30:], y[30:])
    assert weights_of(model) == weights_of(streamed(plain(keep="last"), X, y))


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize(
    "change",
    [
        lambda model: setattr(model, "coef_", np.array([[5.0, 4, 3, 2, 1]])),
        lambda model: setattr(model, "intercept_", np.array([7.0])),
        # Changes in place count, so the weights must be compared by value.
        lambda model: model.coef_.__setitem__((0, 2), -9.0),
        lambda model: model.coef_.__imul__(0.5),
        lambda model: model.intercept_.__iadd__(3.0),
    ],
    ids=["coef_", "intercept_", "a weight", "all weights", "the bias"],
)
def test_training_continues_from_changed_weights(keep, change):
    X, y, _ = examples()
    model = plain(keep=keep).partial_fit(X[:30], y[:30], classes=[0, 1])
    change(model)
    other = plain(keep=keep, max_iter=1, shuffle=False)
    other.fit(X[30:], y[30:], coef_init=model.coef_, intercept_init=model.intercept_)
    model.partial_fit(X[30:], y[30:])
    assert weights_of(model) == weights_of(other)


@pytest.mark.parametrize("keep", ["last", "average"])
def test_sparsify_between_batches(keep):
    X, y, _ = examples()
    expected = weights_of(streamed(plain(keep=keep), X, y))
    # The sum of the average continues only if the weights are compared by value.
    model = streamed(plain(keep=keep), X, y, between=lambda model: model.sparsify())
    assert sparse.issparse(model.coef_)
    np.testing.assert_array_equal(
        model.predict(X), (X @ model.coef_.T + model.intercept_ > 0)[:, 0]
    )
    assert weights_of(model.densify()) == expected


def test_classes_that_come_later():
    # The first batch has only class "a". By hand: every score is 0, so every hyperplane makes a mistake.
    model = plain(keep="last").partial_fit([[1]], ["a"], classes=["c", "b", "a"])
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert model.coef_.tolist() == [[1], [-1], [-1]]
    assert model.intercept_.tolist() == [1, -1, -1]
    assert model.class_sizes_.tolist() == [1, 0, 0]
    model.partial_fit([[-1]], ["c"])
    # The scores of (−1) are 0, 0, 0: three mistakes again.
    assert model.coef_.tolist() == [[2], [0], [-2]]
    assert model.predict([[1], [-1]]).tolist() == ["a", "c"]
    two = plain(keep="last").partial_fit([[1]], [0], classes=[1, 0])
    assert (two.coef_.tolist(), two.classes_.tolist()) == ([[-1]], [0, 1])


X1, Y1 = np.array([[1.0, 0], [0, 1]]), np.array([1, 0])

WRONG = {
    "a label": (lambda m: m.partial_fit(X1, [0, 7]), r"y\[1\] is 7, .* classes \[0, 1\]"),
    "text": (lambda m: m.partial_fit(X1, ["a", "b"]), r"y\[0\] is 'a', .* classes \[0, 1\]"),
    "a fraction": (lambda m: m.partial_fit(X1, [0.5, 1]), "continuous|y\\[0\\] is 0.5"),
    "classes": (lambda m: m.partial_fit(X1, Y1, classes=[0, 1, 2]), "not the same as on last call"),
    "text classes": (
        lambda m: m.partial_fit(X1, Y1, classes=["a", "b"]),
        "not the same as on last",
    ),
    "width": (
        lambda m: m.partial_fit([[1, 2, 3]], [0]),
        "3 features, but Perceptron is expecting 2",
    ),
    "nan": (lambda m: m.partial_fit([[1, 0], [np.nan, 1]], Y1), "row 1, feature 0: NaN"),
    "length": (lambda m: m.partial_fit(X1, [0]), r"inconsistent numbers of samples: \[2, 1\]"),
    "no rows": (lambda m: m.partial_fit(X1[:0], []), "0 sample"),
    "weight": (lambda m: m.partial_fit(X1, Y1, sample_weight=[1, -1]), "sample_weight"),
    "overflow": (
        lambda m: m.partial_fit([[1e308, 0], [1e308, 0], [-1e308, 0], [-1e308, 0]], [0, 0, 1, 1]),
        "range of 64-bit numbers|overflow|too large|range",
    ),
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("keep", KEEPS)
def test_an_error_changes_nothing(name, keep):
    X, y, _ = examples()
    X = X[:, :2]
    model, other = (plain(keep=keep, eta0=2.0) for _ in range(2))
    for one in (model, other):
        one.partial_fit(X[:30], y[:30], classes=[0, 1])
    before = state_of(model)
    action, message = WRONG[name]
    with pytest.raises(ValueError, match=message):
        action(model)
    assert state_of(model) == before
    assert state_of(model.partial_fit(X[30:], y[30:])) == state_of(
        other.partial_fit(X[30:], y[30:])
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y": Y1}, "classes must be passed on the first call"),
        ({"y": Y1, "classes": [1]}, "greater than one; got 1 class"),
        ({"y": [0, 7], "classes": [0, 1]}, r"y\[1\] is 7"),
        ({"y": Y1, "classes": [0, np.nan]}, "NaN|not one of the classes"),
        ({"y": [1], "classes": [0, 1]}, "inconsistent numbers of samples"),
    ],
)
def test_a_first_call_that_fails_leaves_nothing(arguments, message):
    model = plain(keep="last")
    with pytest.raises(ValueError, match=message):
        model.partial_fit(X1, **arguments)
    with pytest.raises(NotFittedError):
        model.predict(X1)
    # The number of features is not stored either.
    model.partial_fit(X1[:, :1], Y1, classes=[0, 1])
    assert model.coef_.shape == (1, 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"class_weight": "balanced"}, "class_weight='balanced' depends on all labels; use a dict"),
        ({"early_stopping": True}, "use early_stopping=False"),
        ({"bias": "radius"}, "use bias='unit:S'"),
        ({"max_iter": 0}, "'max_iter' parameter"),
    ],
)
def test_what_a_stream_cannot_do(options, message):
    kind = ValueError if "max_iter" in options else AttributeError
    with pytest.raises(kind, match=message):
        plain(**options).partial_fit(X1, Y1, classes=[0, 1])


def test_partial_fit_is_there_only_where_it_works():
    for keep in KEEPS:
        assert hasattr(plain(keep=keep), "partial_fit")
    for model in (
        plain(keep="pocket"),
        plain(keep="vote"),
        plain(kernel="rbf:1"),
        KernelPerceptron(),
        VotedPerceptron(),
    ):
        assert not hasattr(model, "partial_fit")


def test_after_a_kernel_nothing_of_it_remains():
    # A fit in feature space removes the attributes of the dual form.
    model = plain(kernel="rbf:1", keep="last").fit(X1, Y1).set_params(kernel=None)
    model.partial_fit(X1, Y1)
    assert weights_of(model) == weights_of(plain(keep="last").partial_fit(X1, Y1, classes=[0, 1]))
    assert not hasattr(model, "dual_coef_")
    assert not hasattr(model, "support_vectors_")


def test_copies_of_a_stream_have_their_own_history():
    model = plain(keep="last").partial_fit(X1, Y1, classes=[0, 1])
    other = copy.copy(model).partial_fit(X1, Y1)
    assert len(model.history_["mistakes"]) == 1
    assert len(other.history_["mistakes"]) == 2
    model.partial_fit(X1, Y1)
    assert state_of(model) == state_of(other)


def test_weights_that_were_set_before_they_were_read():
    model = plain(keep="last").partial_fit(X1, Y1, classes=[0, 1])
    before = model.intercept_.tolist()
    model = plain(keep="last").partial_fit(X1, Y1, classes=[0, 1])
    model.coef_ = np.full(model.coef_.shape, 7.0)
    assert model.intercept_.tolist() == before
    other = plain(keep="last").partial_fit(X1, Y1, classes=[0, 1])
    other.coef_[:] = 7.0
    rows = np.zeros_like(X1)
    assert model.partial_fit(rows, Y1).coef_.tolist() == [[7.0] * X1.shape[1]]
    assert other.partial_fit(rows, Y1).intercept_.tolist() == model.intercept_.tolist()


def test_a_changed_parameter_is_checked_and_used():
    one = plain(keep="last").partial_fit(X1, Y1, classes=[0, 1])
    for bad in (True, "1", 0.0):
        with pytest.raises(ValueError, match="eta0"):
            one.set_params(eta0=bad).partial_fit(X1, Y1)
    with pytest.raises(ValueError, match="scale"):
        one.set_params(eta0=1.0, scale="auto").partial_fit(X1, Y1)
    rows, labels = np.zeros((1, X1.shape[1])), [int(one.intercept_[0] <= 0)]
    before = one.intercept_[0]
    one.set_params(scale=None, eta0=8.0).partial_fit(rows, labels)
    # The row of zeros has the bias as its score, and its label is the other one.
    assert abs(one.intercept_[0] - before) == 8.0


def test_a_weight_of_zero_leaves_the_example_out():
    part = plain(keep="last").partial_fit(X1[1:], Y1[1:], classes=[0, 1])
    model = plain(keep="last").partial_fit(X1, Y1, classes=[0, 1], sample_weight=[0, 1])
    assert state_of(model) == state_of(part)
    assert model.t_ == 2


def test_one_class_so_far(tmp_path):
    model = plain(keep="last").partial_fit([[1.0]], ["b"], classes=["a", "b"])
    assert model.report_["mistakes_per_epoch"] == [1]
    model.save(tmp_path / "model")
    other = load(tmp_path / "model")
    assert other.predict([[-2.0], [2.0]]).tolist() == ["a", "b"]
    assert other.class_sizes_.tolist() == [0, 1]


def test_a_model_file_goes_on(tmp_path):
    X, y, _ = examples(3)
    model = plain(keep="last").partial_fit(X[:30], y[:30], classes=[0, 1, 2])
    model.save(tmp_path / "model")
    other = load(tmp_path / "model")
    assert other.t_ == 31
    assert weights_of(other.partial_fit(X[30:], y[30:])) == weights_of(
        model.partial_fit(X[30:], y[30:])
    )
    assert other.t_ == model.t_
    assert other.class_sizes_.tolist() == model.class_sizes_.tolist()


def test_predictions_follow_every_batch():
    X, y, _ = examples()
    model = plain(keep="last")
    for rows, labels, _ in batches(X, y):
        model.partial_fit(rows, labels, classes=[0, 1])
        scores = model.decision_function(X)
        np.testing.assert_allclose(scores, X @ model.coef_[0] + model.intercept_[0], atol=1e-12)
        assert model.predict(X).tolist() == (scores > 0).astype(int).tolist()


@pytest.mark.parametrize("keep", KEEPS)
def test_threads_wait_for_one_another(keep):
    X, y, _ = examples()
    model = plain(keep=keep)
    model.partial_fit(X[:1], y[:1], classes=[0, 1])

    def learn(thread: int) -> None:
        for call in range(40):
            place = (40 * thread + call) % len(X)
            model.partial_fit(X[place : place + 1], y[place : place + 1])
            if call % 4 == 0:
                assert model.report_["examples"] >= 1
                again = pickle.loads(pickle.dumps(model))
                # The pickle is consistent.
                assert again.t_ == again.report_["examples"] + 1
                assert again.coef_.tobytes() == again._stream.planes()[0].tobytes()

    with ThreadPoolExecutor(4) as threads:
        for done in [threads.submit(learn, thread) for thread in range(4)]:
            done.result()
    assert model.t_ == 1 + 1 + 4 * 40
    assert model.report_["examples"] == 1 + 4 * 40
    assert len(model.history_["mistakes"]) == 1 + 4 * 40
    assert model.class_sizes_.sum() == 1 + 4 * 40


def test_a_stream_waits_for_other_threads():
    """The native part alone: no call fails, and every example is learned from."""
    X, y, _ = examples()
    model = plain(keep="last")
    model.partial_fit(X, y, classes=[0, 1])
    stream = model._stream
    codes = y.astype(np.uint32)

    def use(thread: int) -> None:
        for _ in range(40):
            stream.learn(X, codes)
            stream.report()
            stream.planes()
            pickle.dumps(stream)
            stream.with_options(model._run)

    with ThreadPoolExecutor(4) as threads:
        for done in [threads.submit(use, thread) for thread in range(4)]:
            done.result()
    assert json.loads(stream.report())["examples"] == len(X) * (1 + 4 * 40)

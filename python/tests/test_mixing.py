"""Iterative parameter mixing in one process, its theorem in exact arithmetic, and the parts of the engine."""

from __future__ import annotations

import inspect
import itertools
import json
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from conftest import plain
from scipy import sparse
from sklearn.datasets import load_digits, load_iris

from rosenblatt import Perceptron, _native, _parameters, load, separable
from rosenblatt._arrays import to_bytes
from rosenblatt._shards import count_for, csr, row_hashes
from rosenblatt.mixing import (
    DEFAULTS,
    EpochTask,
    Mixing,
    Shard,
    fit_shards,
    mix,
    one_pass,
    split,
    worst,
)


def exact_dot(weights, row):
    return sum((w * x for w, x in zip(weights, row, strict=True)), Fraction(0))


def exact_pass(weights, rows):
    """One pass of the perceptron in exact arithmetic over rows z = y·(x, 1)."""
    mistakes = 0
    for row in rows:
        if exact_dot(weights, row) <= 0:
            mistakes += 1
            weights = [w + z for w, z in zip(weights, row, strict=True)]
    return weights, mistakes


@pytest.mark.parametrize("kind", ["uniform", "errors"])
@pytest.mark.parametrize("seed", range(25))
def test_the_mixing_theorem_in_exact_arithmetic(kind, seed):
    """Σₙ Σᵢ μᵢₙkᵢₙ ≤ R²/γ², with γ and R² of a known separator as fractions."""
    random = np.random.default_rng(seed)
    shards, features = int(random.integers(1, 6)), int(random.integers(1, 4))
    separator = random.integers(-4, 5, features + 1).tolist()
    every = random.integers(-6, 7, (30, features)).tolist()
    rows = [[*row, 1] for row in every]
    scores = [exact_dot(map(Fraction, separator), row) for row in rows]
    signed = [
        [Fraction(value if score > 0 else -value) for value in row]
        for row, score in zip(rows, scores, strict=True)
        if score != 0
    ]
    if not signed:
        return
    margin = min(exact_dot(separator, row) for row in signed)
    norm = sum(Fraction(w) ** 2 for w in separator)
    radius = max(sum(value**2 for value in row) for row in signed)
    bound = radius * norm / margin**2
    parts = [signed[first::shards] for first in range(shards)]
    parts = [part for part in parts if part]
    weights = [Fraction(0)] * (features + 1)
    sums = []
    for _ in range(400):
        ends = [exact_pass(weights, part) for part in parts]
        counts = [mistakes for _, mistakes in ends]
        if not any(counts):
            break
        total = sum(counts)
        shares = [
            Fraction(count, total) if kind == "errors" else Fraction(1, len(parts))
            for count in counts
        ]
        weights = [
            sum(share * end[j] for share, (end, _) in zip(shares, ends, strict=True))
            for j in range(features + 1)
        ]
        sums.append((sum(counts), sum(s * k for s, k in zip(shares, counts, strict=True))))
    assert sum(mixed for _, mixed in sums) <= bound
    if kind == "uniform":
        assert sum(mistakes for mistakes, _ in sums) <= len(parts) * bound


def scrambled(number):
    """The finalizer of SplitMix64 in whole numbers."""
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    number = (number ^ (number >> 27)) * 0x94D049BB133111EB % 2**64
    return number ^ (number >> 31)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_hashes_of_rows_are_those_of_the_definition(dtype):
    random = np.random.default_rng(0)
    X = random.normal(size=(40, 5)).astype(dtype)
    X[random.random(X.shape) < 0.4] = 0
    X[3, 2] = -0.0
    seeds = (0x9E3779B97F4A7C15, 0xD1B54A32D192ED03)
    for seed, hashes in zip(seeds, row_hashes(X), strict=True):
        for row, found in zip(X, hashes, strict=True):
            entries = [
                int(np.float64(value).view(np.uint64)) + scrambled((feature + seed) % 2**64)
                for feature, value in enumerate(row)
                if value != 0
            ]
            assert scrambled(sum(scrambled(each % 2**64) for each in entries) % 2**64) == found
    csr = sparse.csr_matrix(X)
    parts = csr.data, csr.indices, csr.indptr, 5
    assert all((a == b).all() for a, b in zip(row_hashes(X), row_hashes(parts), strict=True))


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("shards", [1, 2, 4])
def test_the_engine_is_the_exact_run_where_nothing_is_rounded(seed, shards):
    """Means of 1, 2 and 4 shards of whole numbers have few bits."""
    random = np.random.default_rng(seed)
    X = random.integers(-5, 6, (24, 3)).astype(float)
    y = (X @ [2, -1, 1] > 0).astype(int)
    number = np.arange(24) % shards
    parts = split(X, y, shards, shard=number)
    mixing = Mixing([0, 1], 3, max_iter=6, keep="last", order="given", scale=None)
    weights = [Fraction(0)] * 4
    while mixing.continues():
        ends = []
        for part in parts:
            signs = [1 if code else -1 for code in part.codes_in(np.array([0, 1]))]
            rows = [
                [Fraction(sign * value) for value in (*row, 1.0)]
                for row, sign in zip(part.matrix.tolist(), signs, strict=True)
            ]
            ends.append(exact_pass(weights, rows))
        weights = [sum(end[j] for end, _ in ends) / shards for j in range(4)]
        passes = [mixing.task()(part) for part in parts]
        assert [each.mistakes for each in passes] == [[mistakes] for _, mistakes in ends]
        mixing.end_epoch(passes[::-1])
        found = [*mixing.weights[0][0], mixing.weights[1][0]]
        assert [Fraction(w) for w in found] == weights


def noisy(rows=400, classes=2, seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, 6)) * (random.random((rows, 6)) < 0.6)
    y = np.argmax(X @ random.normal(size=(6, classes)), axis=1)
    flipped = random.random(rows) < 0.1
    y[flipped] = random.integers(0, classes, flipped.sum())
    return X, y


@pytest.mark.parametrize("classes", [2, 5])
@pytest.mark.parametrize("keep", ["average", "last"])
@pytest.mark.parametrize("kind", ["uniform", "errors"])
def test_order_and_layout_make_no_difference(classes, keep, kind):
    X, y = noisy(classes=classes)
    scrambled = np.random.default_rng(1).permutation(len(y))
    layouts = [X[scrambled], sparse.csr_matrix(X), sparse.csr_matrix(X[scrambled])]
    orders = [scrambled, np.arange(len(y)), scrambled]
    parameters = {"max_iter": 4, "keep": keep, "mixing": kind}
    first = fit_shards(split(X, y, 7), **parameters)
    for layout, order in zip(layouts, orders, strict=True):
        again = fit_shards(split(layout, y[order], 7), **parameters)
        assert again.coef_.tobytes() == first.coef_.tobytes()
        assert again.report_ == first.report_
    single = X.astype(np.float32)
    narrow = fit_shards(split(single, y, 7), **parameters)
    wide = fit_shards(split(single.astype(np.float64), y, 7), **parameters)
    assert narrow.coef_.tobytes() == wide.coef_.tobytes()


@pytest.mark.parametrize(("classes", "epochs"), [(2, 107), (3, 40)])
def test_the_end_of_a_run_does_not_depend_on_the_layout(classes, epochs):
    """940 of 1,500 values are not 0: 107 epochs visit 100,000 of these, and with three hyperplanes 40 do."""
    X, y = noisy(rows=250, classes=classes)
    wide = fit_shards(split(X, y, 4), scale=None)
    narrow = fit_shards(split(sparse.csr_matrix(X), y, 4), scale=None)
    assert np.count_nonzero(X) == 940
    assert len(wide.report_["mistakes_per_epoch"]) == epochs
    assert narrow.report_ == wide.report_
    assert narrow.coef_.tobytes() == wide.coef_.tobytes()


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("layout", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("weighted", [False, True])
def test_few_rows_are_one_shard_and_the_model_of_a_perceptron(classes, layout, weighted):
    X, y = noisy(classes=classes)
    weights = np.arange(len(y)) % 3 / 2 if weighted else None
    (shard,) = split(layout(X), y, sample_weight=weights)
    rows = csr(shard.matrix) if layout is sparse.csr_matrix else shard.matrix
    labels = shard.classes[shard.codes]
    for parameters in (
        {},
        {"update": "pa1:0.5", "scale": None, "max_iter": 7, "random_state": 3},
        {"keep": "average", "bias": "none", "order": "given", "mistake": "label", "eta0": 0.5},
    ):
        here = Perceptron(**parameters).fit(rows, labels, sample_weight=shard.weights)
        found = fit_shards([shard], **parameters)
        assert found.coef_.tobytes() == here.coef_.tobytes()
        assert found.intercept_.tobytes() == here.intercept_.tobytes()
        assert found.report_ == here.report_


def test_the_defaults_are_those_of_the_perceptron():
    given = inspect.signature(Mixing).parameters
    shared = {name: value for name, value in DEFAULTS.items() if name in given}
    assert {name: given[name].default for name in shared} == shared
    assert shared.keys() == given.keys() - {"labels", "features", "mixing"}
    own = Perceptron().get_params()
    same = shared.keys() - {"bias", "order"}
    assert {name: own[name] for name in same} == {name: shared[name] for name in same}
    # What the engine says without options is the perceptron's too, but for the label of a score of 0.
    engine = _parameters.from_engine(json.loads(_native.Options.from_json("{}").to_json()))
    others = same - {"zero", "max_iter", "scale"}
    assert {name: engine[name] for name in others} == {name: shared[name] for name in others}


def test_the_number_of_shards_follows_from_rows_and_values():
    assert [count_for(*size) for size in ((0, 0), (1, 2**24 - 1), (1, 2**24), (10**6, 10**9))] == [
        *(1, 1, 2),
        60,
    ]
    X, y = noisy()
    numbers = np.arange(len(y)) % 3
    assert [shard.number for shard in split(X, y, shard=numbers)] == [0, 1, 2]
    with pytest.raises(ValueError, match="shard must have whole numbers from 0 to 0"):
        split(X, y, shard=-numbers)


def mixed(shards, labels, **parameters):
    """The model of `Mixing`, of one shard too."""
    mixing = Mixing(labels, shards[0].features, **parameters)
    if mixing.statistics() is not None:
        mixing.end_statistics([mixing.statistics()(shard) for shard in shards])
    while mixing.continues():
        mixing.end_epoch([mixing.task()(shard) for shard in shards])
    return mixing.finish([mixing.evaluation()(shard) for shard in shards])


@pytest.mark.parametrize("kind", ["uniform", "errors"])
def test_classes_are_learned_jointly(kind):
    """The classes between two others are no half-spaces."""
    X = np.arange(100.0).reshape(-1, 1)
    y = np.arange(100) // 20
    shards = split(X, y, 4)
    jointly, apart = (
        fit_shards(shards, mixing=kind, classes=classes, max_iter=40)
        for classes in ("auto", "one-vs-rest")
    )
    assert jointly.score(X, y) > 0.9 > 0.85 > apart.score(X, y)
    assert jointly.report_["errors"] == {"average": round(100 - 100 * jointly.score(X, y))}
    report = jointly.report_
    assert report["updates"] == sum(each["updates"] for each in report["per_class"])
    assert report["margin"] == {}
    assert fit_shards(shards, keep="average").get_params()["classes"] == "auto"
    named = fit_shards(shards, keep="average", max_iter=5)
    same = fit_shards(shards, keep="average", classes="one-vs-rest", max_iter=5)
    assert named.coef_.tobytes() == same.coef_.tobytes()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_joint_mixing_is_that_of_one_machine_in_the_given_order():
    X, y = noisy(classes=4)
    (shard,) = split(X, y, 1)
    labels = shard.classes[shard.codes]
    for keep in ("last", "average"):
        common = {"order": "given", "keep": keep, "classes": "joint", "max_iter": 1}
        found = mixed([shard], [0, 1, 2, 3], **common)
        here = Perceptron(**common).fit(shard.matrix, labels)
        assert found.coef_.tobytes() == here.coef_.tobytes()
        names = ("updates", "mistakes_per_epoch", "training_errors", "radius", "kept")
        assert {name: found.report_[name] for name in names} == {
            name: here.report_[name] for name in names
        }


def test_the_average_of_a_converged_run_is_right_on_all_rows():
    """Of 60 generated sets, some need more epochs and some the last weights."""
    kept = set()
    for seed in range(60):
        random = np.random.default_rng(seed)
        X = random.normal(size=(40, 3))
        y = X @ random.normal(size=3) > random.normal() / 4
        if len(set(y)) < 2:
            continue
        model = fit_shards(split(X, y, 3))
        report = model.report_
        assert report["converged"]
        assert (report["training_errors"], model.score(X, y)) == (0, 1)
        more = report.get("extra_epochs", 0)
        assert more in (0, 1, 2, 4, 8, 16, 32, 64, 128)
        assert more <= report["epochs"]
        assert report["margin"]["lower"] > 0
        kept.add((report["kept"], more > 0))
    assert kept >= {("average", False), ("average", True)}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("scale", [None, "auto"])
@pytest.mark.parametrize("layout", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("weighted", [False, True])
def test_mixing_of_one_shard_is_one_machine(scale, layout, weighted):
    X, y = load_digits(return_X_y=True)
    # A column far from zero beside those of pixels, of which many are 0 and some are always 0.
    X[:, 0] = 1.7e9 + np.arange(len(y))
    weights = 0.5 + np.arange(len(y)) % 3 if weighted else None
    (shard,) = split(layout(X), y, 1, sample_weight=weights)
    assert isinstance(shard.matrix, tuple) == (layout is sparse.csr_matrix)
    labels = shard.classes[shard.codes]
    rows = csr(shard.matrix) if isinstance(shard.matrix, tuple) else shard.matrix
    common = {"order": "given", "classes": "one-vs-rest", "scale": scale}
    for keep in ("last", "average"):
        here = Perceptron(**common, max_iter=1, keep=keep).fit(
            rows, labels, None, None, shard.weights
        )
        found = mixed([shard], shard.classes, max_iter=1, keep=keep, scale=scale)
        assert found.coef_.tobytes() == here.coef_.tobytes()
        assert found.intercept_.tobytes() == here.intercept_.tobytes()
        assert found.report_["radius"] == here.report_["radius"]
    here = Perceptron(**common, max_iter=5, keep="last")
    here.fit(rows, labels, None, None, shard.weights)
    found = mixed([shard], shard.classes, max_iter=5, keep="last", order="given", scale=scale)
    assert found.coef_.tobytes() == here.coef_.tobytes()
    assert found.intercept_.tobytes() == here.intercept_.tobytes()
    names = ("mistakes_per_epoch", "updates", "converged", "stopped_by", "training_errors")
    assert {name: found.report_[name] for name in names} == {
        name: here.report_[name] for name in names
    }
    scores = here.decision_function(X).tobytes()
    assert found.decision_function(X).tobytes() == scores
    assert pickle.loads(pickle.dumps(found)).decision_function(layout(X)).tobytes() == scores


@pytest.mark.parametrize("shards", [1, 2, 3])
def test_the_statistics_are_those_of_all_rows(shards):
    """The columns have few zeros, many zeros, one value besides 0, one value, and zeros only."""
    X = np.array(
        [
            [1.0, 0.0, 2.0, 7.0, 0.0],
            [3.0, 0.0, 0.0, 7.0, 0.0],
            [1.0, 3.0, 2.0, 7.0, 0.0],
            [3.0, 4.0, 0.0, 7.0, 0.0],
        ]
    )
    parts = split(X, [0, 1, 0, 1], shards, shard=np.arange(4) % shards)
    expected = {
        "unit": ([2.0, 0.0, 0.0, 7.0, 0.0], [1.0, 12.5**0.5, 2.0, 1.0, 1.0]),
        "none": ([0.0, 0.0, 0.0, 0.0, 0.0], [5.0**0.5, 12.5**0.5, 2.0, 7.0, 1.0]),
    }
    for bias, (shift, divisor) in expected.items():
        mixing = Mixing([0, 1], 5, bias=bias, keep="last")
        task = pickle.loads(pickle.dumps(mixing.statistics()))
        found = [pickle.loads(pickle.dumps(task(part))) for part in parts]
        mixing.end_statistics(found[::-1])
        assert mixing.statistics() is None
        assert [numbers.tolist() for numbers in mixing.task().scaling] == [shift, divisor]
        model = mixed(parts, [0, 1], bias=bias, keep="last", max_iter=1)
        mixing.end_epoch([mixing.task()(part) for part in parts])
        scaled = (X - shift) / divisor
        weights, biases = mixing.weights
        np.testing.assert_allclose(
            model.decision_function(X), scaled @ weights[0] + biases[0], rtol=1e-15
        )


def test_weights_count_in_the_statistics():
    """The weights 1 and 3 give the mean 13/4 and the variance 49/4 − (13/4)² = 27/16."""
    parts = split([[1.0], [4.0]], [0, 1], 2, sample_weight=[1, 3], shard=np.arange(2))
    mixing = Mixing([0, 1], 1)
    mixing.end_statistics([mixing.statistics()(part) for part in parts])
    assert [numbers.tolist() for numbers in mixing.task().scaling] == [[3.25], [(27 / 16) ** 0.5]]


def test_the_numbers_of_the_shards_order_the_statistics():
    """A double-double number holds 1e60 + 1e30 but not 1 besides, so the order of the sum shows."""
    X = [[1e60, 1.0], [1e30, 2.0], [1.0, 3.0], [-1e60, 4.0], [-1e30, 5.0]]
    parts = split(X, [0, 1, 0, 1, 0], 3, shard=[0, 0, 1, 2, 2])
    task = Mixing([0, 1], 2).statistics()
    found = [task(part) for part in parts]
    first, second, third = (each.features for each in found)
    lost, kept = (
        _native.scaling(order, False)[0][0]
        for order in ([first, second, third], [first, third, second])
    )
    assert (lost, kept) == (0, 1 / 5)
    for order in itertools.permutations(found):
        mixing = Mixing([0, 1], 2)
        mixing.end_statistics(order)
        assert mixing.task().scaling[0].tolist() == [0, 3]
    with pytest.raises(ValueError, match="these are not the statistics of rows"):
        _native.scaling([first[:, :9].copy()], False)


def test_features_that_need_no_scaling_stay():
    """One-hot columns: the model has no scaling, as that of `Perceptron`."""
    X = np.eye(4)[np.arange(12) % 4]
    mixing = Mixing([0, 1], 4)
    parts = split(X, np.arange(12) % 2, 2)
    mixing.end_statistics([mixing.statistics()(part) for part in parts])
    assert mixing.task().scaling is None
    assert mixing.statistics() is None
    scaled, plainly = (fit_shards(parts, scale=scale) for scale in ("auto", None))
    assert scaled.coef_.tobytes() == plainly.coef_.tobytes()


@pytest.mark.parametrize("scale", [None, "auto"])
@pytest.mark.parametrize("kind", ["uniform", "errors"])
def test_convergence_margins_and_bounds(kind, scale, tmp_path):
    X, y = load_iris(return_X_y=True)
    shards = split(X, y == 0, 8)
    mixing = Mixing([False, True], 4, keep="last", mixing=kind, scale=scale)
    if scale is not None:
        mixing.end_statistics([mixing.statistics()(shard) for shard in shards])
    while mixing.continues():
        mixing.end_epoch([mixing.task()(shard) for shard in shards])
    model = mixing.finish([mixing.evaluation()(shard) for shard in shards])
    report = model.report_
    assert report["converged"]
    assert report["mistakes_per_epoch"][-1] == 0
    assert model.score(X, y == 0) == 1
    # The report and the bounds are about the rows that were learned from.
    learned = [shard.scaled(mixing.task().scaling) for shard in shards]
    rows = np.concatenate([shard.matrix for shard in learned])
    labels = np.concatenate([shard.classes[shard.codes] for shard in learned])
    best = separable(rows, labels)
    assert report["margin"]["lower"] <= best.margin["upper"]
    assert report["margin"]["upper"] >= best.margin["lower"]
    assert report["radius"] == pytest.approx(np.linalg.norm(rows, axis=1).max(), rel=1e-14)
    weights, biases = mixing.weights
    least = worst(rows, labels, weights, biases)[1][0]
    length = math.hypot(*weights[0], *biases)
    assert report["min_margin"] == pytest.approx(least / length, rel=1e-14)
    bounds = mixing.bounds(report)
    mistakes = report["mistakes_per_epoch"]
    if kind == "uniform":
        assert sum(mistakes) <= bounds["mistakes"]
    else:
        assert sum(count > 0 for count in mistakes) <= bounds["epochs"]
    model.save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    assert loaded.scale == model.scale == scale
    assert loaded.coef_.tobytes() == model.coef_.tobytes()
    assert loaded.decision_function(X).tobytes() == model.decision_function(X).tobytes()


def test_each_epoch_has_its_own_order():
    X, y = noisy()
    (shard,) = split(X, y, 1)
    orders = [shard.shuffled(seed, epoch) for seed in (0, 1) for epoch in (1, 2, 3)]
    assert orders[0] is shard
    rows = [each.matrix.tolist() for each in orders]
    assert rows[0] == rows[3]
    assert all(rows[a] != rows[b] for a, b in [(0, 1), (1, 2), (1, 4), (2, 5)])
    assert all(sorted(each) == sorted(rows[0]) for each in rows)
    again = shard.shuffled(0, 2)
    assert again.to_bytes() == orders[1].to_bytes()
    found = [fit_shards([shard], max_iter=3, random_state=seed) for seed in (0, 0, 1)]
    assert found[0].coef_.tobytes() == found[1].coef_.tobytes()
    assert found[0].coef_.tobytes() != found[2].coef_.tobytes()


def test_averaged_mixing_is_close_to_one_machine():
    random = np.random.default_rng(2)
    X = random.normal(size=(20_000, 10))
    clean = X @ random.normal(size=10) > 0
    y = clean ^ (random.random(len(X)) < 0.1)
    here = Perceptron(max_iter=4).fit(X, y).score(X, clean)
    for shards in (4, 16, 64):
        mixed = fit_shards(split(X, y, shards), max_iter=4)
        assert mixed.score(X, clean) >= here - 0.001


def test_a_restored_run_continues():
    X, y = noisy(classes=3)
    shards = split(X, y, 5)
    whole = fit_shards(shards, max_iter=6)
    mixing = Mixing([0, 1, 2], 6, max_iter=6)
    states = [mixing.to_bytes()]
    mixing.end_statistics([mixing.statistics()(each) for each in shards])
    while mixing.continues():
        states.append(mixing.to_bytes())
        mixing.end_epoch([pickle.loads(pickle.dumps(mixing.task()))(each) for each in shards])
    for state in states:
        again = Mixing([0, 1, 2], 6, max_iter=6)
        again.restore(state)
        # Only the first state needs the statistics.
        assert (again.statistics() is None) == (state is not states[0])
        if again.statistics() is not None:
            again.end_statistics([again.statistics()(each) for each in shards])
        while again.continues():
            again.end_epoch([again.task()(each) for each in shards])
        model = again.finish([again.evaluation()(each) for each in shards])
        assert model.coef_.tobytes() == whole.coef_.tobytes()
        assert model.report_ == whole.report_
    with pytest.raises(ValueError, match="the checkpoint has 5 epochs, more than this run makes"):
        Mixing([0, 1, 2], 6, max_iter=4).restore(state)
    for place in (0, 10, len(state) // 2, len(state) - 1):
        damaged = bytearray(state)
        damaged[place] ^= 4
        with pytest.raises(ValueError, match="the checkpoint"):
            Mixing([0, 1, 2], 6, max_iter=6).restore(damaged)
    with pytest.raises(ValueError, match="that of another run"):
        Mixing([0, 1], 6).restore(state)
    with pytest.raises(ValueError, match="was written by another version"):
        Mixing([0, 1], 6).restore(to_bytes({"_mistakes": []}, {}))
    for given, before in (({}, {"scale": None}), ({"scale": None}, {})):
        with pytest.raises(ValueError, match="that of another run: its scale is"):
            Mixing([0, 1], 6, **given).restore(Mixing([0, 1], 6, **before).to_bytes())


@pytest.mark.parametrize("layout", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("weighted", [False, True])
def test_shards_as_bytes(layout, weighted):
    X, y = noisy()
    weights = np.arange(len(y)) % 4 / 2.0 if weighted else None
    names = np.array(["no", "yes"])[y]
    for shard in split(layout(X), names, 3, sample_weight=weights):
        again = Shard.from_bytes(shard.to_bytes())
        assert again.to_bytes() == shard.to_bytes()
        assert again.digest() == shard.digest()
        assert len(again) == len(shard)
        assert again.features == 6
    with pytest.raises(ValueError, match="this shard was not written by rosenblatt"):
        Shard.from_bytes(b"something else, long enough")


def test_rows_of_one_content_are_in_the_order_of_their_labels_and_weights():
    X, y = [[1.0, 2.0]] * 4, [1, 0, 1, 0]
    (shard,) = split(X, y, 9, sample_weight=[2, 3, 1, 3])
    assert shard.codes.tolist() == [0, 0, 1, 1]
    assert shard.weights.tolist() == [3, 3, 1, 2]
    zero, negative = split([[0.0], [1.0]], [0, 1], 5), split([[-0.0], [1.0]], [0, 1], 5)
    assert [each.number for each in zero] == [each.number for each in negative]
    assert [each.digest() for each in zero] == [each.digest() for each in negative]


def test_one_pass_starts_from_given_weights():
    X, y = noisy()
    first = one_pass(X[:100], y[:100], classes=[0, 1])
    second = one_pass(X[100:], y[100:], coef_init=first.last[0], intercept_init=first.last[1])
    whole = one_pass(X, y)
    assert second.last[0].tobytes() == whole.last[0].tobytes()
    counts = [first.updates[0] + second.updates[0], first.examples + second.examples]
    assert counts == [whole.updates[0], whole.examples]
    stream = plain(keep="average").partial_fit(X, y, classes=[0, 1])
    assert stream.coef_.tobytes() == whole.kept[0].tobytes()


def test_mixed_numbers_are_rounded_once():
    random = np.random.default_rng(4)
    numbers = random.normal(size=(5, 40)) * 10.0 ** random.integers(-300, 300, (5, 40))
    shares = [1, 0, 7, 3, 1 << 40]
    exact = [
        sum(share * Fraction(a) for share, a in zip(shares, column, strict=True)) / sum(shares)
        for column in numbers.T.tolist()
    ]
    assert mix(numbers, shares).tolist() == [float(number) for number in exact]
    with pytest.raises(ValueError, match="the sum of the shares is 0"):
        mix([[1.0]], [0])


def test_worst_examples():
    X, y = noisy()
    coef = np.random.default_rng(6).normal(size=6)
    signs = np.where(y == 1, 1.0, -1.0)
    exact = [
        sum((Fraction(a) * Fraction(w) for a, w in zip(row, coef, strict=True)), Fraction(1, 4))
        for row in X.tolist()
    ]
    margins = [float(score) * sign for score, sign in zip(exact, signs, strict=True)]
    order = sorted(range(len(y)), key=lambda place: (margins[place], place))
    places, found = worst(X, y, coef, 0.25, count=9)
    assert places.tolist() == order[:9]
    assert found.tolist() == [margins[place] for place in order[:9]]


def test_errors():
    X, y = noisy()
    with pytest.raises(ValueError, match="keep is 'pocket', expected one of auto, average, last"):
        fit_shards(split(X, y, 2), keep="pocket")
    with pytest.raises(ValueError, match="mixing is 'best'"):
        fit_shards(split(X, y, 2), mixing="best")
    with pytest.raises(ValueError, match="bias='radius' needs all rows"):
        fit_shards(split(X, y, 2), bias="radius")
    with pytest.raises(ValueError, match="update is 'arow:1', but shards mix weights"):
        fit_shards(split(X, y, 2), update="arow:1")
    with pytest.raises(ValueError, match="there are no shards"):
        fit_shards([])
    with pytest.raises(ValueError, match="shard must have whole numbers from 0 to 1"):
        split(X, y, 2, shard=np.full(len(y), 2))
    with pytest.raises(ValueError, match="X has a value that is not a finite number"):
        split([[np.nan], [1.0]], [0, 1], 2)
    with pytest.raises(ValueError, match="number of classes has to be greater than one"):
        fit_shards(split(X, np.zeros(len(y)), 2))
    for scale in ("standard", "none", "maxabs"):
        with pytest.raises(
            ValueError, match=f"scale is '{scale}', but shards are scaled as 'auto' or"
        ):
            fit_shards(split(X, y, 2), scale=scale)
    mixing = Mixing([0, 1], 6)
    with pytest.raises(ValueError, match="the features are not scaled yet; call the task"):
        mixing.task()
    found = mixing.statistics()(split(X, y, 2)[0])
    with pytest.raises(ValueError, match="expected statistics for each shard"):
        mixing.end_statistics([found, found])
    mixing.end_statistics([found])
    task = mixing.task()
    assert isinstance(task, EpochTask)
    one = task(split(X, y, 2)[0])
    with pytest.raises(ValueError, match="expected one pass for each shard"):
        mixing.end_epoch([one, one])


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (lambda X, y: split(X, y, "4"), "shards is '4', expected a whole number"),
        (lambda X, y: split(X, y, 2.5), "shards is 2.5, expected a whole number"),
        (lambda X, y: fit_shards(split(X, y, 2), update=None), "update is None, expected a word"),
        (lambda X, y: fit_shards(split(X, y, 2), bias=3), "bias is 3, expected a word"),
        (lambda X, y: fit_shards([X, y]), "shards must be those of rosenblatt.mixing.split"),
    ],
)
def test_parameters_of_a_wrong_type(wrong, problem):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(TypeError, match=problem):
        wrong(X, y == 0)

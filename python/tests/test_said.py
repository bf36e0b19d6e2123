"""Every answer is true: tiny random arrays, and each answer held against exact arithmetic and longer runs.

`ROSENBLATT_SAID=10000` draws more cases than the check.
"""

import itertools
import os
import random
import warnings
from fractions import Fraction

import numpy as np

import rosenblatt
from rosenblatt import Perceptron

CASES = int(os.environ.get("ROSENBLATT_SAID", "500"))


def null_space(vectors):
    """Return a basis of the relations between vectors, by elimination in fractions."""
    width, count = len(vectors[0]), len(vectors)
    rows = [
        [*vector, *(Fraction(i == j) for j in range(count))] for i, vector in enumerate(vectors)
    ]
    done = 0
    for column in range(width):
        found = next((i for i in range(done, count) if rows[i][column]), None)
        if found is None:
            continue
        rows[done], rows[found] = rows[found], rows[done]
        for i in range(done + 1, count):
            factor = rows[i][column] / rows[done][column]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[done], strict=True)]
        done += 1
    return [row[width:] for row in rows[done:]]


def positive_circuits(vectors):
    """Return the minimal sets of vectors with a positive relation, of which every other is a sum."""
    found = []
    for size in range(1, len(vectors[0]) + 2):
        for rows in itertools.combinations(range(len(vectors)), size):
            relations = null_space([vectors[row] for row in rows])
            if len(relations) == 1 and (min(relations[0]) > 0 or max(relations[0]) < 0):
                found.append(set(rows))
    return found


def draw(seed):
    """Return integers or tenths with a column that depends on others, and labels of both classes."""
    rng = random.Random(seed)
    features, n = rng.randint(1, 3), rng.randint(3, 6)
    unit, most = rng.choice([(1, 3), (10, 30)])
    X = [[rng.randint(-most, most) for _ in range(features)] for _ in range(n)]
    if features == 3:
        X = [[a, b, a - b] for a, b, _ in X]
    if rng.random() < 0.5:
        X[0] = list(X[-1])
    y = [rng.random() < 0.5 for _ in range(n)]
    y[0], y[1] = False, True
    return np.array(X) / unit, np.array(y)


def test_answers_of_statements():
    for seed in range(CASES):
        X, y = draw(seed)
        for intercept in (True, False):
            vectors = [
                [(1 if label else -1) * Fraction(x) for x in [*row, *([1.0] if intercept else [])]]
                for row, label in zip(X.tolist(), y, strict=True)
            ]
            circuits = positive_circuits(vectors)
            found = rosenblatt.separable(X, y, bias="unit" if intercept else "none")
            assert bool(found) == (not circuits), seed
            face = set().union(*circuits)
            case = {0: "complete", len(y): "overlap"}.get(len(face), "quasi-complete")
            assert rosenblatt.separation(X, y, intercept=intercept).separation == case, seed
            least = min(
                size
                for size in range(len(y) + 1)
                for taken in itertools.combinations(range(len(y)), size)
                if all(set(taken) & circuit for circuit in circuits)
            )
            bounds = rosenblatt.least_errors(X, y, intercept=intercept)
            assert bounds.lower <= least <= bounds.upper, seed


def test_a_run_that_converged_is_right_and_a_longer_one_agrees():
    converged = 0
    for seed in range(CASES):
        X, y = draw(seed)
        rng = random.Random(-seed - 1)
        options = {
            "fit_intercept": rng.random() < 0.7,
            "shuffle": rng.random() < 0.5,
            "eta0": rng.choice([1.0, 1.0, 0.5, 3.0]),
        }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = Perceptron(max_iter=rng.choice([3, 30, 300]), random_state=seed, **options).fit(
                X, y
            )
            longer = Perceptron(max_iter=2000, random_state=seed, **options).fit(X, y)
        report = model.report_
        right = float(np.mean(model.predict(X) == y))
        assert model.score(X, y) == right, seed
        if report["converged"]:
            assert right == 1.0, (seed, options)
            assert longer.report_["converged"], (seed, options)
            assert longer.report_["updates"] == report["updates"], (seed, options)
            converged += 1
    assert converged > CASES // 10, converged

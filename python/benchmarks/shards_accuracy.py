"""Accuracy of averaged mixing beside one machine, with the default end of each run: a table for `docs/spark.md`.

    python benchmarks/shards_accuracy.py DATA

DATA has the folders `libsvm-a9a` and `libsvm-w8a`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from rosenblatt import Perceptron, read_svmlight
from rosenblatt.mixing import fit_shards, split


def a9a(data: Path):
    train, test = (
        read_svmlight(data / "libsvm-a9a" / name, n_features=123) for name in ["a9a.txt", "a9a.t"]
    )
    return train.X, train.y, test.X, test.y


def w8a(data: Path):
    X, y = read_svmlight(data / "libsvm-w8a" / "w8a")
    tests = np.arange(len(y)) % 5 == 0
    return X[~tests], y[~tests], X[tests], y[tests]


def noisy(_: Path):
    """20,000 rows, of which a tenth has the wrong label, and 200,000 rows with clean labels."""
    random = np.random.default_rng(0)
    weights = random.normal(size=10)
    X, test = random.normal(size=(20_000, 10)), random.normal(size=(200_000, 10))
    return X, (X @ weights > 0) ^ (random.random(20_000) < 0.1), test, test @ weights > 0


def cell(model, X, y) -> str:
    return f"{100 * model.score(X, y):.2f}% ({len(model.report_['mistakes_per_epoch'])})"


def main() -> None:
    data = Path(sys.argv[1])
    print("| data | rows | one machine | 1 shard | 4 | 16 | 64 |\n|---|---|---|---|---|---|---|")
    for make in [a9a, w8a, noisy]:
        X, y, test_X, test_y = make(data)
        models = [Perceptron().fit(X, y)]
        models += [fit_shards(split(X, y, shards)) for shards in [1, 4, 16, 64]]
        cells = [cell(model, test_X, test_y) for model in models]
        print(f"| {make.__name__} | {X.shape[0]:,} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()

"""Probabilities of calibrated models beside scikit-learn's: a table for `docs/accuracy.md`.

    python benchmarks/probabilities.py ROSENBLATT DATA

ROSENBLATT is the command and DATA the folder of the data sets. Each set is split into five stratified folds of its
rows, or has a test file. All learners get the same rows: standardized, or divided by the largest size of each feature
where rows are sparse.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import dump_svmlight_file, load_svmlight_file
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import MaxAbsScaler, StandardScaler
from sklearn.svm import LinearSVC

OURS = {
    "platt, folds": ["--folds", "5", "--calibrate", "platt"],
    "isotonic, folds": ["--folds", "5", "--calibrate", "isotonic"],
    "venn-abers, folds": ["--folds", "5", "--calibrate", "venn-abers"],
    "arow:10, platt, folds": ["--update", "arow:10", "--folds", "5", "--calibrate", "platt"],
    "platt, hold-out": ["--holdout", "0.2", "--calibrate", "platt"],
}


def sms(path: Path):
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        lines = [line.rstrip("\t\n").split("\t", 1) for line in file if "\t" in line]
    X = CountVectorizer(binary=True).fit_transform(text for _, text in lines)
    return X.astype(float), np.array([label == "spam" for label, _ in lines], dtype=int)


def sets(data: Path):
    bank = data / "banknote_authentication" / "banknote_authentication.csv"
    with open(bank, newline="") as file:
        has_header = csv.Sniffer().has_header(file.read(4096))
    rows = np.loadtxt(bank, delimiter=",", skiprows=int(has_header))
    yield "banknote", (rows[:, :-1], (rows[:, -1] == 1).astype(int)), None
    # The first column is a number of the patient, the last two are the class.
    rows = np.loadtxt(data / "wdbc" / "wdbc.data", delimiter=",", comments="#")
    yield "wdbc", (rows[:, 1:-2], (rows[:, -1] == 1).astype(int)), None
    rows = np.loadtxt(data / "spambase" / "spam.data")
    yield "spambase", (rows[:, :-1], (rows[:, -1] == 1).astype(int)), None
    yield "sms", sms(data / "sms-spam" / "SMSSpamCollection"), None
    train, test = (
        load_svmlight_file(str(data / "libsvm-a9a" / name), n_features=123)
        for name in ["a9a.txt", "a9a.t"]
    )
    yield "a9a", (train[0], (train[1] > 0).astype(int)), (test[0], (test[1] > 0).astype(int))
    X, y = load_svmlight_file(str(data / "libsvm-w8a" / "w8a"))
    yield "w8a", (X, (y > 0).astype(int)), None


def splits(whole, test):
    if test is not None:
        yield *whole, *test
        return
    X, y = whole
    for one, other in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        yield X[one], y[one], X[other], y[other]


def ours(command: str, folder: Path, options: list[str]) -> tuple[float, float]:
    """Return the Brier score and the log loss of a model."""
    train, test, model = (str(folder / name) for name in ["train.svm", "test.svm", "model"])
    subprocess.run([command, "train", train, *options, "-q", "-o", model], check=True)
    run = subprocess.run(
        [command, "evaluate", model, test, "--json", "-q"], check=True, capture_output=True
    )
    found = json.loads(run.stdout)["probabilities"]
    return found["brier"], np.inf if found["log_loss"] is None else found["log_loss"]


def main() -> None:
    command, data = sys.argv[1], Path(sys.argv[2])
    theirs = {
        "CalibratedClassifierCV": lambda: CalibratedClassifierCV(LinearSVC(), cv=5),
        "LogisticRegression": lambda: LogisticRegression(max_iter=5000),
    }
    print("| set | " + " | ".join([*OURS, *theirs]) + " |")
    for name, whole, test in sets(data):
        losses: dict[str, list[tuple[float, float]]] = {one: [] for one in [*OURS, *theirs]}
        for X, y, tests, expected in splits(whole, test):
            scaler = (MaxAbsScaler if hasattr(X, "tocsr") else StandardScaler)().fit(X)
            X, tests = scaler.transform(X), scaler.transform(tests)
            with tempfile.TemporaryDirectory() as folder:
                for file, rows, labels in [("train.svm", X, y), ("test.svm", tests, expected)]:
                    dump_svmlight_file(rows, labels, str(Path(folder, file)), zero_based=False)
                for one, options in OURS.items():
                    losses[one].append(ours(command, Path(folder), options))
            for one, make in theirs.items():
                found = make().fit(X, y).predict_proba(tests)[:, 1]
                losses[one].append((brier_score_loss(expected, found), log_loss(expected, found)))
        cells = [" / ".join(f"{x:.4f}" for x in np.mean(losses[one], axis=0)) for one in losses]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()

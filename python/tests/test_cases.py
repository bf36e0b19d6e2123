"""The cases that every way to use the project must reproduce."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from conftest import ROOT, plain
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from rosenblatt import Perceptron

try:
    import tomllib
except ImportError:
    import tomli as tomllib

CASES = sorted((ROOT / "cases").glob("*.toml"))

# The name of each option of a case in Python.
NAMES = {
    "update": "update",
    "keep": "keep",
    "bias": "bias",
    "mistake": "mistake",
    "zero": "zero",
    "order": "order",
    "seed": "random_state",
    "epochs": "max_iter",
    "allow_mistakes": "max_mistakes",
    "eta": "eta0",
    "class_weight": "class_weight",
}


def estimator(case: dict) -> Perceptron:
    penalty = case.get("options", {}).get("penalty")
    # The default of `zero` differs in Python.
    options = {"keep": "auto", "epochs": 1000, "zero": "positive", **case.get("options", {})}
    options.pop("penalty", None)
    options = {NAMES[name]: value for name, value in options.items()}
    if penalty is not None:
        options["penalty"], alpha = penalty.split(":")
        options["alpha"] = float(alpha)
    if options.get("class_weight") == "uniform":
        options["class_weight"] = None
    return plain(**options)


def labels(case: dict) -> np.ndarray:
    """Numbers where all labels are; the positive class is the later one."""
    try:
        found = np.array([float(label) for label in case["labels"]])
    except ValueError:
        found = np.array(case["labels"])
    positive = case.get("positive")
    if positive is None:
        return found
    return found == (float(positive) if found.dtype.kind == "f" else positive)


def test_there_are_cases():
    assert len(CASES) >= 20


@pytest.mark.parametrize("layout", ["dense", "csr", "float32"])
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path, layout):
    case = tomllib.loads(path.read_text())
    X = np.array(case["rows"], dtype=np.float64)
    if layout == "csr":
        X = sparse.csr_matrix(X)
    if layout == "float32":
        if not np.array_equal(X.astype(np.float32), X):
            return  # these numbers have no float32
        X = X.astype(np.float32)
    y = labels(case)
    model = estimator(case)
    weights = model.class_weight
    if isinstance(weights, dict):
        model.class_weight = {y[case["labels"].index(label)]: w for label, w in weights.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, y)
    report = model.report_
    for key, expected in case["expect"].items():
        if key == "weights":
            assert model.coef_.tolist() == [[float(x) for x in expected]]
        elif key == "bias":
            assert model.intercept_.tolist() == [float(expected)]
        elif key == "errors":
            # The report compares only the kept weights here.
            kept = report["kept"]
            assert report["errors"][kept] == expected[kept]
        else:
            assert report[key] == expected, key

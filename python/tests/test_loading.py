"""What is loaded when: `import rosenblatt` loads nothing that it does not need, an estimator loads scikit-learn."""

from __future__ import annotations

import ast
import pickle
import subprocess
import sys
import warnings
from pathlib import Path

import joblib
import numpy as np
import pytest
from sklearn.utils import check_array
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

import rosenblatt
from rosenblatt import KernelPerceptron, Perceptron, PerceptronCV, VotedPerceptron, _input

SLOW = {"sklearn", "scipy", "pandas", "matplotlib", "pyspark"}

# The estimators, and what is defined beside them.
WITH_SCIKIT_LEARN = {
    "Explanation",
    "KernelPerceptron",
    "Perceptron",
    "PerceptronCV",
    "TableEncoder",
    "VotedPerceptron",
    "save",
}

ARRAYS = """
import numpy as np, rosenblatt as r
X, y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 0, 1])
"""

WITHOUT_ESTIMATORS = {
    "import": "import rosenblatt",
    "names": "import rosenblatt; dir(rosenblatt); rosenblatt.__version__",
    "read_csv": "import rosenblatt; assert rosenblatt.read_csv('and.csv').X.shape == (4, 2)",
    "pickled data": "import pickle; assert pickle.load(open('data', 'rb')).X.shape == (4, 2)",
    "separable of a file": "import rosenblatt as r; assert r.separable(*r.read_csv('and.csv'))",
    "separable of lists": "import rosenblatt as r; assert r.separable([[0], [1]], ['no', 'yes'])",
    "separable": f"{ARRAYS}\nassert r.separable(X, y)",
    "separable of integers": f"{ARRAYS}\nassert r.separable(X.astype(int), y)",
    "separable of columns": f"{ARRAYS}\nassert r.separable(np.asfortranarray(X), y)",
    "verify": f"{ARRAYS}\nassert r.verify(r.separable(X, y).certificate, X, y)",
    "separation": f"{ARRAYS}\nassert r.separation(X, y).separation == 'complete'",
    "convergence": f"{ARRAYS}\nassert r.convergence(X, y)",
    "least_errors": f"{ARRAYS}\nassert r.least_errors(X, y).upper == 0",
    "study": f"{ARRAYS}\nassert r.study(X, y, runs=2).converged == 2",
}


def fresh(code: str, folder: Path) -> str:
    """Run code in a new process, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def loaded(code: str, folder: Path) -> set[str]:
    """Return which of the slow packages code loads in a new process."""
    return SLOW & set(fresh(f"{code}\nimport sys\nprint(*sys.modules)", folder).split())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a table, and with the same data pickled."""
    table = tmp_path / "and.csv"
    table.write_text("a,b,both\n0,0,no\n0,1,no\n1,0,no\n1,1,yes\n")
    (tmp_path / "data").write_bytes(pickle.dumps(rosenblatt.read_csv(table)))
    return tmp_path


@pytest.mark.parametrize("name", WITHOUT_ESTIMATORS)
def test_scikit_learn_is_not_loaded_without_an_estimator(folder, name):
    assert loaded(WITHOUT_ESTIMATORS[name], folder) == set()


def test_only_the_estimators_load_scikit_learn(tmp_path):
    others = sorted(set(rosenblatt.__all__) - WITH_SCIKIT_LEARN)
    assert (
        loaded(f"import rosenblatt\nfor name in {others}: getattr(rosenblatt, name)", tmp_path)
        == set()
    )


@pytest.mark.parametrize("name", sorted(WITH_SCIKIT_LEARN))
def test_an_estimator_is_loaded_when_it_is_touched(tmp_path, name):
    assert "sklearn" in loaded(f"import rosenblatt\nrosenblatt.{name}", tmp_path)


def test_the_names_are_there_before_they_are_loaded(tmp_path):
    code = """
import rosenblatt
assert not set(rosenblatt.__all__) & set(vars(rosenblatt))
assert set(rosenblatt.__all__) <= set(dir(rosenblatt))
for name in rosenblatt.__all__:
    assert getattr(rosenblatt, name) is getattr(rosenblatt, name), name
assert set(rosenblatt.__all__) <= set(vars(rosenblatt))
"""
    fresh(code, tmp_path)


def test_everything_can_be_imported_at_once(tmp_path):
    names = fresh("from rosenblatt import *\nprint(*globals())", tmp_path).split()
    assert set(rosenblatt.__all__) <= set(names)


def test_help_has_every_function_and_class(tmp_path):
    text = fresh(
        "import pydoc, rosenblatt\nprint(pydoc.plain(pydoc.render_doc(rosenblatt)))", tmp_path
    )
    for name in set(rosenblatt.__all__) - {"__version__"}:
        assert f"class {name}(" in text or f"    {name}(" in text, name


def test_a_name_that_does_not_exist():
    with pytest.raises(AttributeError, match="module 'rosenblatt' has no attribute 'Perceptro'"):
        _ = rosenblatt.Perceptro
    with pytest.raises(ImportError, match="cannot import name 'Perceptro' from 'rosenblatt'"):
        exec("from rosenblatt import Perceptro")


def test_checkers_of_types_see_the_names_that_are_loaded():
    tree = ast.parse(Path(rosenblatt.__file__).read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    seen = {alias.asname: node.module for node in block.body for alias in node.names}
    assert seen == rosenblatt._MODULE_OF


ROWS = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 3)
LABELS = np.array(["no", "no", "no", "yes"] * 3)


@pytest.mark.parametrize("kind", [Perceptron, KernelPerceptron, VotedPerceptron, PerceptronCV])
def test_a_process_that_only_unpickles(tmp_path, kind):
    model = kind().fit(ROWS, LABELS)
    (tmp_path / "model").write_bytes(pickle.dumps((model, ROWS)))
    code = "import pickle\nmodel, X = pickle.load(open('model', 'rb'))\nprint(*model.predict(X))"
    assert fresh(code, tmp_path).split() == model.predict(ROWS).tolist()


def test_a_process_that_only_loads(tmp_path):
    model = Perceptron().fit(ROWS, LABELS)
    model.save(tmp_path / "and.rosenblatt")
    joblib.dump(model, tmp_path / "and.joblib")
    own = "import rosenblatt\nprint(*rosenblatt.load('and.rosenblatt').predict([[1, 1], [0, 1]]))"
    assert fresh(own, tmp_path).split() == ["yes", "no"]
    other = "import joblib\nprint(*joblib.load('and.joblib').predict([[1, 1], [0, 1]]))"
    assert fresh(other, tmp_path).split() == ["yes", "no"]


def outcome(call, *given, **options):
    """Return the type, the shape and the bytes of an array, or the error; and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = call(*given, **options)
        except (ValueError, TypeError) as error:
            result = type(error), str(error)
        else:
            result = found.dtype, found.shape, found.flags.c_contiguous, found.tobytes()
    return result, [(one.category, str(one.message)) for one in caught]


MATRICES = [
    [[1, 2], [3, 4]],
    [[True, False]],
    [[1, 2.5]],
    [(1, 2), (3, 4)],
    [np.array([1, 2], dtype=np.float32)],
    [[2**53 + 1, 2**63 - 1]],
    [[2**70, 1]],
    [["1.5", "2"]],
    [["a", "b"]],
    [[None, 1]],
    [[float("nan"), float("inf")]],
    [[1, 2], [3]],
    [1, 2],
    [],
    [[]],
    [[1j]],
    [[[1]]],
    ((1, 2), (3, 4)),
    *(
        np.array([[0, 1], [1, 0]], dtype=kind)
        for kind in ("?", "i1", "u8", "f2", "f4", "f8", "g", ">f4", "O", "D")
    ),
    np.asfortranarray(np.eye(3, dtype=np.float32)),
    np.eye(4)[::2, ::-1],
    np.ma.masked_array(np.eye(2)),
    np.zeros((0, 2)),
    np.zeros((2, 0), dtype=int),
    np.zeros(3),
    np.array(1),
    np.array([["a"]]),
]


@pytest.mark.parametrize("X", MATRICES, ids=repr)
def test_rows_are_what_scikit_learn_makes_of_them(X):
    options = {"dtype": [np.float64, np.float32], "order": "C", "ensure_all_finite": False}
    expected = outcome(check_array, X, accept_sparse="csr", **options)
    assert outcome(lambda given: _input.rows(given)[0], X) == expected


COLUMNS = [
    [1, 0, 1],
    [True, False],
    [1.0, 2.0],
    [1, 2.5],
    ["a", "b"],
    ["a", 1],
    [b"a", b"b"],
    [2**63, 1],
    [2**70, 1],
    [None, "a"],
    [1j, 2],
    [],
    [[1], [2]],
    [[1, 2]],
    [[1], [2, 3]],
    (1, 2),
    np.array([[1], [0]]),
    np.array(3),
]


@pytest.mark.parametrize("y", COLUMNS, ids=repr)
def test_labels_are_what_scikit_learn_makes_of_them(y):
    assert outcome(_input._column, y) == outcome(column_or_1d, y, warn=True)


@pytest.mark.parametrize("classes", [1, 2, 3, 16, 30])
def test_many_classes_of_text_are_worth_the_warning_of_scikit_learn(classes):
    y = np.array([f"class {row % classes}" for row in range(30)])

    def checked(y):
        check_classification_targets(y)
        return np.unique(y)

    assert outcome(lambda given: _input.encoded(given)[0], y) == outcome(checked, y)

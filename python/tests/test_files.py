"""Readers compared with scikit-learn's, model files, and the formats of other programs."""

from __future__ import annotations

import copy
import csv
import gzip
import inspect
import io
import json
import pickle
import re
import subprocess
import warnings

import numpy as np
import onnx
import onnxruntime
import pandas as pd
import pytest
from conftest import ROOT, plain
from scipy import sparse
from sklearn.datasets import dump_svmlight_file, load_svmlight_file
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import PolynomialFeatures

from rosenblatt import KernelPerceptron, Perceptron, VotedPerceptron, load, read_csv, read_svmlight

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore:X does not have valid feature names"),
]

DATA = ROOT / "data"


# Readers.


@pytest.mark.parametrize("zero_based", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("packed", [False, True])
def test_svmlight_is_that_of_scikit_learn(tmp_path, zero_based, dtype, packed):
    X = sparse.random(300, 40, 0.2, "csr", rng=3)
    X.data = np.ldexp(X.data, np.arange(X.nnz) % 60 - 30)
    y = np.random.default_rng(1).choice([-1.0, 1.0, 2.5], 300)
    path = tmp_path / ("data.svm.gz" if packed else "data.svm")
    with (gzip.open if packed else open)(path, "wb") as file:
        dump_svmlight_file(X, y, file, zero_based=zero_based)
    options = {"n_features": 45, "zero_based": zero_based, "dtype": dtype}
    theirs, their_y = load_svmlight_file(str(path), **options)
    for jobs in (None, 2):
        ours, our_y = read_svmlight(path, n_jobs=jobs, **options)
        assert ours.shape == theirs.shape == (300, 45)
        assert ours.dtype == theirs.dtype == dtype
        assert ours.data.tobytes() == theirs.data.tobytes()
        assert ours.indices.tolist() == theirs.indices.tolist()
        assert ours.indptr.tolist() == theirs.indptr.tolist()
        assert our_y.dtype == their_y.dtype == np.float64
        assert our_y.tobytes() == their_y.tobytes()


def write_file(tmp_path, text: str, name: str = "data.csv"):
    path = tmp_path / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "options", "place"),
    [
        ("1 1:2\n1 2:x\n", {}, ":2:5"),
        ("1 1:2\n-1 3:1 2:1\n", {}, ":2:8"),
        ("1 0:2\n", {}, ":1:3"),
        ("1 1:2\n1 7:1\n", {"n_features": 6}, ":2:3"),
        ("1 1:nan\n", {}, ":1:5"),
        ("1 1:1\nnan 1:1\n", {}, ":2:1"),
    ],
)
def test_svmlight_errors_have_their_place(tmp_path, text, options, place):
    path = write_file(tmp_path, text, "data.svm")
    with pytest.raises(ValueError, match="data.svm" + place):
        read_svmlight(path, **options)


def test_rows_that_are_skipped_are_told(tmp_path):
    path = write_file(tmp_path, "1 1:2\n1 2:x\n-1 1:3\n", "data.svm")
    with pytest.warns(
        UserWarning, match="skipped 1 row that.*; the first: .*data.svm:2:5"
    ) as caught:
        data = read_svmlight(path, on_error="skip")
    assert caught[0].filename == __file__
    assert (data.skipped, data.y.tolist()) == (1, [1, -1])
    path = write_file(tmp_path, "a,y\n1,0\nx,1\n3,1\n")
    with pytest.warns(UserWarning, match=r"data.csv:3:1"):
        assert read_csv(path, on_error="skip").X.tolist() == [[1], [3]]
    with pytest.raises(ValueError, match="on_error is 'stay'"):
        read_csv(path, on_error="stay")


def test_rows_that_are_no_examples_are_told(tmp_path):
    path = write_file(tmp_path, "a,b,y\n1,2,0\na,b,y\n3,4,1\n")
    with pytest.warns(UserWarning, match=r"skipped 1 row that is no example; .*data.csv:3:1"):
        data = read_csv(path)
    assert (data.skipped, data.X.tolist(), data.y.tolist()) == (1, [[1, 2], [3, 4]], [0, 1])


def test_a_feature_that_numbers_the_rows_is_told(tmp_path):
    rows = "".join(f"{1990 + i},{7 * i % 11},{i % 2}\n" for i in range(30))
    path = write_file(tmp_path, "year,x,y\n" + rows)
    with pytest.warns(
        UserWarning, match=r"^`year` numbers the rows; pass `ignore=\[\"year\"\]`$"
    ) as caught:
        data = read_csv(path)
    assert (len(caught), caught[0].filename) == (1, __file__)
    assert data.notes == [
        {
            "code": "row_numbers",
            "severity": "warning",
            "message": "`year` numbers the rows",
            "columns": ["year"],
            "remedy": 'ignore=["year"]',
        }
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_csv(path, ignore=["year"]).notes == []


def test_what_is_clear_is_done_and_noted(tmp_path):
    rows = "".join(f"{i + 1},{7 * i % 11},{i % 3 or ''},{'ab'[i % 2]}\n" for i in range(30))
    path = write_file(tmp_path, "Id,x,z,y\n" + rows)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = read_csv(path)
    assert data.feature_names == ["x", "z"]
    assert data.X[:4].tolist() == [[0, 1.5], [7, 1], [3, 2], [10, 1.5]]
    assert data.notes == [
        {
            "code": "left_out_columns",
            "severity": "note",
            "message": "left out `Id`: identifiers of rows, or of what they are about",
            "columns": ["Id"],
        },
        {
            "code": "filled_cells",
            "severity": "note",
            "message": "filled 10 missing cells of `z` with the median",
            "columns": ["z"],
            "count": 10,
        },
    ]
    with pytest.warns(UserWarning, match="`Id` numbers the rows"):
        assert read_csv(path, features=["Id"]).X[:2].tolist() == [[1], [2]]
    other = read_csv(path, "x", ignore=["Id"], missing="zero")
    assert other.X.toarray()[:3].tolist() == [[0, 1, 0], [1, 0, 1], [2, 1, 0]]
    assert [note["message"] for note in other.notes] == ["filled 10 missing cells of `z` with 0"]


@pytest.mark.parametrize(
    "name",
    [
        "all-missing.csv",
        "dates-iso.csv",
        "doubled-names.csv",
        "excel-sep.csv",
        "grades.csv",
        "index-last.csv",
        "mostly-missing.csv",
        "nameless-first.tsv",
        "quote-single.csv",
        "quoted-comma.csv",
        "row-names-text.csv",
        "thousands.csv",
        "times.csv",
        "title-german.csv",
        "trailing-comma.csv",
        "units-below.csv",
        "utf16.csv",
    ],
)
@pytest.mark.filterwarnings("ignore:skipped 1 row that is no example")
def test_notes_are_those_of_the_command(run, name):
    path = ROOT / "crates/rosenblatt-cli/tests/messy" / name
    ours = read_csv(path).notes
    theirs = json.loads(run("train", path, "--epochs", 1, "--json", "--quiet"))["notes"]
    # A column that tells the label is one of the rows that were learned from.
    theirs = [note for note in theirs if note["code"] != "telling_column"]
    for note in ours + theirs:
        note.pop("remedy", None)
    assert ours == theirs


def test_csv(tmp_path):
    path = write_file(tmp_path, "id,a,colour,y\n1,0.5,red,no\n2,-2,blue,yes\n3,1e3,red,no\n")
    data = read_csv(path, ignore=["id"])
    assert data.feature_names == ["a", "colour=blue", "colour=red"]
    assert data.X.toarray().tolist() == [[0.5, 0, 1], [-2, 1, 0], [1000, 0, 1]]
    assert (data.y.tolist(), data.target) == (["no", "yes", "no"], "y")
    other = read_csv(path, "colour", features=["a", "id"])
    assert other.feature_names == ["id", "a"]
    assert (other.X.tolist(), other.y.tolist()) == (
        [[1, 0.5], [2, -2], [3, 1000]],
        ["red", "blue", "red"],
    )
    groups = read_csv(path, features=["id"], categorical=["id"])
    assert groups.feature_names == ["id=1", "id=2", "id=3"]
    assert groups.X.toarray().tolist() == np.eye(3).tolist()


def test_csv_of_other_forms(tmp_path):
    plain = read_csv(
        write_file(tmp_path, "1;2;3\n4;5;6\n"), delimiter=";", header=False, target="2"
    )
    assert (plain.X.tolist(), plain.y.tolist(), plain.target) == ([[1, 3], [4, 6]], [2, 5], "2")
    tabs = read_csv(write_file(tmp_path, "a\ty\n1\t0\n2\t1\n", "data.tsv"))
    assert (tabs.X.tolist(), tabs.y.tolist()) == ([[1], [2]], [0, 1])
    words = read_csv(write_file(tmp_path, "t,y\ngood film,1\nbad film,0\n"), text=["t"])
    assert sparse.issparse(words.X)
    assert words.X.shape[0] == 2


TEXTS = ["Win a free prize now", "see you at home tonight", "free entry, win cash", "win win!"]


@pytest.mark.parametrize(
    ("options", "vectorizer"),
    [
        ({}, {"token_pattern": r"(?u)\b\w+\b"}),
        ({"ngrams": 2}, {"token_pattern": r"(?u)\b\w+\b", "ngram_range": (1, 2)}),
        ({"chars": (2, 4)}, {"analyzer": "char_wb", "ngram_range": (2, 4)}),
    ],
    ids=repr,
)
def test_counts_of_texts_are_those_of_scikit_learn(tmp_path, options, vectorizer):
    """A hash may change the sign of a feature for all rows. So all products of rows are equal without collisions."""
    lines = "".join(f'"{text}",{i % 2}\n' for i, text in enumerate(TEXTS))
    own = read_csv(write_file(tmp_path, "t,y\n" + lines), text=["t"], bits=22, **options).X
    other = CountVectorizer(**vectorizer).fit_transform(TEXTS)
    assert own.shape == (4, 2**22)
    assert np.array_equal((own @ own.T).toarray(), (other @ other.T).toarray())


@pytest.mark.parametrize(
    "options",
    [
        {"ngrams": 0},
        {"ngrams": 6},
        {"ngrams": 1.5},
        {"bits": 0},
        {"bits": 23},
        {"chars": "3:5"},
        {"chars": (5, 3)},
        {"chars": (0, 3)},
        {"chars": (2, 3), "ngrams": 2},
        {"text": [], "ngrams": 2},
        {"text": [], "bits": 10},
        {"text": None, "ngrams": 1},
        {"text": None, "bits": 18},
    ],
    ids=repr,
)
def test_texts_that_cannot_be_cut(tmp_path, options):
    path = write_file(tmp_path, "t,y\ngood film,1\nbad film,0\n")
    with pytest.raises(ValueError, match="ngrams|bits|chars"):
        read_csv(path, **{"text": ["t"], **options})


def test_products_of_numbers_are_those_of_scikit_learn(tmp_path):
    X = np.random.default_rng(3).normal(size=(20, 4))
    lines = "".join(",".join(map(repr, row.tolist())) + f",{i % 2}\n" for i, row in enumerate(X))
    path = write_file(tmp_path, "a,b,c,d,y\n" + lines)
    own = read_csv(path, interactions=[("d", "c", "b", "a")])
    other = PolynomialFeatures(2, interaction_only=True, include_bias=False).fit(X)
    assert np.array_equal(own.X, other.transform(X))
    names = [name.replace(" ", " * ") for name in other.get_feature_names_out(list("abcd"))]
    assert own.feature_names == names
    some = read_csv(path, interactions=[("a", "b"), ("c", "b")]).X
    assert np.array_equal(some, own.X[:, [0, 1, 2, 3, 4, 7]])


def test_products_of_categories_are_those_of_dummies(tmp_path):
    table = pd.DataFrame({"n": [2.0, 3.0, 5.0, 7.0], "c": list("pqqr"), "d": list("uuvv")})
    path = write_file(tmp_path, table.assign(y=[0, 1, 0, 1]).to_csv(index=False))
    own = read_csv(path, interactions=[("c", "d"), ("n", "c")])
    one, other = (pd.get_dummies(table[name], prefix=name, prefix_sep="=") for name in "cd")
    expected = {name: table.n * one[name] for name in one}
    expected = {f"n * {name}": values for name, values in expected.items()}
    for name in one:
        expected |= {f"{name} * {second}": one[name] & other[second] for second in other}
    assert own.feature_names[6:] == list(expected)
    assert np.array_equal(own.X.toarray()[:, 6:], np.array(list(expected.values()), float).T)
    # Six products of categories do not fit into four features.
    assert read_csv(path, interactions=[("c", "d")], bits=2).X.shape == (4, 6 + 4)


@pytest.mark.parametrize(
    ("interactions", "message"),
    [
        ("a,b", "expected a list: "),
        (["a", "b"], "expected a list of tuples: "),
        ([("a",)], "two or more different columns, not `a`"),
        ([("a", "z")], "`z`"),
        ([("a", "y")], "`y` of an interaction is no feature"),
    ],
    ids=repr,
)
def test_columns_that_cannot_be_multiplied(tmp_path, interactions, message):
    with pytest.raises(ValueError, match=message):
        read_csv(write_file(tmp_path, "a,b,y\n1,2,0\n3,4,1\n"), interactions=interactions)


@pytest.mark.parametrize(
    "name", ["features", "ignore", "categorical", "text", "missing_values", "units"]
)
def test_a_list_is_not_one_text(tmp_path, name):
    path = write_file(tmp_path, "t,y\ngood film,1\nbad film,0\n")
    with pytest.raises(ValueError, match=rf"{name} is 't', expected a list: \['t'\]"):
        read_csv(path, **{name: "t"})


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["1", "2"], [1, 2]),
        (["1.5", "-2"], [1.5, -2.0]),
        (["a", "1"], ["a", "1"]),
        # Text for Rust, although Python's int and float read it as numbers.
        (["1_0", "2_0"], ["1_0", "2_0"]),
        (["99999999999999999999", "1"], [1e20, 1.0]),
    ],
)
def test_labels_are_numbers_where_all_are(tmp_path, labels, expected):
    text = "a,y\n" + "".join(f"{n},{label}\n" for n, label in enumerate(labels))
    found = read_csv(write_file(tmp_path, text)).y
    assert found.tolist() == expected
    assert found.dtype != object


@pytest.mark.parametrize(
    ("text", "place"),
    [("a,y\n1,0\n2,inf\n", ":3:3"), ("a,y\n1,0\n2\n", ":3:2"), ("a,y\n1,0\nx,1\n3,0\n", ":3:1")],
)
def test_csv_errors_have_their_place(tmp_path, text, place):
    with pytest.raises(ValueError, match="data.csv" + place + ": "):
        read_csv(write_file(tmp_path, text))


def table(names: str, rows: int, row) -> str:
    return names + "\n" + "".join(",".join(map(str, row(i))) + "\n" for i in range(rows))


@pytest.mark.parametrize(
    ("text", "given", "arguments"),
    [
        ("x;y\n1;0\n2\n3;1\n", {"on_error": "skip"}, 'delimiter=";"'),
        ("1,2,p\n3,4,q\n", {}, "header=False"),
        ("a,b,y\n1,2,0\n5,4\n3,4,1\n", {}, 'on_error="skip"'),
        ('a,b,y\n1,"1,555",0\n2,"1,234",1\n', {}, 'thousands=","'),
        ("a,b,y\n1,01/02/2020,0\n2,02/01/2020,1\n", {}, 'dates="dmy"'),
        ("a,b,y\nx,2,0\n4,4,1\n5,5,1\n", {}, 'on_error="skip"'),
        ("is_old,job\n0,p\n1,q\n0,p\n", {}, 'target="is_old"'),
        (
            table("a,t,y", 40, lambda i: (i % 5, f"w{i}", i % 2)),
            {"features": ["a", "t"]},
            'text=["t"]',
        ),
        (
            table("a,b,y", 90, lambda i: (i % 5, i % 25 if i < 60 else "xyz"[i % 3], i % 2)),
            {},
            'ignore=["b"]',
        ),
        (
            table("a,b,y", 90, lambda i: (i % 5, i % 25 if i < 60 else "off", i % 2)),
            {},
            'missing_values=["off"]',
        ),
        (
            table("a,b,y", 90, lambda i: (i % 5, i % 25 if i < 40 else f"w{i % 9}", i % 2)),
            {},
            'categorical=["b"]',
        ),
        ('a,b,y\n1,"x"y,0\n2,"x"y,1\n', {}, "no_quotes=True"),
    ],
)
@pytest.mark.filterwarnings("ignore:skipped 1 row")
def test_the_arguments_that_an_error_names_resolve_it(tmp_path, text, given, arguments):
    path = write_file(tmp_path, text)
    with pytest.raises(ValueError, match="data.csv") as caught:
        read_csv(path, **given)
    message = str(caught.value)
    assert message.endswith(f"; pass `{arguments}`"), message
    named = eval(f"dict({arguments})")
    assert len(read_csv(path, **given, **named).y) > 1
    (name,) = named
    if not isinstance(named[name], list):  # given, it is not named again
        path = write_file(tmp_path, "a,b,y\n1,2\n")
        with pytest.raises(ValueError, match="data.csv") as caught:
            read_csv(path, **named)
        assert f"pass `{name}=" not in str(caught.value)


def test_a_quantity_is_a_label_only_if_it_is_named(tmp_path):
    rows = table("g,h,x", 32, lambda i: ("ab"[i % 2], "cd"[i // 2 % 2], i + 0.25))
    path = write_file(tmp_path, rows)
    with pytest.raises(ValueError, match='quantity: 32 different values.*; pass `target="g"`$'):
        read_csv(path)
    assert read_csv(path, "g").y.tolist() == ["a", "b"] * 16
    assert read_csv(path, "x").y.tolist() == [i + 0.25 for i in range(32)]
    one = read_csv(path, ignore=["h"])
    assert (one.target, one.feature_names) == ("g", ["x"])
    assert [note["message"] for note in one.notes] == ["the label is `g`, by its name and values"]


def test_indices_from_0_are_told(tmp_path):
    path = write_file(tmp_path, "1 0:2\n-1 1:3\n", "data.svm")
    with pytest.raises(ValueError, match="; pass `zero_based=True`$"):
        read_svmlight(path)
    assert read_svmlight(path, zero_based=True).X.shape == (2, 2)


def test_data_can_be_copied():
    data = read_csv(DATA / "iris.csv")
    for other in (pickle.loads(pickle.dumps(data)), copy.copy(data), copy.deepcopy(data)):
        X, y = other
        assert X.tolist() == data.X.tolist()
        assert y.tolist() == data.y.tolist()
        assert vars(other) == vars(data)


def test_files_that_are_not_there(tmp_path):
    for read in (read_csv, read_svmlight, load):
        with pytest.raises(FileNotFoundError, match="nothing"):
            read(tmp_path / "nothing")
        with pytest.raises(OSError, match=str(tmp_path)):
            read(tmp_path)


# Model files.

X = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1], [2, 2], [3, -1]])
LABELS = {
    "int": [-3, -3, -3, 7, 7, 7],
    "float": [0.5, 0.5, 0.5, 1.25, 1.25, 1.25],
    "bool": [False, False, False, True, True, True],
    "text": ["no", "no", "no", "yes", "yes", "yes"],
    "numbers as text": ["10", "10", "10", "9", "9", "9"],
    "three": ["a", "b", "b", "c", "c", "a"],
    "three numbers": [-1, 0, 0, 10, 10, -1],
}
MODELS = [
    Perceptron(max_iter=20, class_weight=None),
    Perceptron(max_iter=20, keep="average", update="pa1:0.5", bias="radius", order="given"),
    Perceptron(max_iter=20, keep="pocket", mistake="label", eta0=0.5, random_state=3),
    KernelPerceptron("poly:2", max_iter=20),
    VotedPerceptron(max_iter=5),
    VotedPerceptron("rbf:0.5", max_iter=5),
]


@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_model_file_is_the_model(tmp_path, model, kind):
    y = np.array(LABELS[kind])
    if y.dtype.kind == "f":
        y = (y * 4).round()
    model.fit(X, y).save(tmp_path / "model")
    other = load(tmp_path / "model")
    assert type(other) is type(model)
    assert other.classes_.tolist() == model.classes_.tolist()
    assert other.classes_.dtype.kind == model.classes_.dtype.kind
    assert other.predict(X).tolist() == model.predict(X).tolist()
    assert other.decision_function(X).tobytes() == model.decision_function(X).tobytes()
    assert other.report_ == model.report_
    assert other.get_params() == model.get_params()
    other.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "model").read_bytes()


def test_class_weights_stay_with_their_labels(tmp_path):
    # "10" comes before "9" as text, and after it as a number.
    weights = {"10": 2.0, "9": 0.5}
    model = Perceptron(max_iter=20, class_weight=weights).fit(X, LABELS["numbers as text"])
    model.save(tmp_path / "model")
    assert load(tmp_path / "model").class_weight == weights


# The options of tables.


def test_the_options_of_tables_are_those_of_the_command(run):
    sections = re.split(r"^(\w+):$", run("train", "--help"), flags=re.MULTILINE)
    of_section = dict(zip(sections[1::2], sections[2::2], strict=True))
    options = re.findall(r"^      --(\S+)", of_section["Columns"] + of_section["Reading"], re.M)
    # Those of other readers, and `header=False`.
    others = {"format", "labels", "max-features", "no-dictionary", "no-header", "threads"}
    first = {"target", "ignore", "text", "missing"}
    tables = {*options, *first, "on-error"} - others - {"zero-based"}
    expected = {name.replace("-", "_") for name in tables}
    assert others < set(options)
    assert set(inspect.signature(read_csv).parameters) == expected | {"path", "n_jobs", "like"}


MISSING = "age,colour,y\n1,red,a\n,blue,b\n3,,a\n8,red,b\n"


@pytest.mark.parametrize(
    ("text", "options", "names", "rows"),
    [
        # The mean of 1, 3 and 8 is 4, their median 3.
        (MISSING, {"missing": "mean", "features": ["age"]}, ["age"], [[1], [4], [3], [8]]),
        (MISSING, {"missing": ["age=median"], "features": ["age"]}, ["age"], [[1], [3], [3], [8]]),
        (MISSING, {"missing": "zero", "features": ["age"]}, ["age"], [[1], [0], [3], [8]]),
        (MISSING, {"missing": "drop", "features": ["age"]}, ["age"], [[1], [3], [8]]),
        (
            MISSING,
            {"missing": "mean+indicator", "features": ["age"]},
            ["age", "age is missing"],
            [[1, 0], [4, 1], [3, 0], [8, 0]],
        ),
        (
            "a,y\n1,p\nnone,q\n5,p\n",
            {"missing": "mean", "missing_values": ["none"]},
            ["a"],
            [[1], [3], [5]],
        ),
        (
            "a;b;y\n1,5;2.000;p\n-2,25;1.234.567;q\n",
            {"delimiter": ";", "decimal": "comma", "thousands": "point"},
            ["a", "b"],
            [[1.5, 2000], [-2.25, 1234567]],
        ),
        ("a,y\n37%,p\n5%,q\n", {"units": ["a"]}, ["a"], [[37], [5]]),
        # Days since 1970-01-01.
        ("a,y\n02.01.1970,p\n01.02.1970,q\n", {"dates": "dmy"}, ["a"], [[1], [31]]),
        ("a,y\n01/02/1970,p\n02/01/1970,q\n", {"dates": "mdy"}, ["a"], [[1], [31]]),
        (
            "a,y\n06:00,p\n3:00 PM,q\n36:00:00,q\n",
            {"dates": "time"},
            ["a"],
            [[0.25], [0.625], [1.5]],
        ),
        # The same without options, where only one reading fits.
        (MISSING, {"features": ["age"]}, ["age"], [[1], [3], [3], [8]]),
        (
            MISSING,
            {"ignore": ["age"]},
            ["colour=", "colour=blue", "colour=red"],
            [[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 0, 1]],
        ),
        (
            "a;b;y\n1,5;2.000,5;p\n-2,25;1.234.567;q\n",
            {},
            ["a", "b"],
            [[1.5, 2000.5], [-2.25, 1234567]],
        ),
        ("a,y\n37%,p\n5%,q\n", {}, ["a"], [[37], [5]]),
        ("a,y\n13.01.1970,p\n01.02.1970,q\n", {}, ["a"], [[12], [31]]),
        ("a,y\n06:00,p\n15:00,q\n", {}, ["a"], [[0.25], [0.625]]),
        ("1,2,0\n3,4,1\n", {}, ["1", "2"], [[1, 2], [3, 4]]),
        ("y,a,b\np,1.5,7.25\nq,2.5,3.5\n", {}, ["a", "b"], [[1.5, 7.25], [2.5, 3.5]]),
    ],
)
def test_options_of_tables(tmp_path, text, options, names, rows):
    data = read_csv(write_file(tmp_path, text), **options)
    assert data.feature_names == names
    found = data.X.toarray() if sparse.issparse(data.X) else data.X
    assert found.tolist() == rows


def test_a_rule_for_every_column(tmp_path):
    data = read_csv(write_file(tmp_path, MISSING), missing="age=zero,category")
    assert data.X.toarray()[:, 0].tolist() == [1, 0, 3, 8]
    # Red, blue and the missing color.
    assert data.X.shape == (4, 4)


@pytest.mark.parametrize("encoding", ["latin1", "utf-16"])
def test_encodings(tmp_path, encoding):
    path = tmp_path / "data.csv"
    path.write_bytes("größe,y\n1,ä\n2,ö\n".encode(encoding))
    for chosen in (encoding, None):
        data = read_csv(path, encoding=chosen)
        assert (data.feature_names, data.y.tolist()) == (["größe"], ["ä", "ö"])


def test_a_named_encoding_is_kept_and_a_byte_order_mark_decides(tmp_path):
    path = tmp_path / "data.csv"
    text = "größe,y\n1,ä\n2,ö\n"
    path.write_bytes(text.encode("latin1"))
    with pytest.raises(ValueError, match="UTF-8"):
        read_csv(path, encoding="utf-8")
    path.write_bytes(text.encode("utf-16"))
    assert read_csv(path, encoding="utf-8").feature_names == ["größe"]


def test_dialect(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("Made by hand\nn;t;y\n1;'a';no\n2;'b';yes\n3;'a';no\n4;'b';yes\n")
    assert read_csv(path).feature_names == ["n", "t=a", "t=b"]
    path.write_text("x\nn,t,y\n%,1,2\n1,|a/,|,no\n2,b,yes\n3,b,no\n")
    data = read_csv(path, skip_rows=1, comment="%", quote="|", escape="/")
    assert data.feature_names == ["n", "t=a,", "t=b"]
    for sign in ("ab", "a", ""):
        with pytest.raises(ValueError, match="expected one punctuation character"):
            read_csv(path, quote=sign)


def test_quotes_as_characters(tmp_path):
    path = write_file(tmp_path, 't,y\n5" pipe,1\n6" pipe,0\n')
    assert read_csv(path, categorical=["t"], no_quotes=True).feature_names == [
        't=5" pipe',
        't=6" pipe',
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"missing": "mode"}, 'missing is "mode": expected mean, median, zero, category or drop'),
        ({"decimal": ","}, 'decimal is ",", expected point, comma'),
        ({"thousands": "a"}, 'thousands is "a", expected one character, or comma, point, space'),
        ({"dates": "iso"}, 'dates is "iso", expected ymd, dmy, mdy, time'),
        ({"encoding": "utf8"}, 'encoding is "utf8", expected utf-8, latin1, utf-16'),
    ],
)
def test_options_of_tables_that_do_not_exist(tmp_path, options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        read_csv(write_file(tmp_path, MISSING), **options)


@pytest.mark.parametrize(
    ("text", "words", "options"),
    [
        ("a,b,y\n1,2,p\n5,4\n3,4,q\n", [], {}),
        ("is_old,job\n0,p\n1,q\n0,p\n", [], {}),
        ("a,b,y\n1,01/02/2020,p\n2,02/01/2020,q\n", [], {}),
        (MISSING, ["--missing", "size=mean"], {"missing": "size=mean"}),
        ("a,y\n1;5,p\n2,q\n", ["--decimal", "comma"], {"decimal": "comma"}),
        ("a,y\n1,p\n2,q\n", ["--units", "b"], {"units": ["b"]}),
        ('a,y\n"1,p\n2,q\n', [], {}),
    ],
)
def test_errors_of_tables_are_those_of_the_command(command, tmp_path, text, words, options):
    path = write_file(tmp_path, text)
    arguments = [str(command), "train", str(path), "--quiet", *words]
    done = subprocess.run(arguments, capture_output=True, text=True)
    assert done.returncode == 2
    message = done.stderr.splitlines()[0].removeprefix("error: ")
    with pytest.raises(ValueError, match=re.escape(message)):
        read_csv(path, **options)


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--positive", "Mine"],
        ["--positive", "Rock", "--class-weight", "Rock=2,Mine=0.5"],
        ["--scale", "standard"],
        ["--scale", "minmax", "--kernel", "rbf:0.5", "--epochs", "5"],
        ["--mistake", "label", "--keep", "vote", "--epochs", "3"],
    ],
    ids=lambda words: " ".join(words),
)
def test_models_of_the_command(run, tmp_path, words):
    data = read_csv(DATA / "sonar.csv")
    names = sorted(set(data.y.tolist()))
    words = [word.replace("Mine", names[0]).replace("Rock", names[-1]) for word in words]
    if "--epochs" not in words:
        words += ["--epochs", "20"]
    run("train", DATA / "sonar.csv", "--quiet", "-o", "model", *words)
    model = load(tmp_path / "model")
    expected = run("predict", "model", DATA / "sonar.csv", "--scores").splitlines()
    table = [line.split("\t") for line in expected]
    assert model.predict(data.X).tolist() == [row[0] for row in table]
    # In scikit-learn, the second class is positive, so a model of the first class is negated.
    turn = -1 if names[0] in words else 1
    assert model.classes_.tolist() == names
    assert model.decision_function(data.X).tolist() == [turn * float(row[1]) for row in table]
    model.save(tmp_path / "again")
    again = run("predict", "again", DATA / "sonar.csv", "--scores").splitlines()
    again = [line.split("\t") for line in again]
    assert [(label, float(score)) for label, score in again] == [
        (label, turn * float(score)) for label, score in table
    ]
    if "--class-weight" in words:
        assert model.class_weight == {names[-1]: 2.0, names[0]: 0.5}


def test_a_model_with_categories(run, tmp_path):
    path = write_file(tmp_path, "a,colour,y\n1,red,no\n2,blue,yes\n3,red,no\n4,blue,yes\n")
    run("train", path, "--quiet", "-o", "model")
    data, model = read_csv(path), load(tmp_path / "model")
    assert model.feature_names_in_.tolist() == data.feature_names
    assert model.predict(data.X).tolist() == data.y.tolist()


@pytest.mark.parametrize("content", [b"", b"hello", b"\x08" + bytes(7) + b"{}      ", bytes(100)])
def test_what_is_no_model(tmp_path, content):
    (tmp_path / "model").write_bytes(content)
    with pytest.raises(ValueError, match="model"):
        load(tmp_path / "model")


def test_what_cannot_be_written_leaves_nothing(tmp_path):
    model = Perceptron().fit(X, LABELS["int"])
    blocked = tmp_path / "file"
    blocked.write_text("")
    for action in (model.save, model.export):
        with pytest.raises(FileNotFoundError):
            action(tmp_path / "no" / "model.json")
        with pytest.raises(OSError, match=r"model.json|directory"):
            action(blocked / "model.json")
    with pytest.raises(ValueError, match=r"expected a name that ends in .onnx, .json or .csv"):
        model.export(tmp_path / "model.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


# Other programs.


def of_onnx(model, rows):
    graph = model.to_onnx()
    onnx.checker.check_model(onnx.load_from_string(graph), full_check=True)
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    label, scores = session.run(["label", "scores"], {"X": rows.astype(np.float32)})
    return label, scores


@pytest.mark.parametrize("name", ["iris", "sonar"])
@pytest.mark.parametrize("keep", ["last", "average"])
def test_onnx_gives_the_same_labels(name, keep):
    data = read_csv(DATA / f"{name}.csv")
    rows = data.X.astype(np.float32)
    model = Perceptron(max_iter=20, keep=keep).fit(rows, data.y)
    label, scores = of_onnx(model, rows)
    assert label.tolist() == model.predict(rows).tolist()
    ours = model.decision_function(rows)
    np.testing.assert_allclose(scores.reshape(ours.shape), ours, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("zero", ["negative", "positive"])
@pytest.mark.parametrize("labels", [[3, 8], ["no", "yes"], [False, True], ["3", "8"], [-7, 12345]])
def test_onnx_on_the_boundary(zero, labels):
    model = Perceptron(zero=zero).fit([[-1.0], [1]], labels)
    model.coef_, model.intercept_ = np.array([[2.0]]), np.array([-2.0])
    rows = np.array([[0.0], [1], [2]])
    expected = [labels[0], labels[zero == "positive"], labels[1]]
    assert model.predict(rows).tolist() == expected
    # In ONNX, booleans are text, integers are integers, and text that looks like a number stays text.
    found = of_onnx(model, rows)[0].tolist()
    assert found == [str(label) if isinstance(label, bool) else label for label in expected]


def test_a_kernel_has_no_graph():
    for model in (KernelPerceptron(), VotedPerceptron()):
        with pytest.raises(ValueError, match=r"(?i)onnx|linear"):
            model.fit(X, LABELS["int"]).to_onnx()


def test_json_and_csv_have_the_weights(tmp_path):
    data = read_csv(DATA / "iris.csv")
    model = plain(max_iter=20).fit(pd.DataFrame(data.X, columns=data.feature_names), data.y)
    model.export(tmp_path / "model.json")
    text = (tmp_path / "model.json").read_text()
    json.loads(text)
    model.export(tmp_path / "model.csv")
    table = (tmp_path / "model.csv").read_text()
    cells = {cell for row in csv.reader(io.StringIO(table)) for cell in row}
    for name in data.feature_names:
        assert name in text
        assert name in cells
    numbers = {float(cell) for cell in cells if cell.lstrip("-")[:1].isdigit()}
    assert numbers >= {*model.coef_.ravel().tolist(), *model.intercept_.tolist()}


def test_a_model_that_learned_on_is_saved_as_it_is(tmp_path):
    X, y = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), ["a", "b", "b"]
    Perceptron(max_iter=1).fit(X[:2], y[:2]).save(tmp_path / "model")
    model = load(tmp_path / "model").partial_fit(X, y)
    model.save(tmp_path / "again")
    again = load(tmp_path / "again")
    assert again.report_["examples"] == 3
    assert again.coef_.tolist() == model.coef_.tolist()

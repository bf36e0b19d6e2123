"""Arrays, tables, labels, weights and parameters: borrowed, converted, or refused with an error."""

from __future__ import annotations

import datetime
import json
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from rosenblatt import KernelPerceptron, Perceptron, VotedPerceptron, separable, study, verify

X = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
Y = np.array([0, 0, 0, 1])
# The final w and b for AND in the given order, worked by hand.
COEF, INTERCEPT = [[3.0, 2.0]], [-4.0]


def fitted(rows, y=Y, **options):
    return Perceptron(keep="last", shuffle=False, **options).fit(rows, y)


def is_and(model) -> bool:
    return model.coef_.tolist() == COEF and model.intercept_.tolist() == INTERCEPT


# Memory.

MEASURE = """
import json, sys
import numpy as np
from scipy import sparse
from rosenblatt import Perceptron

def peak():
    # The peak of this process alone; that of getrusage begins with the peak of the parent process.
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) << 10
    except OSError:
        import resource
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

kind, rows, features = sys.argv[1], 1_000_000, 28
model = Perceptron(scale=None, max_iter=2, keep="average", tol=None)
model.verbose = 0
import warnings
warnings.simplefilter("ignore")
small = np.arange(8.0).reshape(4, 2)
model.fit(sparse.csr_matrix(small) if kind == "csr" else small, [0, 1, 0, 1])
before = peak()
random = np.random.default_rng(0)
if kind == "csr":
    values = random.random(rows * 4)
    indices = np.empty((rows, 4), dtype=np.int32)
    indices[:] = [0, 9, 18, 27]
    offsets = np.arange(0, 4 * rows + 1, 4, dtype=np.int32)
    parts = values, indices.reshape(-1), offsets
    X = sparse.csr_matrix(parts, shape=(rows, features), copy=False)
    data = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
else:
    dtype = np.float64 if kind == "float64" else np.float32
    X = np.empty((rows, features), dtype=dtype, order="F" if kind == "fortran" else "C")
    if kind == "fortran":
        X[:] = 1
    else:
        random.random(out=X, dtype=dtype)
    data = X.nbytes
y = np.zeros(rows, dtype=np.int64)
y[::2] = 1
data += y.nbytes
model.fit(X, y)
print(json.dumps([peak() - before, data]))
"""


def peak_and_data(kind: str) -> tuple[int, int]:
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, kind], capture_output=True, text=True, check=True
    )
    peak, data = json.loads(done.stdout)
    return peak, data


@pytest.mark.parametrize("kind", ["float32", "float64", "csr"])
def test_a_fit_needs_the_data_and_32_mebibytes(kind):
    peak, data = peak_and_data(kind)
    assert peak <= data + (32 << 20), (peak - data) / (1 << 20)


def test_the_measure_sees_a_copy():
    peak, data = peak_and_data("fortran")
    assert peak > data + (64 << 20)


# Tables.


def table_of(kind: str):
    names = ["a", "b"]
    if kind == "pandas":
        return pd.DataFrame(X, columns=names)
    if kind == "polars":
        return pl.DataFrame(X, schema=names)
    if kind == "record batch":
        return pa.RecordBatch.from_arrays([pa.array(X[:, 0]), pa.array(X[:, 1])], names=names)
    return pa.table({"a": X[:, 0], "b": X[:, 1]})


TABLES = ["pandas", "polars", "pyarrow"]


@pytest.mark.parametrize("kind", TABLES)
def test_tables_are_their_numbers_and_names(kind):
    model = fitted(table_of(kind))
    assert is_and(model)
    assert model.feature_names_in_.tolist() == ["a", "b"]
    assert model.n_features_in_ == 2
    np.testing.assert_array_equal(model.decision_function(table_of(kind)), X @ [3, 2] - 4)
    # A model that was trained with names accepts rows without names, and warns.
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        assert model.predict(X).tolist() == Y.tolist()


def test_a_record_batch_is_its_numbers():
    # scikit-learn finds no names in it.
    assert is_and(fitted(table_of("record batch")))


@pytest.mark.parametrize("kind", TABLES)
def test_other_names_are_refused(kind):
    model = fitted(table_of(kind))
    other = pl.DataFrame(X, schema=["b", "a"])
    with pytest.raises(ValueError, match="must be in the same order"):
        model.predict(other)
    with pytest.raises(ValueError, match=r"(?s)unseen at fit time.*- c"):
        model.predict(other.rename({"b": "c"}))


def test_a_model_without_names_takes_names_and_says_so():
    with pytest.warns(UserWarning, match="was fitted without feature names"):
        assert fitted(X).predict(table_of("pyarrow")).tolist() == Y.tolist()


@pytest.mark.parametrize(
    "index", [[7, 5, 3, 1], list("wxyz"), pd.MultiIndex.from_product([[1, 2], [3, 4]])]
)
def test_the_index_of_pandas_is_no_feature(index):
    table = pd.DataFrame(X, columns=["a", "b"], index=index)
    model = fitted(table, pd.Series(Y, index=index))
    assert is_and(model)
    assert table.index.equals(pd.DataFrame(X, index=index).index)
    assert model.predict(table).tolist() == Y.tolist()


INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


@pytest.mark.parametrize("dtype", [*INTEGERS, "float16", "float32", "float64", "bool"])
def test_every_type_of_number(dtype):
    numbers = X.astype(dtype)
    assert is_and(fitted(numbers))
    assert is_and(fitted(pd.DataFrame(numbers)))
    columns = [pa.array(numbers[:, 0]), pa.array(numbers[:, 1])]
    assert is_and(fitted(pa.table(columns, names=["a", "b"])))
    if dtype != "float16":
        assert is_and(fitted(pl.from_numpy(numbers)))
        assert is_and(fitted(sparse.csr_matrix(numbers)))


@pytest.mark.parametrize(
    "times",
    [
        pd.DataFrame({"day": pd.to_datetime(["2020-01-01", None, "2021-01-01", "2021-01-02"])}),
        pd.DataFrame({"day": pd.to_timedelta([1, 2, 3, None], unit="D")}),
        pl.DataFrame({"day": [datetime.date(2020, 1, day) for day in (1, 2, 3, 4)]}),
        pa.table({"day": pa.array([1, 2, 3, None], pa.timestamp("s"))}),
        np.array([["2020-01-01"], ["NaT"], ["2021-01-01"], ["2021-01-02"]], "datetime64[D]"),
    ],
)
def test_dates_are_no_numbers(times):
    for use in (fitted, separable):
        with pytest.raises(ValueError, match="dates or times"):
            use(times, [0, 1, 0, 1])


@pytest.mark.parametrize(
    "make",
    [
        np.array,
        lambda rows: pd.DataFrame({"a": [row[0] for row in rows]}),
        lambda rows: pa.table({"a": [row[0] for row in rows]}),
        lambda rows: sparse.csr_matrix(np.array(rows)),
        lambda rows: np.array(rows).astype(np.longdouble),
    ],
)
def test_a_statement_is_about_the_numbers_that_were_given(make):
    labels = [0, 1, 0, 1]
    with pytest.raises(ValueError, match=r"9007199254740993.* more digits than a 64-bit float"):
        separable(make([[2**53], [2**53 + 1], [2**53], [2**53 + 1]]), labels)
    assert separable(make([[2**53], [2**53 + 2], [2**53], [2**60]]), labels).separable == "yes"


def test_large_integers_become_the_nearest_numbers():
    # 2⁵³ + 1 lies between two float64; the even one is 2⁵³.
    column = pa.array([2**53 + 1, -(2**62), 3, 4], pa.int64())
    model, other = Perceptron(keep="last", shuffle=False), Perceptron(keep="last", shuffle=False)
    model.fit(pa.table({"a": column}), [0, 1, 0, 0])
    other.fit([[2.0**53], [-(2.0**62)], [3], [4]], [0, 1, 0, 0])
    assert model.coef_.tolist() == other.coef_.tolist()


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"a": [0, 0, 1, 1], "b": [0.0, 1, 0, 1]}),
        pd.DataFrame(
            {"a": pd.array([0, 0, 1, 1], "Int64"), "b": pd.array([0, 1.0, 0, 1], "Float32")}
        ),
        pd.DataFrame({"a": pd.array([False, False, True, True], "boolean"), "b": X[:, 1]}),
        pd.DataFrame({"a": [0, 0, 1, 1], "b": [0.0, 1, 0, 1]}, dtype=object),
        pd.DataFrame({"a": [0, 0, 1, 1], "b": [0.0, 1, 0, 1]}, dtype="category"),
        pd.DataFrame({"a": list("0011"), "b": [0.0, 1, 0, 1]}),
        pd.DataFrame(X).astype(pd.SparseDtype(float, 0)),
        pd.DataFrame(X, columns=[3, 4]),
        pl.DataFrame({"a": [0, 0, 1, 1], "b": [0.0, 1, 0, 1]}),
        pl.DataFrame(X, schema=["a", "b"]).cast(pl.Decimal(9, 2)),
        pa.table({"a": pa.array([0, 0, 1, 1], pa.int8()), "b": pa.array(X[:, 1], pa.float16())}),
    ],
    ids=[
        "int and float",
        "nullable",
        "boolean",
        "object",
        "category",
        "numbers as text",
        "sparse",
        "names that are numbers",
        "polars",
        "decimal",
        "float16",
    ],
)
def test_mixed_tables(table):
    assert is_and(fitted(table))


@pytest.mark.filterwarnings("ignore:The DataFrame has column names of mixed type")
def test_names_of_two_kinds_are_refused():
    with pytest.raises(TypeError, match="Feature names are only supported if all"):
        fitted(pd.DataFrame(X, columns=["a", 1]))


@pytest.mark.parametrize(
    "table",
    [
        pa.concat_tables([table_of("pyarrow").slice(at, 1) for at in range(4)]),
        pa.concat_tables([table_of("pyarrow").slice(0, 3), table_of("pyarrow").slice(3, 1)]),
        pa.table({"a": [9.0, *X[:, 0]], "b": [9.0, *X[:, 1]]}).slice(1),
        pa.table({"a": [True, *(X[:, 0] == 1)], "b": [True, *(X[:, 1] == 1)]}).slice(1),
        pa.Table.from_batches(
            [
                table_of("record batch").slice(0, 0),
                table_of("record batch").slice(0, 2),
                table_of("record batch").slice(0, 0),
                table_of("record batch").slice(2, 2),
            ]
        ),
        pl.concat([pl.DataFrame(X[:1]), pl.DataFrame(X[1:])], rechunk=False),
        pl.DataFrame(np.vstack([[9, 9], X, [9, 9]])).slice(1, 4),
    ],
    ids=["a row each", "two", "slice", "bits", "empty", "polars", "polars slice"],
)
def test_chunks_and_slices(table):
    assert is_and(fitted(table))


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"a": [0.0, 0, np.nan, 1], "b": X[:, 1]}),
        pd.DataFrame({"a": pd.array([0, 0, None, 1], "Int64"), "b": X[:, 1]}),
        pl.DataFrame({"a": [0, 0, None, 1], "b": X[:, 1]}),
        pa.table({"a": [0, 0, None, 1], "b": X[:, 1]}),
        pa.table({"a": pa.chunked_array([[0, 0], [None, 1]]), "b": X[:, 1]}),
        pa.table({"a": [9, 0, 0, None, 1], "b": [9, *X[:, 1]]}).slice(1),
    ],
)
def test_a_missing_value_has_its_place(table):
    with pytest.raises(ValueError, match="NaN: column `a`, row 2 is missing"):
        fitted(table)


@pytest.mark.parametrize(
    "table",
    [
        pl.DataFrame({"a": [0.0, 0, np.nan, 1], "b": X[:, 1]}),
        pa.table({"a": [0.0, 0, np.nan, 1], "b": X[:, 1]}),
        pa.table({"a": pa.array([0, 0, np.nan, 1], pa.float32(), from_pandas=False), "b": Y}),
    ],
)
def test_nan_in_a_table_has_its_place(table):
    with pytest.raises(ValueError, match="row 2, feature 0: NaN"):
        fitted(table)


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"a": list("wxyz")}),
        pd.DataFrame({"a": list("wxyz")}, dtype="category"),
        pd.DataFrame({"a": [1.5, "x", 1, 1]}, dtype=object),
        pd.DataFrame({"a": [1, "x", 1, 1]}, dtype=object),
        pl.DataFrame({"a": list("wxyz")}),
        pl.DataFrame({"a": list("wxyz")}).cast(pl.Categorical),
        pa.table({"a": list("wxyz")}),
    ],
)
def test_columns_of_text_are_refused(table):
    with pytest.raises(ValueError, match="could not convert string to float"):
        fitted(table)


def test_tables_without_rows_or_columns():
    for kind in TABLES:
        empty = table_of(kind)[:0] if kind == "pandas" else table_of(kind).slice(0, 0)
        with pytest.raises(ValueError, match="0 sample"):
            fitted(empty, Y[:0])
    with pytest.raises(ValueError, match="0 feature"):
        fitted(pd.DataFrame(index=range(4)))
    with pytest.raises(ValueError, match="0 feature"):
        fitted(pd.DataFrame(index=list("wxyz")))
    with pytest.raises(ValueError, match="0 feature"):
        fitted(table_of("pyarrow").select([]))
    with pytest.raises(ValueError, match="0 sample"):
        fitted(pl.DataFrame(), Y[:0])


@pytest.mark.parametrize("column", [pd.Series(Y), pl.Series(Y), pa.array(Y), pa.chunked_array([Y])])
def test_one_column_is_no_table(column):
    with pytest.raises(ValueError, match=r"2D|2-dimensional"):
        fitted(column)


# Arrays.


def views():
    yield "Fortran", np.asfortranarray(X)
    yield "negative strides", X[::-1, ::-1].copy()[::-1, ::-1]
    yield "every second", np.repeat(np.repeat(X, 2, axis=0), 2, axis=1)[::2, ::2]
    yield "float16", X.astype(np.float16)
    yield "long double", X.astype(np.longdouble)
    yield "big-endian", X.astype(">f8")
    yield "misaligned", np.frombuffer(b"x" + X.tobytes(), np.uint8)[1:].view(float).reshape(4, 2)
    yield "read-only", np.frombuffer(X.tobytes()).reshape(4, 2)
    yield "list", X.tolist()
    yield "tuples", tuple(map(tuple, X.astype(int)))
    yield "objects", X.astype(object)
    yield "mixed objects", np.array([[0, 0.0], [False, 1], [True, 0], [1, np.float32(1)]], object)
    yield "rows", list(X)


@pytest.mark.parametrize(
    ("name", "rows"), list(views()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_arrays(name, rows):
    model = fitted(rows)
    assert is_and(model)
    assert model.predict(rows).tolist() == Y.tolist()


def with_value(value: float, dtype=float):
    rows = X.astype(dtype)
    rows[2, 1] = value
    return rows


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, object])
def test_what_is_not_finite_has_its_place(value, dtype):
    word = {"nan": "NaN"}.get(str(value), str(value))
    with pytest.raises(ValueError, match=f"row 2, feature 1: {word}"):
        fitted(with_value(value, dtype))
    with pytest.raises(ValueError, match=f"row 2, feature 1: {word}"):
        fitted(X).predict(with_value(value, dtype))
    if dtype in (np.float32, np.float64):
        with pytest.raises(ValueError, match=f"row 2, feature 1: {word}"):
            fitted(sparse.csr_matrix(with_value(value, dtype)))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([1, 2, 3, 4], "2D array"),
        (np.zeros((4, 2, 2)), "dim 3"),
        (np.zeros((0, 2)), "0 sample"),
        (np.zeros((4, 0)), "0 feature"),
        ([["a"], ["b"], ["c"], ["d"]], "could not convert string"),
        ([[None], [1], [1], [1]], "row 0, feature 0: NaN"),
        (X * 1j, "Complex data"),
        (sparse.csr_matrix((0, 2)), "0 sample"),
        (sparse.csr_matrix((4, 0)), "0 feature"),
        (X[:3], r"inconsistent numbers of samples: \[3, 4\]"),
        (sparse.csr_matrix(X[:3]), r"inconsistent numbers of samples: \[3, 4\]"),
    ],
)
def test_what_is_no_matrix(rows, message):
    with pytest.raises(ValueError, match=message):
        fitted(rows)


# Sparse matrices.


def unchecked_csr(data, indices, offsets, dtype=np.int32, shape=(4, 2)):
    """Returns a CSR matrix without SciPy's checks."""
    matrix = sparse.csr_matrix(shape)
    matrix.data = np.array(data, dtype=float)
    matrix.indices, matrix.indptr = np.array(indices, dtype), np.array(offsets, dtype)
    return matrix


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint32, np.uint64, np.int16])
def test_csr_with_indices_of_every_width(dtype):
    assert is_and(fitted(unchecked_csr([1, 1, 1, 1], [1, 0, 0, 1], [0, 0, 1, 2, 4], dtype)))


@pytest.mark.parametrize(
    ("matrix", "what"),
    [
        (unchecked_csr([1, 1, 1, 1], [1, 0, 1, 0], [0, 0, 1, 2, 4]), "descending"),
        (unchecked_csr([1, 1, 1, 3, -2], [1, 0, 0, 1, 1], [0, 0, 1, 2, 5]), "twice"),
        (unchecked_csr([0, 1, 0, 1, 1, 1], [1, 1, 1, 0, 0, 1], [0, 1, 2, 4, 6]), "stored zeros"),
        (
            unchecked_csr([1, 1, 1, 1, 9, 9], [1, 0, 0, 1, 7, -7], [0, 0, 1, 2, 4]),
            "room at the end",
        ),
    ],
)
def test_csr_that_is_not_canonical(matrix, what):
    before = [part.copy() for part in (matrix.data, matrix.indices, matrix.indptr)]
    assert is_and(fitted(matrix)), what
    for old, now in zip(before, (matrix.data, matrix.indices, matrix.indptr), strict=True):
        np.testing.assert_array_equal(old, now)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize(
    ("indices", "offsets", "message"),
    [
        ([-1, 0, 0, 1], [0, 0, 1, 2, 4], "sparse row 1: an index is not below"),
        ([1, 0, 0, 2], [0, 0, 1, 2, 4], "sparse row 3: an index is not below"),
        ([1, 0, 0, 1], [0, -1, 1, 2, 4], "sparse row"),
        ([1, 0, 0, 1], [0, 3, 1, 2, 4], "sparse row"),
        ([1, 0, 0, 1], [0, 0, 1, 2, 9], "sparse row"),
        ([1, 0, 0, 1], [0, 2_000_000_000, 2_000_000_000, 2_000_000_000, 4], "sparse row"),
        ([1, 0, 0, 1], [1, 1, 1, 2, 4], "sparse row 0: the offsets do not begin with 0"),
        ([1, 0, 0], [0, 0, 1, 2, 4], "sparse row"),
    ],
)
def test_csr_that_is_wrong(dtype, indices, offsets, message):
    with pytest.raises(ValueError, match=message):
        fitted(unchecked_csr([1, 1, 1, 1], indices, offsets, dtype))


def test_indices_past_32_bits():
    with pytest.raises(ValueError, match="sparse row 3: an index is not below"):
        fitted(unchecked_csr([1, 1, 1, 1], [1, 0, 0, 2**32 + 1], [0, 0, 1, 2, 4], np.int64))
    wide = sparse.csr_matrix(([1.0, 1], ([0, 1], [0, 5])), shape=(2, 2**31))
    with pytest.raises(ValueError, match="2147483648 features are too many"):
        fitted(wide, [0, 1])


# Labels.


@pytest.mark.parametrize(
    "y",
    [
        [0, 0, 0, 1],
        [-7, -7, -7, -3],
        [0.0, 0.0, 0.0, 1.0],
        [False, False, False, True],
        list("aaab"),
        ["10", "10", "10", "9"],
        np.array(list("aaab"), object),
        np.array([0, 0, 0, 1], np.uint8),
        np.array([0, 0, 0, 2**63], np.uint64),
        pd.Series(list("aaab"), dtype="category"),
        pd.Categorical(list("aaab")),
        pd.Series([0, 0, 0, 1], index=[9, 7, 5, 3]),
        pd.Series([0, 0, 0, 1], dtype="Int64"),
        pd.Series(list("aaab"), dtype="string"),
        pl.Series(list("aaab")),
        pl.Series([0, 0, 0, 1]),
        pa.array([0, 0, 0, 1]),
    ],
    ids=lambda y: f"{type(y).__name__} {getattr(y, 'dtype', '')}",
)
def test_labels(y):
    model = fitted(X, y)
    assert is_and(model)
    predicted = model.predict(X)
    assert predicted.dtype == model.classes_.dtype
    assert predicted.tolist() == np.asarray(y).tolist() == model.classes_[[0, 0, 0, 1]].tolist()
    assert model.score(X, y) == 1


def test_a_column_of_labels_is_told():
    with pytest.warns(UserWarning, match="column-vector y"):
        assert is_and(fitted(X, Y[:, None]))


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([0, 1], r"inconsistent numbers of samples: \[4, 2\]"),
        ([0, 0, np.nan, 1], "NaN"),
        ([0, 0, np.inf, 1], "infinity"),
        ([0.5, 0.1, 0.2, 1], "continuous"),
        ([0, 0, 0, 0], "greater than one; got 1 class"),
        (np.eye(4, 2, dtype=int), "1d array"),
        (3, "1d array"),
        (None, "y"),
        (np.array([0, 0, 0, 1], object), "Unknown label type"),
        (np.array(["a", "a", np.nan, "b"], object), r"y\[2\] is nan"),
        (np.array([None, "a", "a", "b"], object), r"y\[0\] is None"),
        (pd.Series(["a", None, "a", "b"], dtype="string"), r"y\[1\] is <NA>"),
        (pd.Series([0, 0, None, 1], dtype="Int64"), "NaN"),
    ],
)
def test_what_are_no_labels(y, message):
    with pytest.raises(ValueError, match=message):
        fitted(X, y)


@pytest.mark.filterwarnings("ignore:The number of unique classes")
def test_more_than_a_thousand_classes():
    # One unit vector for each class. The mistakes of each hyperplane are counted by hand below.
    many = 1100
    model = Perceptron(keep="last", shuffle=False).fit(
        sparse.identity(many, format="csr"), range(many)
    )
    assert model.coef_.shape == (many, many)
    assert model.predict(sparse.identity(many, format="csr")).tolist() == list(range(many))
    assert model.report_["converged"]


# Weights.


@pytest.mark.parametrize(
    "weights",
    [
        [1, 1, 1, 2],
        (1.0, 1.0, 1.0, 2.0),
        np.array([1, 1, 1, 2], np.float32),
        np.array([1, 9, 1, 9, 1, 9, 2, 9], float)[::2],
        pd.Series([1, 1, 1, 2], index=[9, 8, 7, 6]),
        pl.Series([1, 1, 1, 2]),
        ["1", "1", "1", "2"],
    ],
)
def test_sample_weights_in_every_form(weights):
    # One epoch by hand: at (0,0) the score is 0, a mistake: b = −1. (0,1), (1,0) are right with −1;
    # at (1,1) −1 is wrong and the step is 2: w = (2,2), b = 1.
    model = Perceptron(keep="last", shuffle=False, max_iter=1)
    with pytest.warns(match="mistakes remain"):
        model.fit(X, Y, sample_weight=weights)
    assert (model.coef_.tolist(), model.intercept_.tolist()) == ([[2, 2]], [1])


def test_one_sample_weight_for_all():
    twice, once = (
        fitted(X, eta0=1.0),
        Perceptron(keep="last", shuffle=False).fit(X, Y, sample_weight=3),
    )
    assert once.coef_.tolist() == (3 * twice.coef_).tolist()


def test_a_weight_of_zero_leaves_the_example_out():
    part = fitted(X[1:], Y[1:])
    for rows in (X, sparse.csr_matrix(X)):
        model = Perceptron(keep="last", shuffle=False).fit(rows, Y, sample_weight=[0, 1, 1, 1])
        assert model.coef_.tolist() == part.coef_.tolist()
        assert model.class_sizes_.tolist() == [2, 1]
        assert model.t_ == part.t_
    with pytest.raises(ValueError, match="got 1 class"):
        Perceptron(keep="last").fit(X, Y, sample_weight=[1, 1, 1, 0])


@pytest.mark.parametrize(
    "weights",
    [
        [1, 1, 1, -1],
        [1, 1, 1, np.nan],
        [1, 1, 1, np.inf],
        [1, 2],
        np.ones((4, 1)),
        [0, 0, 0, 0],
        0,
        -1,
        np.nan,
    ],
)
def test_what_are_no_sample_weights(weights):
    with pytest.raises(ValueError, match=r"(?i)sample.weight"):
        Perceptron(keep="last").fit(X, Y, sample_weight=weights)


def test_class_weights():
    # As the weights of the examples above.
    model = Perceptron(keep="last", shuffle=False, max_iter=1, class_weight={1: 2})
    with pytest.warns(match="mistakes remain"):
        model.fit(X, Y)
    assert (model.coef_.tolist(), model.intercept_.tolist()) == ([[2, 2]], [1])
    with pytest.warns(match="mistakes remain"):
        model.set_params(class_weight={"b": 2.0}).fit(X, list("aaab"))
    assert (model.coef_.tolist(), model.intercept_.tolist()) == ([[2, 2]], [1])
    # "balanced" is 4 / (2 · 3) and 4 / (2 · 1).
    with pytest.warns(match="mistakes remain"):
        model.set_params(class_weight="balanced").fit(X, Y)
    assert (model.coef_.tolist(), model.intercept_.tolist()) == ([[2, 2]], [2 - 4 / 6])


@pytest.mark.parametrize(
    "weights",
    [
        "x",
        3,
        [1, 2],
        {0: -1, 1: 1},
        {0: 0, 1: 0},
        {0: np.nan, 1: 1},
        {0: np.inf, 1: 1},
        {0: "x", 1: 1},
        {0: 1, 7: 1},
        {"0": 1, "1": 1},
    ],
    ids=repr,
)
def test_what_are_no_class_weights(weights):
    with pytest.raises(ValueError, match=r"(?i)class.weight"):
        fitted(X, class_weight=weights)


# Parameters.

BAD = {
    "penalty": ["x", "L2", 1],
    "alpha": ["x", -1],
    "l1_ratio": ["x", 2],
    "fit_intercept": ["no", None],
    "max_iter": [0, -1, 1.5, "x", np.nan],
    "tol": ["x", -1, np.nan, np.inf],
    "shuffle": ["x", None],
    "verbose": ["x", -1],
    "eta0": [0, -1, np.inf, np.nan, "x", None],
    "n_jobs": [0, "x", 1.5],
    "random_state": [-1, "x", 1.5, 2**70, np.random.default_rng(0)],
    "early_stopping": ["x", None],
    "validation_fraction": [0, 1, -0.5, "x", None],
    "n_iter_no_change": [0, 1.5, None],
    "warm_start": ["x", None],
    "keep": ["x", None, 5, []],
    "update": [
        "x",
        None,
        5,
        "margin",
        "margin:x",
        "margin:-1",
        "pa1:0",
        "pa2:nan",
        "arow",
        "arow:0",
    ],
    "C": ["x", -1, np.nan, True],
    "gamma": ["x", 0, -1, np.inf, True],
    "degree": [0, 101, 2.5, "3"],
    "coef0": ["x", -1, np.nan],
    "kernel": ["x", 5, "poly:0", "poly:x", "rbf", "rbf:-1", "rbf:0"],
    "bias": ["x", 3, "Unit", "unit:0", "unit:x"],
    "order": ["x", 3],
    "init": ["x", None, "given"],
    "mistake": ["x", None],
    "zero": ["x", None, 0],
    "scale": ["x", "none", True, 1],
    "max_mistakes": [-1, 1.5, None],
    "classes": ["x", None, "Joint"],
    "normalise": ["x", "L2", 2],
    "calibrate": ["x", "sigmoid", True],
    "calibration_folds": [1, 2.0, True],
    "weighting": ["x", "TFIDF", 2],
    "document_frequency": ["2", ":", "50%:2%", "0.5:", 2, 0.5],
}


def test_every_parameter_has_a_bad_value():
    assert BAD.keys() | {"class_weight"} == Perceptron(keep="last").get_params().keys()


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in BAD.items() for value in values]
)
def test_a_bad_parameter_is_named(name, value):
    model = Perceptron(**{name: value})
    with pytest.raises(ValueError, match=name):
        model.fit(X, Y)
    assert not hasattr(model, "classes_")
    for other in (KernelPerceptron(), VotedPerceptron()):
        if name in other.get_params() and not (name == "kernel" and value is None):
            with pytest.raises(ValueError, match=name):
                other.set_params(**{name: value}).fit(X, Y)


def test_a_bad_tally_is_named():
    with pytest.raises(ValueError, match="tally"):
        VotedPerceptron(tally="x").fit(X, Y)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shuffle": False, "order": "shuffle"}, "shuffle=False and order='shuffle'"),
        ({"fit_intercept": False, "bias": "unit"}, "fit_intercept=False and bias='unit'"),
        ({"tol": 1e-3, "kernel": "rbf:1"}, "tol"),
        ({"update": "pa", "eta0": 2}, "eta"),
    ],
)
def test_parameters_that_contradict_one_another(options, message):
    with pytest.raises(ValueError, match=message):
        Perceptron(keep="last", **options).fit(X, Y)


def test_parameters_of_numpy():
    model = Perceptron(
        keep="last",
        shuffle=np.bool_(False),
        max_iter=np.int64(50),
        eta0=np.float32(1),
        max_mistakes=np.int32(0),
        random_state=np.int64(2),
        n_jobs=np.int64(2),
        n_iter_no_change=np.int64(2),
        fit_intercept=np.bool_(True),
    )
    assert is_and(model.fit(X, Y))


@pytest.mark.parametrize(
    ("first", "message"),
    [
        ({"coef_init": [1, 2, 3]}, "coef_init"),
        ({"coef_init": [[1, 2], [3, 4]]}, "coef_init"),
        ({"intercept_init": [1, 2]}, "intercept_init"),
        ({"coef_init": [np.nan, 1]}, "finite"),
    ],
)
def test_first_weights_that_do_not_fit(first, message):
    with pytest.raises(ValueError, match=message):
        Perceptron(keep="last").fit(X, Y, **first)


@pytest.mark.parametrize(
    ("function", "name", "values"),
    [
        (study, "runs", [0, -1, 1.5, "x"]),
        (study, "sweep", ["x", 1, "Margin"]),
        (study, "update", ["x", None, 5]),
        (study, "bias", ["x", None]),
        (study, "mistake", ["x", None]),
        (study, "eta0", [0, -1, np.inf, np.nan, "x", None]),
        (study, "max_iter", [0, 1.5, None]),
        (study, "seed", [-1, 1.5, "x", None, 2**70]),
        (study, "n_jobs", [0, "x"]),
        (study, "positive", ["x", 7]),
        (separable, "bias", ["x", None]),
        (separable, "seconds", [0, -1, np.nan, "x"]),
        (separable, "positive", ["x", 7]),
    ],
)
def test_a_bad_argument_is_named(function, name, values):
    for value in values:
        # None is valid: it means two classes.
        if (name, value) != ("positive", None):
            with pytest.raises(ValueError, match=name):
                function(X, Y, **{name: value})


def test_arguments_of_numpy():
    found = study(
        X, Y, runs=np.int64(3), seed=np.uint8(1), max_iter=np.int32(99), eta0=np.float32(1)
    )
    assert found.updates.tolist() == study(X, Y, runs=3, seed=1, max_iter=99).updates.tolist()


@pytest.mark.parametrize("function", [separable, study, lambda X, y: verify({}, X, y)])
def test_functions_check_rows_and_labels(function):
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[4, 3\]"):
        function(X, [0, 0, 1])
    with pytest.raises(ValueError, match=r"separates two classes, y has 3; positive="):
        function(X, [0, 1, 2, 0])
    with pytest.raises(ValueError, match="row 2, feature 1: NaN"):
        separable(with_value(np.nan), Y)


@pytest.mark.parametrize("certificate", [{}, None, "x", [], {"separable": "maybe"}])
def test_what_is_no_certificate(certificate):
    with pytest.raises(ValueError, match="this is no certificate"):
        verify(certificate, X, Y)


def test_a_certificate_answers_its_own_question():
    rows, labels = [[2.0], [4.0]], [1, 0]
    found = separable(rows, labels, bias="none")
    checked = verify(found.certificate, rows, labels)
    assert (found.separable, checked.verified) == ("no", False)
    assert checked.hyperplanes == "through the origin"
    assert "says nothing of hyperplanes with a bias" in checked.problem
    assert verify(found.certificate, rows, labels, bias="none")
    assert verify(separable(rows, labels).certificate, rows, labels, bias="radius")


def test_a_clock_that_ends_a_search_is_named():
    found = separable(X, [0, 1, 1, 0], seconds=1e-9)
    assert (found.separable, found.ended_by) == ("unknown", "clock")
    with pytest.raises(ValueError, match="unknown: the time was over"):
        bool(found)
    assert separable(X, [0, 1, 1, 0]).ended_by is None


def test_one_label_against_the_rest():
    labels = list("abac")
    assert separable(X, labels, positive="c").separable == "yes"
    assert separable(X, list("abba"), positive="b").separable == "no"
    for table in (table_of("pandas"), table_of("polars"), sparse.csr_matrix(X)):
        found = separable(table, labels, positive="c")
        assert verify(found.certificate, X, labels, positive="c")
        assert not verify(found.certificate, X, labels, positive="b")

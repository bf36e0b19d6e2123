"""Tables that are read by the columns of others: files, data frames, pipelines and models of the command."""

from __future__ import annotations

import datetime
import decimal
import json
import pickle
import subprocess

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import ROOT
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rosenblatt
from rosenblatt import Perceptron, TableEncoder, load, read_csv, read_svmlight, save

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

UNKNOWN = pytest.mark.filterwarnings("ignore:.*category that is not in the training data")
OF_DESIGN = pytest.mark.filterwarnings("ignore:X does not have valid feature names")


def table(rows=60, seed=1):
    """Numbers of many digits, categories, dates, truths and text, with holes."""
    rng = np.random.default_rng(seed)
    size = np.where(rng.random(rows) < 0.1, np.nan, rng.normal(10, 3, rows))
    colour = rng.choice(np.array(["red", "deep blue", 'the "7"', None], dtype=object), rows)
    days = pd.to_datetime("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, rows), "D")
    good = rng.random(rows) < 0.5
    return pd.DataFrame(
        {
            "size": size,
            "colour": colour,
            "day": days,
            "good": good,
            "count": rng.integers(0, 30, rows),
            "kind": np.where(good ^ (np.nan_to_num(size, nan=10) > 11), "apple", "pear"),
        }
    )


def new_table():
    """Other rows: other order of columns, another column, new categories, more holes."""
    new = table(40, seed=2).drop(columns="kind")
    new.loc[3, "colour"] = "green"
    new.loc[5:9, "size"] = np.nan
    new["weight"] = 1.5
    return new[["weight", "day", "good", "count", "colour", "size"]]


FRAMES = {
    "pandas": lambda frame: frame,
    "polars": lambda frame: pl.from_pandas(frame),
    "arrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
    "another index": lambda frame: frame.set_axis([f"row {i}" for i in range(len(frame))]),
    "objects": lambda frame: frame.astype(object),
    "categories": lambda frame: frame.astype({"colour": "category"}),
}


def write(path, frame):
    frame.to_csv(path, index=False)
    return path


def same(ours, theirs):
    if sparse.issparse(ours) or sparse.issparse(theirs):
        ours, theirs = sparse.csr_array(ours).toarray(), sparse.csr_array(theirs).toarray()
    return ours.shape == theirs.shape and ours.tobytes() == theirs.tobytes()


def predicted(command, folder, model, data, *options):
    """The objects that `predict` prints, and its notes."""
    words = [command, "predict", model, data, "--output-format", "json", *options]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    notes = [line.removeprefix("note: ") for line in done.stderr.splitlines()]
    return [json.loads(line) for line in done.stdout.splitlines()], notes


# Files by the columns of others.


def test_a_test_file_has_the_columns_of_training(tmp_path):
    train = read_csv(
        write(
            tmp_path / "train.csv",
            pd.DataFrame(
                {
                    "colour": ["red", "blue", "red", "blue"],
                    "size": [1, 2, None, 4],
                    "y": ["a", "b", "a", "b"],
                }
            ),
        ),
        "y",
    )
    rows = {"y": ["b", "a", "a"], "size": [None, 7, 8], "colour": ["red", "green", "blue"]}
    path = write(tmp_path / "test.csv", pd.DataFrame(rows))
    with pytest.warns(UserWarning, match="1 cell of `colour` with a category that is not in"):
        test = read_csv(path, like=train)
    assert test.feature_names == train.feature_names == ["colour=blue", "colour=red", "size"]
    assert test.schema == train.schema
    assert test.X.shape == (3, 3)
    assert test.y.tolist() == ["b", "a", "a"]
    # The red one is the red one, although this file has other categories.
    assert test.X.toarray()[0].tolist()[:2] == [0, 1]
    assert not test.X.toarray()[1, :2].any()
    model = Perceptron().fit(*train)
    assert model.predict(train.X).tolist() == train.y.tolist()


def test_missing_cells_are_filled_by_the_table_of_training(tmp_path):
    train = read_csv(
        write(tmp_path / "train.csv", pd.DataFrame({"a": [1, None, 3, 8], "y": [0, 1, 0, 1]}))
    )
    test = read_csv(
        write(tmp_path / "test.csv", pd.DataFrame({"a": [None, 100], "b": [1, 2]})), like=train
    )
    assert test.X.tolist() == [[3], [100]]
    assert test.y is None
    assert [note["code"] for note in test.notes] == ["unknown_columns", "filled_cells"]
    with pytest.raises(ValueError, match="no column `y`|`y`"):
        read_csv(tmp_path / "test.csv", "y", like=train)


def test_what_like_may_be(tmp_path):
    frame = table()
    path = write(tmp_path / "train.csv", frame)
    data = read_csv(path, "kind")
    encoder = TableEncoder().fit(frame.drop(columns="kind"), frame["kind"])
    pipeline = make_pipeline(encoder, Perceptron())
    Perceptron().fit(*data).save(tmp_path / "model", like=data)
    for like in (
        data,
        encoder,
        pipeline,
        load(tmp_path / "model"),
        pickle.loads(pickle.dumps(data)),
    ):
        again = read_csv(path, like=like)
        assert same(again.X, data.X)
        assert again.y.tolist() == data.y.tolist()
    numbers = pd.DataFrame({"b": [1.0, 2], "a": [3.0, 4]})
    of_frame = Perceptron().fit(numbers, [0, 1])
    assert same(
        read_csv(write(tmp_path / "n.csv", numbers[["a", "b"]]), like=of_frame).X,
        numbers.to_numpy(),
    )
    with pytest.raises(ValueError, match="like is of type Perceptron, expected what knows"):
        read_csv(path, like=Perceptron().fit([[0], [1]], [0, 1]))
    with pytest.raises(ValueError, match="like decides the columns, so missing has no effect"):
        read_csv(path, like=data, missing="mean")
    (tmp_path / "a.svm").write_text("0 1:1\n1 2:1\n")
    with pytest.raises(ValueError, match="LIBSVM"):
        read_csv(path, like=read_svmlight(tmp_path / "a.svm"))
    with pytest.raises(ValueError, match="have indices"):
        TableEncoder.like(read_svmlight(tmp_path / "a.svm"))


def test_errors_name_no_argument_that_like_excludes(tmp_path):
    (tmp_path / "train.csv").write_text("a,y\n1,0\n2,1\n3,0\n")
    (tmp_path / "test.csv").write_text("a,y\n1,0\nmany,1\n")
    train = read_csv(tmp_path / "train.csv")
    with pytest.raises(ValueError, match="test.csv:3:1") as caught:
        read_csv(tmp_path / "test.csv", like=train)
    assert "categorical" not in str(caught.value)
    with pytest.warns(UserWarning, match="skipped 1 row"):
        assert read_csv(tmp_path / "test.csv", like=train, on_error="skip").X.tolist() == [[1]]


# Models of the command.


@pytest.fixture(scope="module")
def folder(tmp_path_factory, command):
    """A folder with models that the command trained on a table."""
    folder = tmp_path_factory.mktemp("models")
    write(folder / "train.csv", table())
    write(folder / "new.csv", new_table())
    for name, options in {
        "plain": [],
        "unscaled": ["--scale", "none"],
        "temperature": ["--calibrate", "temperature", "--holdout", "0.2"],
        "platt": ["--calibrate", "platt", "--folds", "5"],
        "products": ["--interactions", "colour,size"],
        "categories": ["--categorical", "count", "--missing", "mean+indicator"],
        "vote": ["--keep", "vote"],
        "kernel": ["--kernel", "poly:2"],
    }.items():
        words = [command, "train", "train.csv", "--target", "kind", "-o", f"{name}.model", *options]
        subprocess.run(words, cwd=folder, capture_output=True, check=True)
    return folder


@UNKNOWN
@OF_DESIGN
@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(
    "name",
    ["plain", "unscaled", "temperature", "platt", "products", "categories", "vote", "kernel"],
)
def test_a_frame_has_the_predictions_of_its_file(folder, command, name, frame):
    model = load(folder / f"{name}.model")
    new = FRAMES[frame](new_table())
    calibrated = name in ("temperature", "platt")
    asked = {"unscaled": ["--radius", "l2"], "temperature": ["--proba"], "platt": ["--proba"]}
    rows, notes = predicted(command, folder, f"{name}.model", "new.csv", *asked.get(name, []))
    assert model.predict(new).tolist() == [row["label"] for row in rows]
    if name != "platt":
        assert (abs(model.decision_function(new)) == [abs(row["score"]) for row in rows]).all()
    if calibrated:
        of_command = np.array([row["probability"] for row in rows])
        assert (model.predict_proba(new) == of_command[:, None]).any(axis=1).all()
    told = [note["message"] for note in TableEncoder.like(model).notes(new)]
    assert told == [note for note in notes if not note.startswith("the probability")]
    assert any("not in the training data" in note for note in told)
    assert any("weight" in note for note in told)
    if name == "plain":
        design = read_csv(folder / "new.csv", like=model).X
        assert (model.predict(design) == model.predict(new)).all()
        assert same(model.explain(new).values, model.explain(design).values)
    if name == "unscaled":
        radii = [row["radius"] for row in rows]
        assert model.decision_radius(new).tolist() == radii


def test_a_new_category_is_a_warning(folder):
    model = load(folder / "plain.model")
    with pytest.warns(
        UserWarning, match="1 cell of `colour` with a category that is not in"
    ) as all_:
        model.predict(new_table())
    assert [warning.filename for warning in all_] == [__file__]
    with pytest.warns(UserWarning, match="category") as all_:
        TableEncoder.like(model).transform(new_table())
    assert [warning.filename for warning in all_] == [__file__]


def test_what_is_no_table_for_a_model_of_one(folder):
    model = load(folder / "plain.model")
    with pytest.raises(
        ValueError,
        match="X has 2 features, but Perceptron is expecting .* data frame with the columns size",
    ):
        model.predict(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="no column `colour`|`colour`"):
        model.predict(new_table().drop(columns="colour"))
    bad = new_table().astype(object)
    bad.loc[4, "size"] = "a\nlot"
    bad.loc[2, "colour"] = "two\nlines"
    with pytest.raises(ValueError, match="X, row 4: .*size"):
        model.predict(bad)
    bad = pd.DataFrame({"size": [[1]], "colour": ["red"]})
    with pytest.raises(ValueError, match="column 'size', row 0 is of type list"):
        model.predict(bad)
    doubled = new_table()[["size", "size"]]
    with pytest.raises(ValueError, match="two columns have the name 'size'"):
        model.predict(doubled)
    with pytest.raises(ValueError, match="0 sample"):
        model.predict(new_table().iloc[:0])


@UNKNOWN
def test_a_model_of_a_table_stays_one(folder, tmp_path):
    model = load(folder / "plain.model")
    expected = model.predict(new_table()).tolist()
    model.save(tmp_path / "again")
    for other in (load(tmp_path / "again"), pickle.loads(pickle.dumps(model))):
        assert other.predict(new_table()).tolist() == expected


def test_spellings_of_the_training_file_are_not_those_of_a_frame(tmp_path, run):
    lines = ["day;price;y"]
    lines += [f"{day:02}.03.2020;1{day},25;{'ab'[day > 15]}" for day in range(1, 29)]
    (tmp_path / "german.csv").write_text("\n".join(lines) + "\n")
    run("train", "german.csv", "--decimal", "comma", "-o", "german.model")
    model = load(tmp_path / "german.model")
    typed = pd.DataFrame(
        {"price": [13.25, 125.25], "day": pd.to_datetime(["2020-03-03", "2020-03-25"])}
    )
    spelled = pd.DataFrame({"price": ["13,25", "125,25"], "day": ["03.03.2020", "25.03.2020"]})
    design = TableEncoder.like(model).transform(typed)
    assert same(design, TableEncoder.like(model).transform(spelled))
    assert design.tolist() == [[18324, 13.25], [18346, 125.25]]


def test_columns_without_names_are_found_by_position(tmp_path, run):
    (tmp_path / "a.csv").write_text("1,red,yes\n2,blue,no\n3,red,yes\n4,blue,no\n")
    run("train", "a.csv", "--no-header", "-o", "a.model")
    model = load(tmp_path / "a.model")
    frame = pd.DataFrame({"any": [1, 2], "#name": ["red", "blue"]})
    assert model.predict(frame).tolist() == ["yes", "no"]
    assert model.predict(frame.assign(label=["?", "?"])).tolist() == ["yes", "no"]


def test_truths_and_numbers_are_known_in_any_spelling(tmp_path, run):
    (tmp_path / "a.csv").write_text("t,zip,y\ntrue,10,a\nfalse,20,b\ntrue,10,a\nfalse,20,b\n")
    run("train", "a.csv", "--categorical", "zip", "-o", "a.model")
    model = load(tmp_path / "a.model")
    # With a hole, the numbers of a column of pandas are floats.
    for frame in (
        pd.DataFrame({"t": [True, False], "zip": [10, 20]}),
        pd.DataFrame({"t": ["true", "false"], "zip": [10.0, 20.0]}),
        pl.DataFrame({"t": [True, False], "zip": ["10", "20"]}),
    ):
        assert TableEncoder.like(model).notes(frame) == []
        assert model.predict(frame).tolist() == ["a", "b"]


# The encoder.


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"interactions": [("colour", "size")]},
        {"categorical": ["count"], "missing": "mean+indicator"},
        {"ignore": ["day"], "missing_values": ["NA"]},
    ],
)
def test_a_frame_has_the_design_of_its_file(tmp_path, frame, options):
    data = read_csv(write(tmp_path / "a.csv", table()), "kind", **options)
    given = FRAMES[frame](table().drop(columns="kind"))
    encoder = TableEncoder(**options)
    X = encoder.fit_transform(given)
    names = encoder.get_feature_names_out().tolist()
    if frame in ("polars", "arrow"):
        # Their files spell truths otherwise.
        names = [name.replace("=false", "=False").replace("=true", "=True") for name in names]
    assert names == data.feature_names
    assert same(X, data.X)
    assert same(encoder.transform(given), X)
    assert X.shape[1] == encoder.schema_.features


def test_numbers_keep_their_bits():
    values = np.array(
        [[0.1], [1 / 3], [5e-324], [-1.7976931348623157e308], [-0.0], [1e22], [2**53]]
    )
    assert TableEncoder().fit_transform(values).tobytes() == values.tobytes()
    single = pd.DataFrame({"a": np.array([0.1, 0.7, 3e-40], dtype=np.float32)})
    assert (
        TableEncoder().fit_transform(single).tolist()
        == single["a"].astype(float).to_frame().to_numpy().tolist()
    )
    exact = pd.DataFrame({"a": [decimal.Decimal("0.1"), decimal.Decimal("2.50")]})
    assert TableEncoder().fit_transform(exact).tolist() == [[0.1], [2.5]]
    with pytest.raises(ValueError, match="9007199254740993"):
        TableEncoder().fit(pd.DataFrame({"a": [1, 2**53 + 1]}))
    with pytest.raises(ValueError, match="row 1.*inf"):
        TableEncoder().fit(pd.DataFrame({"a": [1, np.inf]}))


def test_dates_are_days():
    times = [datetime.datetime(2020, 1, 2, 12), datetime.datetime(2020, 1, 3)]
    expected = [[18263.5], [18264.0]]
    for frame in (
        pd.DataFrame({"a": times}),
        pl.DataFrame({"a": times}),
        pa.table({"a": times}),
        pd.DataFrame({"a": pd.to_datetime(times).tz_localize("UTC")}),
        pd.DataFrame({"a": np.array(times, dtype="datetime64[s]").astype(object)}),
    ):
        for order in (None, "dmy", "mdy", "ymd"):
            assert TableEncoder(dates=order).fit_transform(frame).tolist() == expected
    encoder = TableEncoder().fit(pl.DataFrame({"a": [datetime.date(2020, 1, 2), None]}))
    assert encoder.transform(pd.DataFrame({"a": times})).tolist() == expected
    assert encoder.schema_.columns() == [("a", "date", 1, [])]


def test_the_sign_of_decimals_is_that_of_texts():
    frame = pd.DataFrame({"a": ["1,5", "2,25"], "b": [0.5, 0.25]})
    assert TableEncoder(decimal="comma").fit_transform(frame).tolist() == [[1.5, 0.5], [2.25, 0.25]]
    encoder = TableEncoder(decimal="comma").fit(frame)
    assert encoder.transform(frame).tolist() == [[1.5, 0.5], [2.25, 0.25]]


def test_all_rows_decide(tmp_path):
    # More than the mebibyte that decides where a stream cannot be read twice.
    values = ["1234567.0"] * 150_000 + ["many", "few", "none"] * 3
    frame = pd.DataFrame({"a": values, "b": range(len(values))})
    with pytest.raises(ValueError, match=r"X, row 150000: .*; pass `"):
        TableEncoder().fit(frame)
    encoder = TableEncoder(categorical=["a"], features=["a"]).fit(frame)
    assert encoder.get_feature_names_out().tolist() == ["a=1234567.0", "a=few", "a=many", "a=none"]


def test_no_row_is_lost():
    frame = pd.DataFrame({"a": [1.0, None, 3], "b": [None, None, 2.0]})
    filled = TableEncoder(missing="median").fit_transform(frame)
    assert filled.tolist() == [[1, 2], [2, 2], [3, 2]]
    one = pd.DataFrame({"a": ["x", None, "y", "#z", "a", "sep=;"]})
    assert TableEncoder().fit_transform(one).toarray().sum(axis=1).tolist() == [1] * 6
    with pytest.raises(ValueError, match="every row"):
        TableEncoder(missing="a=drop").fit(frame)


def test_scikit_learn_and_the_encoder():
    frame, y = table().drop(columns="kind"), table()["kind"]
    encoder = TableEncoder(sparse_output=False, ignore=["day"])
    assert clone(encoder).get_params() == encoder.get_params()
    as_pandas = clone(encoder).set_output(transform="pandas").fit_transform(frame)
    assert as_pandas.columns.tolist() == encoder.fit(frame).get_feature_names_out().tolist()
    assert as_pandas.to_numpy().tolist() == encoder.transform(frame).tolist()
    as_polars = clone(encoder).set_output(transform="polars").fit_transform(frame)
    assert as_polars.to_numpy().tolist() == encoder.transform(frame).tolist()
    again = pickle.loads(pickle.dumps(encoder))
    assert again.transform(frame).tolist() == encoder.transform(frame).tolist()
    assert encoder.n_features_in_ == 5
    assert encoder.feature_names_in_.tolist() == list(frame.columns)
    model = make_pipeline(TableEncoder(), Perceptron())
    assert cross_val_score(model, frame, y, cv=4, error_score="raise").shape == (4,)
    with pytest.raises(ValueError, match="X has 1 features, but TableEncoder is expecting 2"):
        TableEncoder().fit([[1, "a"], [2, "b"]]).transform([[1]])
    with pytest.raises(TypeError, match="sparse matrix"):
        TableEncoder().fit(sparse.eye(3))


# From Python to the command.


@UNKNOWN
@pytest.mark.parametrize(
    "estimator", [Perceptron(), Perceptron(calibrate="temperature"), rosenblatt.KernelPerceptron()]
)
def test_a_pipeline_is_a_model_of_the_command(tmp_path, command, estimator):
    frame = table()
    model = make_pipeline(TableEncoder(), estimator).fit(frame.drop(columns="kind"), frame["kind"])
    save(model, tmp_path / "tab.model")
    new = new_table()
    write(tmp_path / "new.csv", new)
    rows, notes = predicted(command, tmp_path, "tab.model", "new.csv")
    expected = model.predict(new).tolist()
    assert [row["label"] for row in rows] == expected
    assert [abs(row["score"]) for row in rows] == abs(model.decision_function(new)).tolist()
    assert [note["message"] for note in model[0].notes(new)] == notes
    loaded = load(tmp_path / "tab.model")
    assert loaded.predict(new).tolist() == expected
    assert loaded.feature_names_in_.tolist() == model[0].get_feature_names_out().tolist()
    # The command finds the labels by the name of y.
    write(tmp_path / "all.csv", frame)
    words = [command, "evaluate", "tab.model", "all.csv", "--json"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    errors = int((model.predict(frame) != frame["kind"]).sum())
    assert json.loads(done.stdout)["errors"] == errors


def test_what_a_model_file_cannot_hold(tmp_path):
    frame, y = table()[["size", "count"]], table()["kind"]
    model = make_pipeline(TableEncoder(), StandardScaler(), Perceptron()).fit(frame, y)
    with pytest.raises(
        ValueError, match="not a pipeline of TableEncoder, StandardScaler, Perceptron"
    ):
        save(model, tmp_path / "a")
    data = read_csv(write(tmp_path / "a.csv", table()), "kind")
    with pytest.raises(
        ValueError, match="the columns of the table give .* features, and the model has 1"
    ):
        Perceptron().fit([[0], [1]], [0, 1]).save(tmp_path / "a", like=data)
    assert not (tmp_path / "a").exists()


@UNKNOWN
def test_the_graph_of_columns_has_the_predictions_of_the_pipeline(tmp_path, run):
    onnxruntime = pytest.importorskip("onnxruntime")
    frame = table().drop(columns=["kind", "day", "good"])
    model = make_pipeline(TableEncoder(), Perceptron()).fit(frame, table()["kind"])
    save(model, tmp_path / "tab.model")
    run("export", "tab.model", "--columns", "-o", "tab.onnx")
    loaded = load(tmp_path / "tab.model")
    loaded.export(tmp_path / "own.onnx", columns=True)
    graph = (tmp_path / "own.onnx").read_bytes()
    assert graph == (tmp_path / "tab.onnx").read_bytes() == loaded.to_onnx(columns=True)
    for path in ("own.json", "own.csv"):
        with pytest.raises(ValueError, match="columns is for ONNX graphs"):
            loaded.export(tmp_path / path, columns=True)
    with pytest.raises(ValueError, match="of a table that the model"):
        Perceptron().fit([[0], [1]], [0, 1]).to_onnx(columns=True)
    session = onnxruntime.InferenceSession(graph)
    new = new_table()
    columns = {
        "size": new["size"].to_numpy(),
        "count": new["count"].to_numpy(dtype=float),
        "colour": new["colour"].fillna("").to_numpy(dtype=object),
    }
    inputs = {name: column.reshape(-1, 1) for name, column in columns.items()}
    labels = session.run(["label"], inputs)[0]
    assert labels.ravel().tolist() == model.predict(new).tolist()


# What data shows.


def test_data_shows_what_it_is(tmp_path):
    data = read_csv(ROOT / "data" / "iris.csv")
    assert repr(data) == (
        "<Data: 150 rows of 4 features, labels of 'species': Iris-setosa, Iris-versicolor, Iris-virginica; "
        "columns: sepal_length, sepal_width, petal_length, petal_width>"
    )
    frame = table().rename(columns={"size": "<b>"})
    text = read_csv(write(tmp_path / "a.csv", frame), "kind")._repr_html_()
    assert "<td>&lt;b&gt;</td><td>number</td><td>1</td>" in text
    assert "<td>colour</td><td>categories</td><td>4</td>" in text
    assert "<td>day</td><td>date</td><td>1</td>" in text
    assert "<li>filled" in text
    (tmp_path / "a.svm").write_text("0 1:1\n1 2:1\n")
    assert (
        repr(read_svmlight(tmp_path / "a.svm")) == "<Data: 2 rows of 2 features, labels: 0.0, 1.0>"
    )


def test_the_label_that_was_found_is_told(tmp_path):
    rows = {"class": ["a", "b"] * 20, "size": np.arange(40) % 7, "width": np.arange(40) / 7}
    data = read_csv(write(tmp_path / "a.csv", pd.DataFrame(rows)))
    assert data.target == "class"
    assert "labels of 'class': a, b" in repr(data)
    assert [note["message"] for note in data.notes if note["code"] == "label"] == [
        "the label is `class`, by its name and values"
    ]

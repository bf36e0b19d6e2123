"""`export --columns`: an ONNX graph from the columns of a table, run by onnxruntime beside `predict`."""

from __future__ import annotations

import json

import numpy as np
import onnx
import onnxruntime
import pandas as pd
import pytest

METHODS = [None, "temperature", "platt", "isotonic", "venn-abers"]


def table(classes, rows=1000):
    """Categories, numbers and dates, with holes; names that the graph has itself."""
    rng = np.random.default_rng(classes)
    color = rng.choice(["red", "green", "deep blue", ""], rows, p=[0.3, 0.3, 0.3, 0.1])
    size = np.where(rng.random(rows) < 0.1, np.nan, rng.normal(10, 3, rows).round(3))
    width = rng.normal(size=rows).round(3)
    day = rng.integers(0, 20000, rows)
    strength = (
        2.0 * (color == "red") + np.nan_to_num(size, nan=12) / 5 + width + rng.normal(size=rows)
    )
    y = np.digitize(strength, np.quantile(strength, np.linspace(0, 1, classes + 1)[1:-1]))
    return pd.DataFrame(
        {
            "label": color,
            "weights": size,
            "/x": width,
            "scores": rng.choice(list("abc"), rows),
            "day": pd.to_datetime("1970-01-01") + pd.to_timedelta(day, "D"),
            "y": np.array(["no", "yes", "perhaps"])[y],
        }
    )


def feed(session, data):
    """The columns as a reader of tables would give them."""
    columns = {}
    for entry in session.get_inputs():
        column = data[entry.name]
        if entry.type == "tensor(string)":
            values = column.fillna("").astype(str).to_numpy(dtype=object)
        elif entry.name == "day":
            values = (column - pd.Timestamp("1970-01-01")) / pd.Timedelta(days=1)
            values = values.to_numpy(dtype=float)
        else:
            values = column.to_numpy(dtype=float)
        columns[entry.name] = values.reshape(-1, 1)
    return columns


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "options",
    [
        "",
        "--scale minmax --normalise l2",
        "--interactions label,scores --interactions weights,label",
    ],
)
def test_the_graph_predicts_as_the_command(run, tmp_path, classes, method, options):
    data = table(classes)
    data[:500].to_csv(tmp_path / "train.csv", index=False)
    # A category that training did not have, and a hole in every column that had one.
    new = data.copy()
    new.loc[990:, "scores"] = "d"
    new.to_csv(tmp_path / "new.csv", index=False)
    words = ["--target", "y", "--missing", "mean+indicator", *options.split()]
    words += ["--folds", "3", "--calibrate", method] if method else []
    run("train", "train.csv", *words, "-q", "-o", "model")
    run("export", "model", "--columns", "-o", "model.onnx")
    graph = (tmp_path / "model.onnx").read_bytes()
    onnx.checker.check_model(onnx.load_from_string(graph), full_check=True)
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    assert [entry.name for entry in session.get_inputs()] == list(data.columns[:-1])
    outputs = [entry.name for entry in session.get_outputs()]
    assert outputs == ["label_", "scores_", *(["probabilities"] if method else [])]
    found = dict(zip(outputs, session.run(None, feed(session, new)), strict=True))
    flags = ["--scores", *(["--proba"] if method else []), "--output-format", "json"]
    rows = [json.loads(line) for line in run("predict", "model", "new.csv", *flags).splitlines()]
    assert len(rows) == 1000
    np.testing.assert_array_equal(found["label_"], [row["label"] for row in rows])
    scores = [list(row["scores"].values()) if classes > 2 else [row["score"]] for row in rows]
    np.testing.assert_allclose(found["scores_"], scores, rtol=1e-6, atol=1e-6)
    if method and classes > 2:
        expected = [list(row["probabilities"].values()) for row in rows]
        np.testing.assert_allclose(found["probabilities"], expected, atol=1e-6)

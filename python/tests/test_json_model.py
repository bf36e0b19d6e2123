"""`export -o MODEL.json` has all that a prediction needs: labels and scores from the JSON alone, beside `predict`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from test_model_file import predict
from test_onnx_columns import table


def of_json(model):
    """The names of a model file for the numbers of its JSON, as `predict.py` reads them."""
    of = {"options": model["options"], "classes": {"names": model["classes"]}}
    if "positive" in model:
        of["classes"]["positive"] = model["classes"].index(model["positive"])
    if "dual" not in model:
        planes = model.get("per_class", [model])
        names = {name: place for place, name in enumerate(model["feature_names"])}
        of["form"], of["bias"], of["weights"] = "linear", [one["bias"] for one in planes], []
        for plane in planes:
            weights = [0.0] * len(names)
            for entry in plane["weights"]:
                weights[names[entry["feature"]]] = entry["weight"]
            of["weights"] += weights
        return of
    dual = model["dual"]
    of["form"], of["options"] = "dual", model["options"] | {"kernel": dual["kernel"]}
    of["rows"] = [{feature - 1: value for feature, value in row} for row in dual["rows"]]
    if "hyperplanes" in dual:
        of["coefficients"] = [one for plane in dual["hyperplanes"] for one in plane["coefficients"]]
        of["bias"] = [plane["bias"] for plane in dual["hyperplanes"]]
        return of
    vote = dual["vote"]
    of["form"] = {"voted": {"bias_unit": vote["bias_unit"]}}
    sequences = vote["sequences"]
    of["path.start"] = [one["start"] for one in sequences]
    ends = np.cumsum([len(one["moves"]) for one in sequences])
    of["path.offsets"] = [0, *map(int, ends)]
    moves = [move for one in sequences for move in one["moves"]]
    for key, name in [("path.rows", "row"), ("path.steps", "step"), ("path.survived", "survived")]:
        of[key] = [move[name] for move in moves]
    return of


def encoded(model, row):
    """The features of a row of the table by the schema, scaled."""
    x = []
    for column in model["schema"]["inputs"]["columns"]["features"]:
        cell = row[column["name"]]
        if "categories" in column:
            x += [float(name == cell) for name in column["categories"]]
            continue
        rule = column["missing"]
        x.append(float(cell) if cell else rule["value"])
        x += [float(not cell)] if rule["indicator"] else []
    if "scaling" in model:
        shift, divisor = model["scaling"]["shift"], model["scaling"]["divisor"]
        x = [(value - s) / d for value, s, d in zip(x, shift, divisor, strict=True)]
    return x


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    "options", ["", "--keep last", "--kernel rbf:0.05", "--kernel poly:2", "--keep vote"]
)
def test_the_json_is_the_model(run, tmp_path: Path, classes, options):
    data = table(classes, 120).drop(columns=["day"])
    data.to_csv(tmp_path / "rows.csv", index=False)
    words = [*options.split(), "--missing", "mean+indicator", "--epochs", "3", "-q"]
    run("train", "rows.csv", "--target", "y", *words, "-o", "model")
    run("export", "model", "-o", "model.json")
    model = json.loads((tmp_path / "model.json").read_text())
    of = of_json(model)
    zero = {"negative": -1, "positive": 1}[model["options"]["zero"]]
    names, positive = model["classes"], of["classes"].get("positive")
    rows = pd.read_csv(tmp_path / "rows.csv", dtype=str, keep_default_na=False)
    shown = run("predict", "model", "rows.csv", "--scores").splitlines()
    for line, row in zip(shown, rows.to_dict("records"), strict=True):
        found = list(predict.scores(of, encoded(model, row), zero))
        of_two = positive if (found[0] or zero) > 0 else 1 - (positive or 0)
        best = found.index(max(found)) if len(found) > 1 else of_two
        assert line.split("\t") == [names[best], *(str(float(score)) for score in found)]

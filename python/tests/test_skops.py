"""skops loads what it dumped, with the classes of this package and of SciPy as the only types to trust."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline

from rosenblatt import (
    KernelPerceptron,
    Perceptron,
    PerceptronCV,
    TableEncoder,
    VotedPerceptron,
    _native,
    load,
)

io = pytest.importorskip("skops.io")
X, Y = load_iris(return_X_y=True)


def loaded(model):
    content = io.dumps(model)
    types = io.get_untrusted_types(data=content)
    assert all(name.startswith(("rosenblatt.", "scipy.sparse.")) for name in types)
    assert not any("_native" in name for name in types)
    return io.loads(content, trusted=types)


@pytest.mark.parametrize(
    "model",
    [
        Perceptron(),
        Perceptron(scale=None, keep="last", class_weight={0: 1.0, 1: 2.0, 2: 1.0}),
        Perceptron(kernel="rbf:0.5"),
        Perceptron(calibrate="platt"),
        KernelPerceptron("poly:2"),
        VotedPerceptron(),
        PerceptronCV(),
    ],
    ids=repr,
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_model(model):
    model.fit(X, Y)
    again = loaded(model)
    assert again.get_params().keys() == model.get_params().keys()
    assert again.predict(X).tolist() == model.predict(X).tolist()
    if hasattr(model, "decision_function"):
        scores = again.decision_function(X)
        assert scores.tobytes() == model.decision_function(X).tobytes()
    if hasattr(model, "report_"):
        assert again.report_ == model.report_


def test_a_stream_goes_on():
    model = Perceptron().partial_fit(X[::2], Y[::2], classes=[0, 1, 2])
    again = loaded(model)
    for each in (model, again):
        each.partial_fit(X[1::2], Y[1::2])
    assert again.coef_.tobytes() == model.coef_.tobytes()


def test_a_pipeline_of_a_table():
    frame = pd.DataFrame({"size": [1.0, 2.0, 4.0, 5.0], "colour": ["red", "red", "blue", "red"]})
    model = make_pipeline(TableEncoder(), Perceptron()).fit(frame, ["a", "a", "b", "b"])
    assert loaded(model).predict(frame).tolist() == model.predict(frame).tolist()


def test_a_model_of_a_file(tmp_path):
    Perceptron().fit(X, Y).save(tmp_path / "iris.model")
    model = load(tmp_path / "iris.model")
    again = loaded(model)
    assert again.predict(X).tolist() == model.predict(X).tolist()
    again.save(tmp_path / "again.model")
    assert load(tmp_path / "again.model").coef_.tobytes() == model.coef_.tobytes()


def test_a_state_has_no_native_objects():
    """Neither that of pickle, and the state of an older pickle, which has some, is read."""
    natives = (_native.Classifier, _native.Options, _native.Stream, _native.Schema)
    model = Perceptron().fit(X, Y)
    state = model.__getstate__()
    assert not any(isinstance(value, natives) for value in state.values())
    older = Perceptron.__new__(Perceptron)
    older.__setstate__({**state, "_run": model._run, "_classifier": model._classifier})
    assert np.array_equal(older.decision_function(X), model.decision_function(X))

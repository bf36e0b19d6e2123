"""The displays draw the results."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import matplotlib as mpl
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import ROOT
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.metrics import PrecisionRecallDisplay, RocCurveDisplay
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

mpl.use("Agg")
import matplotlib.pyplot as plt

from rosenblatt import (
    BoundaryDisplay,
    HistoryDisplay,
    KernelPerceptron,
    Perceptron,
    Study,
    StudyDisplay,
    VotedPerceptron,
    load,
    plot_boundary,
    plot_history,
    plot_study,
    study,
)
from rosenblatt._drawing import (
    COLORS,
    LINE_COLOR,
    MARKERS,
    MISTAKE_COLOR,
    MUTED_COLOR,
    class_style,
    segment,
    side,
)

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

CORNERS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
AND, XOR = np.array([0, 0, 0, 1]), np.array([0, 1, 1, 0])
IRIS = load_iris(as_frame=True)
PETALS = IRIS.data.iloc[:, [2, 3]]


@pytest.fixture(autouse=True)
def _no_figure_is_left():
    yield
    plt.close("all")


def legend(display) -> list[str]:
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def labelled(display, label):
    return next(line for line in display.ax_.get_lines() if line.get_label() == label)


def scores(model, line) -> np.ndarray:
    """Returns the score at the ends of a line, relative to the largest term."""
    points = np.column_stack(line.get_data())
    scale = np.abs(points * model.coef_).max() + np.abs(model.intercept_).max()
    return model.decision_function(points) / scale


def ends_on_edges(display, line) -> bool:
    left, right, bottom, top = display.box
    return all(
        x in (left, right) or y in (bottom, top) for x, y in zip(*line.get_data(), strict=True)
    )


# The boundary.


def test_and_the_line_is_exact_and_ends_at_the_axes():
    model = Perceptron(keep="last", shuffle=False).fit(CORNERS, AND)
    display = plot_boundary(model, CORNERS, AND)
    assert isinstance(display, BoundaryDisplay)
    assert display.figure_ is display.ax_.figure
    np.testing.assert_allclose(scores(model, display.line_), 0, atol=1e-15)
    assert ends_on_edges(display, display.line_)
    assert display.ax_.get_xlim() == display.box[:2]
    assert display.ax_.get_ylim() == display.box[2:]


def test_the_margin_goes_through_the_nearest_examples():
    model = Perceptron(keep="last", shuffle=False).fit(CORNERS, AND)
    display = plot_boundary(model, CORNERS, AND)
    nearest = np.min((2 * AND - 1) * model.decision_function(CORNERS))
    for line, sign in zip(display.margin_lines_, (1, -1), strict=True):
        values = model.decision_function(np.column_stack(line.get_data()))
        np.testing.assert_allclose(values, sign * nearest, rtol=1e-14)
    distance = nearest / np.linalg.norm(model.coef_)
    assert legend(display) == ["0", "1", "separator", f"nearest example {distance:.4g}"]


def test_no_margin_where_the_line_does_not_separate():
    X, y = PETALS.to_numpy(), (IRIS.target == 1).to_numpy()
    display = plot_boundary(Perceptron(keep="average", max_iter=20).fit(X, y), X, y)
    assert display.margin_lines_ == []
    assert display.nearest is None
    assert "w·x + b = 0" in legend(display)
    assert not any("nearest" in words for words in legend(display))


@pytest.mark.parametrize("seed", range(20))
def test_the_line_solves_the_equation_at_any_scale(seed):
    random = np.random.default_rng(seed)
    X = random.normal(size=(40, 2)) * 10.0 ** random.integers(-9, 10, 2) + random.normal(size=2)
    y = np.arange(40) % 2
    model = Perceptron(keep="last", max_iter=3).fit(X, y)
    display = plot_boundary(model, X, y)
    if display.line_ is None:
        grid = np.array([[a, b] for a in display.box[:2] for b in display.box[2:]])
        assert len(np.unique(model.predict(grid))) == 1
        assert "w·x + b = 0 lies outside" in legend(display)
        return
    np.testing.assert_allclose(scores(model, display.line_), 0, atol=1e-15)
    assert ends_on_edges(display, display.line_)


def test_lines_in_a_box():
    box = (-1.0, 3.0, 0.0, 2.0)
    level, upright = np.array([0.0, 2.0]), np.array([5.0, 0.0])
    assert segment(level, -2.0, box).tolist() == [[-1, 1], [3, 1]]
    assert segment(upright, -5.0, box).tolist() == [[1, 0], [1, 2]]
    assert sorted(segment(np.array([1.0, 1.0]), 0.0, box).tolist()) == [[-1, 1], [0, 0]]
    assert segment(level, 4.0, box) is None
    assert segment(np.array([1.0, 1.0]), 9.0, box) is None
    assert side(level, 4.0, box, -1) is None
    assert len(side(level, 4.0, box, 1)) == 4
    assert sorted(side(level, -2.0, box, 1).tolist()) == [[-1, 1], [-1, 2], [3, 1], [3, 2]]


def test_both_sides_fill_the_box():
    model = Perceptron(keep="last", shuffle=False).fit(CORNERS, AND)
    display = plot_boundary(model, CORNERS, AND)
    left, right, bottom, top = display.box
    areas = []
    for patch, label in zip(display.surface_, (0, 1), strict=True):
        corners = patch.get_xy()[:-1]
        x, y = corners.T
        areas.append(abs(x @ np.roll(y, 1) - y @ np.roll(x, 1)) / 2)
        assert model.predict([corners.mean(axis=0)])[0] == label
    np.testing.assert_allclose(sum(areas), (right - left) * (top - bottom), rtol=1e-14)


def test_xor_with_a_kernel_is_regions_of_predict():
    model = KernelPerceptron().fit(CORNERS, XOR)
    display = plot_boundary(model, CORNERS, XOR, grid_resolution=20)
    mesh = display.surface_[0]
    assert display.line_ is None
    assert mesh.get_array().size == 400
    edges = mesh.get_coordinates()
    middles = (edges[:-1, :-1] + edges[1:, 1:]) / 2
    predicted = model.predict(middles.reshape(-1, 2))
    np.testing.assert_array_equal(np.ravel(mesh.get_array()), predicted)
    assert legend(display) == ["0", "1"]


@pytest.mark.parametrize(
    "model",
    [
        Perceptron(keep="last", max_iter=5),
        VotedPerceptron(max_iter=3),
        KernelPerceptron(max_iter=3),
    ],
)
def test_three_classes_are_regions(model):
    model.fit(PETALS, IRIS.target)
    display = plot_boundary(
        model, PETALS, IRIS.target, grid_resolution=15, display_labels=IRIS.target_names
    )
    errors = int((model.predict(PETALS) != IRIS.target).sum())
    assert legend(display)[:3] == ["setosa", "versicolor", "virginica"]
    assert legend(display)[3:] == [f"{errors} errors"]
    assert len(labelled(display, f"{errors} errors").get_xdata()) == errors
    assert set(np.unique(display.surface_[0].get_array())) <= {0, 1, 2}


def test_one_class_everywhere_is_said():
    model = Perceptron(keep="last", max_iter=5).fit(CORNERS, XOR)
    assert not model.coef_.any()
    display = plot_boundary(model, CORNERS, XOR)
    assert display.line_ is None
    assert legend(display) == ["0", "1", "2 errors", f"all of it is {model.predict(CORNERS)[0]}"]


def test_many_errors_are_counted_and_not_ringed():
    X = np.random.default_rng(0).normal(size=(400, 2))
    y = np.arange(400) % 2
    model = Perceptron(keep="last", max_iter=2).fit(X, y)
    display = plot_boundary(model, X, y)
    assert f"{(model.predict(X) != y).sum()} errors, not marked" in legend(display)


def test_classes_differ_in_color_and_in_shape():
    display = plot_boundary(
        Perceptron(keep="last", max_iter=5).fit(PETALS, IRIS.target), PETALS, IRIS.target
    )
    drawn = [labelled(display, str(label)) for label in range(3)]
    assert len({line.get_markerfacecolor() for line in drawn}) == 3
    assert len({line.get_marker() for line in drawn}) == 3
    for label, line in enumerate(drawn):
        np.testing.assert_array_equal(
            np.column_stack(line.get_data()), PETALS[IRIS.target == label]
        )
    assert len({class_style(number) for number in range(len(COLORS) * len(MARKERS))}) == 56


def test_the_colors_are_those_of_the_command_and_the_page():
    plot = ROOT / "crates/rosenblatt-plot"
    tokens = (plot / "assets/tokens.css").read_text().partition("}")[0]
    token = dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6});", tokens))
    assert COLORS[:2] == (token["minus"], token["plus"])
    assert (token["ink"], token["mut"]) == (LINE_COLOR, MUTED_COLOR)
    assert token["bad"] == MISTAKE_COLOR
    rust = (plot / "src/canvas.rs").read_text()
    for color, name in zip(COLORS[2:], ["TEAL", "PURPLE", "OLIVE", "SLATE", "ROSE"], strict=True):
        parts = re.search(rf"{name}: Color = Color::of\((.*)\);", rust)
        assert parts
        assert color == "#" + "".join(part[-2:].lower() for part in parts[1].split(", "))


def luminance(color):
    """The relative luminance of the Web Content Accessibility Guidelines."""
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("color", [*COLORS, LINE_COLOR, MUTED_COLOR, MISTAKE_COLOR])
def test_the_colors_are_clear_on_white(color):
    assert 1.05 / (luminance(color) + 0.05) >= 4.5


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
@pytest.mark.parametrize("model", [Perceptron(keep="last"), KernelPerceptron(max_iter=3)])
@pytest.mark.filterwarnings("error:X does not have valid feature names")
def test_names_of_columns_are_names_of_axes(kind, model):
    X = kind({name: PETALS[name].to_numpy() for name in PETALS})
    y = (IRIS.target == 0).to_numpy()
    display = plot_boundary(model.fit(X, y), X, y, grid_resolution=4)
    assert display.ax_.get_xlabel() == "petal length (cm)"
    assert display.ax_.get_ylabel() == "petal width (cm)"
    assert legend(display)[:2] == ["False", "True"]
    again = BoundaryDisplay.from_estimator(model, X, xlabel="a", ylabel="b", grid_resolution=4)
    assert (again.ax_.get_xlabel(), again.ax_.get_ylabel()) == ("a", "b")


def test_without_labels_there_are_no_examples():
    model = Perceptron(keep="last").fit(CORNERS, AND)
    display = plot_boundary(model, CORNERS)
    assert legend(display) == ["0", "1", "w·x + b = 0"]
    assert [line for line in display.ax_.get_lines() if line is not display.line_] == []


def test_sparse_rows_and_weights_are_drawn_alike():
    X = sparse.csr_matrix(CORNERS)
    dense = plot_boundary(Perceptron(keep="last").fit(CORNERS, AND), CORNERS, AND)
    other = plot_boundary(Perceptron(keep="last").fit(X, AND).sparsify(), X, AND)
    np.testing.assert_array_equal(dense.line_.get_xydata(), other.line_.get_xydata())


def test_a_pipeline_is_asked_on_a_grid():
    model = make_pipeline(StandardScaler(), Perceptron(keep="last")).fit(PETALS, IRIS.target == 0)
    display = plot_boundary(model, PETALS, IRIS.target == 0, grid_resolution=10)
    assert display.line_ is None
    assert display.regions.shape == (10, 10)


def test_a_scaling_in_a_model_file_moves_the_line(run, tmp_path):
    words = ["--features", "petal_length,petal_width", "--positive", "Iris-setosa"]
    run(
        "train",
        ROOT / "data" / "iris.csv",
        *words,
        "--keep",
        "last",
        "--scale",
        "standard",
        "-o",
        "model",
    )
    model = load(tmp_path / "model")
    y = np.where(IRIS.target == 0, "Iris-setosa", "not Iris-setosa")
    X = PETALS.set_axis(model.feature_names_in_, axis=1)
    display = plot_boundary(model, X, y)
    assert display.ax_.get_xlabel() == "petal_length"
    ends = pd.DataFrame(display.line_.get_xydata(), columns=X.columns)
    np.testing.assert_allclose(model.decision_function(ends), 0, atol=1e-14)
    ends = pd.DataFrame(display.margin_lines_[0].get_xydata(), columns=X.columns)
    values = model.decision_function(ends)
    np.testing.assert_allclose(values, display.nearest, rtol=1e-13)


def test_axes_of_others_are_drawn_on():
    figure, axes = plt.subplots(1, 2)
    model = Perceptron(keep="last").fit(CORNERS, AND)
    display = plot_boundary(model, CORNERS, AND, ax=axes[1])
    assert display.ax_ is axes[1]
    assert display.figure_ is figure
    assert display.plot(axes[0], display_labels=["off", "on"]) is display
    assert legend(display)[:2] == ["off", "on"]
    assert len(plt.get_fignums()) == 1


def test_eps_is_in_the_units_of_the_features():
    model = Perceptron(keep="last").fit(CORNERS, AND)
    assert plot_boundary(model, CORNERS, eps=0.5).box == (-0.5, 1.5, -0.5, 1.5)
    flat = np.column_stack([np.arange(4.0), np.full(4, 7.0)])
    left, right, bottom, top = plot_boundary(
        Perceptron(keep="last", max_iter=3).fit(flat, AND), flat, AND
    ).box
    assert left < 0
    assert right > 3
    assert bottom < 7 < top


def test_long_names_leave_room_for_the_axes():
    names = [f"a rather long name of class {number}" for number in range(3)]
    model = Perceptron(keep="last", max_iter=5).fit(PETALS, IRIS.target)
    display = plot_boundary(model, PETALS, IRIS.target, grid_resolution=4, display_labels=names)
    display.figure_.draw_without_rendering()
    assert display.ax_.get_position().width > 0.7


def test_what_cannot_be_drawn_is_said():
    two = Perceptron(keep="last").fit(CORNERS, AND)
    four = Perceptron(keep="last").fit(IRIS.data.to_numpy(), IRIS.target == 0)
    with pytest.raises(ValueError, match=r"this model has 4; fit it on two.*X\[:, \[0, 1\]\]"):
        plot_boundary(four, IRIS.data.to_numpy(), IRIS.target == 0)
    four.fit(IRIS.data, IRIS.target == 0)
    with pytest.raises(ValueError, match=r"X\[\['sepal length \(cm\)', 'sepal width \(cm\)'\]\]"):
        plot_boundary(four, IRIS.data, IRIS.target == 0)
    with pytest.raises(ValueError, match=r"this model has 1$"):
        plot_boundary(Perceptron(keep="last").fit(CORNERS[:, :1], XOR ^ AND), CORNERS[:, :1])
    with pytest.raises(ValueError, match=r"X has shape \(4, 3\)"):
        plot_boundary(two, np.zeros((4, 3)))
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[4, 3\]"):
        plot_boundary(two, CORNERS, [0, 0, 1])
    with pytest.raises(ValueError, match=r"y\[2\] is 2, which is not one of the classes \[0, 1\]"):
        plot_boundary(two, CORNERS, [0, 1, 2, 1])
    with pytest.raises(ValueError, match="1 display_labels were given for 2 classes"):
        plot_boundary(two, CORNERS, AND, display_labels=["a"])
    with pytest.raises(ValueError, match="grid_resolution is 1"):
        plot_boundary(two, CORNERS, grid_resolution=1)
    with pytest.raises(ValueError, match="eps is -1"):
        plot_boundary(two, CORNERS, eps=-1)
    with pytest.raises(ValueError, match="NaN"):
        plot_boundary(two, [[0, np.nan]])
    with pytest.raises(ValueError, match="not fitted"):
        plot_boundary(Perceptron(keep="last"), CORNERS)
    ax = plt.subplots()[1]
    ax.set_xscale("log")
    with pytest.raises(ValueError, match="must be linear"):
        plot_boundary(two, CORNERS, AND, ax=ax)


# A run.


def test_the_history_is_that_of_the_run():
    model = Perceptron(keep="last", shuffle=False).fit(CORNERS, AND)
    display = plot_history(model)
    assert isinstance(display, HistoryDisplay)
    (line,) = display.lines_
    assert line.get_xdata().tolist() == list(range(1, model.n_iter_ + 1))
    assert line.get_ydata().tolist() == model.report_["mistakes_per_epoch"]
    assert legend(display) == ["mistakes, each an update"]
    assert display.ax_.get_xlabel() == "epoch"
    assert display.ax_.get_ylim()[0] == 0


def test_updates_without_a_mistake_have_a_line_of_their_own():
    model = Perceptron(keep="last", update="margin:1").fit(IRIS.data, IRIS.target == 0)
    display = plot_history(model, name="margin")
    mistakes, updates = display.lines_
    assert mistakes.get_ydata().sum() == model.n_mistakes_
    assert updates.get_ydata().sum() == model.n_updates_ > model.n_mistakes_
    assert updates.get_linestyle() != mistakes.get_linestyle()
    assert legend(display) == ["margin: mistakes", "margin: updates"]
    other = plot_history(
        Perceptron(keep="last").fit(IRIS.data, IRIS.target == 0), display.ax_, name="plain"
    )
    assert other.lines_[0].get_color() != mistakes.get_color()
    assert other.ax_.get_ylabel() == "mistakes and updates"


def test_histories_of_files_streams_and_pipelines(tmp_path):
    model = Perceptron(keep="last").fit(IRIS.data, IRIS.target == 0)
    model.save(tmp_path / "model")
    display = plot_history(load(tmp_path / "model"))
    assert legend(display) == ["mistakes"]
    assert display.lines_[0].get_ydata().sum() == model.n_mistakes_
    stream = Perceptron(keep="last")
    for part in (slice(0, 2), slice(2, 4)):
        stream.partial_fit(CORNERS[part], AND[part], classes=[0, 1])
    display = plot_history(stream)
    assert display.ax_.get_xlabel() == "call of partial_fit"
    assert len(display.lines_[0].get_xdata()) == 2
    steps = make_pipeline(StandardScaler(), Perceptron(keep="last")).fit(
        IRIS.data, IRIS.target == 0
    )
    assert plot_history(steps).lines_[0].get_ydata()[-1] == 0


def test_no_history_is_said():
    with pytest.raises(ValueError, match="this Perceptron has no history_: fit"):
        plot_history(Perceptron(keep="last"))
    with pytest.raises(ValueError, match="StandardScaler"):
        plot_history(StandardScaler().fit(CORNERS))


# A study.


def study_of(updates, *, runs=None, bound=None, separable="yes") -> Study:
    updates = np.array(updates, dtype=np.int64)
    runs = len(updates) if runs is None else runs
    updates = np.append(updates, np.full(runs - len(updates), 99999))
    converged = updates < 99999
    return Study(
        runs, int(converged.sum()), updates, updates, converged, separable, None, bound, {}, 1.0, {}
    )


def test_the_histogram_counts_the_runs():
    found = study(IRIS.data, IRIS.target == 0, runs=40)
    display = plot_study(found)
    assert isinstance(display, StudyDisplay)
    assert display.counts_.sum() == 40
    heights = [bar.get_height() for bar in display.bars_]
    assert heights == display.counts_.tolist()
    for count, low, high in zip(display.counts_, display.edges_, display.edges_[1:], strict=False):
        assert count == ((found.updates > low) & (found.updates < high)).sum()
    median = np.median(found.updates)
    assert legend(display)[0] == f"40 runs that converged, median {median:g}"


def test_bins_have_one_whole_width():
    display = plot_study(study_of(range(100, 200)), bins=7)
    assert len(display.counts_) <= 7
    assert set(np.diff(display.edges_)) == {15}
    assert plot_study(study_of([3, 5, 5])).edges_.tolist() == [2.5, 3.5, 4.5, 5.5]
    with pytest.raises(ValueError, match="bins is 0"):
        plot_study(study_of([1]), bins=0)


def test_the_bound_is_marked_where_it_is_near():
    display = plot_study(study_of([3, 5, 5], bound=7.9))
    assert display.bound_.get_xdata() == [7.5, 7.5]
    assert legend(display) == ["Novikoff: at most 7", "3 runs that converged, median 5"]
    left, right = display.ax_.get_xlim()
    assert left < 7.5 < right


def test_the_bound_is_said_where_it_is_far():
    display = plot_study(study_of([3, 5, 5], bound=1234567.8))
    assert display.bound_ is None
    assert legend(display)[1] == (
        "Novikoff: at most 1,234,567, off the axis (250,000 × the most here)"
    )
    assert display.ax_.get_xlim()[1] < 10


def test_runs_that_did_not_converge_are_said():
    display = plot_study(study_of([3, 5], runs=10))
    assert display.counts_.sum() == 2
    assert legend(display)[1] == "8 runs did not converge within max_iter"
    display = plot_study(study(CORNERS, XOR, runs=3, max_iter=5))
    assert display.bars_ is None
    (text,) = display.ax_.texts
    assert text.get_text() == "3 runs did not converge: no hyperplane is right on all rows"


def test_without_matplotlib_the_extra_is_named():
    program = """
import json, sys
sys.modules["matplotlib"] = None
import rosenblatt
X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
model = rosenblatt.Perceptron(keep="last").fit(X, y)
said = []
for draw in (
    lambda: rosenblatt.plot_boundary(model, X, y),
    lambda: rosenblatt.plot_history(model),
    lambda: rosenblatt.plot_study(rosenblatt.study(X, y, runs=2)),
):
    try:
        draw()
    except ImportError as error:
        said.append(str(error))
print(json.dumps(said))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert len(said) == 3
    assert all(words.endswith('needs Matplotlib: pip install "matplotlib>=3.6"') for words in said)


# The curves of scikit-learn.


@pytest.mark.parametrize(
    "model", [Perceptron(), KernelPerceptron(kernel="rbf:0.5"), VotedPerceptron(max_iter=3)]
)
@pytest.mark.parametrize("pos_label", ["setosa", "versicolor", "virginica or not"])
def test_the_curves_of_scikit_learn_have_the_areas_of_the_scores(model, pos_label):
    labels = np.array(["setosa", "versicolor", "virginica or not"])[IRIS.target]
    is_other = labels != pos_label
    labels[is_other] = "other"
    model = clone(model).fit(PETALS.iloc[::2], labels[::2])
    X, y = PETALS.iloc[1::2], labels[1::2]
    above = model.decision_function(X) * (1 if model.classes_[1] == pos_label else -1)
    positive, negative = above[y == pos_label], above[y == "other"]
    # Every pair of a positive and a negative row, and the precision at every positive row.
    pairs = np.sign(positive[:, None] - negative[None, :])
    precisions = [np.mean((y == pos_label)[above >= score]) for score in positive]
    roc = RocCurveDisplay.from_estimator(model, X, y, pos_label=pos_label)
    curve = PrecisionRecallDisplay.from_estimator(model, X, y, pos_label=pos_label)
    assert roc.roc_auc == pytest.approx((1 + pairs.mean()) / 2)
    assert curve.average_precision == pytest.approx(np.mean(precisions))
    predicted = model.predict(X) == pos_label
    assert np.mean(predicted[y == pos_label]) in curve.recall

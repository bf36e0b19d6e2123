"""The lab inside a notebook: what the page holds, and the page in a browser."""

from __future__ import annotations

import gc
import json
import os
import pickle
import re
import subprocess
import sys
from html import unescape

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_iris

from rosenblatt import KernelPerceptron, Lab, Perceptron, VotedPerceptron, lab

CORNERS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
AND = np.array([0, 0, 0, 1])
IRIS = load_iris(as_frame=True)


def block(page: Lab, name: str) -> str:
    found = re.search(rf'<script id="{name}" type="[^"]*">(.*?)</script>', page.html, re.DOTALL)
    assert found, name
    return found[1]


def file_of(page: Lab) -> dict[str, str]:
    return json.loads(block(page, "file"))


def state_of(page: Lab) -> dict[str, str]:
    assert block(page, "link").startswith("#")
    return dict(part.split("=", 1) for part in block(page, "link")[1:].split("&"))


def test_the_page_holds_the_examples_with_all_digits():
    X = [[0.1, -1e-300], [2 / 3, 5]]
    page = lab(X, ["a", "b"])
    assert file_of(page) == {
        "name": "data.csv",
        "header": True,
        "positive": "b",
        "text": "x1,x2,class\n0.1,-1e-300,a\n0.6666666666666666,5.0,b\n",
    }
    assert state_of(page) == {"set": "file", "order": "given", "keep": "last"}


@pytest.mark.parametrize(
    "make", [np.array, sparse.csr_matrix, sparse.coo_array, pd.DataFrame, list]
)
def test_every_kind_of_rows_gives_the_same_text(make):
    assert file_of(lab(make(CORNERS), AND)) == file_of(lab(CORNERS, AND))


def test_names_of_columns_and_labels_are_kept():
    X = pd.DataFrame({"class": [1.0, 2], 'a "b", <c>': [3.0, 4]})
    page = lab(X, ["</script>", "é"])
    assert file_of(page)["text"].startswith('class,"a ""b"", <c>",class_\n1.0,3.0,</script>\n')
    assert page.html.count("</script>") == 4


def test_columns_are_chosen_by_name_or_number():
    for columns in [
        ("petal length (cm)", "petal width (cm)"),
        (2, 3),
        (np.int64(2), "petal width (cm)"),
    ]:
        state = state_of(lab(IRIS.data, IRIS.target, columns=columns))
        assert (state["x"], state["y"]) == ("petal%20length%20%28cm%29", "petal%20width%20%28cm%29")


def test_a_model_gives_its_options():
    model = Perceptron(update="margin:0.5", keep="pocket", shuffle=False, eta0=0.25, random_state=7)
    state = state_of(model.fit(CORNERS, AND).lab(columns=(1, 0)))
    expected = {
        "update": "margin:0.5",
        "keep": "pocket",
        "order": "given",
        "eta": "0.25",
        "seed": "7",
    }
    assert {key: state[key].replace("%3A", ":") for key in expected} == expected
    assert (state["x"], state["y"], state["zero"]) == ("x2", "x1", "negative")
    assert "poly" in state_of(KernelPerceptron().fit(CORNERS, AND).lab())["kernel"]
    assert state_of(VotedPerceptron().fit(CORNERS, AND).lab())["keep"] == "vote"


def test_a_model_shows_the_examples_of_its_fit_without_keeping_them():
    X, y = CORNERS.copy(), AND.copy()
    model = Perceptron().fit(X, y)
    assert file_of(model.lab()) == file_of(lab(X, y))
    copied = pickle.loads(pickle.dumps(model))
    with pytest.raises(
        ValueError, match=r"does not keep the examples of its fit.*model\.lab\(X, y\)"
    ):
        copied.lab()
    assert file_of(copied.lab(X, y)) == file_of(lab(X, y))
    del X
    gc.collect()
    with pytest.raises(ValueError, match="these are gone"):
        model.lab()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"X": [[1, 2], [3, 4]], "y": [1, 1]}, "y has 1 class, the lab needs at least two"),
        ({"X": [[1, 2], [3, 4]], "y": [1]}, "inconsistent numbers of samples"),
        ({"X": [[1, np.nan], [3, 4]], "y": [1, 2]}, "NaN"),
        (
            {"X": [[1, 2], [3, 4]], "y": [1, 2], "positive": 3},
            "positive=3 must be one of the labels",
        ),
        ({"X": [[1, 2], [3, 4]], "y": [1, 2], "columns": (0, 2)}, "no column 2; the columns are"),
        ({"X": [[1, 2], [3, 4]], "y": [1, 2], "columns": "x1"}, "must be two names or numbers"),
        (
            {"X": np.full((300_000, 9), 0.1), "y": np.arange(300_000) % 2},
            "pass fewer rows or columns",
        ),
    ],
)
def test_what_the_page_cannot_show_is_an_error(arguments, message):
    with pytest.raises(ValueError, match=message):
        lab(**arguments)


def test_half_of_the_examples_is_an_error():
    with pytest.raises(ValueError, match="both X and y, or neither"):
        Perceptron().fit(CORNERS, AND).lab(CORNERS)


def test_a_saved_page_is_the_page_of_the_frame(tmp_path):
    page = lab(CORNERS, AND, height=500)
    page.save(tmp_path / "and.html")
    shown = page._repr_html_()
    frame = re.fullmatch(
        r'<iframe srcdoc="([^"]*)" sandbox="allow-scripts[^"]*" .* height="500".*></iframe>', shown
    )
    assert unescape(frame[1]) == page.html == (tmp_path / "and.html").read_text(encoding="utf-8")
    assert len(repr(page)) < 100


NOTEBOOK = """
import numpy as np
from rosenblatt import Perceptron, lab
X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 0, 1])
lab(X, y)
---
model = Perceptron(keep="last", random_state=3, max_iter=100).fit(X, y)
model.lab()
"""


def write_notebook(path):
    cells = [
        {
            "cell_type": "code",
            "id": f"cell-{place}",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": source,
        }
        for place, source in enumerate(NOTEBOOK.split("---"))
    ]
    kernel = {"name": "python3", "display_name": "Python 3"}
    notebook = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"kernelspec": kernel},
        "cells": cells,
    }
    path.write_text(json.dumps(notebook), encoding="utf-8")


@pytest.fixture
def browser():
    from playwright.sync_api import sync_playwright

    path = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        yield started
        started.close()


def updates_at_the_end(frame) -> int:
    """Let the run of a lab go to its end and return the number of updates that the page shows."""
    frame.locator("html[data-ready]").wait_for()
    frame.locator("[data-test=end]").click()
    frame.locator("[data-test=converged], [data-test=updates][data-value]").first.wait_for()
    return int(frame.locator("[data-test=updates]").get_attribute("data-value"))


def test_an_executed_notebook_shows_working_labs(tmp_path, browser):
    write_notebook(tmp_path / "and.ipynb")
    words = ["nbconvert", "--execute", "--to", "html", "--log-level", "ERROR", "and.ipynb"]
    subprocess.run([sys.executable, "-m", *words], cwd=tmp_path, check=True)
    page = browser.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    # The template of nbconvert asks for scripts of other sites; the labs ask for nothing.
    page.route(re.compile("^https?:"), lambda route: route.abort())
    page.goto((tmp_path / "and.html").as_uri())
    frames = [page.frame_locator("iframe").nth(place) for place in range(2)]
    assert updates_at_the_end(frames[0]) == 18
    model = Perceptron(keep="last", random_state=3, max_iter=100).fit(CORNERS, AND)
    assert updates_at_the_end(frames[1]) == model.n_updates_
    assert faults == []


def test_a_saved_page_opens_from_its_file(tmp_path, browser):
    lab(IRIS.data, IRIS.target_names[IRIS.target]).save(tmp_path / "iris.html")
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "iris.html").as_uri())
    page.locator("html[data-ready]").wait_for()
    updates_at_the_end(page)
    assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []

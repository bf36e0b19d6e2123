"""The examples run without a network and print the expected results."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT

EXAMPLES = ROOT / "python" / "examples"


def printed(name: str, *words: str) -> str:
    """Returns the output of an example; a warning is an error."""
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", str(EXAMPLES / name), *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def shares(text: str) -> dict[str, float]:
    """Returns the percentages of lines that begin with a word."""
    found = re.findall(r"^(\w+) .*?([\d.]+)%", text, flags=re.MULTILINE)
    return {name: float(share) for name, share in found}


def test_text():
    text = printed("text.py")
    assert "1,125 messages to learn from, 375 to test" in text
    right = shares(text)
    assert set(right) == {"last", "average", "hashed"}
    assert min(right.values()) > 90
    spam = next(line for line in text.splitlines() if line.startswith("most spam:"))
    assert "prize" in spam
    assert "dinner" not in spam


def test_text_of_a_file(tmp_path):
    path = tmp_path / "messages"
    lines = ["spam\twin a prize now", "ham\tsee you at home"] * 20
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert shares(printed("text.py", str(path))) == {"last": 100, "average": 100, "hashed": 100}


def test_streaming():
    text = printed("streaming.py")
    assert "100,000 rows  25.8% mistakes so far" in text
    identical = re.findall(r"^identical to .*: (\w+)$", text, flags=re.MULTILINE)
    assert identical == ["True", "True", "True"]
    right = shares(text)
    assert right["last"] < 80 < 89 < right["average"] < 91


def test_separability():
    text = printed("separability.py")
    answers = dict(re.findall(r"^(\w+) +separable: (\w+) +certificate checked: True", text, re.M))
    assert answers == {"AND": "yes", "XOR": "no", "setosa": "yes", "versicolor": "no"}
    assert "XOR: multipliers [1, 1, 1, 1], sum [0.0, 0.0, 0.0]" in text
    assert "as a proof about AND: False, the sum is not 0" in text
    runs = re.findall(r"200 of 200 orders converged, \d+ to (\d+) updates; bound (\d+)", text)
    assert len(runs) == 2
    assert all(int(most) <= int(bound) for most, bound in runs)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_examples_read_as_notebooks(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) < 80
    assert lines.count("# %%") >= 3
    assert lines.count("# %% [markdown]") >= 3

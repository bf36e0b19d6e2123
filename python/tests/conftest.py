"""Fixtures for all tests."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rosenblatt import Perceptron

ROOT = Path(__file__).parents[2]

# The reading of a score of 0 that Python has, for runs of the command in which a score is compared with 0.
NEGATIVE = ["--zero", "negative"]

# The only test with expected failures; it lists them.
MAY_FAIL = "test_sklearn_contract.py::test_checks["


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-skips",
        action="store_true",
        help="a test that is skipped, or fails as expected without being declared, is a failure",
    )


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if not session.config.getoption("--no-skips"):
        return
    left_out = [
        report.nodeid
        for kind in ("skipped", "xfailed")
        for report in reporter.stats.get(kind, [])
        if kind == "skipped" or MAY_FAIL not in report.nodeid
    ]
    if left_out:
        reporter.write_line(f"\nnot allowed to be left out: {', '.join(left_out)}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def plain(**options: Any) -> Perceptron:
    """A perceptron of features as they are, where a test computes what it learns."""
    return Perceptron(**{"scale": None, **options})


@pytest.fixture(scope="session")
def command() -> Path:
    """The command `rosenblatt`: the one that `ROSENBLATT_COMMAND` names, or the debug build."""
    path = Path(os.environ.get("ROSENBLATT_COMMAND", ROOT / "target" / "debug" / "rosenblatt"))
    assert path.is_file(), f"{path} is not there: cargo build --package rosenblatt-cli"
    return path


@pytest.fixture
def run(command: Path, tmp_path: Path):
    """Runs the command in a temporary folder and returns its output."""

    def run(*words: object) -> str:
        done = subprocess.run(
            [str(command), *map(str, words)], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    return run

"""What tests share."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def command() -> Path:
    """The command `rosenblatt`, built by whoever runs the tests: `ROSENBLATT_COMMAND`, or the debug build."""
    path = Path(os.environ.get("ROSENBLATT_COMMAND", ROOT / "target" / "debug" / "rosenblatt"))
    assert path.is_file(), f"{path} is not there: cargo build --package rosenblatt-cli"
    return path


@pytest.fixture
def run(command: Path, tmp_path: Path):
    """Runs the command in a folder of its own and gives what it printed."""

    def run(*words: object) -> str:
        done = subprocess.run(
            [str(command), *map(str, words)], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    return run

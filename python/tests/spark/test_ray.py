"""The example for Ray ends with the model of one process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "ray_shards.py"


def test_the_example_for_ray():
    environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0"}
    words = [sys.executable, str(EXAMPLE)]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=300)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[-1] == "identical to one process: True"
    accuracy = float(lines[-2].removeprefix("accuracy: ").removesuffix("%"))
    assert accuracy > 88

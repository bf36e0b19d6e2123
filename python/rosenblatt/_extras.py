"""What the optional parts need: the requirements of the package's extras, from its metadata."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, requires


def installation(extra: str) -> str:
    """Return the command that installs what an extra needs, from the packages' own names.

    Without metadata, as where the package was only copied, it names the extra.
    """
    try:
        needed = requires("rosenblatt") or []
    except PackageNotFoundError:
        needed = []
    pattern = re.compile(rf"""([^;]*?)\s*;.*\bextra\s*==\s*["']{extra}["']""")
    found = [match[1] for line in needed if (match := pattern.match(line))]
    words = " ".join(f'"{one}"' for one in found)
    return f"pip install {words}" if words else f"install the extra `{extra}`"

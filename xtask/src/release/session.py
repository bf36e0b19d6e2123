"""Follow the sessions of a page with an installed command, and write down what it prints.

    python3 session.py PAGE DATA TRANSCRIPT

The working folder becomes that of the sessions and gets a copy of DATA. Exit code 1 if a command prints anything else
than the page shows; a line `…` stands for any lines, and the line `time` is left out.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path


def steps(page: str) -> list[tuple[str, list[str]]]:
    """Return the commands of all sessions, each with the lines that the page shows below it."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"^```console\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", "").splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


def agree(shown: list[str], printed: list[str]) -> bool:
    """Return whether lines are those that are shown."""
    pattern = "".join(r"(?:.*\n)*" if line == "…" else re.escape(line) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def main(page: Path, data: Path, transcript: Path) -> int:
    """Run the page's commands in their order."""
    shutil.copytree(data, "data", dirs_exist_ok=True)
    differ, code, said = 0, 0, []
    todo = steps(page.read_text(encoding="utf-8"))
    for line, shown in todo:
        file = line.removeprefix("cat ")
        if line == "echo $?":
            printed, code = [str(code)], 0
        else:
            if line.startswith("cat ") and " " not in file and not Path(file).exists():
                Path(file).write_text("\n".join(shown) + "\n", encoding="utf-8")
            done = subprocess.run(["sh", "-c", f"exec 2>&1; {line}"], capture_output=True, check=False)
            code, text = done.returncode, done.stdout.decode()
            printed = [row.rstrip() for row in text.splitlines() if not re.fullmatch(r"time .* s", row)]
        said += [f"$ {line}", *printed]
        if not agree(shown, printed):
            differ += 1
            said.append(f"### differs; the page shows: {shown}")
    said.append(f"### {len(todo)} commands, {differ} differ")
    transcript.write_text("\n".join(said) + "\n", encoding="utf-8")
    print(said[-1])
    return min(differ, 1)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*map(Path, sys.argv[1:])))

"""The reference of the command: a page for each command, from its `help`."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

# Lines of help, by their indent: a heading, an option or argument, its description.
HEADING = re.compile(r"^(\S.*):$")
ENTRY = re.compile(r"^ {2,6}(\S.*)$")
COMMAND = re.compile(r"^  (\w+) +(\S.*)$")


def write(command: Path, folder: Path) -> None:
    """Write the pages and their list."""
    folder.mkdir(parents=True, exist_ok=True)
    overview = _help(command)
    names = [
        found.groups() for line in _section(overview, "Commands") if (found := COMMAND.match(line))
    ]
    names = [(name, what) for name, what in names if name != "help"]
    for name, _ in names:
        (folder / f"{name}.md").write_text(_page(name, _help(command, name)), encoding="utf-8")
    rows = "".join(f"| [`{name}`]({name}.md) | {what} |\n" for name, what in names)
    toc = "".join(f"{name}\n" for name, _ in names)
    (folder / "index.md").write_text(
        "# The command line\n\nOne page for each command, from its `--help`. `rosenblatt help COMMAND` prints the "
        "same.\n\n"
        f"| command | what it does |\n|---|---|\n{rows}\n```{{toctree}}\n:hidden:\n\n{toc}```\n",
        encoding="utf-8",
    )


def _help(command: Path, *name: str) -> list[str]:
    done = subprocess.run([command, "help", *name], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def _section(lines: list[str], heading: str) -> list[str]:
    start = lines.index(heading + ":") + 1
    end = next((i for i in range(start, len(lines)) if not lines[i].strip()), len(lines))
    return lines[start:end]


def _page(name: str, lines: list[str]) -> str:
    """Turn the help of a command into Markdown: headings, and a definition for each option and argument."""
    page = [f"# rosenblatt {name}", ""]
    heading, entry = "", ""
    for line in lines:
        if line.startswith("Usage:"):
            page += ["```text", line.removeprefix("Usage:").strip(), "```", ""]
        elif found := HEADING.match(line):
            heading, entry = found.group(1), ""
            page += ["", f"## {heading}", ""]
            if heading == "Examples":
                page += ["```text"]
        elif heading == "Examples":
            page += [line.strip()] if line.strip() else []
        elif heading and (found := ENTRY.match(line)) and not line.startswith(" " * 8):
            entry = found.group(1)
            page += ["", f"`{entry}`"]
        elif entry:
            text = _plain(line.strip())
            first = page[-1].startswith("`") and not page[-1].startswith(":")
            page += [f": {text}" if first else f"  {text}".rstrip()]
        elif line.strip():
            page += [_plain(line.strip())]
        else:
            page += [""]
    if heading == "Examples":
        page += ["```"]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(page)).strip() + "\n"


def _plain(text: str) -> str:
    """Keep words of help from being read as Markdown, except code."""
    parts = re.split(r"(`[^`]*`)", text)
    escaped = (re.sub(r"([*_<>|\[\]])", r"\\\1", part) for part in parts[::2])
    result = [part for pair in zip(escaped, [*parts[1::2], ""], strict=True) for part in pair]
    return "".join(result)

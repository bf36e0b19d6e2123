"""Write the lectures as notebooks: the text as Markdown, `pycon` blocks as Python, `console` blocks as `%%sh`.

    python book/notebooks.py FOLDER

A notebook starts with a cell that writes the files of `data` that its page names, so it needs only Jupyter, the Python
package and, for the cells `%%sh`, the command `rosenblatt`. A cell ends after each output of the page, and has it.
"""

from __future__ import annotations

import ast
import doctest
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LECTURES = ROOT / "docs/lectures"
BLOCK = re.compile(r"^```(pycon|console)\n(.*?)^```$\n?", re.MULTILINE | re.DOTALL)
RUST = re.compile(
    r"^<details>\n<summary>[^\n]*Rust[^\n]*\n.*?^</details>\n?", re.MULTILINE | re.DOTALL
)
SUMMARY = re.compile(r"^<summary>(.*)</summary>$", re.MULTILINE)
LINK = re.compile(r"!?\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
DATA = re.compile(r"\bdata/[\w/-]+\.csv\b")

Cell = dict[str, Any]


def main(folder: Path) -> None:
    """Write all notebooks."""
    folder.mkdir(parents=True, exist_ok=True)
    for page in pages():
        (folder / page.with_suffix(".ipynb").name).write_text(text(page), encoding="utf-8")


def pages() -> list[Path]:
    """Return the pages that have a notebook: those with Python."""
    all_pages = sorted(LECTURES.glob("*.md"))
    return [page for page in all_pages if "```pycon\n" in page.read_text(encoding="utf-8")]


def text(page: Path) -> str:
    """Return the notebook of a page."""
    cells = list(_cells(page.read_text(encoding="utf-8")))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = {
        "cells": cells,
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def _cells(page: str) -> Iterator[Cell]:
    page = RUST.sub("", page)
    parts = BLOCK.split(page)
    first, *rest = parts[0].split("\n## ", 1)
    yield _markdown(first)
    yield _code(_files(sorted(set(DATA.findall(page)))))
    for more in rest:
        yield _markdown("## " + more)
    for kind, block, prose in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        yield from _python(block) if kind == "pycon" else [_session(block)]
        if _folded(prose).strip():
            yield _markdown(prose)


def _files(names: list[str]) -> str:
    """Return the Python that writes the files of data that are not there."""
    files = {name: (ROOT / name).read_text(encoding="utf-8") for name in names}
    texts = "\n".join(f"    {name!r}: {content!r}," for name, content in files.items())
    return (
        "# The data of this page, as files of the folder in which the notebook runs.\n"
        f"from pathlib import Path\n\nfiles = {{\n{texts}\n}}\n"
        "for name, content in files.items():\n"
        "    path = Path(name)\n"
        "    path.parent.mkdir(parents=True, exist_ok=True)\n"
        "    if not path.exists():\n"
        '        path.write_text(content, encoding="utf-8")'
    )


def _markdown(prose: str) -> Cell:
    return {
        "cell_type": "markdown",
        "metadata": {},
        "source": _lines(LINK.sub(_link, _folded(prose)).strip()),
    }


def _folded(prose: str) -> str:
    """Return the text without folds, which cannot hold cells."""
    prose = re.sub(r"^</?details>$|^<!--.*-->$", "", prose, flags=re.MULTILINE)
    return re.sub(r"\n{3,}", "\n\n", SUMMARY.sub(r"**\1**", prose))


def _link(found: re.Match[str]) -> str:
    """Return a link as it is in a notebook: other lectures are notebooks, and files of the project are only named."""
    name, address, _ = found.groups()
    if re.match(r"\w+:", address):
        return found.group()
    if (LECTURES / address) in pages():
        return f"[{name}]({Path(address).with_suffix('.ipynb')})"
    return f"*{name}*" if found.group().startswith("!") else name


def _python(block: str) -> Iterator[Cell]:
    """Return the cells of a session; each ends with an output."""
    source = ""
    for example in doctest.DocTestParser().get_examples(block):
        source += example.source
        if example.want:
            yield _code(source.rstrip("\n"), _output(example.source, example.want))
            source = ""
    if source:
        yield _code(source.rstrip("\n"))


def _output(source: str, shown: str) -> Cell:
    """Return the output of a cell: the value of its last expression, or what it prints."""
    if isinstance(ast.parse(source).body[-1], ast.Expr) and not source.startswith("print("):
        data = {"text/plain": _lines(shown.rstrip("\n"))}
        return {
            "output_type": "execute_result",
            "data": data,
            "metadata": {},
            "execution_count": None,
        }
    return _stream(shown)


def _session(block: str) -> Cell:
    """Return a cell of the shell: the commands of a session, and all that they print."""
    commands, shown, continues = "", "", False
    for line in block.splitlines(keepends=True):
        if continues or line.startswith("$ "):
            commands += line.removeprefix("$ ")
            continues = line.endswith("\\\n")
        else:
            shown += line
    return _code("%%sh\n" + commands.rstrip("\n"), *([_stream(shown)] if shown else []))


def _stream(shown: str) -> Cell:
    return {"output_type": "stream", "name": "stdout", "text": _lines(shown)}


def _code(source: str, *outputs: Cell) -> Cell:
    cell = {"cell_type": "code", "metadata": {}, "source": _lines(source)}
    return cell | {"outputs": list(outputs), "execution_count": None}


def _lines(source: str) -> list[str]:
    return source.splitlines(keepends=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))

"""The Python of the book: each page of `docs` with `>>>` is run in a folder that has the project's data.

The lectures are also notebooks, whose Python is run in an empty folder.
"""

import ast
import contextlib
import doctest
import io
import json
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "book"))

import notebooks  # noqa: E402

BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [
    page
    for page in sorted((ROOT / "docs").rglob("*.md"))
    if BLOCK.search(page.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of a page are one session."""
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    # Empty lines in the place of the text keep the numbers of the lines.
    parts, end = [], 0
    for block in BLOCK.finditer(text):
        parts += ["\n" * text.count("\n", end, block.start(1)), block.group(1)]
        end = block.end(1)
    test = doctest.DocTestParser().get_doctest("".join(parts), {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    failures: list[str] = []
    runner.run(test, out=failures.append)
    assert not failures, "".join(failures)


def run_cell(source: str, names: dict[str, object]) -> str:
    """Run a cell as Jupyter does; return what it prints, and the value of its last expression."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None
        if value is not None:
            print(repr(value))
    return printed.getvalue()


@pytest.mark.parametrize("page", notebooks.pages(), ids=lambda page: page.stem)
def test_notebook(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its Python prints what its cells show, and nothing of the page is left out."""
    monkeypatch.chdir(tmp_path)
    notebook = json.loads(notebooks.text(page))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    cells = notebook["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells)
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    text = page.read_text(encoding="utf-8")
    assert sum(source.startswith("%%sh\n") for source in code) == text.count("```console\n")
    written = "\n".join(code)
    for line in re.findall(r"^(?:>>>|\$) (.*)$", text, re.MULTILINE):
        assert line in written
    prose = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    assert ".md)" not in prose
    assert "<details>" not in prose
    names: dict[str, object] = {}
    for cell, source in zip(
        [cell for cell in cells if cell["cell_type"] == "code"], code, strict=True
    ):
        if source.startswith("%%sh\n"):
            continue
        shown = ""
        for output in cell["outputs"]:
            shown += "".join(output.get("text") or output["data"]["text/plain"])
        printed = run_cell(source, names)
        if shown:
            same = doctest.OutputChecker().check_output(
                shown, printed, doctest.NORMALIZE_WHITESPACE
            )
            assert same, f"{source}\n{shown}\n{printed}"


def test_there_are_pages() -> None:
    """All five lectures and the homework have Python, and are notebooks."""
    names = {page.stem for page in PAGES}
    lectures = {"carson", "dsc255", "iris-homework", "lauer", "shalizi", "varner"}
    assert names >= lectures | {"python", "programs"}
    assert {page.stem for page in notebooks.pages()} == lectures

"""The Python of the book: each page of `docs` with `>>>` is run in a folder that has the project's data."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
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


def test_there_are_pages() -> None:
    """All five lectures have Python."""
    names = {page.stem for page in PAGES}
    assert names >= {"carson", "dsc255", "lauer", "shalizi", "varner", "python", "programs"}

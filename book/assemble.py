"""Put the pages of the book together: the project's Markdown, and the references that are generated from the sources.

    python assemble.py ROOT TARGET COMMAND

ROOT is the folder of the project, TARGET a folder that is replaced, COMMAND the program `rosenblatt`, whose `help`
becomes the reference of the command. The Python reference comes from the docstrings; nothing of the package is
imported.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import command_pages
import notebooks
import python_page

# Pages besides those of docs/.
PAGES = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    "python/README.md",
    "data/README.md",
    "data/lectures/README.md",
    "cases/README.md",
)
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")


def main(root: Path, target: Path, command: Path) -> None:
    """Make the folder of the sources."""
    shutil.rmtree(target, ignore_errors=True)
    pages = [root / page for page in PAGES] + sorted((root / "docs").rglob("*.md"))
    for page in pages:
        copy = target / page.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(_with_links(page, root, target, set(pages)), encoding="utf-8")
    _add_notebooks(target)
    here = Path(__file__).parent
    shutil.copy(here / "index.md", target / "index.md")
    shutil.copytree(here / "static", target / "static")
    shutil.copy(root / "crates/rosenblatt-plot/assets/tokens.css", target / "static")
    (target / "conf.py").symlink_to(here / "conf.py")
    reference = target / "docs/reference"
    command_pages.write(command, reference / "command")
    (reference / "python.rst").write_text(
        python_page.text(root / "python/rosenblatt"), encoding="utf-8"
    )


def _add_notebooks(target: Path) -> None:
    """Write the notebooks beside the lectures, and link them at the heads of the pages."""
    lectures = target / "docs/lectures"
    notebooks.main(lectures)
    for page in notebooks.pages():
        copy = lectures / page.name
        head = "[Glossary](../glossary.md)"
        text = copy.read_text(encoding="utf-8")
        if head not in text:
            sys.exit(f"{page}: there is no place for the link to the notebook")
        link = f"{head} · [As a notebook]({page.stem}.ipynb)"
        copy.write_text(text.replace(head, link, 1), encoding="utf-8")


def _with_links(page: Path, root: Path, target: Path, pages: set[Path]) -> str:
    """Return the text of a page. Files that it links to are copied; a folder is its README, or else no link."""

    def link(found: re.Match[str]) -> str:
        mark, text, address, anchor = found.groups()
        if re.match(r"\w+:", address):
            return found.group()
        file = (page.parent / address).resolve()
        if file.is_dir():
            address = address.rstrip("/") + "/README.md"
            file = file / "README.md"
            if not file.is_file():
                return text
        if not file.is_file():
            sys.exit(f"{page.relative_to(root)}: {address} is not a file")
        if file not in pages:
            copy = target / file.relative_to(root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, copy)
        return f"{mark}[{text}]({address}{anchor or ''})"

    # What rustdoc is told about a program is no part of the language's name.
    text = page.read_text(encoding="utf-8").replace("```rust,no_run\n", "```rust\n")
    return LINK.sub(link, text)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*(Path(word).resolve() for word in sys.argv[1:]))

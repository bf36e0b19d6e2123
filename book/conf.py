"""Settings of the book for Sphinx. `assemble.py` has put the pages together; `cargo xtask book` runs both."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HERE = Path(__file__).resolve().parent
TOKENS = HERE.parent / "crates/rosenblatt-plot/assets/tokens.css"

# Where the project is published: empty addresses are not decided.
PUBLISHED = tomllib.loads((HERE.parent / "project.toml").read_text(encoding="utf-8"))

# The lab as a folder of static files, as seen from the first page of the book. This is the only place with its address.
LAB = "../lab/index.html"
# The lab that `rosenblatt lab` serves, to which the pages link outside of the book.
SERVED_LAB = "http://127.0.0.1:1958/"

project = "Rosenblatt"
author = "the authors of Rosenblatt"
html_title = "The book of Rosenblatt"
extensions = ["myst_parser"]
# The folder of the sources has nothing but pages and the files that they link to.
exclude_patterns = ["crates", "xtask", "record"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
# A line break of the source is none of the page; quotes and dashes stay as written.
smartquotes = False
default_role = "code"
add_module_names = False
toc_object_entries = False
# Of the Python reference, where a docstring names a class of another package.
nitpicky = False
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["tokens.css", "book.css"]
html_js_files = ["book.js"]
html_favicon = "static/favicon.svg"
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
pygments_style = "bw"
pygments_dark_style = "bw"

_VARIABLES = {
    "color-brand-primary": "ink",
    "color-brand-content": "ink",
    "color-brand-visited": "ink",
    "color-background-primary": "paper",
    "color-background-secondary": "page",
    "color-background-border": "rule",
    "color-background-hover": "sunk",
    "color-foreground-primary": "ink",
    "color-foreground-secondary": "mut",
    "color-foreground-muted": "mut",
    "color-foreground-border": "rule",
    "color-code-background": "page",
    "color-code-foreground": "ink",
    "color-inline-code-background": "page",
    "color-sidebar-link-text": "mut",
    "color-sidebar-link-text--top-level": "ink",
    "color-highlight-on-target": "sunk",
    "color-api-name": "ink",
    "color-api-pre-name": "mut",
    "color-api-overall": "mut",
    "color-problematic": "ink",
}


def _tokens(selector: str) -> dict[str, str]:
    """Return the design tokens of one scheme."""
    text = TOKENS.read_text(encoding="utf-8")
    block = text.split(selector + " {", 1)[1].split("}", 1)[0]
    return dict(re.findall(r"--([\w-]+):\s*([^;]+);", block))


def _variables(selector: str) -> dict[str, str]:
    tokens = _tokens(selector)
    named = {variable: tokens[token] for variable, token in _VARIABLES.items()}
    # The page's own styles use the tokens by their names.
    return named | {
        name: tokens[name] for name in ("page", "paper", "sunk", "rule", "ink", "mut", "w")
    }


_light = _tokens(":root")
html_theme_options = {
    "light_css_variables": _variables(":root")
    | {"font-stack": _light["sans"], "font-stack--headings": _light["serif"]},
    "dark_css_variables": _variables(':root[data-theme="dark"]'),
    "sidebar_hide_name": False,
}
if PUBLISHED["site"]:
    html_baseurl = PUBLISHED["site"] + "/book/"
if PUBLISHED["repository"]:
    html_theme_options["footer_icons"] = [
        {"name": "Repository", "url": PUBLISHED["repository"], "html": "Sources", "class": ""}
    ]


def _lab_address(app: Sphinx, page: str, fragment: str) -> str:
    """Return the address of a state of the lab, as seen from a page."""
    first = app.builder.get_relative_uri(page, "index")
    return first.rsplit("index.html", 1)[0] + LAB + fragment


def _embed_lab(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Lead links to the served lab to the static one; a link that is a paragraph of its own becomes the lab itself."""
    if app.builder.format != "html":
        return
    for link in list(doctree.findall(nodes.reference)):
        address = link.get("refuri", "")
        if not address.startswith(SERVED_LAB):
            continue
        link["refuri"] = _lab_address(app, page, address[len(SERVED_LAB) :])
        link["classes"].append("lab-state")
        paragraph = link.parent
        alone = isinstance(paragraph, nodes.paragraph) and len(paragraph) == 1
        if alone and isinstance(paragraph.parent, nodes.section):
            title = link.astext()
            source = link["refuri"].replace("&", "&amp;").replace('"', "&quot;")
            frame = (
                f'<figure class="lab"><iframe src="{source}" title="{title}" loading="lazy"></iframe>'
                f'<figcaption><a href="{source}">{title}, in a page of its own</a></figcaption></figure>'
            )
            paragraph.replace_self(nodes.raw("", frame, format="html"))


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the transformation of the links."""
    app.connect("doctree-resolved", _embed_lab)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

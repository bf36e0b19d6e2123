"""Where the project is published: project.toml says it, and the parts of other files that depend on it are made from it.

    identity.py VERSION [--check]
"""

import re
import sys
from collections import namedtuple
from pathlib import Path

try:
    import tomllib
except ImportError:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent
Identity = namedtuple("Identity", "repository site on_registries version")
CLONE = "cargo install --path crates/rosenblatt-cli --features columnar --locked"
REGISTRY = "cargo install rosenblatt-cli --features columnar --locked"


def read(version):
    """The variables. An address needs no quotes or escapes in any of the files."""
    one = Identity(**tomllib.loads((ROOT / "project.toml").read_text("utf-8")), version=version)
    for address in (one.repository, one.site):
        if not re.fullmatch(r"(https://[A-Za-z0-9._~/:-]*[A-Za-z0-9._~:-])?", address):
            sys.exit(f"project.toml: `{address}` is not an address such as https://forge.example/owner/name, without a / at its end")
    return one


def keys(p, line):
    return "".join(line.format(key, address) for key, address in (("repository", p.repository), ("homepage", p.site)) if address)


def workspace(p):
    return keys(p, '{} = "{}"\n')


def inherited(p):
    return keys(p, "{}.workspace = true\n")


def urls(p):
    pages = [("Homepage", p.site, ""), ("Documentation", p.site, "/book/"), ("Repository", p.repository, "")]
    pages += [("Issues", p.repository, "/issues"), ("Changelog", p.repository, "/blob/HEAD/CHANGELOG.md")]
    return "".join(f'urls.{name} = "{address}{page}"\n' for name, address, page in pages if address)


def citation(p):
    pairs = (("repository-code", p.repository), ("url", p.site))
    return f"version: {p.version}\n" + "".join(f'{key}: "{address}"\n' for key, address in pairs if address)


def contacts(p):
    about = "A private report; SECURITY.md says what belongs there."
    link = f"  - name: A matter of security\n    url: {p.repository}/security/advisories/new\n    about: {about}\n"
    return f"contact_links:\n{link}" if p.repository else ""


def report(p):
    if p.repository:
        return f"""\
Write a private report with [the form for advisories]({p.repository}/security/advisories/new).
Please do not open a public issue before a repaired version is there.
"""
    return """\
The address of the public repository is not decided yet, and with it the form for private reports. Until it is here,
write to the person from whom you have the sources, and not in a public place.
"""


def command(p):
    return REGISTRY if p.on_registries else CLONE


def package(p):
    return "rosenblatt" if p.on_registries else "./python"


def linked(words, address, page):
    """Some words, as a link where an address is decided."""
    return f"[{words}]({address}{page})" if address else words


def clone(p):
    return f" (`git clone {p.repository}`)" if p.repository else ""


def readme(p):
    archive = linked("static binaries from a release archive", p.repository, "/releases")
    lab = f"[the lab]({p.site}/lab/), with nothing to install; or " if p.site else ""
    rust = "cargo add rosenblatt" if p.on_registries else 'rosenblatt = { path = "…/crates/rosenblatt" }'
    needs = "What is compiled needs" if p.on_registries else f"In a clone{clone(p)}; it needs"
    return f"""\
| | |
|---|---|
| command | `{command(p)}`, or {archive} |
| Python ≥ 3.10 | `pip install {package(p)}` |
| Rust | `{rust}` |
| browser | {lab}`rosenblatt lab` |

{needs} Rust 1.91 or later and a C compiler ([installation](docs/installation.md)).
"""


def installation(p):
    archive = linked("release archive", p.repository, "/releases")
    if p.on_registries:
        begin = f"Install from crates.io and PyPI, from a {archive}, or from a clone of the sources{clone(p)}, as below."
        heading, rust = "command", "`cargo add rosenblatt`"
        wheel = "Python 3.10 or later; where no wheel fits, Rust and a C compiler as above"
    else:
        begin = f"Nothing of Rosenblatt is on a package registry yet. Install from a clone of the sources{clone(p)} or from a {archive}."
        heading, rust = "from a clone", "[a path in `Cargo.toml`](#the-rust-library)"
        wheel = "Python 3.10 or later, Rust and a C compiler as above"
    return f"""\
{begin}
An archive works without a network. A build needs the crates that `Cargo.lock` names, and pip downloads maturin and what
the package depends on.

| you want | {heading} | needs |
|---|---|---|
| the command | `{command(p)}` | Rust 1.91 or later, a C compiler (for zstd); about two minutes, with `columnar` some more |
| Python | `pip install {package(p)}` | {wheel} |
| the Rust library | {rust} | Rust 1.91 or later, a C compiler |
| {linked("the lab", p.site, "/lab/")} | `rosenblatt lab` | the command, and a browser |
"""


def python_readme(p):
    needs = "Python 3.10 or later" if p.on_registries else "from a clone: needs Rust 1.91 or later, a C compiler, Python 3.10 or later"
    extra = f'"{package(p)}[plot]"'
    return f"""\
```console
$ pip install {package(p):{len(extra)}}    # {needs}
$ pip install {extra}    # with Matplotlib, for figures
```

Paths in this text, such as `docs/spark.md`, are those of the project's {linked("sources", p.repository, "")}.
"""


def command_readme(p):
    return f"""\
```sh
{command(p)}{"" if p.on_registries else "    # in a clone of the sources"}
```

It needs Rust 1.91 or later and a C compiler; a {linked("release archive", p.repository, "/releases")} needs neither.
Paths in this text, such as `docs/reference/README.md`, are those of the project's {linked("sources", p.repository, "")}.
"""


def after(line, *own):
    """The lines after the first that begins with `line`, as far as each begins with a word of `own`."""
    return rf"(?ms)\A(.*?^{re.escape(line)}[^\n]*\n)(?:(?:{'|'.join(map(re.escape, own))})[^\n]*\n)*"


def between(name):
    return rf"(?s)\A(.*?<!-- {name} -->\n).*?(?=<!-- /{name} -->\n)"


PUBLISHED = [path for path in sorted(ROOT.glob("crates/*/Cargo.toml")) if "publish = false" not in path.read_text("utf-8")]
# The files with made parts: where the part is, and its text.
PLACES = {
    "Cargo.toml": (after("license = ", "repository", "homepage"), workspace),
    **{str(path.relative_to(ROOT)): (after("license.workspace", "repository", "homepage"), inherited) for path in PUBLISHED},
    "python/pyproject.toml": (after("dynamic = ", "urls."), urls),
    "CITATION.cff": (after("type:", "version:", "repository-code:", "url:"), citation),
    ".github/ISSUE_TEMPLATE/config.yml": (after("blank_issues_enabled:", "contact_links:", "  "), contacts),
    "SECURITY.md": (between("report"), report),
    "README.md": (between("install"), readme),
    "docs/installation.md": (between("install"), installation),
    "python/README.md": (between("install"), python_readme),
    "crates/rosenblatt-cli/README.md": (between("install"), command_readme),
}


def made(file, text, p):
    """The text of a file with its part made."""
    place, part = PLACES[file]
    new, count = re.subn(place, lambda found: found[1] + part(p), text, count=1)
    return new if count else sys.exit(f"{file} has no place for its part")


def texts():
    """What people read: pages at the root, documents, and sources, where messages are."""
    folders = [("docs", "md py"), ("python/rosenblatt", "py pyi"), ("python/src", "rs"), ("crates", "md rs")]
    paths = [*ROOT.glob("*.md"), ROOT / "python/README.md"]
    paths += [path for folder, endings in folders for ending in endings.split() for path in (ROOT / folder).rglob(f"*.{ending}")]
    for path in sorted(paths):
        name = path.relative_to(ROOT).as_posix()
        if not {"node_modules", "dist", "tests", "target"} & {*name.split("/")}:
            yield name, path.read_text("utf-8")


def registry_commands(text):
    """The installing commands that name a package of ours, which somebody else may have on a registry."""
    for found in re.finditer(r"\b(pip\s+install|cargo\s+install|cargo\s+add)(?=((?:\s+\S+){1,8}))", text):
        words = (word.strip("`'\"(,.;") for word in found[2].split())
        name = next((word for word in words if not word.startswith(("-", "\\", "/", "$"))), "")
        if name.startswith("rosenblatt") and not name.endswith((".whl", ".tar.gz")):
            yield text[: found.start()].count("\n") + 1, f"{' '.join(found[1].split())} {name}"


def relative_links(text):
    """Links and pictures that lead to a file, outside of code."""
    text = re.sub(r"(?ms)^\s*```.*?^\s*```", lambda code: "\n" * code[0].count("\n"), text)
    for found in re.finditer(r"(?:\]\(|\]: |src=\"|href=\")(?!https?://|mailto:|#)([^)\"\s]+)", text):
        yield text[: found.start()].count("\n") + 1, found[1]


def faults(p):
    for file in PLACES:
        text = (ROOT / file).read_text("utf-8")
        if made(file, text, p) != text:
            yield f"{file} is not as project.toml says: run `cargo xtask identity`"
        # Every place takes all variables and gives them back.
        full = made(file, text, Identity("https://forge.example/owner", "https://pages.example", not p.on_registries, "9.9"))
        if full == text or made(file, full, p) != made(file, text, p):
            yield f"{file} does not take the variables"
    for name, text in texts():
        if not p.on_registries:
            for line, words in registry_commands(text):
                yield f"{name}:{line}: `{words}` needs a registry, where the name is not ours (project.toml)"
        if re.fullmatch("(python|crates/.*)/README.md", name):
            for line, address in relative_links(text):
                yield f"{name}:{line}: the link to {address} leads nowhere on a registry's page"


def main(version, *flags):
    p = read(version)
    if flags:
        found = list(faults(p))
        print(*found, sep="\n", end="\n" if found else "")
        print(f"identity: {len(PLACES)} files compared")
        return bool(found)
    for file in PLACES:
        text = (ROOT / file).read_text("utf-8")
        if made(file, text, p) != text:
            (ROOT / file).write_text(made(file, text, p), "utf-8", newline="\n")
            print(file)
    return False


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

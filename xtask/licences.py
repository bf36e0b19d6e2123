"""The licences of all crates, by files at hand: each is one that deny.toml allows, and THIRD-PARTY-LICENSES.md has the
notices of those that are part of what people are given.

    licences.py CARGO FEATURES [--check]
"""

import json
import re
import subprocess
import sys
from pathlib import Path

try:
    import tomllib
except ImportError:
    import tomli as tomllib

ROOT = Path(__file__).parent.parent
FILE = "THIRD-PARTY-LICENSES.md"
# What people are given, and the package of the workspace that it is built from.
GIVEN = {"command": "rosenblatt-cli", "Python": "rosenblatt-python"}
# Code of others inside a crate, whose licence has a file of its own.
INSIDE = {"zstd-sys": ["zstd/LICENSE"]}
# Crates whose licence stands at the root of their repository, which is another crate.
BESIDE = {"alloc-stdlib": "alloc-no-stdlib"}
TYPEFACES = {"DejaVu Sans": "DejaVuSans-LICENSE.txt", "Inter, Source Serif": "OFL.txt"}
BEGINNING = """\
# Licences of others

Written by `cargo xtask licences`, compared by `cargo xtask check`.

The command `rosenblatt` and the native part of the Python package are made of this project's own code and of the crates
below, as they are built for Linux on x86-64 with all features; other machines have a few crates of the same families for their
systems. Crates that only build or test are not in them.

A crate that may be used under the Apache License 2.0 is used under it: its text is that of `LICENSE-APACHE`. The notices
of all others follow the table.

Beside crates there are:

- in the command, the typeface of the pictures, a subset of DejaVu Sans 2.37; its licence is at the end;
- in the command, the page of the lab (`crates/rosenblatt-lab/page/dist`): this project's code, and of `data/` R. A. Fisher's
  irises (doi:10.24432/C56C76) and R. P. Gorman's and T. J. Sejnowski's sonar data (doi:10.24432/C5T01Q), both of the UCI Machine
  Learning Repository under CC BY 4.0; what was changed is in `data/README.md`;
- in the Python package, nothing: numpy, scipy and scikit-learn are packages of their own.

| crate | version | licence | in |
|---|---|---|---|
"""


def metadata(cargo, manifest, *more):
    """What cargo says of a workspace on one machine: the same file comes out on every machine."""
    command = [cargo, "metadata", "--format-version=1", "--offline", "--locked", "--filter-platform=x86_64-unknown-linux-gnu"]
    done = subprocess.run([*command, "--manifest-path", manifest, *more], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"the crates of {manifest} are not at hand (cargo fetch):\n{done.stderr}")
    return json.loads(done.stdout)


def allows(expression, allowed):
    """Whether what is allowed suffices for an SPDX expression; in old crates `/` is `OR`."""
    words = re.findall(r"[()]|[\w.+-]+(?: WITH [\w.-]+)?", (expression or "").replace("/", " OR "))
    python = {"OR": "or", "AND": "and", "(": "(", ")": ")"}
    try:
        return bool(eval(" ".join(python.get(word) or str(word in allowed) for word in words)))
    except SyntaxError:
        return False


def refused(crates):
    """The crates whose licence deny.toml does not allow."""
    deny = tomllib.loads((ROOT / "deny.toml").read_text("utf-8"))["licenses"]
    more = {one["crate"]: one["allow"] for one in deny["exceptions"]}
    licence = {(one["name"], one["version"]): one["license"] for one in crates}
    return [f"{name} {version} ({text})" for (name, version), text in sorted(licence.items()) if not allows(text, [*deny["allow"], *more.get(name, ())])]


def linked(data, root):
    """The packages that are linked into what is built from one; macros run when it is built."""
    packages = {one["id"]: one for one in data["packages"]}
    nodes = {one["id"]: one["deps"] for one in data["resolve"]["nodes"]}
    waiting, found = [id for id, one in packages.items() if one["name"] == root], set()
    while waiting:
        id = waiting.pop()
        if id in found or any(target["kind"] == ["proc-macro"] for target in packages[id]["targets"]):
            continue
        found.add(id)
        waiting += [dep["pkg"] for dep in nodes[id] if any(kind["kind"] is None for kind in dep["dep_kinds"])]
    return found


def read(path):
    return "\n".join(line.rstrip() for line in path.read_text("utf-8").splitlines()).strip("\n")


def notices(one, folders):
    """What the licence of a crate asks to be repeated: of the Apache License only NOTICE files."""
    folder, is_apache = folders[BESIDE.get(one["name"], one["name"])], allows(one["license"], ["Apache-2.0"])
    wanted = ("NOTICE",) if is_apache else ("NOTICE", "LICEN", "COPYING")
    names = [path.name for path in folder.iterdir() if path.name.upper().startswith(wanted) and "APACHE" not in path.name.upper()]
    names = sorted(names + INSIDE.get(one["name"], []))
    if not names and not is_apache:
        sys.exit(f"{one['name']} {one['version']} has no file with its licence")
    return [read(folder / name) for name in names]


def text(data, crates):
    """The whole file."""
    parts = {given: linked(data, package) for given, package in GIVEN.items()}
    rows, found = [], {}
    folders = {one["name"]: Path(one["manifest_path"]).parent for one in crates}
    for one in sorted(crates, key=lambda one: f"{one['name']} {one['version']}"):
        within = [given for given, part in parts.items() if one["id"] in part]
        if within:
            rows.append(f"| {one['name']} | {one['version']} | {one['license']} | {', '.join(within)} |\n")
            for notice in notices(one, {**folders, one["name"]: Path(one["manifest_path"]).parent}):
                found.setdefault(notice, []).append(f"{one['name']} {one['version']}")
    blocks = [(", ".join(of), notice) for notice, of in sorted(found.items(), key=lambda item: (item[1], item[0]))]
    blocks += [(name, read(ROOT / "crates/rosenblatt-plot/assets" / file)) for name, file in TYPEFACES.items()]
    return BEGINNING + "".join(rows) + "".join(f"\n## {of}\n\n```text\n{notice}\n```\n" for of, notice in blocks)


def main(cargo, features, *check):
    data = metadata(cargo, "Cargo.toml", "--features", features)
    crates = [one for one in data["packages"] if one["source"]]
    everything = crates + [one for one in metadata(cargo, "fuzz/Cargo.toml")["packages"] if one["source"]]
    if not check:
        (ROOT / FILE).write_text(text(data, crates), "utf-8", newline="\n")
    elif bad := refused(everything):
        sys.exit(f"deny.toml does not allow: {', '.join(bad)}")
    elif (ROOT / FILE).read_text("utf-8") != text(data, crates):
        sys.exit(f"{FILE} is not what the crates say: run `cargo xtask licences`")
    else:
        print(f"licences: {len(everything)} crates, all allowed")


assert allows("(B OR MIT) AND Zlib", ["MIT", "Zlib"]) and not allows("MIT AND B OR C", ["MIT"]) and not allows("A WITH Y", ["A"])
assert allows("GPL-3.0/MIT", ["MIT"]) and not allows("MIT Zlib", ["MIT", "Zlib"]) and not allows("", [])
main(*sys.argv[1:])

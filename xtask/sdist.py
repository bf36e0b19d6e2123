"""Make the source distribution of the Python package, which builds with `--locked`.

    sdist.py FOLDER VERSION CARGO

maturin adds the lock file of the whole workspace. The distribution has some of its members only, and cargo refuses to
build it with `--locked` as long as the file names the crates of the others.
"""

import gzip
import io
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

try:
    import tomllib
except ImportError:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent
# What it must have: to build it, to test it, and to pass it on.
HOLDS = ["Cargo.lock", "PKG-INFO", "LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY-LICENSES.md", "python/requirements-dev.txt"]
HOLDS += ["python/tests/conftest.py", "python/tests/test_package.py"]


def locked(folder):
    """The crates of a lock file, each with its version and checksum."""
    packages = tomllib.loads((folder / "Cargo.lock").read_text("utf-8"))["package"]
    return {" ".join(one.get(key, "") for key in ("name", "version", "checksum")) for one in packages}


def put_lock(archive, lock):
    """Write the archive again, with the bytes of the lock file, and without the time and a name: the same files give the same bytes."""
    written, replaced = io.BytesIO(), 0
    with tarfile.open(archive) as old, tarfile.open(fileobj=written, mode="w", format=tarfile.GNU_FORMAT) as new:
        for member in old:
            content = old.extractfile(member)
            data = content.read() if content else b""
            if member.name.count("/") == 1 and member.name.endswith("/Cargo.lock"):
                data, replaced = lock.read_bytes(), replaced + 1
                member.size = len(data)
            new.addfile(member, io.BytesIO(data) if content else None)
    if replaced != 1:
        sys.exit(f"{archive}: {replaced} lock files")
    archive.write_bytes(gzip.compress(written.getvalue(), mtime=0))


def main(folder, version, cargo):
    archive = Path(folder) / f"rosenblatt-{version}.tar.gz"
    maturin = [sys.executable, "-m", "maturin", "sdist", "--manifest-path", "python/Cargo.toml", "--out", folder]
    subprocess.run(maturin, cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory() as unpacked:
        subprocess.run(["tar", "xzf", archive, "-C", unpacked], check=True)
        sources = Path(unpacked) / f"rosenblatt-{version}"
        if missing := [file for file in HOLDS if not (sources / file).is_file()]:
            sys.exit(f"{archive} has no {missing[0]}")
        # Removes the crates that only other members of the workspace use; no version changes.
        subprocess.run([cargo, "update", "--workspace", "--offline", "--quiet"], cwd=sources, check=True)
        if others := locked(sources) - locked(ROOT):
            sys.exit(f"Cargo.lock of the source distribution has another {min(others)}")
        put_lock(archive, sources / "Cargo.lock")


main(*sys.argv[1:])

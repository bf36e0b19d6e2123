"""Put another Cargo.lock into a source distribution, and change nothing else.

    python sdist.py ARCHIVE LOCK

maturin adds the lock file of the whole workspace. The distribution has some of its members only, and cargo refuses to
build it with `--locked` as long as the file names the crates of the others.
"""

from __future__ import annotations

import gzip
import io
import sys
import tarfile
from pathlib import Path


def main(archive: Path, lock: Path) -> None:
    """Write the archive again, with the bytes of the lock file."""
    written = io.BytesIO()
    replaced = 0
    with (
        tarfile.open(archive) as old,
        tarfile.open(fileobj=written, mode="w", format=tarfile.GNU_FORMAT) as new,
    ):
        for member in old:
            content = old.extractfile(member)
            data = content.read() if content else b""
            if member.name.count("/") == 1 and member.name.endswith("/Cargo.lock"):
                data = lock.read_bytes()
                member.size = len(data)
                replaced += 1
            new.addfile(member, io.BytesIO(data) if content else None)
    if replaced != 1:
        sys.exit(f"{archive}: {replaced} lock files")
    # Without the time and a name, so that the same files give the same bytes.
    archive.write_bytes(gzip.compress(written.getvalue(), mtime=0))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*map(Path, sys.argv[1:]))

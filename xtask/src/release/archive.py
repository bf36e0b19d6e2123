"""Pack the files of a release, in the same bytes on every machine.

    python archive.py pack ARCHIVE NAME FOLDER PROGRAM   the folder's files and the program, in a folder NAME
    python archive.py sums FOLDER                        writes SHA256SUMS for the files of a folder, and shows sizes
"""

from __future__ import annotations

import gzip
import hashlib
import io
import sys
import tarfile
import zipfile
from pathlib import Path

SUMS = "SHA256SUMS"


def pack(archive: Path, name: str, folder: Path, program: Path) -> None:
    """Write an archive: entries sorted by name, without owner and time."""
    files = {f"{name}/{path.relative_to(folder).as_posix()}": (path, 0o644) for path in folder.rglob("*") if path.is_file()}
    files[f"{name}/{program.name}"] = (program, 0o755)
    write = write_zip if archive.suffix == ".zip" else write_tar
    write(archive, [(entry, *files[entry]) for entry in sorted(files)])


def write_tar(archive: Path, files: list[tuple[str, Path, int]]) -> None:
    """Write a compressed tar file."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for entry, path, mode in files:
            member = tarfile.TarInfo(entry)
            member.size, member.mode = path.stat().st_size, mode
            with path.open("rb") as content:
                tar.addfile(member, content)
    archive.write_bytes(gzip.compress(written.getvalue(), mtime=0))


def write_zip(archive: Path, files: list[tuple[str, Path, int]]) -> None:
    """Write a zip file. Its times begin in 1980."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for entry, path, mode in files:
            member = zipfile.ZipInfo(entry)
            member.compress_type, member.external_attr = zipfile.ZIP_DEFLATED, mode << 16
            target.writestr(member, path.read_bytes())


def sums(folder: Path) -> None:
    """Write the sums in the form that `sha256sum --check` reads."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != SUMS)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8", newline="\n")
    for path in files:
        print(f"{path.stat().st_size / 1e6:8.2f} MB  {path.name}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["pack", archive, name, folder, program]:
            pack(Path(archive), name, Path(folder), Path(program))
        case ["sums", folder]:
            sums(Path(folder))
        case _:
            sys.exit(__doc__)

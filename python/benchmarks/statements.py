"""The statements of `rosenblatt separable` on real data: the table of `docs/statements.md`.

    python benchmarks/statements.py ROSENBLATT DATA [NAME...]

ROSENBLATT is the command and DATA the folder of the data sets. Each answer is written as a certificate, which is
checked by the command and by `docs/check_statement.py`, for which the features are read here, not by the command.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
CHECKER = ROOT / "docs" / "check_statement.py"
TEXTS = "rcv1.libsvm"
LIBSVM = ["--format", "libsvm"]
NO_HEADER = ["--no-header"]
IRISES = "iris/iris.csv"
WINE = [*NO_HEADER, "--target", "14"]
IGNORED = "PassengerId,Name,Ticket,Cabin"
TITANIC = ["--target", "Survived", "--ignore", IGNORED, "--missing", "median"]
SMS = [*NO_HEADER, "--delimiter", "tab", "--target", "1", "--text", "2"]
TEST = "mnist/t10k-images-idx3-ubyte.gz"
TRAINING = "mnist/train-images-idx3-ubyte.gz"
SETS = [
    # name, file, options of reading
    ("irises, setosa", IRISES, [*NO_HEADER, "--positive", "Iris-setosa"]),
    ("irises, versicolor", IRISES, [*NO_HEADER, "--positive", "Iris-versicolor"]),
    ("irises, virginica", IRISES, [*NO_HEADER, "--positive", "Iris-virginica"]),
    ("wine, 1", "wine/wine.csv", [*WINE, "--positive", "1"]),
    ("wine, 2", "wine/wine.csv", [*WINE, "--positive", "2"]),
    ("wine, 3", "wine/wine.csv", [*WINE, "--positive", "3"]),
    ("sonar", "sonar/sonar.csv", NO_HEADER),
    ("wdbc", "wdbc/wdbc.data", [*NO_HEADER, "--ignore", "1,32"]),
    ("banknotes", "banknote_authentication/banknote_authentication.csv", NO_HEADER),
    ("heart", "libsvm-heart_scale/heart_scale", LIBSVM),
    ("titanic, with factors", "titanic/titanic.csv", TITANIC),
    ("spambase", "spambase/spam.data", [*NO_HEADER, "--delimiter", "space"]),
    ("mushrooms", "libsvm-mushrooms/mushrooms.txt", LIBSVM),
    ("adult, with factors", "adult/adult-train.csv", NO_HEADER),
    ("a9a", "libsvm-a9a/a9a.txt", LIBSVM),
    ("w8a", "libsvm-w8a/w8a", LIBSVM),
    ("rcv1, 1,000 texts", TEXTS, LIBSVM),
    ("SMS messages", "sms-spam/SMSSpamCollection", SMS),
    *((f"digits, {digit} (test images)", TEST, ["--positive", digit]) for digit in "0589"),
    *((f"digits, {digit} (training images)", TRAINING, ["--positive", digit]) for digit in "08"),
]
KINDS = {"separable": [], "separation": ["--weak"], "least errors": ["--least-errors"]}


def timed(command: list[str]) -> tuple[str, float]:
    """Run a command; return its output and its seconds of CPU."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1, 3):
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, seconds


def numbers(cells: Sequence[str], level: str | None) -> list[str]:
    """A column of numbers with the median in empty cells, or the indicator of a level."""
    if level is not None:
        return [str(int(cell == level)) for cell in cells]
    known = [float(cell) for cell in cells if cell]
    return [cell or repr(median(known)) for cell in cells]


def write_table(path: Path, options: list[str], answer: dict[str, Any], written: Path) -> None:
    """Write the features of a table as numbers, with a header and the label, one of two, in the last column."""
    delimiter = " " if "space" in options else ","
    with open(path, newline="") as file:
        lines = (line for line in file if line.strip() and not line.startswith("#"))
        rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=delimiter)]
    header = [str(j + 1) for j in range(len(rows[0]))] if "--no-header" in options else rows.pop(0)
    columns = dict(zip(header, zip(*rows, strict=True), strict=True))
    target = options[options.index("--target") + 1] if "--target" in options else header[-1]
    table = []
    for feature in answer["feature_names"]:
        column, equals, level = feature.partition("=")
        table.append(numbers(columns[column], level if equals else None))
    table.append([label if label == answer["positive"] else "other" for label in columns[target]])
    with open(written, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*answer["feature_names"], "label"])
        writer.writerows(zip(*table, strict=True))


def write_images(path: Path, digit: str, written: Path) -> None:
    """Write 28 × 28 images as LIBSVM, with the digit as one class and the others as the second."""
    images = gzip.decompress(path.read_bytes())[16:]
    labels = path.with_name(path.name.replace("images-idx3", "labels-idx1"))
    with open(written, "w") as file:
        for row, label in enumerate(gzip.decompress(labels.read_bytes())[8:]):
            pixels = enumerate(images[784 * row : 784 * (row + 1)], 1)
            entries = [f"{pixel}:{value}" for pixel, value in pixels if value]
            print(digit if str(label) == digit else "other", *entries, file=file)


def bucket_and_sign(word: str) -> tuple[int, int]:
    """One of 2^18 features, and the sign with which the word counts: FNV-1a, mixed as MurmurHash3 does."""
    mask = 2**64 - 1
    value = 0xCBF29CE484222325
    for byte in word.encode():
        value = (value ^ byte) * 0x100000001B3 & mask
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        value = (value ^ value >> 33) * factor & mask
    value ^= value >> 33
    return value % 2**18 + 1, -1 if value >> 63 else 1


def write_texts(path: Path, written: Path) -> None:
    """Write the hashed words of a label and a text per line as LIBSVM."""
    with open(path) as messages, open(written, "w") as file:
        for message in messages:
            label, _, text = message.partition("\t")
            counts: Counter[int] = Counter()
            for word in re.findall(r"[^\W_]+", text.lower()):
                bucket, sign = bucket_and_sign(word)
                counts[bucket] += sign
            print(label, *(f"{bucket}:{count}" for bucket, count in counts.items()), file=file)


def second_reading(path: Path, options: list[str], answer: dict[str, Any], written: Path) -> Path:
    """The examples as a file for the second checker."""
    if options == LIBSVM:
        return path
    if "--text" in options:
        write_texts(path, written)
    elif path.suffix == ".gz":
        write_images(path, answer["positive"], written)
    else:
        write_table(path, options, answer, written)
    return written


def proven(command: str, data: list[str], certificate: Path, second: Path, positive: str) -> str:
    """Which checkers accept the certificate."""
    if not certificate.exists():
        return "–"
    line = [command, "separable", *data, "--verify", str(certificate), "--json"]
    if not json.loads(timed(line)[0])["verified"]:
        return "REFUSED by the command"
    line = [sys.executable, str(CHECKER), str(certificate), str(second), positive]
    done = subprocess.run(line, capture_output=True, text=True)
    return "both" if done.stdout.startswith("this is a proof") else f"REFUSED {done.stderr}"


def measured(command: str, path: Path, options: list[str], folder: Path) -> list[str]:
    """The cells of one set."""
    data = [str(path), *options]
    found, seconds = {}, {}
    for kind, words in KINDS.items():
        line = [command, "separable", *data, *words, "--json", "--quiet"]
        output, seconds[kind] = timed([*line, "--certificate", str(folder / f"{kind}.json")])
        found[kind] = json.loads(output)
    second = second_reading(path, options, found["separation"], folder / "second")
    positive = found["separation"]["positive"]
    proofs = {proven(command, data, folder / f"{kind}.json", second, positive) for kind in KINDS}
    answer, weak, least = (found[kind] for kind in KINDS)
    on_it = weak.get("on_hyperplane")
    rows = len((weak.get("certificate") or {}).get("rows", []))
    bounds = least["least_errors"]
    errors = (
        f"{bounds['lower']:,}"
        if bounds["lower"] == bounds["upper"]
        else f"{bounds['lower']:,} to {bounds['upper']:,}"
    )
    return [
        f"{answer['examples']:,} × {answer['features']:,}",
        f"{answer['separable']} ({seconds['separable']:.2f})",
        f"{weak['separation']} ({seconds['separation']:.2f})",
        str(weak.get("rank") or ""),
        f"{on_it:,}, {weak.get('rank_on_hyperplane')}" if on_it else "0",
        str(rows) if rows else "",
        f"{errors} ({seconds['least errors']:.2f})",
        ", ".join(sorted(proofs)),
    ]


def main() -> None:
    command, folder, *names = sys.argv[1:]
    data = Path(folder)
    heads = [
        "data",
        "examples × features",
        "`separable`",
        "`--weak`",
        "rank",
        "on it, of rank",
        "rows in the proof",
    ]
    print("|", " | ".join([*heads, "`--least-errors`", "checked by"]), "|")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        temporary = Path(name)
        rcv1 = (data / "vw-rcv1_small" / "rcv1_small.dat").read_text()
        (temporary / TEXTS).write_text(re.sub(r"\|[^ ]*", "", rcv1))
        for title, file, options in SETS:
            if names and title not in names:
                continue
            path = (temporary if file == TEXTS else data) / file
            with tempfile.TemporaryDirectory() as certificates:
                cells = [title, *measured(command, path, options, Path(certificates))]
            print("|", " | ".join(cells), "|", flush=True)


main()

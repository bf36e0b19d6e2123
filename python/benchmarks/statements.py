"""The statements of `rosenblatt separable` on real data: the table of `docs/statements.md`.

    python benchmarks/statements.py ROSENBLATT DATA [NAME...]

ROSENBLATT is the command and DATA the folder of the data sets. Each answer is written as a certificate, which the
command checks, and for small tables of numbers also `docs/check_statement.py`.
"""

from __future__ import annotations

import csv
import json
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CHECKER = ROOT / "docs" / "check_statement.py"
LIBSVM = ["--format", "libsvm"]
TITANIC = [
    "--target",
    "Survived",
    "--ignore",
    "PassengerId,Name,Ticket,Cabin",
    "--missing",
    "median",
]
WDBC = ["--no-header", "--ignore", "1,32"]
SMS = ["--no-header", "--delimiter", "tab", "--target", "1", "--text", "2"]
DIGITS = "mnist/t10k-images-idx3-ubyte.gz"
SETS = [
    # name, file, options of reading, the positive label of a table that the second checker gets
    (
        "irises, setosa",
        "iris/iris.csv",
        ["--no-header", "--positive", "Iris-setosa"],
        "Iris-setosa",
    ),
    (
        "irises, versicolor",
        "iris/iris.csv",
        ["--no-header", "--positive", "Iris-versicolor"],
        "Iris-versicolor",
    ),
    (
        "irises, virginica",
        "iris/iris.csv",
        ["--no-header", "--positive", "Iris-virginica"],
        "Iris-virginica",
    ),
    *(
        (
            f"wine, {label}",
            "wine/wine.csv",
            ["--no-header", "--target", "14", "--positive", label],
            label,
        )
        for label in "123"
    ),
    ("sonar", "sonar/sonar.csv", ["--no-header"], "R"),
    ("wdbc", "wdbc/wdbc.data", WDBC, None),
    ("banknotes", "banknote_authentication/banknote_authentication.csv", ["--no-header"], "1"),
    ("heart", "libsvm-heart_scale/heart_scale", LIBSVM, None),
    ("titanic, with factors", "titanic/titanic.csv", TITANIC, None),
    ("spambase", "spambase/spam.data", ["--no-header", "--delimiter", "space"], None),
    ("mushrooms", "libsvm-mushrooms/mushrooms.txt", LIBSVM, None),
    ("adult, with factors", "adult/adult-train.csv", ["--no-header"], None),
    ("a9a", "libsvm-a9a/a9a.txt", LIBSVM, None),
    ("w8a", "libsvm-w8a/w8a", LIBSVM, None),
    ("rcv1, 1,000 texts", "rcv1.libsvm", LIBSVM, None),
    ("SMS messages", "sms-spam/SMSSpamCollection", SMS, None),
    ("digits, 0 (test images)", DIGITS, ["--positive", "0"], None),
    ("digits, 8 (test images)", DIGITS, ["--positive", "8"], None),
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


def table_for_fractions(path: Path, options: list[str], positive: str, written: Path) -> None:
    """Write a table of numbers with a header and the label, one of two, in the last column."""
    with open(path, newline="") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    target = int(options[options.index("--target") + 1]) - 1 if "--target" in options else -1
    with open(written, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([f"x{j}" for j in range(len(rows[0]) - 1)] + ["label"])
        for row in rows:
            label = row.pop(target)
            writer.writerow([*row, label if label == positive else f"not {positive}"])


def proven(
    command: str, data: list[str], certificate: Path, checked: tuple[Path, str] | None
) -> str:
    """Which checkers accept the certificate."""
    if not certificate.exists():
        return "–"
    verified = json.loads(
        timed([command, "separable", *data, "--verify", str(certificate), "--json"])[0]
    )["verified"]
    if checked is None:
        return "command" if verified else "REFUSED"
    done = subprocess.run(
        [sys.executable, CHECKER, certificate, *checked], capture_output=True, text=True
    )
    return (
        "both"
        if verified and done.stdout.startswith("this is a proof")
        else f"REFUSED {done.stderr}"
    )


def measured(
    command: str, path: Path, options: list[str], checked: tuple[Path, str] | None, folder: Path
) -> list[str]:
    """The cells of one set."""
    data, found, seconds, proofs = [str(path), *options], {}, {}, {}
    for kind, words in KINDS.items():
        certificate = folder / f"{kind}.json"
        certificate.unlink(missing_ok=True)
        line = [
            command,
            "separable",
            *data,
            *words,
            "--json",
            "--quiet",
            "--certificate",
            str(certificate),
        ]
        output, seconds[kind] = timed(line)
        found[kind] = json.loads(output)
        proofs[kind] = proven(command, data, certificate, checked)
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
        ", ".join(sorted(set(proofs.values()))),
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
        (temporary / "rcv1.libsvm").write_text(re.sub(r"\|[^ ]*", "", rcv1))
        for title, file, options, positive in SETS:
            if names and title not in names:
                continue
            path = temporary / file if file == "rcv1.libsvm" else data / file
            checked = None
            if positive is not None:
                checked = (temporary / "table.csv", positive)
                table_for_fractions(path, options, positive, checked[0])
            print(
                "|",
                " | ".join([title, *measured(command, path, options, checked, temporary)]),
                "|",
                flush=True,
            )


main()

"""Accuracy and CPU time of `rosenblatt train` with its defaults, beside other linear learners, on real tables.

    measure.py [NAME...]

It needs the package `rosenblatt`: run it with the Python of `target/python`, which `cargo xtask python` makes. The command
is built. Without names the table is written into docs/accuracy.md.

The sets are those of the folder ROSENBLATT_DATA, scikit-learn's digits and the data frames of R that `tables.csv` lists.
Every set is split into five stratified folds of its rows, or has a test file. One row of a small set is more than a
tenth of a point, so sets of less than 1000 rows are split ten times, each time in another order. The command reads the rows of a fold as
the file has them; the other learners get the matrix that `rosenblatt.read_csv` or `read_svmlight` makes of the whole
file, standardized (dense) or divided by the largest size (sparse).
"""

import csv
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import scipy.sparse
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import MaxAbsScaler, StandardScaler
from sklearn.svm import LinearSVC

import rosenblatt

NO_HEADER = ["--no-header"]
SETS = [
    # name, file, test file, options of reading
    ("iris", "iris/iris.csv", None, NO_HEADER),
    ("wine", "wine/wine.csv", None, [*NO_HEADER, "--target", "14"]),
    ("sonar", "sonar/sonar.csv", None, NO_HEADER),
    ("wdbc", "wdbc/wdbc.data", None, [*NO_HEADER, "--ignore", "1,32"]),
    ("banknote", "banknote_authentication/banknote_authentication.csv", None, NO_HEADER),
    ("heart", "libsvm-heart_scale/heart_scale", None, ["--format", "libsvm"]),
    ("spambase", "spambase/spam.data", None, [*NO_HEADER, "--delimiter", "space"]),
    ("mushrooms", "libsvm-mushrooms/mushrooms.txt", None, ["--format", "libsvm"]),
    ("adult", "adult/adult-train.csv", None, NO_HEADER),
    ("a9a", "libsvm-a9a/a9a.txt", "libsvm-a9a/a9a.t", ["--format", "libsvm"]),
    ("w8a", "libsvm-w8a/w8a", None, ["--format", "libsvm"]),
    ("sms", "sms-spam/SMSSpamCollection", None, [*NO_HEADER, "--delimiter", "tab", "--target", "1", "--text", "2"]),
]
ROOT = Path(__file__).resolve().parents[2]
FRAMES = Path(__file__).with_name("tables.csv")
WAYS = {
    "default": ["--no-folds"],
    "ten averaged epochs": ["--keep", "average", "--epochs", "10", "--scale", "standard", "--no-compare", "--no-folds"],
}
FOLDS = 5
SMALL, TIMES = 1000, 10


def made(folder):
    """The sets that other packages bring, written to a folder as CSV files with the target last."""
    digits = load_digits()
    np.savetxt(folder / "digits.csv", np.column_stack([digits.data, digits.target]), "%d", ",")
    yield "digits", folder / "digits.csv", None, NO_HEADER
    if not shutil.which("Rscript"):
        raise SystemExit("R is not installed: CONTRIBUTING.md names its packages, whose tables `Rscript` writes")
    cpu(["Rscript", str(FRAMES.with_name("export.R")), str(FRAMES), str(folder)])
    with FRAMES.open() as frames:
        for frame in csv.DictReader(frames):
            name = f"{frame['frame']} {frame['target']}"
            yield name, folder / f"{name}.csv", None, ["--header"]


def cpu(command):
    """Run a command; return its output and the seconds of CPU that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def matrix(path, options):
    """The features of a file as other learners get them, and its labels."""
    if "libsvm" in options:
        data = rosenblatt.read_svmlight(path)
    else:
        rest = [option for option in options if option not in ("--header", "--no-header")]
        words = {"--delimiter": "delimiter", "--target": "target", "--ignore": "ignore", "--text": "text"}
        named = {words[key]: value for key, value in zip(rest[::2], rest[1::2])}
        for name in ("ignore", "text"):
            if name in named:
                named[name] = [named[name]]
        named["delimiter"] = {"space": " ", "tab": "\t"}.get(named.get("delimiter"), named.get("delimiter"))
        data = rosenblatt.read_csv(path, header="--header" in options, **named)
    return data.X, np.asarray(data.y).astype(str)


def is_sparse(options):
    """Whether a file has sparse rows. A column of text that has few categories does not make them so."""
    return "libsvm" in options or "--text" in options


def folds(labels):
    """The test rows of each of five stratified folds; of ten times five for a small set."""
    times = TIMES if len(labels) < SMALL else 1
    return [rows for seed in range(1, times + 1) for rows in folds_of(labels, seed)]


def folds_of(labels, seed):
    rows = {}
    for row, label in enumerate(labels):
        rows.setdefault(label, []).append(row)
    parts = [[] for _ in range(FOLDS)]
    draw = random.Random(seed)
    place = 0
    for label in sorted(rows):
        draw.shuffle(rows[label])
        for row in rows[label]:
            parts[place % FOLDS].append(row)
            place += 1
    return [np.array(sorted(part)) for part in parts]


def ours(binary, options, way, train, test, folder):
    """The accuracy of a way to train, in per cent, and its CPU seconds. Sparse rows are not shifted."""
    way = ["maxabs" if word == "standard" and is_sparse(options) else word for word in way]
    model = folder / "model"
    report, seconds = cpu([binary, "train", str(train), *options, *way, "-o", str(model), "--json", "--quiet"])
    reading = [word for word in options if word in ("--format", "libsvm")]
    found, _ = cpu([binary, "evaluate", str(model), str(test), *reading, "--json", "--quiet"])
    return 100 * json.loads(found)["accuracy"], seconds, json.loads(report)


def peers(train_x, train_y, test_x, test_y):
    """The accuracy of other learners and the CPU seconds of their `fit`, with scaling."""
    sparse = scipy.sparse.issparse(train_x)
    scaler = MaxAbsScaler() if sparse else StandardScaler()
    for name, learner in (("LinearSVC", LinearSVC()), ("LogisticRegression", LogisticRegression(max_iter=1000))):
        start = time.process_time()
        learner.fit(scaler.fit_transform(train_x), train_y)
        seconds = time.process_time() - start
        yield name, 100 * learner.score(scaler.transform(test_x), test_y), seconds


def parts(data, entry, folder):
    """The splits of a set: files for the command, and the same rows as matrices for other learners."""
    _, file, test_file, options = entry
    path = data / file
    x, y = matrix(path, options)
    if test_file:
        x_test, y_test = matrix(data / test_file, options)
        width = max(x.shape[1], x_test.shape[1])
        x.resize(x.shape[0], width), x_test.resize(x_test.shape[0], width)
        yield path, data / test_file, (x, y, x_test, y_test)
        return
    lines = [line for line in path.read_bytes().split(b"\n") if line.strip() and not line.startswith(b"#")]
    head = [lines.pop(0)] if "--header" in options else []
    assert len(lines) == len(y), (file, len(lines), len(y))
    train, test = folder / ("train" + path.suffix), folder / ("test" + path.suffix)
    for rows in folds(y):
        rest = np.setdiff1d(np.arange(len(y)), rows)
        train.write_bytes(b"\n".join([*head, *(lines[row] for row in rest)]) + b"\n")
        test.write_bytes(b"\n".join([*head, *(lines[row] for row in rows)]) + b"\n")
        yield train, test, (x[rest], y[rest], x[rows], y[rows])


def measure(binary, data, entry, ways, peers):
    """The results of all ways to train the command, and of all other learners, on one set."""
    name, options = entry[0], entry[3]
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for train, test, matrices in parts(data, entry, Path(folder)):
            for way, words in ways.items():
                accuracy, seconds, report = ours(binary, options, words, train, test, Path(folder))
                results.setdefault(way, []).append((accuracy, seconds, report["epochs"]))
            if not is_sparse(options):
                matrices = [part.toarray() if scipy.sparse.issparse(part) else part for part in matrices]
            for peer, accuracy, seconds in peers(*matrices):
                results.setdefault(peer, []).append((accuracy, seconds, 0))
    train_x, train_y, _, test_y = matrices
    rows = len(train_y) if entry[2] else len(train_y) + len(test_y)
    return {"set": name, "rows": rows, "features": train_x.shape[1], "results": means(results)}


def means(results):
    """The mean accuracy, seconds and epochs of each way over the splits."""
    return [[way, *(round(float(np.mean(column)), 4) for column in zip(*found))] for way, found in results.items()]


def table(sets):
    """A row for each set: of each way the accuracy and the CPU seconds."""
    ways = [way for way, *_ in sets[0]["results"]]
    lines = ["| set | " + " | ".join(ways) + " |", "|---|" + "---|" * len(ways)]
    for entry in sets:
        cells = [f"{accuracy:.2f} ({seconds:.3f} s{f', {epochs:.0f} epochs' * (epochs > 0)})" for _, accuracy, seconds, epochs in entry["results"]]
        lines.append(f"| {entry['set']}, {entry['rows']} × {entry['features']} | " + " | ".join(cells) + " |")
    columns = list(zip(*(entry["results"] for entry in sets)))
    means = [f"{np.mean([it[1] for it in column]):.2f} ({sum(it[2] for it in column):.3f} s)" for column in columns]
    bests = [max(it[1] for it in entry["results"][1:]) for entry in sets]
    near = [f"{sum(it[1] >= best - 1 for it, best in zip(column, bests))} of {len(sets)}" for column in columns]
    lines.append("| mean accuracy, sum of seconds | " + " | ".join(means) + " |")
    lines.append(f"| sets within a point of the best of the last {len(ways) - 1} | " + " | ".join(near) + " |")
    return "\n".join(lines) + "\n"


def command():
    """The released command, built now, and the folder of the data sets."""
    warnings.simplefilter("ignore")
    os.environ["OMP_NUM_THREADS"] = "1"  # Threads that wait for one another take CPU time, too.
    subprocess.run(["cargo", "build", "--release", "--package", "rosenblatt-cli"], cwd=ROOT, check=True)
    return str(ROOT / "target/release/rosenblatt"), Path(os.environ.get("ROSENBLATT_DATA", ROOT / "../shared/data"))


def tell(text, begin, end, is_whole):
    """Prints tables; those of all sets go into the page, between two marks."""
    print(text)
    if is_whole:
        page = ROOT / "docs/accuracy.md"
        before, rest = page.read_text("utf-8").split(begin, 1)
        page.write_text(before + begin + text + end + rest.split(end, 1)[1], "utf-8")


def main(names):
    binary, data = command()
    ways, others = WAYS, peers
    if "ROSENBLATT_WAYS" in os.environ:  # other options of the command, as a JSON object of lists
        ways, others = json.loads(os.environ["ROSENBLATT_WAYS"]), lambda *_: ()
    with tempfile.TemporaryDirectory() as folder:
        # Named sets of the folder need no R.
        own = {entry[0] for entry in SETS}
        more = () if names and own.issuperset(names) else made(Path(folder))
        sets = [measure(binary, data, entry, ways, others) for entry in [*SETS, *more] if not names or entry[0] in names]
    tell(table(sets), "<!-- measured -->\n", "<!-- end -->\n", not names and others is peers)


if __name__ == "__main__":
    main(sys.argv[1:])

"""Accuracy and CPU time of the update rules, presets and ways to learn several classes, beside other linear learners.

    members.py [NAME...]

It needs what `measure.py` does, and `vowpalwabbit==9.11.9` from PyPI. The splits are those of `measure.py`, whose functions this program uses, without repeated splits. Two sets are added:
`rcv1`, text as weighted words with a test file, and `mnist`, images with a test file. Vowpal Wabbit reads a file in
its own form, so its seconds include reading, as those of the command do; those of scikit-learn are of scaling and
`fit`.
"""

import gzip
import itertools
import re
import sys
import tempfile
import time
from pathlib import Path

import measure
import numpy as np
import scipy.sparse
import vowpalwabbit
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression, Perceptron, SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, StandardScaler
from sklearn.svm import LinearSVC

TEXTS = [entry for entry in measure.SETS if entry[0] == "sms"]
TEXTS.append(("rcv1", "rcv1_small.libsvm", "rcv1_small_test.libsvm", ["--format", "libsvm"]))
CLASSES = [entry for entry in measure.SETS if entry[0] in ("iris", "wine")]
IMAGES = [("mnist", "train-images-idx3-ubyte.gz", "t10k-images-idx3-ubyte.gz", [])]
TABLES = [entry for entry in measure.SETS if entry not in TEXTS + CLASSES]

AVERAGED = ["--keep", "average", "--epochs", "10", "--no-folds"]
ONE_PASS = {
    "perceptron, average, one pass": ["--keep", "average", "--epochs", "1"],
    "AROW, R = 1, one pass": ["--update", "arow:1", "--epochs", "1"],
}
RULES = {
    "default": ["--no-folds"],
    "perceptron, average": AVERAGED,
    "PA-I, C = 0.1, average": ["--update", "pa1:0.1", *AVERAGED],
    "AROW, R = 10": ["--update", "arow:10", "--epochs", "10", "--no-folds"],
    "second-order, A = 1, average": ["--update", "second-order:1", *AVERAGED],
    "L2, α = 0.0001, average": ["--penalty", "l2:0.0001", *AVERAGED],
    "L1, α = 0.0001, average": ["--penalty", "l1:0.0001", *AVERAGED],
}
SEVERAL = {
    "default": ["--no-folds"],
    "one-vs-rest, average": ["--classes", "one-vs-rest", *AVERAGED],
    "joint, average": ["--classes", "joint", *AVERAGED],
    "joint PA-I, C = 0.1, average": ["--classes", "joint", "--update", "pa1:0.1", *AVERAGED],
}
FREQUENT = {"document frequency 2:": ["--document-frequency", "2:", "--no-folds"]}
TEXT = {"--preset text": ["--preset", "text", "--no-folds"]}
PIXELS = {"--preset images": ["--preset", "images"]}
KINDS = [
    (TEXTS, ONE_PASS | RULES | FREQUENT | TEXT),
    (TABLES, RULES),
    (CLASSES, SEVERAL),
    (IMAGES, SEVERAL | PIXELS),
]


def images(path):
    """The pixels of IDX images, and the labels beside them, as another learner gets them."""
    labels = path.with_name(path.name.replace("images-idx3", "labels-idx1"))
    with gzip.open(path) as file:
        pixels = np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 784) / 255
    with gzip.open(labels) as file:
        return pixels, np.frombuffer(file.read(), np.uint8, offset=8).astype(str)


def as_libsvm(path, folder):
    """Writes rows of Vowpal Wabbit as LIBSVM rows, as docs/tables.md says."""
    written = folder / (path.stem + ".libsvm")
    written.write_text(re.sub(r"\|[^ ]*", "", path.read_text()))


def splits(data, entry, folder):
    if entry[0] == "mnist":
        train, test = (data / "mnist" / file for file in entry[1:3])
        yield train, test, (*images(train), *images(test))
        return
    if entry[0] == "rcv1":
        for name in ("rcv1_small.dat", "rcv1_small_test.data"):
            as_libsvm(data / "vw-rcv1_small" / name, folder)
        data = folder
    yield from measure.parts(data, entry, folder)


def learners(text):
    """Learners of scikit-learn, after the preparation that they need."""
    linear = [LinearSVC(), LogisticRegression(max_iter=1000), Perceptron(), SGDClassifier()]
    for learner in linear:
        yield type(learner).__name__, learner
    if text:
        yield "tf-idf, LinearSVC", make_pipeline(TfidfTransformer(), LinearSVC())


def of_scikit_learn(parts, text):
    train_x, train_y, test_x, test_y = parts
    positive = scipy.sparse.issparse(train_x) or train_x.min() >= 0 and train_x.max() <= 1
    for name, learner in learners(text):
        whole = learner if name.startswith("tf-idf") else make_pipeline(MaxAbsScaler() if positive else StandardScaler(), learner)
        start = time.process_time()
        whole.fit(train_x, train_y)
        seconds = time.process_time() - start
        yield name, 100 * whole.score(test_x, test_y), seconds


def numbers_of(x):
    """The features of each row, as Vowpal Wabbit reads them."""
    rows = scipy.sparse.csr_matrix(x)
    for row in range(x.shape[0]):
        span = slice(rows.indptr[row], rows.indptr[row + 1])
        yield " ".join(f"{j}:{v:.9g}" for j, v in zip(rows.indices[span], rows.data[span]))


def words_of(path):
    """The text of each row, without the two characters that Vowpal Wabbit reads otherwise."""
    for line in path.read_text().split("\n"):
        if line:
            yield re.sub("[:|]", " ", line.split("\t", 1)[1])


def vowpal_wabbit_file(path, features, labels):
    """Writes rows in a random order, because Vowpal Wabbit learns in the order of its file, which may be sorted."""
    rows = [f"{label} | {cells}\n" for label, cells in zip(labels, features, strict=True)]
    np.random.default_rng(1).shuffle(rows)
    path.write_text("".join(rows))


def of_vowpal_wabbit(files, parts, folder):
    """Its defaults for two classes with the logistic loss, or one against all; then five passes."""
    train_x, train_y, test_x, test_y = parts
    names = sorted(set(train_y))
    numbers = dict(zip(names, (-1, 1) if len(names) == 2 else range(1, len(names) + 1)))
    kind = ["--binary"] if len(names) == 2 else ["--oaa", str(len(names))]
    train, test, model, found = (str(folder / name) for name in ("train.vw", "test.vw", "vw.model", "found"))
    texts = map(words_of, files) if files else (numbers_of(train_x), numbers_of(test_x))
    for path, text, labels in zip((train, test), texts, (train_y, test_y)):
        vowpal_wabbit_file(Path(path), text, [numbers[label] for label in labels])
    wanted = np.array([int(line.split(" ", 1)[0]) for line in open(test)])
    for name, passes in (("VW", []), ("VW, five passes", ["--passes", "5", "-k", "--cache_file", train + ".cache"])):
        options = ["--loss_function", "logistic", *kind, "-b", "18", "-d", train, "-f", model, "--quiet", *passes]
        start = time.process_time()
        vowpalwabbit.Workspace(arg_list=options).finish()
        seconds = time.process_time() - start
        vowpalwabbit.Workspace(arg_list=["-d", test, "-i", model, "-t", "-p", found, "--quiet"]).finish()
        yield name, 100 * (np.loadtxt(found) == wanted).mean(), seconds


def measured(binary, data, entry, ways):
    """The results of all ways to train the command, and of all other learners, on one set."""
    results = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for train, test, parts in splits(data, entry, folder):
            for way, words in ways.items():
                accuracy, seconds, report = measure.ours(binary, entry[3], words, train, test, folder)
                results.setdefault(way, []).append((accuracy, seconds, report["epochs"]))
            for peers in (of_vowpal_wabbit((train, test) if "--text" in entry[3] else None, parts, folder), of_scikit_learn(parts, entry in TEXTS)):
                for peer, accuracy, seconds in peers:
                    results.setdefault(peer, []).append((accuracy, seconds, 0))
    x, y, _, test_y = parts
    rows = len(y) if entry[2] else len(y) + len(test_y)
    return {"set": entry[0], "rows": rows, "features": x.shape[1], "results": measure.means(results)}


def table(sets):
    """A column for each set, a row for each way; all were learned in the same ways."""
    lines = ["| |" + "".join(f" {it['set']}, {it['rows']} × {it['features']} |" for it in sets), "|---|" + "---|" * len(sets)]
    for row in zip(*(it["results"] for it in sets)):
        lines.append(f"| {row[0][0]} |" + "".join(f" {accuracy:.2f} ({seconds:.3f} s) |" for _, accuracy, seconds, _ in row))
    return "\n".join(lines) + "\n"


def main(names):
    measure.TIMES = 1
    binary, data = measure.command()
    sets = [measured(binary, data, entry, ways) for entries, ways in KINDS for entry in entries if not names or entry[0] in names]
    groups = itertools.groupby(sets, key=lambda it: [way for way, *_ in it["results"]])
    text = "\n".join(table(list(group)) for _, group in groups)
    measure.tell(text, "<!-- members -->\n", "<!-- end of members -->\n", not names)


main(sys.argv[1:])

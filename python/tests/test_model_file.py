"""docs/reference/predict.py reads model files as the command does: equal labels, scores and refusals."""

import importlib.util
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "docs" / "reference" / "predict.py"
DATA = ROOT / "data"
OLD = ROOT / "crates" / "rosenblatt-data" / "tests" / "old_files"

spec = importlib.util.spec_from_file_location("predict", PROGRAM)
assert spec is not None
assert spec.loader is not None
predict = importlib.util.module_from_spec(spec)
spec.loader.exec_module(predict)

LINEAR = [
    *[f"--keep {keep}" for keep in ("auto", "last", "average", "pocket")],
    *[f"--scale {scale}" for scale in ("none", "standard", "maxabs", "minmax")],
    *[f"--bias {bias} --scale none" for bias in ("none", "unit:0.1", "radius")],
    "--classes joint",
    "--classes one-vs-rest",
    "--init random --eta 0.3",
    "--update arow:1",
    "--update pa1:0.5 --mistake label",
    "--penalty l1:0.01",
]
DUAL = [
    f"--kernel {kernel} --keep {keep} --scale {scale}"
    for kernel in ("linear", "poly:1", "poly:3:0.5:2", "poly:4:0", "rbf:0.5", "rbf:300")
    for keep, scale in (("last", "none"), ("average", "auto"), ("vote", "none"))
]
VOTED = ["--keep vote", "--keep vote --bias radius", "--keep vote --bias none --mistake label"]


def table(seed, classes, header):
    """Lines of a table: whole numbers, which give scores of 0, or tenths, whose products are rounded."""
    rng = random.Random(seed)
    features = rng.randint(1, 4)

    def cell():
        return str(rng.randint(-2, 2)) if seed % 2 else f"{rng.randint(-30, 30) / 10}"

    lines = [[cell() for _ in range(features)] + [f"c{i % classes}"] for i in range(24)]
    names = [[*(f"x{i}" for i in range(features)), "class"]] if header else []
    return [",".join(cells) for cells in names + lines]


def numbers(text):
    """Labels and scores, with the scores as numbers."""
    lines = [line.split("\t") for line in text.splitlines()]
    return [(label, *map(float, scores)) for label, *scores in lines]


def program(*words):
    """Run the program, and return its exit code, output and message."""
    command = [sys.executable, str(PROGRAM), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    return done.returncode, done.stdout, done.stderr


def edited(path, change, name="edited"):
    """A copy of a model file whose header and JSON text were changed, with the checksum that belongs to it."""
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    text = json.loads(header["__metadata__"]["rosenblatt"])
    change(header, text)
    header["__metadata__"]["rosenblatt"] = json.dumps(text)
    head = json.dumps(header).encode()
    head += b" " * (-len(head) % 8)
    data = len(head).to_bytes(8, "little") + head + data[start:]
    if "checksum" in header:
        place = 8 + len(head) + header["checksum"]["data_offsets"][0]
        right = predict.checksum(data[:place], data[place + 8 :])
        data = data[:place] + right + data[place + 8 :]
    copy = path.with_name(name)
    copy.write_bytes(data)
    return copy


@pytest.fixture
def agree(run, tmp_path):
    """Train, predict with both programs and compare all labels and all digits of the scores."""

    def agree(data, options, rows=None, reading=()):
        model = tmp_path / "model"
        run("train", data, *options.split(), *reading, "--quiet", "-o", model)
        same(data, model, rows, reading)

    def same(data, model, rows=None, reading=()):
        expected = numbers(run("predict", model, data, *reading, "--scores", "--quiet"))
        code, out, message = program(model, rows or data, "--scores")
        assert (code, message) == (0, "")
        assert numbers(out) == expected

    agree.same = same
    return agree


@pytest.mark.parametrize("options", LINEAR + DUAL + VOTED)
def test_random_tables_give_equal_labels_and_scores(agree, tmp_path, options):
    for seed in range(4):
        header, classes = seed % 3 != 0, 3 if seed % 4 > 1 else 2
        data = tmp_path / "data.csv"
        data.write_text("\n".join(table(seed, classes, header)) + "\n")
        zero = "negative" if seed == 1 else "positive"
        reading = () if header else ("--no-header",)
        agree(data, f"{options} --zero {zero} --epochs 6 --seed {seed}", None, reading)


@pytest.mark.parametrize(
    "options", ["", "--scale none --keep last", "--kernel rbf:0.2", "--keep vote"]
)
@pytest.mark.parametrize("data", ["iris.csv", "and.csv", "xor.csv", "sonar.csv"])
def test_sets_of_the_project_give_equal_labels_and_scores(agree, data, options):
    agree(DATA / data, f"{options} --epochs 5")


def test_rows_may_lack_what_the_model_does_not_use(run, tmp_path):
    lines = [line.split(",") for line in table(4, 2, True)]
    turned, bare = [list(reversed(cells)) for cells in lines], [cells[:-1] for cells in lines[1:]]
    files = {"data.csv": lines, "turned.csv": turned, "rows.csv": lines[1:], "bare.csv": bare}
    for name, rows in files.items():
        (tmp_path / name).write_text("\n".join(map(",".join, rows)))
    run("train", "data.csv", "-o", "by_name")
    run("train", "rows.csv", "--no-header", "-o", "by_place")
    expected = run("predict", "by_name", "data.csv")
    assert len(expected.splitlines()) == len(bare)
    assert program(tmp_path / "by_name", tmp_path / "turned.csv") == (0, expected, "")
    assert program(tmp_path / "by_place", tmp_path / "bare.csv") == (0, expected, "")


def test_a_model_of_libsvm_data_takes_all_features_in_order(agree, tmp_path):
    lines = [line.split(",") for line in table(5, 2, False)]
    entries = [[f"{j}:{x}" for j, x in enumerate(cells[:-1], 1) if float(x)] for cells in lines]
    data = tmp_path / "data.libsvm"
    data.write_text("".join(f"{i % 2} {' '.join(row)}\n" for i, row in enumerate(entries)))
    rows = tmp_path / "rows.csv"
    rows.write_text("\n".join(",".join(cells[:-1]) for cells in lines))
    for options in ("", "--kernel poly:2 --scale none"):
        agree(data, options, rows)


@pytest.mark.parametrize("model", sorted(OLD.glob("*.model")), ids=lambda path: path.name)
def test_files_of_every_version_are_read(agree, model):
    agree.same(DATA / "xor.csv", model)


@pytest.mark.parametrize("method", ["temperature", "platt", "isotonic", "venn-abers"])
@pytest.mark.parametrize("classes", ["", "--positive Iris-versicolor", "--kernel rbf:0.5"])
def test_labels_of_calibrated_models(agree, method, classes):
    agree(DATA / "iris.csv", f"--calibrate {method} --folds 3 --epochs 5 {classes}")


def test_a_changed_byte_is_refused_by_both(run, command, tmp_path):
    """Every byte for the program; a sample of them for the command, whose own tests change every bit."""
    rng = random.Random(0)
    for options in ([], ["--kernel", "rbf:1"], ["--keep", "vote"]):
        model = tmp_path / "model"
        run("train", DATA / "xor.csv", "--epochs", "3", *options, "-o", model)
        data = model.read_bytes()
        predict.load(data)
        for place in range(len(data)):
            damaged = bytearray(data)
            damaged[place] ^= rng.randrange(1, 256)
            with pytest.raises((ValueError, LookupError, TypeError)):
                predict.load(bytes(damaged))
            if place % (len(data) // 12) == 0:
                (tmp_path / "damaged").write_bytes(damaged)
                words = [command, "predict", tmp_path / "damaged", DATA / "xor.csv"]
                assert subprocess.run(words, capture_output=True).returncode == 2
                code, out, message = program(tmp_path / "damaged", DATA / "xor.csv")
                assert (code, out, message[:7]) == (1, "", "error: ")
        for cut in (data[:-1], data + b"\0", data[:100], b""):
            with pytest.raises((ValueError, LookupError, TypeError)):
                predict.load(cut)


def test_other_versions_are_refused_by_both(run, command, tmp_path):
    model = tmp_path / "model"
    run("train", DATA / "and.csv", "-o", model)

    def version(number):
        return lambda header, text: text.update(format_version=number)

    def without_checksum(header, text):
        header["other"] = header.pop("checksum")

    def version_1_without_checksum(header, text):
        without_checksum(header, text)
        text["format_version"] = 1

    def outcome(change):
        path = edited(model, change)
        done = subprocess.run([command, "predict", path, DATA / "and.csv"], capture_output=True)
        code, _, message = program(path, DATA / "and.csv")
        assert (done.returncode == 0) == (code == 0)
        return message

    assert [outcome(version(number)) for number in range(1, 9)] == [""] * 8
    assert "format version 9" in outcome(version(9))
    assert "format version 0" in outcome(version(0))
    assert "no checksum" in outcome(without_checksum)
    assert outcome(version_1_without_checksum) == ""


def test_files_without_the_tie_rule_are_read_as_they_were_meant(agree, run, tmp_path):
    """All weights are 0, so the tie rule decides every row."""
    for options, label_type in (
        (("--mistake", "margin"), True),
        (("--mistake", "label"), True),
        ((), False),
    ):
        model = tmp_path / "model"
        run("train", DATA / "and.csv", "--scale", "none", "--epochs", 1, *options, "-o", model)

        def older(header, text, label_type=label_type):
            del text["options"]["zero"]
            text.update({"label_type": "integer"} if label_type else {})

        def zeros(path):
            data = path.read_bytes()
            start = 8 + int.from_bytes(data[:8], "little")
            header = json.loads(data[8:start])
            for name in ("weights", "bias"):
                begin, end = (start + offset for offset in header[name]["data_offsets"])
                data = data[:begin] + bytes(end - begin) + data[end:]
            path.write_bytes(data)
            return edited(path, lambda header, text: None, "zeros")

        agree.same(DATA / "and.csv", zeros(edited(model, older)))


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ("--normalise l2", "normalise"),
        ("--weighting log", "weighting"),
        ("--document-frequency 2:", "document_frequency"),
        ("--interactions a,b", "interactions"),
        ("--categorical b", "categories"),
        ("--missing mean", "missing"),
        ("--text b --bits 4", "words"),
    ],
)
def test_what_is_not_implemented_is_refused(run, tmp_path, options, name):
    (tmp_path / "data.csv").write_text("a,b,y\n1,2,p\n2,1,q\n2,2,q\n0,1,p\n")
    run("train", "data.csv", *options.split(), "-o", "model", "--quiet")
    code, out, message = program(tmp_path / "model", tmp_path / "data.csv")
    assert (code, out) == (1, "")
    assert "does not implement" in message
    assert name in message


@pytest.mark.parametrize("row", ["1", "1,2,3,4", "1,x,1", "nan,1,1", "1,inf,1", "1e999,1,1"])
@pytest.mark.parametrize("options", [(), ("--kernel", "rbf:1", "--scale", "none")])
def test_rows_that_do_not_fit_are_refused(run, tmp_path, options, row):
    run(
        "train",
        DATA / "and.csv",
        *options,
        "-o",
        "model",
        "--quiet",
        "--no-header",
        "--on-error",
        "skip",
    )
    (tmp_path / "rows.csv").write_text(row)
    assert program(tmp_path / "model", tmp_path / "rows.csv")[0] == 1


def test_the_program_is_short_and_has_no_dependency():
    lines = [line for line in PROGRAM.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert len(lines) <= 125
    assert max(map(len, lines)) <= 120
    imported = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
    assert imported <= sys.stdlib_module_names

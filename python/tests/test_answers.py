"""In an `if`, an answer means what it says: a proven yes is true, a proven no is false, and anything else raises."""

from __future__ import annotations

import ast
import pickle
from pathlib import Path

import pytest

import rosenblatt
from rosenblatt import (
    Answer,
    Check,
    Guarantee,
    convergence,
    least_errors,
    separable,
    separation,
    study,
    verify,
    verify_convergence,
    verify_least_errors,
    verify_separation,
)

PACKAGE = Path(rosenblatt.__file__).parent
# An answer has one of these attributes.
ATTRIBUTES = {"separable", "separation", "verified", "certificate", "withheld", "lower"}
AND, XOR = [0, 0, 0, 1], [0, 1, 1, 0]
ROWS = [[0, 0], [0, 1], [1, 0], [1, 1]]


def classes():
    """The classes of all files of the package, also of those that need Spark."""
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        yield from (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def test_every_class_of_answers_has_the_truth_of_the_base_class():
    named = {node.name: node for node in classes()}

    def is_answer(name):
        bases = [ast.unparse(base) for base in named[name].bases] if name in named else []
        return name in ("Answer", "HyperplaneAnswer") or any(map(is_answer, bases))

    answers = set()
    for name, node in named.items():
        fields = {
            field.target.id
            for field in node.body
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        }
        methods = {method.name for method in node.body if isinstance(method, ast.FunctionDef)}
        if fields & ATTRIBUTES and name not in ("Answer", "HyperplaneAnswer"):
            assert is_answer(name), name
            answers.add(name)
        assert name == "Answer" or "__bool__" not in methods, name
    assert answers == {
        "Check",
        "Convergence",
        "Guarantee",
        "LeastErrors",
        "Separability",
        "Separation",
        "SparkSeparability",
        "Study",
        "Verification",
    }


def test_every_check_of_a_proof_returns_a_check():
    checks = [name for name in rosenblatt.__all__ if name.startswith("verify")]
    assert checks == ["verify", "verify_convergence", "verify_least_errors", "verify_separation"]
    for ask, check in (
        (separable, verify),
        (separation, verify_separation),
        (least_errors, verify_least_errors),
    ):
        certificate = ask(ROWS, XOR).certificate
        right, wrong = check(certificate, ROWS, XOR), check(certificate, ROWS, [1, 0, 1, 1])
        assert isinstance(right, Check)
        assert (bool(right), right.verified, right.problem) == (True, True, None)
        assert (bool(wrong), wrong.verified, isinstance(wrong.problem, str)) == (False, False, True)
    opposite, labels = [[1, 0], [-1, 0], [0, 1]], [1, 1, 0]
    rule = {"bias": "none", "mistake": "label", "zero": "positive"}
    certificate = convergence(opposite, labels, **rule).certificate
    assert verify_convergence(certificate, opposite, labels)
    assert not verify_convergence(certificate, opposite, [1, 0, 0])
    assert not verify_convergence(certificate, opposite, labels, bias="unit")


def answers():
    """An answer of each kind, about the rows that come with it."""
    half = {"bias": "none", "mistake": "label", "zero": "positive"}
    opposite = [[1, 0], [-1, 0], [0, 1]], [1, 1, 0]
    return [
        (separable(ROWS, AND), ROWS, AND),
        (separable(ROWS, XOR, positive=1, bias="radius"), ROWS, XOR),
        (separation(ROWS, AND), ROWS, AND),
        (least_errors(ROWS, XOR, intercept=False), ROWS, XOR),
        (convergence(ROWS, XOR), ROWS, XOR),
        (convergence(*opposite, **half), *opposite),
    ]


@pytest.mark.parametrize("place", range(6))
def test_an_answer_checks_its_own_proof(place):
    answer, X, y = answers()[place]
    assert answer.verified is True
    assert answer.verify().verified is True
    assert answer.verify() == answer.verify(X, y)
    others = [1 - label for label in y] if place not in (1, 3, 4) else [0, 0, 1, 1]
    assert not answer.verify(X, others)
    # A pickle has the proof, but not the rows.
    read = pickle.loads(pickle.dumps(answer))
    assert read == answer
    assert read.verify(X, y)
    with pytest.raises(
        ValueError, match=r"does not have the rows that it is about: verify\(X, y\)"
    ):
        read.verify()
    with pytest.raises(ValueError, match="verify needs both X and y, or neither"):
        answer.verify(X)


def test_an_answer_without_a_proof_says_so():
    for answer in (Guarantee(0.1, 0.95, "one_pass"), study(ROWS, AND, runs=2)):
        assert answer.verified is False
        with pytest.raises(ValueError, match="this answer has no proof"):
            answer.verify()
    check = verify(separable(ROWS, AND).certificate, ROWS, AND)
    assert check.verify() is check


def test_text_table_and_frame_have_the_same_cells():
    found = [answer for answer, *_ in answers()]
    found += [study(ROWS, AND, runs=30), Guarantee(0.1, 0.95, "one_pass"), found[0].verify()]
    for answer in found:
        frame = answer.to_frame()
        html = answer._repr_html_()
        assert all(f"<th>{name}</th>" in html for name in frame.columns)
        assert html.count("<tr>") == 1 + min(len(frame), 21)
        assert str(answer)
    assert str(separable(ROWS, XOR)).splitlines()[0] == "separable: no"
    frame = separable(ROWS, AND).to_frame().set_index("name")["value"]
    assert frame["margin lower"] == separable(ROWS, AND).margin["lower"]
    table = separation([[1], [2]], [0, 1]).to_frame()
    assert table.to_dict("list") == {"column": ["(Intercept)", "x0"], "estimate": ["-inf", "+inf"]}
    runs = study(ROWS, AND, runs=30, seed=5).to_frame()
    assert runs["seed"].tolist() == list(range(5, 35))
    assert "… 10 more" in study(ROWS, AND, runs=30)._repr_html_()


def test_a_hyperplane_of_an_answer_is_drawn():
    pytest.importorskip("matplotlib").use("agg")
    drawn = separable(ROWS, AND).plot()
    assert drawn.errors.tolist() == [False] * 4
    assert len(drawn.margin_lines_) == 2
    drawn = least_errors(ROWS, XOR, positive=1).plot()
    assert (drawn.errors.sum(), drawn.classes) == (1, ["not 1", "1"])
    assert separation(ROWS, AND).plot().line_ is not None
    assert study(ROWS, AND, runs=5).plot().runs == 5
    with pytest.raises(ValueError, match="there is no hyperplane to draw: the answer is 'no'"):
        separable(ROWS, XOR).plot()
    with pytest.raises(ValueError, match="a plane has two features, these rows have 1"):
        separable([[1], [2]], [0, 1]).plot()


def test_yes_is_true_no_is_false_and_the_rest_raises():
    assert bool(separable(ROWS, AND)) is True
    assert bool(separable(ROWS, XOR)) is False
    assert bool(convergence(ROWS, AND)) is True
    assert bool(convergence(ROWS, XOR)) is False
    assert bool(Guarantee(0.1, 0.95, "one_pass")) is True
    assert bool(Guarantee(withheld="sorted")) is False
    for answer in (
        separation(ROWS, XOR),
        least_errors(ROWS, XOR),
        convergence(ROWS, AND, update="pa"),
        study(ROWS, AND, runs=2),
    ):
        assert isinstance(answer, Answer)
        with pytest.raises(ValueError, match="neither yes nor no: compare"):
            bool(answer)

"""In an `if`, an answer means what it says: a proven yes is true, a proven no is false, and anything else raises."""

from __future__ import annotations

import ast
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
        return name == "Answer" or any(map(is_answer, bases))

    answers = set()
    for name, node in named.items():
        fields = {
            field.target.id
            for field in node.body
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        }
        methods = {method.name for method in node.body if isinstance(method, ast.FunctionDef)}
        if fields & ATTRIBUTES:
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

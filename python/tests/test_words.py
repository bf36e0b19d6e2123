"""The types of parameters, which an editor completes, have the words that the engine accepts."""

from __future__ import annotations

import inspect
from typing import get_args

import pytest

from rosenblatt import (
    KernelPerceptron,
    Perceptron,
    VotedPerceptron,
    _native,
    _parameters,
    _words,
    convergence,
    separable,
    separation,
    study,
    verify,
)

CHOICES = _native.choices()


def words(kind):
    """The words of a type, also of one that other texts or numbers belong to."""
    parts = [word for part in get_args(kind) for word in get_args(part)]
    return set(parts or get_args(kind))


@pytest.mark.parametrize(
    "name",
    [
        "keep",
        "order",
        "init",
        "bias",
        "mistake",
        "zero",
        "classes",
        "scale",
        "weighting",
        "normalise",
        "calibrate",
        "tally",
        "sweep",
    ],
)
def test_the_words_are_those_of_the_engine(name):
    none = _parameters.PREPARATION[name][0] if name in _parameters.PREPARATION else None
    assert words(getattr(_words, name.title())) == {word for word in CHOICES[name] if word != none}


def test_the_names_of_rules_kernels_and_penalties():
    for name in words(_words.Update):
        number = None if name in ("perceptron", "pa") else 1.0
        assert Perceptron(update=name, C=number).fit([[0], [1]], [0, 1]).n_iter_ > 0
    for name in words(_words.Kernel):
        numbers = {"poly": {"degree": 2}, "rbf": {"gamma": "auto"}}.get(name, {})
        assert Perceptron(kernel=name, **numbers).fit([[0], [1]], [0, 1]).n_iter_ > 0
    for name in words(_words.Penalty):
        assert Perceptron(penalty=name, max_iter=1).fit([[0], [1]], [0, 1]).n_iter_ == 1
    for name in words(_words.Gamma):
        assert Perceptron(kernel="rbf", gamma=name).fit([[0], [1]], [0, 1]).n_iter_ > 0


@pytest.mark.parametrize(
    "function",
    [Perceptron, KernelPerceptron, VotedPerceptron, separable, verify, convergence, study],
    ids=lambda function: function.__name__,
)
def test_every_parameter_with_words_has_their_type(function):
    """No parameter whose values are words is a mere `str`."""
    named = {name.lower() for name in vars(_words) if name[0].isupper()}
    for name, parameter in inspect.signature(function).parameters.items():
        if name in named:
            assert parameter.annotation.startswith("_words."), name


def test_answers_have_the_words_of_their_types():
    rows = [[0], [1], [2]]
    verdicts = {separable(rows, labels).separable for labels in ([0, 0, 1], [0, 1, 0])}
    assert verdicts < set(get_args(_words.Verdict))
    cases = [separation(rows, labels) for labels in ([0, 0, 1], [0, 1, 0])]
    assert {case.separation for case in cases} < set(get_args(_words.Case))
    estimates = {column.estimate for case in cases for column in case.columns}
    assert estimates < set(get_args(_words.Estimate))

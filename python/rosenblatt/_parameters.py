"""The parameters of the estimators: their valid values, and the engine's options for them."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from numbers import Integral, Real
from operator import attrgetter
from typing import Any, TypeAlias

import numpy as np

from . import _native

Rule: TypeAlias = "tuple[Callable[[Any], bool], str]"
"""Whether a value is valid, and the description of the valid values."""

# The names that the engine accepts for each option.
_CHOICES = _native.choices()

RELABELLING: tuple[str, ...] = tuple(_CHOICES["calibrate_labels"])
"""The methods of `calibrate` with which labels follow the largest probability."""

_RULES_WITH = _native.rules()

# The parameters of a run, with the engine's names of these options.
_OPTION_NAMES = {
    "update": "update",
    "keep": "keep",
    "kernel": "kernel",
    "penalty": "penalty",
    "bias": "bias",
    "mistake": "mistake",
    "zero": "zero",
    "order": "order",
    "init": "init",
    "random_state": "seed",
    "max_iter": "epochs",
    "max_mistakes": "allow_mistakes",
    "eta0": "eta",
    "class_weight": "class_weight",
    "classes": "classes",
}

# The values of parameters that an estimator does not have.
_ABSENT: dict[str, Any] = {
    "C": None,
    "gamma": None,
    "degree": None,
    "coef0": None,
    "penalty": None,
    "alpha": 0.0001,
    "l1_ratio": 0.15,
    "tol": None,
    "early_stopping": False,
    "validation_fraction": 0.1,
    "n_iter_no_change": 5,
    "keep": "vote",
    "init": "zero",
    "tally": "vote",
    "classes": "one-vs-rest",
    "warm_start": False,
}


def value_of(estimator: Any, name: str) -> Any:
    """Return the value of a parameter, also if the estimator does not have it."""
    return getattr(estimator, name, _ABSENT[name]) if name in _ABSENT else getattr(estimator, name)


def has_rule(what: str, update: str) -> bool:
    """Return whether an update rule has ``"precisions"`` of the weights, or the ``"bound"`` of the perceptron."""
    return update.partition(":")[0] in _RULES_WITH[what]


def check(estimator: Any) -> None:
    """Raise `ValueError` for the first invalid parameter; the engine checks `update`, `kernel` and `bias`."""
    owner = type(estimator).__name__
    for name in _RULES:
        if name in _ABSENT or hasattr(estimator, name):
            check_value(owner, name, value_of(estimator, name))
    _check_number_of_rule(estimator)
    _check_numbers_of_kernel(estimator)
    _check_tol(estimator)
    if not estimator.shuffle and estimator.order == "shuffle":
        raise ValueError("shuffle=False and order='shuffle' contradict one another")
    if estimator.calibrate is not None:
        _check_calibrate(owner, estimator)
    bias = estimator.bias
    if not estimator.fit_intercept and bias not in (None, "none"):
        raise ValueError(f"fit_intercept=False and bias={bias!r} contradict one another")


def _check_tol(estimator: Any) -> None:
    """Raise `ValueError` for a `tol` whose losses another parameter leaves undefined."""
    tol = value_of(estimator, "tol")
    if tol is None:
        return
    update, classes = str(getattr(estimator, "update", "")), value_of(estimator, "classes")
    excluded = {
        "kernel": estimator.kernel is not None,
        "update": has_rule("precisions", update),
        "penalty": value_of(estimator, "penalty") is not None,
        "order": estimator.order == "mistaken",
    }
    name = next((name for name, is_excluded in excluded.items() if is_excluded), None)
    if name is not None and not value_of(estimator, "early_stopping"):
        given = f"{name}={getattr(estimator, name)!r} and tol={tol!r}"
        raise ValueError(
            f"{given} exclude one another: leave out tol or {name}, or use early_stopping=True"
        )
    if classes == "joint":
        raise ValueError(
            f"classes={classes!r} and tol={tol!r} exclude one another: leave out tol, or use classes='one-vs-rest'"
        )


def _check_calibrate(owner: str, estimator: Any) -> None:
    # The first would choose the model by the examples that calibrate it, the second would have learned from them.
    for name in ("early_stopping", "warm_start"):
        if value_of(estimator, name):
            raise ValueError(
                f"{name}=True and calibrate={estimator.calibrate!r} exclude one another"
            )
    tally = value_of(estimator, "tally")
    if tally != "vote":
        raise ValueError(
            f"tally={tally!r} and calibrate={estimator.calibrate!r} exclude one another: "
            "the probabilities are those of the vote"
        )


_NUMBERS_OF_KERNELS = {"linear": (), "poly": ("degree", "coef0", "gamma"), "rbf": ("gamma",)}
"""The parameters of each kernel, in the order of its text."""

_NEEDED = {"poly": ("degree", "degree=2"), "rbf": ("gamma", "gamma='auto'")}

_RULES_WITHOUT_NUMBER = ("perceptron", "pa")


def _check_number_of_rule(estimator: Any) -> None:
    number, update = value_of(estimator, "C"), value_of(estimator, "update")
    if number is None:
        return
    name, colon, _ = update.partition(":")
    if colon:
        raise ValueError(
            f"update={update!r} and C={number!r} both give the number of the rule: leave out C, or use update={name!r}"
        )
    if name in _RULES_WITHOUT_NUMBER:
        raise ValueError(
            f"update={update!r} has no number, and C={number!r} is one: leave out C, or use another rule, such as "
            "update='pa1'"
        )


def _check_numbers_of_kernel(estimator: Any) -> None:
    values = {name: value_of(estimator, name) for name in _NUMBERS_OF_KERNELS["poly"]}
    given = [name for name, value in values.items() if value is not None]
    needed, example = _NEEDED.get(estimator.kernel, (None, None))
    if needed is not None and needed not in given:
        raise ValueError(f"kernel={estimator.kernel!r} needs a {needed}: for instance {example}")
    if not given:
        return
    kernel, first = estimator.kernel, f"{given[0]}={values[given[0]]!r}"
    if kernel is None:
        with_it = "rbf" if given == ["gamma"] else "poly"
        raise ValueError(
            f"kernel=None has no numbers, and {first} is one: leave out {given[0]}, or use kernel={with_it!r}"
        )
    name, colon, _ = kernel.partition(":")
    if colon:
        raise ValueError(
            f"kernel={kernel!r} and {first} both give numbers of the kernel: leave out {given[0]}, or use "
            f"kernel={name!r} with all numbers as parameters"
        )
    for other in given:
        if other not in _NUMBERS_OF_KERNELS.get(name, given):
            raise ValueError(
                f"kernel={kernel!r} has no {other}, and {other}={values[other]!r} is one: leave out {other}"
            )


_NAMES: dict[type, Callable[[Any], tuple[Any, ...]]] = {}


def immutable_values(estimator: Any) -> tuple[Any, ...] | None:
    """Return the values of all parameters, or None if one of them could change in place."""
    kind = type(estimator)
    if kind not in _NAMES:
        _NAMES[kind] = attrgetter(*kind._get_param_names())
    values = _NAMES[kind](estimator)
    return values if all(type(value) in _IMMUTABLE for value in values) else None


_IMMUTABLE = {type(None), bool, int, float, str}


def check_value(owner: str, name: str, value: Any, rule: Rule | None = None) -> None:
    """Raise `ValueError` for an invalid value of a parameter."""
    is_valid, expected = _RULES[name] if rule is None else rule
    if not is_valid(value):
        raise ValueError(
            f"The {name!r} parameter of {owner} must be {expected}. Got {value!r} instead."
        )


MOST_EPOCHS = 1000
"""The number of epochs that a run without `max_iter` makes at most."""


def has_own_end(estimator: Any) -> bool:
    """Return whether other parameters than `max_iter` say when a run ends."""
    return (
        value_of(estimator, "tol") is not None
        or value_of(estimator, "early_stopping")
        or estimator.max_mistakes > 0
    )


def engine_options(**parameters: Any) -> _native.Options:
    """Convert parameters to the engine's options."""
    rest = {"keep": "last", "kernel": None, "penalty": None, "order": "shuffle", "init": "zero"}
    uniform = {"max_mistakes": 0, "class_weight": "uniform", "classes": "one-vs-rest"}
    values = {**rest, **uniform, **parameters}
    return _native.Options({_OPTION_NAMES[name]: value for name, value in values.items()})


def penalty_text(estimator: Any) -> str | None:
    """Return the engine's text of the penalty."""
    penalty, alpha = value_of(estimator, "penalty"), float(value_of(estimator, "alpha"))
    if penalty is None:
        return None
    ratio = f":{float(value_of(estimator, 'l1_ratio'))!r}" if penalty == "elasticnet" else ""
    return f"{penalty}:{alpha!r}{ratio}"


def update_text(estimator: Any) -> str:
    """Return the engine's text of the update rule."""
    update, number = str(value_of(estimator, "update")), value_of(estimator, "C")
    return update if number is None else f"{update}:{float(number)!r}"


def kernel_text(estimator: Any, gamma: float | None) -> str | None:
    """Return the engine's text of the kernel; `gamma` is what the rows make of a `gamma` that is a text."""
    kernel: str | None = estimator.kernel
    values = {name: value_of(estimator, name) for name in _NUMBERS_OF_KERNELS["poly"]}
    if gamma is not None:
        values["gamma"] = gamma
    if kernel is None or all(value is None for value in values.values()):
        return kernel
    if kernel == "rbf":
        return f"rbf:{float(values['gamma'])!r}"
    if kernel != "poly":
        return kernel
    # As in the text of the kernel.
    coef0, factor = (1.0 if values[name] is None else values[name] for name in ("coef0", "gamma"))
    return f"poly:{int(values['degree'])}:{float(coef0)!r}:{float(factor)!r}"


def from_engine(options: dict[str, Any]) -> dict[str, Any]:
    """Convert the options of a model file to parameters."""
    parameters = {name: options.get(option) for name, option in _OPTION_NAMES.items()}
    if parameters["penalty"] is not None:
        parameters["penalty"], *numbers = parameters["penalty"].split(":")
        parameters.update(zip(("alpha", "l1_ratio"), map(float, numbers), strict=False))
    if options.get("decay") is not None:
        parameters["eta0"] = f"{float(options['eta'])!r}/{options['decay']}"
    for name, default in (("bias", "unit"), ("order", "shuffle")):
        if parameters[name] == default:
            parameters[name] = None
    # The file does not have weights that were given.
    if parameters["init"] not in _CHOICES["init"]:
        parameters["init"] = _ABSENT["init"]
    # Files of older versions do not have it.
    parameters["classes"] = parameters["classes"] or _ABSENT["classes"]
    return parameters


def of_notes(name: str) -> dict[str, Any]:
    """Return the parameters of lecture notes; raise `ValueError` for a name that none have."""
    words = _native.notes(str(name))
    parameters: dict[str, Any] = {
        parameter: words[option] for parameter, option in _OPTION_NAMES.items() if option in words
    }
    parameters["max_iter"] = int(parameters["max_iter"])
    # `shuffle` and `fit_intercept` give these values.
    parameters["shuffle"] = parameters.pop("order") == "shuffle"
    if parameters["bias"] == "unit":
        del parameters["bias"]
    return {**parameters, "scale": None}


def thread_count(n_jobs: int | None) -> int:
    """Return the number of threads: None is 1, -1 is the number of processors, -2 is one less."""
    if n_jobs is None:
        return 1
    if not _is_whole(n_jobs) or n_jobs == 0:
        raise ValueError(f"n_jobs is {n_jobs!r}, expected None or a whole number other than 0")
    if n_jobs > 0:
        # The engine starts no more threads than it has work for.
        return min(int(n_jobs), 1 << 16)
    has_affinity = hasattr(os, "sched_getaffinity")
    processors = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
    return max(1, processors + 1 + int(n_jobs))


def seed(random_state: Any) -> int:
    """Return a whole number as the seed, as ``rosenblatt train --seed`` does; otherwise draw a seed."""
    if _is_whole(random_state):
        if not is_seed(random_state):
            raise ValueError(f"random_state is {random_state}, a seed is from 0 to 2**64 - 1")
        return int(random_state)
    try:
        if _is_bool(random_state):
            raise ValueError
        from sklearn.utils import check_random_state

        return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
    except ValueError:
        expected = "None, a whole number or a numpy.random.RandomState"
        raise ValueError(f"random_state is {random_state!r}, expected {expected}") from None


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not _is_bool(value)


def is_seed(value: Any) -> bool:
    """Return whether a value is a whole number of 64 bits."""
    return _is_whole(value) and 0 <= value < 1 << 64


def is_real(value: Any) -> bool:
    """Return whether a value is a finite real number."""
    if not isinstance(value, Real) or _is_bool(value):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def _is_bool(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _at_least(minimum: int) -> Rule:
    def is_valid(value: Any) -> bool:
        return _is_whole(value) and minimum <= value < 1 << 63

    return is_valid, f"a whole number of at least {minimum} and below 2**63"


def _or_none(rule: Rule) -> Rule:
    is_valid, expected = rule
    return lambda value: value is None or is_valid(value), f"None or {expected}"


def one_of(option: str, *others: None) -> Rule:
    """Return the rule for an option whose values are names."""
    values = (*others, *_CHOICES[option])

    def is_valid(value: Any) -> bool:
        return (value is None or _is_text(value)) and value in values

    return is_valid, "one of " + ", ".join(map(repr, values))


PREPARATION = _native.preparation()
"""The steps of the preparation of rows: the engine's word for no such step, if there is one, and what others are."""


def _step_of_preparation(name: str) -> Rule:
    """Return the rule for a step of the preparation; without it the parameter is None."""
    none, form = PREPARATION[name]
    words = [word for word in _CHOICES[name] if word != none]
    if not words:
        return _or_none((_is_text, f"a text {form}"))
    return (
        lambda value: value is None or (_is_text(value) and value in words),
        "one of None, " + ", ".join(map(repr, words)),
    )


_METHODS = list(_CHOICES["calibrate"])
_PENALTIES = ("l2", "l1", "elasticnet")

AT_LEAST_1 = _at_least(1)
_SHARE: Rule = (lambda value: is_real(value) and 0 < value < 1, "a number between 0 and 1")
_NOT_NEGATIVE: Rule = (lambda value: is_real(value) and value >= 0, "a number of at least 0")
_BOOL: Rule = (_is_bool, "True or False")

_RULES: dict[str, Rule] = {
    "penalty": (
        lambda value: value is None or (_is_text(value) and value in _PENALTIES),
        "one of None, 'l2', 'l1', 'elasticnet'",
    ),
    "alpha": _NOT_NEGATIVE,
    "l1_ratio": (lambda value: is_real(value) and 0 <= value <= 1, "a number from 0 to 1"),
    "fit_intercept": _BOOL,
    "max_iter": _or_none(AT_LEAST_1),
    "tol": (
        lambda value: value is None or (is_real(value) and value >= 0),
        "None or a number of at least 0",
    ),
    "shuffle": _BOOL,
    "verbose": (
        lambda value: _is_bool(value) or (_is_whole(value) and value >= 0),
        "True, False or a whole number of at least 0",
    ),
    "eta0": (
        lambda value: (is_real(value) and value > 0) or (_is_text(value) and "/" in value),
        "a positive number, or a text RATE/t or RATE/sqrt(t) with such a number",
    ),
    "early_stopping": _BOOL,
    "validation_fraction": _SHARE,
    "holdout": _SHARE,
    "sweep": one_of("sweep", None),
    "n_iter_no_change": AT_LEAST_1,
    "warm_start": _BOOL,
    "keep": one_of("keep"),
    "tally": one_of("tally"),
    "update": (_is_text, "the name of an update rule"),
    "C": _or_none(_NOT_NEGATIVE),
    "gamma": (
        lambda value: (
            value is None
            or (is_real(value) and value > 0)
            or (_is_text(value) and value in ("scale", "auto"))
        ),
        "None, 'scale', 'auto' or a positive number",
    ),
    "degree": _or_none(
        (lambda value: _is_whole(value) and 1 <= value <= 100, "a whole number from 1 to 100")
    ),
    "coef0": _or_none(_NOT_NEGATIVE),
    "kernel": (lambda value: value is None or _is_text(value), "None or the name of a kernel"),
    "bias": (
        lambda value: (
            value is None
            or (_is_text(value) and (value in _CHOICES["bias"] or value.startswith("unit:")))
        ),
        "one of None, 'unit', 'none', 'radius', 'unit:S' with a positive number S",
    ),
    "order": one_of("order", None),
    "init": one_of("init"),
    "mistake": one_of("mistake"),
    "zero": one_of("zero"),
    "classes": one_of("classes"),
    **{name: _step_of_preparation(name) for name in PREPARATION},
    "calibrate": (
        lambda value: value is None or (_is_text(value) and value in _METHODS),
        "one of None, " + ", ".join(map(repr, _METHODS)),
    ),
    "calibration_folds": _or_none(_at_least(2)),
    "max_mistakes": _at_least(0),
    "runs": AT_LEAST_1,
    "seed": (is_seed, "a whole number from 0 to 2**64 - 1"),
}
"""The rules of all parameters of estimators, and of `study`."""

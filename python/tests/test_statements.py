"""Every certificate is a proof for both checkers, and an edited certificate is refused or still a proof."""

import copy
import importlib.util
import random
from pathlib import Path

import pytest

from rosenblatt import (
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

CHECKER = Path(__file__).parents[2] / "docs" / "check_statement.py"
spec = importlib.util.spec_from_file_location("check_statement", CHECKER)
assert spec is not None
assert spec.loader is not None
checker = importlib.util.module_from_spec(spec)
spec.loader.exec_module(checker)


def is_proof(certificate, X, y):
    """Whether the independent checker accepts it."""
    try:
        checker.check(certificate, X, [1 if label else -1 for label in y])
    except ValueError:
        return False
    return True


def table(seed):
    """Integers, tenths or the levels of two factors, with labels of hidden weights and some errors."""
    rng = random.Random(seed)
    kind, features = seed % 3, rng.randint(1, 4)

    def row():
        if kind == 0:
            return [rng.randint(-2, 2) for _ in range(features)]
        if kind == 1:
            return [rng.randint(-20, 20) / 10 for _ in range(features)]
        a, b = rng.randrange(3), rng.randrange(3)
        return [int(a == level) for level in range(3)] + [int(b == level) for level in range(3)]

    X = [row() for _ in range(rng.randint(4, 14))]
    weights = [rng.randint(-2, 2) for _ in X[0]]
    errors = rng.choice([0, 0, 0.1, 0.4])
    scores = [sum(w * x for w, x in zip(weights, row, strict=True)) for row in X]
    y = [rng.random() < 0.5 if s == 0 or rng.random() < errors else s > 0 for s in scores]
    y[0], y[1] = False, True
    return X, [int(label) for label in y]


def test_every_certificate_passes_both_checkers():
    seen = dict.fromkeys(["complete", "quasi-complete", "overlap"], 0)
    for seed in range(1200):
        X, y = table(seed)
        found = separation(X, y, intercept=seed % 2 == 0)
        seen[found.separation] += 1
        assert verify_separation(found.certificate, X, y, intercept=seed % 2 == 0)
        assert is_proof(found.certificate, X, y), (seed, found)
        decided = separable(X, y, bias="unit" if seed % 2 == 0 else "none")
        assert is_proof(decided.certificate, X, y), (seed, decided)
        assert bool(decided) == (found.separation == "complete")
        assert decided.separation == found.separation
        assert decided.details["on_hyperplane"] == found.on_hyperplane
    assert min(seen.values()) > 100, seen


def edited(certificate, rng):
    """A copy with one change."""
    changed = copy.deepcopy(certificate)
    key = rng.choice(["separation", "bias", "weights", "rows", "multipliers", "drop", "relations"])
    if key == "separation":
        changed[key] = rng.choice(["complete", "quasi-complete", "overlap"])
    elif key == "bias":
        changed[key] = str(int(changed[key]) + rng.choice([-1, 1]))
    elif key == "relations":
        changed[key] = changed[key][1:]
    elif key == "drop":
        changed["rows"], changed["multipliers"] = changed["rows"][1:], changed["multipliers"][1:]
    elif changed[key]:
        place = rng.randrange(len(changed[key]))
        value = int(changed[key][place]) + rng.choice([-1, 1])
        changed[key][place] = value if key == "rows" else str(value)
    return changed


def test_an_edited_certificate_is_refused_or_still_a_proof():
    refused = 0
    for seed in range(1200):
        X, y = table(seed)
        rng = random.Random(seed)
        changed = edited(separation(X, y).certificate, rng)
        accepted = bool(verify_separation(changed, X, y))
        assert is_proof(changed, X, y) == accepted, (seed, changed)
        refused += not accepted
    assert refused > 200


def test_every_bound_of_the_least_errors_passes_both_checkers():
    closed = 0
    for seed in range(1200):
        X, y = table(seed)
        intercept = seed % 2 == 0
        found = least_errors(X, y, intercept=intercept)
        assert verify_least_errors(found.certificate, X, y, intercept=intercept)
        assert is_proof(found.certificate, X, y), (seed, found)
        assert 0 <= found.lower <= found.upper < len(X)
        is_separable = bool(separable(X, y, bias="unit" if intercept else "none"))
        assert is_separable == (found.upper == 0) == (found.lower == 0)
        closed += found.lower == found.upper
    assert closed > 1000, closed


def edited_bounds(certificate, rng):
    """A copy with one change."""
    changed = copy.deepcopy(certificate)
    key = rng.choice(["lower", "upper", "weights", "bias", "rows", "multipliers", "again"])
    conflicts = changed["conflicts"]
    if key in ("lower", "upper"):
        bounds = changed["least_errors"]
        bounds[key] = abs(bounds[key] + rng.choice([-1, 1]))
    elif key == "bias":
        changed[key] += rng.choice([-1, 1])
    elif key == "weights":
        changed[key][rng.randrange(len(changed[key]))] += rng.choice([-1, 1])
    elif key == "again" and conflicts:
        changed["conflicts"].append(rng.choice(conflicts))
        changed["least_errors"]["lower"] += 1
    elif conflicts:
        numbers = rng.choice(conflicts)[key if key != "again" else "rows"]
        place = rng.randrange(len(numbers))
        value = int(numbers[place]) + rng.choice([-1, 1])
        numbers[place] = value if key == "rows" else str(value)
    return changed


def test_an_edited_bound_is_refused_or_still_a_proof():
    refused = 0
    for seed in range(1200):
        X, y = table(seed)
        changed = edited_bounds(least_errors(X, y).certificate, random.Random(seed))
        accepted = bool(verify_least_errors(changed, X, y))
        assert is_proof(changed, X, y) == accepted, (seed, changed)
        refused += not accepted
    assert refused > 600, refused


def test_a_table_of_columns():
    pandas = pytest.importorskip("pandas")
    # The level b has only successes; the three levels add up to the intercept.
    frame = pandas.DataFrame(
        {"a": [1, 1, 0, 0, 0, 0], "b": [0, 0, 1, 1, 0, 0], "c": [0, 0, 0, 0, 1, 1]}
    )
    found = separation(frame, [0, 1, 1, 1, 0, 1])
    assert (found.separation, found.on_hyperplane, found.rank) == ("quasi-complete", 4, 3)
    estimates = {column.name: column.estimate for column in found.columns}
    assert estimates == {"(Intercept)": "finite", "a": "finite", "b": "+inf", "c": "aliased"}
    assert found.unique
    assert str(found).splitlines()[0] == "separation: quasi-complete"


def test_other_questions_and_other_files_are_refused():
    X, y = [[1], [2], [2], [3]], [0, 0, 1, 1]
    certificate = separation(X, y).certificate
    refused = verify_separation(certificate, X, y, intercept=False)
    assert not refused
    assert "other hyperplanes" in refused.problem
    with pytest.raises(ValueError, match="no certificate"):
        verify_separation({"separable": "yes"}, X, y)
    with pytest.raises(ValueError, match="no certificate"):
        verify(certificate, X, y)
    with pytest.raises(ValueError, match="positive"):
        separation(X, y, seconds=0)
    bounds = least_errors(X, y).certificate
    refused = verify_least_errors(bounds, X, y, intercept=False)
    assert not refused
    assert "other hyperplanes" in refused.problem
    with pytest.raises(ValueError, match="no certificate"):
        verify_least_errors(certificate, X, y)
    with pytest.raises(ValueError, match="positive"):
        least_errors(X, y, seconds=0)


def no_bias_table(seed):
    """A few rows of small integers, two of which are often opposite and of one class."""
    rng = random.Random(seed)
    features, n = rng.randint(1, 3), rng.randint(3, 5)
    X = [[rng.randint(-1, 1) for _ in range(features)] for _ in range(n)]
    y = [1, 0, *(int(rng.random() < 0.5) for _ in range(n - 2))]
    if rng.random() < 0.7:
        same = rng.randrange(2)
        X[2], y[2] = [-x for x in X[same]], y[same]
    return X, y


def edited_ending(certificate, rng):
    """A copy with one change."""
    changed = copy.deepcopy(certificate)
    keys = ["convergence", "strict", "weights", "rows", "multipliers"]
    key = rng.choice([key for key in keys if changed[key]])
    if key == "convergence":
        changed[key] = rng.choice(["always", "from-zero", "depends-on-order", "never"])
    elif key == "strict":
        changed[key] = "positive" if changed[key] == "negative" else "negative"
    else:
        place = rng.randrange(len(changed[key]))
        value = int(changed[key][place]) + rng.choice([-1, 1])
        changed[key][place] = value if key == "rows" else str(value)
    return changed


def test_every_ending_passes_both_checkers_and_is_that_of_a_run():
    seen = dict.fromkeys(["always", "from-zero", "depends-on-order", "never"], 0)
    refused = 0
    for seed in range(1200):
        X, y = no_bias_table(seed)
        rng = random.Random(seed)
        rule = {"bias": "none", "mistake": "label", "zero": ["negative", "positive"][seed % 2]}
        found = convergence(X, y, **rule)
        proof = found.certificate
        if "convergence" in proof:
            seen[found.convergence] += 1
            assert verify_convergence(proof, X, y), (seed, found)
            changed = edited_ending(proof, rng)
            accepted = bool(verify_convergence(changed, X, y))
            assert is_proof(changed, X, y) == accepted, (seed, changed)
            refused += not accepted
        else:
            assert verify(proof, X, y, bias="none"), (seed, found)
        assert is_proof(proof, X, y), (seed, found)
        # Each order is a run from zero; 300 epochs are many for so few small rows.
        runs = study(X, y, runs=6, max_iter=300, **rule)
        if found.convergence in ("always", "from-zero"):
            assert runs.converged == 6, (seed, found)
        elif found.convergence == "never":
            assert runs.converged == 0, (seed, found)
        assert runs.convergence == found.convergence
    assert min(seen.values()) > 20, seen
    assert refused > 300, refused

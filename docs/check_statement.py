"""Check a proof of `rosenblatt separable` with nothing but exact fractions: docs/statements.md says why it is a proof.

    python3 check_statement.py PROOF.json DATA.csv POSITIVE

DATA.csv has a header, features that are numbers, and the label in the last column; POSITIVE is the label of class +1.
"""

import csv
import json
import sys
from fractions import Fraction


def need(condition, problem):
    """Refuse the proof unless the condition holds."""
    if not condition:
        raise ValueError(problem)


def vectors(rows, signs, with_bias):
    """Return y(1, x) for every row, or y(0, x) without a bias: column 0 is the constant of the bias."""
    return [
        [sign * Fraction(value) for value in [1 if with_bias else 0, *row]]
        for row, sign in zip(rows, signs, strict=True)
    ]


def product(a, b):
    """Return the sum of products."""
    return sum(x * y for x, y in zip(a, b, strict=True) if x and y)


def rank(rows):
    """Return the rank, by elimination."""
    basis = {}
    for row in rows:
        line = list(row)
        for column in range(len(line)):
            if not line[column]:
                continue
            if column not in basis:
                basis[column] = [value / line[column] for value in line]
                break
            factor, known = line[column], basis[column]
            line = [a - factor * b for a, b in zip(line, known, strict=True)]
    return len(basis)


def integer(text):
    """Return an integer in decimal digits."""
    digits = text.removeprefix("-")
    need(digits.isascii() and digits.isdecimal(), f"{text!r} is no integer")
    return Fraction(text)


def combination(proof, z, allowed):
    """Check that the sum of multipliers times rows is 0; return the rows."""
    rows = [row - 1 for row in proof["rows"]]
    multipliers = [integer(text) for text in proof["multipliers"]]
    need(len(rows) == len(set(rows)) == len(multipliers), "rows and multipliers do not match")
    need(set(rows) <= set(allowed), "a row of the proof is missing or not on the hyperplane")
    need(all(multiplier >= 0 for multiplier in multipliers), "a multiplier is negative")
    for column in range(len(z[0])):
        total = sum(m * z[row][column] for row, m in zip(rows, multipliers, strict=True))
        need(total == 0, f"the sum of the rows is not 0 in column {column}")
    return rows, multipliers


def check_separable(proof, z):
    """A separator (yes), or multipliers that exclude one (no; Gordan 1873)."""
    if proof["separable"] == "no":
        _, multipliers = combination(proof, z, range(len(z)))
        need(any(multipliers), "no multiplier is positive")
        return
    need(proof["separable"] == "yes", "the claim is neither yes nor no")
    weights = [Fraction(weight) for weight in [proof["bias"], *proof["weights"]]]
    need(proof["with_bias"] or weights[0] == 0, "there is a bias")
    need(all(product(weights, row) > 0 for row in z), "a row is not on its side")


def check_separation(proof, z):
    """Complete separation, quasi-complete separation or overlap (Stiemke 1915)."""
    need(proof["version"] == 1, "unknown version")
    weights = [integer(text) for text in [proof["bias"], *proof["weights"]]]
    need(proof["with_bias"] or weights[0] == 0, "there is a bias")
    scores = [product(weights, row) for row in z]
    need(all(score >= 0 for score in scores), "a row is on the wrong side")
    face = [row for row, score in enumerate(scores) if score == 0]
    shown = "complete" if not face else "overlap" if len(face) == len(z) else "quasi-complete"
    need(proof["separation"] == shown, f"the weights show {shown}")
    rows, multipliers = combination(proof, z or [[]], face)
    need(all(multipliers), "a multiplier is 0")
    # The relations are not needed here: elimination over fractions finds both ranks.
    need(
        rank(z[row] for row in rows) == rank(z[row] for row in face),
        "the rows do not span the face",
    )


def check_least_errors(proof, z):
    """Weights with `upper` errors, and `lower` sets without a common row that no hyperplane separates (Gordan 1873)."""
    need(proof["version"] == 1, "unknown version")
    bounds, conflicts = proof["least_errors"], proof["conflicts"]
    weights = [Fraction(weight) for weight in [proof["bias"], *proof["weights"]]]
    need(proof["with_bias"] or weights[0] == 0, "there is a bias")
    errors = sum(product(weights, row) <= 0 for row in z)
    need(errors == bounds["upper"], f"the weights have {errors} errors")
    need(len(conflicts) == bounds["lower"], "the conflicts are not as many as the lower bound")
    used = set()
    for conflict in conflicts:
        rows, multipliers = combination(conflict, z, range(len(z)))
        need(any(multipliers), "no multiplier is positive")
        need(used.isdisjoint(rows), "two conflicts have a common row")
        used.update(rows)


def check(proof, rows, signs):
    """Raise an exception unless `proof` is one; `signs` are +1 and -1."""
    z = vectors(rows, signs, proof["with_bias"])
    if "separation" in proof:
        check_separation(proof, z)
    elif "least_errors" in proof:
        check_least_errors(proof, z)
    else:
        check_separable(proof, z)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        given = json.load(file)
    with open(sys.argv[2], newline="") as file:
        table = [row for row in csv.reader(file) if row][1:]
    labels = {row[-1] for row in table}
    need(len(labels) == 2 and sys.argv[3] in labels, f"{sys.argv[3]!r} is not one of two labels")
    need(not any("_" in cell for row in table for cell in row[:-1]), "a cell has an underscore")
    # A decimal number means the nearest float, as everywhere in Rosenblatt.
    numbers = [[Fraction(float(cell)) for cell in row[:-1]] for row in table]
    check(given, numbers, [1 if row[-1] == sys.argv[3] else -1 for row in table])
    claims = (given.get(kind) for kind in ("separation", "least_errors", "separable"))
    kind = "with a bias" if given["with_bias"] else "through the origin"
    print("this is a proof:", next(claim for claim in claims if claim is not None), kind)

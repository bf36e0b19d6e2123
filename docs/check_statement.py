"""Check a proof of `rosenblatt separable` with nothing but exact numbers: docs/statements.md says why it is a proof.

    python3 check_statement.py PROOF.json DATA POSITIVE

DATA is a CSV file with a header, features that are numbers, and the label in the last column; or a LIBSVM file, whose
entries have colons. POSITIVE is the label of class +1.
"""

import csv
import json
import sys
from fractions import Fraction

# A rank modulo this is too small only if it divides a determinant.
PRIME = 10**39 + 3

# Multipliers may have thousands of digits.
sys.set_int_max_str_digits(0)


def need(condition, problem):
    """Refuse the proof unless the condition holds."""
    if not condition:
        raise ValueError(problem)


def exact(value):
    """Return a number as a fraction, or as an integer if it is one, which is faster."""
    fraction = Fraction(value)
    return fraction.numerator if fraction.denominator == 1 else fraction


def integer(text):
    """Return an integer in decimal digits."""
    digits = text.removeprefix("-")
    need(digits.isascii() and digits.isdecimal(), f"{text!r} is no integer")
    return int(text)


def vectors(rows, signs, with_bias):
    """Return y(1, x) for every row, or y(0, x) without a bias, as the entries by column that are not 0."""
    z = []
    for row, sign in zip(rows, signs, strict=True):
        entries = row.items() if isinstance(row, dict) else enumerate(row, 1)
        x = {column: sign * exact(value) for column, value in entries if value}
        need(min(x, default=1) >= 1, "columns are counted from 1")
        z.append({0: sign, **x} if with_bias else x)
    return z


def scores(proof, z, number):
    """Return w·z of the weights of the proof for every row; `number` reads a weight."""
    weights = [number(weight) for weight in [proof["bias"], *proof["weights"]]]
    need(proof["with_bias"] or weights[0] == 0, "there is a bias")
    need(all(max(row, default=0) < len(weights) for row in z), "a column has no weight")
    return [sum(weights[column] * value for column, value in row.items()) for row in z]


def combination(proof, z, allowed):
    """Check that the sum of multipliers times rows is 0; return the rows and the multipliers."""
    rows = [row - 1 for row in proof["rows"]]
    multipliers = [integer(text) for text in proof["multipliers"]]
    need(
        len(rows) == len(set(rows)) == len(multipliers),
        "rows and multipliers do not match",
    )
    need(
        set(rows) <= set(allowed),
        "a row of the proof is missing or not on the hyperplane",
    )
    need(all(multiplier >= 0 for multiplier in multipliers), "a multiplier is negative")
    total = {}
    for row, multiplier in zip(rows, multipliers, strict=True):
        for column, value in z[row].items():
            total[column] = total.get(column, 0) + multiplier * value
    need(not any(total.values()), "the sum of the rows is not 0")
    return rows, multipliers


def rank(rows):
    """Return the rank modulo a prime, by elimination. It is never more than the rank."""
    basis = {}
    for row in rows:
        line = {
            j: x.numerator * pow(x.denominator, -1, PRIME) % PRIME
            for j, x in row.items()
        }
        while line := {column: value for column, value in line.items() if value}:
            first = min(line)
            if first not in basis:
                inverse = pow(line[first], -1, PRIME)
                basis[first] = {
                    column: value * inverse % PRIME for column, value in line.items()
                }
                break
            factor = line[first]
            for column, value in basis[first].items():
                line[column] = (line.get(column, 0) - factor * value) % PRIME
    return len(basis)


def check_span(proof, rows, face):
    """Check that the rows of the proof span the space of the face, whose columns satisfy relations."""
    if len(rows) == len(face):
        return
    columns = {column for row in face for column in row}
    relations = []
    for relation in proof["relations"]:
        coefficients = [integer(text) for text in relation["coefficients"]]
        relations.append(dict(zip(relation["columns"], coefficients, strict=True)))
    for relation in relations:
        need(relation.keys() <= columns, "a relation has a column that is 0")
        left = (
            sum(relation.get(column, 0) * x for column, x in row.items())
            for row in face
        )
        need(not any(left), "a relation does not hold")
    need(rank(rows) == len(columns) - rank(relations), "the rows do not span the face")


def check_separable(proof, z):
    """A separator (yes), or multipliers that exclude one (no; Gordan 1873)."""
    if proof["separable"] == "no":
        _, multipliers = combination(proof, z, range(len(z)))
        need(any(multipliers), "no multiplier is positive")
        return
    need(proof["separable"] == "yes", "the claim is neither yes nor no")
    need(
        all(score > 0 for score in scores(proof, z, exact)), "a row is not on its side"
    )


def check_separation(proof, z):
    """Complete separation, quasi-complete separation or overlap (Stiemke 1915)."""
    found = scores(proof, z, integer)
    need(all(score >= 0 for score in found), "a row is on the wrong side")
    face = [row for row, score in enumerate(found) if score == 0]
    shown = (
        "complete"
        if not face
        else "overlap"
        if len(face) == len(z)
        else "quasi-complete"
    )
    need(proof["separation"] == shown, f"the weights show {shown}")
    rows, multipliers = combination(proof, z, face)
    need(all(multipliers), "a multiplier is 0")
    check_span(proof, [z[row] for row in rows], [z[row] for row in face])


def check_least_errors(proof, z):
    """Weights with `upper` errors, and `lower` sets without a common row that no hyperplane separates (Gordan 1873)."""
    bounds, conflicts = proof["least_errors"], proof["conflicts"]
    errors = sum(score <= 0 for score in scores(proof, z, exact))
    need(errors == bounds["upper"], f"the weights have {errors} errors")
    need(
        len(conflicts) == bounds["lower"],
        "the conflicts are not as many as the lower bound",
    )
    used = set()
    for conflict in conflicts:
        rows, multipliers = combination(conflict, z, range(len(z)))
        need(any(multipliers), "no multiplier is positive")
        need(used.isdisjoint(rows), "two conflicts have a common row")
        used.update(rows)


def check_convergence(proof, z, signs):
    """Whether a run without a bias ends for which a score of 0 is a mistake in one class (Motzkin 1936, Novikoff 1962)."""
    classes = {"positive": 1, "negative": -1}
    strict = {row for row, sign in enumerate(signs) if sign == classes[proof["strict"]]}
    claim = proof["convergence"]
    if claim == "never":
        rows, multipliers = combination(proof, z, range(len(z)))
        positive = {row for row, part in zip(rows, multipliers, strict=True) if part}
        need(positive & strict, "no multiplier of a strict row is positive")
        return
    found = scores({"with_bias": False, "bias": "0", **proof}, z, integer)
    need(all(score >= 0 for score in found), "a row is on the wrong side")
    face = [row for row, score in enumerate(found) if score == 0]
    need(strict.isdisjoint(face), "a strict row is on the hyperplane")
    if claim == "always":
        need(not any(z[row] for row in face), "a row of the hyperplane is not 0")
    elif claim == "from-zero":
        others = [z[row] for row, score in enumerate(found) if score]
        products = (
            sum(z[row].get(column, 0) * x for column, x in other.items())
            for row in face
            for other in others
        )
        need(not any(products), "a row of the hyperplane is not orthogonal to another")
    else:
        need(claim == "depends-on-order", "unknown claim")


def check(proof, rows, signs):
    """Raise an exception unless `proof` is one. `signs` are +1 and -1; a row is a list, or a dictionary from 1."""
    need(proof.get("version", 1) == 1, "unknown version")
    # A proof about a run is about runs without a bias.
    with_bias = "convergence" not in proof and proof["with_bias"]
    z = vectors(rows, signs, with_bias)
    if "separation" in proof:
        check_separation(proof, z)
    elif "least_errors" in proof:
        check_least_errors(proof, z)
    elif "convergence" in proof:
        check_convergence(proof, z, signs)
    else:
        check_separable(proof, z)


def reader(proof):
    """Return how the proof reads a number of text: as the decimal itself, or as the 64-bit float nearest to it."""
    numbers = proof.get("numbers", "binary64")
    need(numbers in ("decimal", "binary64"), f"{numbers!r} are unknown numbers")

    def number(text):
        need("_" not in text and "/" not in text, f"{text!r} is no decimal number")
        return Fraction(text if numbers == "decimal" else float(text))

    return number


def table(path, number):
    """Return the rows of a file and their labels; `number` reads a cell."""
    with open(path, newline="") as file:
        lines = [line for line in file if line.strip()]
    if any(":" in cell for line in lines for cell in line.split()[1:]):
        cells = [line.split("#")[0].split() for line in lines]
        cells = [row for row in cells if row]
        entries = ([entry.split(":") for entry in row[1:]] for row in cells)
        features = [{int(j): number(x) for j, x in row} for row in entries]
        return features, [row[0].removeprefix("+") for row in cells]
    cells = list(csv.reader(lines))[1:]
    return [[number(cell) for cell in row[:-1]] for row in cells], [
        row[-1] for row in cells
    ]


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        given = json.load(file)
    examples, labels = table(sys.argv[2], reader(given))
    positive = sys.argv[3].removeprefix("+") if isinstance(examples[0], dict) else sys.argv[3]
    need(
        len(set(labels)) == 2 and positive in labels,
        f"{positive!r} is not one of two labels",
    )
    check(given, examples, [1 if label == positive else -1 for label in labels])
    kinds = ("separation", "least_errors", "convergence", "separable")
    claims = (given.get(kind) for kind in kinds)
    kind = "with a bias" if given.get("with_bias") else "through the origin"
    print(
        "this is a proof:", next(claim for claim in claims if claim is not None), kind
    )

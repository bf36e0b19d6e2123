"""Predict as docs/reference/model-file.md says: python3 predict.py MODEL ROWS.csv [--scores]

Columns are found by their names if the model learned from a table with a header. Otherwise ROWS has no header, and
all columns of the training data or those of the features. It refuses all that it does not implement."""

import csv
import json
import math
import struct
import sys
from fractions import Fraction
from functools import reduce


def need(condition, problem):
    if not condition:
        raise ValueError(problem)


def checksum(*parts):
    total = 0xCBF29CE484222325
    for part in parts:
        for (word,) in struct.iter_unpack("<Q", part + bytes(8 - len(part) % 8) + struct.pack("<Q", len(part))):
            total = (total ^ word) * 0x9E3779B97F4A7C15 % 2**64
            total ^= total >> 32
    return struct.pack("<Q", total)


def load(data):
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    model = json.loads(header.pop("__metadata__")["rosenblatt"])
    if "checksum" in header:
        place = start + header["checksum"]["data_offsets"][0]
        need(checksum(data[:place], data[place + 8 :]) == data[place : place + 8], "its checksum is wrong")
    need(1 <= model["format_version"] <= 8, f"format version {model['format_version']} is not one of 1 to 8")
    need(model["format_version"] == 1 or "checksum" in header, "there is no checksum")
    table = model["schema"]["inputs"].get("columns", {"features": []})
    special = [f"column {one['name']}: {', '.join(list(one)[2:])}" for one in table["features"] if len(one) > 2]
    special += {"weighting", "document_frequency", "normalise", "interactions"} & {*model, *table}
    need(not special, f"this program does not implement {special}")
    for name, tensor in header.items():
        form = f"<{math.prod(tensor['shape'])}" + {"F64": "d", "U64": "Q", "U32": "I"}[tensor["dtype"]]
        model[name] = struct.unpack_from(form, data, start + tensor["data_offsets"][0])
    indices, values, ends = (model.get(f"support.{part}", []) for part in ("indices", "values", "offsets"))
    model["rows"] = [dict(zip(indices[i:j], values[i:j], strict=True)) for i, j in zip(ends, ends[1:], strict=False)]
    return model


def read(schema, lines):
    table = schema["inputs"].get("columns", {"features": [], "count": 0})
    names = [name.strip() for name in next(lines)] if schema["format"].get("table", {}).get("header") else None
    places = [names.index(one["name"]) if names else one["position"] - 1 for one in table["features"]]
    for cells in filter(None, lines):
        chosen = [cells[place] for place in places] if names or len(cells) == table["count"] else cells
        yield list(map(float, chosen))


def exp(t):
    if not -745.13321910194111 <= t <= -1048577 / 2**48:
        return 1.0 + t if t > -1.0 else 0.0
    k = 0 if t > -1453635 / 2**22 else -1 if t > -1090226 / 2**20 else int(1.4426950408889634 * t - 0.5)
    high, low, c = t - k * 0.6931471803691238, k * 1.9082149292705877e-10, 4.1381367970572385e-08
    r = high - low
    for p in (-1.6533902205465252e-06, 6.613756321437934e-05, -0.0027777777777015593, 0.16666666666666602):
        c = p + r * r * c
    c = r - r * r * c
    return math.ldexp(1.0 + (r * c / (2.0 - c) - low + high), k)


def inner(x, z):
    return reduce(float.__add__, (x[j] * z[j] for j in x if j in z), 0.0)


def kernel(text, product, squares):
    name, *numbers = text.split(":")
    if name == "rbf":
        return exp(-float(numbers[0]) * max(squares - 2.0 * product, 0.0))
    degree, coef0, gamma = map(float, (numbers + [1, 1])[:3] if name == "poly" else (1, 0, 1))
    power, base, left = 1.0, coef0 + gamma * product, int(degree)
    while left:
        power, base, left = power * base if left % 2 else power, base * base, left // 2
    return power


def scores(model, x, zero):
    if model["form"] != "linear":
        row, kind = {j: value for j, value in enumerate(x) if value}, model["options"].get("kernel", "linear")
        x = [kernel(kind, inner(row, z), inner(row, row) + inner(z, z)) for z in model["rows"]]
    x, weights = [Fraction(value) for value in x], model.get("weights", model.get("coefficients"))
    for i, bias in enumerate(model.get("bias", [])):
        products = (Fraction(w) * v for w, v in zip(weights[i * len(x) :][: len(x)], x, strict=True) if v)
        yield sum(products, Fraction(bias))
    for i, start in enumerate(model.get("path.start", [])):
        votes, score, bias = zero * start, Fraction(0), 0.0
        for j in range(*model["path.offsets"][i : i + 2]):
            score += Fraction(model["path.steps"][j]) * x[model["path.rows"][j]]
            bias += model["path.steps"][j] * model["form"]["voted"]["bias_unit"]
            votes += model["path.survived"][j] * (1 if (score + Fraction(bias) or zero) > 0 else -1)
        yield float(votes)


def steps(model, part, k, reached):
    first, last = model[f"calibration.{part}.offsets"][k : k + 2]
    step = sum(map(reached, model[f"calibration.{part}.starts"][first:last]))
    return model[f"calibration.{part}.values"][first + k + step]


def sides(model, k, s):
    method = model["calibration"]["method"]
    if method == "platt":
        t = model["calibration.slope"][k] * s + model["calibration.intercept"][k]
        return tuple(1.0 / (1.0 + math.exp(min(u, 709.0))) for u in (t, -t))
    if method == "isotonic":
        p = steps(model, "steps", k, lambda start: start <= s)
        return 1.0 - p, p
    q, p = 1.0 - steps(model, "lower", k, lambda start: start <= s), steps(model, "upper", k, lambda start: start < s)
    return tuple(1.0 / (1.0 + other / one) if one else 0.0 for one, other in ((q, p), (p, q)))


def most_probable(model, found, positive, zero):
    if len(found) > 1:
        p = [sides(model, k, s)[1] for k, s in enumerate(found)]
        p = [one / sum(p) for one in p] if sum(p) else p
        return p.index(max(p))
    other, p = sides(model, 0, found[0])
    return positive if (p - other or zero) > 0 else 1 - positive


def main(path, rows, *flags):
    model = load(open(path, "rb").read())
    names, positive = model["classes"]["names"], model["classes"].get("positive")
    default = "negative" if "label_type" in model and model["options"]["mistake"] == "margin" else "positive"
    zero = {"negative": -1, "positive": 1}[model["options"].get("zero", default)]
    for x in read(model["schema"], csv.reader(open(rows, encoding="utf-8-sig", newline=""))):
        if "scaling" in model:
            scaling = model["scaling"]["shift"], model["scaling"]["divisor"]
            x = [(value - shift) / divisor for value, shift, divisor in zip(x, *scaling, strict=True)]
        need(len(x) == model["report"]["features"] and all(map(math.isfinite, x)), "a row has other features")
        found = list(scores(model, x, zero))
        if "labels" in model.get("calibration", {}):
            best = most_probable(model, list(map(float, found)), positive, zero)
        else:
            best = found.index(max(found)) if len(found) > 1 else positive if (found[0] or zero) > 0 else 1 - positive
        print(names[best], *(map(float, found) if flags else ()), sep="\t")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Exception as problem:
        sys.exit(f"error: {type(problem).__name__}: {problem}")

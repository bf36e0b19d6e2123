"""Tables as people have them: `read_csv` reads each right, or refuses it and names the arguments with which it does."""

from __future__ import annotations

import re
import warnings
from typing import Any

import pytest
from conftest import ROOT

from rosenblatt import read_csv

try:
    import tomllib
except ImportError:
    import tomli as tomllib

FOLDER = ROOT / "crates/rosenblatt-cli/tests/messy"
EXPECTED = tomllib.loads((FOLDER / "expected.toml").read_text(encoding="utf-8"))
# Tables of text; that a label has two values is asked by `fit`, not by the reader.
TABLES = {
    name: expected
    for name, expected in EXPECTED["tables"].items()
    if name.endswith((".csv", ".tsv", ".txt", ".tab", ".dat")) and expected["ends"] != "refused"
}


def columns(data) -> set[str]:
    """The columns of the features: `city=Oslo` is of `city`, `review#7` of `review`."""
    return {name.partition("=")[0].partition("#")[0] for name in data.feature_names}


def read(name: str, most: int) -> tuple[Any, int]:
    """Read a table, each time with the arguments that the error names, and return how often they were needed."""
    given: dict[str, Any] = {}
    for needed in range(most + 1):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                return read_csv(FOLDER / name, **given), needed
        except ValueError as error:
            message = str(error)
        named = re.search(r"; pass `(.*)`$", message)
        if named is None or needed == most:
            break
        for option, value in eval(f"dict({named[1]})").items():
            given[option] = given.get(option, []) + value if isinstance(value, list) else value
    raise ValueError(f"with {given}: {message}" if given else message)


def faults(name: str, expected: dict) -> list[str]:
    """What is not as expected."""
    try:
        data, needed = read(name, most=0 if expected["ends"] == "right" else 3)
    except ValueError as error:
        return [f"refused: {error}"]
    if expected["ends"] == "ambiguous" and needed == 0:
        return ["read without a question"]
    found, free = columns(data), set(expected.get("free", []))
    features = set(expected.get("features", found))
    checks = {
        f"learns {data.target}": data.target == expected.get("label", data.target),
        f"{len(data.y)} rows": len(data.y) == expected.get("rows", len(data.y)),
        f"the columns {sorted(found)}": features <= found <= features | free,
    }
    return [words for words, holds in checks.items() if not holds]


def test_there_are_tables():
    assert len(TABLES) > 200
    assert EXPECTED["not_yet_python"].keys() <= TABLES.keys()


@pytest.mark.parametrize("name", TABLES)
def test_table(name):
    found = faults(name, TABLES[name])
    if name in EXPECTED["not_yet_python"]:
        assert found, "as expected: remove it from the list of what is not yet"
    else:
        assert not found

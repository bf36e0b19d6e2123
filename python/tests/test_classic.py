"""The tables of the statistical literature on separation, and the answers of R's packages for them.

`endometrial`: Heinze & Schemper, *Statistics in Medicine* 21, 2002. `silvapulle`: Silvapulle, *JRSS B* 43, 1981.
`lizards`: Schoener, *Ecology* 51, 1970. `urinary`: urinary tract infections in Cytel's LogXact manual, 2010. `murder`:
McManus, *J. Polit. Econ.* 93, 1985, by Maddala 2001. Each is in one of the R packages detectseparation
(Kosmidis & Schumacher), logistf (Heinze et al.) and AER (Kleiber & Zeileis).

The answers are those of the tests and pages of detectseparation. Of `murder` the page of AER names the quasi-complete
separation by `southern`. Of `urinary` no row with `dia` is a control.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from rosenblatt import separation, verify_separation

FOLDER = Path(__file__).parent / "classic"


def answer(X, y):
    """The kind of separation, and for each column what R prints: 0 for a finite estimate, NA for an aliased column."""
    found = separation(X, y)
    assert verify_separation(found.certificate, X, y)
    words = {"finite": "0", "+inf": "Inf", "-inf": "-Inf", "aliased": "NA"}
    return found.separation, found.unique, [words[column.estimate] for column in found.columns]


def endometrial():
    table = pd.read_csv(FOLDER / "endometrial.csv")
    return table[["NV", "PI", "EH"]], table["HG"]


def test_endometrial_cancer():
    X, y = endometrial()
    assert answer(X, y) == ("quasi-complete", True, ["0", "Inf", "0", "0"])
    assert answer(X.assign(NV=-X["NV"]), y) == ("quasi-complete", True, ["0", "-Inf", "0", "0"])


def test_an_aliased_column():
    X, y = endometrial()
    X.insert(1, "twice", 2 * X["NV"])
    assert answer(X, y) == ("quasi-complete", True, ["0", "Inf", "NA", "0", "0"])


def test_psychiatric_questionnaires():
    table = pd.read_csv(FOLDER / "silvapulle.csv")
    assert answer(table[["ghqs"]], table["y"])[2] == ["-Inf", "Inf"]


def test_urinary_tract_infections():
    table = pd.read_csv(FOLDER / "urinary.csv")
    kind, unique, columns = answer(table.drop(columns="case"), table["case"])
    assert (kind, unique) == ("quasi-complete", True)
    assert dict(zip(["age", "oc", "vic", "vicl", "vis", "dia"], columns[1:], strict=True)) == {
        "age": "0",
        "oc": "0",
        "vic": "0",
        "vicl": "0",
        "vis": "0",
        "dia": "Inf",
    }


def test_executions():
    table = pd.read_csv(FOLDER / "murder.csv")
    X = table[["time", "income", "noncauc", "lfp"]].assign(southern=table["southern"] == "yes")
    found = answer(X.astype(float), table["executions"] > 0)
    assert found == ("quasi-complete", True, ["0", "0", "0", "0", "0", "Inf"])


def test_lizards():
    """Two counts for each kind of perch are two rows, where they are not 0."""
    table = pd.read_csv(FOLDER / "lizards.csv")
    factors = ["height", "diameter", "light", "time"]
    design = pd.get_dummies(table[factors], drop_first=True).astype(float)
    both = [design[table[kind] > 0].assign(y=kind) for kind in ("grahami", "opalinus")]
    rows = pd.concat(both)
    assert answer(rows.drop(columns="y"), rows["y"] == "grahami")[0] == "overlap"


@pytest.mark.parametrize(
    ("X", "y", "kind"),
    [
        ([[-1, 2], [-1, -2], [-2, -2], [2, 2]], [0, 1, 1, 1], "complete"),
        ([[-1], [0], [1], [2]], [0, 1, 0, 1], "overlap"),
    ],
)
def test_designs_of_the_tests_of_detectseparation(X, y, kind):
    assert answer(pd.DataFrame(X, dtype=float), y)[0] == kind

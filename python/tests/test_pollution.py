"""A damaged row is left out or refused, never delivered as another one."""

import collections
import os
import re

import pollution
import pytest

PAGE = os.path.join(os.path.dirname(__file__), "../../docs/tables.md")


@pytest.mark.parametrize("make", [pollution.damaged_rows, pollution.damaged_files])
def test_no_row_is_delivered_that_was_not_there(make):
    found = pollution.judged(pollution.own, make())
    sums = sum(found.values(), collections.Counter())
    wrong = {kind: counts["wrong"] for kind, counts in found.items() if counts["wrong"]}
    assert wrong == pollution.KNOWN_WRONG.get(make, {})
    with open(PAGE, encoding="utf-8") as page:
        rows = re.findall(
            r"\| rosenblatt \| ([^|]+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|", page.read()
        )
    told = {form: tuple(map(int, figures)) for form, *figures in rows}
    figures = tuple(sums[key] for key in ("files", "wrong", "lost", "refused"))
    assert told[pollution.NAMES_OF_FORMS[make]] == figures, found

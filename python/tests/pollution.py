"""One clean table, and every way of damaging it that files in the wild show: what readers make of each.

``python tests/pollution.py`` prints the table of docs/tables.md, with pandas, polars and DuckDB where these are there;
``--kinds`` tells each kind apart.
"""

import collections
import contextlib
import os
import tempfile
import warnings

NAMES = ["reading", "town", "weight", "bought"]
TOWNS = ["Oslo", "New York", "Rome"]
ROWS = [
    [f"{3 + 1.25 * i:.2f}", TOWNS[i * i % 3], f"{40 + (7 * i) % 23}.5", "yes" if i % 3 else "no"]
    for i in range(24)
]


def lines(rows, separator=","):
    return [separator.join(row) for row in rows]


def text(all_lines, end="\n"):
    return end.join(all_lines) + end


def damaged_rows():
    """Each row damaged at each place: the kind, and the file."""
    clean = lines([NAMES, *ROWS])
    for at, row in enumerate(ROWS, 1):
        for cell in range(len(row)):
            before, after = row[:cell], row[cell + 1 :]

            def replaced(*cells, before=before, after=after):
                return ",".join([*before, *cells, *after])

            value = row[cell]
            changed = {
                "a separator more": replaced("", value),
                "an extra quote": replaced('"' + value),
                "an extra quote within": replaced(value[:2] + '"' + value[2:]),
                "an extra quote at the end": replaced(value + '"'),
            }
            if after:
                changed["a separator less"] = ",".join([*before, value + after[0], *after[1:]])
            for kind, line in changed.items():
                yield kind, text([*clean[:at], line, *clean[at + 1 :]])
        yield "blanks for separators", text([*clean[:at], " ".join(row), *clean[at + 1 :]])
        yield "cut off", text([*clean[:at], ",".join(row[:2]), *clean[at + 1 :]])


def damaged_files():
    """The whole file in another form: the kind, and the file."""
    header, body, quoted = (
        lines([NAMES])[0],
        lines(ROWS),
        [[f'"{c}"' for c in r] for r in [NAMES, *ROWS]],
    )
    clean = [header, *body]
    for separator in ";\t|":
        yield "another separator", text(lines([NAMES, *ROWS], separator))
    yield "another separator", text(lines([NAMES, *ROWS], ", "))
    yield "every cell quoted", text(lines(quoted))
    yield "another quote", text(lines([[c.replace('"', "'") for c in r] for r in quoted]))
    yield "rows within quotes", text([f'"{line}"' for line in clean])
    for end in ("\r\n", "\r"):
        yield "another end of lines", text(clean, end)
    yield "no end of the last line", text(clean)[:-1]
    yield "blank lines", text(clean, "\n\n")
    yield "a title above", text(["Sales of the spring", "", *clean])
    yield "a title above", text(["Sales of the spring,,,", *clean])
    yield "a title above", text(["# made by a program", *clean])
    yield "a note below", text([*clean, "", "Source: the shop"])
    yield "a note below", text([*clean, "Total,,1217.5,"])
    yield "the header again", text([*clean[:10], header, *clean[10:]])
    yield "no header", text(body)
    yield "a header with #", text(["# " + header, *body])
    yield "a row of units", text([header, "l/min,,kg,", *body])
    yield "a name missing", text([header.replace("town", ""), *body])
    yield "a name twice", text([header.replace("weight", "reading"), *body])
    yield "a header too short", text([header.rsplit(",", 1)[0], *body])
    yield "a header too long", text([header + ",", *body])
    yield "rows too long", text([header, *(line + "," for line in body)])
    yield "names of rows", text([header, *(f"r{i},{line}" for i, line in enumerate(body))])
    yield "numbers of rows", text(["," + header, *(f"{i},{line}" for i, line in enumerate(body))])
    yield "a byte order mark", "\ufeff" + text(clean)


def shown(row):
    """A row as it can be compared: numbers as numbers, texts without blanks around."""

    def cell(value):
        if isinstance(value, bool):
            return "yes" if value else "no"
        with contextlib.suppress(TypeError, ValueError):
            return float(value)
        return str(value).strip()

    return tuple(cell(value) for value in row)


CLEAN = collections.Counter(map(shown, ROWS))


def own(path):
    from rosenblatt import read_csv

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data = read_csv(path, on_error="skip")
    X = data.X.toarray() if hasattr(data.X, "toarray") else data.X
    names = data.feature_names
    towns = [i for i, name in enumerate(names) if "=" in name]
    rows = []
    for x, y in zip(X, data.y, strict=True):
        town = [names[i].split("=", 1)[1] for i in towns if x[i] == 1]
        numbers = [x[i] for i in range(len(names)) if i not in towns]
        rows.append([numbers[0], *(town or [""]), *numbers[1:], y])
    return rows


def pandas(path):
    import pandas as pd

    return pd.read_csv(path, on_bad_lines="skip").to_numpy(dtype=object).tolist()


def polars(path):
    import polars as pl

    return pl.read_csv(path, ignore_errors=True, truncate_ragged_lines=True).rows()


def duckdb(path):
    import duckdb

    return duckdb.sql(f"from read_csv('{path}', ignore_errors=true)").fetchall()


def judged(read, files):
    """For each kind: how many files, rows that are wrong but delivered, rows lost, and files refused."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "data.csv")
        for kind, content in files:
            counts = found.setdefault(kind, collections.Counter())
            counts["files"] += 1
            with open(path, "w", newline="") as file:
                file.write(content)
            try:
                rows = collections.Counter(map(shown, read(path)))
            except Exception:
                counts["refused"] += 1
                continue
            counts["wrong"] += sum((rows - CLEAN).values())
            counts["lost"] += sum((CLEAN - rows).values())
    return found


NAMES_OF_FORMS = {damaged_rows: "one row damaged", damaged_files: "the file in another form"}

# Where a quote may be a character of a name, it is one.
KNOWN_WRONG = {damaged_rows: {"an extra quote within": 48, "an extra quote at the end": 48}}

if __name__ == "__main__":
    import sys

    for reader in (own, pandas, polars, duckdb):
        with contextlib.suppress(ImportError):
            __import__("rosenblatt" if reader is own else reader.__name__)
            for make, name in NAMES_OF_FORMS.items():
                found = judged(reader, make())
                sums = sum(found.values(), collections.Counter())
                figures = [sums[key] for key in ("files", "wrong", "lost", "refused")]
                reader_name = "rosenblatt" if reader is own else reader.__name__
                print("|", " | ".join(map(str, [reader_name, name, *figures])), "|")
                if "--kinds" in sys.argv:
                    for kind, counts in found.items():
                        print("   ", kind, dict(counts))

"""`rosenblatt.spark.separable` beside one call in memory: verdicts, margins, and proofs that the command checks.

    python benchmarks/spark_separable.py COMMAND DATA [--rows 1000000]

COMMAND is the command `rosenblatt`. DATA has the folders `libsvm-mushrooms`, `wdbc` and `libsvm-a9a`. The fourth set is
generated: 30 features with six decimals, and a hyperplane that leaves out the rows within 0.05 of it. It needs
`rosenblatt[spark]` as a release build and Java.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "spark"))
from cluster import build, stop
from pyspark.ml.linalg import Vectors

import rosenblatt
from rosenblatt.spark import separable

SHARDS = 16


def generated(path: Path, rows: int, features: int = 30) -> None:
    """A CSV file with a header, in which the label is the last column."""
    random = np.random.default_rng(0)
    weights = random.normal(size=features)
    X = random.normal(size=(2 * rows, features)).round(6)
    distances = X @ weights / np.linalg.norm(weights)
    X, distances = (part[np.abs(distances) > 0.05][:rows] for part in (X, distances))
    names = [f"x{j}" for j in range(features)]
    table = pa.table(dict(zip(names, X.T, strict=True)))
    table = table.append_column("label", pa.array(np.where(distances > 0, "yes", "no")))
    pyarrow.csv.write_csv(table, path)


def frame(spark, X, y, folder: Path):
    """Rows with their numbers, as vectors where X is sparse."""
    numbers = range(1, X.shape[0] + 1)
    if isinstance(X, np.ndarray):
        columns = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
        columns.assign(label=y, id=numbers).to_parquet(folder / "rows.parquet")
        df = spark.read.parquet(str(folder / "rows.parquet"))
        return df, {"featuresCols": df.columns[:-2]}
    parts = [slice(first, last) for first, last in zip(X.indptr, X.indptr[1:], strict=False)]
    vectors = [Vectors.sparse(X.shape[1], X.indices[part], X.data[part]) for part in parts]
    rows = list(zip(vectors, np.asarray(y).tolist(), numbers, strict=True))
    return spark.createDataFrame(rows, ["features", "label", "id"]).repartition(8), {}


def verified(command: str, path: Path, options: list[str], certificate, folder: Path) -> bool:
    proof = folder / "certificate.json"
    proof.write_text(json.dumps(certificate))
    words = [command, "separable", str(path), *options, "--json", "--verify", str(proof)]
    done = subprocess.run(words, capture_output=True, text=True)
    if not done.stdout:
        raise SystemExit(done.stderr)
    return bool(json.loads(done.stdout)["verified"])


def line(name: str, here, found, seconds: tuple[float, float], is_verified: bool) -> str:
    assert found.separable == here.separable
    margin = proof = ""
    if found:
        margin = f"{found.margin['lower']:.6g} ({here.margin['lower']:.6g})"
    else:
        proof = f"{len(found.ids)} rows"
    clock = f"{seconds[0]:.1f} s ({seconds[1]:.1f} s)"
    checked = "yes" if is_verified and found.verified else "NO"
    words = [name, found.separable, margin, proof, str(found.jobs), str(found.pool), clock, checked]
    return f"| {' | '.join(words)} |"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("command")
    parser.add_argument("data", type=Path)
    parser.add_argument("--rows", type=int, default=1_000_000)
    options = parser.parse_args()
    spark = build("local[2]", **{"spark.driver.memory": "4g"})
    print(
        "| set | answer | margin (one call) | proof | jobs | pool | clock (one call) | verified |"
    )
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        generated(folder / "generated.csv", options.rows)
        sets = [
            ("mushrooms", options.data / "libsvm-mushrooms" / "mushrooms.txt", []),
            ("wdbc", options.data / "wdbc" / "wdbc.data", ["--no-header", "--ignore", "1,32"]),
            ("a9a", options.data / "libsvm-a9a" / "a9a.txt", []),
            (f"generated, {options.rows:,} × 30", folder / "generated.csv", []),
        ]
        for name, path, words in sets:
            if path.suffix == ".txt":
                X, y = rosenblatt.read_svmlight(path)
            else:
                # The first column of wdbc has numbers of patients, and its last but one the label again.
                ignored = ["1", "32"] if words else None
                X, y = rosenblatt.read_csv(path, header=not words, ignore=ignored)[:2]
            df, columns = frame(spark, X, y, folder)
            start = time.perf_counter()
            here = rosenblatt.separable(X, y)
            middle = time.perf_counter()
            found = separable(df, shards=SHARDS, idCol="id", **columns)
            seconds = (time.perf_counter() - middle, middle - start)
            is_verified = verified(options.command, path, words, found.certificate, folder)
            print(line(name, here, found, seconds, is_verified), flush=True)
    stop()


if __name__ == "__main__":
    main()

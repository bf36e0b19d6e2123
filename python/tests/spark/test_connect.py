"""Spark Connect, in a process of its own: a process has one kind of session."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np

from rosenblatt import load
from rosenblatt.mixing import fit_shards, split

from .conftest import noisy

CLIENT = """
import json, sys
import numpy as np
import pandas as pd
from pyspark.sql import SparkSession
from rosenblatt.spark import PerceptronClassifier, PerceptronModel, separable

folder = sys.argv[1]
spark = SparkSession.builder.remote("local[2]").getOrCreate()
assert "connect" in type(spark).__module__
arrays = np.load(folder + "/rows.npz")
X, y = arrays["X"], arrays["y"]
df = spark.createDataFrame(pd.DataFrame(X, columns=list("abcde")).assign(label=y))
columns = {"featuresCols": list("abcde"), "shards": 8}
model = PerceptronClassifier(**columns, maxIter=2).fit(df)
model.native().save(folder + "/native.model")
model.save(folder + "/spark")
loaded = PerceptronModel.load(folder + "/spark")
right = loaded.transform(df).where("prediction = label").count()
print(json.dumps({"right": right, "separable": separable(df, **columns).separable}))
"""


def test_the_model_of_one_process(tmp_path):
    X, y = noisy()
    np.savez(tmp_path / "rows.npz", X=X, y=y)
    words = [sys.executable, "-c", CLIENT, str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, env={**os.environ})
    assert done.returncode == 0, done.stderr[-3000:]
    native = fit_shards(split(X, y, 8), max_iter=2)
    model = load(tmp_path / "native.model")
    assert model.coef_.tobytes() == native.coef_.tobytes()
    assert model.intercept_.tobytes() == native.intercept_.tobytes()
    found = json.loads(done.stdout.splitlines()[-1])
    assert found == {"right": round(native.score(X, y) * len(y)), "separable": "no"}

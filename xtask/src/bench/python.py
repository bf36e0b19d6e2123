"""The package for Python and scikit-learn at the same work: python.py TASK FOLDER SET WHO SEED.

Prints one JSON object: seconds of the processor and of the clock that the task takes, without the imports and
without what comes before it, and the share that is wrong: of the rows by the model, of the entries by the reader.
"""

import json
import os
import sys
import time
import warnings

import numpy as np
import rosenblatt
import sklearn.datasets
import sklearn.linear_model

warnings.filterwarnings("ignore")

MODELS = {"rosenblatt": rosenblatt.Perceptron, "scikit-learn": sklearn.linear_model.Perceptron}
READERS = {
    "rosenblatt": rosenblatt.read_svmlight,
    "scikit-learn": sklearn.datasets.load_svmlight_file,
}


def load(folder, name):
    return np.load(os.path.join(folder, name + ".npy"))


def timed(task):
    cpu, wall = time.process_time(), time.perf_counter()
    result = task()
    return result, {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}


def fit(folder, name, who, seed):
    x, y = load(folder, name + "-x"), load(folder, name + "-y")
    model = MODELS[who](max_iter=5, tol=None, shuffle=True, random_state=seed)
    _, said = timed(lambda: model.fit(x, y))
    return {**said, "errors": 1 - model.score(x, y), "epochs": int(model.n_iter_)}


def read(folder, name, who, seed):
    (x, y), said = timed(lambda: READERS[who](os.path.join(folder, name + ".svm")))
    found = {"offsets": x.indptr, "indices": x.indices, "values": x.data, "y": y}
    right = [np.array_equal(load(folder, f"{name}-{part}"), all) for part, all in found.items()]
    return {**said, "errors": 1 - sum(right) / len(right)}


def memory(folder, name, who, seed):
    """For whoever watches the process: arrays, and a fit unless nobody is to do it."""
    x, y = load(folder, name + "-x"), load(folder, name + "-y")
    if who in MODELS:
        MODELS[who](max_iter=5, tol=None, shuffle=True, random_state=seed).fit(x, y)
    return {}


task, folder, name, who, seed = sys.argv[1:]
tasks = {"fit": fit, "read": read, "memory": memory}
print(json.dumps(tasks[task](folder, name, who, int(seed))))

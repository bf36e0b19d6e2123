"""The same work by others: peers.py TASK FOLDER [SEED], or peers.py versions.

Prints one JSON object: seconds of the processor and of the clock from after the imports until the model is there,
the most memory in MiB (imports included), and the share of training rows that the model gets wrong.
"""

import importlib.metadata
import json
import os
import resource
import sys
import time
import warnings

warnings.filterwarnings("ignore")


class Watch:
    def __init__(self):
        self.cpu, self.wall = time.process_time(), time.perf_counter()

    def stop(self, **more):
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self.said = {
            "cpu": time.process_time() - self.cpu,
            "wall": time.perf_counter() - self.wall,
            "process": time.process_time(),
            "memory": memory / (2**20 if sys.platform == "darwin" else 2**10),
            **more,
        }

    def say(self, errors):
        print(json.dumps({**self.said, "errors": float(errors)}))


def perceptron(epochs, shuffle, seed=0):
    from sklearn.linear_model import Perceptron

    return Perceptron(max_iter=epochs, tol=None, shuffle=shuffle, random_state=seed)


def load(folder, name):
    import numpy as np

    return np.load(os.path.join(folder, name + ".npy"))


def read_text(folder):
    import numpy as np
    from sklearn.datasets import load_svmlight_file

    x, y = load_svmlight_file(os.path.join(folder, "text.svm"))
    # The perceptron takes no other indices than these, and the reader may give longer ones.
    x.indices, x.indptr = x.indices.astype(np.int32), x.indptr.astype(np.int32)
    return x, y


def text_sklearn(folder, seed):
    import sklearn.datasets

    model = perceptron(1, False)
    watch = Watch()
    x, y = read_text(folder)
    model.fit(x, y)
    watch.stop()
    watch.say(1 - model.score(x, y))


def text_liblinear(folder, seed):
    """The package brings LIBLINEAR's solvers, and a reader that is Python; the file is read by scikit-learn's C."""
    import numpy as np
    import sklearn.datasets
    from liblinear.liblinearutil import problem, train

    watch = Watch()
    x, y = read_text(folder)
    model = train(problem(y, x), "-s 3 -e 1000 -q")  # so wide a tolerance is one pass
    watch.stop()
    weights, _ = model.get_decfun(label_idx=0)
    side = model.get_labels()[0]
    right = (x @ np.asarray(weights) >= 0) == (y == side)
    watch.say(1 - right.mean())


def vw(folder, cache):
    import numpy as np
    import vowpalwabbit

    data, model = os.path.join(folder, "text.vw"), os.path.join(folder, "vw.model")
    options = ["--loss_function", "hinge", "-b", "16", "-d", data, "--quiet"]
    kept = ["--cache_file", data + ".cache"] if cache else []
    if cache and not os.path.exists(data + ".cache"):
        vowpalwabbit.Workspace(arg_list=options + kept).finish()
    watch = Watch()
    vowpalwabbit.Workspace(arg_list=options + kept + ["-f", model]).finish()
    watch.stop()
    scores = os.path.join(folder, "vw.scores")
    test = ["-d", data, "-i", model, "-t", "-p", scores, "--quiet"]
    vowpalwabbit.Workspace(arg_list=test).finish()
    watch.say(((np.loadtxt(scores) >= 0) != (load(folder, "text-y") > 0)).mean())


def text_vw(folder, seed):
    vw(folder, cache=False)


def text_vw_cache(folder, seed):
    vw(folder, cache=True)


def table(folder, seed):
    import polars

    model = perceptron(1, False)
    watch = Watch()
    frame = polars.read_csv(os.path.join(folder, "long.csv"))
    x, y = frame.drop("label").to_numpy(), frame["label"].to_numpy()
    model.fit(x, y)
    watch.stop()
    watch.say(1 - model.score(x, y))


def fitted(x, y, epochs, shuffle, seed):
    model = perceptron(epochs, shuffle, seed)
    watch = Watch()
    model.fit(x, y)
    watch.stop()
    return watch, model


def in_memory(x, y, epochs, shuffle, seed):
    """All epochs; an epoch is what each after the first adds."""
    one = min(fitted(x, y, 1, shuffle, seed)[0].said["cpu"] for _ in range(2))
    watch, model = fitted(x, y, epochs, shuffle, seed)
    watch.said["epoch"] = (watch.said["cpu"] - one) / (epochs - 1)
    watch.say(1 - model.score(x, y))


def wide(kind, shuffle):
    def task(folder, seed):
        x, y = load(folder, "wide-x").astype(kind), load(folder, "wide-y")
        in_memory(x, y, 3, shuffle, seed)

    return task


def long(folder, seed):
    in_memory(load(folder, "long-x"), load(folder, "long-y"), 5, True, seed)


def sparse(shuffle):
    def task(folder, seed):
        import numpy as np
        from scipy.sparse import csr_matrix

        offsets = load(folder, "text-offsets").astype(np.int32)
        x = csr_matrix((load(folder, "text-values"), load(folder, "text-indices"), offsets))
        in_memory(x, load(folder, "text-y"), 5, shuffle, seed)

    return task


def separable(folder, seed):
    """Until an epoch leaves no row wrong. Looking whether it did is not in the time."""
    x, y = load(folder, "separable-x"), load(folder, "separable-y")
    model = perceptron(1, True, seed)
    cpu = wall = 0.0
    for epoch in range(1, 1001):
        watch = Watch()
        model.partial_fit(x, y, classes=[-1.0, 1.0])
        watch.stop()
        cpu, wall = cpu + watch.said["cpu"], wall + watch.said["wall"]
        wrong = 1 - model.score(x, y)
        if wrong == 0:
            break
        model.set_params(random_state=seed + 1000 * epoch)  # another order in each epoch
    watch.said.update(cpu=cpu, wall=wall, epochs=epoch)
    watch.say(wrong)


def of_package(task, name, who):
    """The package for Python and scikit-learn at the same work, without the imports."""

    def work(folder, seed):
        import numpy as np
        import rosenblatt
        import sklearn.datasets
        import sklearn.linear_model

        library = {"rosenblatt": rosenblatt, "scikit-learn": sklearn.linear_model}.get(who)
        reader = rosenblatt.read_svmlight if who == "rosenblatt" else sklearn.datasets.load_svmlight_file
        if task == "read":
            watch = Watch()
            x, y = reader(os.path.join(folder, name + ".svm"))
            watch.stop()
            found = {"offsets": x.indptr, "indices": x.indices, "values": x.data, "y": y}
            return watch.say(1 - np.mean([np.array_equal(load(folder, f"{name}-{part}"), all) for part, all in found.items()]))
        x, y = load(folder, name + "-x"), load(folder, name + "-y")
        model = library and library.Perceptron(max_iter=5, tol=None, shuffle=True, random_state=seed)
        watch = Watch()
        if model:
            model.fit(x, y)
        watch.stop()
        watch.say(1 - model.score(x, y) if model and task == "fit" else 0)

    return work


TASKS = {
    **{
        f"{task} {name} {who}": of_package(task, name, who)
        for task, name in (("fit", "long"), ("fit", "clear"), ("memory", "long"), ("read", "text"))
        for who in ("rosenblatt", "scikit-learn", "nobody")
    },
    "text-sklearn": text_sklearn,
    "text-liblinear": text_liblinear,
    "text-vw": text_vw,
    "text-vw-cache": text_vw_cache,
    "table": table,
    "wide-f32-given": wide("f4", False),
    "wide-f32-shuffle": wide("f4", True),
    "wide-f64-given": wide("f8", False),
    "wide-f64-shuffle": wide("f8", True),
    "long-shuffle": long,
    "sparse-given": sparse(False),
    "sparse-shuffle": sparse(True),
    "separable-shuffle": separable,
}
PACKAGES = ["scikit-learn", "liblinear-official", "vowpalwabbit", "polars", "numpy", "scipy"]


def versions():
    said = {"Python": sys.version.split()[0]}
    for package in PACKAGES:
        try:
            said[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            pass
    return said


if sys.argv[1] == "versions":
    print(json.dumps(versions()))
else:
    TASKS[sys.argv[1]](sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 0)

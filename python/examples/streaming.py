"""Learn from data that comes in parts, and end where one pass over all of it ends."""

# %% [markdown]
# `partial_fit` visits the examples in the order in which they come. How they were cut into parts
# changes no bit of the weights, and none of the average: here are 100,000 rows in uneven parts.

# %%
import pickle
import warnings
from collections.abc import Iterator

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from rosenblatt import Perceptron

FEATURES = 20


def parts(seed: int = 0, rows: int = 100_000) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Rows of a stream: a hidden direction decides, and one label in ten is wrong."""
    random = np.random.default_rng(seed)
    direction = random.normal(size=FEATURES)
    while rows > 0:
        size = min(rows, int(random.integers(1, 20_000)))
        X = random.normal(size=(size, FEATURES))
        y = (X @ direction > 0) ^ (random.random(size) < 0.1)
        yield X, np.where(y, "up", "down")
        rows -= size


# %% [markdown]
# Each example is predicted before it is learned from, so the mistakes so far are an honest test.
# All classes are named at the first call: the first part might lack one.

# %%
stream = Perceptron(keep="average")
for X, y in parts():
    stream.partial_fit(X, y, classes=["down", "up"])
    seen = stream.t_ - 1
    print(f"{seen:7,} rows  {stream.n_mistakes_ / seen:.1%} mistakes so far")

# %% [markdown]
# One pass over everything gives the same bits.

# %%
X, y = (np.concatenate(columns) for columns in zip(*parts(), strict=True))
whole = Perceptron(keep="average").partial_fit(X, y, classes=["down", "up"])
once = Perceptron(keep="average", max_iter=1, shuffle=False)
warnings.simplefilter("ignore", ConvergenceWarning)  # that mistakes remain is expected here
once.fit(X, y)
for name, model in {"one call of partial_fit": whole, "fit with one epoch": once}.items():
    is_same = np.array_equal(model.coef_, stream.coef_) and model.intercept_ == stream.intercept_
    print(f"the same bits as {name}: {bool(is_same)}")

# %% [markdown]
# A learner can be pickled in the middle of a stream and goes on from there, average and all.

# %%
paused = Perceptron(keep="average")
for X, y in parts():
    paused.partial_fit(X, y, classes=["down", "up"])
    paused = pickle.loads(pickle.dumps(paused))
print(f"the same bits with a pause after each part: {np.array_equal(paused.coef_, stream.coef_)}")

# %% [markdown]
# With one label in ten wrong the last weights never settle. Their average does.

# %%
last = Perceptron(keep="last").partial_fit(*next(parts()), classes=["down", "up"])
for X, y in list(parts())[1:]:
    last.partial_fit(X, y)
for name, model in {"last": last, "average": stream}.items():
    print(f"{name:8} weights: {model.score(X, y):.1%} right on the newest part")

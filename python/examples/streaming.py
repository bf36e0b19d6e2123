"""Train batch by batch, with the result of one pass over all data."""

# %% [markdown]
# `partial_fit` visits the examples in the given order. The sizes of the batches change neither the
# weights nor their average, if the rows are not scaled: a scaling has the statistics of the first
# batch. Here are 100,000 rows of comparable features in batches of random sizes.

# %%
import pickle
import warnings
from collections.abc import Iterator

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from rosenblatt import Perceptron

FEATURES = 20


def parts(seed: int = 0, rows: int = 100_000) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield batches of a stream whose labels follow a random direction, with 10% label noise."""
    random = np.random.default_rng(seed)
    direction = random.normal(size=FEATURES)
    while rows > 0:
        size = min(rows, int(random.integers(1, 20_000)))
        X = random.normal(size=(size, FEATURES))
        y = (X @ direction > 0) ^ (random.random(size) < 0.1)
        yield X, np.where(y, "up", "down")
        rows -= size


# %% [markdown]
# The stream predicts each example before it learns from it, so the mistakes so far estimate the
# error. The first call needs all classes, because the first batch might lack one.

# %%
stream = Perceptron(keep="average", scale=None)
for X, y in parts():
    stream.partial_fit(X, y, classes=["down", "up"])
    rows = stream.t_ - 1
    print(f"{rows:7,} rows  {stream.n_mistakes_ / rows:.1%} mistakes so far")

# %% [markdown]
# One pass over all data gives an identical model.

# %%
X, y = (np.concatenate(columns) for columns in zip(*parts(), strict=True))
whole = Perceptron(keep="average", scale=None).partial_fit(X, y, classes=["down", "up"])
once = Perceptron(keep="average", max_iter=1, shuffle=False, scale=None)
warnings.simplefilter("ignore", ConvergenceWarning)  # that mistakes remain is expected here
once.fit(X, y)
for name, model in {"one call of partial_fit": whole, "fit with one epoch": once}.items():
    is_same = np.array_equal(model.coef_, stream.coef_) and model.intercept_ == stream.intercept_
    print(f"identical to {name}: {bool(is_same)}")

# %% [markdown]
# Training continues from a pickle, also for the average.

# %%
paused = Perceptron(keep="average", scale=None)
for X, y in parts():
    paused.partial_fit(X, y, classes=["down", "up"])
    paused = pickle.loads(pickle.dumps(paused))
print(f"identical to a stream with pauses: {np.array_equal(paused.coef_, stream.coef_)}")

# %% [markdown]
# With label noise, the last weights keep changing. Their average converges.

# %%
last = Perceptron(keep="last", scale=None).partial_fit(*next(parts()), classes=["down", "up"])
for X, y in list(parts())[1:]:
    last.partial_fit(X, y)
for name, model in {"last": last, "average": stream}.items():
    print(f"{name:8} weights: {model.score(X, y):.1%} right on the newest part")

"""Train on shards that actors of Ray hold, with the model of one process."""

# %% [markdown]
# `rosenblatt.mixing` does not know which machines hold the shards. `Mixing` makes a task for the
# statistics by which features are scaled, and one for each epoch. A machine calls it on its shards,
# and `Mixing` mixes what comes back. Any system that sends functions to data can do this. Here it is
# Ray: `pip install ray`.

# %%
import numpy as np
import ray

from rosenblatt.mixing import Mixing, Shard, fit_shards, split

SHARDS, ACTORS, FEATURES = 8, 2, 20


def rows(seed: int = 0, count: int = 20_000) -> tuple[np.ndarray, np.ndarray]:
    """Return rows whose labels follow a random direction, with 10% label noise."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(count, FEATURES))
    y = (X @ random.normal(size=FEATURES) > 0) ^ (random.random(count) < 0.1)
    return X, np.where(y, "up", "down")


# %% [markdown]
# An actor holds some of the shards, as bytes that every machine can read, and runs each task on all
# of them. The shard of a row follows from its numbers, so it does not matter which actor holds it.


# %%
@ray.remote(num_cpus=0)
class Holder:
    """Some shards in the memory of one machine."""

    def __init__(self, shards: list[bytes]) -> None:
        self.shards = [Shard.from_bytes(content) for content in shards]

    def run(self, task) -> list:
        """Call the task on every shard."""
        return [task(shard) for shard in self.shards]


def run(holders: list, task) -> list:
    """Run a task on all shards of all actors."""
    sent = ray.put(task)
    return [
        result for each in ray.get([one.run.remote(sent) for one in holders]) for result in each
    ]


# %%
ray.init(num_cpus=ACTORS, include_dashboard=False, log_to_driver=False, configure_logging=False)
X, y = rows()
shards = split(X, y, SHARDS)
content = [shard.to_bytes() for shard in shards]
holders = [Holder.remote(content[first::ACTORS]) for first in range(ACTORS)]

mixing = Mixing(["down", "up"], FEATURES, max_iter=5)
mixing.end_statistics(run(holders, mixing.statistics()))
while mixing.continues():
    mixing.end_epoch(run(holders, mixing.task()))
model = mixing.finish(run(holders, mixing.evaluation()))
ray.shutdown()

# %% [markdown]
# One process that learns the shards one after the other ends with identical weights.

# %%
here = fit_shards(shards, max_iter=5)
print(f"mistakes per epoch: {model.report_['mistakes_per_epoch']}")
print(f"accuracy: {100 * model.score(X, y):.1f}%")
print(f"identical to one process: {(model.coef_ == here.coef_).all()}")

"""Decide with a proof whether a perceptron can converge."""

# %% [markdown]
# A perceptron converges if and only if a hyperplane separates the classes. `separable` decides
# this, and returns a certificate. `verify` checks it in exact arithmetic with separate code.

# %%
import numpy as np
from sklearn.datasets import load_iris

from rosenblatt import Perceptron, separable, study, verify

corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
iris = load_iris()
tasks = {
    "AND": (corners, np.array([0, 0, 0, 1])),
    "XOR": (corners, np.array([0, 1, 1, 0])),
    "setosa": (iris.data, iris.target == 0),
    "versicolor": (iris.data, iris.target == 1),
}

# %% [markdown]
# The proof of "yes" is a separator. Two bounds on the margin γ differ only in the last digits. The
# proof of "no" are multipliers λ ≥ 0, not all 0, with Σ λᵢyᵢ(xᵢ, 1) = 0. With a separator, the sum
# Σ λᵢyᵢ(w·xᵢ + b) would be positive, but it is 0.

# %%
answers = {name: separable(X, y) for name, (X, y) in tasks.items()}
for name, answer in answers.items():
    checked = verify(answer.certificate, *tasks[name])
    line = f"{name:11} separable: {answer.separable:4} certificate checked: {bool(checked)}"
    if answer:
        line += f"   margin {answer.margin['lower']:.4f}, at most {int(answer.bound)} mistakes"
    print(line)

# %% [markdown]
# The proof for XOR is short: the sum of the four corners with their signs is 0.

# %%
multipliers = np.array([int(text) for text in answers["XOR"].certificate["multipliers"]])
X, y = tasks["XOR"]
signed = (multipliers * np.where(y == 1, 1, -1))[:, np.newaxis] * np.column_stack([X, np.ones(4)])
print(f"\nXOR: multipliers {multipliers.tolist()}, sum {signed.sum(axis=0).tolist()}")

# %% [markdown]
# A certificate holds only for its rows and labels. For other labels, `verify` reports the problem.

# %%
wrong = verify(answers["XOR"].certificate, X, tasks["AND"][1])
print(f"as a proof about AND: {bool(wrong)}, {wrong.problem}")

# %% [markdown]
# Novikoff (1962): from zero weights, in any order of the examples, there are at most (R² + 1) / γ²
# mistakes. `study` trains in many orders.

# %%
print()
for name in ("AND", "setosa"):
    X, y = tasks[name]
    model = Perceptron().fit(X, y)
    many = study(X, y, runs=200)
    print(
        f"{name:7} one run: {model.n_updates_} updates; {many.converged} of {many.runs} orders "
        f"converged, {many.updates.min()} to {many.updates.max()} updates; bound {int(many.bound)}"
    )

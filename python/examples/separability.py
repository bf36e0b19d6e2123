"""Can a perceptron learn it? An answer with a proof, before and after the run."""

# %% [markdown]
# A perceptron converges if and only if a hyperplane separates the classes. `separable` decides
# that, and gives a certificate that `verify` checks in exact arithmetic with code of its own.

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
# Yes comes with a separator and the margin γ, between two bounds that differ in the last digits.
# No comes with multipliers λ ≥ 0, not all 0, with Σ λᵢyᵢ(xᵢ, 1) = 0: were there a separator,
# each term of its scores Σ λᵢyᵢ(w·xᵢ + b) would be positive or nothing, and yet they add up to 0.

# %%
answers = {name: separable(X, y) for name, (X, y) in tasks.items()}
for name, answer in answers.items():
    checked = verify(answer.certificate, *tasks[name])
    line = f"{name:11} separable: {answer.separable:4} certificate checked: {bool(checked)}"
    if answer:
        line += f"   margin {answer.margin['lower']:.4f}, at most {int(answer.bound)} mistakes"
    print(line)

# %% [markdown]
# The proof for XOR is short enough to read: each corner once, with its sign, adds up to nothing.

# %%
multipliers = np.array([int(text) for text in answers["XOR"].certificate["multipliers"]])
X, y = tasks["XOR"]
signed = (multipliers * np.where(y == 1, 1, -1))[:, np.newaxis] * np.column_stack([X, np.ones(4)])
print(f"\nXOR: multipliers {multipliers.tolist()}, sum {signed.sum(axis=0).tolist()}")

# %% [markdown]
# A certificate is of these rows and labels. Of others it proves nothing, and `verify` says why.

# %%
wrong = verify(answers["XOR"].certificate, X, tasks["AND"][1])
print(f"as a proof about AND: {bool(wrong)}, {wrong.problem}")

# %% [markdown]
# Novikoff (1962): from zero, in whatever order the examples come, there are at most
# (R² + 1) / γ² mistakes. `study` runs many orders and compares.

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

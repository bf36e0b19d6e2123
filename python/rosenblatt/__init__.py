"""The perceptron done right: exact decisions, honest reports, the same bits on every machine.

Estimators in the manner of scikit-learn over an engine in Rust:

- `Perceptron`: scikit-learn's, with its signature, that stops when it has converged and says so, or says that it
  has not; with averaging, the pocket, margins and passive-aggressive rules;
- `KernelPerceptron` and `VotedPerceptron`: the same class with a kernel, and with a vote of all weights visited.

Beside them: `separable` (is it separable? with a proof) and `verify` (is it a proof?), `study` (many random orders
against Novikoff's bound), `read_svmlight` and `read_csv` (the engine's readers), `load` (a model file), and
displays for Matplotlib.

The same rows, options and seed give the same bits of the model: dense or sparse, ``float32`` or ``float64``, from
Python, the command ``rosenblatt`` and Rust.
"""

from ._files import Data, load, read_csv, read_svmlight
from ._perceptron import Perceptron
from ._plots import (
    BoundaryDisplay,
    HistoryDisplay,
    StudyDisplay,
    plot_boundary,
    plot_history,
    plot_study,
)
from ._separability import Separability, Verification, separable, verify
from ._study import Study, study
from ._variants import KernelPerceptron, VotedPerceptron
from ._version import __version__

__all__ = [
    "BoundaryDisplay",
    "Data",
    "HistoryDisplay",
    "KernelPerceptron",
    "Perceptron",
    "Separability",
    "Study",
    "StudyDisplay",
    "Verification",
    "VotedPerceptron",
    "__version__",
    "load",
    "plot_boundary",
    "plot_history",
    "plot_study",
    "read_csv",
    "read_svmlight",
    "separable",
    "study",
    "verify",
]

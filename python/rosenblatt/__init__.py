"""Perceptrons for scikit-learn, implemented in Rust, with exact decisions and identical models on every machine.

- `Perceptron`: scikit-learn's class with its parameters. It reports whether training converged, and adds averaging,
  the pocket, margins and passive-aggressive rules.
- `PerceptronCV`: the perceptron with the best of ten settings.
- `KernelPerceptron` and `VotedPerceptron`: the perceptron with a kernel, and the vote of all weights.
- `separable` decides with a proof whether two classes are separable, and `verify` checks a proof.
- `separation` tells complete separation, quasi-complete separation and overlap apart, as for a logistic regression, and
  `verify_separation` checks its proof.
- `convergence` says whether a run ends: always, from zero, by its order or never, and `verify_convergence` checks its
  proof.
- `least_errors` bounds the errors of the best hyperplane, and `verify_least_errors` checks its proof.
- `error_guarantee` bounds the error rate of new examples by test examples, with its conditions.
- `study` compares the updates of many random orders with Novikoff's bound.
- `trace` returns a run visit by visit, and `Perceptron.notes` has the algorithms of lecture notes.
- `read_svmlight` and `read_csv` read data files, and `load` reads a model file.
- `lab` shows in a notebook how a perceptron learns, step by step.
- `plot_boundary`, `plot_history` and `plot_study` draw with Matplotlib.

Equal rows, options and seed give an identical model: dense or sparse, ``float32`` or ``float64``, from Python, the
command ``rosenblatt`` and Rust.
"""

from ._answer import Answer, Check
from ._base import Explanation
from ._convergence import Convergence, convergence, verify_convergence
from ._cv import PerceptronCV
from ._files import Data, load, read_csv, read_svmlight
from ._guarantee import Guarantee, error_guarantee
from ._lab import Lab, lab
from ._least_errors import LeastErrors, least_errors, verify_least_errors
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
from ._separation import Column, Separation, separation, verify_separation
from ._study import Study, study
from ._trace import trace
from ._variants import KernelPerceptron, VotedPerceptron
from ._version import __version__

__all__ = [
    "Answer",
    "BoundaryDisplay",
    "Check",
    "Column",
    "Convergence",
    "Data",
    "Explanation",
    "Guarantee",
    "HistoryDisplay",
    "KernelPerceptron",
    "Lab",
    "LeastErrors",
    "Perceptron",
    "PerceptronCV",
    "Separability",
    "Separation",
    "Study",
    "StudyDisplay",
    "Verification",
    "VotedPerceptron",
    "__version__",
    "convergence",
    "error_guarantee",
    "lab",
    "least_errors",
    "load",
    "plot_boundary",
    "plot_history",
    "plot_study",
    "read_csv",
    "read_svmlight",
    "separable",
    "separation",
    "study",
    "trace",
    "verify",
    "verify_convergence",
    "verify_least_errors",
    "verify_separation",
]

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
- `TableEncoder` turns the columns of a data frame into features in a pipeline, and `save` writes that to a model file.
- `lab` shows in a notebook how a perceptron learns, step by step.
- `plot_boundary`, `plot_history` and `plot_study` draw with Matplotlib.

Equal rows, options and seed give an identical model: dense or sparse, ``float32`` or ``float64``, from Python, the
command ``rosenblatt`` and Rust.
"""

from typing import TYPE_CHECKING

# Names are imported when they are first used: scikit-learn takes longer to load than most calls that do not need it.
if TYPE_CHECKING:
    from ._answer import Answer as Answer
    from ._answer import Check as Check
    from ._base import Explanation as Explanation
    from ._convergence import Convergence as Convergence
    from ._convergence import convergence as convergence
    from ._convergence import verify_convergence as verify_convergence
    from ._cv import PerceptronCV as PerceptronCV
    from ._encoder import TableEncoder as TableEncoder
    from ._encoder import save as save
    from ._files import Data as Data
    from ._files import load as load
    from ._files import read_csv as read_csv
    from ._files import read_svmlight as read_svmlight
    from ._guarantee import Guarantee as Guarantee
    from ._guarantee import error_guarantee as error_guarantee
    from ._lab import Lab as Lab
    from ._lab import lab as lab
    from ._least_errors import LeastErrors as LeastErrors
    from ._least_errors import least_errors as least_errors
    from ._least_errors import verify_least_errors as verify_least_errors
    from ._perceptron import Perceptron as Perceptron
    from ._plots import BoundaryDisplay as BoundaryDisplay
    from ._plots import HistoryDisplay as HistoryDisplay
    from ._plots import StudyDisplay as StudyDisplay
    from ._plots import plot_boundary as plot_boundary
    from ._plots import plot_history as plot_history
    from ._plots import plot_study as plot_study
    from ._separability import Separability as Separability
    from ._separability import Verification as Verification
    from ._separability import separable as separable
    from ._separability import verify as verify
    from ._separation import Column as Column
    from ._separation import Separation as Separation
    from ._separation import separation as separation
    from ._separation import verify_separation as verify_separation
    from ._study import Study as Study
    from ._study import study as study
    from ._trace import trace as trace
    from ._variants import KernelPerceptron as KernelPerceptron
    from ._variants import VotedPerceptron as VotedPerceptron
    from ._version import __version__ as __version__
else:
    import importlib as _importlib

    _MODULE_OF = {
        "Answer": "_answer",
        "BoundaryDisplay": "_plots",
        "Check": "_answer",
        "Column": "_separation",
        "Convergence": "_convergence",
        "Data": "_files",
        "Explanation": "_base",
        "Guarantee": "_guarantee",
        "HistoryDisplay": "_plots",
        "KernelPerceptron": "_variants",
        "Lab": "_lab",
        "LeastErrors": "_least_errors",
        "Perceptron": "_perceptron",
        "PerceptronCV": "_cv",
        "Separability": "_separability",
        "Separation": "_separation",
        "Study": "_study",
        "StudyDisplay": "_plots",
        "TableEncoder": "_encoder",
        "Verification": "_separability",
        "VotedPerceptron": "_variants",
        "__version__": "_version",
        "convergence": "_convergence",
        "error_guarantee": "_guarantee",
        "lab": "_lab",
        "least_errors": "_least_errors",
        "load": "_files",
        "plot_boundary": "_plots",
        "plot_history": "_plots",
        "plot_study": "_plots",
        "read_csv": "_files",
        "read_svmlight": "_files",
        "save": "_encoder",
        "separable": "_separability",
        "separation": "_separation",
        "study": "_study",
        "trace": "_trace",
        "verify": "_separability",
        "verify_convergence": "_convergence",
        "verify_least_errors": "_least_errors",
        "verify_separation": "_separation",
    }

    __all__ = [*_MODULE_OF]

    def __getattr__(name):
        if name not in _MODULE_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(_importlib.import_module(f".{_MODULE_OF[name]}", __name__), name)
        globals()[name] = value
        return value

    def __dir__():
        return sorted({*globals(), *__all__})

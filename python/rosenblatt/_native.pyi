"""The native part of the package."""

from collections.abc import Callable
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Classifier",
    "Options",
    "Schema",
    "Stream",
    "choices",
    "choose",
    "convergence",
    "encode",
    "error_guarantee",
    "export",
    "fit",
    "lab_page",
    "least_errors",
    "load",
    "mix",
    "notes",
    "one_pass",
    "plateau",
    "preparation",
    "read",
    "read_frame",
    "row_hashes",
    "rules",
    "save",
    "scaled",
    "scaling",
    "separable",
    "separation",
    "statistics",
    "study",
    "table",
    "trace",
    "verify",
    "verify_convergence",
    "verify_least_errors",
    "verify_separation",
    "worst",
    "write",
]

_Matrix = NDArray[Any] | tuple[NDArray[Any], NDArray[Any], NDArray[Any], int]
_Hyperplanes = tuple[NDArray[np.float64], NDArray[np.float64]]

@final
class Classifier:
    @staticmethod
    def linear(weights: NDArray[np.float64], biases: NDArray[np.float64]) -> Classifier: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> Classifier: ...
    @property
    def form(self) -> str: ...
    @property
    def preparation(self) -> dict[str, str | None]: ...
    @property
    def calibrate(self) -> str | None: ...
    @property
    def has_probable_labels(self) -> bool: ...
    def probabilities(
        self, scores: NDArray[np.float64], classes: int
    ) -> NDArray[np.float64] | None: ...
    def intervals(self, scores: NDArray[np.float64]) -> NDArray[np.float64] | None: ...
    def decision_radius(
        self, matrix: _Matrix, classes: NDArray[np.uint32], norm: str
    ) -> NDArray[np.float64]: ...
    def explain(
        self, matrix: _Matrix
    ) -> tuple[
        list[float], list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]]
    ]: ...
    def weight_norm(self) -> float: ...
    @property
    def is_prepared(self) -> bool: ...
    @property
    def features(self) -> int: ...
    def negated(self) -> Classifier: ...
    def with_scaling(self, description: str) -> Classifier: ...
    def with_planes(
        self, weights: NDArray[np.float64], biases: NDArray[np.float64]
    ) -> Classifier: ...
    def planes(self) -> _Hyperplanes | None: ...
    def holds(self, weights: NDArray[np.float64], biases: NDArray[np.float64]) -> bool: ...
    def support(
        self,
    ) -> (
        tuple[
            NDArray[np.float64],
            NDArray[np.int64],
            NDArray[np.int64],
            NDArray[np.int64],
            NDArray[np.uint64],
        ]
        | None
    ): ...
    def predict(
        self,
        matrix: _Matrix,
        classes: int,
        *,
        scores: bool,
        zero: str,
        tally: str = "vote",
        threads: int = 1,
    ) -> tuple[NDArray[np.uint32], NDArray[np.float64]]: ...
    def __reduce__(self) -> tuple[Any, tuple[bytes]]: ...

@final
class Options:
    def __new__(cls, values: dict[str, Any]) -> Options: ...
    @staticmethod
    def from_json(text: str) -> Options: ...
    @property
    def zero(self) -> str: ...
    def to_json(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[str]]: ...

@final
class Schema:
    @staticmethod
    def of_names(names: list[str]) -> Schema: ...
    @staticmethod
    def from_json(text: str) -> Schema: ...
    def to_json(self) -> str: ...
    @property
    def is_table(self) -> bool: ...
    @property
    def has_names(self) -> bool: ...
    @property
    def features(self) -> int: ...
    def feature_names(self) -> list[str]: ...
    @property
    def target(self) -> str | None: ...
    def columns(self) -> list[tuple[str, str, int, list[str]]]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[str]]: ...

@final
class Stream:
    scale: str | None
    def __new__(cls, options: Options, classes: int, scale: str) -> Stream: ...
    @staticmethod
    def after_fit(
        options: Options,
        classes: int,
        start: _Hyperplanes,
        scale: str,
        classifier: Classifier | None = None,
    ) -> Stream: ...
    @staticmethod
    def of_state(
        options: str, classes: int, state: bytes, scaling: str | None = None
    ) -> Stream: ...
    def after_change(self, options: Options, start: _Hyperplanes) -> Stream: ...
    def classifier(self) -> Classifier | None: ...
    def with_options(self, options: Options) -> Stream: ...
    def learn(
        self,
        matrix: _Matrix,
        classes: NDArray[np.uint32],
        weights: NDArray[np.float64] | None = None,
    ) -> tuple[int, int]: ...
    def planes(self) -> _Hyperplanes: ...
    def holds(self, weights: NDArray[np.float64], biases: NDArray[np.float64]) -> bool: ...
    def report(self) -> str: ...
    def __reduce__(self) -> tuple[Any, tuple[str, int, bytes, str]]: ...

def preparation() -> dict[str, tuple[str | None, str]]: ...
def choices() -> dict[str, list[str]]: ...
def rules() -> dict[str, list[str]]: ...
def notes(name: str) -> dict[str, str]: ...
def encode(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.uint32]] | None: ...
def fit(
    matrix: _Matrix,
    classes: NDArray[np.uint32],
    count: int,
    options: Options,
    *,
    end: dict[str, Any],
    weights: NDArray[np.float64] | None = None,
    start: _Hyperplanes | None = None,
    after_epoch: Callable[[int, Classifier | None], bool] | None = None,
    threads: int = 1,
    prepare: dict[str, str | None] | None = None,
) -> dict[str, Any]: ...
def choose(
    matrix: _Matrix,
    classes: NDArray[np.uint32],
    count: int,
    options: Options,
    *,
    weights: NDArray[np.float64] | None = None,
    threads: int = 1,
    prepare: dict[str, str | None] | None = None,
) -> tuple[list[tuple[str, float, float | None]], int]: ...
def separable(
    matrix: _Matrix, classes: NDArray[np.uint32], bias: str, seconds: float | None
) -> str: ...
def error_guarantee(
    matrix: _Matrix, classes: NDArray[np.uint32], errors: int, are_training_examples: bool
) -> str: ...
def lab_page(file: str, link: str) -> str: ...
def separation(
    matrix: _Matrix, classes: NDArray[np.uint32], with_bias: bool, seconds: float | None
) -> str: ...
def verify_separation(
    certificate: str, matrix: _Matrix, classes: NDArray[np.uint32], with_bias: bool
) -> str: ...
def convergence(
    matrix: _Matrix, classes: NDArray[np.uint32], options: Options, seconds: float | None
) -> str: ...
def verify_convergence(
    certificate: str, matrix: _Matrix, classes: NDArray[np.uint32], bias: str
) -> str: ...
def least_errors(
    matrix: _Matrix, classes: NDArray[np.uint32], with_bias: bool, seconds: float | None
) -> str: ...
def verify_least_errors(
    certificate: str, matrix: _Matrix, classes: NDArray[np.uint32], with_bias: bool
) -> str: ...
def verify(certificate: str, matrix: _Matrix, classes: NDArray[np.uint32], bias: str) -> str: ...
def study(
    matrix: _Matrix,
    classes: NDArray[np.uint32],
    options: Options,
    runs: int,
    threads: int,
    sweep: str | None = None,
    holdout: float | None = None,
) -> str: ...
def one_pass(
    matrix: _Matrix,
    classes: NDArray[np.uint32],
    count: int,
    options: Options,
    *,
    start: _Hyperplanes | None = None,
    weights: NDArray[np.float64] | None = None,
) -> dict[str, Any]: ...
def mix(
    weights: NDArray[np.float64], biases: NDArray[np.float64], shares: list[int]
) -> _Hyperplanes: ...
def worst(
    matrix: _Matrix,
    classes: NDArray[np.uint32],
    weights: NDArray[np.float64],
    biases: NDArray[np.float64],
    most: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]: ...
def statistics(
    matrix: _Matrix, weights: NDArray[np.float64] | None = None
) -> NDArray[np.float64]: ...
def scaling(
    statistics: list[NDArray[np.float64]], keeps_origin: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None: ...
def scaled(
    matrix: _Matrix, shift: NDArray[np.float64], divisor: NDArray[np.float64]
) -> _Matrix: ...
def row_hashes(matrix: _Matrix, seed: int) -> NDArray[np.uint64]: ...
def plateau(mistakes: list[int], values: int) -> bool: ...
def read(path: str, arguments: dict[str, Any], like: Schema | None) -> dict[str, Any]: ...
def read_frame(
    text: bytes,
    types: list[tuple[str, str]],
    arguments: dict[str, Any],
    like: Schema | None,
) -> dict[str, Any]: ...
def table(object: Any, exact: bool) -> tuple[NDArray[Any], list[str]]: ...
def trace(
    matrix: _Matrix,
    classes: NDArray[np.uint32],
    options: Options,
    *,
    features: list[str],
    prepare: dict[str, str | None],
    epochs: int | None,
    start: _Hyperplanes | None = None,
    notes: str | None = None,
) -> tuple[str, bool]: ...
def save(path: str, classifier: Classifier, description: str) -> None: ...
def load(path: str) -> tuple[Classifier, str]: ...
def export(classifier: Classifier, description: str, path: str, columns: bool) -> bytes: ...
def write(path: str, content: bytes) -> None: ...

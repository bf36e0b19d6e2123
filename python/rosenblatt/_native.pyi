"""The native part: arrays to the engine and back."""

from collections.abc import Callable
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Classifier",
    "Stream",
    "check_options",
    "encode",
    "export",
    "fit",
    "load",
    "read",
    "save",
    "separable",
    "study",
    "table",
    "verify",
    "write",
]

_Matrix = NDArray[Any] | tuple[NDArray[Any], NDArray[Any], NDArray[Any], int]
_Planes = tuple[NDArray[np.float64], NDArray[np.float64]]

@final
class Classifier:
    @staticmethod
    def linear(weights: NDArray[np.float64], biases: NDArray[np.float64]) -> Classifier: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> Classifier: ...
    @property
    def form(self) -> str: ...
    @property
    def features(self) -> int: ...
    def negated(self) -> Classifier: ...
    def planes(self) -> _Planes | None: ...
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
        scaling: str | None = None,
    ) -> tuple[NDArray[np.uint32], NDArray[np.float64]]: ...
    def __reduce__(self) -> tuple[Any, tuple[bytes]]: ...

@final
class Stream:
    def __new__(cls, text: str, classes: int, start: _Planes | None = None) -> Stream: ...
    @staticmethod
    def of_state(text: str, classes: int, state: bytes) -> Stream: ...
    def with_options(self, text: str) -> Stream: ...
    def learn(
        self,
        matrix: _Matrix,
        classes: NDArray[np.uint32],
        weights: NDArray[np.float64] | None = None,
    ) -> tuple[int, int]: ...
    def planes(self) -> _Planes: ...
    def holds(self, weights: NDArray[np.float64], biases: NDArray[np.float64]) -> bool: ...
    def report(self) -> str: ...
    def __reduce__(self) -> tuple[Any, tuple[str, int, bytes]]: ...

def check_options(text: str) -> None: ...
def encode(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.uint32]] | None: ...
def fit(
    matrix: _Matrix,
    classes: NDArray[np.uint32],
    count: int,
    options: str,
    *,
    weights: NDArray[np.float64] | None = None,
    start: _Planes | None = None,
    holdout: float | None = None,
    tol: float | None = None,
    patience: int = 5,
    after_epoch: Callable[[int, _Planes | None], bool] | None = None,
    threads: int = 1,
    memory: int = 1073741824,
) -> dict[str, Any]: ...
def separable(
    matrix: _Matrix, classes: NDArray[np.uint32], bias: str, seconds: float | None
) -> str: ...
def verify(certificate: str, matrix: _Matrix, classes: NDArray[np.uint32], bias: str) -> str: ...
def study(
    matrix: _Matrix, classes: NDArray[np.uint32], options: str, runs: int, threads: int
) -> str: ...
def read(path: str, reading: dict[str, Any]) -> dict[str, Any]: ...
def table(object: Any) -> tuple[NDArray[Any], list[str]]: ...
def save(path: str, classifier: Classifier, description: str) -> None: ...
def load(path: str) -> tuple[Classifier, str]: ...
def export(classifier: Classifier, description: str, format: str) -> bytes: ...
def write(path: str, content: bytes) -> None: ...

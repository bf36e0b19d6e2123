"""What answers have in common."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import Self


class Answer(ABC):
    """An answer. In an ``if``, a proven *yes* is true and a proven *no* is false.

    Any other answer raises `ValueError`.
    """

    @abstractmethod
    def _truth(self) -> bool | str:
        """Whether the answer is yes; the text of the error if it is neither yes nor no."""

    @staticmethod
    def _truth_of(separable: str, reason: str) -> bool | str:
        """The truth of the words *yes*, *no* and *unknown*."""
        if separable == "unknown":
            return f"whether it is separable is unknown: {reason}; look at `separable`, or give more `seconds`"
        return separable == "yes"

    def __bool__(self) -> bool:
        truth = self._truth()
        if isinstance(truth, str):
            raise ValueError(truth)
        return truth


@dataclass(frozen=True)
class Check(Answer):
    """Whether a certificate is a proof. In an ``if``, a proof is true.

    Attributes
    ----------
    verified : bool
        Whether the certificate is a proof.

    problem : str or None
        Why the certificate is not a proof.
    """

    verified: bool
    problem: str | None

    def _truth(self) -> bool:
        return self.verified

    @classmethod
    def _of(cls, found: str) -> Self:
        """Return the result of a check of the engine, which is JSON."""
        values: dict[str, Any] = json.loads(found)
        return cls(**values)

"""What answers with a proof have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass


class Answer(ABC):
    """An answer. In an ``if``, a proven *yes* is true and a proven *no* is false.

    Any other answer raises `ValueError`.
    """

    @abstractmethod
    def _truth(self) -> bool | str:
        """Whether the answer is yes; the text of the error if it is neither yes nor no."""

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
    def _of(cls, problem: str | None) -> Check:
        return cls(verified=problem is None, problem=problem)

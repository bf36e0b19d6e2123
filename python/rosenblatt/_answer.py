"""What answers have in common."""

from __future__ import annotations

import html
import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    from typing_extensions import Self

    from ._boundary import BoundaryDisplay

_MOST_SHOWN = 20


class Answer(ABC):
    """An answer. In an ``if``, a proven *yes* is true and a proven *no* is false.

    Any other answer raises `ValueError`. ``str`` and a notebook show the answer, `to_frame` is the same as a table.

    Attributes
    ----------
    verified : bool
        Whether the checker confirmed the proof of the answer. False for an answer without a proof.
    """

    verified: bool
    # The check of the proof, and the rows that the answer is about.
    _check: Callable[..., Check] | None = None
    _rows: tuple[Any, Any] | None = None

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

    def _about(self, check: Callable[..., Check] | None, rows: tuple[Any, Any] | None) -> Self:
        """Note how the proof is checked, and the rows that it is about."""
        object.__setattr__(self, "_check", check)
        object.__setattr__(self, "_rows", rows)
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_rows": None}

    def verify(self, X: Any = None, y: Any = None) -> Check:
        """Check the proof in exact arithmetic, with code that the search does not use.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), default=None
            The rows. None is those that the answer is about, to which it refers; one from a pickle does not.

        y : array-like of shape (n_samples,), default=None
            The labels.

        Returns
        -------
        Check
            The result of the check: true if the proof is one; `problem` is the reason if it is not.

        Raises
        ------
        ValueError
            The answer has no proof, or there are no rows.
        """
        if (X is None) != (y is None):
            raise ValueError("verify needs both X and y, or neither")
        if self._check is None:
            raise ValueError("this answer has no proof that could be checked")
        X, y = self._known_rows("verify") if X is None else (X, y)
        return self._check(X, y)

    def _known_rows(self, method: str) -> tuple[Any, Any]:
        if self._rows is None:
            raise ValueError(f"the answer does not have the rows that it is about: {method}(X, y)")
        return self._rows

    def _columns(self) -> dict[str, list[Any]]:
        """The columns of the table: by default, the attributes that are not empty."""
        pairs: list[tuple[str, Any]] = []
        for field in (each for each in fields(self) if each.repr):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if isinstance(value, dict):
                pairs += [(f"{field.name} {key}", part) for key, part in value.items()]
            elif value is not None:
                pairs.append((field.name, value))
        return {"name": [name for name, _ in pairs], "value": [value for _, value in pairs]}

    def to_frame(self) -> pd.DataFrame:
        """Return the answer as a table of pandas.

        Returns
        -------
        DataFrame
            The table.

        Raises
        ------
        ImportError
            pandas is not installed.
        """
        import pandas

        return pandas.DataFrame(self._columns())

    def __str__(self) -> str:
        names, values = self._columns().values()
        return "\n".join(f"{name}: {value}" for name, value in zip(names, values, strict=True))

    def _repr_html_(self) -> str:
        columns = self._columns()
        head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
        rows = list(zip(*columns.values(), strict=True))
        cells = [
            "".join(f"<td>{html.escape(str(value))}</td>" for value in row)
            for row in rows[:_MOST_SHOWN]
        ]
        more = len(rows) - len(cells)
        cells += [f'<td colspan="{len(columns)}">… {more} more</td>'] if more > 0 else []
        body = "".join(f"<tr>{row}</tr>" for row in cells)
        return f"<p>{html.escape(self._title())}</p><table><tr>{head}</tr>{body}</table>"

    def _title(self) -> str:
        return type(self).__name__


class HyperplaneAnswer(Answer):
    """An answer whose certificate can have a hyperplane."""

    certificate: dict[str, Any] | None

    def plot(self, ax: Any = None, **options: Any) -> BoundaryDisplay:
        """Draw the rows, of two features, and the hyperplane of the certificate.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            The axes; None is a new figure.

        **options
            As for `BoundaryDisplay.plot`.

        Returns
        -------
        BoundaryDisplay
            The display, with `ax_` and `figure_`.

        Raises
        ------
        ValueError
            The answer has no hyperplane or no longer its rows, or these do not have two features.

        ImportError
            Matplotlib is not installed.
        """
        from ._boundary import BoundaryDisplay

        certificate = self.certificate or {}
        exact = [Fraction(number) for number in certificate.get("weights", [])]
        if not any(exact):
            raise ValueError(f"there is no hyperplane to draw: the answer is {self._word()!r}")
        *plane, bias = _floats([*exact, Fraction(certificate["bias"])])
        X, y = self._known_rows("ask again for an answer to plot: separable")
        positive = getattr(self._check, "keywords", {}).get("positive")
        return BoundaryDisplay._of_hyperplane(X, y, positive, plane, bias).plot(ax, **options)

    def _word(self) -> Any:
        """The answer in a word: its first attribute."""
        return getattr(self, fields(self)[0].name)  # type: ignore[arg-type]


def _floats(exact: list[Fraction]) -> list[float]:
    """Return numbers as floats, divided by the largest if they are past the range of floats."""
    try:
        return [float(number) for number in exact]
    except OverflowError:
        longest = max(map(abs, exact))
        return [float(number / longest) for number in exact]


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

    def verify(self, X: Any = None, y: Any = None) -> Check:
        """Return the check itself, without rows.

        Parameters
        ----------
        X, y : None
            A check is about the rows that it was given.

        Returns
        -------
        Check
            The check itself.
        """
        if X is not None or y is not None:
            raise ValueError(
                "this is the result of a check; pass other rows to the function that made it"
            )
        return self

    @classmethod
    def _of(cls, found: str) -> Self:
        """Return the result of a check of the engine, which is JSON."""
        values: dict[str, Any] = json.loads(found)
        return cls(**values)

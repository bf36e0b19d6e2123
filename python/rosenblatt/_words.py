"""The words that parameters accept and answers have, as types, so that an editor completes them."""

from __future__ import annotations

from typing import Literal, TypeAlias

Bias: TypeAlias = Literal["unit", "none", "radius"] | str
Calibrate: TypeAlias = Literal["temperature", "platt", "isotonic", "venn-abers"]
Classes: TypeAlias = Literal["auto", "one-vs-rest", "joint"]
Gamma: TypeAlias = Literal["scale", "auto"] | float
Init: TypeAlias = Literal["zero", "random"]
Keep: TypeAlias = Literal["auto", "last", "average", "pocket", "vote"]
Kernel: TypeAlias = Literal["linear", "poly", "rbf"] | str
Mistake: TypeAlias = Literal["margin", "label"]
Normalise: TypeAlias = Literal["l2", "l1", "max"]
Order: TypeAlias = Literal["shuffle", "given", "mistaken"]
Penalty: TypeAlias = Literal["l2", "l1", "elasticnet"]
ProofBias: TypeAlias = Literal["unit", "none", "radius"]
Scale: TypeAlias = Literal["auto", "standard", "maxabs", "minmax"]
Sweep: TypeAlias = Literal["margin", "scale", "units", "outlier"]
Tally: TypeAlias = Literal[
    "vote",
    "average",
    "average-normalised",
    "last",
    "last-normalised",
    "random",
    "random-normalised",
]
Update: TypeAlias = (
    Literal["perceptron", "margin", "pa", "pa1", "pa2", "arow", "second-order"] | str
)
Weighting: TypeAlias = Literal["binary", "log", "tfidf"]
Zero: TypeAlias = Literal["positive", "negative"]

Verdict: TypeAlias = Literal["yes", "no", "unknown"]
Case: TypeAlias = Literal["complete", "quasi-complete", "overlap", "unknown"]
EndedBy: TypeAlias = Literal["work", "clock", "precision"]
Ending: TypeAlias = Literal["always", "from-zero", "depends-on-order", "never"]
Estimate: TypeAlias = Literal["finite", "+inf", "-inf", "aliased"]
Hyperplanes: TypeAlias = Literal["with a bias", "through the origin"]
Theorem: TypeAlias = Literal["clopper_pearson", "one_pass", "sample_compression"]

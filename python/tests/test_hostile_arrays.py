"""Hostile arrays give the result of a plain copy of their numbers, or a clear error."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import sparse

from rosenblatt import KernelPerceptron, Perceptron, VotedPerceptron, _native

FEATURES = 3
ROUNDS = 300
# The last message is scikit-learn's for an integer out of range.
ERRORS = (ValueError, TypeError, OverflowError)


def points(random: np.random.Generator, n: int) -> np.ndarray:
    """Small whole numbers, whose sums are exact in any order."""
    return random.integers(-4, 5, (n, FEATURES)).astype(float)


def model_of(random: np.random.Generator, kind=Perceptron):
    rows = points(random, 12)
    labels = np.arange(12) % 2
    return kind(max_iter=5, random_state=0).fit(rows, labels)


# --- Parts of a CSR matrix.


def random_csr(random: np.random.Generator, n: int):
    """The data, indices and offsets of some matrix; entries in any order, some of one place."""
    lengths = random.integers(0, FEATURES + 2, n)
    entries = int(lengths.sum())
    width = random.choice([np.int32, np.int64])
    data = random.integers(-4, 5, entries).astype(random.choice([np.float64, np.float32]))
    indices = random.integers(0, FEATURES, entries).astype(width)
    return data, indices, np.concatenate([[0], np.cumsum(lengths)]).astype(width)


def set_one(random, array, values):
    """One place of an array has one of these values, as far as its type holds it."""
    if len(array) > 0:
        most = np.iinfo(array.dtype)
        value = min(max(int(random.choice(values)), most.min), most.max)
        array[random.integers(len(array))] = value


def an_index(random, data, indices, offsets):
    set_one(random, indices, [-1, FEATURES, 2**31 - 1, 2**32, 2**62, -(2**31), -(2**63)])
    return data, indices, offsets


def an_offset(random, data, indices, offsets):
    set_one(random, offsets, [-1, 1, 0, len(data) + 1, 2**31 - 1, 2**62, -(2**63)])
    return data, indices, offsets


def a_length(random, data, indices, offsets):
    cut = random.integers(1, 3)
    which = random.integers(3)
    lists = [data, indices, offsets]
    lists[which] = lists[which][:-cut]
    return tuple(lists)


def a_value(random, data, indices, offsets):
    if len(data) > 0:
        data[random.integers(len(data))] = random.choice([np.nan, np.inf, -np.inf])
    return data, indices, offsets


def views(random, data, indices, offsets):
    """The same numbers, each second one of an array that is twice as long."""
    data, indices = np.repeat(data, 2)[::2], np.repeat(indices, 2)[::2]
    for part in (data, indices, offsets):
        part.flags.writeable = False
    return data, indices, offsets


def unchanged(random, data, indices, offsets):
    return data, indices, offsets


CHANGES = [an_index, an_offset, a_length, a_value, views, unchanged]


def dense_of(data, indices, offsets, n: int) -> np.ndarray | None:
    """The matrix as a naive program reads it; None where it is none."""
    ends = [int(end) for end in offsets]
    falls = any(b < a for a, b in itertools.pairwise(ends))
    if len(ends) != n + 1 or ends[0] != 0 or falls or ends[-1] > min(len(indices), len(data)):
        return None
    dense = np.zeros((n, FEATURES))
    for row in range(n):
        for place in range(ends[row], ends[row + 1]):
            if not 0 <= int(indices[place]) < FEATURES or not np.isfinite(data[place]):
                return None
            dense[row, int(indices[place])] += data[place]
    return dense


def matrix_of(parts, n: int):
    """A matrix of SciPy with these parts, past all its checks."""
    matrix = sparse.csr_matrix((n, FEATURES))
    matrix.data, matrix.indices, matrix.indptr = parts
    return matrix


@pytest.mark.parametrize("kind", [Perceptron, KernelPerceptron, VotedPerceptron])
def test_any_parts_of_a_csr_matrix(kind):
    random = np.random.default_rng(1)
    model = model_of(random, kind)
    told = {True: 0, False: 0}
    for _ in range(ROUNDS):
        n = int(random.integers(1, 6))
        parts = random.choice(CHANGES)(random, *random_csr(random, n))
        before = [part.copy() for part in parts]
        dense = dense_of(*parts, n)
        told[dense is None] += 1
        if dense is None:
            with pytest.raises(ERRORS):
                model.predict(matrix_of(parts, n))
        else:
            expected = model.decision_function(dense)
            assert model.decision_function(matrix_of(parts, n)).tolist() == expected.tolist()
        for part, copy in zip(parts, before, strict=True):
            assert np.array_equal(part, copy, equal_nan=part.dtype.kind == "f")
    assert min(told.values()) > ROUNDS / 20


def test_any_parts_past_the_python_files():
    """The native part checks on its own: it is asked with parts that the Python files would have refused."""
    random = np.random.default_rng(2)
    classifier = _native.Classifier.linear(np.array([[1.0, -2.0, 0.5]]), np.array([0.25]))
    told = {True: 0, False: 0}
    for _ in range(ROUNDS):
        n = int(random.integers(1, 6))
        parts = random.choice(CHANGES)(random, *random_csr(random, n))
        data, indices, offsets = (np.ascontiguousarray(part) for part in parts)
        ascends = all(
            (np.diff(indices[a:b].astype(object)) > 0).all()
            for a, b in itertools.pairwise(offsets)
            if 0 <= a < b <= len(indices)
        )
        # Entries behind the last row are for the Python files to cut off.
        is_whole = len(data) == len(indices) and len(offsets) > 0 and offsets[-1] == len(data)
        dense = dense_of(data, indices, offsets, len(offsets) - 1) if ascends and is_whole else None
        told[dense is None] += 1
        matrix = (data, indices, offsets, FEATURES)
        if dense is None:
            with pytest.raises(ERRORS):
                classifier.predict(matrix, 2, scores=True, zero="negative")
        else:
            found = classifier.predict(matrix, 2, scores=True, zero="negative")[1]
            assert found.ravel().tolist() == (dense @ [1.0, -2.0, 0.5] + 0.25).tolist()
    assert min(told.values()) > ROUNDS / 20


# --- Arrays.


def misaligned(rows):
    """The same numbers one byte off where a processor wants them."""
    room = np.zeros(rows.nbytes + 1, dtype=np.uint8)
    room[1:] = np.frombuffer(rows.tobytes(), dtype=np.uint8)
    return np.ndarray(rows.shape, dtype=rows.dtype, buffer=room, offset=1)


def read_only(rows):
    rows = rows.copy()
    rows.flags.writeable = False
    return rows


FORMS = {
    "reversed": lambda rows: rows[::-1, ::-1].copy()[::-1, ::-1],
    "strided": lambda rows: np.repeat(np.repeat(rows, 2, axis=0), 3, axis=1)[::2, ::3],
    "of Fortran": np.asfortranarray,
    "transposed": lambda rows: rows.T.copy().T,
    "misaligned": misaligned,
    "read-only": read_only,
    "swapped bytes": lambda rows: rows.astype(rows.dtype.newbyteorder()),
    "single": lambda rows: rows.astype(np.float32),
    "bytes": lambda rows: rows.astype(np.int8),
    "objects": lambda rows: rows.astype(object),
    "lists": lambda rows: rows.tolist(),
    "memory": lambda rows: memoryview(rows),
}


@pytest.mark.parametrize("form", FORMS)
def test_any_form_of_an_array(form):
    random = np.random.default_rng(3)
    model = model_of(random)
    for _ in range(20):
        rows = points(random, int(random.integers(1, 6)))
        given = FORMS[form](rows)
        assert model.decision_function(given).tolist() == model.decision_function(rows).tolist()
        labels = np.arange(len(rows)) % 2
        if len(rows) > 1:
            learned = [Perceptron(max_iter=3).fit(x, labels).coef_.tolist() for x in (given, rows)]
            assert learned[0] == learned[1]


def test_zero_strides():
    """One row that is every row, and one number that is every number."""
    row = np.broadcast_to(np.array([1.0, 2.0, -1.0]), (4, FEATURES))
    number = np.broadcast_to(np.float64(3.0), (4, FEATURES))
    labels = np.broadcast_to(np.array([1]), 4)
    assert row.strides[0] == 0
    assert number.strides == (0, 0)
    model = model_of(np.random.default_rng(4))
    for rows in (row, number):
        assert (
            model.decision_function(rows).tolist() == model.decision_function(rows.copy()).tolist()
        )
        assert model.score(rows, labels) == model.score(rows.copy(), labels.copy())


@pytest.mark.parametrize(
    "rows",
    [
        np.array([[1.0, None, 2.0]], dtype=object),
        np.array([["a", 1, 2]], dtype=object),
        np.array([[10**400, 1, 2]], dtype=object),
        np.array([[np.nan, 1, 2]], dtype=object),
        np.array([[[1], 1, 2]], dtype=object),
        np.array([[1j, 1, 2]]),
        np.array([["x", "y", "z"]]),
        np.zeros((2, FEATURES, 1)),
        np.zeros(FEATURES),
        np.float64(1),
        np.zeros((2, 0)),
        np.zeros((0, FEATURES)),
        np.broadcast_to(np.float64(np.inf), (3, FEATURES)),
    ],
    ids=lambda rows: f"{np.asarray(rows).dtype}{np.shape(rows)}",
)
def test_what_is_no_matrix_of_numbers(rows):
    model = model_of(np.random.default_rng(5))
    with pytest.raises(ERRORS):
        model.predict(rows)
    with pytest.raises(ERRORS):
        Perceptron().fit(rows, np.arange(max(len(np.atleast_1d(rows)), 2)) % 2)


def test_any_weights_of_examples():
    """Views, zero strides and other types are accepted; negative, infinite or too many weights are errors."""
    random = np.random.default_rng(6)
    rows, labels = points(random, 8), np.arange(8) % 2
    plain = np.arange(1.0, 9.0)
    expected = Perceptron(max_iter=4).fit(rows, labels, sample_weight=plain).coef_.tolist()
    forms = [np.repeat(plain, 2)[::2], plain[::-1].copy()[::-1], plain.astype(np.int8)]
    forms += [plain.astype(object), read_only(plain), misaligned(plain), plain.tolist()]
    for weights in forms:
        found = Perceptron(max_iter=4).fit(rows, labels, sample_weight=weights).coef_.tolist()
        assert found == expected
    for bad in [-plain, plain * np.inf, plain[:-1], np.append(plain, 1), plain.reshape(2, 4)]:
        with pytest.raises(ERRORS):
            Perceptron().fit(rows, labels, sample_weight=bad)

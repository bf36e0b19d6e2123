"""Named arrays as bytes, with a checksum; read without a copy."""

from __future__ import annotations

import json
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MAGIC = b"RBARRAY1"
_ALIGNMENT = 64


def to_bytes(values: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> bytes:
    """Return JSON values and arrays as bytes. Equal contents give equal bytes."""
    entries, parts, offset = [], [], 0
    for name, array in sorted(arrays.items()):
        plain = np.ascontiguousarray(array)
        entries.append([name, plain.dtype.str, list(plain.shape), offset])
        padding = -plain.nbytes % _ALIGNMENT
        parts += [plain.data.cast("B") if plain.nbytes else b"", bytes(padding)]
        offset += plain.nbytes + padding
    head = json.dumps({"values": values, "arrays": entries, "size": offset}, sort_keys=True)
    head_bytes = head.encode()
    head_bytes += b" " * (-(len(_MAGIC) + 16 + len(head_bytes)) % _ALIGNMENT)
    content = b"".join([len(head_bytes).to_bytes(8, "little"), head_bytes, *parts])
    return b"".join([_MAGIC, zlib.crc32(content).to_bytes(8, "little"), content])


def from_bytes(
    content: Any, description: str, *, check: bool = True
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read what `to_bytes` made; raise `ValueError` for other or damaged bytes. The arrays borrow the bytes."""
    view = memoryview(content)
    start = len(_MAGIC) + 8
    if bytes(view[: len(_MAGIC)]) != _MAGIC or len(view) < start + 8:
        raise ValueError(f"{description} was not written by rosenblatt")
    if check and zlib.crc32(view[start:]) != int.from_bytes(view[len(_MAGIC) : start], "little"):
        raise ValueError(f"{description} is damaged: its checksum does not match")
    length = int.from_bytes(view[start : start + 8], "little")
    head = json.loads(bytes(view[start + 8 : start + 8 + length]))
    body = view[start + 8 + length :]
    if len(body) != head["size"]:
        raise ValueError(f"{description} is damaged: it ends early")
    arrays = {}
    for name, dtype, shape, offset in head["arrays"]:
        kind = np.dtype(dtype)
        count = int(np.prod(shape, dtype=np.int64))
        part = body[offset : offset + count * kind.itemsize]
        arrays[name] = np.frombuffer(part, dtype=kind, count=count).reshape(shape)
    return head["values"], arrays

"""Provable chance: a season's secret, the seed of a match, and named streams of draws.

Everything random in a match comes from its 32-byte seed, and the seed from the season's
secret, so that anyone who is later told the seed can recompute every shuffle, roll and theft.
The SHA-256 of secret and seed are published beforehand.

The n-th draw below m of the stream `name` hashes HMAC-SHA256(seed, "name:n:k") for k = 0, 1, …
and takes the first 8 bytes, big-endian, as x; the first x below the largest multiple of m that
fits in 64 bits gives x mod m. Streams are independent: one more theft shifts no die.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import MutableSequence
from typing import Any

SEED_BYTES = 32
_BLOCK_BYTES = 64
_SPAN = 1 << 64
_leading_8_bytes = struct.Struct(">Q").unpack_from  # as a big-endian number


def commitment(secret: bytes) -> str:
    """SHA-256 of a secret or a seed in hex: what is published before the first decision."""
    return hashlib.sha256(secret).hexdigest()


def derive_seed(secret: bytes, name: str) -> bytes:
    """The 32-byte seed of the match or set called `name` in the season with `secret`."""
    return hmac.digest(secret, name.encode(), "sha256")


class Chance:
    """The streams of one seed. Immutable: a draw depends on its arguments alone."""

    __slots__ = ("_inner", "_outer", "seed")

    def __init__(self, seed: bytes) -> None:
        """seed: exactly 32 bytes, else ValueError."""
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        self.seed = seed
        # HMAC (RFC 2104) with the two key blocks hashed once: a draw then copies two hash
        # states, which takes less than half of hmac.digest's time.
        key = seed.ljust(_BLOCK_BYTES, b"\0")
        self._inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key))
        self._outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in key))

    def draw(self, stream: str, n: int, below: int) -> int:
        """The n-th draw of `stream`, uniform over 0 … below - 1.

        Raises ValueError unless 1 <= below <= 2^64.
        """
        if not 1 <= below <= _SPAN:
            raise ValueError(f"cannot draw below {below}")
        limit = _SPAN - _SPAN % below
        k = 0
        while True:
            inner = self._inner.copy()
            inner.update(f"{stream}:{n}:{k}".encode())
            outer = self._outer.copy()
            outer.update(inner.digest())
            x: int = _leading_8_bytes(outer.digest())[0]
            if x < limit:
                return x % below
            k += 1

    def shuffle(self, stream: str, items: MutableSequence[Any], first: int = 0) -> int:
        """Shuffle `items` in place, last place first, from draw `first` of `stream` on.

        Returns the number of the next unused draw.
        """
        n = first
        for last in range(len(items) - 1, 0, -1):
            other = self.draw(stream, n, last + 1)
            items[last], items[other] = items[other], items[last]
            n += 1
        return n

"""The terms of an offer: what the two bundles say, whoever makes or takes it."""

from __future__ import annotations

from functools import lru_cache

from engine.game import IllegalAction
from engine.pioneers.actions import RESOURCES, Bundle
from engine.pioneers.cards import pack


class Terms:
    """Both sides of an offer. `give`, `get`: packed; the counts are cards in all."""

    __slots__ = ("get", "get_bundle", "get_count", "give", "give_bundle", "give_count")

    def __init__(self, give: Bundle, get: Bundle, give_count: int, get_count: int) -> None:
        self.give_bundle = give
        self.get_bundle = get
        self.give = pack(give)
        self.get = pack(get)
        self.give_count = give_count
        self.get_count = get_count


@lru_cache(maxsize=1 << 12)
def terms(give: Bundle, get: Bundle) -> Terms:
    """The terms of `give` for `get`. Raises IllegalAction where no seat could offer that."""
    sums = [0, 0]
    for name in RESOURCES:
        given: int = getattr(give, name)
        wanted: int = getattr(get, name)
        if given < 0 or wanted < 0:
            raise IllegalAction(
                "negative_count", f"an offer cannot hold {min(given, wanted)} {name}"
            )
        if given and wanted:
            raise IllegalAction("same_resource", f"{name} cannot stand on both sides of an offer")
        sums[0] += given
        sums[1] += wanted
    for side, count in zip(("give", "get"), sums, strict=True):
        if not count:
            raise IllegalAction(
                "gift", f"each side of an offer moves at least 1 card; `{side}` has none"
            )
    return Terms(give, get, *sums)

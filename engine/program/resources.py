"""Food, credits and responses: the three kinds that a town produces, stores and spends."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

# Up to the largest integer that every JSON reader takes exactly (RFC 8259, section 6).
Count: TypeAlias = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Kind: TypeAlias = Literal["food", "credits", "responses"]

KINDS_OF_RESOURCE: tuple[Kind, ...] = ("food", "credits", "responses")


class Resources(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Tokens by kind; a kind left out means none."""

    food: Count = 0
    """Food. [tokens]"""
    credits: Count = 0
    """Credits. [tokens]"""
    responses: Count = 0
    """Response tokens. [tokens]"""

    def __bool__(self) -> bool:
        """Whether there is anything."""
        return bool(self.food or self.credits or self.responses)

    def total(self) -> int:
        """Tokens of all kinds together."""
        return self.food + self.credits + self.responses


NOTHING = Resources()


def spell(resources: Resources) -> str:
    """Resources in words: "2 food, 1 credit", or "nothing"."""
    names = (
        (resources.food, "food", "food"),
        (resources.credits, "credit", "credits"),
        (resources.responses, "response", "responses"),
    )
    return ", ".join(f"{n} {one if n == 1 else many}" for n, one, many in names if n) or "nothing"

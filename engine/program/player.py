"""What one seat has: HQ, town, hand, projects, pile, points, survivor."""

from __future__ import annotations

from engine.program.piles import Pile, stored
from engine.program.traits import traits_of


class Player:
    """What one seat has.

    hand: in card order. town: in order of arrival. arrival: stamp of the last change of score;
    four: stamp of when the score last came to four, 0 while it is below.
    """

    __slots__ = (
        "arrival",
        "credits",
        "extra",
        "food",
        "four",
        "hand",
        "hq",
        "permanent",
        "projects",
        "responses",
        "score",
        "survivor",
        "town",
        "traits",
    )

    def __init__(self, survivor: int) -> None:
        """A seat at set-up: Small HQ, 2 credits, 2 responses."""
        self.hq = 0
        self.town: tuple[int, ...] = ()
        self.hand: tuple[int, ...] = ()
        self.projects: tuple[int, ...] = ()
        self.food = 0
        self.credits = 2
        self.responses = 2
        self.permanent = 0
        self.score = 0
        self.arrival = 0
        self.four = 0
        self.survivor = survivor
        self.extra = False
        self.traits = traits_of(0, ())

    def copy(self) -> Player:
        """An equal player, independent of this one."""
        new: Player = Player.__new__(Player)
        new.hq = self.hq
        new.town = self.town
        new.hand = self.hand
        new.projects = self.projects
        new.food = self.food
        new.credits = self.credits
        new.responses = self.responses
        new.permanent = self.permanent
        new.score = self.score
        new.arrival = self.arrival
        new.four = self.four
        new.survivor = self.survivor
        new.extra = self.extra
        new.traits = self.traits
        return new

    def pile(self) -> Pile:
        """Food, credits, responses."""
        return self.food, self.credits, self.responses

    def gain(self, food: int, credits_: int, responses: int) -> Pile:
        """Store a gain; what finds no room is lost. Returns what was stored."""
        held = self.pile()
        pile = stored(self.traits, held, (food, credits_, responses))
        self.food, self.credits, self.responses = pile
        return pile[0] - held[0], pile[1] - held[1], pile[2] - held[2]

    def take(self, card: int) -> None:
        """Put a card into the hand."""
        self.hand = tuple(sorted((*self.hand, card)))

    def drop(self, card: int) -> None:
        """Take a card out of the hand."""
        at = self.hand.index(card)
        self.hand = self.hand[:at] + self.hand[at + 1 :]

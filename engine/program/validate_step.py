"""Refusing positions whose step of the round has what it cannot have, or lacks what it needs."""

from __future__ import annotations

from engine.program.cards import NUMBER_OF, SURVIVORS
from engine.program.deal import PACK, PICKS
from engine.program.playing import ACTIVATION
from engine.program.position import Position
from engine.program.refusals import impossible
from engine.program.state import MOST_TURNS, TURNS_PER_ROUND


def check_step(p: Position) -> None:
    """The step of the round, and what may be there in it and nowhere else."""
    for field, there, steps in (
        ("turn", p.turn, ("actions",)),
        ("current", p.current is not None, ("actions", "survivors")),
        ("opened", p.opened, ("actions",)),
        ("acted", p.acted, ("actions",)),
        ("played", p.played, ("actions",)),
        ("used", p.used, ("actions",)),
        ("choices", p.choices, ("actions",)),
        ("combat", p.combat, ("actions",)),
        ("packs", p.packs, ("draft",)),
        ("tokens", p.tokens, ("actions", "maintenance", "survivors", "over")),
    ):
        if there and p.step not in steps:
            impossible(field, f"not in the step {p.step!r}")
    if (p.step == "draft") != (p.round == 0):
        impossible("round", f"{p.round} in the step {p.step!r}; the draft is round 0")
    if p.round > p.arc + 1:
        impossible("round", f"{p.round}, and the Arc alarm of round {p.arc} ends it all one later")
    if len(set(p.tokens)) < len(p.tokens):
        impossible("tokens", "a seat has one player token")
    if any(town.extra_turn for town in p.towns) and p.step in ("draft", "survivors"):
        impossible("towns", f"no extra turns in the step {p.step!r}")
    if p.step == "survivors" and (p.round > p.arc or any(town.four for town in p.towns)):
        impossible("step", f"the match ended with round {p.round}")
    _check_survivors(p)
    {"draft": _check_draft, "actions": _check_turn, "over": _check_over}.get(
        p.step, lambda _: None
    )(p)


def _check_survivors(p: Position) -> None:
    numbers = {survivor.number for survivor in SURVIVORS}
    taken = [town.survivor for town in p.towns if town.survivor is not None]
    for seat, town in enumerate(p.towns):
        if town.survivor is None:
            if p.step != "survivors":
                impossible(f"towns[{seat}].survivor", f"missing in the step {p.step!r}")
        elif town.survivor not in numbers or taken.count(town.survivor) > 1:
            impossible(f"towns[{seat}].survivor", f"{town.survivor} is not there or taken twice")
    if p.step == "survivors":
        if len(p.tokens) != p.seats:
            impossible(
                "tokens", f"{len(p.tokens)} of {p.seats}; all are placed in the survivor step"
            )
        chosen = [p.towns[seat].survivor is not None for seat in p.tokens]
        turn_of = sum(chosen)
        if chosen != sorted(chosen, reverse=True) or p.tokens[turn_of:][:1] != (p.current,):
            impossible(
                "current", f"seats choose in the order {list(p.tokens)}, one after the other"
            )


def _check_draft(p: Position) -> None:
    if len(p.packs) != p.seats:
        impossible("packs", f"{len(p.packs)} for {p.seats} seats")
    sizes = {len(pack) for pack in p.packs}
    if len(sizes) > 1 or not PACK - PICKS < max(sizes) <= PACK:
        impossible("packs", f"of {sorted(sizes)} cards; all have 5, then 4, then 3")
    picks = PACK - max(sizes)
    for seat, town in enumerate(p.towns):
        if len(town.hand) + len(town.town) != picks:
            impossible(
                f"towns[{seat}]", f"{len(town.hand) + len(town.town)} cards of {picks} picks"
            )


def _check_turn(p: Position) -> None:
    if not 1 <= p.turn <= MOST_TURNS:
        impossible("turn", f"{p.turn}, not 1 to {MOST_TURNS}")
    if p.current is None:
        impossible("current", "missing: whose turn is it?")
    if p.current in p.tokens:
        impossible("current", f"seat {p.current} has passed")
    if p.turn > TURNS_PER_ROUND and not p.towns[p.current].extra_turn:
        impossible("turn", f"seat {p.current} holds no extra turn")
    if not p.opened and (p.acted or p.played or p.used or p.choices or p.combat):
        impossible("opened", "false, and something has been done in this turn")
    if p.choices and (not p.acted or len(p.choices) < 2 or p.combat is not None):
        impossible("choices", "two or more cards, drawn by the turn's action, outside of a combat")
    for card in p.used:
        number = NUMBER_OF.get(card)
        effect = None if number is None else ACTIVATION[number]
        if effect is None or not effect.once:
            impossible("used", f"{card} is no card that can be activated once a turn")
    if len(set(p.used)) < len(p.used):
        impossible("used", "a card is named twice")


def _check_over(p: Position) -> None:
    if p.round <= p.arc and not any(town.four for town in p.towns):
        impossible("step", "over before the last round, and nobody holds four points")
